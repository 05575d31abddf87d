/** The problems of the last dry run as a file. */
import fs from 'node:fs';
import path from 'node:path';
import { safeFileName } from '../exporting/export-shelf.ts';
import { EngineError } from '../spec/errors.ts';
import { noInput } from '../spec/value-schemas.ts';
import { madeFileSchema, shelve } from '../work/made-file.ts';
import { defineRead } from './read.ts';

export const saveProblems = defineRead({
  name: 'save_problems',
  docs: 'The problem rows of the last dry run as a CSV, to be fetched from /app/download/<id>.',
  input: noInput,
  output: madeFileSchema,
  run: async (_input, engine) => {
    const file = path.join(engine.home, 'reports', 'problems.csv');
    if (!fs.existsSync(file)) throw new EngineError('not_found', 'There is no list of problems: do a dry run first.');
    const name = safeFileName('problem rows', 'csv');
    return (await shelve(engine, name, (target) => fs.promises.copyFile(file, target))).made;
  },
});
