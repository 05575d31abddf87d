/** API keys: 32 random bytes, shown once, kept as SHA-256 only. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountStore } from '../store/account-store.ts';

export const keyScopes = ['read', 'write', 'trace'] as const;
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

/** @returns the key itself, for the only time */
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

/** @returns whether a key with this id was valid until now */
export const revokeKey = ({ file }: AccountStore, id: number, now: Date): boolean =>
  file.run('UPDATE api_keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL', now.toISOString(), id)
    .changes === 1;

/** The valid key behind a text; null when it is none, or revoked. */
export function findKey({ file }: AccountStore, text: string): ApiKey | null {
  const hash = hashOf(text);
  const row = file.get<KeyRow>(`SELECT ${columns} FROM api_keys WHERE hash = ? AND revoked_at IS NULL`, hash);
  // The look-up compares hashes, not keys; this comparison is in constant time on top of it.
  return row && timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash)) ? keyOf(row) : null;
}

/** Writes the time of use at most once a minute: a key is used a thousand times a second, a person reads it once a day. */
export function noteKeyUse({ file }: AccountStore, key: ApiKey, now: Date): void {
  if (key.last_used_at !== null && now.getTime() - Date.parse(key.last_used_at) < 60_000) return;
  file.run('UPDATE api_keys SET last_used_at = ? WHERE key_id = ?', now.toISOString(), key.id);
}

/** Removes a key without a trace: for those a program makes for one request of its own. */
export const forgetKey = ({ file }: AccountStore, id: number): void => {
  file.run('DELETE FROM api_keys WHERE key_id = ?', id);
};
