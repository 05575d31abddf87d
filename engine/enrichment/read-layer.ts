/**
 * Reads a layer's file once. Features near the county's parcels are packed for the computation and staged in a temporary
 * table, so that other programs can write meanwhile. Features elsewhere (in a state's file) only count for the coverage.
 */
import { acresOfMultiPolygon } from '../geo/area.ts';
import { type Bounds, boundsOfCoordinates, boundsOverlap, type MultiPolygon } from '../geo/geometry.ts';
import { widenBounds } from '../geo/near-length.ts';
import { readFeatureGeometry, readFeatureLines } from '../geo/ring-geometry.ts';
import { encodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { encodeMultiLine } from '../geo/spatialite-lines.ts';
import type { ParcelFeature } from '../importing/formats/parcel-feature.ts';
import { expectWhole, type ReadOptions, readParcelFile } from '../importing/formats/parcel-reader.ts';
import type { ParcelLayer } from '../importing/formats/parcel-source.ts';
import { EngineError } from '../spec/errors.ts';
import { layerShapes, usualLayerOf } from '../spec/layer-files.ts';
import type { LayerKind } from '../spec/layer-titles.ts';
import { squareFeetPerAcre } from './buildings.ts';
import { FeatureClassifier } from './classify-feature.ts';
import { HullBuilder } from './coverage-hull.ts';
import type { EnrichmentSettings } from './enrichment-settings.ts';
import { ClassNames, classNumber, smallStructureClass, structureClass, studiedClass } from './layer-classes.ts';
import { LayerPacker, type PackedLayer } from './layer-index.ts';
import { layerKinds } from './layer-kinds.ts';

/** A staged feature. */
export interface KeptFeature {
  readonly featureClass: string | null;
  readonly properties: string;
  readonly geom: Buffer;
  readonly bounds: Bounds;
}

export interface RefusedLayerFeature {
  readonly row: number;
  readonly reason: string;
}

export interface LayerReading {
  features_read: number;
  /** Features near the county's parcels. */
  features_kept: number;
  /** Unknown class names (of roads, flood zones) with their counts; the first twenty. */
  unmapped_values: Record<string, number>;
  /** Features near the county that do not affect parcels: not roads, small buildings, blank names. */
  without_use: number;
  without_geometry: number;
  refused: { count: number; first: RefusedLayerFeature[] };
}

export interface ReadLayer {
  readonly reading: LayerReading;
  /** The layer chosen by its usual name, if the file has several and none was named; else null. */
  readonly usualLayer: string | null;
  readonly packed: PackedLayer;
  readonly classNames: readonly string[];
  readonly hull: readonly number[] | null;
  /** Whether the file has flood zones that are not special, and so shows the studied area. */
  readonly namesStudied: boolean;
}

export interface LayerSource {
  readonly kind: LayerKind;
  readonly file: string;
  /** Layer and coordinate system, if the user gives them. */
  readonly options: Pick<ReadOptions, 'layer' | 'crs'>;
  readonly settings: EnrichmentSettings;
  /** Box of the county's parcels. */
  readonly extent: Bounds;
  /** Whether a file without features is accepted: the county then has none. */
  readonly mayBeEmpty: boolean;
  readonly keep: (feature: KeptFeature) => void;
}

const listed = 100;
/** Features this far beyond the parcels are kept for the map. */
const marginMeters = 500;

/** Yields the number of features read so far, for progress and cancelling; returns the layer. */
export function* readLayer(source: LayerSource): Generator<number, ReadLayer> {
  const { kind, file, options } = source;
  const reader = new LayerFileReader(source);
  let usualLayer: string | null = null;
  const chooseUsual = (names: readonly string[]): string | null => {
    usualLayer = usualLayerOf(kind, names);
    return usualLayer;
  };
  const layers: ParcelLayer[] = [];
  const onLayer = (layer: ParcelLayer) => {
    layers.push(layer);
  };
  for (const feature of readParcelFile(file, { ...options, purpose: 'layer' }, onLayer, chooseUsual)) {
    reader.add(feature);
    yield reader.reading.features_read;
  }
  expectWhole([file], layers);
  return { ...reader.finish(), usualLayer };
}

interface Shape {
  readonly coordinates: readonly Float64Array[];
  readonly polygons: MultiPolygon;
  readonly lines: readonly Float64Array[];
}

class LayerFileReader {
  readonly reading: LayerReading = {
    features_read: 0,
    features_kept: 0,
    unmapped_values: {},
    without_use: 0,
    without_geometry: 0,
    refused: { count: 0, first: [] },
  };
  readonly #source: LayerSource;
  readonly #near: Bounds;
  readonly #classifier: FeatureClassifier;
  readonly #packer = new LayerPacker();
  readonly #names = new ClassNames();
  readonly #hull = new HullBuilder();
  #namesStudied = false;

  constructor(source: LayerSource) {
    this.#source = source;
    this.#near = widenBounds(source.extent, marginMeters);
    this.#classifier = new FeatureClassifier(source.kind, source.settings, this.reading.unmapped_values, source.file);
  }

  add(feature: ParcelFeature): void {
    const { reading } = this;
    reading.features_read++;
    const shape = feature.problem === undefined ? this.#shapeOf(feature.geometry) : feature.problem;
    if (typeof shape === 'string') {
      reading.refused.count++;
      if (reading.refused.first.length < listed) {
        reading.refused.first.push({ row: feature.position.row, reason: shape });
      }
      return;
    }
    // Classifies every feature, so that missing columns are noticed even if no feature is in the county.
    const name = this.#classifier.classOf(feature.properties);
    if (shape.coordinates.length === 0) {
      reading.without_geometry++;
      return;
    }
    for (const coordinates of shape.coordinates) this.#hull.add(coordinates);
    const bounds = boundsOfCoordinates(shape.coordinates);
    if (boundsOverlap(bounds, this.#near)) this.#keep(shape, bounds, name, feature.properties);
  }

  #shapeOf(geometry: unknown): Shape | string {
    if (layerShapes[this.#source.kind] === 'lines') {
      const found = readFeatureLines(geometry);
      return found.ok ? { coordinates: found.lines, polygons: [], lines: found.lines } : found.problem;
    }
    const found = readFeatureGeometry(geometry);
    if (!found.ok) return found.problem;
    if (found.point) return 'Expected a Polygon or MultiPolygon, found "Point".';
    const polygons = found.polygons ?? [];
    return { coordinates: polygons.flat(), polygons, lines: [] };
  }

  #keep(shape: Shape, bounds: Bounds, given: string | null, properties: ParcelFeature['properties']): void {
    const { kind, keep, settings } = this.#source;
    const name = kind === 'buildings' ? structureOf(shape.polygons, settings) : given;
    const number = classNumber(kind, name, this.#names);
    if (number === null) this.reading.without_use++;
    if (kind === 'flood' && number === studiedClass) this.#namesStudied = true;
    packShape(this.#packer, kind, shape, number);
    this.reading.features_kept++;
    const geom = shape.lines.length > 0 ? encodeMultiLine(shape.lines) : encodeMultiPolygon(shape.polygons);
    keep({ featureClass: name, properties: JSON.stringify(properties), geom, bounds });
  }

  finish(): Omit<ReadLayer, 'usualLayer'> {
    const { file, kind } = this.#source;
    const { features_read: read, refused } = this.reading;
    if (read === 0 && !this.#source.mayBeEmpty) {
      const advice = layerKinds[kind].needsCoverage
        ? ' If the county has none, say that the layer covers it (--coverage county).'
        : '';
      throw new EngineError('import_refused', `${file}: expected features of ${kind}, found none.${advice}`);
    }
    if (read > 0 && refused.count === read) {
      const [first] = refused.first;
      throw new EngineError(
        'import_refused',
        `${file}: none of the ${read} features can be used. The first, row ${first?.row}: ${first?.reason}`,
      );
    }
    if (read > 0) this.#classifier.finish();
    return {
      reading: this.reading,
      packed: this.#packer.finish(),
      classNames: this.#names.names,
      hull: this.#hull.finish(),
      namesStudied: this.#namesStudied,
    };
  }
}

function structureOf(polygons: MultiPolygon, { minStructureSquareFeet }: EnrichmentSettings): string {
  const squareFeet = acresOfMultiPolygon(polygons) * squareFeetPerAcre;
  return squareFeet >= minStructureSquareFeet ? structureClass : smallStructureClass;
}

/** @param number class of the feature; null if it does not affect parcels */
export function packShape(
  packer: LayerPacker,
  kind: LayerKind,
  { polygons, lines }: Pick<Shape, 'polygons' | 'lines'>,
  number: number | null,
): void {
  if (number === null) packer.addNothing();
  else if (kind === 'roads') packer.addLines(lines, number);
  else if (kind === 'buildings') packer.addAsPoint(polygons, number);
  else packer.addPolygons(polygons, number);
}
