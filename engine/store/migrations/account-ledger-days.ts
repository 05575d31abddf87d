/**
 * Daily sums of the ledger by endpoint and mode, kept in the transaction of each charge. A period is whole days,
 * whatever its anchor day, so the Usage screen adds a few hundred rows where the ledger has 500,000. Ledger rows never
 * change, so a trigger on INSERT suffices.
 */
export const ledgerDaysFill =
  'INSERT INTO ledger_days SELECT substr(charged_at, 1, 10), endpoint, mode, sum(tokens), count(*) FROM ledger GROUP BY 1, 2, 3';

export const ledgerDaysSql = `
CREATE TABLE ledger_days (
  day TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  mode TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  charges INTEGER NOT NULL,
  PRIMARY KEY (day, endpoint, mode)
) WITHOUT ROWID;
${ledgerDaysFill};
CREATE TRIGGER ledger_days_added AFTER INSERT ON ledger
BEGIN
  INSERT INTO ledger_days VALUES (substr(NEW.charged_at, 1, 10), NEW.endpoint, NEW.mode, NEW.tokens, 1)
  ON CONFLICT (day, endpoint, mode) DO UPDATE SET tokens = tokens + excluded.tokens, charges = charges + 1;
END;
`;
