/**
 * Reads the parcels of an export in order, in batches, over its own connection and in one snapshot: an import that commits
 * meanwhile does not mix into the rows, and no other call waits.
 */

import type { MultiPolygon } from '../geo/geometry.ts';
import { hilbertIndex } from '../geo/hilbert.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import type { FileMarks } from '../query/field-marks.ts';
import { parcelUrl } from '../query/parcel-query.ts';
import { openLandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import {
  chooseColumns,
  dictionaryColumns,
  type ExportColumn,
  type ExportValue,
  madeColumns,
} from './export-columns.ts';

export interface ExportRow {
  readonly id: number;
  /** County; absent where a row is no parcel. */
  readonly fips?: string;
  /** One for each column of the source. */
  readonly values: readonly ExportValue[];
  readonly shape: MultiPolygon | null;
  /** Longitude, latitude. */
  readonly point: readonly [number, number] | null;
  /** The parcel's name in formats without columns. */
  readonly name: string;
}

/** Columns of the user's own work (stars, tags, notes …), read for the ids of a batch. */
export interface WorkColumns {
  readonly columns: readonly ExportColumn[];
  /** A row of values for each id that has any. */
  readonly valuesOf: (ids: readonly number[]) => ReadonlyMap<number, readonly ExportValue[]>;
}

/** A plane of CAD programs. */
export interface ExportPlane {
  readonly name: string;
  readonly code: number;
  readonly metersPerUnit: number;
  fromWgs84(coordinates: Float64Array): void;
}

export interface ExportSource {
  /** Title of the file. */
  readonly title: string;
  readonly columns: readonly ExportColumn[];
  readonly count: number;
  /** What a row is, in the plural; parcels if absent. */
  readonly noun?: string;
  readonly madeAt: Date;
  /** The rows have an order that was asked for. */
  readonly isOrdered?: boolean;
  /** DXF: what it is drawn in. */
  readonly plane?: ExportPlane;
  /** GPX: the outlines of the parcels as tracks, beside their points. */
  readonly outlines?: boolean;
  /** GPX and KML: marks of the field, beside the parcels. */
  readonly marks?: FileMarks;
  /** Publishers and dates of the datasets in it. */
  readonly sources: readonly { readonly name: string; readonly date: string }[];
  /**
   * Can be iterated repeatedly with the same rows. Between batches other work of the process runs.
   * @param byPlace sorted by county, then along a Hilbert curve, where the source can be
   */
  batches(options?: { readonly byPlace?: boolean }): AsyncGenerator<readonly ExportRow[]>;
  close(): void;
}

export interface ExportWish {
  readonly title: string;
  /** property_ids in the order of the export; parcels that no longer exist are left out. */
  readonly ids: ArrayLike<number> & Iterable<number>;
  readonly columns?: readonly string[];
  readonly work?: WorkColumns;
  readonly isOrdered?: boolean;
  readonly plane?: ExportPlane;
  readonly outlines?: boolean;
  readonly marks?: FileMarks;
  readonly now: Date;
}

const batchRows = 500;
/** Rows are read once: the cache of a connection that answers searches would be 64 MB for nothing. */
export const cacheKibibytes = 8192;

const sourcesSql = `
SELECT DISTINCT source_name AS name, source_date AS date FROM datasets
WHERE dataset_id IN (SELECT value FROM json_each(?)) ORDER BY 1, 2`;

/** @throws EngineError usage for an unknown column, and any error of opening land.sqlite */
export function openExportSource(home: string, wish: ExportWish): ExportSource {
  const available = [...dictionaryColumns, ...(wish.work?.columns ?? [])];
  const columns = chooseColumns(wish.columns, available);
  const land = openLandStore(home, () => 0);
  try {
    const { file } = land;
    file.pragma(`cache_size = -${cacheKibibytes}`);
    file.exec('BEGIN');
    const { ids, datasets } = existing(file, wish.ids);
    const reader = new RowReader(file, columns, wish.work);
    return {
      title: wish.title,
      columns,
      count: ids.length,
      madeAt: wish.now,
      ...(wish.isOrdered && { isOrdered: true }),
      ...(wish.plane && { plane: wish.plane }),
      ...(wish.outlines && { outlines: true }),
      ...(wish.marks && { marks: wish.marks }),
      sources: file.all<{ name: string; date: string }>(sourcesSql, JSON.stringify(datasets)),
      async *batches({ byPlace = false } = {}) {
        const ordered = byPlace ? sortedByPlace(file, ids) : ids;
        for (let from = 0; from < ordered.length; from += batchRows) {
          yield reader.read(Array.from(ordered.subarray(from, from + batchRows)));
          await nextTurn();
        }
      },
      close: () => {
        if (file.inTransaction) file.exec('COMMIT');
        land.close();
      },
    };
  } catch (error) {
    land.close();
    throw error;
  }
}

const idsAtOnce = 10_000;

/** Rows of a statement that takes ids as a JSON list; a million at once would stand in memory several times. */
function* rowsOf(file: SqliteFile, sql: string, ids: Float64Array): Generator<unknown[][]> {
  for (let from = 0; from < ids.length; from += idsAtOnce)
    yield file.rawRows(sql, JSON.stringify(Array.from(ids.subarray(from, from + idsAtOnce))));
}

const placesSql = `SELECT property_id, fips, point_lon, point_lat FROM parcels
  WHERE property_id IN (SELECT value FROM json_each(?))`;

/** In arrays of numbers: a million rows as objects take 200 MB. */
function sortedByPlace(file: SqliteFile, ids: Float64Array): Float64Array {
  const [numbers, places, counties] = [
    new Float64Array(ids.length),
    new Float64Array(ids.length),
    new Uint32Array(ids.length),
  ];
  const names = new Map<string, number>();
  let end = 0;
  for (const rows of rowsOf(file, placesSql, ids)) {
    for (const [id, county, x, y] of rows as [number, string, number | null, number | null][]) {
      if (!names.has(county)) names.set(county, names.size);
      numbers[end] = id;
      places[end] = x === null || y === null ? -1 : hilbertIndex(x, y);
      counties[end++] = names.get(county) as number;
    }
  }
  const ranks = new Uint32Array(names.size);
  for (const [rank, name] of [...names.keys()].sort().entries()) ranks[names.get(name) as number] = rank;
  const of = (list: ArrayLike<number>, row: number) => list[row] as number;
  const rows = Uint32Array.from({ length: end }, (_, row) => row).sort(
    (a, b) =>
      of(ranks, of(counties, a)) - of(ranks, of(counties, b)) ||
      of(places, a) - of(places, b) ||
      of(numbers, a) - of(numbers, b),
  );
  return Float64Array.from(rows, (row) => of(numbers, row));
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const existingSql = `SELECT property_id, dataset_id FROM parcels
  WHERE property_id IN (SELECT value FROM json_each(?))`;

/** Those that are parcels, each once and in the order given, and their datasets. */
function existing(
  file: SqliteFile,
  wished: ArrayLike<number> & Iterable<number>,
): { ids: Float64Array; datasets: number[] } {
  const given = Float64Array.from(wished);
  const datasets = new Set<number>();
  const known = new Float64Array(given.length);
  let end = 0;
  for (const rows of rowsOf(file, existingSql, given))
    for (const [id, dataset] of rows as [number, number | null][]) {
      known[end++] = id;
      if (dataset !== null) datasets.add(dataset);
    }
  const inOrder = known.subarray(0, end).sort();
  const isWhole = end === given.length && inOrder.every((id, i) => i === 0 || id !== inOrder[i - 1]);
  // A set of a million takes 80 MB. Deleting from it keeps only the first of repeated ids.
  const left = new Set(isWhole ? [] : inOrder);
  return { ids: isWhole ? given : given.filter((id) => left.delete(id)), datasets: [...datasets] };
}

/** SQL of columns that are not in the parcels table. */
const joined: Readonly<Record<string, string>> = {
  county_name: 'c.name',
  jurisdiction: "nullif(d.jurisdiction, '')",
  source_name: 'd.source_name',
  source_date: 'd.source_date',
  imported_at: 'd.imported_at',
  longitude: 'p.point_lon',
  latitude: 'p.point_lat',
  ...Object.fromEntries(madeColumns.map(({ name, sql }) => [name, sql])),
};

const rowHead = ['p.property_id', 'p.fips', 'p.apn', 'p.point_lon', 'p.point_lat', 'p.geom'] as const;

class RowReader {
  readonly #file: SqliteFile;
  readonly #columns: readonly ExportColumn[];
  readonly #work: WorkColumns | undefined;
  readonly #sql: string;
  /** Index of each source column among the work columns; -1 if it is not one. */
  readonly #workPlaces: readonly number[];
  /** Its index among the values of a row; -1 if it is not stored. */
  readonly #places: readonly number[];

  constructor(file: SqliteFile, columns: readonly ExportColumn[], work: WorkColumns | undefined) {
    this.#file = file;
    this.#columns = columns;
    this.#work = work;
    this.#workPlaces = columns.map(({ name }) => work?.columns.findIndex((column) => column.name === name) ?? -1);
    const stored = columns.filter(({ name }, i) => name !== 'url' && (this.#workPlaces[i] ?? -1) < 0);
    this.#places = columns.map((column) => stored.indexOf(column));
    const selected = stored.map(({ name }) => joined[name] ?? `p."${name}"`);
    this.#sql = `SELECT ${[...rowHead, ...selected].join(', ')}
      FROM parcels p LEFT JOIN datasets d ON d.dataset_id = p.dataset_id LEFT JOIN counties c ON c.fips = p.fips
      WHERE p.property_id IN (SELECT value FROM json_each(?))`;
  }

  read(ids: readonly number[]): ExportRow[] {
    const rows = new Map(this.#file.rawRows(this.#sql, JSON.stringify(ids)).map((row) => [row[0] as number, row]));
    const work = this.#work?.valuesOf(ids);
    return ids.flatMap((id) => {
      const row = rows.get(id);
      return row ? [this.#rowOf(id, row, work?.get(id))] : [];
    });
  }

  #rowOf(id: number, row: readonly unknown[], work: readonly ExportValue[] | undefined): ExportRow {
    const [, fips, apn, longitude, latitude, geometry] = row;
    const values = this.#columns.map((column, i) => {
      const place = this.#workPlaces[i] ?? -1;
      return place >= 0
        ? (work?.[place] ?? null)
        : exportValue(column, id, row[rowHead.length + (this.#places[i] as number)]);
    });
    return {
      id,
      fips: String(fips),
      values,
      shape: geometry instanceof Uint8Array ? decodeMultiPolygon(geometry) : null,
      point: typeof longitude === 'number' && typeof latitude === 'number' ? [longitude, latitude] : null,
      name: typeof apn === 'string' && apn !== '' ? apn : `Parcel ${id}`,
    };
  }
}

/** Booleans are stored as 0 and 1; another program may have stored a number in a text column. */
function exportValue({ name, kind }: ExportColumn, id: number, stored: unknown): ExportValue {
  if (name === 'url') return parcelUrl(id);
  if (stored === null || stored === undefined) return null;
  if (kind === 'boolean') return stored === 1;
  if (kind === 'text' || kind === 'date') return String(stored);
  return typeof stored === 'number' && Number.isFinite(stored) ? stored : null;
}

/** The heading of a column for people: `Recorded acres, ac`. */
export const headingOf = ({ label, unit }: ExportColumn): string =>
  unit === undefined || unit === '°' ? label : `${label}, ${unit}`;
