import type { DealStage } from './deals.ts';

/** Filters over the user's own work (stars, tags, lists, mailings, deals), for the app's reads; the public API has none of them. */
export interface WorkFields {
  /** true: starred parcels; false: the others. */
  readonly starred?: boolean;
  /** Ids of tags; any of them. */
  readonly tags?: readonly number[];
  /** Ids of lists; any of them. */
  readonly in_list?: readonly number[];
  readonly not_in_list?: readonly number[];
  /** ISO day; keeps parcels mailed at least once whose last mailing was before it. */
  readonly mailed_before?: string;
  /** Stages of spec/deals.ts; any of them. */
  readonly stage?: readonly DealStage[];
  /** ISO days: a deal whose next step is before, on or after the day. */
  readonly next_before?: string;
  readonly next_after?: string;
  /** Dollars of a deal's offer. */
  readonly offer_min?: number;
  readonly offer_max?: number;
  /** ISO day; keeps deals whose timeline has an entry on it or later. */
  readonly touched_since?: string;
}

export const workFields = [
  'starred',
  'tags',
  'in_list',
  'not_in_list',
  'mailed_before',
  'stage',
  'next_before',
  'next_after',
  'offer_min',
  'offer_max',
  'touched_since',
] as const satisfies readonly (keyof WorkFields)[];
