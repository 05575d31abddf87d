/**
 * The user's own work in account.sqlite. Everything references property_id, which never changes: a parcel that leaves
 * the county's file keeps its notes. The journal can undo every change here (account/record-rows.ts), so rows are
 * inserted, updated and deleted by key, never replaced.
 */

/** `inverse_input` holds the rows before and after the change, or the input of the change that undoes it. */
const journalSql = `
CREATE TABLE journal (
  entry INTEGER PRIMARY KEY AUTOINCREMENT,
  made_at TEXT NOT NULL,
  sentence TEXT NOT NULL,
  change TEXT NOT NULL,
  input TEXT NOT NULL,
  inverse_change TEXT NOT NULL,
  inverse_input TEXT NOT NULL,
  undone_at TEXT
);
`;

/** A live list is a saved search; a fixed list is a row of `lists`. */
const searchesSql = `
CREATE TABLE saved_searches (
  search_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  county TEXT,
  filter TEXT NOT NULL,
  ordering TEXT,
  columns TEXT NOT NULL,
  position INTEGER NOT NULL,
  made_at TEXT NOT NULL,
  last_run_at TEXT
);
`;

/** owner_then: the owner when the parcel was starred or listed, so that a new owner shows after an import. */
const marksSql = `
CREATE TABLE stars (
  property_id INTEGER PRIMARY KEY,
  starred_at TEXT NOT NULL,
  owner_then TEXT
);
CREATE TABLE notes (
  note_id INTEGER PRIMARY KEY AUTOINCREMENT,
  property_id INTEGER NOT NULL,
  text TEXT NOT NULL,
  made_at TEXT NOT NULL,
  changed_at TEXT
);
CREATE INDEX notes_property ON notes (property_id);
CREATE TABLE tags (
  tag_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  color TEXT NOT NULL,
  made_at TEXT NOT NULL
);
CREATE TABLE parcel_tags (
  tag_id INTEGER NOT NULL REFERENCES tags (tag_id),
  property_id INTEGER NOT NULL,
  tagged_at TEXT NOT NULL,
  PRIMARY KEY (tag_id, property_id)
) WITHOUT ROWID;
CREATE INDEX parcel_tags_property ON parcel_tags (property_id);
`;

const listsSql = `
CREATE TABLE lists (
  list_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  made_at TEXT NOT NULL,
  filter TEXT,
  offer_percent REAL,
  position INTEGER NOT NULL
);
CREATE TABLE list_members (
  list_id INTEGER NOT NULL REFERENCES lists (list_id),
  property_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  added_at TEXT NOT NULL,
  mailed_on TEXT,
  owner_then TEXT,
  PRIMARY KEY (list_id, property_id)
) WITHOUT ROWID;
CREATE INDEX list_members_property ON list_members (property_id);
`;

/** Either key suffices to hold back a letter. No foreign key to a list: a row outlives all lists. */
const doNotMailSql = `
CREATE TABLE do_not_mail (
  do_not_mail_id INTEGER PRIMARY KEY AUTOINCREMENT,
  mailing_key TEXT,
  owner_key TEXT,
  owner_name TEXT,
  address TEXT,
  property_id INTEGER,
  added_at TEXT NOT NULL,
  CHECK (mailing_key IS NOT NULL OR owner_key IS NOT NULL)
);
`;

/** What was paid for: the explained value as shown, and the runs that fill a column of a list. */
const paidSql = `
CREATE TABLE stored_values (
  property_id INTEGER PRIMARY KEY,
  valued_at TEXT NOT NULL,
  explained TEXT NOT NULL
);
CREATE TABLE list_runs (
  run_id INTEGER PRIMARY KEY AUTOINCREMENT,
  list_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('values', 'phones')),
  started_at TEXT NOT NULL,
  ended_at TEXT
);
CREATE TABLE list_run_rows (
  run_id INTEGER NOT NULL REFERENCES list_runs (run_id),
  property_id INTEGER NOT NULL,
  outcome TEXT CHECK (outcome IN ('found', 'none', 'left_out')),
  note TEXT,
  tokens INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run_id, property_id)
) WITHOUT ROWID;
`;

export const workSql = `${journalSql}${searchesSql}${marksSql}${listsSql}${doNotMailSql}${paidSql}`;

/**
 * Deals: one a parcel, and their timeline. A name of `stage` and `what` is one of spec/deals.ts. `offer_formula` says how
 * the offer was reckoned, in the words of that day: the value may move, the offer does not.
 */
export const dealsSql = `
CREATE TABLE deals (
  property_id INTEGER PRIMARY KEY,
  stage TEXT NOT NULL,
  since TEXT NOT NULL,
  next_on TEXT,
  next_what TEXT,
  offer INTEGER CHECK (offer >= 0),
  offer_formula TEXT,
  offered_on TEXT,
  agreed INTEGER CHECK (agreed >= 0),
  note TEXT
);
CREATE INDEX deals_next_on ON deals (next_on);
CREATE TABLE deal_log (
  log_id INTEGER PRIMARY KEY AUTOINCREMENT,
  property_id INTEGER NOT NULL,
  at TEXT NOT NULL,
  what TEXT NOT NULL,
  detail TEXT
);
CREATE INDEX deal_log_property ON deal_log (property_id, at);
`;
