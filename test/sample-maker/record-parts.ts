/** Small parts of a parcel's record: a value left out now and then, rounding. */
import type { Random } from './random.ts';
import type { SampleValue } from './types.ts';

/** Some columns of one parcel's record. */
export type Values = Record<string, SampleValue>;

/** The value, or null as often as the county leaves it out. */
export const gap = (random: Random, missing: number, value: SampleValue): SampleValue =>
  random.chance(missing) ? null : value;

export const round = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;
export const hundreds = (dollars: number): number => Math.round(dollars / 100) * 100;

export const dayMs = 86_400_000;
export const isoDate = (time: number): string => new Date(time).toISOString().slice(0, 10);
export const yearOf = (time: number): number => 1970 + time / (365.25 * dayMs);

/** Deeds are recorded on working days. */
export function workday(time: number): number {
  const day = new Date(time).getUTCDay();
  return time + (day === 0 ? dayMs : day === 6 ? -dayMs : 0);
}
