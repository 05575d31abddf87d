/**
 * Describes a file before anything is imported: its layers with columns, samples, coordinate system and place. Reads
 * only headers and the first rows, so a state's file answers within a second, if its format allows.
 */
import fs from 'node:fs';
import path from 'node:path';
import { FlatGeometry, readFeatureGeometry, readFeatureLines } from '../geo/ring-geometry.ts';
import { EngineError } from '../spec/errors.ts';
import { contentOf, type LayerContent } from '../spec/layer-likeness.ts';
import { shown } from '../spec/validate.ts';
import type { Place } from '../store/county-outlines.ts';
import { refuseColumns } from './formats/column-limit.ts';
import { boundsInDegrees } from './formats/crs/bounds-in-degrees.ts';
import { detectFormat, type FileFormat } from './formats/detect-format.ts';
import { openParcels } from './formats/open-parcels.ts';
import type { ParcelFeature } from './formats/parcel-feature.ts';
import type {
  FileBounds,
  LayerColumn,
  ParcelFormat,
  ParcelLayer,
  ReadOptions,
  ReadPurpose,
} from './formats/parcel-source.ts';
import { openTableFile, type TableFile } from './formats/table-file.ts';
import { EvenSample } from './stage/even-sample.ts';
import { isInUs } from './stage/expect-place.ts';
import { textOf } from './values/convert-value.ts';

export interface LookedColumn {
  readonly name: string;
  /** As the format declares it, else judged from the first rows. Numbers with leading zeros are text. */
  readonly type: NonNullable<LayerColumn['type']>;
  /** Up to five different values of the first rows. */
  readonly samples: readonly string[];
  /** Of a layer's column: its different values with their numbers, most first; null if they are too many for classes. */
  readonly values: readonly { readonly value: string; readonly count: number }[] | null;
}

type ShapeKind = 'polygons' | 'lines' | 'points';

export interface LookedLayer {
  readonly name: string;
  readonly format: ParcelFormat | TableFile['format'];
  /** Null if only reading all of it would tell. */
  readonly rows: number | null;
  readonly columns: readonly LookedColumn[];
  readonly encoding: string;
  /** Null for a table without shapes, and if `problem` says why. */
  readonly system: { readonly name: string; readonly code: number | null } | null;
  /** West, south, east, north in degrees; of the first rows only if `isSampled`. */
  readonly bounds: FileBounds | null;
  readonly isSampled: boolean;
  /** A place of some of its first shapes each, evenly: longitude and latitude. */
  readonly places: readonly Place[];
  /** The kind of most of its first shapes; null if there are none, or they are unreadable. */
  readonly shapes: ShapeKind | null;
  /** What its names and columns tell of it; null: nothing, and polygons may be parcels. */
  readonly content: LayerContent | null;
  /** What an import leaves out, with numbers: `12 open lines` of a drawing, `2 other sheets` of a workbook. */
  readonly leftOut: string | null;
  /** The parcels lie outside the United States, but inside once longitude and latitude are swapped. */
  readonly isProbablySwapped: boolean;
  /** Why it cannot be imported as it is; null: no problem found. */
  readonly problem: string | null;
}

export interface Look {
  readonly path: string;
  /** A table has rows and no shapes: it is joined to parcels. */
  readonly kind: 'parcels' | 'table';
  readonly layers: readonly LookedLayer[];
}

const sampleRows = 1000;
/** Of a layer: classes of a few features are among the later ones. */
const sampledFeatures = 20_000;
/** More different values are names or numbers. */
const maxClasses = 24;
const rowsToLook = (purpose: ReadPurpose): number => (purpose === 'layer' ? sampledFeatures : sampleRows);
const maxSamples = 5;
const maxPlaces = 64;
/** About a meter. */
const placeDecimals = 1e5;
/** What a table may come in; a spreadsheet is a zip. */
const tableFormats: ReadonlySet<FileFormat> = new Set(['csv', 'dbf', 'zip']);

/** @throws EngineError import_refused, file_missing, file_damaged if the file is neither parcels nor a table */
export function look(filePath: string, options: ReadOptions = {}): Look {
  let refusal: EngineError;
  try {
    return lookAtParcels(filePath, options);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    refusal = error;
  }
  try {
    // The first line of any other format would pass for headings.
    if (!tableFormats.has(detectFormat(filePath))) throw refusal;
    return { path: filePath, kind: 'table', layers: [lookAtTable(openTableFile(filePath, options))] };
  } catch (error) {
    // Neither parcels nor a table: throw the parcel reader's error.
    throw error instanceof EngineError ? refusal : error;
  }
}

