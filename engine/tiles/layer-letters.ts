/** What is lettered on a tile of a layer: named areas, and lines joined by their names. */
import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { pointOnSurface } from '../geo/point-on-surface.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { mapZooms } from '../spec/map-zooms.ts';
import type { LandStore } from '../store/land-store.ts';
import { routeNumber, shieldOf } from './feature-words.ts';
import { drawLine } from './line-painter.ts';
import { type Attribute, LayerWriter } from './mvt-writer.ts';
import { NamedLines } from './named-lines.ts';
import type { Projection } from './projection.ts';
import { riverBanks } from './river-bank.ts';
import type { TilePlace } from './tile-place.ts';

interface LineWords {
  readonly name: string | null;
  readonly featureClass: string | null;
  readonly properties: string | null;
}

/** The layer `names`: a point on each named area, in one tile only, and lines joined by their names, rivers' banks too. */
export class LayerLetters {
  readonly #land: LandStore;
  readonly #layerId: number;
  readonly #place: TilePlace;
  readonly #projection: Projection;
  readonly #layer = new LayerWriter('names', ['name', 'class', 'ref', 'width']);
  readonly #lines = new NamedLines();

  constructor(land: LandStore, layerId: number, place: TilePlace, projection: Projection) {
    this.#land = land;
    this.#layerId = layerId;
    this.#place = place;
    this.#projection = projection;
  }

  onArea(id: number, shape: Uint8Array, name: string, featureClass: string | null): void {
    const key = `${this.#layerId}/${id}`;
    if (featureClass === 'river') {
      this.#joined(banksOf(this.#land, key, shape), [name, featureClass, null, null]);
      return;
    }
    const projection = this.#projection;
    const area = labelPoint(this.#land, key, shape);
    if (area === null || !this.#place.holds(area.x, area.y)) return;
    this.#layer.point(Math.round(projection.x(area.x)), Math.round(projection.y(area.y)));
    const width = projection.x(area.maxX) - projection.x(area.minX);
    this.#layer.feature(this.#layer.count + 1, [name, featureClass, null, Math.round(width)]);
  }

  alongLines(lines: readonly Float64Array[], words: LineWords): void {
    const { name, featureClass, properties } = words;
    const ref = featureClass === 'local_road' ? null : shieldOf(name, properties);
    // A route's number is on its shield; the name would say it again.
    const shown = ref !== null && name !== null && routeNumber(name) === ref ? null : name;
    if (shown === null && ref === null) return;
    if (featureClass === 'local_road' && this.#place.z < mapZooms.localRoadNames) return;
    this.#joined(lines, [shown, featureClass, ref, null]);
  }

  #joined(lines: readonly Float64Array[], values: readonly Attribute[]): void {
    this.#lines.begin(values);
    for (const line of lines) drawLine(this.#lines, this.#projection, line);
  }

  layer(): LayerWriter {
    this.#lines.writeTo(this.#layer);
    return this.#layer;
  }
}

interface LabelPoint {
  readonly x: number;
  readonly y: number;
  readonly minX: number;
  readonly maxX: number;
}

interface LabelPoint {
  readonly x: number;
  readonly y: number;
  readonly minX: number;
  readonly maxX: number;
}

/** Per feature: a forest of thousands of corners lies on many tiles, and features are never edited. */
function kept<T>(find: (polygons: MultiPolygon) => T, without: T) {
  const known = new WeakMap<LandStore, Map<string, T>>();
  return (land: LandStore, key: string, shape: Uint8Array): T => {
    const ofLand = known.get(land) ?? new Map<string, T>();
    known.set(land, ofLand);
    if (!ofLand.has(key)) ofLand.set(key, found(shape, find, without));
    return ofLand.get(key) as T;
  };
}

function found<T>(shape: Uint8Array, find: (polygons: MultiPolygon) => T, without: T): T {
  try {
    return find(decodeMultiPolygon(shape));
  } catch {
    return without;
  }
}

const labelPoint = kept<LabelPoint | null>((polygons) => {
  const [x, y] = pointOnSurface(polygons);
  const { minX, maxX } = boundsOfMultiPolygon(polygons);
  return { x, y, minX, maxX };
}, null);

const banksOf = kept<readonly Float64Array[]>(riverBanks, []);
