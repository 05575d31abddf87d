/**
 * Feeds: addresses under which a spreadsheet reads one search, one comps query or one value. Only a hash of the
 * address's secret is kept, so a backup reveals no address. Not in the journal: a lost secret cannot be restored.
 * `input` is a copy of the query, so the feed outlives changes to a saved search and its deletion.
 */
export const feedsSql = `
CREATE TABLE feeds (
  feed_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('search', 'comps', 'value')),
  input TEXT NOT NULL,
  ordering TEXT,
  columns TEXT,
  hash TEXT NOT NULL UNIQUE,
  made_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT
);
`;

/**
 * For a search: leave out the parcels whose owners are on the do-not-mail list at the time of reading. Older feeds keep
 * all.
 */
export const feedsDoNotMailSql = `
ALTER TABLE feeds ADD COLUMN leaves_out_do_not_mail INTEGER NOT NULL DEFAULT 0 CHECK (leaves_out_do_not_mail IN (0, 1));
`;
