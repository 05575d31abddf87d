/** The plan of a plat book, and one page of it to look at before all are made. */
import Type from 'typebox';
import { bookLayoutFields, choiceFields } from '../book/book-fields.ts';
import type { BookEstimate } from '../book/estimate-book.ts';
import { safeFileName } from '../exporting/export-shelf.ts';
import { type TaskInput, tasks } from '../jobs/task-kinds.ts';
import { count, strict, textSchema } from '../spec/value-schemas.ts';
import { bookChoice } from '../work/book-choice.ts';
import { bookWords } from '../work/book-words.ts';
import { exportWhatSchema } from '../work/export-choice.ts';
import { madeFileSchema, shelve } from '../work/made-file.ts';
import { askerField } from './file-questions.ts';
import { defineRead } from './read.ts';

const fields = { of: exportWhatSchema, ...bookLayoutFields };

export const bookPlan = defineRead({
  name: 'book_plan',
  docs: `${tasks.plan_book.docs} In a process of its own; a newer plan of the same \`asker\` stops it. Free.`,
  input: Type.Object({ ...fields, ...askerField }, strict),
  output: Type.Unsafe<BookEstimate & { /** Where none is given; null: the county. */ readonly title: string | null }>(
    Type.Unknown(),
  ),
  run: async ({ of, asker, ...layout }, engine) => {
    const request = { ...layout, ...choiceFields(bookChoice(engine, of)) } as TaskInput<'plan_book'>;
    const estimate = (await engine.jobs.ask('plan_book', request, asker)) as BookEstimate;
    return { ...estimate, title: bookWords(engine, of, layout).title ?? null };
  },
});

export const bookPage = defineRead({
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
