/** The rows of a Parquet file, or those of one county: only the row groups that may hold it are read. */
import type { RowGroup } from 'hyparquet';
import type { Bounds } from '../../../geo/geometry.ts';
import type { FlatGeometry } from '../../../geo/ring-geometry.ts';
import { boundsInDegrees } from '../crs/bounds-in-degrees.ts';
import type { ReferenceSystem } from '../crs/reference-system.ts';
import { blankProperties } from '../parcel-feature.ts';
import { readWkb } from '../shapes/wkb.ts';
import { ColumnPages, type ColumnPlace } from './column-pages.ts';
import { countyCode, isOfCounty, liesAt, mayHold, mayNameCounty, rangeOf } from './county-groups.ts';
import { refusal } from './parquet-damage.ts';
import { RandomFile } from './parquet-file.ts';
import type { GroupPlace, RawStatistics } from './parquet-footer.ts';
import type { ParquetPart } from './parquet-part.ts';

/** How the rows of one county are told from others. */
export interface CountyChoice {
  readonly groups: readonly GroupPlace[];
  /** Null: by the outline of the county. */
  readonly column: ColumnPlace | null;
}

interface PartRow {
  /** Number in the file, from 1. */
  readonly row: number;
  readonly geometry: FlatGeometry | null;
  readonly properties: Record<string, unknown>;
}

/** Null: all rows of the file are taken, because nothing says that it holds another county. */
export function chooseCounty(part: ParquetPart, fips: string, system: ReferenceSystem): CountyChoice | null {
  const { columns, footer, leaves } = part;
  for (const column of columns.filter(({ name }) => mayNameCounty(name))) {
    const groups = footer.groups([column.leaf]);
    const ranges = groups.map(({ statistics }) => rangeOf(statistics[0] ?? {}, leaves[column.leaf]?.element.type));
    const known = ranges.find((range) => range !== null);
    const namesCounties = known
      ? countyCode(known.min) !== null && countyCode(known.max) !== null
      : holdsCodes(part, column, groups[0]);
    if (namesCounties) return { column, groups: groups.filter((_, index) => mayHold(ranges[index] ?? null, fips)) };
  }
  return chooseByPlace(part, fips, system);
}

/** By place only if a whole row group lies elsewhere: a county's own file is taken as it is. */
function chooseByPlace(
  { footer, geometry, leaves, shapes }: ParquetPart,
  fips: string,
  system: ReferenceSystem,
): CountyChoice | null {
  const covering = geometry.covering?.map((path) => leaves.findIndex((leaf) => leaf.path === path)) ?? [];
  const wanted = covering.length === 4 && !covering.includes(-1) ? covering : [shapes.leaf];
  const types = wanted.map((leaf) => leaves[leaf]?.element.type);
  const all = footer.groups(wanted);
  const groups = all.filter(({ statistics }) => liesAt(boxOf(statistics, types, system), fips));
  return groups.length === all.length ? null : { column: null, groups };
}

/** Null if a statistic is missing. */
function boxOf(
  statistics: readonly RawStatistics[],
  types: readonly (string | undefined)[],
  system: ReferenceSystem,
): Bounds | null {
  const own = statistics[0]?.box;
  const ranges = statistics.map((each, index) => rangeOf(each, types[index]));
  const sides = own ?? [ranges[0]?.min, ranges[1]?.min, ranges[2]?.max, ranges[3]?.max];
  const [west, south, east, north] = sides;
  const isKnown =
    typeof west === 'number' && typeof south === 'number' && typeof east === 'number' && typeof north === 'number';
  const degrees = isKnown ? boundsInDegrees([west, south, east, north], system) : null;
  return degrees && { minX: degrees[0], minY: degrees[1], maxX: degrees[2], maxY: degrees[3] };
}

const sampledCodes = 1000;

