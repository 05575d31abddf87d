/** The problems of the last dry run as a file. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import { safeFileName, shelfPlace } from '../exporting/export-shelf.ts';
import { EngineError } from '../spec/errors.ts';
import { count, noInput, strict } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';

export const saveProblems = defineChange({
  name: 'save_problems',
  docs: 'The problem rows of the last dry run as a CSV, to be fetched from /app/download/<id>.',
  input: noInput,
  output: Type.Object({ id: Type.String(), name: Type.String(), bytes: count() }, strict),
  run: async (_input, { home }) => {
    const file = path.join(home, 'reports', 'problems.csv');
    if (!fs.existsSync(file)) throw new EngineError('not_found', 'There is no list of problems: do a dry run first.');
    const id = randomBytes(16).toString('hex');
    const name = safeFileName('problem rows', 'csv');
    const place = await shelfPlace(home, id, name);
    await fs.promises.copyFile(file, place);
    return { data: { id, name, bytes: fs.statSync(place).size } };
  },
});
