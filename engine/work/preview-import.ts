/** The problems of the last dry run as a file. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import { safeFileName, shelfPlace } from '../exporting/export-shelf.ts';
import { EngineError } from '../spec/errors.ts';
import { defineChange } from './change.ts';

const strict = { additionalProperties: false };
export const saveProblems = defineChange<Record<string, never>, { id: string; name: string; bytes: number }>({
  name: 'save_problems',
  docs: 'The problem rows of the last dry run as a CSV, to be fetched from /app/download/<id>.',
  input: Type.Object({}, strict),
  output: Type.Object({ id: Type.String(), name: Type.String(), bytes: Type.Integer({ minimum: 0 }) }, strict),
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
