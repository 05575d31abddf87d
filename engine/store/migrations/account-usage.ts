/**
 * Links each charge to its request, so that the Usage screen finds an answer's request id; and stores paid market
 * numbers. Not in the journal: what was paid stays.
 */
export const usageSql = `
ALTER TABLE ledger ADD COLUMN request_id TEXT;
CREATE TABLE market_numbers (
  fips TEXT PRIMARY KEY,
  asked_at TEXT NOT NULL,
  stats TEXT NOT NULL
) WITHOUT ROWID;
`;
