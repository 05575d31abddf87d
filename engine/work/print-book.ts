/** Prints a plat book onto the shelf of files to be fetched. */
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import { bookLayoutFields, choiceFields } from '../book/book-fields.ts';
import { safeFileName } from '../exporting/export-shelf.ts';
import { jobStatusSchema } from '../jobs/job-status.ts';
import { strict } from '../spec/value-schemas.ts';
import { bookChoice } from './book-choice.ts';
import { bookWords } from './book-words.ts';
import { defineChange } from './change.ts';
import { exportWhatSchema } from './export-choice.ts';
import { freePlace } from './made-file.ts';

export const startBook = defineChange({
  name: 'start_book',
  docs: 'Prints a plat book in a process of its own. Answers with the job, whose report names the file; it is fetched from /app/download/<id> or /app/print/<id>, where <id> is the name of its folder, within 24 hours. Free.',
  input: Type.Object({ of: exportWhatSchema, ...bookLayoutFields }, strict),
  output: jobStatusSchema,
  run: async ({ of, ...layout }, engine) => {
    const words = bookWords(engine, of, layout);
    const { target: to } = await freePlace(engine, safeFileName(words.title ?? 'Plat book', 'pdf'));
    const job = engine.jobs.start('plat_book', { to, ...layout, ...words, ...choiceFields(bookChoice(engine, of)) });
    void engine.jobs.finished(job.job_id).then(({ state }) => {
      if (state !== 'done') fs.rmSync(path.dirname(to), { recursive: true, force: true });
    });
    return { data: job };
  },
});
