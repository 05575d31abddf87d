/** Migrations of people.sqlite. Numbered by position, never edited after a release: a change is a new entry. */

const contactsSql = `
CREATE TABLE contacts (
  contact_id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  address TEXT,
  city TEXT,
  state TEXT,
  zip TEXT
);
CREATE INDEX contacts_last_name ON contacts (last_name);
CREATE TABLE contact_phones (
  contact_id INTEGER NOT NULL REFERENCES contacts (contact_id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  number TEXT NOT NULL,
  line_type TEXT CHECK (line_type IN ('Mobile', 'Landline')),
  dnc INTEGER,
  PRIMARY KEY (contact_id, position)
) WITHOUT ROWID;
`;

export const peopleMigrations: readonly string[] = [contactsSql];
