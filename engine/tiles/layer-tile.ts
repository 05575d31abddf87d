/** Tiles of the enrichment layers in the land file: roads, wetlands, flood zones … */
import { decodeMultiLine } from '../geo/spatialite-lines.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { drawLine } from './line-painter.ts';
import { LayerWriter, writeTile } from './mvt-writer.ts';
import { PolygonPainter } from './polygon-painter.ts';
import { PolygonScanner } from './polygon-scanner.ts';
import { isShape, joinedShapes } from './stored-shapes.ts';
import type { TilePlace } from './tile-place.ts';

/** Below this zoom a layer would cover everything. */
export const leastLayerZoom = 8;

/** CROSS JOIN forces SQLite to start at the boxes, not at all features of the layer. */
const nearSql = `layer_features_index i CROSS JOIN layer_features f ON f.layer_feature_id = i.layer_feature_id
WHERE i.max_lon >= :minX AND i.min_lon <= :maxX AND i.max_lat >= :minY AND i.min_lat <= :maxY
  AND +f.layer_id = :layerId AND ${isShape('f.geom')}`;

const rowsSql = `SELECT f.feature_id, length(f.geom), f.class FROM ${nearSql}`;

type FeatureRow = [id: number, shapeBytes: number, featureClass: string | null];

export const isStoredLayer = (file: SqliteFile, layerId: number): boolean =>
  file.get('SELECT 1 FROM layers WHERE layer_id = ?', layerId) !== undefined;

export function layerTile({ file }: LandStore, layerId: number, place: TilePlace): Uint8Array | null {
  if (place.z < leastLayerZoom) return null;
  const painter = new PolygonPainter(place);
  const features = new LayerWriter('features', ['class']);
  file.snapshot(() => {
    const near = { ...painter.near, layerId };
    const rows = file.rawRows(rowsSql, near) as FeatureRow[];
    const shapes = joinedShapes(file, nearSql, 'f.geom', near);
    const scanner = new PolygonScanner(shapes);
    let start = 0;
    for (const [id, bytes, featureClass] of rows) {
      if (scanner.begin(start, bytes)) painter.drawBlob(features, scanner, false);
      else drawLines(features, painter, shapes.subarray(start, start + bytes));
      start += bytes;
      features.feature(id, [featureClass]);
    }
  });
  return writeTile([features]);
}

/** Skips a geometry that is neither polygons nor lines. */
function drawLines(layer: LayerWriter, { projection }: PolygonPainter, shape: Uint8Array): void {
  try {
    for (const line of decodeMultiLine(shape)) drawLine(layer, projection, line);
  } catch {
    layer.discard();
  }
}
