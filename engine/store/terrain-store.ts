/**
 * terrain.sqlite: heights of the ground under a home's counties, for the map. Derived from elevation files: backups leave it
 * out, and the next import of an elevation file rebuilds it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { removeDatabase } from './file-header.ts';
import { applicationId, type DatabaseKind, openSqliteFile, type SqliteFile } from './sqlite.ts';

/** `written`: rises with every change. `slope`: rise over run, the 75th percentile. `made`: the contents of the elevation files, in the order of their arrival. `attribution`: a line for each file that shows. Bounds in degrees. */
const terrainSql = `
CREATE TABLE terrain_writes (written INTEGER NOT NULL);
INSERT INTO terrain_writes VALUES (0);
CREATE TABLE terrains (fips TEXT PRIMARY KEY, made TEXT NOT NULL, slope REAL NOT NULL, attribution TEXT NOT NULL,
  west REAL NOT NULL, south REAL NOT NULL, east REAL NOT NULL, north REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE height_tiles (fips TEXT NOT NULL, zoom INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
  lowest REAL NOT NULL, step REAL NOT NULL, steps BLOB NOT NULL, UNIQUE (zoom, x, y, fips));
`;

const terrainKind: DatabaseKind = {
  fileName: 'terrain.sqlite',
  applicationId: applicationId('PLBT'),
  migrations: [terrainSql],
  synchronous: 'NORMAL',
  functions: () => ({}),
  // A tile takes 30 to 60 kB.
  pageSize: 16_384,
};

export const terrainPath = (home: string): string => path.join(home, 'terrain.sqlite');

/** Creates the file if it is missing. @throws EngineError file_damaged and others */
export const openTerrain = (home: string): SqliteFile => openSqliteFile(terrainPath(home), terrainKind);

/** The file is derived: it can be made again. */
export const removeTerrain = (home: string): void => removeDatabase(terrainPath(home));

export const hasTerrain = (home: string): boolean => fs.existsSync(terrainPath(home));
