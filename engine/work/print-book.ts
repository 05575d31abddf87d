/** Plans and prints a plat book, or one page to look at first, onto the shelf of files to be fetched. */
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import { bookLayoutFields, choiceFields } from '../book/book-fields.ts';
import type { BookEstimate } from '../book/estimate-book.ts';
import { safeFileName } from '../exporting/export-shelf.ts';
import { jobStatusSchema } from '../jobs/job-status.ts';
import { type QuestionInput, questions } from '../jobs/question-kinds.ts';
import { count, strict, textSchema } from '../spec/value-schemas.ts';
import { defineAnswer } from './answers/answer.ts';
import { exportWhatSchema } from './answers/export-parcels.ts';
import { askerField } from './answers/file-questions.ts';
import { freePlace, madeFileSchema, shelve } from './answers/made-file.ts';
import { bookChoice } from './book-choice.ts';
import { bookWords } from './book-words.ts';
import { defineChange } from './change.ts';

const fields = { of: exportWhatSchema, ...bookLayoutFields };

export const bookPlan = defineAnswer({
  name: 'book_plan',
  docs: `${questions.plan_book.docs} In a process of its own; a newer plan of the same \`asker\` stops it. Free.`,
  input: Type.Object({ ...fields, ...askerField }, strict),
  output: Type.Unsafe<BookEstimate & { /** Where none is given; null: the county. */ readonly title: string | null }>(
    Type.Unknown(),
  ),
  run: async ({ of, asker, ...layout }, engine) => {
    const request = { ...layout, ...choiceFields(bookChoice(engine, of)) } as QuestionInput<'plan_book'>;
    const estimate = (await engine.questions.ask('plan_book', request, asker)) as BookEstimate;
    return { ...estimate, title: bookWords(engine, of, layout).title ?? null };
  },
});

export const startBook = defineChange({
  name: 'start_book',
  docs: 'Prints a plat book in a process of its own. Answers with the job, whose report names the file; it is fetched from /app/download/<id> or /app/print/<id>, where <id> is the name of its folder, within 24 hours. Free.',
  input: Type.Object(fields, strict),
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

export const bookPage = defineAnswer({
  name: 'book_page',
  docs: 'One map page of a plat book with its details, exactly as the book will have it, to look at before all are made. Free.',
  input: Type.Object({ ...fields, page: textSchema({ description: 'A name of `book_plan`, like B2.' }) }, strict),
  output: Type.Object({ ...madeFileSchema.properties, detail_pages: count() }, strict),
  run: async ({ of, page, ...layout }, engine) => {
    const { made, told } = await shelve(engine, safeFileName(`Page ${page}`, 'pdf'), async (to) => {
      const report = await engine.jobs.run('plat_page', {
        to,
        page,
        ...layout,
        ...bookWords(engine, of, layout),
        ...choiceFields(bookChoice(engine, of)),
      });
      return report as { readonly detail_pages: number };
    });
    return { ...made, detail_pages: told.detail_pages };
  },
});
