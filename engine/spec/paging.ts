/** Paging: the parameters `page` and `page_size`, and the envelope of a list answer. */
import Type, { type Static, type TSchema } from 'typebox';
import { count, orNull, strict, wholeNumberSchema } from './value-schemas.ts';

export interface PageSizes {
  readonly standard: number;
  readonly maximum: number;
}

export interface Page {
  readonly number: number;
  readonly size: number;
  readonly offset: number;
}

/** Values below 1 are errors; a page size above the maximum is clamped to it. */
export const pageFields = (sizes: PageSizes) => ({
  page: wholeNumberSchema(1, undefined, { description: 'Page, from 1.', default: 1 }),
  page_size: wholeNumberSchema(1, undefined, {
    description: `Rows of a page; more than ${sizes.maximum} means ${sizes.maximum}.`,
    default: sizes.standard,
  }),
});

type PageInput = { readonly [Field in keyof ReturnType<typeof pageFields>]?: number };

export function pageOf(input: PageInput, sizes: PageSizes): Page {
  const number = input.page ?? 1;
  const size = Math.min(input.page_size ?? sizes.standard, sizes.maximum);
  return { number, size, offset: (number - 1) * size };
}

/** The paginated envelope. `next` and `previous` are absolute over HTTP, and `?page=…` from the other doors. */
export const envelopeSchema = <Result extends TSchema>(result: Result) =>
  Type.Object(
    {
      count: count('Matches on all pages.'),
      next: orNull(Type.String(), { description: 'URL of the next page; null on the last.' }),
      previous: orNull(Type.String(), { description: 'URL of the previous page; null on the first.' }),
      results: Type.Array(result),
    },
    strict,
  );

export type Envelope<Result> = Omit<Static<ReturnType<typeof envelopeSchema>>, 'results'> & {
  results: Result[];
};
