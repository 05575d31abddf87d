/** What a book can be asked for: options of the command, of the library and of the job. */

import Type from 'typebox';
import { paperField } from '../spec/paper-field.ts';
import type { PaperName } from '../spec/sheet-paper.ts';
import { wholeNumberSchema } from '../spec/value-schemas.ts';
import type { BookOptions } from './make-book.ts';

const ids = Type.Array(wholeNumberSchema(1, Number.MAX_SAFE_INTEGER), {
  ...{ maxItems: 5_000_000, 'x-expected': 'a list of property_ids' },
  description: 'Parcels; absent: all of the counties.',
});

export const bookFields = {
  counties: Type.Optional(
    Type.Array(Type.String({ minLength: 5, maxLength: 5 }), {
      ...{ minItems: 1, maxItems: 4000 },
      description: 'FIPS codes; absent: all counties of the home.',
    }),
  ),
  ids: Type.Optional(ids),
  scale: Type.Optional(
    wholeNumberSchema(600, 500_000, { description: '24000 for 1:24,000; absent: as the land needs.' }),
  ),
  paper: Type.Optional(paperField),
  details: Type.Optional(
    wholeNumberSchema(0, 100_000, {
      description: 'Crowded parts get pages of twice the scale, up to this one: 6000 without it; 0: no such pages.',
    }),
  ),
  names: Type.Optional(Type.Boolean({ description: 'False: parcel numbers stand for owners. True without it.' })),
  title: Type.Optional(Type.String({ maxLength: 80, description: 'On every page; the county without it.' })),
} as const;

export interface BookRequest {
  readonly counties?: readonly string[];
  readonly ids?: readonly number[];
  readonly scale?: number;
  readonly paper?: PaperName;
  readonly details?: number;
  readonly names?: boolean;
  readonly title?: string;
}

const usualDetails = 6000;

export const bookOptions = (
  { counties, ids: chosen, scale, paper = 'letter', details = usualDetails, names = true, title }: BookRequest,
  madeAt: Date,
): BookOptions => ({
  choice: { counties: counties ?? null, ids: chosen ?? null },
  scale: scale ?? null,
  details: details === 0 ? null : details,
  hasNames: names,
  title: title ?? null,
  ...{ paper, madeAt },
});
