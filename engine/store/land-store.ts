/**
 * land.sqlite: parcels, datasets, the registry of identities, comps. A real SpatiaLite database that QGIS, ogr2ogr and
 * mod_spatialite open; the file people share. It holds no contacts and no account.
 */
import fs from 'node:fs';
import path from 'node:path';
import { blobBounds, blobGeometryType } from '../geo/spatialite-blob.ts';
import { packageRoot } from '../package-root.ts';
import { codesListed, notLoaded } from '../spec/county-words.ts';
import { EngineError, tooBroad } from '../spec/errors.ts';
import { apnKey, foldCase, foldSpaces, foldText, foldWords } from '../spec/text-fold.ts';
import { forgetColumnIndexes } from './column-store.ts';
import type { HomeKind } from './home-kind.ts';
import { imageryPath, openImagery } from './imagery-store.ts';
import { landMigrations } from './migrations/land.ts';
import { forgetNeighbours } from './neighbour-store.ts';
import { ReadOnlyFile } from './read-only-file.ts';
import { applicationId, type DatabaseKind, openSqliteFile, type SqlFunction, type SqliteFile } from './sqlite.ts';
import { openTerrain, terrainPath } from './terrain-store.ts';

/** The exact geometry test of the running filter; see `LandStore.withArea`. */
export interface AreaTest {
  intersectsBlob(blob: Uint8Array): boolean;
  intersectsPoint(longitude: number, latitude: number): boolean;
}

/** Time limit of one query. */
const deadlineMilliseconds = 2000;

/** State of one synchronous query; the connection's SQL functions read it. */
interface QueryState {
  area: AreaTest | null;
  deadline: number;
  now: () => number;
}

/** INDEXED BY: SQLite would read all parcels for each county of the nation. */
export const loadedCountiesSql = `SELECT fips, state, name FROM counties c
  WHERE EXISTS (SELECT 1 FROM parcels p INDEXED BY parcels_fips_acres WHERE p.fips = c.fips AND p.status = 'current')
  ORDER BY fips`;

/** A derived file beside the land file, opened once it is there; another program may remove or replace it. */
class SideFile {
  readonly #pathIn: (home: string) => string;
  readonly #open: (home: string) => SqliteFile;
  #file: SqliteFile | null = null;
  /** The number of the file, by which a replaced one is known. */
  #node: number | null = null;

  constructor(pathIn: (home: string) => string, open: (home: string) => SqliteFile) {
    this.#pathIn = pathIn;
    this.#open = open;
  }

