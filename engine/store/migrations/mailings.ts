/**
 * Mailings in account.sqlite. A draft has terms and choices alone: its letters follow from its list. Written, each parcel of
 * the list has a row in `letters`, those that get none with the reason (spec/mailings.ts). `rule` is JSON (OfferRule);
 * `owner` is equal for parcels of one owner, `others` a JSON list of the owner's parcels that the letter names. A letter's
 * code follows from mailing and number; AUTOINCREMENT keeps it from being given twice.
 */
export const mailingsSql = `
CREATE TABLE mailings (
  mailing_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  list_id INTEGER NOT NULL,
  rule TEXT,
  lead TEXT NOT NULL,
  quiet_days INTEGER NOT NULL CHECK (quiet_days >= 0),
  made_at TEXT NOT NULL,
  written_on TEXT,
  mailed_on TEXT
);
CREATE TABLE mailing_choices (
  mailing_id INTEGER NOT NULL REFERENCES mailings (mailing_id),
  property_id INTEGER NOT NULL,
  choice TEXT NOT NULL CHECK (choice IN ('keep', 'leave_out')),
  PRIMARY KEY (mailing_id, property_id)
) WITHOUT ROWID;
CREATE TABLE letters (
  letter_id INTEGER PRIMARY KEY AUTOINCREMENT,
  mailing_id INTEGER NOT NULL REFERENCES mailings (mailing_id),
  property_id INTEGER NOT NULL,
  number INTEGER,
  state TEXT NOT NULL CHECK (state IN ('left_out', 'to_send', 'sent', 'returned')),
  why TEXT,
  owner TEXT,
  owner_name TEXT,
  others TEXT,
  tier INTEGER,
  acres REAL,
  value_low REAL,
  value_high REAL,
  offer INTEGER CHECK (offer >= 0),
  offer_formula TEXT,
  UNIQUE (mailing_id, property_id),
  UNIQUE (mailing_id, number)
);
CREATE INDEX letters_property ON letters (property_id);
CREATE TABLE replies (
  reply_id INTEGER PRIMARY KEY AUTOINCREMENT,
  letter_id INTEGER NOT NULL REFERENCES letters (letter_id),
  replied_on TEXT NOT NULL,
  outcome TEXT NOT NULL,
  price INTEGER CHECK (price >= 0),
  note TEXT
);
CREATE INDEX replies_letter ON replies (letter_id);
CREATE TABLE mailing_costs (
  cost_id INTEGER PRIMARY KEY AUTOINCREMENT,
  mailing_id INTEGER NOT NULL REFERENCES mailings (mailing_id),
  paid_on TEXT NOT NULL,
  what TEXT NOT NULL,
  amount REAL NOT NULL CHECK (amount >= 0)
);
`;
