/**
 * Finds the parcels near a tile by the column index: boxes and attributes come from the index, only shapes and texts from
 * the table, by runs of property_id. Twice as fast as near-parcels.ts: SQLite needs a microsecond to find a row and another
 * to read a third of its eighty columns.
 */
import type { CountyColumns } from '../columns/county-columns.ts';
import { rowsOf } from '../columns/county-rows.ts';
import { type Bounds, boundsOverlap } from '../geo/geometry.ts';
import { openCounties, shrinkColumns } from '../query/county-index.ts';
import { listColumnIndexes } from '../store/column-store.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { countyPlaces } from './grid-cache.ts';
import { type LeastSize, type NearParcels, type Texts, textsOf } from './near-parcels.ts';
import { measureShape } from './polygon-scanner.ts';
import { isShape } from './stored-shapes.ts';

const columns = [
  'effective_acres',
  'owner_type',
  'market_total_value',
  'assessed_total_value',
  'slope_mean_percent',
  'flood_zone_percent',
  'structure_count',
] as const;

/** Up to this many unwanted parcels are read to continue a run, since a new run costs as much as six parcels. */
const mostBetween = 6;

/** Shapes in the order of the runs, then of property_id. A row without a shape adds no bytes. */
const shapesSql = `SELECT CAST(group_concat(p.geom, '') AS BLOB) FROM json_each(?) r
CROSS JOIN parcels p ON p.property_id BETWEEN r.value ->> 0 AND r.value ->> 1 WHERE ${isShape('p.geom')}`;

const textsSql = `SELECT property_id, point_lon, point_lat, apn, owner_name FROM parcels
WHERE property_id IN (SELECT value FROM json_each(?))`;

/**
 * Call it within a snapshot.
 * @returns the parcels of each county; null if an index is missing, stale or lacks a column, or if a shape is not valid:
 *   near-parcels.ts then answers
 */
export function nearByColumns(land: LandStore, near: Bounds, least: LeastSize): NearParcels[] | null {
  // Otherwise the grids of other counties would be made from all their parcels.
  if (!listColumnIndexes(land.file).every(({ isCurrent }) => isCurrent)) return null;
  const fips = countyPlaces(land).flatMap(({ fips, bounds }) => (bounds && boundsOverlap(bounds, near) ? [fips] : []));
  const counties = openCounties(land, fips.sort());
  try {
    if (!counties?.every((county) => columns.every((column) => county.isCoded(column)))) return null;
    const found = counties.map((county) => nearIn(land.file, county, near, least));
    return found.every((parcels) => parcels !== null) ? found : null;
  } finally {
    shrinkColumns(land);
  }
}

function nearIn(file: SqliteFile, county: CountyColumns, near: Bounds, least: LeastSize): NearParcels | null {
  const rows = rowsNear(county, near);
  const ids = new Float64Array(rows.length);
  for (let place = 0; place < rows.length; place++) ids[place] = county.id(rows[place] as number);
  const shapes = readShapes(file, county, rows);
  if (!shapes) return null;
  return {
    ids,
    ...shapes,
    texts: readTexts(file, ids, rowsOfSize(county, rows, least)),
    readFill: fillReader(county, rows),
  };
}

function rowsNear(county: CountyColumns, { minX, maxX, minY, maxY }: Bounds): Uint32Array {
  const { kernels, words, memory } = county;
  const { rowBoxes, wordBoxes, shaped } = county.boxes();
  return memory.withBitmap((bits) => {
    kernels.fillRows(bits, words, county.rows);
    kernels.boxes(rowBoxes, wordBoxes, shaped, bits, words, minX, maxX, minY, maxY);
    return rowsOf(county, bits);
  });
}

/** Whether each parcel's box is large enough. */
function rowsOfSize(
  county: CountyColumns,
  rows: Uint32Array,
  { width, height }: LeastSize,
): (place: number) => boolean {
  const stride = county.words * 64;
  const boxes = county.memory.floats(county.boxes().rowBoxes, stride * 4);
  const side = (row: number, low: number): number =>
    (boxes[(low + 1) * stride + row] as number) - (boxes[low * stride + row] as number);
  return (place) => {
    const row = rows[place] as number;
    return side(row, 0) >= width && side(row, 2) >= height;
  };
}

