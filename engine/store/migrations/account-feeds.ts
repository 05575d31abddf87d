/**
 * Feeds: addresses under which a spreadsheet reads one search, one comps query or one value. Of the secret in the address
 * only the hash is kept, so nobody can read an address out of a backup. Not in the journal: what a secret was cannot be
 * put back. `input` is what is asked, kept here and not by the number of a saved search, which may be changed or deleted.
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

/** Of a search: without the parcels whose owners must get no letters, as they are when it is read. Feeds of before have all. */
export const feedsDoNotMailSql = `
ALTER TABLE feeds ADD COLUMN leaves_out_do_not_mail INTEGER NOT NULL DEFAULT 0 CHECK (leaves_out_do_not_mail IN (0, 1));
`;
