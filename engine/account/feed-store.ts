/** Feeds in account.sqlite: create, renew the address, revoke, list, find by secret. */
import { createHash, randomBytes } from 'node:crypto';
import { EngineError } from '../spec/errors.ts';
import type { AccountStore } from '../store/account-store.ts';

export type FeedKind = 'search' | 'comps' | 'value';
export type FeedFormat = 'csv' | 'geojson' | 'xlsx' | 'parquet' | 'txt';

/** The formats of each kind, which are the extensions of its address. The app shows the address with the first. */
export const feedFormats: Readonly<Record<FeedKind, readonly FeedFormat[]>> = {
  search: ['csv', 'geojson', 'xlsx', 'parquet'],
  comps: ['csv', 'geojson', 'xlsx'],
  value: ['txt'],
};

export interface Feed {
  readonly feed_id: number;
  readonly name: string;
  readonly kind: FeedKind;
  /** Input of the operation; for a value also `field`, beside the parcel's `id`. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly ordering: string | null;
  /** Null: every column of the dictionary. */
  readonly columns: readonly string[] | null;
  /** For a search: whether parcels of owners marked Do not mail are left out. */
  readonly leaves_out_do_not_mail: boolean;
  /** ISO date-times. */
  readonly made_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

interface FeedRow extends Omit<Feed, 'input' | 'columns' | 'leaves_out_do_not_mail'> {
  readonly input: string;
  readonly columns: string | null;
  readonly leaves_out_do_not_mail: number;
}

const feedColumns =
  'feed_id, name, kind, input, ordering, columns, leaves_out_do_not_mail, made_at, last_used_at, revoked_at';

const feedOf = ({ input, columns, leaves_out_do_not_mail: leavesOut, ...row }: FeedRow): Feed => ({
  ...row,
  input: JSON.parse(input) as Record<string, unknown>,
  columns: columns === null ? null : (JSON.parse(columns) as string[]),
  leaves_out_do_not_mail: leavesOut === 1,
});

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** 128 bits as hexadecimal digits, which no address field has to escape. */
const newSecret = (): string => randomBytes(16).toString('hex');

type NewFeed = Pick<Feed, 'name' | 'kind' | 'input' | 'ordering' | 'columns' | 'leaves_out_do_not_mail'>;

export interface FeedSecret {
  readonly feed_id: number;
  /** Shown once; only its hash is stored. */
  readonly secret: string;
}

export function makeFeed({ file }: AccountStore, feed: NewFeed, now: Date): FeedSecret {
  const secret = newSecret();
  const { lastInsertRowid } = file.run(
    'INSERT INTO feeds (name, kind, input, ordering, columns, leaves_out_do_not_mail, hash, made_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    feed.name,
    feed.kind,
    JSON.stringify(feed.input),
    feed.ordering,
    feed.columns && JSON.stringify(feed.columns),
    feed.leaves_out_do_not_mail ? 1 : 0,
    hashOf(secret),
    now.toISOString(),
  );
  return { feed_id: Number(lastInsertRowid), secret };
}

/** Gives a feed a new secret; its old address stops answering. @throws EngineError not_found */
export function renewFeed({ file }: AccountStore, id: number): FeedSecret {
  const secret = newSecret();
  const { changes } = file.run(
    'UPDATE feeds SET hash = ? WHERE feed_id = ? AND revoked_at IS NULL',
    hashOf(secret),
    id,
  );
  if (changes === 0) throw noFeed(id);
  return { feed_id: id, secret };
}

/** Ends a feed for good. @throws EngineError not_found */
export function revokeFeed({ file }: AccountStore, id: number, now: Date): void {
  const { changes } = file.run(
    'UPDATE feeds SET revoked_at = ? WHERE feed_id = ? AND revoked_at IS NULL',
    now.toISOString(),
    id,
  );
  if (changes === 0) throw noFeed(id);
}

const noFeed = (id: number): EngineError =>
  new EngineError('not_found', `There is no feed ${id}, or it is already revoked.`);

/** Newest first, without revoked ones. */
export const listFeeds = ({ file }: AccountStore): Feed[] =>
  file
    .all<FeedRow>(`SELECT ${feedColumns} FROM feeds WHERE revoked_at IS NULL ORDER BY feed_id DESC`)
    .map((row) => feedOf(row));

/** Null for an unknown or revoked secret alike: the answer does not show that an address once existed. */
export function findFeed({ file }: AccountStore, secret: string): Feed | null {
  if (!/^[0-9a-f]{32}$/.test(secret)) return null;
  const row = file.get<FeedRow>(
    `SELECT ${feedColumns} FROM feeds WHERE hash = ? AND revoked_at IS NULL`,
    hashOf(secret),
  );
  return row ? feedOf(row) : null;
}

/** Written at most once a minute, so that a spreadsheet that asks in a loop does not write each time. */
export function noteFeedUse({ file }: AccountStore, { feed_id: id, last_used_at: last }: Feed, now: Date): void {
  if (last !== null && now.getTime() - Date.parse(last) < 60_000) return;
  file.run('UPDATE feeds SET last_used_at = ? WHERE feed_id = ?', now.toISOString(), id);
}
