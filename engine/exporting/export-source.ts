/**
 * Reads the parcels of an export in order, in batches, over its own connection and in one snapshot: an import that commits
 * meanwhile does not mix into the rows, and no other call waits.
 */

import type { MultiPolygon } from '../geo/geometry.ts';
import { hilbertIndex } from '../geo/hilbert.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import type { FileMarks } from '../query/field-marks.ts';
import { parcelUrl } from '../spec/parcel-summary.ts';
import { openLandStore } from '../store/land-store.ts';
import type { SqliteFile, SqlRow } from '../store/sqlite.ts';
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

export interface ExportSource {
  /** Title of the file. */
  readonly title: string;
  readonly columns: readonly ExportColumn[];
  readonly count: number;
  /** What a row is, in the plural; parcels if absent. */
  readonly noun?: string;
  readonly madeAt: Date;
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
  readonly outlines?: boolean;
  readonly marks?: FileMarks;
  readonly now: Date;
}

const batchRows = 500;

const sourcesSql = `
SELECT DISTINCT source_name AS name, source_date AS date FROM datasets
WHERE dataset_id IN (SELECT dataset_id FROM parcels WHERE property_id IN (SELECT value FROM json_each(?)))
ORDER BY 1, 2`;

/** @throws EngineError usage for an unknown column, and any error of opening land.sqlite */
export function openExportSource(home: string, wish: ExportWish): ExportSource {
  const available = [...dictionaryColumns, ...(wish.work?.columns ?? [])];
  const columns = chooseColumns(wish.columns, available);
  const land = openLandStore(home, () => 0);
  try {
    const { file } = land;
    file.exec('BEGIN');
    const ids = existing(file, Array.from(wish.ids));
    const reader = new RowReader(file, columns, wish.work);
    return {
      title: wish.title,
      columns,
      count: ids.length,
      madeAt: wish.now,
      ...(wish.outlines && { outlines: true }),
      ...(wish.marks && { marks: wish.marks }),
      sources: file.all<{ name: string; date: string }>(sourcesSql, JSON.stringify(ids)),
      async *batches({ byPlace = false } = {}) {
        const ordered = byPlace ? sortedByPlace(file, ids) : ids;
        for (let from = 0; from < ordered.length; from += batchRows) {
          yield reader.read(ordered.slice(from, from + batchRows));
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

const placesSql = `SELECT property_id, fips, point_lon, point_lat FROM parcels
  WHERE property_id IN (SELECT value FROM json_each(?))`;
const placesAtOnce = 10_000;

/** In arrays of numbers: a million rows as objects take 200 MB. */
function sortedByPlace(file: SqliteFile, ids: readonly number[]): number[] {
  const [numbers, places] = [new Float64Array(ids.length), new Float64Array(ids.length)];
  const counties: string[] = [];
  const names = new Map<string, string>();
  for (let from = 0; from < ids.length; from += placesAtOnce) {
    const some = JSON.stringify(ids.slice(from, from + placesAtOnce));
    for (const row of file.rawRows(placesSql, some)) {
      const [id, county, x, y] = row as [number, string, number | null, number | null];
      if (!names.has(county)) names.set(county, county);
      numbers[counties.length] = id;
      places[counties.length] = x === null || y === null ? -1 : hilbertIndex(x, y);
      counties.push(names.get(county) as string);
    }
  }
  const of = <Value>(list: ArrayLike<Value>, row: number) => list[row] as Value;
  const compare = (a: number, b: number): number => {
    const [one, other] = [of(counties, a), of(counties, b)];
    if (one !== other) return one < other ? -1 : 1;
    return of(places, a) - of(places, b) || of(numbers, a) - of(numbers, b);
  };
  const rows = Uint32Array.from({ length: counties.length }, (_, row) => row).sort(compare);
  return Array.from(rows, (row) => of(numbers, row));
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function existing(file: SqliteFile, ids: readonly number[]): number[] {
  const known = new Set(
    file.column<number>(
      'SELECT property_id FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    ),
  );
  // Deleting from the set keeps only the first of repeated ids.
  return ids.filter((id) => known.delete(id));
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

class RowReader {
  readonly #file: SqliteFile;
  readonly #columns: readonly ExportColumn[];
  readonly #work: WorkColumns | undefined;
  readonly #sql: string;
  /** Index of each source column among the work columns; -1 if it is not one. */
  readonly #workPlaces: readonly number[];

  constructor(file: SqliteFile, columns: readonly ExportColumn[], work: WorkColumns | undefined) {
    this.#file = file;
    this.#columns = columns;
    this.#work = work;
    this.#workPlaces = columns.map(({ name }) => work?.columns.findIndex((column) => column.name === name) ?? -1);
    const stored = columns.filter(({ name }, i) => name !== 'url' && (this.#workPlaces[i] ?? -1) < 0);
    const selected = stored.map(({ name }) => `${joined[name] ?? `p."${name}"`} AS "${name}"`);
    this.#sql = `SELECT ${['p.property_id AS id_', 'p.fips AS fips_', 'p.apn AS apn_', 'p.point_lon AS lon_', 'p.point_lat AS lat_', ...selected, 'p.geom AS geom_'].join(', ')}
      FROM parcels p LEFT JOIN datasets d ON d.dataset_id = p.dataset_id LEFT JOIN counties c ON c.fips = p.fips
      WHERE p.property_id IN (SELECT value FROM json_each(?))`;
  }

  read(ids: readonly number[]): ExportRow[] {
    const rows = new Map(this.#file.all(this.#sql, JSON.stringify(ids)).map((row) => [row.id_ as number, row]));
    const work = this.#work?.valuesOf(ids);
    return ids.flatMap((id) => {
      const row = rows.get(id);
      return row ? [this.#rowOf(id, row, work?.get(id))] : [];
    });
  }

  #rowOf(id: number, row: SqlRow, work: readonly ExportValue[] | undefined): ExportRow {
    const { apn_: apn, lon_: longitude, lat_: latitude, geom_: geometry } = row;
    const values = this.#columns.map((column, i) => {
      const place = this.#workPlaces[i] ?? -1;
      return place >= 0 ? (work?.[place] ?? null) : exportValue(column, id, row[column.name]);
    });
    return {
      id,
      fips: String(row.fips_),
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
