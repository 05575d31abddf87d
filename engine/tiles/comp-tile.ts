/** The comp tile: comps as points; below zoom 10 the newest comp of each status per pixel, with a count. */
import { compDateSql } from '../comps/comp-facts.ts';
import type { LandStore } from '../store/land-store.ts';
import { LayerWriter, writeTile } from './mvt-writer.ts';
import { isOnEarth, type TilePlace } from './tile-place.ts';

/** From this zoom on tiles hold every comp; below it the newest comp of a pixel represents the others. */
const allCompsZoom = 10;

/** Tile units per pixel, for a tile drawn 512 pixels wide. */
const pixelUnits = 8;

const attributes = ['comp_id', 'property_id', 'price', 'acres', 'price_per_acre', 'status', 'date', 'count'];

/** Newest last, so that it is drawn on top and represents earlier ones. */
const compsSql = `
SELECT c.comp_rowid, c.longitude, c.latitude, c.comp_id, c.property_id, c.price, c.lot_size, lower(c.status), ${compDateSql}
FROM comps_index i CROSS JOIN comps c ON c.comp_rowid = i.comp_rowid
WHERE i.max_lon >= :minX AND i.min_lon <= :maxX AND i.max_lat >= :minY AND i.min_lat <= :maxY
ORDER BY ${compDateSql}, c.comp_rowid`;

type CompRow = [
  id: number,
  longitude: number,
  latitude: number,
  compId: string,
  propertyId: number | null,
  price: number,
  acres: number | null,
  status: string,
  date: string | null,
];

interface Drawn {
  readonly row: CompRow;
  readonly x: number;
  readonly y: number;
  count: number;
}

export function compTile({ file }: LandStore, place: TilePlace): Uint8Array | null {
  // The R-tree keeps 32-bit floats: one unit around, and the exact test in `holds`.
  const rows = file.rawRows(compsSql, place.bounds(1)) as CompRow[];
  const drawn = rows.filter(([, x, y]) => isPlace(x, y) && place.holds(x, y)).map((row) => placed(place, row));
  const layer = new LayerWriter('comps', attributes);
  for (const { row, x, y, count } of place.z < allCompsZoom ? newestOfEachPixel(drawn) : drawn) {
    const [id, , , compId, propertyId, price, acres, status, date] = row;
    layer.point(x, y);
    const pricePerAcre = acres !== null && acres > 0 ? Math.round(price / acres) : null;
    layer.feature(id, [compId, propertyId, price, acres, pricePerAcre, status, date, count > 1 ? count : null]);
  }
  return writeTile([layer]);
}

const isPlace = (x: number, y: number): boolean => isOnEarth({ minX: x, maxX: x, minY: y, maxY: y });

const placed = (place: TilePlace, row: CompRow): Drawn => ({
  row,
  x: Math.floor(place.unitsX(row[1])),
  y: Math.floor(place.unitsY(row[2])),
  count: 1,
});

/** Per status: a comp for sale must not hide behind a sold one. */
function newestOfEachPixel(drawn: readonly Drawn[]): Iterable<Drawn> {
  const pixels = new Map<string, Drawn>();
  for (const comp of drawn) {
    const key = `${Math.floor(comp.x / pixelUnits)} ${Math.floor(comp.y / pixelUnits)} ${comp.row[7]}`;
    const before = pixels.get(key);
    if (before) comp.count += before.count;
    pixels.set(key, comp);
  }
  return pixels.values();
}
