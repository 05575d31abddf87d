/**
 * The generation of each county's comps, and what a backtest found with them.
 *
 * Every write to a county's comps, by any program, raises its generation: results computed from comps are valid while
 * the generation they were computed at still stands. The trigger inserts a county's row first and then raises it: in an
 * INSERT OR REPLACE statement an upsert in a trigger becomes a replacement, and the count would restart.
 */
const begin = (fips: 'OLD.fips' | 'NEW.fips'): string =>
  `INSERT INTO comp_generations (fips, generation) SELECT ${fips}, 0
    WHERE NOT EXISTS (SELECT 1 FROM comp_generations WHERE fips = ${fips})`;
const raise = 'UPDATE comp_generations SET generation = generation + 1 WHERE fips';

/** Without these triggers changes go unseen; see query/land-comps.ts. */
export const compGenerationTriggers = ['comp_generation_insert', 'comp_generation_update', 'comp_generation_delete'];

export const backtestsSql = `
CREATE TABLE comp_generations (fips TEXT PRIMARY KEY, generation INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO comp_generations (fips, generation) SELECT DISTINCT fips, 1 FROM comps;
CREATE TRIGGER comp_generation_insert AFTER INSERT ON comps
BEGIN
  ${begin('NEW.fips')};
  ${raise} = NEW.fips;
END;
CREATE TRIGGER comp_generation_update AFTER UPDATE ON comps
BEGIN
  ${begin('NEW.fips')};
  ${raise} IN (OLD.fips, NEW.fips);
END;
CREATE TRIGGER comp_generation_delete AFTER DELETE ON comps
BEGIN
  ${begin('OLD.fips')};
  ${raise} = OLD.fips;
END;
CREATE TABLE backtests (
  fips TEXT PRIMARY KEY,
  basis TEXT NOT NULL,
  result TEXT NOT NULL CHECK (json_valid(result)),
  computed_at TEXT NOT NULL
) WITHOUT ROWID;
`;
