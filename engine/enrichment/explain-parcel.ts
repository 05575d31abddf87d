/** Explains the enrichment of one parcel: the values of each layer and the features used, recomputed from the land file. */
import { coveredArea } from '../geo/covered-area.ts';
import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { metersPerFoot } from '../geo/local-metric.ts';
import { widenBounds } from '../geo/near-length.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { noParcel } from '../spec/errors.ts';
import type { ComputedValue } from '../store/computed-values.ts';
import type { LandStore } from '../store/land-store.ts';
import { LayerComputer, type ParcelFinding } from './compute.ts';
import { type LayerKind, layerKinds } from './layer-kinds.ts';
import { rastersOf, readNumbers, sourceOf } from './layer-rasters.ts';
import { type FeatureRow, layersOf, type StoredLayer } from './layer-rows.ts';
import { packStoredLayer } from './stored-layer.ts';

interface UsedFeature {
  /** Number within the layer. */
  readonly feature_id: number;
  readonly class: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface LayerExplanation {
  readonly kind: LayerKind;
  readonly source: string;
  readonly date: string;
  /** Computed values, also of columns where the publisher's value is kept. */
  readonly computed: Readonly<Record<string, ComputedValue>>;
  /** Columns that keep the publisher's value. */
  readonly published: readonly string[];
  readonly computed_at: string | null;
  /** Why the values are unknown; null if they are known. */
  readonly reason: string | null;
  /** The features that the values were computed from; none for a raster. */
  readonly used: readonly UsedFeature[];
  readonly settings: StoredLayer['settings'];
}

interface ComputedRow {
  readonly values: string;
  readonly published: string | null;
  readonly reason: string | null;
  readonly computed_at: string;
  readonly rasters: string | null;
}

interface ParcelRow {
  readonly fips: string;
  readonly geom: Uint8Array | null;
  readonly point_lon: number | null;
  readonly point_lat: number | null;
}

/** One for each layer of the parcel's county. @throws EngineError not_found */
export function explainParcel({ file }: LandStore, propertyId: number): LayerExplanation[] {
  const parcel = file.get<ParcelRow>(
    'SELECT fips, geom, point_lon, point_lat FROM parcels WHERE property_id = ?',
    propertyId,
  );
  if (!parcel) throw noParcel(propertyId);
  const shape = parcel.geom ? decodeMultiPolygon(parcel.geom) : null;
  return layersOf(file, parcel.fips).map((layer) => {
    const row = file.get<ComputedRow>(
      'SELECT "values", published, reason, computed_at, rasters FROM computed_values WHERE layer_id = ? AND property_id = ?',
      layer.layer_id,
      propertyId,
    );
    const nothing = Object.fromEntries(layerKinds[layer.kind].columns.map((name) => [name, null]));
    return {
      kind: layer.kind,
      ...sourceOfRow(file, layer, row),
      computed: row ? (JSON.parse(row.values) as Record<string, ComputedValue>) : nothing,
      published: row?.published ? (JSON.parse(row.published) as string[]) : [],
      computed_at: row?.computed_at ?? null,
      reason: row ? row.reason : 'the parcel came after the layer',
      used: layer.kind === 'slope' ? [] : usedFeatures(file, layer, parcel, shape),
      settings: layer.settings,
    };
  });
}

/** Source and date of a layer; for elevations those of the rasters that the parcel was computed from. */
function sourceOfRow(
  file: LandStore['file'],
  layer: StoredLayer,
  row: ComputedRow | undefined,
): { source: string; date: string } {
  const numbers = row && row.reason === null && layer.kind === 'slope' ? readNumbers(row.rasters) : [];
  const used = rastersOf(file, layer).filter(({ number }) => numbers.includes(number));
  return used.length > 0 ? sourceOf(used) : { source: layer.source_name, date: layer.source_date };
}

function usedFeatures(
  file: LandStore['file'],
  layer: StoredLayer,
  { point_lon: x, point_lat: y }: ParcelRow,
  shape: MultiPolygon | null,
): UsedFeature[] {
  const isPlace = layer.kind === 'schools' || layer.kind === 'zips' || (layer.kind === 'plss' && shape === null);
  const point = isPlace && x !== null && y !== null ? ([x, y] as const) : null;
  const box = point ? { minX: point[0], minY: point[1], maxX: point[0], maxY: point[1] } : boxOf(shape);
  if (box === null) return [];
  const near: FeatureRow[] = [];
  const reach = layer.settings.reachFeet * metersPerFoot;
  const context = packStoredLayer(file, layer, widenBounds(box, reach), (row) => near.push(row));
  const computer = new LayerComputer(context);
  let finding: ParcelFinding | null = null;
  if (point) finding = computer.pointFinding(point, null);
  else if (shape && !isPlace) finding = computer.shapeFinding(shape);
  const isArea = layer.kind === 'wetlands' || layer.kind === 'flood';
  return (finding?.used ?? [])
    .map((place) => near[place] as FeatureRow)
    .filter(({ geom }) => !isArea || shape === null || overlaps(shape, decodeMultiPolygon(geom)))
    .map(({ feature_id, class: name, properties }) => ({
      feature_id,
      class: name,
      properties: JSON.parse(properties) as Record<string, unknown>,
    }));
}

/** Whether a feature really overlaps the parcel; the computation uses all features with nearby boxes. */
const overlaps = (shape: MultiPolygon, feature: MultiPolygon): boolean =>
  coveredArea(
    shape,
    feature.map((polygon) => ({ polygon, coverClass: 0 })),
    1,
  ).covered > 0;

const boxOf = (shape: MultiPolygon | null) => (shape === null ? null : boundsOfMultiPolygon(shape));
