/**
 * What the comps are by now, and what a county's backtest found of them.
 *
 * A county's generation grows with every row of its comps that is written, by whatever program: what was made of the comps
 * is of now while their generations are those of then. The row of a county is first made and then raised, because a
 * statement INSERT OR REPLACE would make an upsert in its triggers a replacement, and the count would begin anew.
 */
const begin = (fips: 'OLD.fips' | 'NEW.fips'): string =>
  `INSERT INTO comp_generations (fips, generation) SELECT ${fips}, 0
    WHERE NOT EXISTS (SELECT 1 FROM comp_generations WHERE fips = ${fips})`;
const raise = 'UPDATE comp_generations SET generation = generation + 1 WHERE fips';

/** Without them nothing is known of changes; see query/land-comps.ts. */
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
