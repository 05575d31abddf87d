/**
 * Counts a county's parcels and acres in grid cells of about 16 pixels at zoom 11. A parcel counts in the cell that contains
 * the center of its bounding box. The boxes come from the column index, or without one from the parcels: both are
 * identical to the bit.
 */

import type { CountyColumns } from '../columns/county-columns.ts';
import { roundDown, roundUp } from '../geo/float-bounds.ts';
import { type Bounds, boundsOfCoordinates, type MultiPolygon } from '../geo/geometry.ts';
import { boundsPrefixBytes, decodeMultiPolygon, prefixBounds } from '../geo/spatialite-blob.ts';
import { latitudeOf, longitudeOf, worldX, worldY } from '../geo/web-mercator.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { coveredCells } from './covered-cells.ts';
import { isShape, joinedShapes } from './stored-shapes.ts';
import { isOnEarth } from './tile-place.ts';

/** The world is 2 to this power cells wide. */
export const gridLevel = 16;

const side = 2 ** gridLevel;

/** Within this distance of a cell's edge rounding decides, so the projection is computed. */
const edgeDegrees = 1e-9;

/** Stands for rows without a shape; as a cell it would be the south-eastern corner of the world. */
const noCell = side * side - 1;

export interface CellSum {
  count: number;
  /** Sum over parcels with known acres. */
  acres: number;
  known: number;
}

export interface CountyGrid {
  readonly fips: string;
  /** Parcels with a shape. */
  readonly count: number;
  /** Null without parcels. */
  readonly bounds: Bounds | null;
  /** Key: row × 2¹⁶ + column, rows from the north. */
  readonly cells: ReadonlyMap<number, CellSum>;
  /** The cell of a parcel; null if it has no shape or belongs to another county. */
  cellOf(propertyId: number): number | null;
  /** Cells that a parcel's shape covers although no parcel has its center there. */
  coveredCells(file: SqliteFile): ReadonlySet<number>;
}

