/** A county of land.sqlite, as rows for PostgreSQL. Everything that PostgreSQL cannot hold is named. */
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { ewkbOfBlob, ewkbOfPoint } from './ewkb.ts';
import { foldColumns, parcelServerColumns, parcelValueColumns, type ServerColumn } from './server-columns.ts';
import { hashBytesSql, misfit, type TupleWriter } from './tuple-writer.ts';

/** Few enough that the server has work while the next are read. */
const chunkRows = 500;
const shownProblems = 3;

const valueNames = parcelValueColumns.map(({ name }) => name);
const place = (name: string): number => valueNames.indexOf(name);
const at = {
  id: place('property_id'),
  sequence: place('apn_sequence_number'),
  dataset: place('dataset_id'),
  longitude: place('point_lon'),
  latitude: place('point_lat'),
  geom: place('geom'),
};
const rawAt = valueNames.length;
const foldedAt = foldColumns.map(({ of }) => place(of));

const columnsSql = valueNames.map((name) => `p."${name}"`).join(', ');
const rowsSql = `SELECT ${columnsSql}, w.json FROM parcels p LEFT JOIN raw_columns w ON w.property_id = p.property_id
  WHERE p.property_id BETWEEN ? AND ? AND p.fips = ? ORDER BY p.property_id`;

/** The hash of a row of `sentRowsSql`. */
const rowHashBytesSql = hashBytesSql([
  ...valueNames.map((name) => (name === 'geom' ? "ST_AsEWKB(p.geom, 'NDR')" : `p."${name}"`)),
  'w.json',
]);

export const sentRowsSql = 'parcels p LEFT JOIN raw_columns w ON w.fips = p.fips AND w.property_id = p.property_id';

/** Whether a row is not what was sent. */
export const isWrongSql = `substr(int8send(p.row_hash), 3) IS DISTINCT FROM ${rowHashBytesSql}`;

/** The place of a parcel on the server. */
export interface ServerIdentity {
  readonly id: number;
  readonly sequence: number;
}

interface EncodedRow {
  /** On the server. */
  readonly id: number;
  readonly hash: number;
  readonly raw: string | null;
}

interface EncodeOptions {
  /** By the id in the home; absent: the id and sequence are the same. */
  readonly identities?: ReadonlyMap<number, ServerIdentity>;
  /** Ids of datasets on the server, by those in the home. */
  readonly datasets: ReadonlyMap<number, number>;
}

/** Values that do not fit, counted, with the first of them. */
class Problems {
  #count = 0;
  readonly #first: string[] = [];

  add(sentence: string): void {
    this.#count++;
    if (this.#first.length < shownProblems) this.#first.push(sentence);
  }

  expectNone(): void {
    if (this.#count === 0) return;
    throw new EngineError(
      'push_refused',
      `${counted(this.#count, 'value does', 'values do')} not fit into PostgreSQL; the county on the server is as it was. ${this.#first.join(' ')} Import the file again, or mend the rows, for example with QGIS.`,
    );
  }
}

/**
 * Writes each row of a county into `writer` and hands it to `onRow`, which keeps or drops it. Each step does some rows and
 * yields the share that is done. Call it in a transaction of the file.
 * @throws EngineError push_refused at the end
 */
export function* encodeCounty(
  file: SqliteFile,
  fips: string,
  writer: TupleWriter,
  { identities, datasets }: EncodeOptions,
  onRow: (row: EncodedRow) => void,
): Generator<number> {
  const problems = new Problems();
  const ids = file.column<number>('SELECT property_id FROM parcels WHERE fips = ? ORDER BY property_id', fips);
  for (let start = 0; start < ids.length; start += chunkRows) {
    const last = ids[Math.min(start + chunkRows, ids.length) - 1];
    for (const row of file.rawRows(rowsSql, ids[start], last, fips)) {
      if (!fits(file, row, problems)) continue;
      const home = row[at.id] as number;
      const { id, sequence } = identities?.get(home) ?? { id: home, sequence: row[at.sequence] as number };
      row[at.id] = id;
      row[at.sequence] = sequence;
      row[at.dataset] = datasets.get(row[at.dataset] as number) ?? null;
      onRow(encodeRow(writer, row));
    }
    yield Math.min(1, (start + chunkRows) / ids.length);
  }
  problems.expectNone();
}

function encodeRow(writer: TupleWriter, row: unknown[]): EncodedRow {
  writer.begin(parcelServerColumns.length);
  for (let position = 0; position < valueNames.length; position++)
    writer.add((parcelValueColumns[position] as ServerColumn).type, row[position]);
  const raw = row[rawAt] as string | null;
  writer.addToHash(raw);
  const hash = writer.hash();
  for (let position = 0; position < foldColumns.length; position++) {
    const text = row[foldedAt[position] as number];
    writer.add('text', typeof text === 'string' ? (foldColumns[position]?.make(text) ?? null) : null);
  }
  writer.add('bigint', hash);
  return { id: row[at.id] as number, hash, raw };
}

/** Whether every value fits; puts the geometry of PostGIS in the place of SpatiaLite's. */
function fits(file: SqliteFile, row: unknown[], problems: Problems): boolean {
  const id = row[at.id];
  let isWhole = true;
  const tell = (name: string, why: string): void => {
    isWhole = false;
    problems.add(`Parcel ${id}, ${name}: ${why}.`);
  };
  try {
    row[at.geom] = ewkbOf(row);
  } catch (error) {
    tell('geom', (error as Error).message.replace(/\.$/, ''));
    return false;
  }
  for (let position = 0; position < valueNames.length; position++) {
    const value = row[position];
    if (value === null) continue;
    const { name, type } = parcelValueColumns[position] as ServerColumn;
    const why = misfit(type, value) ?? brokenText(file, 'parcels', 'property_id', id, name, value);
    if (why) tell(name, why);
  }
  const raw = row[rawAt];
  if (raw !== null) {
    const why = misfit('text', raw) ?? brokenText(file, 'raw_columns', 'property_id', id, 'json', raw);
    if (why) tell('unmapped columns', why);
  }
  return isWhole;
}

function ewkbOf(row: readonly unknown[]): Buffer | null {
  const { geom, longitude, latitude } = at;
  const blob = row[geom];
  if (blob instanceof Uint8Array) return ewkbOfBlob(blob);
  const [x, y] = [row[longitude], row[latitude]];
  return typeof x === 'number' && typeof y === 'number' ? ewkbOfPoint(x, y) : null;
}

/**
 * SQLite keeps any bytes as a text, and the driver reads broken ones as U+FFFD. Only a text that holds one is compared
 * with its bytes.
 */
export function brokenText(
  file: SqliteFile,
  table: string,
  key: string,
  id: unknown,
  column: string,
  value: unknown,
): string | null {
  if (typeof value !== 'string' || !value.includes('\ufffd')) return null;
  const stored = file.get<{ bytes: Buffer }>(
    `SELECT CAST("${column}" AS BLOB) AS bytes FROM ${table} WHERE ${key} = ?`,
    id,
  );
  return stored?.bytes.equals(Buffer.from(value)) ? null : 'bytes that are no UTF-8, which PostgreSQL does not store';
}
