/**
 * imagery.sqlite: the photos of the air that the user has named, and their halved levels. The photos themselves stay where
 * they are. Backups and copies to share leave it out: it can be made again from the photos.
 */
import fs from 'node:fs';
import path from 'node:path';
import { applicationId, type DatabaseKind, openSqliteFile, type SqliteFile } from './sqlite.ts';

/**
 * `written`: rises with every change. A photo of `kind` tiles is one file of tiles. `path`: as the user named it;
 * `kept`: the file below the home that is read in its place. `place`, `stretch`, `frame`: JSON (imagery/photo.ts).
 * `base_width` and `base_height`: the coarsest level that the file has itself; `steps`: rows of blocks of the levels below
 * it, of which `done` are made.
 */
const imagerySql = `
CREATE TABLE imagery_writes (written INTEGER NOT NULL);
INSERT INTO imagery_writes VALUES (0);
CREATE TABLE imagery (imagery_id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL CHECK (kind IN ('pixels', 'tiles')),
  title TEXT NOT NULL, flown TEXT, credit TEXT NOT NULL, added_at TEXT NOT NULL);
CREATE TABLE imagery_files (file_id INTEGER PRIMARY KEY AUTOINCREMENT, imagery_id INTEGER NOT NULL REFERENCES imagery ON DELETE CASCADE,
  path TEXT NOT NULL, kept TEXT, bytes INTEGER NOT NULL, written_ms REAL NOT NULL, fingerprint TEXT NOT NULL, flown TEXT,
  width INTEGER NOT NULL, height INTEGER NOT NULL, place TEXT NOT NULL, stretch TEXT, frame TEXT,
  west REAL NOT NULL, south REAL NOT NULL, east REAL NOT NULL, north REAL NOT NULL,
  base_width INTEGER NOT NULL, base_height INTEGER NOT NULL, first_level INTEGER NOT NULL, steps INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0, UNIQUE (imagery_id, path));
CREATE TABLE imagery_blocks (file_id INTEGER NOT NULL REFERENCES imagery_files ON DELETE CASCADE, level INTEGER NOT NULL,
  row INTEGER NOT NULL, column INTEGER NOT NULL, jpeg BLOB NOT NULL, mask BLOB, UNIQUE (file_id, level, row, column));
`;

const imageryKind: DatabaseKind = {
  fileName: 'imagery.sqlite',
  applicationId: applicationId('PLBI'),
  migrations: [imagerySql],
  synchronous: 'NORMAL',
  functions: () => ({}),
  shrinks: true,
  // A block takes 20 to 60 kB.
  pageSize: 16_384,
};

export const imageryPath = (home: string): string => path.join(home, 'imagery.sqlite');

/** Photos that are kept in the home. */
export const imageryFolder = 'imagery';

/** Creates the file if it is missing. @throws EngineError file_damaged and others */
export const openImagery = (home: string): SqliteFile => openSqliteFile(imageryPath(home), imageryKind);

export const hasImagery = (home: string): boolean => fs.existsSync(imageryPath(home));

export const noteImageryWrite = (file: SqliteFile) => file.run('UPDATE imagery_writes SET written = written + 1');
