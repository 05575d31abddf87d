/** Tiles of the layers in the land file: roads, wetlands, flood zones, and those that are only drawn. */
import type { Bounds } from '../geo/geometry.ts';
import { decodeMultiLine, decodePoint } from '../geo/spatialite-lines.ts';
import { mapZooms } from '../spec/map-zooms.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { heightOf } from './feature-words.ts';
import { LayerLetters } from './layer-letters.ts';
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
  AND +f.layer_id = :layerId AND ${isShape('f.geom')}
  AND (:hasAll OR f.class IS NOT 'local_road')`;

/** Bytes of a stored point. */
const pointBytes = 60;

/** Only main roads and points have words of their own in their properties. */
const rowsSql = `SELECT f.feature_id, length(f.geom), f.class, f.name,
  CASE WHEN length(f.geom) = ${pointBytes} OR f.class IN ('major_highway', 'normal_road') THEN f.properties END
FROM ${nearSql}`;

type FeatureRow = [
  id: number,
  shapeBytes: number,
  featureClass: string | null,
  name: string | null,
  properties: string | null,
];

export const isStoredLayer = (file: SqliteFile, layerId: number): boolean =>
  file.get('SELECT 1 FROM layers WHERE layer_id = ?', layerId) !== undefined;

export function layerTile(land: LandStore, layerId: number, place: TilePlace): Uint8Array | null {
  if (place.z < leastLayerZoom) return null;
  const { file } = land;
  const drawing = new LayerDrawing(land, layerId, place);
  file.snapshot(() => {
    const near = { ...drawing.near, layerId, hasAll: place.z >= mapZooms.localRoads ? 1 : 0 };
    const rows = file.rawRows(rowsSql, near) as FeatureRow[];
    const shapes = joinedShapes(file, nearSql, 'f.geom', near);
    const scanner = new PolygonScanner(shapes);
    let start = 0;
    for (const row of rows) {
      const [, bytes] = row;
      const shape = shapes.subarray(start, start + bytes);
      if (scanner.begin(start, bytes)) drawing.area(row, scanner, shape);
      else drawing.other(row, shape);
      start += bytes;
    }
  });
  return drawing.tile();
}

class LayerDrawing {
  readonly #place: TilePlace;
  readonly #painter: PolygonPainter;
  readonly #features = new LayerWriter('features', ['class', 'name', 'ft']);
  readonly #letters: LayerLetters;

  constructor(land: LandStore, layerId: number, place: TilePlace) {
    this.#place = place;
    this.#painter = new PolygonPainter(place);
    this.#letters = new LayerLetters(land, layerId, place, this.#painter.projection);
  }

  /** The tile with its buffer, in degrees. */
  get near(): Bounds {
    return this.#painter.near;
  }

  area([id, , featureClass, name]: FeatureRow, scanner: PolygonScanner, shape: Uint8Array): void {
    this.#painter.drawBlob(this.#features, scanner, false);
    this.#features.feature(id, [featureClass, null, null]);
    if (name !== null) this.#letters.onArea(id, shape, name, featureClass);
  }

  /** Lines or a point. */
  other(row: FeatureRow, shape: Uint8Array): void {
    const [id, bytes, featureClass, name, properties] = row;
    const point = bytes === pointBytes ? decodePoint(shape) : null;
    if (point) {
      this.#point(row, point);
      return;
    }
    const lines = linesOf(shape);
    for (const line of lines) drawLine(this.#features, this.#painter.projection, line);
    this.#features.feature(id, [featureClass, null, null]);
    this.#letters.alongLines(lines, { name, featureClass, properties });
  }

  #point([id, , featureClass, name, properties]: FeatureRow, [longitude, latitude]: readonly [number, number]): void {
    if (!this.#place.holds(longitude, latitude)) return;
    const { projection } = this.#painter;
    this.#features.point(Math.round(projection.x(longitude)), Math.round(projection.y(latitude)));
    this.#features.feature(id, [featureClass, name, featureClass === 'summit' ? heightOf(properties) : null]);
  }

  tile(): Uint8Array | null {
    return writeTile([this.#features, this.#letters.layer()]);
  }
}

/** None for a geometry that is neither polygons nor lines. */
function linesOf(shape: Uint8Array): Float64Array[] {
  try {
    return decodeMultiLine(shape);
  } catch {
    return [];
  }
}
