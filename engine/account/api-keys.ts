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
export function revokeKey(account: AccountStore, id: number, now: Date): boolean {
  keptByAccount.delete(account);
  const sql = 'UPDATE api_keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL';
  return account.file.run(sql, now.toISOString(), id).changes === 1;
}

/** Valid keys that were found, by text, and the state of the file: it changes when another connection writes. */
const keptByAccount = new WeakMap<AccountStore, { readonly version: number; readonly keys: Map<string, ApiKey> }>();

const validKeySql = `SELECT ${columns} FROM api_keys WHERE hash = ? AND revoked_at IS NULL`;

/** The valid key with this text; null if unknown or revoked. The look-ups compare hashes, so their time tells nothing of a key. */
export function findKey(account: AccountStore, text: string): ApiKey | null {
  const { file } = account;
  const version = file.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
  const before = keptByAccount.get(account);
  const kept = before?.version === version ? before : { version, keys: new Map<string, ApiKey>() };
  keptByAccount.set(account, kept);
  const known = kept.keys.get(text);
  if (known) return known;
  const row = file.get<KeyRow>(validKeySql, hashOf(text));
  if (!row) return null;
  const key = keyOf(row);
  kept.keys.set(text, key);
  return key;
}

/** Writes the time of use at most once a minute: a key may be used a thousand times a second. */
export function noteKeyUse(account: AccountStore, key: ApiKey, now: Date): void {
  if (key.last_used_at !== null && now.getTime() - Date.parse(key.last_used_at) < 60_000) return;
  keptByAccount.delete(account);
  account.file.run('UPDATE api_keys SET last_used_at = ? WHERE key_id = ?', now.toISOString(), key.id);
}