/** Without statistics: whether the first values are codes of counties. */
function holdsCodes(part: ParquetPart, column: ColumnPlace, first: GroupPlace | undefined): boolean {
  if (first === undefined) return false;
  const file = new RandomFile(part.path);
  try {
    const [pages] = pagesOf(file, part, part.footer.group(first), [column], first.rows);
    const values = Array.from({ length: Math.min(first.rows, sampledCodes) }, (_, row) => pages?.at(row) ?? null);
    const given = values.filter((value) => value !== null);
    return given.length > 0 && given.every((value) => countyCode(value) !== null);
  } finally {
    file.close();
  }
}

export interface Reading {
  readonly system: ReferenceSystem;
  /** Null: all rows. */
  readonly county: { readonly fips: string; readonly choice: CountyChoice } | null;
  /** Called with numbers of rows that are another county's. */
  readonly onOthers: (rows: number) => void;
}

export function* readRows(part: ParquetPart, reading: Reading): Generator<PartRow> {
  const { county, onOthers } = reading;
  const file = new RandomFile(part.path);
  try {
    const groups = county?.choice.groups ?? part.footer.groups([]);
    onOthers(part.rows - groups.reduce((sum, { rows }) => sum + rows, 0));
    for (const place of groups) yield* readGroup(file, part, place, reading);
  } finally {
    file.close();
  }
}

function* readGroup(file: RandomFile, part: ParquetPart, place: GroupPlace, reading: Reading): Generator<PartRow> {
  const { county, system, onOthers } = reading;
  const { columns } = part;
  const group = part.footer.group(place);
  const column = county?.choice.column;
  const rows = county && column ? rowsOfCounty(file, part, group, place, column, county.fips) : null;
  const byPlace = rows === null ? county?.fips : undefined;
  if (rows !== null) onOthers(place.rows - rows.length);
  const [shapes, ...pages] = pagesOf(file, part, group, [part.shapes, ...columns], place.rows);
  const blank = blankProperties(columns.map(({ name }) => name));
  const count = rows?.length ?? place.rows;
  for (let index = 0; index < count; index++) {
    const row = rows?.[index] ?? index;
    const geometry = shapeOf(shapes?.at(row), system);
    if (byPlace !== undefined && !isOfCounty(placeOf(geometry), byPlace)) {
      onOthers(1);
      continue;
    }
    const properties = { ...blank };
    for (let at = 0; at < columns.length; at++)
      properties[(columns[at] as ColumnPlace).name] = (pages[at] as ColumnPages).at(row);
    yield { row: place.firstRow + row + 1, geometry, properties };
  }
}

/** The county column is read first; of the others only pages that hold such rows. */
function rowsOfCounty(
  file: RandomFile,
  part: ParquetPart,
  group: RowGroup,
  place: GroupPlace,
  column: ColumnPlace,
  fips: string,
): number[] {
  const [pages] = pagesOf(file, part, group, [column], place.rows);
  const found: number[] = [];
  for (let row = 0; row < place.rows; row++) if (countyCode(pages?.at(row)) === fips) found.push(row);
  return found;
}

function pagesOf(
  file: RandomFile,
  { path }: ParquetPart,
  { columns }: RowGroup,
  places: readonly ColumnPlace[],
  rows: number,
): ColumnPages[] {
  return places.map((place) => {
    const chunk = columns[place.leaf];
    if (chunk?.meta_data === undefined || chunk.crypto_metadata !== undefined || chunk.file_path)
      throw refusal(path, `expected the column ${place.name} in the file itself and not encrypted, found it elsewhere`);
    return new ColumnPages(file, place, chunk.meta_data, rows);
  });
}

const shapeOf = (bytes: unknown, system: ReferenceSystem): FlatGeometry | null =>
  bytes instanceof Uint8Array ? readWkb(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), system) : null;

/** The first corner: a parcel lies in one county. */
function placeOf(geometry: FlatGeometry | null): readonly [number, number] | null {
  if (geometry?.point) return geometry.point;
  const [x, y] = geometry?.polygons?.[0]?.[0] ?? [];
  return x === undefined || y === undefined ? null : [x, y];
}
