/**
 * Who owns what, as engine/owners works it out from names and mailing addresses; derived data. An identity is one spelling
 * at one mailing address, `group_id` the first identity of its owner. `owner_counties` has the column index from which a
 * county's owners were made, a digest of the user's verdicts, and whether neighbors were known: with another index, other
 * verdicts, or neighbors found since, they are stale. So no trigger is needed: any change of a parcel, by whatever program,
 * ends its county's column index.
 */
export const ownersSql = `
CREATE TABLE owner_identities (
  identity_id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  mailing_key TEXT,
  owner_type TEXT NOT NULL,
  group_id INTEGER NOT NULL
);
CREATE INDEX owner_identities_group ON owner_identities (group_id);
CREATE TABLE owner_links (
  a INTEGER NOT NULL,
  b INTEGER NOT NULL,
  score REAL NOT NULL,
  reasons TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('automatic', 'proposed', 'same', 'different', 'shares')),
  PRIMARY KEY (a, b)
) WITHOUT ROWID;
CREATE INDEX owner_links_b ON owner_links (b);
CREATE TABLE parcel_owners (
  property_id INTEGER PRIMARY KEY,
  identity_id INTEGER NOT NULL
);
CREATE INDEX parcel_owners_identity ON parcel_owners (identity_id);
CREATE TABLE owner_counties (
  fips TEXT PRIMARY KEY,
  build_id INTEGER NOT NULL,
  verdicts TEXT NOT NULL,
  has_holdings INTEGER NOT NULL
) WITHOUT ROWID;
`;

/** In account.sqlite: what the user said of two owners, by their keys, which outlive imports. */
export const ownerVerdictsSql = `
CREATE TABLE owner_verdicts (
  verdict_id INTEGER PRIMARY KEY AUTOINCREMENT,
  a_key TEXT NOT NULL,
  b_key TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('same', 'different', 'shares')),
  said_at TEXT NOT NULL,
  UNIQUE (a_key, b_key),
  CHECK (a_key < b_key)
);
`;
