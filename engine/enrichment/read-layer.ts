/**
 * Reads a layer's file once. Features near the county's parcels are packed for the computation and staged in a temporary
 * table, so that other programs can write meanwhile. Features elsewhere (in a state's file) only count for the coverage.
 */
import { acresOfMultiPolygon } from '../geo/area.ts';
import { type Bounds, boundsOfCoordinates, boundsOverlap, type MultiPolygon } from '../geo/geometry.ts';
import { widenBounds } from '../geo/near-length.ts';
import { readFeatureGeometry, readFeatureLines } from '../geo/ring-geometry.ts';
import { encodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { encodeMultiLine, encodePoint } from '../geo/spatialite-lines.ts';
import type { ParcelFeature } from '../importing/formats/parcel-feature.ts';
import { expectWhole, type ReadOptions, readParcelFile } from '../importing/formats/parcel-reader.ts';
import type { ParcelLayer } from '../importing/formats/parcel-source.ts';
import { EngineError } from '../spec/errors.ts';
import { layerShapes, usualLayerOf } from '../spec/layer-files.ts';
import { isMapOnly, kindLooks, type LayerKind } from '../spec/layer-titles.ts';
import { squareFeetPerAcre } from './buildings.ts';
import { FeatureClassifier } from './classify-feature.ts';
import { HullBuilder } from './coverage-hull.ts';
import { type DrawnShape, drawnClass } from './drawn-class.ts';
import type { EnrichmentSettings } from './enrichment-settings.ts';
import { ClassNames, classNumber, smallStructureClass, structureClass, studiedClass } from './layer-classes.ts';
import { LayerPacker, type PackedLayer } from './layer-index.ts';
import { layerKinds } from './layer-kinds.ts';
import { FeatureNamer } from './name-feature.ts';
import { isSection, surveyLabel, townshipText } from './survey-features.ts';
import { HeldSections } from './survey-townships.ts';
import { isIsland } from './water.ts';

/** A staged feature. */
export interface KeptFeature {
  readonly featureClass: string | null;
  readonly name: string | null;
  readonly properties: string;
  readonly geom: Buffer;
  readonly bounds: Bounds;
}

interface RefusedLayerFeature {
  readonly row: number;
  readonly reason: string;
}

export interface LayerReading {
  features_read: number;
  /** Features near the county's parcels. */
  features_kept: number;
  /** Features of the file whose class (of road, zone, name, ZIP) is blank or not known. */
  without_class: number;
  /** Roads of unlisted classes that the settings leave out. */
  unknown_left_out: number;
  /** Their values with counts; the first twenty. */
  unmapped_values: Record<string, number>;
  /** Features near the county that do not affect parcels: not roads, small buildings, blank names. */
  without_use: number;
  without_geometry: number;
  /** Townships drawn from their sections, because the file has none; absent for other kinds. */
  townships_made?: number;
  /** Sections drawn from their quarters or smaller parts, because the file has none; absent for other kinds. */
  sections_made?: number;
  /** Features of a layer of water that are named islands, which are left out; absent for other kinds. */
  islands?: number;
  refused: { count: number; first: RefusedLayerFeature[] };
}

export interface ReadLayer {
  readonly reading: LayerReading;
  /** The layer chosen by its usual name, if the file has several and none was named; else null. */
  readonly usualLayer: string | null;
  /** Columns of its first feature. */
  readonly columns: readonly string[];
  /** The column that names are read from; null: none. */
  readonly nameColumn: string | null;
  /** What most of the kept features are; null without any. */
  readonly shapes: DrawnShape | null;
  readonly packed: PackedLayer;
  readonly classNames: readonly string[];
  readonly hull: readonly number[] | null;
  /** Whether the file has flood zones that are not special, and so shows the studied area. */
  readonly namesStudied: boolean;
}

interface LayerSource {
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
const townshipReachMeters = 15_000;

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
  readonly kind: DrawnShape;
  readonly coordinates: readonly Float64Array[];
  readonly polygons: MultiPolygon;
  /** For a point its place alone. */
  readonly lines: readonly Float64Array[];
}

class LayerFileReader {
  readonly reading: LayerReading = {
    features_read: 0,
    features_kept: 0,
    without_class: 0,
    unknown_left_out: 0,
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
  readonly #namer: FeatureNamer;
  readonly #shapes: Record<DrawnShape, number> = { polygons: 0, lines: 0, points: 0 };
  readonly #hull = new HullBuilder();
  #namesStudied = false;
  /** A township is six miles wide: all of its sections lie within this of any of them. */
  readonly #townshipReach: Bounds;
  readonly #sections = new HeldSections<SurveySection>();

  constructor(source: LayerSource) {
    this.#source = source;
    this.#near = widenBounds(source.extent, marginMeters);
    this.#townshipReach = widenBounds(source.extent, townshipReachMeters);
    this.#classifier = new FeatureClassifier(source.kind, source.settings, this.reading, source.file);
    this.#namer = new FeatureNamer(source.kind, source.settings.nameField);
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
    const given = this.#classifier.classOf(feature.properties);
    const name = this.#namer.nameOf(feature.properties);
    if (shape.coordinates.length === 0) {
      reading.without_geometry++;
      return;
    }
    for (const coordinates of shape.coordinates) this.#hull.add(coordinates);
    const bounds = boundsOfCoordinates(shape.coordinates);
    const isNear = boundsOverlap(bounds, this.#near);
    const words = { given, name, properties: feature.properties };
    if (this.#source.kind === 'plss') this.#addSurvey(shape, bounds, words, isNear);
    else if (this.#source.kind === 'water' && isIsland(name)) reading.islands = (reading.islands ?? 0) + 1;
    else if (isNear) this.#keep(shape, bounds, words);
  }

  #addSurvey(shape: Shape, bounds: Bounds, words: FeatureWords, isNear: boolean): void {
    const { given: place } = words;
    const named = { ...words, name: place === null ? null : surveyLabel(place) };
    if (place !== null && isSection(place)) {
      if (boundsOverlap(bounds, this.#townshipReach))
        this.#sections.hold(place, { feature: { shape, bounds, words: named }, polygons: shape.polygons, isNear });
      return;
    }
    const isTownship = place !== null && townshipText(place) === place;
    if (place !== null && !isTownship && boundsOverlap(bounds, this.#townshipReach))
      this.#sections.holdPart(place, { polygons: shape.polygons, isNear });
    if (!isNear) return;
    if (isTownship) this.#sections.give(place);
    this.#keep(shape, bounds, named);
  }

  /** Sections of townships near the parcels, and the townships that the file lacks. */
  #keepSections(): void {
    this.#sections.addMade(({ place, polygons }) => drawnOf(place, polygons));
    for (const { place, sections, outline } of this.#sections.townships()) {
      for (const { shape, bounds, words, isDrawn } of sections) {
        this.#keep(shape, bounds, words);
        if (isDrawn) this.#uncount('sections_made');
      }
      if (outline === null) continue;
      const { shape, bounds, words } = drawnOf(place, outline);
      this.#keep(shape, bounds, words);
      this.#uncount('townships_made');
    }
  }

  /** Of one that the file does not have itself. */
  #uncount(made: 'sections_made' | 'townships_made'): void {
    this.reading.features_kept--;
    this.reading[made] = (this.reading[made] ?? 0) + 1;
  }

  #shapeOf(geometry: unknown): Shape | string {
    const needed = layerShapes[this.#source.kind];
    if (needed === 'lines') {
      const found = readFeatureLines(geometry);
      return found.ok ? shapeOfLines(found.lines) : found.problem;
    }
    // A closed line of a drawing is an area here.
    const found = readFeatureGeometry(geometry);
    if (!found.ok) {
      const line = needed === 'any' ? readFeatureLines(geometry) : null;
      return line?.ok ? shapeOfLines(line.lines) : found.problem;
    }
    if (found.point && needed === 'any') {
      const lines = [Float64Array.from(found.point)];
      return { kind: 'points', coordinates: lines, polygons: [], lines };
    }
    if (found.point) return 'Expected a Polygon or MultiPolygon, found "Point".';
    const polygons = found.polygons ?? [];
    return { kind: 'polygons', coordinates: polygons.flat(), polygons, lines: [] };
  }

  #keep(shape: Shape, bounds: Bounds, { given, name, properties }: FeatureWords): void {
    const { kind, keep, settings } = this.#source;
    this.reading.features_kept++;
    this.#shapes[shape.kind]++;
    const featureClass =
      isMapOnly(kind) || kindLooks.has(kind)
        ? drawnClass(shape.kind, properties)
        : kind === 'buildings'
          ? structureOf(shape.polygons, settings)
          : given;
    if (!isMapOnly(kind)) this.#pack(shape, featureClass);
    keep({ featureClass, name, properties: JSON.stringify(properties), geom: geometryOf(shape), bounds });
  }

  #pack(shape: Shape, featureClass: string | null): void {
    const { kind } = this.#source;
    const number = classNumber(kind, featureClass, this.#names);
    if (number === null) this.reading.without_use++;
    if (kind === 'flood' && number === studiedClass) this.#namesStudied = true;
    packShape(this.#packer, kind, shape, number);
  }

  finish(): Omit<ReadLayer, 'usualLayer'> {
    this.#keepSections();
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
    if (read > 0) this.#namer.finish(file, this.#classifier.columns);
    return {
      reading: this.reading,
      columns: this.#classifier.columns,
      nameColumn: this.#namer.column,
      shapes: mostOf(this.#shapes),
      packed: this.#packer.finish(),
      classNames: this.#names.names,
      hull: this.#hull.finish(),
      namesStudied: this.#namesStudied,
    };
  }
}

interface SurveySection {
  readonly shape: Shape;
  readonly bounds: Bounds;
  readonly words: FeatureWords;
  /** Out of its parts. */
  readonly isDrawn?: true;
}

/** A township or section that the file has in parts. */
function drawnOf(place: string, polygons: MultiPolygon): SurveySection {
  const coordinates = polygons.flat();
  const words = { given: place, name: surveyLabel(place), properties: {} };
  const shape: Shape = { kind: 'polygons', coordinates, polygons, lines: [] };
  return { shape, bounds: boundsOfCoordinates(coordinates), words, isDrawn: true };
}

interface FeatureWords {
  /** Its class, as the file gives it. */
  readonly given: string | null;
  readonly name: string | null;
  readonly properties: ParcelFeature['properties'];
}

const shapeOfLines = (lines: readonly Float64Array[]): Shape => ({
  kind: 'lines',
  coordinates: lines,
  polygons: [],
  lines,
});

function geometryOf({ kind, polygons, lines }: Shape): Buffer {
  if (kind === 'polygons') return encodeMultiPolygon(polygons);
  const [[longitude = 0, latitude = 0] = []] = lines;
  return kind === 'points' ? encodePoint(longitude, latitude) : encodeMultiLine(lines);
}

function mostOf(shapes: Readonly<Record<DrawnShape, number>>): DrawnShape | null {
  const kinds = Object.entries(shapes) as [DrawnShape, number][];
  const [kind, count] = kinds.reduce((most, one) => (one[1] > most[1] ? one : most));
  return count > 0 ? kind : null;
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
  else if (kind === 'water') packer.addLines(polygons.flat(), number);
  else if (kind === 'buildings') packer.addAsPoint(polygons, number);
  else packer.addPolygons(polygons, number);
}
