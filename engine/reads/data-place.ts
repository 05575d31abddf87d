/** The location of the data and its copies, for Settings. */
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import { listDailyCopies } from '../backup/daily-copies.ts';
import { homeFiles } from '../backup/home-files.ts';
import { syncWarning } from '../backup/home-place.ts';
import { plannedRestore } from '../backup/restore-home.ts';
import { dataFolders } from '../home-folder.ts';
import { count, noInput, orNull, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const text = Type.String();
const bytes = count();

export const dataPlace = defineRead({
  name: 'data_place',
  docs: 'The data folder, its files, the daily copies of account.sqlite, and a restore that waits for the next start.',
  input: noInput,
  output: Type.Object(
    {
      folder: text,
      folders: Type.Array(text, { description: 'All folders with data of the user: the home’s and the sample’s.' }),
      files: Type.Array(Type.Object({ name: text, bytes }, strict)),
      warning: orNull(text, {
        description: 'A sentence if the folder is synced to other machines; else null.',
      }),
      copies: Type.Array(Type.Object({ name: text, bytes, day: text }, strict), {
        description: 'Copies of account.sqlite, newest first.',
      }),
      planned_restore: orNull(Type.Object({ made_at: text, contents: text }, strict), {
        description: 'A restore that waits for the next start.',
      }),
    },
    strict,
  ),
  run: (_input, { home }) => ({
    folder: home,
    folders: dataFolders(home),
    files: homeFiles.map(({ name }) => ({ name, bytes: fs.statSync(path.join(home, name)).size })),
    warning: syncWarning(home),
    copies: listDailyCopies(home),
    planned_restore: plannedRestore(home),
  }),
});
