/** The classes of a colored map and how many parcels each has, for the current filter. */
import type { CountyColumns } from '../columns/county-columns.ts';
import { rowsOf } from '../columns/county-rows.ts';
import { decodedNumbers } from '../columns/decode-numbers.ts';
import type { CountyMatches } from '../columns/pages.ts';
import type { LandStore } from '../store/land-store.ts';
import { byColumns, quotient, withLiveCounties, withLiveMatches } from './live-by-columns.ts';
import type { LiveRequest } from './live-request.ts';
import { numbersBySql, textsBySql } from './sql-filters/live-by-sql.ts';

interface Legend {
  /** Between the classes, ascending; a value falls into the class above the last limit that is not above it. */
  readonly limits: number[];
  /** One more than limits; empty if no value is known. */
  readonly counts: number[];
  readonly unknown: number;
}

/**
 * A number of the parcel as in the tiles (engine/tiles): the first known column, alone or divided, in whole dollars.
 */
export interface NumberColumns {
  readonly values: readonly string[];
  readonly by?: string;
}

/** Numbers that have a legend. */
export const legendNumbers = {
  value_per_acre: { values: ['market_total_value', 'assessed_total_value'], by: 'effective_acres' },
  acres: { values: ['effective_acres'] },
  slope_mean_percent: { values: ['slope_mean_percent'] },
  flood_zone_percent: { values: ['flood_zone_percent'] },
} as const satisfies Readonly<Record<string, NumberColumns>>;

export type LegendNumber = keyof typeof legendNumbers;

const classes = 5;
/** Quantiles come from at most this many values: limits are rounded anyway, and counts are exact. */
const sampled = 20_000;

/**
 * @param limits ascending; absent: quantiles
 * @throws EngineError validation_error when the query takes too long
 */
export function liveLegend(
  land: LandStore,
  request: LiveRequest,
  name: LegendNumber,
  limits?: readonly number[],
): Legend {
  const columns: NumberColumns = legendNumbers[name];
  const values = valuesByColumns(land, request, columns) ?? numbersBySql(land, request, columns);
  return legendOf(values, limits);
}

/** Texts that have a legend. */
export const legendTexts = ['owner_type'] as const;
export type LegendText = (typeof legendTexts)[number];

/** The same for a text: how often each of the given values occurs; all others are unknown to the map. */
export function liveTextLegend(
  land: LandStore,
  request: LiveRequest,
  name: LegendText,
  values: readonly string[],
): Legend {
  const found = textsByColumns(land, request, name) ?? textsBySql(land, request, name);
  const counts = values.map((value) => found.get(value) ?? 0);
  const known = counts.reduce((sum, count) => sum + count, 0);
  return { limits: [], counts, unknown: [...found.values()].reduce((sum, count) => sum + count, 0) - known };
}

export type TextCounts = ReadonlyMap<string | null, number>;

function textsByColumns(land: LandStore, request: LiveRequest, name: LegendText): TextCounts | null {
  return byColumns(land, request, (_, steps) =>
    withLiveCounties(land, steps, [name], (counties) => {
      if (!counties.every((county) => county.isCoded(name))) return null;
      return withLiveMatches(land, counties, steps, (matches) => {
        const counts = new Map<string | null, number>();
        for (const { county, bits } of matches) countTexts(county, name, shapedRows(county, bits), counts);
        return counts;
      });
    }),
  );
}

function countTexts(county: CountyColumns, name: string, rows: Uint32Array, counts: Map<string | null, number>): void {
  const column = county.column(name);
  const codes = county.codes(column);
  const byCode = new Uint32Array(column.scale.count + 1);
  for (const row of rows) byCode[codes[row] as number] = (byCode[codes[row] as number] as number) + 1;
  for (const [code, count] of byCode.entries()) {
    const value = code === 0 ? null : String(column.scale.value(code));
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
}

/** NaN where unknown. */
function valuesByColumns(land: LandStore, request: LiveRequest, columns: NumberColumns): Float64Array | null {
  const needed = [...columns.values, ...(columns.by === undefined ? [] : [columns.by])];
  return byColumns(land, request, (_, steps) =>
    withLiveCounties(land, steps, needed, (counties) => {
      if (!counties.every((county) => needed.every((column) => county.isCoded(column)))) return null;
      return withLiveMatches(land, counties, steps, (matches) =>
        joined(matches.map((match) => numbersOf(match, columns))),
      );
    }),
  );
}

/**
 * Plain loops, here and below: methods of typed arrays take many times as long, and a county may have a million rows.
 */
function numbersOf({ county, bits }: CountyMatches, { values: names, by }: NumberColumns): Float64Array {
  const rows = shapedRows(county, bits);
  const [values = new Float64Array(), ...others] = names.map((name) => decodedNumbers(county, name, rows));
  for (const next of others) {
    for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) values[i] = next[i] as number;
  }
  if (by === undefined) return values;
  const divisors = decodedNumbers(county, by, rows);
  for (let i = 0; i < values.length; i++) values[i] = quotient(values[i] as number, divisors[i] as number);
  return values;
}

function shapedRows(county: CountyColumns, bits: number): Uint32Array {
  const { memory, kernels, words } = county;
  const { shaped } = county.boxes();
  return memory.withBitmap((part) => {
    kernels.copy(part, bits, words);
    kernels.and(part, shaped, words);
    return rowsOf(county, part);
  });
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function legendOf(values: Float64Array, given?: readonly number[]): Legend {
  const known = knownOf(values);
  const unknown = values.length - known.length;
  if (known.length === 0) return { limits: [...(given ?? [])], counts: [], unknown };
  const limits = given ? [...given] : quantileLimits(known);
  const counts = new Array<number>(limits.length + 1).fill(0);
  for (let i = 0; i < known.length; i++) {
    let at = 0;
    while (at < limits.length && (limits[at] as number) <= (known[i] as number)) at += 1;
    counts[at] = (counts[at] as number) + 1;
  }
  return { limits, counts, unknown };
}

/** The known values, in the same memory. */
function knownOf(values: Float64Array): Float64Array {
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value)) continue;
    values[count] = value;
    count += 1;
  }
  return values.subarray(0, count);
}

/**
 * Rounding may merge two limits, which gives fewer classes. No class is empty below the first limit or above the last.
 */
function quantileLimits(known: Float64Array): number[] {
  const step = Math.ceil(known.length / sampled);
  const sorted = Float64Array.from(
    { length: Math.ceil(known.length / step) },
    (_, i) => known[i * step] as number,
  ).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
  const rounded = Array.from({ length: classes - 1 }, (_, i) => readable(at((i + 1) / classes)));
  const [least, most] = [at(0), at(1)];
  return [...new Set(rounded)].filter((limit) => limit > least && limit <= most);
}

/** Two digits, the second a 0 or a 5: 4,500, 0.15, 30. */
export function readable(value: number): number {
  if (value === 0) return 0;
  const power = 10 ** Math.floor(Math.log10(Math.abs(value)));
  return Number(((Math.round((2 * value) / power) / 2) * power).toPrecision(2));
}
