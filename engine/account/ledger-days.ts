/** Sums of the ledger by UTC day: tokens by day, endpoint and mode, tokens of a period, number of charges. */
import type { AccountStore } from '../store/account-store.ts';
import type { Period } from './billing-period.ts';

interface DaySum {
  /** ISO date, UTC. */
  date: string;
  endpoint: string;
  mode: string;
  tokens_used: number;
}

/** Whole days, since a period begins and ends at midnight UTC. */
const daysOf = ({ start, end }: Period): [first: string, next: string] => [start.slice(0, 10), end.slice(0, 10)];

export const daySums = ({ file }: AccountStore, period: Period): DaySum[] =>
  file.all<DaySum>(
    `SELECT day AS date, endpoint, mode, tokens AS tokens_used FROM ledger_days
     WHERE day >= ? AND day < ? ORDER BY day, endpoint, mode`,
    ...daysOf(period),
  );

export const tokensBetween = ({ file }: AccountStore, period: Period): number =>
  file.column<number>(
    'SELECT coalesce(sum(tokens), 0) FROM ledger_days WHERE day >= ? AND day < ?',
    ...daysOf(period),
  )[0] ?? 0;

/** Number of charges since the home was made. */
export const chargeCount = ({ file }: AccountStore): number =>
  file.column<number>('SELECT coalesce(sum(charges), 0) FROM ledger_days')[0] ?? 0;
