/**
 * Which request a charge belongs to, so that an answer's request id is found on the Usage screen; and the market numbers
 * that were paid for. Not in the journal: what was paid stays.
 */
export const usageSql = `
ALTER TABLE ledger ADD COLUMN request_id TEXT;
CREATE TABLE market_numbers (
  fips TEXT PRIMARY KEY,
  asked_at TEXT NOT NULL,
  stats TEXT NOT NULL
) WITHOUT ROWID;
`;
