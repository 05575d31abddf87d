/** Backup, restore and a copy to share, from Settings. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import Type from 'typebox';
import { stampOf } from '../backup/home-files.ts';
import { cancelRestore } from '../backup/restore-home.ts';
import type { Engine } from '../engine.ts';
import { clearShelf, safeFileName, shelfPlace } from '../exporting/export-shelf.ts';
import { validationError } from '../spec/errors.ts';
import { count, noInput, strict, textSchema, type ValueOf } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';
import { tellLocal } from './tell-local.ts';

const copySchema = Type.Object(
  { id: Type.String({ description: 'For `GET /app/download/<id>`.' }), name: Type.String(), bytes: count() },
  strict,
);
type MadeCopy = ValueOf<typeof copySchema>;

async function shelved(
  engine: Engine,
  title: string,
  ending: string,
  make: (file: string) => Promise<{ bytes: number }>,
): Promise<MadeCopy> {
  clearShelf(engine.home, engine.now());
  const id = randomBytes(16).toString('hex');
  const name = safeFileName(`${title} ${stampOf(engine.now())}`, ending);
  const { bytes } = await tellLocal(async () => make(await shelfPlace(engine.home, id, name)));
  return { id, name, bytes };
}

const onlyMyWorkField = { only_my_work: Type.Optional(Type.Boolean()) };

export const makeBackup = defineChange({
  name: 'make_backup',
  docs: 'Writes a backup of the home, or of the user’s work alone, to be fetched from /app/download/<id>.',
  input: Type.Object(onlyMyWorkField, strict),
  output: copySchema,
  run: async ({ only_my_work = false }, engine) => {
    const title = only_my_work ? 'platbook my work' : 'platbook backup';
    const data = await shelved(engine, title, 'zip', (file) => engine.errands.run('backup', { file, only_my_work }));
    return { data };
  },
});

export const makeShareCopy = defineChange({
  name: 'make_share_copy',
  docs: 'Writes a copy of land.sqlite to give away, without people and without the user’s own work.',
  input: noInput,
  output: copySchema,
  run: async (_input, engine) => ({
    data: await shelved(engine, 'platbook land', 'sqlite', (file) => engine.errands.run('share', { file })),
  }),
});

export const planRestore = defineChange({
  name: 'plan_restore',
  docs: 'Checks a backup and puts it ready: the next start puts it in place, and what stands now is kept in a folder of the home. Until then nothing changes.',
  input: Type.Object({ file: textSchema(), ...onlyMyWorkField }, strict),
  output: Type.Object({ made_at: Type.String({ description: 'Of the backup.' }), contents: Type.String() }, strict),
  run: async ({ file, only_my_work = false }, { errands }) => {
    if (!path.isAbsolute(file))
      throw validationError({ file: ['expected the whole path of a backup file on this computer'] });
    const { made_at, contents } = await tellLocal(() => errands.run('prepare_restore', { file, only_my_work }));
    return { data: { made_at, contents } };
  },
});

export const cancelRestoreChange = defineChange({
  name: 'cancel_restore',
  docs: 'Takes back a restore that waits for the next start.',
  input: noInput,
  output: Type.Object({ cancelled: Type.Boolean() }, strict),
  run: (_input, { home }) => ({ data: { cancelled: cancelRestore(home) } }),
});
