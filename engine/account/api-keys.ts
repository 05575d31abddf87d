/** API keys in account.sqlite: 32 random bytes, shown once, stored as SHA-256 only. */
import { hash, randomBytes } from 'node:crypto';
import type { AccountStore } from '../store/account-store.ts';

export const keyScopes = ['read', 'write', 'trace', 'feeds'] as const;
export type KeyScope = (typeof keyScopes)[number];

export interface ApiKey {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

interface KeyRow extends Omit<ApiKey, 'scopes' | 'id'> {
  readonly key_id: number;
  readonly scopes: string;
}

const prefix = 'plat_';
const columns = 'key_id, name, scopes, created_at, last_used_at, revoked_at';

const hashOf = (key: string): string => hash('sha256', key);

function keyOf({ key_id, scopes, ...rest }: KeyRow): ApiKey {
  return { id: key_id, ...rest, scopes: keyScopes.filter((scope) => scopes.split(',').includes(scope)) };
}

/** Makes a key. @returns the only copy of its text */
export function createKey(
  { file }: AccountStore,
  name: string,
  scopes: readonly KeyScope[],
  now: Date,
): { id: number; name: string; scopes: readonly KeyScope[]; key: string } {
  const key = `${prefix}${randomBytes(32).toString('base64url')}`;
  const { lastInsertRowid } = file.run(
    'INSERT INTO api_keys (name, scopes, hash, created_at) VALUES (?, ?, ?, ?)',
    name,
    scopes.join(','),
    hashOf(key),
    now.toISOString(),
  );
  return { id: Number(lastInsertRowid), name, scopes, key };
}

export const listKeys = ({ file }: AccountStore): ApiKey[] =>
  file.all<KeyRow>(`SELECT ${columns} FROM api_keys ORDER BY key_id`).map(keyOf);

/** @returns false if there is no such key or it was already revoked */
export const revokeKey = ({ file }: AccountStore, id: number, now: Date): boolean =>
  file.run('UPDATE api_keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL', now.toISOString(), id)
    .changes === 1;

const validKeySql = `SELECT ${columns} FROM api_keys WHERE hash = ? AND revoked_at IS NULL`;

/** The valid key with this text; null if unknown or revoked. The look-up compares hashes, so its time tells nothing of a key. */
export function findKey({ file }: AccountStore, text: string): ApiKey | null {
  const row = file.get<KeyRow>(validKeySql, hashOf(text));
  return row ? keyOf(row) : null;
}

/** Writes the time of use at most once a minute: a key may be used a thousand times a second. */
export function noteKeyUse({ file }: AccountStore, key: ApiKey, now: Date): void {
  if (key.last_used_at !== null && now.getTime() - Date.parse(key.last_used_at) < 60_000) return;
  file.run('UPDATE api_keys SET last_used_at = ? WHERE key_id = ?', now.toISOString(), key.id);
}
