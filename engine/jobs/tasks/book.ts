/** The code of tasks that plan and print plat books. */
import { bookOptions } from '../../book/book-fields.ts';
import { estimateBook } from '../../book/estimate-book.ts';
import type { BookOptions } from '../../book/plan-book.ts';
import { writeBook, writePage } from '../../book/write-book.ts';
import { keepOwners } from './home.ts';
import { type Code, type LandTools, onLand } from './on-land.ts';

export const code: Code<'plat_book' | 'plat_page' | 'plan_book'> = {
  plat_book: onLand(({ to, ...request }, context) => {
    const options = knownOwners(bookOptions(request, context.now()), context);
    return writeBook(context.land, to, options, pageProgress(context));
  }),
  plat_page: onLand(({ to, page, ...request }, context) => {
    const options = knownOwners(bookOptions(request, context.now()), context);
    return writePage(context.land, { file: to, page }, options, pageProgress(context));
  }),
  // One snapshot: it asks many questions while an import may write.
  plan_book: onLand((input, { land, now }) => land.file.snapshot(() => estimateBook(land, bookOptions(input, now())))),
};

/** Works out holdings first: a book that is printed right after an import has them. */
function knownOwners(options: BookOptions, tools: LandTools): BookOptions {
  if (options.hasNames) keepOwners(tools);
  return options;
}

/** Pages a second are told from the first page on, so that the time left is known. */
const pageProgress = ({ progress, onStep, now }: LandTools) => {
  let startedAt: number | null = null;
  return {
    progress: (rows: number, total: number): void => {
      onStep();
      startedAt ??= now().getTime();
      const seconds = (now().getTime() - startedAt) / 1000;
      const rate = rows > 0 && seconds > 0 ? Math.round((10 * rows) / seconds) / 10 : 0;
      progress({ phase: 'drawing map pages', rows, total, rows_per_second: rate });
    },
  };
};
