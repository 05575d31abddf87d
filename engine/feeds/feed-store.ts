/** The feeds of a home: made, given a new address, revoked, found by their secret. */
import { createHash, randomBytes } from 'node:crypto';
import { EngineError } from '../spec/errors.ts';
import type { AccountStore } from '../store/account-store.ts';

export type FeedKind = 'search' | 'comps' | 'value';

export interface Feed {
  readonly feed_id: number;
  readonly name: string;
  readonly kind: FeedKind;
  /** Input of the operation; of a value with `field` beside the parcel's id. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly ordering: string | null;
  /** Null: every column of the dictionary. */
  readonly columns: readonly string[] | null;
  /** Of a search: without parcels whose owners must get no letters. */
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

/** 128 bits, in letters that need no escape in any program's address field. */
const newSecret = (): string => randomBytes(16).toString('hex');

export type NewFeed = Pick<Feed, 'name' | 'kind' | 'input' | 'ordering' | 'columns' | 'leaves_out_do_not_mail'>;

export interface FeedSecret {
  readonly feed_id: number;
  /** Shown once: only its hash is kept. */
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

/** Gives a feed another secret; the address that it had answers nothing any more. @throws EngineError not_found */
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
  new EngineError('not_found', `There is no feed ${id}, or it was revoked before.`);

/** Newest first; revoked ones are gone. */
export const listFeeds = ({ file }: AccountStore): Feed[] =>
  file
    .all<FeedRow>(`SELECT ${feedColumns} FROM feeds WHERE revoked_at IS NULL ORDER BY feed_id DESC`)
    .map((row) => feedOf(row));

/** Null for a secret that is unknown or revoked: an address says nothing of what it was. */
export function findFeed({ file }: AccountStore, secret: string): Feed | null {
  if (!/^[0-9a-f]{32}$/.test(secret)) return null;
  const row = file.get<FeedRow>(
    `SELECT ${feedColumns} FROM feeds WHERE hash = ? AND revoked_at IS NULL`,
    hashOf(secret),
  );
  return row ? feedOf(row) : null;
}

/** Kept to the minute, so that a spreadsheet that asks in a loop writes no row each time. */
export function noteFeedUse({ file }: AccountStore, { feed_id: id, last_used_at: last }: Feed, now: Date): void {
  if (last !== null && now.getTime() - Date.parse(last) < 60_000) return;
  file.run('UPDATE feeds SET last_used_at = ? WHERE feed_id = ?', now.toISOString(), id);
}
