/** Backup, restore and a copy to share, from Settings. */
import path from 'node:path';
import Type from 'typebox';
import { stampOf } from '../backup/home-files.ts';
import { cancelRestore } from '../backup/restore-home.ts';
import type { Engine } from '../engine.ts';
import { safeFileName } from '../exporting/export-shelf.ts';
import { validationError } from '../spec/errors.ts';
import { noInput, strict, textSchema } from '../spec/value-schemas.ts';
import { defineAnswer } from './answers/answer.ts';
import { madeFileSchema, shelve } from './answers/made-file.ts';
import { defineChange } from './change.ts';
import { tellLocal } from './tell-local.ts';

const onlyMyWorkField = { only_my_work: Type.Optional(Type.Boolean()) };

const copyName = ({ now }: Engine, title: string, ending: string) => safeFileName(`${title} ${stampOf(now())}`, ending);

export const makeBackup = defineAnswer({
  name: 'make_backup',
  docs: 'Writes a backup of the home, or of the user’s work alone, for download from /app/download/<id>.',
  input: Type.Object(onlyMyWorkField, strict),
  output: madeFileSchema,
  run: async ({ only_my_work = false }, engine) => {
    const name = copyName(engine, only_my_work ? 'platbook my work' : 'platbook backup', 'zip');
    return (await shelve(engine, name, (file) => engine.errands.run('backup', { file, only_my_work }))).made;
  },
});

export const makeShareCopy = defineAnswer({
  name: 'make_share_copy',
  docs: 'Writes a copy of land.sqlite to give away, without people and without the user’s own work.',
  input: noInput,
  output: madeFileSchema,
  run: async (_input, engine) => {
    const name = copyName(engine, 'platbook land', 'sqlite');
    return (await shelve(engine, name, (file) => engine.errands.run('share', { file }))).made;
  },
});

export const planRestore = defineChange({
  name: 'plan_restore',
  docs: 'Checks a backup and prepares it: the next start restores it, and keeps the current files in a folder of the home. Until then nothing changes.',
  input: Type.Object({ file: textSchema(), ...onlyMyWorkField }, strict),
  output: Type.Object(
    { made_at: Type.String({ description: 'ISO date-time of the backup.' }), contents: Type.String() },
    strict,
  ),
  run: async ({ file, only_my_work = false }, { errands }) => {
    if (!path.isAbsolute(file))
      throw validationError({ file: ['expected the whole path of a backup file on this computer'] });
    const { made_at, contents } = await tellLocal(() => errands.run('prepare_restore', { file, only_my_work }));
    return { data: { made_at, contents } };
  },
});

export const cancelRestoreChange = defineChange({
  name: 'cancel_restore',
  docs: 'Cancels a restore that waits for the next start.',
  input: noInput,
  output: Type.Object({ cancelled: Type.Boolean() }, strict),
  run: (_input, { home }) => ({ data: { cancelled: cancelRestore(home) } }),
});
