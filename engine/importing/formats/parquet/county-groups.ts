/** Which row groups of a Parquet file may hold a county: by the statistics of a county column, else by their boxes. */
import { type Bounds, boundsOverlap } from '../../../geo/geometry.ts';
import { countyAt, isInCounty, nearCounty, outlineOfCounty, type Place } from '../../../store/county-outlines.ts';
import type { RawStatistics } from './parquet-footer.ts';

/** Columns that name a county by its whole code, as publishers call them. */
const codeNames =
  /^(?:fips|fips_?code|geo_?id|county|county_?id|(?:county|cnty|co|st_?co|state_?county|parcel_?county)_?fips(?:_?code)?|fips_?county)$/i;

export const mayNameCounty = (name: string): boolean => codeNames.test(name);

/** A code as text, whole number or decimal, with or without its first zero; null for what is none. */
export function countyCode(value: unknown): string | null {
  const text = /^\s*(\d{4,5})(?:\.0*)?\s*$/.exec(String(value ?? ''))?.[1];
  return text === undefined ? null : text.padStart(5, '0');
}

interface Range {
  readonly min: string | number;
  readonly max: string | number;
}

/** Null if the writer left the statistics out, or they are no numbers or texts. */
export function rangeOf({ min, max }: RawStatistics, type: string | undefined): Range | null {
  if (min === undefined || max === undefined) return null;
  const [low, high] = [boundOf(min, type), boundOf(max, type)];
  return low === null || high === null ? null : { min: low, max: high };
}

function boundOf(bytes: Uint8Array, type: string | undefined): string | number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 'BYTE_ARRAY') return Buffer.from(bytes).toString('latin1');
  if (type === 'INT32' && bytes.length === 4) return view.getInt32(0, true);
  if (type === 'INT64' && bytes.length === 8) return Number(view.getBigInt64(0, true));
  if (type === 'FLOAT' && bytes.length === 4) return finite(view.getFloat32(0, true));
  if (type === 'DOUBLE' && bytes.length === 8) return finite(view.getFloat64(0, true));
  return null;
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Whether a range can hold a county; a range that is unknown can. Bounds may be cut short, which keeps them bounds. */
export function mayHold(range: Range | null, fips: string): boolean {
  if (range === null) return true;
  const { min, max } = range;
  if (typeof min === 'number' && typeof max === 'number') return min <= Number(fips) && Number(fips) <= max;
  const bare = String(Number(fips));
  return [fips, bare, `${fips}.0`, `${bare}.0`, ` ${fips}`].some((text) => String(min) <= text && text <= String(max));
}

/** Whether a box lies at a county, as near as its coarse outline may be wrong; a county without an outline is anywhere. */
export function liesAt(box: Bounds | null, fips: string): boolean {
  const outline = outlineOfCounty(fips);
  return box === null || outline === undefined || boundsOverlap(box, nearCounty(outline));
}

/** Whether a shape is a county's, by the place it lies at. */
export function isOfCounty(place: Place | null, fips: string): boolean {
  const outline = outlineOfCounty(fips);
  if (place === null || outline === undefined) return true;
  const found = countyAt(...place);
  return found === undefined ? isInCounty(outline, place) : found.fips === fips;
}