function readTexts(
  file: SqliteFile,
  ids: Float64Array,
  isWanted: (place: number) => boolean,
): ReadonlyMap<number, Texts> {
  const wanted = [...ids.filter((_, place) => isWanted(place))];
  return wanted.length === 0 ? new Map() : textsOf(file.rawRows(textsSql, JSON.stringify(wanted)));
}

/** First and last row of each run of neighbors in the table; a run holds only current parcels. */
function runsOf(county: CountyColumns, rows: Uint32Array): [first: number, last: number][] {
  const runs: [number, number][] = [];
  let run: [number, number] | undefined;
  for (const row of rows) {
    const isNext =
      run !== undefined && row - run[1] <= mostBetween + 1 && county.id(row) - county.id(run[1]) === row - run[1];
    if (run && isNext) run[1] = row;
    else {
      run = [row, row];
      runs.push(run);
    }
  }
  return runs;
}

/**
 * The shapes of some rows and of the rows between them. The bytes themselves show where each shape ends; asking SQLite for
 * lengths would take as long as reading them.
 */
function readShapes(
  file: SqliteFile,
  county: CountyColumns,
  rows: Uint32Array,
): Pick<NearParcels, 'shapes' | 'starts' | 'lengths'> | null {
  const runs = runsOf(county, rows);
  const idRuns = JSON.stringify(runs.map(([first, last]) => [county.id(first), county.id(last)]));
  const shapes = file.column<Uint8Array | null>(shapesSql, idRuns)[0] ?? new Uint8Array(0);
  const isShaped = shapedRows(county);
  const starts = new Float64Array(rows.length);
  const lengths = new Float64Array(rows.length);
  const view = new DataView(shapes.buffer, shapes.byteOffset, shapes.length);
  let place = 0;
  let at = 0;
  for (const [first, last] of runs) {
    for (let row = first; row <= last; row++) {
      if (!isShaped(row)) continue;
      const length = measureShape(view, at);
      if (length === 0) return null;
      if (row === rows[place]) {
        starts[place] = at;
        lengths[place++] = length;
      }
      at += length;
    }
  }
  return at === shapes.length ? { shapes, starts, lengths } : null;
}

function shapedRows(county: CountyColumns): (row: number) => boolean {
  const bits = county.memory.bytes(county.boxes().shaped, county.words * 8);
  return (row) => ((bits[row >> 3] as number) & (1 << (row & 7))) !== 0;
}

function fillReader(county: CountyColumns, rows: Uint32Array): NearParcels['readFill'] {
  // Views of codes stay valid until the next allocation.
  for (const name of columns) county.column(name);
  const acres = readerOf<number>(county, 'effective_acres', rows);
  const ownerType = readerOf<string>(county, 'owner_type', rows);
  const market = readerOf<number>(county, 'market_total_value', rows);
  const assessed = readerOf<number>(county, 'assessed_total_value', rows);
  const slope = readerOf<number>(county, 'slope_mean_percent', rows);
  const flood = readerOf<number>(county, 'flood_zone_percent', rows);
  const structures = readerOf<number>(county, 'structure_count', rows);
  return (place, into) => {
    into.acres = acres(place);
    into.ownerType = ownerType(place);
    into.value = market(place) ?? assessed(place);
    into.slope = slope(place);
    into.flood = flood(place);
    into.structures = structures(place);
  };
}

function readerOf<Value extends number | string>(
  county: CountyColumns,
  name: (typeof columns)[number],
  rows: Uint32Array,
): (place: number) => Value | null {
  const column = county.column(name);
  const codes = county.codes(column);
  const { scale, width } = column;
  const codeAt = (place: number): number => codes[rows[place] as number] as number;
  if (width !== 1) {
    return (place) => {
      const code = codeAt(place);
      return code === 0 ? null : (scale.value(code) as Value);
    };
  }
  // Few distinct values, many rows: each value is decoded once.
  const known: (Value | null)[] = [null];
  return (place) => {
    const code = codeAt(place);
    const value = known[code];
    if (value !== undefined) return value;
    const decoded = scale.value(code) as Value;
    known[code] = decoded;
    return decoded;
  };
}