function lookAtParcels(filePath: string, options: ReadOptions): Look {
  const { purpose = 'parcels' } = options;
  const source = openParcels(filePath, { ...options, sampleRows: rowsToLook(purpose) });
  try {
    const layers = source.layerNames.map((name) =>
      lookAtLayer({ name, purpose, filePath }, () => source.openLayer(name)),
    );
    return { path: filePath, kind: 'parcels', layers };
  } finally {
    source.close();
  }
}

interface LayerToLook {
  readonly name: string;
  readonly purpose: ReadPurpose;
  readonly filePath: string;
}

/** One unreadable layer must not hide the others. */
function lookAtLayer({ name, purpose, filePath }: LayerToLook, open: () => ParcelLayer): LookedLayer {
  let layer: ParcelLayer | null = null;
  try {
    layer = open();
    const { rowCount: rows, format, encoding } = layer;
    const sample = new Sample(filePath, layer.columns, purpose);
    for (const feature of firstOf(layer, rowsToLook(purpose))) sample.add(feature);
    const system = layer.system();
    const bounds = boundsInDegrees(layer.bounds, system) ?? sample.bounds;
    return {
      name,
      format,
      rows: rows ?? (sample.rows < rowsToLook(purpose) ? sample.rows : null),
      columns: sample.columns(),
      encoding,
      system: { name: system.name, code: system.code },
      bounds,
      isSampled: bounds !== null && (layer.bounds === null || bounds === sample.bounds),
      places: sample.places,
      shapes: sample.shapes,
      content: contentOf({
        names: [path.basename(filePath), name],
        columns: sample.columns().map((column) => column.name),
        shapes: sample.shapes,
      }),
      leftOut: layer.leftOut?.words ?? null,
      isProbablySwapped: bounds !== null && isSwapped(bounds),
      problem: sample.problem,
    };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const format = layer?.format ?? formatOfFile(filePath);
    return { ...nothingKnown(name, layer), format, problem: error.message };
  }
}

/** A folder or an archive whose layers cannot be opened is usually one of Shapefiles. */
function formatOfFile(filePath: string): LookedLayer['format'] {
  if (fs.statSync(filePath).isDirectory()) return 'shapefile';
  const found = detectFormat(filePath);
  return found === 'zip' ? 'shapefile' : found;
}

function nothingKnown(name: string, layer: ParcelLayer | null): Omit<LookedLayer, 'problem' | 'format'> {
  return {
    name,
    rows: layer?.rowCount ?? null,
    columns: (layer?.columns ?? []).map((column) => ({
      name: column.name,
      type: column.type ?? 'text',
      samples: [],
      values: null,
    })),
    encoding: layer?.encoding ?? '',
    system: null,
    bounds: null,
    isSampled: false,
    places: [],
    shapes: null,
    content: null,
    leftOut: layer?.leftOut?.words ?? null,
    isProbablySwapped: false,
  };
}

function* firstOf(layer: ParcelLayer, rows: number): Generator<ParcelFeature> {
  let row = 0;
  for (const feature of layer.features()) {
    yield feature;
    if (++row === rows) return;
  }
}

function lookAtTable(table: TableFile): LookedLayer {
  const sample = new Sample(
    table.path,
    table.columns.map((name) => ({ name, type: null })),
    'parcels',
  );
  const all = table.columns.map((_, index) => index);
  for (const { values } of table.rows(all)) {
    sample.addRow(Object.fromEntries(table.columns.map((name, index) => [name, values[index]])));
    if (sample.rows === sampleRows) break;
  }
  return {
    ...nothingKnown('', null),
    leftOut: table.leftOut ?? null,
    format: table.format,
    rows: sample.rows < sampleRows ? sample.rows : null,
    columns: sample.columns(),
    encoding: table.encoding?.() ?? '',
    problem: null,
  };
}

interface ColumnSample {
  readonly name: string;
  readonly declared: LayerColumn['type'];
  readonly values: Set<string>;
  /** How often each value stands; null once there are too many. */
  counts: Map<string, number> | null;
  isNumber: boolean;
  isInteger: boolean;
}

const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Collects the first rows of a layer. */
class Sample {
  rows = 0;
  problem: string | null = null;
  readonly #shapes: Record<ShapeKind, number> = { polygons: 0, lines: 0, points: 0 };
  readonly #filePath: string;
  readonly #purpose: ReadPurpose;
  readonly #columns = new Map<string, ColumnSample>();
  readonly #places = new EvenSample<Place>(maxPlaces);
  #problems = 0;
  #west = Number.POSITIVE_INFINITY;
  #south = Number.POSITIVE_INFINITY;
  #east = Number.NEGATIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;

