/** SpatiaLite: SQLite with mod_spatialite, its R-tree through SpatialIndex, and the B-trees that these filters want. */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { type ColumnType, columnTypes } from '../../../engine/spec/parcel-columns.ts';
import { type BenchEngine, type Cell, processMemory } from './engine.ts';
import { peerColumns } from './peer-rows.ts';
import { type Dialect, likePart, type Statement, statementsOf } from './peer-sql.ts';

const fileIn = (folder: string): string => path.join(folder, 'parcels.spatialite');

/** What its users index: what they filter by, within a county. */
const indexes = ['effective_acres', 'situs_zip', 'market_total_value', 'flood_zone_percent'];

/** SQLite has no regular expressions, so the marks that names hold are made blanks; LIKE decides most names before that. */
const marks = [',', '.', '&', '-', "'", '/'];
const wordsOf = (column: string): string =>
  `' ' || ${marks.reduce((text, mark) => `replace(${text}, ${mark === "'" ? "''''" : `'${mark}'`}, ' ')`, column)} || ' '`;

const dialect: Dialect = {
  placeholder: () => '?',
  oneOf: (column, values, bind) => `${column} IN (${values.map(bind).join(', ')})`,
  withoutWords: (column, words, bind) => {
    const has = words.map(
      (word) =>
        `(${column} LIKE ${bind(likePart(word))} ESCAPE '\\' AND ${wordsOf(column)} LIKE ${bind(likePart(` ${word} `))} ESCAPE '\\')`,
    );
    return `(${has.join(' OR ')}) IS NOT TRUE`;
  },
  withTokens: (column, tokens, bind) =>
    tokens.map((token) => `${column} LIKE ${bind(likePart(token))} ESCAPE '\\'`).join(' AND '),
  intersects: ({ wkt }, bind) => {
    const area = () => `GeomFromText(${bind(wkt)}, 4326)`;
    return `rowid IN (SELECT rowid FROM SpatialIndex WHERE f_table_name = 'parcels' AND f_geometry_column = 'geom' AND search_frame = ${area()}) AND ST_Intersects(geom, ${area()}) = 1`;
  },
};

function open(file: string): Database.Database {
  const database = new Database(file);
  try {
    database.loadExtension('mod_spatialite');
    database.pragma('cache_size = -262144');
    database.pragma('mmap_size = 8589934592');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const typeOf = (type: ColumnType | 'geometry'): string =>
  type === 'geometry' ? '' : (columnTypes[type].sql ?? 'TEXT');

function fill(database: Database.Database, landFile: string): void {
  const columns = peerColumns.filter(({ type }) => type !== 'geometry');
  const definitions = columns.map(({ name, type }) =>
    name === 'property_id' ? 'property_id INTEGER PRIMARY KEY' : `${name} ${typeOf(type)}`,
  );
  database.exec(`SELECT InitSpatialMetadata(1); CREATE TABLE parcels (${definitions.join(', ')});
    SELECT AddGeometryColumn('parcels', 'geom', 4326, 'GEOMETRY', 'XY');`);
  database.exec(`ATTACH '${landFile.replaceAll("'", "''")}' AS land`);
  database.exec(`INSERT INTO parcels (${columns.map(({ name }) => name).join(', ')}, geom)
    SELECT ${columns.map(({ expression }) => expression).join(', ')}, coalesce(geom, MakePoint(point_lon, point_lat, 4326))
    FROM land.parcels WHERE status = 'current' ORDER BY property_id`);
  database.exec('DETACH land');
  database.exec("SELECT CreateSpatialIndex('parcels', 'geom')");
  for (const [i, of] of indexes.entries()) database.exec(`CREATE INDEX parcels_${i} ON parcels (fips, ${of})`);
  database.exec('ANALYZE');
}

export const spatialite: BenchEngine = {
  name: 'SpatiaLite',
  missing: () => {
    try {
      open(':memory:').close();
      return null;
    } catch {
      return 'mod_spatialite: apt install libsqlite3-mod-spatialite';
    }
  },
  cannot: {},
  load: async (landFile, folder) => {
    const file = fileIn(folder);
    for (const old of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) fs.rmSync(old, { force: true });
    const began = performance.now();
    const database = open(file);
    try {
      database.pragma('journal_mode = OFF');
      database.pragma('synchronous = OFF');
      fill(database, landFile);
    } finally {
      database.close();
    }
    return { seconds: (performance.now() - began) / 1000, bytes: fs.statSync(file).size };
  },
  open: async (folder) => {
    const database = open(fileIn(folder));
    const statements = new Map<string, Database.Statement>();
    const prepared = (sql: string): Database.Statement => {
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    };
    const run = ({ sql, values }: Statement) =>
      prepared(sql)
        .raw()
        .all(...values) as Cell[][];
    const version = database.prepare("SELECT spatialite_version() || ', SQLite ' || sqlite_version()").pluck();
    return {
      version: () => version.get() as string,
      ask: (question) => {
        const { count, page } = statementsOf(question, dialect);
        const [[matches = 0] = []] = run(count);
        const rows = run(page);
        return () => ({ count: Number(matches), rows });
      },
      residentMemory: processMemory,
      close: () => {
        database.close();
      },
    };
  },
  files: (folder) => [fileIn(folder)],
  preload: () => open(':memory:').close(),
};
