/** Paid market numbers of a whole county: viewing them again is free; each has its date. */
import type { MarketStats } from '../operations/get-market-stats.ts';
import type { AccountStore } from '../store/account-store.ts';

interface StoredMarketNumbers {
  readonly fips: string;
  /** ISO date-time. */
  readonly asked_at: string;
  readonly stats: MarketStats['stats'];
}

/** Replaces the previous ones. */
export const keepMarketNumbers = ({ file }: AccountStore, { fips, asked_at: at, stats }: StoredMarketNumbers): void =>
  void file.run(
    `INSERT INTO market_numbers (fips, asked_at, stats) VALUES (?, ?, ?)
     ON CONFLICT (fips) DO UPDATE SET asked_at = excluded.asked_at, stats = excluded.stats`,
    fips,
    at,
    JSON.stringify(stats),
  );

export const allMarketNumbers = ({ file }: AccountStore): StoredMarketNumbers[] =>
  file
    .all<{ fips: string; asked_at: string; stats: string }>('SELECT fips, asked_at, stats FROM market_numbers')
    .map(({ stats, ...row }) => ({ ...row, stats: JSON.parse(stats) as MarketStats['stats'] }));
