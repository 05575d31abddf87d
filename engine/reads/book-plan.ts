/** The pages of a plat book before it is printed: what the Print screen shows as its choices change. */
import Type from 'typebox';
import { bookLayoutFields, bookOptions } from '../book/book-fields.ts';
import { estimateBook } from '../book/estimate-book.ts';
import { boxSchema, count, strict } from '../spec/value-schemas.ts';
import { exportWhatSchema } from '../work/answers/export-parcels.ts';
import { bookChoice } from '../work/book-choice.ts';
import { defineRead } from './read.ts';

export const bookPlan = defineRead({
  name: 'book_plan',
  docs: 'The map pages of a plat book as they will be, with about how many pages in all, bytes and seconds it takes, and the share of holdings that get a number instead of a name.',
  input: Type.Object({ of: exportWhatSchema, ...bookLayoutFields }, strict),
  output: Type.Object(
    {
      scale: count('24000 for 1:24,000.'),
      parcels: count(),
      map_pages: count(),
      detail_pages: count('About.'),
      pages: count('About, in all.'),
      bytes: count('About.'),
      seconds: count('About.'),
      numbered_share: Type.Number({ minimum: 0, maximum: 1, description: 'About.' }),
      land: Type.Array(Type.Number(), {
        description: 'Middles of at most 6,000 of the parcels: longitude and latitude by turns.',
      }),
      frames: Type.Array(Type.Object({ name: Type.String(), bounds: boxSchema }, strict)),
    },
    strict,
  ),
  run: ({ of, ...layout }, context) => {
    const { land, now } = context;
    return { ...estimateBook(land, { ...bookOptions(layout, now()), choice: bookChoice(context, of) }) };
  },
});