  /** Null without. @throws EngineError file_damaged and others */
  in(home: string): SqliteFile | null {
    const found = fs.statSync(this.#pathIn(home), { throwIfNoEntry: false })?.ino ?? null;
    if (this.#file !== null && found !== this.#node) this.close();
    if (this.#file === null && found !== null) this.#file = this.#open(home);
    this.#node = found;
    return this.#file;
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }
}

export class LandStore {
  readonly file: SqliteFile;
  /** Called when a query finds a stale column index. */
  onStaleIndex: () => void = () => {};
  /** Called when a query finds that the neighbors of a county are not known as its shapes stand. */
  onStaleNeighbours: () => void = () => {};
  /** Called when a question finds owners that were worked out from other parcels or verdicts. */
  onStaleOwners: () => void = () => {};
  /** Called when a value finds its market model missing or made from other comps. */
  onStaleMarket: () => void = () => {};
  readonly #state: QueryState;
  readonly #terrain = new SideFile(terrainPath, openTerrain);
  readonly #imagery = new SideFile(imageryPath, openImagery);

  constructor(file: SqliteFile, state: QueryState) {
    this.file = file;
    this.#state = state;
  }

  /** Runs `work` with `in_area(geom, lon, lat)` answering for this area. */
  withArea<Result>(area: AreaTest | null, work: () => Result): Result {
    this.#state.area = area;
    try {
      return work();
    } finally {
      this.#state.area = null;
    }
  }

  /** Runs `work`; `tick()` stops it at the time limit, uncharged, with 400 "too broad". */
  withDeadline<Result>(work: () => Result): Result {
    this.#state.deadline = this.#state.now() + deadlineMilliseconds;
    try {
      return work();
    } finally {
      this.#state.deadline = Number.POSITIVE_INFINITY;
    }
  }

  /** Call it in loops outside SQLite. @throws EngineError past the time limit */
  tick(): void {
    stopAtDeadline(this.#state);
  }

  /** The heights beside this file, opened once there are any; null without. @throws EngineError file_damaged and others */
  get terrain(): SqliteFile | null {
    return this.#terrain.in(path.dirname(this.file.path));
  }

  /** The photos of the air beside this file; null without. @throws EngineError file_damaged and others */
  get imagery(): SqliteFile | null {
    return this.#imagery.in(path.dirname(this.file.path));
  }

  /** Whether the home holds the synthetic sample or real data; null when empty. */
  get kind(): HomeKind | null {
    return this.file.get<{ kind: HomeKind }>('SELECT kind FROM home_kind')?.kind ?? null;
  }

  county(fips: string): { fips: string; state: string; name: string } | undefined {
    return this.file.get('SELECT fips, state, name FROM counties WHERE fips = ?', fips);
  }

  /** Counties with current parcels, by their codes. */
  get loadedCounties(): { fips: string; state: string; name: string }[] {
    return this.file.all(loadedCountiesSql);
  }

  /** @throws EngineError not_found, naming the counties of `asked` without parcels, or that none is loaded */
  expectLoaded(asked: readonly string[] | null, loaded = this.loadedCounties.map(({ fips }) => fips)): void {
    const missing = asked?.filter((fips) => !loaded.includes(fips)) ?? [];
    if (missing.length === 0 && loaded.length > 0) return;
    const none = missing.length > 0 ? notLoaded(missing.map((fips) => ({ fips, county: this.county(fips) }))) : null;
    const words = loaded.length === 0 ? 'no county' : codesListed(loaded);
    throw new EngineError('not_found', `${none ?? 'No parcels are loaded'}; this home has ${words}.`);
  }

  /** `Sullivan County, NH`; the FIPS code if the county is unknown. */
  countyWords(fips: string): string {
    const county = this.county(fips.padStart(5, '0'));
    return county ? `${county.name}, ${county.state}` : fips;
  }

  get parcelCount(): number {
    return this.file.get<{ n: number }>("SELECT count(*) AS n FROM parcels WHERE status = 'current'")?.n ?? 0;
  }

  close(): void {
    this.#terrain.close();
    this.#imagery.close();
    this.file.close();
  }
}

/**
 * SpatiaLite's own triggers call MbrMin/Max and GeometryConstraints. SQLite takes the arity from `fn.length`, so every
 * parameter is declared.
 */
function landFunctions(state: QueryState): Record<string, SqlFunction> {
  const bound = (side: 'minX' | 'minY' | 'maxX' | 'maxY') => (blob: unknown) =>
    blob instanceof Uint8Array ? (blobBounds(blob)?.[side] ?? null) : null;
  const folded = (fold: (text: string) => string) => (text: unknown) => (typeof text === 'string' ? fold(text) : null);
  return {
    MbrMinX: bound('minX'),
    MbrMinY: bound('minY'),
    MbrMaxX: bound('maxX'),
    MbrMaxY: bound('maxY'),
    GeometryConstraints: (blob: unknown, type: unknown, srid: unknown) => {
      if (blob === null) return 1;
      const found = blob instanceof Uint8Array ? blobGeometryType(blob) : null;
      return found && found.type === type && found.srid === srid ? 1 : 0;
    },
    fold_case: folded(foldCase),
    fold_spaces: folded(foldSpaces),
    fold_text: folded(foldText),
    has_any_words: wordsTest(),
    apn_key: folded(apnKey),
    in_area: (blob: unknown, longitude: unknown, latitude: unknown) => {
      if (!state.area) throw new Error('in_area is called outside withArea');
      // A hostile area can take 0.2 ms per parcel: only a check of the clock on each one keeps the deadline.
      stopAtDeadline(state);
      if (blob instanceof Uint8Array) return state.area.intersectsBlob(blob) ? 1 : 0;
      if (typeof longitude !== 'number' || typeof latitude !== 'number') return 0;
      return state.area.intersectsPoint(longitude, latitude) ? 1 : 0;
    },
    tick: () => {
      stopAtDeadline(state);
      return 1;
    },
  };
}

function stopAtDeadline({ now, deadline }: QueryState): void {
  if (now() <= deadline) return;
  throw tooBroad();
}

/** Whether a text holds any of the phrases (a JSON list folded by `foldWords`); null for an unknown text. */
function wordsTest(): SqlFunction {
  // One statement passes the same list for every row.
  let list = '[]';
  let single: ReadonlySet<string> = new Set();
  let phrases: readonly string[] = [];
  return (text: unknown, given: unknown) => {
    if (typeof text !== 'string' || typeof given !== 'string') return null;
    if (given !== list) {
      list = given;
      const all = JSON.parse(given) as string[];
      single = new Set(all.map((phrase) => phrase.trim()).filter((phrase) => !phrase.includes(' ')));
      phrases = all.filter((phrase) => phrase.trim().includes(' '));
    }
    const words = foldWords(text);
    const holds =
      words
        .trim()
        .split(' ')
        .some((word) => single.has(word)) || phrases.some((phrase) => words.includes(phrase));
    return holds ? 1 : 0;
  };
}

/**
 * Fills in the nation's counties from data/counties.csv, whose names hold no commas. The migrations have added the
 * superseded codes.
 */
function seedCounties(file: SqliteFile): void {
  const text = fs.readFileSync(path.join(packageRoot, 'data', 'counties.csv'), 'utf8');
  for (const line of text.trimEnd().split('\n').slice(1)) {
    file.run(
      "INSERT OR REPLACE INTO counties (fips, state, name, superseded_by) VALUES (?, ?, ?, nullif(?, ''))",
      ...line.split(','),
    );
  }
}

const landKind = (state: QueryState): DatabaseKind => ({
  fileName: 'land.sqlite',
  applicationId: applicationId('PLBL'),
  migrations: landMigrations,
  synchronous: 'NORMAL',
  functions: () => landFunctions(state),
  changing: ['in_area', 'tick'],
  virtualModules: ['VirtualSpatialIndex'],
  afterRepair: (file) => {
    forgetColumnIndexes(file);
    forgetNeighbours(file);
  },
  seed: seedCounties,
  pageSize: 8192,
  cacheKibibytes: 65_536,
});

/** @param now milliseconds of a steady clock, for deadlines */
export function openLandStore(home: string, now: () => number): LandStore {
  const state: QueryState = { area: null, deadline: Number.POSITIVE_INFINITY, now };
  return new LandStore(openSqliteFile(path.join(home, 'land.sqlite'), landKind(state)), state);
}

/** The same file, read-only, for queries written by users. */
export const openLandQuestions = (home: string): ReadOnlyFile =>
  new ReadOnlyFile(
    path.join(home, 'land.sqlite'),
    landKind({ area: null, deadline: Number.POSITIVE_INFINITY, now: () => 0 }),
  );
