/** Deals of account.sqlite: rows in the order of their next steps, timelines, and the counts of the desk's head. */
import {
  type DealStage,
  type Due,
  dueOf,
  endOfWeek,
  type logKinds,
  openStages,
  stageNames,
  stagesByValue,
} from '../spec/deals.ts';
import type { AccountStore } from '../store/account-store.ts';

export interface DealRow {
  readonly property_id: number;
  readonly stage: DealStage;
  /** ISO day on which the stage began. */
  readonly since: string;
  readonly next_on: string | null;
  readonly next_what: string | null;
  readonly offer: number | null;
  readonly offer_formula: string | null;
  readonly offered_on: string | null;
  readonly agreed: number | null;
  readonly note: string | null;
  /** ISO day of the latest entry of its timeline. */
  readonly last_touch: string | null;
}

export const dealColumns = [
  'property_id',
  'stage',
  'since',
  'next_on',
  'next_what',
  'offer',
  'offer_formula',
  'offered_on',
  'agreed',
  'note',
] as const;

const rowSql = `SELECT ${dealColumns.join(', ')},
  (SELECT substr(max(at), 1, 10) FROM deal_log l WHERE l.property_id = d.property_id) AS last_touch FROM deals d`;

export interface DealsWish {
  readonly ids?: readonly number[] | undefined;
  readonly stage?: readonly DealStage[] | undefined;
  readonly due?: readonly Due[] | undefined;
  readonly next_before?: string | undefined;
  readonly next_after?: string | undefined;
  readonly offer_min?: number | undefined;
  readonly offer_max?: number | undefined;
  readonly touched_since?: string | undefined;
}

/**
 * Soonest next step first, deals without one last; without `stage` or `ids`, open deals only.
 * @param today needed for `due` alone
 */
export function readDeals({ file }: AccountStore, wish: DealsWish, today?: string): DealRow[] {
  const stages = wish.stage ?? (wish.ids ? stageNames : openStages);
  const rows = file.all<DealRow>(
    `${rowSql} WHERE stage IN (SELECT value FROM json_each(:stages))
       AND (:ids IS NULL OR property_id IN (SELECT value FROM json_each(:ids)))
       AND (:next_before IS NULL OR next_on < :next_before) AND (:next_after IS NULL OR next_on >= :next_after)
       AND (:offer_min IS NULL OR offer >= :offer_min) AND (:offer_max IS NULL OR offer <= :offer_max)
       AND (:touched_since IS NULL OR last_touch >= :touched_since)
     ORDER BY next_on NULLS LAST, property_id`,
    {
      stages: JSON.stringify(stages),
      ids: wish.ids ? JSON.stringify(wish.ids) : null,
      next_before: wish.next_before ?? null,
      next_after: wish.next_after ?? null,
      offer_min: wish.offer_min ?? null,
      offer_max: wish.offer_max ?? null,
      touched_since: wish.touched_since ?? null,
    },
  );
  if (!wish.due || today === undefined) return rows;
  return rows.filter(({ next_on: on }) => wish.due?.includes(dueOf(on, today)));
}

export interface LogEntry {
  readonly at: string;
  readonly what: (typeof logKinds)[number];
  readonly detail: string | null;
}

/** Newest first. */
export const readTimeline = ({ file }: AccountStore, id: number): LogEntry[] =>
  file.all<LogEntry>('SELECT at, what, detail FROM deal_log WHERE property_id = ? ORDER BY at DESC, log_id DESC', id);

export interface PaidValue {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
  readonly valued_at: string;
}

/** Comp values that were paid for, by property_id. */
export const paidValues = ({ file }: AccountStore, ids: readonly number[]): ReadonlyMap<number, PaidValue> =>
  new Map(
    file
      .all<PaidValue & { property_id: number }>(
        `SELECT property_id, explained ->> '$.range.low' AS low, explained ->> '$.numbers.mean_adjusted_price' AS middle,
           explained ->> '$.range.high' AS high, valued_at
         FROM stored_values WHERE property_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(ids),
      )
      .map(({ property_id: id, ...value }) => [id, value]),
  );

export interface DeskCounts {
  /** Deals that are neither closed nor dropped. */
  readonly open: number;
  readonly overdue: number;
  readonly today: number;
  /** Until Sunday, today among them. */
  readonly week: number;
  readonly no_next_step: number;
  /** Every stage; `sum`: dollars of its offers, before Mailed the middle of the values paid for. */
  readonly stages: { readonly stage: DealStage; readonly deals: number; readonly sum: number }[];
}

export function deskCounts({ file }: AccountStore, today: string): DeskCounts {
  const due = file.get<Record<'open' | 'overdue' | 'today' | 'week' | 'no_next_step', number>>(
    `SELECT count(*) AS open, count(*) FILTER (WHERE next_on < :today) AS overdue,
       count(*) FILTER (WHERE next_on = :today) AS today,
       count(*) FILTER (WHERE next_on BETWEEN :today AND :sunday) AS week,
       count(*) FILTER (WHERE next_on IS NULL) AS no_next_step
     FROM deals WHERE stage IN (SELECT value FROM json_each(:stages))`,
    { today, sunday: endOfWeek(today), stages: JSON.stringify(openStages) },
  );
  const byStage = new Map(
    file
      .all<{ stage: DealStage; deals: number; sum: number | null }>(
        `SELECT stage, count(*) AS deals, sum(CASE WHEN stage NOT IN (SELECT value FROM json_each(?)) THEN offer
           ELSE (SELECT explained ->> '$.numbers.mean_adjusted_price' FROM stored_values v
                 WHERE v.property_id = deals.property_id) END) AS sum
         FROM deals GROUP BY stage`,
        JSON.stringify(stagesByValue),
      )
      .map((row) => [row.stage, row]),
  );
  return {
    open: 0,
    overdue: 0,
    today: 0,
    week: 0,
    no_next_step: 0,
    ...due,
    stages: stageNames.map((stage) => ({
      stage,
      deals: byStage.get(stage)?.deals ?? 0,
      sum: Math.round(byStage.get(stage)?.sum ?? 0),
    })),
  };
}