class GridBuilder {
  readonly cells = new Map<number, CellSum>();
  readonly #corners = Float64Array.of(
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  );
  count = 0;
  #lastCell = -1;
  #last: CellSum = { count: 0, acres: 0, known: 0 };
  #lastBounds: Bounds = { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  /** Rows whose box extends beyond its cell, each with first and last column and row. */
  readonly wide: number[] = [];

  /** @param acres NaN if unknown. @param token identifies the row in `wide`. @returns the cell */
  add(minX: number, maxX: number, minY: number, maxY: number, acres: number, token: number): number {
    // Also catches NaN.
    if (!isOnEarth({ minX, maxX, minY, maxY })) return noCell;
    const cell = this.#cellOf((minX + maxX) / 2, (minY + maxY) / 2);
    const sum = this.#sumOf(cell);
    sum.count++;
    this.count++;
    if (!Number.isNaN(acres)) {
      sum.acres += acres;
      sum.known++;
    }
    const { minX: west, minY: south, maxX: east, maxY: north } = this.#lastBounds;
    if (minX < west || maxX > east || minY < south || maxY > north) {
      this.wide.push(token, gridColumn(minX), gridColumn(maxX), gridRow(maxY), gridRow(minY));
    }
    const corners = this.#corners;
    if (minX < (corners[0] as number)) corners[0] = minX;
    if (minY < (corners[1] as number)) corners[1] = minY;
    if (maxX > (corners[2] as number)) corners[2] = maxX;
    if (maxY > (corners[3] as number)) corners[3] = maxY;
    return cell;
  }

  /** Rows come in Hilbert order, so the cell is usually that of the previous row and needs no projection. */
  #cellOf(longitude: number, latitude: number): number {
    const { minX, minY, maxX, maxY } = this.#lastBounds;
    const isAcross = longitude > minX + edgeDegrees && longitude < maxX - edgeDegrees;
    const isInLast = isAcross && latitude > minY + edgeDegrees && latitude < maxY - edgeDegrees;
    return isInLast ? this.#lastCell : cellAt(longitude, latitude);
  }

  #sumOf(cell: number): CellSum {
    if (cell === this.#lastCell) return this.#last;
    const known = this.cells.get(cell) ?? { count: 0, acres: 0, known: 0 };
    this.cells.set(cell, known);
    this.#lastCell = cell;
    this.#last = known;
    this.#lastBounds = cellBounds(cell);
    return known;
  }

  get bounds(): Bounds | null {
    return this.count === 0 ? null : boundsOfCoordinates([this.#corners]);
  }
}

const gridColumn = (longitude: number): number => inGrid(worldX(longitude));
const gridRow = (latitude: number): number => inGrid(worldY(latitude));
const cellAt = (longitude: number, latitude: number): number => gridRow(latitude) * side + gridColumn(longitude);

/** The box of a cell in degrees. */
function cellBounds(cell: number): Bounds {
  const [column, row] = [cell % side, Math.floor(cell / side)];
  return {
    minX: longitudeOf(column / side),
    maxX: longitudeOf((column + 1) / side),
    minY: latitudeOf((row + 1) / side),
    maxY: latitudeOf(row / side),
  };
}

const inGrid = (world: number): number => Math.min(side - 1, Math.max(0, Math.floor(world * side)));

export function gridByColumns(county: CountyColumns): CountyGrid {
  const builder = new GridBuilder();
  const { rows, memory, words } = county;
  const acres = county.column('effective_acres');
  const { rowBoxes, shaped } = county.boxes();
  // Views stay valid only if nothing is allocated after them.
  const codes = county.codes(acres);
  const stride = words * 64;
  const boxes = memory.floats(rowBoxes, stride * 4);
  const bits = memory.bytes(shaped, words * 8);
  const cells = new Uint32Array(rows).fill(noCell);
  for (let row = 0; row < rows; row++) {
    if (((bits[row >> 3] as number) & (1 << (row & 7))) === 0) continue;
    const code = codes[row] as number;
    cells[row] = builder.add(
      boxes[row] as number,
      boxes[stride + row] as number,
      boxes[stride * 2 + row] as number,
      boxes[stride * 3 + row] as number,
      code === 0 ? Number.NaN : (acres.scale.value(code) as number),
      row,
    );
  }
  const find = (id: number): number => {
    const row = county.rowOf(id);
    return row < 0 ? noCell : (cells[row] as number);
  };
  return gridOf(county.fips, builder, find, (row) => county.id(row));
}

/** @param idOf property_id by token */
function gridOf(
  fips: string,
  { cells, count, bounds, wide }: GridBuilder,
  find: (id: number) => number,
  idOf: (token: number) => number,
): CountyGrid {
  // Counted first: only shapes over an empty cell need to be read.
  const overEmpty = idsOverEmpty(wide, cells).map(idOf);
  let covered: ReadonlySet<number> | null = null;
  return {
    coveredCells: (file) => {
      covered ??= emptyCellsUnder(file, overEmpty, cells);
      return covered;
    },
    fips,
    count,
    bounds,
    cells,
    cellOf: (id) => {
      const cell = find(id);
      return cell === noCell ? null : cell;
    },
  };
}

/** Tokens of the rows whose box overlaps an empty cell. */
function idsOverEmpty(wide: readonly number[], cells: ReadonlyMap<number, CellSum>): number[] {
  const found: number[] = [];
  for (let at = 0; at < wide.length; at += 5) {
    const [token, west, east, north, south] = wide.slice(at, at + 5) as [number, number, number, number, number];
    if (holdsEmpty(cells, west, east, north, south)) found.push(token);
  }
  return found;
}

function holdsEmpty(cells: ReadonlyMap<number, CellSum>, west: number, east: number, north: number, south: number) {
  for (let row = north; row <= south; row++) {
    for (let column = west; column <= east; column++) if (!cells.has(row * side + column)) return true;
  }
  return false;
}

const shapesPerRead = 500;

function emptyCellsUnder(
  file: SqliteFile,
  ids: readonly number[],
  cells: ReadonlyMap<number, CellSum>,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (let from = 0; from < ids.length; from += shapesPerRead) {
    const shapes = file.column<Uint8Array>(
      `SELECT geom FROM parcels WHERE property_id IN (SELECT value FROM json_each(?)) AND ${isShape('geom')}`,
      JSON.stringify(ids.slice(from, from + shapesPerRead)),
    );
    for (const shape of shapes) {
      coveredCells(onGrid(shape), (column, row) => {
        const cell = inside(row) * side + inside(column);
        if (!cells.has(cell)) found.add(cell);
      });
    }
  }
  return found;
}

const inside = (place: number): number => Math.min(side - 1, Math.max(0, place));

/** The shape in cell units; empty if damaged, so that only its own cells are lost. */
function onGrid(shape: Uint8Array): MultiPolygon {
  let polygons: MultiPolygon;
  try {
    polygons = decodeMultiPolygon(shape);
  } catch {
    return [];
  }
  return polygons.map((rings) =>
    rings.map((ring) => ring.map((value, i) => (i % 2 === 0 ? worldX(value) : worldY(value)) * side)),
  );
}

const rowsPerRead = 20_000;

const shapedSql = `FROM parcels NOT INDEXED WHERE property_id BETWEEN :from AND :last AND fips IS :fips
  AND status = 'current' AND typeof(geom) = 'blob' AND length(geom) >= ${boundsPrefixBytes}
  ORDER BY property_id LIMIT ${rowsPerRead}`;
const acresSql = `SELECT property_id, coalesce(acres, calculated_acres) ${shapedSql}`;
const prefixesSql = `(SELECT substr(geom, 1, ${boundsPrefixBytes}) AS prefix ${shapedSql})`;

/** The grid from the parcels themselves, while the column index is missing or stale. */
export function gridBySql(file: SqliteFile, county: string): CountyGrid {
  const builder = new GridBuilder();
  const cells = new Map<number, number>();
  // Parcels without a county have a null FIPS.
  const fips = county === '' ? null : county;
  const { first = null, last = null } =
    file.get<{ first: number | null; last: number | null }>(
      'SELECT min(property_id) AS first, max(property_id) AS last FROM parcels WHERE fips IS :fips',
      { fips },
    ) ?? {};
  let from = first;
  while (from !== null) {
    const these = { fips, from, last };
    const rows = file.rawRows(acresSql, these) as [id: number, acres: unknown][];
    const prefixes = joinedShapes(file, prefixesSql, 'prefix', these);
    for (const [index, [id, acres]] of rows.entries()) {
      const start = index * boundsPrefixBytes;
      const box = prefixBounds(prefixes.subarray(start, start + boundsPrefixBytes));
      if (!box) continue;
      const [minX, maxX] = [roundDown(box.minX), roundUp(box.maxX)];
      const [minY, maxY] = [roundDown(box.minY), roundUp(box.maxY)];
      cells.set(id, builder.add(minX, maxX, minY, maxY, typeof acres === 'number' ? acres : Number.NaN, id));
    }
    from = rows.length < rowsPerRead ? null : (rows.at(-1)?.[0] ?? 0) + 1;
  }
  return gridOf(
    county,
    builder,
    (id) => cells.get(id) ?? noCell,
    (id) => id,
  );
}
