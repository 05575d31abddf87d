/**
 * By county: the model of its market as it was trained, and what its backtest found, once that is done. A market is a
 * county's comps and those within 64 km; query/market-state.ts says how long a model answers.
 * `comps`: hash of what the model saw, by which counties of one market share it. `tested_on`: what the test saw.
 */
export const marketModelsSql = `
CREATE TABLE market_models (
  fips TEXT PRIMARY KEY,
  constants TEXT NOT NULL,
  generation INTEGER NOT NULL,
  comp_count INTEGER NOT NULL,
  comps TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  forests BLOB,
  trained_at TEXT NOT NULL,
  tested TEXT CHECK (json_valid(tested)),
  tested_on TEXT
);
`;
