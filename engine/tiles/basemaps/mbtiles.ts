/**
 * Reads MBTiles (https://github.com/mapbox/mbtiles-spec): SQLite files with one tile per row, rows counted from the south.
 *
 * A view or generated column in the file is code of its author, which SQLite would run, perhaps forever. So tiles are read
 * from plain tables only, in the three known layouts, and only through an index.
 */
import fs from 'node:fs';
import { isPlainTable, openForeignSqlite } from '../../store/foreign-sqlite.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import {
  type Basemap,
  boundsFrom,
  layerNames,
  maxStoredBytes,
  parseJson,
  plainAttribution,
  typeOfTile,
  UnfitBasemap,
  unzipped,
} from './basemap.ts';
import { tileSideOf } from './picture-side.ts';

const fileMark = 'SQLite format 3\0';
const mostZoom = 22;

interface Layout {
  readonly tables: Readonly<Record<string, readonly string[]>>;
  readonly from: string;
}

const place = ['zoom_level', 'tile_column', 'tile_row'] as const;

const layouts: readonly Layout[] = [
  { tables: { tiles: [...place, 'tile_data'] }, from: 'main.tiles AS t' },
  {
    tables: { map: [...place, 'tile_id'], images: ['tile_id', 'tile_data'] },
    from: 'main.map AS t JOIN main.images AS d ON d.tile_id = t.tile_id',
  },
  {
    tables: { tiles_shallow: [...place, 'tile_data_id'], tiles_data: ['tile_data_id', 'tile_data'] },
    from: 'main.tiles_shallow AS t JOIN main.tiles_data AS d ON d.tile_data_id = t.tile_data_id',
  },
];

/** @throws UnfitBasemap, or EngineError if it is not an intact SQLite file */
export function openMbtiles(filePath: string): Basemap {
  expectMark(filePath);
  const file = openForeignSqlite(filePath);
  try {
    return readMbtiles(file);
  } catch (error) {
    file.close();
    throw error;
  }
}

function expectMark(filePath: string): void {
  const start = Buffer.alloc(fileMark.length);
  const descriptor = fs.openSync(filePath, 'r');
  try {
    fs.readSync(descriptor, start, 0, start.length, 0);
  } finally {
    fs.closeSync(descriptor);
  }
  if (start.toString('latin1') === fileMark) return;
  throw new UnfitBasemap(
    `It is not an MBTiles file: expected a SQLite database, found ${JSON.stringify(start.toString('latin1', 0, 8))}.`,
  );
}

function readMbtiles(file: SqliteFile): Basemap {
  const layout = layouts.find(({ tables }) =>
    Object.entries(tables).every(([table, columns]) => isPlainTable(file, table, columns)),
  );
  if (!layout) {
    throw new UnfitBasemap('It holds no tiles in a plain table: expected the table tiles, or map and images.');
  }
  const tileSql = `SELECT CASE WHEN length(tile_data) <= ${maxStoredBytes} THEN tile_data END AS data
    FROM ${layout.from} WHERE t.zoom_level = ? AND t.tile_column = ? AND t.tile_row = ? LIMIT 1`;
  expectIndex(file, tileSql);
  const first = file.get<{ data: unknown }>(
    `SELECT CASE WHEN length(tile_data) <= ${maxStoredBytes} THEN tile_data END AS data FROM ${layout.from} LIMIT 1`,
  )?.data;
  const type = first instanceof Uint8Array ? typeOfTile(first) : null;
  if (type === null) throw new UnfitBasemap('Its first tile is neither an image nor a vector tile.');
  const metadata = readMetadata(file);
  return {
    type,
    ...zoomsOf(file, layout, metadata),
    tileSize: tileSideOf(type === 'raster' ? (first as Uint8Array) : null),
    bounds: boundsFrom((metadata.get('bounds') ?? '').split(',').map(Number)),
    attribution: plainAttribution(metadata.get('attribution')),
    layers: layerNames(parseJson(metadata.get('json') ?? '')),
    tile: async (z, x, y) => {
      const row = file.get<{ data: unknown }>(tileSql, z, x, 2 ** z - 1 - y);
      return row?.data instanceof Uint8Array ? unzipped(row.data) : null;
    },
    close: () => file.close(),
  };
}

/** Without an index each tile would need a scan of the whole file. */
function expectIndex(file: SqliteFile, tileSql: string): void {
  const plan = file.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${tileSql}`, 0, 0, 0);
  if (plan.every(({ detail }) => detail.startsWith('SEARCH'))) return;
  throw new UnfitBasemap(
    'It has no index on zoom_level, tile_column and tile_row, so its tiles cannot be found fast enough.',
  );
}

const mostMetadataRows = 1000;
const mostMetadataLetters = 1_000_000;

function readMetadata(file: SqliteFile): ReadonlyMap<string, string> {
  if (!isPlainTable(file, 'metadata', ['name', 'value'])) return new Map();
  const rows = file.rawRows(
    `SELECT name, value FROM (SELECT name, value FROM main.metadata LIMIT ${mostMetadataRows})
     WHERE typeof(name) = 'text' AND typeof(value) IN ('text', 'integer', 'real') AND length(value) <= ${mostMetadataLetters}`,
  );
  return new Map(rows.map(([name, value]) => [String(name).toLowerCase(), String(value)]));
}

/** Zooms from the metadata, else from the tiles. */
function zoomsOf(
  file: SqliteFile,
  { tables }: Layout,
  metadata: ReadonlyMap<string, string>,
): { minZoom: number; maxZoom: number } {
  const [table] = Object.keys(tables);
  const zoomOf = (name: string, end: 'min' | 'max'): number => {
    const said = Number(metadata.get(name) ?? Number.NaN);
    if (isZoom(said)) return said;
    // min and max are one step in the index.
    return Number(file.get<{ zoom: unknown }>(`SELECT ${end}(zoom_level) AS zoom FROM main.${table}`)?.zoom);
  };
  const [minZoom, maxZoom] = [zoomOf('minzoom', 'min'), zoomOf('maxzoom', 'max')];
  if (isZoom(minZoom) && isZoom(maxZoom) && minZoom <= maxZoom) return { minZoom, maxZoom };
  throw new UnfitBasemap(`Expected zooms from 0 to ${mostZoom}, found ${minZoom} to ${maxZoom}.`);
}

const isZoom = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= mostZoom;
