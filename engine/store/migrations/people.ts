/** Migrations of people.sqlite. Numbered by position, never edited after a release: a change is a new entry. */
import { homeIdentitySql } from '../home-identity.ts';
import { jobNoteSql } from '../job-note.ts';
import { optOutsSql } from '../opt-out-rows.ts';
import { storedTracesSql } from './stored-traces.ts';

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

/**
 * Names and places in comparable form (contacts/): a trace looks up the last name with the ZIP, or with city and state.
 * A row without last_key was written by an older Platbook and is compared row by row. person_key identifies a person of
 * an imported source.
 */
const contactKeysSql = `
ALTER TABLE contacts ADD COLUMN middle_name TEXT;
ALTER TABLE contacts ADD COLUMN suffix TEXT;
ALTER TABLE contacts ADD COLUMN last_key TEXT;
ALTER TABLE contacts ADD COLUMN zip_key TEXT;
ALTER TABLE contacts ADD COLUMN town_key TEXT;
ALTER TABLE contacts ADD COLUMN person_key TEXT;
DROP INDEX contacts_last_name;
CREATE INDEX contacts_by_zip ON contacts (last_key, zip_key, town_key);
CREATE INDEX contacts_by_town ON contacts (last_key, town_key);
CREATE UNIQUE INDEX contacts_person ON contacts (source, person_key);
`;

export const peopleMigrations: readonly string[] = [
  contactsSql,
  contactKeysSql,
  storedTracesSql,
  jobNoteSql,
  optOutsSql,
  homeIdentitySql,
];