  constructor(filePath: string, columns: readonly LayerColumn[] | null, purpose: ReadPurpose) {
    this.#filePath = filePath;
    this.#purpose = purpose;
    for (const { name, type } of columns ?? []) this.#column(name, type);
  }

  add({ properties, geometry }: ParcelFeature): void {
    this.addRow(properties);
    const shape = shapeOf(geometry, this.#purpose);
    if (typeof shape === 'string') {
      this.#problems++;
      this.problem ??= shape;
      return;
    }
    if (shape.paths.length > 0) this.#shapes[shape.kind]++;
    for (const path of shape.paths) this.#addPlaces(path);
    const { 0: longitude, 1: latitude } = shape.paths[0] ?? [];
    if (longitude !== undefined && latitude !== undefined) this.#places.add([rounded(longitude), rounded(latitude)]);
  }

  get places(): readonly Place[] {
    return this.#places.kept;
  }

  addRow(properties: Readonly<Record<string, unknown>>): void {
    this.rows++;
    for (const [name, value] of Object.entries(properties)) this.#addValue(this.#column(name, null), value);
  }

  get shapes(): ShapeKind | null {
    const kinds = Object.entries(this.#shapes) as [ShapeKind, number][];
    const [kind, count] = kinds.reduce((most, one) => (one[1] > most[1] ? one : most));
    return count > 0 ? kind : null;
  }

  get bounds(): FileBounds | null {
    return this.#west <= this.#east ? [this.#west, this.#south, this.#east, this.#north] : null;
  }

  columns(): LookedColumn[] {
    // The dry run lists a few bad shapes.
    if (this.#problems * 2 < this.rows) this.problem = null;
    return [...this.#columns.values()].map(({ name, declared, values, counts, isNumber, isInteger }) => {
      const seen = values.size === 0 || !isNumber ? 'text' : isInteger ? 'integer' : 'number';
      const classes = [...(counts ?? [])].map(([value, count]) => ({ value, count }));
      return {
        ...{ name, type: declared ?? seen, samples: [...values] },
        values: classes.length === 0 ? null : classes.sort((a, b) => b.count - a.count),
      };
    });
  }

  #column(name: string, declared: LayerColumn['type']): ColumnSample {
    const known = this.#columns.get(name);
    if (known) return known;
    const counts = this.#purpose === 'layer' ? new Map<string, number>() : null;
    const made = { name, declared, values: new Set<string>(), counts, isNumber: true, isInteger: true };
    this.#columns.set(name, made);
    refuseColumns(this.#filePath, this.#columns.size);
    return made;
  }

  #addValue(column: ColumnSample, value: unknown): void {
    const text = textOf(value);
    if (text === null) return;
    if (!plainNumber.test(text)) column.isNumber = false;
    if (text.includes('.')) column.isInteger = false;
    if (column.values.size < maxSamples)
      column.values.add(typeof value === 'string' ? text.slice(0, 80) : shown(value));
    if (column.counts) countValue(column, text);
  }

  #addPlaces(places: ArrayLike<number>): void {
    for (let index = 0; index + 1 < places.length; index += 2) {
      this.#west = Math.min(this.#west, places[index] as number);
      this.#east = Math.max(this.#east, places[index] as number);
      this.#south = Math.min(this.#south, places[index + 1] as number);
      this.#north = Math.max(this.#north, places[index + 1] as number);
    }
  }
}

function countValue(column: { counts: Map<string, number> | null }, text: string): void {
  const { counts } = column;
  if (counts === null) return;
  if (text.length > 80 || (counts.size === maxClasses && !counts.has(text))) column.counts = null;
  else counts.set(text, (counts.get(text) ?? 0) + 1);
}

const rounded = (degrees: number): number => Math.round(degrees * placeDecimals) / placeDecimals;

/** A problem in a sentence, or the kind of the shape; a layer may have lines. */
function shapeOf(
  geometry: unknown,
  purpose: ReadPurpose,
): string | { readonly kind: ShapeKind; readonly paths: readonly ArrayLike<number>[] } {
  const isArea = geometry instanceof FlatGeometry && geometry.polygons !== null;
  const lines = purpose === 'layer' && !isArea ? readFeatureLines(geometry) : null;
  if (lines?.ok && lines.lines.length > 0) return { kind: 'lines', paths: lines.lines };
  const found = readFeatureGeometry(geometry);
  if (!found.ok) return found.problem;
  if (found.point) return { kind: 'points', paths: [found.point] };
  return { kind: 'polygons', paths: found.polygons?.flat() ?? [] };
}

function isSwapped([west, south, east, north]: FileBounds): boolean {
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  return !isInUs(x, y) && isInUs(y, x);
}
