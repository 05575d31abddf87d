/** A backup, or a copy of the land to give away, as a file to be fetched. */
import Type from 'typebox';
import { stampOf } from '../backup/home-files.ts';
import { safeFileName } from '../exporting/export-shelf.ts';
import { noInput, strict } from '../spec/value-schemas.ts';
import { madeFileSchema, shelve } from '../work/made-file.ts';
import { defineRead, type ReadContext } from './read.ts';

const copyName = ({ now }: ReadContext, title: string, ending: string) =>
  safeFileName(`${title} ${stampOf(now())}`, ending);

export const makeBackup = defineRead({
  name: 'make_backup',
  docs: 'Writes a backup of the home, or of the user’s work alone, for download from /app/download/<id>.',
  input: Type.Object({ only_my_work: Type.Optional(Type.Boolean()) }, strict),
  output: madeFileSchema,
  run: async ({ only_my_work = false }, engine) => {
    const name = copyName(engine, only_my_work ? 'platbook my work' : 'platbook backup', 'zip');
    return (await shelve(engine, name, (file) => engine.jobs.run('backup', { file, only_my_work }))).made;
  },
});

export const makeShareCopy = defineRead({
  name: 'make_share_copy',
  docs: 'Writes a copy of land.sqlite to give away, without people and without the user’s own work.',
  input: noInput,
  output: madeFileSchema,
  run: async (_input, engine) => {
    const name = copyName(engine, 'platbook land', 'sqlite');
    return (await shelve(engine, name, (file) => engine.jobs.run('share', { file }))).made;
  },
});
