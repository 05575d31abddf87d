/** A restore that waits for the next start. */
import path from 'node:path';
import Type from 'typebox';
import { cancelRestore } from '../backup/restore-home.ts';
import { validationError } from '../spec/errors.ts';
import { noInput, strict, textSchema } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';
import { tellLocal } from './tell-local.ts';

export const planRestore = defineChange({
  name: 'plan_restore',
  docs: 'Checks a backup and prepares it: the next start restores it, and keeps the current files in a folder of the home. Until then nothing changes.',
  input: Type.Object({ file: textSchema(), only_my_work: Type.Optional(Type.Boolean()) }, strict),
  output: Type.Object(
    { made_at: Type.String({ description: 'ISO date-time of the backup.' }), contents: Type.String() },
    strict,
  ),
  run: async ({ file, only_my_work = false }, { jobs }) => {
    if (!path.isAbsolute(file))
      throw validationError({ file: ['expected the whole path of a backup file on this computer'] });
    const { made_at, contents } = await tellLocal(() => jobs.run('prepare_restore', { file, only_my_work }));
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
