/**
 * The column index of a county on the server: a push sends the one that the home keeps in its file. It stands for the
 * county's rows until another program writes one, which a trigger notes (server-schema.ts).
 */
import zlib from 'node:zlib';
import { type CountyDirectory, directoryFormat } from '../columns/county-directory.ts';
import { findColumnIndexes, listSegments, readDirectory, readSegment } from '../store/column-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import type { ServerConnection } from './connect.ts';

/** Platbook reads only indexes of its own format. */
const directoryName = `directory ${directoryFormat}`;

/** Whether a county of `pushed_counties p` has an index that stands for its rows. */
export const hasIndexSql = `(EXISTS (SELECT FROM county_indexes i WHERE i.fips = p.fips AND i.name = '${directoryName}')
    AND NOT EXISTS (SELECT FROM county_writes w WHERE w.fips = p.fips))`;

/** In one piece of work, between which questions are answered. */
const segmentsPerFetch = 4;

/** Areas are the server's to answer. */
const isOfAreas = (segment: string): boolean => segment.startsWith('boxes/');

const pack = (bytes: string | Uint8Array): Buffer =>
  zlib.zstdCompressSync(bytes, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } });

/** A segment of two million parcels is far smaller; a server may hold anything. */
const mostUnpacked = 2 ** 28;

export const unpack = (bytes: Uint8Array): Buffer => zlib.zstdDecompressSync(bytes, { maxOutputLength: mostUnpacked });

/**
 * In the transaction of a push, before the rows are looked at: what is written later is noted again.
 * @returns the name of the directory whose index stands for the county's rows; null: they may not be what was sent
 */
export async function trustedDirectory(server: ServerConnection, fips: string): Promise<string | null> {
  const written = await server.rows('DELETE FROM county_writes WHERE fips = $1 RETURNING 1', [fips]);
  const [standing] = await server.rows<{ name: string }>(
    "SELECT name FROM county_indexes WHERE fips = $1 AND name LIKE 'directory %'",
    [fips],
  );
  return standing && written.length === 0 ? standing.name : null;
}

interface PushIndex {
  readonly fips: string;
  /** Whether the push changed rows of the county. */
  readonly isChanged: boolean;
  /** Of `trustedDirectory`. */
  readonly trusted: string | null;
  /** Whether a parcel has another number or sequence on the server. */
  readonly isRenumbered: boolean;
}

/** In the transaction of a push, after its rows: the index stands for these, or there is none. */
export async function pushIndex(server: ServerConnection, file: SqliteFile, push: PushIndex): Promise<void> {
  const { fips, isChanged, trusted, isRenumbered } = push;
  if (!isChanged && trusted === directoryName) return;
  const directory = isRenumbered ? null : ownDirectory(file, fips);
  const isSame = directory !== null && (await countCurrent(server, fips)) === directory.rows;
  await server.rows('DELETE FROM county_indexes WHERE fips = $1', [fips]);
  if (!isSame) return;
  const add = (name: string, bytes: string | Uint8Array) =>
    server.rows('INSERT INTO county_indexes (fips, name, bytes) VALUES ($1, $2, $3)', [fips, name, pack(bytes)]);
  for (const name of listSegments(file, fips)) if (!isOfAreas(name)) await add(name, readSegment(file, fips, name));
  await add(directoryName, JSON.stringify(directory));
}

function ownDirectory(file: SqliteFile, fips: string): CountyDirectory | null {
  const isCurrent = findColumnIndexes(file, [fips]).some((index) => index.isCurrent);
  const directory = isCurrent ? readDirectory(file, fips) : null;
  const found = directory === null ? null : (JSON.parse(directory) as CountyDirectory);
  return found?.format === directoryFormat ? found : null;
}

export async function countCurrent(server: ServerConnection, fips: string): Promise<number> {
  const [counted] = await server.rows<{ n: number }>(
    "SELECT count(*) AS n FROM parcels WHERE fips = $1 AND status = 'current'",
    [fips],
  );
  return counted?.n ?? 0;
}

/**
 * Call it in a transaction. @param keep a segment, packed
 * @returns null where there is none, or not of as many rows: TRUNCATE, for one, fires no trigger of a row
 */
export async function fetchIndex(
  server: ServerConnection,
  fips: string,
  keep: (name: string, packed: Buffer) => void,
): Promise<CountyDirectory | null> {
  const [found] = await server.rows<{ bytes: Buffer }>(
    `SELECT bytes FROM county_indexes p WHERE fips = $1 AND name = $2 AND ${hasIndexSql}`,
    [fips, directoryName],
  );
  if (!found) return null;
  const directory = JSON.parse(unpack(found.bytes).toString()) as CountyDirectory;
  if ((await countCurrent(server, fips)) !== directory.rows) return null;
  await server.rows(
    "DECLARE segments NO SCROLL CURSOR FOR SELECT name, bytes FROM county_indexes WHERE fips = $1 AND name NOT LIKE 'directory %'",
    [fips],
  );
  const next = () => server.rows<{ name: string; bytes: Buffer }>(`FETCH ${segmentsPerFetch} FROM segments`);
  for (let batch = await next(); batch.length > 0; batch = await next())
    for (const { name, bytes } of batch) keep(name, bytes);
  await server.run('CLOSE segments');
  return directory;
}
