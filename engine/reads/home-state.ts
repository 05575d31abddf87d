/** What prevents writing, and data that has become old: the banners of the window. */
import fs from 'node:fs';
import Type from 'typebox';
import { syncWarning } from '../backup/home-place.ts';
import { freeWords } from '../spec/bytes-words.ts';
import { EngineError } from '../spec/errors.ts';
import { noInput, oneOf, orNull, strict, type ValueOf } from '../spec/value-schemas.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { defineRead, type ReadContext } from './read.ts';

const hindrances = ['locked', 'read_only', 'full', 'trouble'] as const;
type Hindrance = (typeof hindrances)[number];

/** With less free space an import or a day of notes may fill the disk. */
const leastFreeBytes = 200 * 1024 * 1024;
const oldMonths = 24;

const text = Type.String();

const output = Type.Object(
  {
    hindrance: orNull(Type.Object({ kind: oneOf(hindrances), words: text }, strict), {
      description: 'Why the user’s work cannot be written now; null while it can.',
    }),
    free_bytes: orNull(Type.Number({ minimum: 0 }), {
      description: 'On the disk of the home; null if unknown.',
    }),
    synced: orNull(text, {
      description: 'A sentence if the folder is synced to other machines; else null.',
    }),
    old: Type.Array(Type.Object({ fips: text, county: text, months: Type.Integer() }, strict), {
      description: 'Counties whose newest file is older than two years.',
    }),
  },
  strict,
);
type HomeState = ValueOf<typeof output>;

export const homeState = defineRead({
  name: 'home_state',
  docs: 'Whether the user’s work can be written now and why not, the free space of the disk, whether the folder is synced, and counties whose data is older than two years.',
  input: noInput,
  output,
  run: (_input, context) => {
    const freeBytes = freeBytesOf(context.home);
    return {
      hindrance: writeHindrance(context.account.file) ?? fullDisk(freeBytes),
      free_bytes: freeBytes,
      synced: syncWarning(context.home),
      old: oldCounties(context),
    };
  },
});

const kinds: Readonly<Record<string, Hindrance>> = {
  file_locked: 'locked',
  file_read_only: 'read_only',
  disk_full: 'full',
  disk_trouble: 'trouble',
};

/** Longer than another program needs for one row, too short to notice. */
const patienceMilliseconds = 50;

/** Takes the write lock, if it is free, and releases it: nothing is written. */
function writeHindrance(file: SqliteFile): HomeState['hindrance'] {
  const patience = file.pragma('busy_timeout');
  file.pragma(`busy_timeout = ${patienceMilliseconds}`);
  try {
    file.transaction(() => {});
    return null;
  } catch (error) {
    const kind = error instanceof EngineError ? kinds[error.code] : undefined;
    if (kind === undefined) throw error;
    return { kind, words: (error as EngineError).message };
  } finally {
    file.pragma(`busy_timeout = ${String(patience)}`);
  }
}

function freeBytesOf(home: string): number | null {
  try {
    const { bavail, bsize } = fs.statfsSync(home);
    return bavail * bsize;
  } catch {
    return null;
  }
}

const fullDisk = (freeBytes: number | null): HomeState['hindrance'] =>
  freeBytes === null || freeBytes >= leastFreeBytes
    ? null
    : { kind: 'full', words: `${freeWords(freeBytes)} are free on the disk of the data folder.` };

const newestSql = `
SELECT fips, coalesce(c.name, fips) AS county, max(source_date) AS newest
FROM datasets LEFT JOIN counties c USING (fips) GROUP BY fips ORDER BY newest, fips`;

/** The sample's invented date means nothing. */
function oldCounties({ land, now }: ReadContext): HomeState['old'] {
  if (land.kind === 'sample') return [];
  const today = now().toISOString().slice(0, 10);
  return land.file
    .all<{ fips: string; county: string; newest: string }>(newestSql)
    .map(({ newest, ...county }) => ({ ...county, months: monthsBetween(newest, today) }))
    .filter(({ months }) => months > oldMonths);
}

/** Full months from one ISO day to another. */
function monthsBetween(from: string, to: string): number {
  const [a = 0, b = 0] = [from, to].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
  return b - a - (to.slice(8, 10) < from.slice(8, 10) ? 1 : 0);
}
