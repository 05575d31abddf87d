/** The outline tile: states, and from zoom 4 counties, so that the map shows something where there are no parcels. */
import { boundsOverlap } from '../geo/geometry.ts';
import { type Outline, outlines } from '../store/county-outlines.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { LayerWriter, writeTile } from './mvt-writer.ts';
import { PolygonPainter } from './polygon-painter.ts';
import type { TilePlace } from './tile-place.ts';

/** At this zoom counties become larger than a fingertip. */
const leastCountyZoom = 4;

/** A tile unit is then a tenth of the grid to which the outlines were rounded. */
export const lastOutlineZoom = 8;

export function outlineTile({ file }: LandStore, place: TilePlace): Uint8Array | null {
  const { states, counties } = outlines();
  const painter = new PolygonPainter(place);
  const codes = stateCodes(file);
  const layers = [draw('states', states, painter, codes)];
  if (place.z >= leastCountyZoom) layers.push(draw('counties', counties, painter, codes));
  return writeTile(layers);
}

/** Postal codes by the first two digits of a FIPS code. */
const stateCodes = (file: SqliteFile): Map<string, string> =>
  new Map(file.rawRows('SELECT DISTINCT substr(fips, 1, 2), state FROM counties ORDER BY fips') as [string, string][]);

function draw(
  name: string,
  shapes: readonly Outline[],
  painter: PolygonPainter,
  codes: ReadonlyMap<string, string>,
): LayerWriter {
  const layer = new LayerWriter(name, ['fips', 'name', 'state']);
  for (const { fips, name: shapeName, polygons, box } of shapes) {
    if (!boundsOverlap(box, painter.near)) continue;
    for (const rings of polygons) painter.drawRings(layer, rings);
    layer.feature(Number(fips), [fips, shapeName, codes.get(fips.slice(0, 2)) ?? null]);
  }
  return layer;
}
