/** The fill of matches by a value, in the classes of the map's legend. */
import { ramp } from './sheet-inks.ts';

/** Attributes of lots that fill them on the map. */
export const fillColumns = [
  'value_per_acre',
  'acres',
  'owner_type',
  'slope_mean_percent',
  'flood_zone_percent',
] as const;
export type FillColumn = (typeof fillColumns)[number];

/** As the map's tiles have them; null if not published. */
export type FillValues = Readonly<Record<FillColumn, number | string | null>>;

interface FillClass {
  readonly words: string;
  /** Step of the ramp, 0 to 4. */
  readonly step: number;
  /** Least number; absent: all below the next class. */
  readonly from?: number | undefined;
  readonly value?: string | undefined;
}

export interface LotFill {
  readonly title: string;
  readonly column: FillColumn;
  /** Words for lots without a value. */
  readonly without: string;
  /** Ascending. */
  readonly classes: readonly FillClass[];
}

/** Null for a lot without a value. */
export function classOf({ column, classes }: LotFill, values: FillValues): FillClass | null {
  const value = values[column];
  if (value === null) return null;
  if (typeof value === 'string') return classes.find((one) => one.value === value) ?? null;
  return classes.findLast(({ from }) => from === undefined || value >= from) ?? null;
}

export const inkOfStep = (step: number) => ramp[step] ?? (ramp[1] as (typeof ramp)[number]);
