/**
 * Adds up heights and slopes of parcels over a raster, whose tiles are read once each. A parcel has the cells whose centres
 * it contains; if none (a parcel smaller than a cell, a strip between centres), the cell of its point on surface.
 */
import type { Bounds, MultiPolygon } from '../geo/geometry.ts';
import { boundsOfMultiPolygon } from '../geo/geometry.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import type { LandStore } from '../store/land-store.ts';
import { cellSpans } from './cell-spans.ts';
import { breathe } from './compute-county.ts';
import type { ElevationRaster, RasterTile } from './elevation-raster.ts';
import { type RasterWindow, TerrainSums } from './terrain-sums.ts';

interface ParcelOnTile {
  readonly property_id: number;
  readonly geom: Uint8Array;
  readonly point_lon: number | null;
  readonly point_lat: number | null;
}

/** CROSS JOIN forces SQLite to start at the boxes; its planner would look up 100,000 boxes of the county per tile. */
const onTileSql = `SELECT p.property_id, p.geom, p.point_lon, p.point_lat FROM idx_parcels_geom i
  CROSS JOIN parcels p ON p.property_id = i.pkid
  WHERE i.xmax >= :minX AND i.xmin <= :maxX AND i.ymax >= :minY AND i.ymin <= :maxY
    AND +p.fips = :fips AND p.status = 'current' ORDER BY p.property_id`;

/** Points per side of a tile, since its edges are curved in degrees. */
const pointsPerSide = 8;
const boxMargin = 0.01;

/**
 * Sums by property_id, for wanted parcels on the raster.
 * @param before rasters added already; where they lie, this one adds no cells
 * @param onRows receives the number of parcels so far; may throw to cancel
 */
export async function sumHeights(
  land: LandStore,
  { fips, wanted }: { readonly fips: string; readonly wanted: ReadonlySet<number> },
  raster: ElevationRaster,
  before: readonly ElevationRaster[],
  onRows: (rows: number) => void,
): Promise<Map<number, TerrainSums>> {
  const sums = new Map<number, TerrainSums>();
  for (const tile of raster.tiles()) {
    const found = land.file
      .all<ParcelOnTile>(onTileSql, { ...boxOf(raster, tile), fips })
      .filter(({ property_id: id }) => wanted.has(id));
    if (found.length > 0) {
      const window = await raster.read(tile);
      for (const parcel of found) addParcel(raster, tile, window, parcel, sums, before);
    }
    onRows(sums.size);
    await breathe();
  }
  return sums;
}

/** Degrees around a tile, a little wider. */
function boxOf({ pixels }: ElevationRaster, { left, top, right, bottom }: RasterTile): Bounds {
  const places: [number, number][] = [];
  for (let step = 0; step <= pointsPerSide; step++) {
    const [x, y] = [left + ((right - left) * step) / pointsPerSide, top + ((bottom - top) * step) / pointsPerSide];
    places.push(pixels.toDegrees(x, top), pixels.toDegrees(x, bottom));
    places.push(pixels.toDegrees(left, y), pixels.toDegrees(right, y));
  }
  const longitudes = places.map(([x]) => x);
  const latitudes = places.map(([, y]) => y);
  const [minX, maxX] = [Math.min(...longitudes), Math.max(...longitudes)];
  const [minY, maxY] = [Math.min(...latitudes), Math.max(...latitudes)];
  const [dx, dy] = [(maxX - minX) * boxMargin, (maxY - minY) * boxMargin];
  return { minX: minX - dx, minY: minY - dy, maxX: maxX + dx, maxY: maxY + dy };
}

function addParcel(
  raster: ElevationRaster,
  tile: RasterTile,
  window: RasterWindow,
  parcel: ParcelOnTile,
  sums: Map<number, TerrainSums>,
  before: readonly ElevationRaster[],
): void {
  const shape = findShape(parcel.geom);
  if (shape === null) return;
  const { pixels } = raster;
  const cells = shape.map((polygon) => polygon.map((ring) => pixels.toCells(ring)));
  const box = boundsOfMultiPolygon(cells);
  const middle = pixels.cellMeters((box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2);
  const cell = { width: middle.width / raster.metersPerUnit, height: middle.height / raster.metersPerUnit };
  const add = (row: number, from: number, to: number): void => {
    const [first, last] = [Math.max(from, tile.left), Math.min(to, tile.right)];
    if (row < tile.top || row >= tile.bottom || first >= last) return;
    for (const [start, end] of spansOutside(before, raster, row, first, last))
      own.addSpan(window, row, start, end, cell);
  };
  const all = countCells(cells, box);
  const known = sums.get(parcel.property_id);
  const own = known ?? new TerrainSums(Math.max(all, 1));
  if (!known) sums.set(parcel.property_id, own);
  if (all > 0) {
    cellSpans(cells, Math.max(Math.floor(box.minY), tile.top), Math.min(Math.ceil(box.maxY), tile.bottom), add);
  } else if (parcel.point_lon !== null && parcel.point_lat !== null) {
    const [column, row] = pixels.toCells(Float64Array.of(parcel.point_lon, parcel.point_lat)).map(Math.floor);
    if (column !== undefined && row !== undefined) add(row, column, column + 1);
  }
}

/** The parts of a span that no earlier raster covers. */
function spansOutside(
  before: readonly ElevationRaster[],
  { pixels }: ElevationRaster,
  row: number,
  from: number,
  to: number,
): [number, number][] {
  if (before.length === 0) return [[from, to]];
  const spans: [number, number][] = [];
  for (let column = from; column < to; column++) {
    const middle = Float64Array.from(pixels.toDegrees(column + 0.5, row + 0.5));
    if (before.some((other) => other.holds(middle))) continue;
    const last = spans.at(-1);
    if (last?.[1] === column) last[1]++;
    else spans.push([column, column + 1]);
  }
  return spans;
}

/** Null for a damaged shape, which stays unknown. */
function findShape(geom: Uint8Array): MultiPolygon | null {
  try {
    return decodeMultiPolygon(geom);
  } catch {
    return null;
  }
}

function countCells(cells: MultiPolygon, box: Bounds): number {
  let count = 0;
  cellSpans(cells, Math.floor(box.minY), Math.ceil(box.maxY), (_, from, to) => {
    count += to - from;
  });
  return count;
}
