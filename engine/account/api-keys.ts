/** API keys in account.sqlite: 32 random bytes, shown once, stored as SHA-256 only. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
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
  readonly hash: string;
}

const prefix = 'plat_';
const columns = 'key_id, name, scopes, hash, created_at, last_used_at, revoked_at';

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

function keyOf({ key_id, hash: _hash, scopes, ...rest }: KeyRow): ApiKey {
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

/** The valid key with this text; null if unknown or revoked. */
export function findKey({ file }: AccountStore, text: string): ApiKey | null {
  const hash = hashOf(text);
  const row = file.get<KeyRow>(`SELECT ${columns} FROM api_keys WHERE hash = ? AND revoked_at IS NULL`, hash);
  // The look-up compares hashes, not keys; the comparison after it takes constant time.
  return row && timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash)) ? keyOf(row) : null;
}

/** Writes the time of use at most once a minute: a key may be used a thousand times a second. */
export function noteKeyUse({ file }: AccountStore, key: ApiKey, now: Date): void {
  if (key.last_used_at !== null && now.getTime() - Date.parse(key.last_used_at) < 60_000) return;
  file.run('UPDATE api_keys SET last_used_at = ? WHERE key_id = ?', now.toISOString(), key.id);
}
