/** Pages: which parameters choose one, and the envelope that a list answer comes in. */
import Type, { type TProperties, type TSchema } from 'typebox';
import { wholeNumberSchema } from './value-schemas.ts';

export interface PageSizes {
  readonly standard: number;
  readonly maximum: number;
}

export type PageInput = {
  page?: number;
  page_size?: number;
};

export interface Page {
  readonly number: number;
  readonly size: number;
  readonly offset: number;
}

/** Below 1 is an error of the schema; above the maximum is clamped to it. */
export const pageFields = (sizes: PageSizes): TProperties => ({
  page: wholeNumberSchema(1, undefined, { description: 'Page, from 1.', default: 1 }),
  page_size: wholeNumberSchema(1, undefined, {
    description: `Rows of a page; more than ${sizes.maximum} is taken as ${sizes.maximum}.`,
    default: sizes.standard,
  }),
});

export function pageOf(input: PageInput, sizes: PageSizes): Page {
  const number = input.page ?? 1;
  const size = Math.min(input.page_size ?? sizes.standard, sizes.maximum);
  return { number, size, offset: (number - 1) * size };
}

/** The paginated envelope. `next` and `previous` are absolute over HTTP, and `?page=…` from the other doors. */
export interface Envelope<Result> {
  count: number;
  next: string | null;
  previous: string | null;
  results: Result[];
}

export const envelopeSchema = (result: TSchema) => {
  const link = (docs: string) => Type.Union([Type.String(), Type.Null()], { description: docs });
  return Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'Matches on all pages.' }),
      next: link('URL of the next page; null on the last.'),
      previous: link('URL of the previous page; null on the first.'),
      results: Type.Array(result),
    },
    { additionalProperties: false },
  );
};
