/** Where the data is, and what copies there are of it, for Settings. */
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import { type DailyCopy, listDailyCopies } from '../backup/daily-copies.ts';
import { homeFiles } from '../backup/home-files.ts';
import { syncWarning } from '../backup/home-place.ts';
import { plannedRestore } from '../backup/restore-home.ts';
import { defineRead } from './read.ts';

export interface DataPlace {
  /** The home folder. */
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  /** A sentence where the folder is copied to other machines; null where all is well. */
  readonly warning: string | null;
  /** Copies of account.sqlite, newest first. */
  readonly copies: readonly DailyCopy[];
  /** A restore that waits for the next start. */
  readonly planned_restore: { readonly made_at: string; readonly contents: string } | null;
}

const text = Type.String();
const bytes = Type.Integer({ minimum: 0 });
const strict = { additionalProperties: false };

export const dataPlace = defineRead<Record<string, never>, DataPlace>({
  name: 'data_place',
  docs: 'The data folder, its files, the daily copies of account.sqlite, and a restore that waits for the next start.',
  input: Type.Object({}, strict),
  output: Type.Object(
    {
      folder: text,
      files: Type.Array(Type.Object({ name: text, bytes }, strict)),
      warning: Type.Union([text, Type.Null()]),
      copies: Type.Array(Type.Object({ name: text, bytes, day: text }, strict)),
      planned_restore: Type.Union([Type.Object({ made_at: text, contents: text }, strict), Type.Null()]),
    },
    strict,
  ),
  run: (_input, { home }) => ({
    folder: home,
    files: homeFiles.map(({ name }) => ({ name, bytes: fs.statSync(path.join(home, name)).size })),
    warning: syncWarning(home),
    copies: listDailyCopies(home),
    planned_restore: plannedRestore(home),
  }),
});
