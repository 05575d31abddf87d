/** The density tile: parcels and mean acres per cell, for zooms at which a parcel is smaller than a pixel. */
import type { LandStore } from '../store/land-store.ts';
import { type CellSum, type CountyGrid, gridLevel } from './county-grid.ts';
import { countyGrids } from './grid-cache.ts';
import { extent, LayerWriter, writeTile } from './mvt-writer.ts';
import { drawSquare } from './polygon-painter.ts';
import type { TilePlace } from './tile-place.ts';

/** Tiles hold the density grid up to this zoom, and parcels beyond it. */
export const lastDensityZoom = 11;

/** A tile is 2 to this power cells wide. */
const levelsBelow = gridLevel - lastDensityZoom;
const cellsASide = 2 ** levelsBelow;
const cellUnits = extent / cellsASide;

/** A cell of one zoom, with its column and row in the world. */
interface Cell extends CellSum {
  readonly column: number;
  readonly row: number;
}

/** By row × 2^zoom + column of the tile. */
type Pyramid = ReadonlyMap<number, readonly Cell[]>;

interface KeptPyramids {
  readonly key: string;
  readonly byZoom: Map<number, Pyramid>;
}

const kept = new WeakMap<LandStore, KeptPyramids>();

export function densityTile(land: LandStore, place: TilePlace): Uint8Array | null {
  const layer = new LayerWriter('density', ['count', 'acres']);
  for (const { column, row, count, acres, known } of land.file.snapshot(() => cellsOn(land, place))) {
    drawSquare(layer, (column % cellsASide) * cellUnits, (row % cellsASide) * cellUnits, cellUnits);
    layer.feature(cellNumber(place.z, column, row), [
      count,
      known > 0 ? Math.round((acres / known) * 100) / 100 : null,
    ]);
  }
  return writeTile([layer]);
}

function cellsOn(land: LandStore, { z, x, y }: TilePlace): readonly Cell[] {
  const { key, grids } = countyGrids(land);
  const before = kept.get(land);
  const pyramids = before?.key === key ? before : { key, byZoom: new Map<number, Pyramid>() };
  kept.set(land, pyramids);
  const pyramid = pyramids.byZoom.get(z) ?? pyramidOf(land, grids, z);
  pyramids.byZoom.set(z, pyramid);
  return pyramid.get(y * 2 ** z + x) ?? [];
}

function pyramidOf({ file }: LandStore, grids: readonly CountyGrid[], zoom: number): Pyramid {
  const cells = new Map<number, Cell>();
  for (const grid of grids) {
    for (const [fine, sum] of grid.cells) addTo(cells, coarseCell(fine, zoom), sum);
    for (const fine of grid.coveredCells(file)) addTo(cells, coarseCell(fine, zoom), nothing);
  }
  const tiles = new Map<number, Cell[]>();
  for (const cell of cells.values()) {
    const tile = Math.floor(cell.row / cellsASide) * 2 ** zoom + Math.floor(cell.column / cellsASide);
    const list = tiles.get(tile);
    if (list) list.push(cell);
    else tiles.set(tile, [cell]);
  }
  return tiles;
}

/** A covered cell without a parcel center: drawn with count 0, so that the county has no holes. */
const nothing: CellSum = { count: 0, acres: 0, known: 0 };

function addTo(cells: Map<number, Cell>, place: Pick<Cell, 'column' | 'row'>, sum: CellSum): void {
  const key = place.row * 2 ** gridLevel + place.column;
  const cell = cells.get(key) ?? { ...place, count: 0, acres: 0, known: 0 };
  cell.count += sum.count;
  cell.acres += sum.acres;
  cell.known += sum.known;
  cells.set(key, cell);
}

/** The cell of a zoom that contains a cell of the grid. */
function coarseCell(fine: number, zoom: number): Pick<Cell, 'column' | 'row'> {
  const shift = lastDensityZoom - zoom;
  return { column: (fine % 2 ** gridLevel) >> shift, row: Math.floor(fine / 2 ** gridLevel) >> shift };
}

/** A cell number that is unique over all zooms: coarser zooms come first. */
const cellNumber = (zoom: number, column: number, row: number): number => {
  const cells = 2 ** (zoom + levelsBelow);
  return (cells * cells - 1) / 3 + row * cells + column;
};

/** How many of these parcels each cell of a tile holds, by cell number; cells without any are absent. */
export function countByCell(land: LandStore, ids: readonly number[], { z, x, y }: TilePlace): Map<number, number> {
  const { grids } = countyGrids(land);
  const counts = new Map<number, number>();
  for (const id of ids) {
    const fine = cellOf(grids, id);
    if (fine === null) continue;
    const { column, row } = coarseCell(fine, z);
    if (Math.floor(column / cellsASide) !== x || Math.floor(row / cellsASide) !== y) continue;
    const number = cellNumber(z, column, row);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return counts;
}

function cellOf(grids: readonly CountyGrid[], id: number): number | null {
  for (const grid of grids) {
    const cell = grid.cellOf(id);
    if (cell !== null) return cell;
  }
  return null;
}
