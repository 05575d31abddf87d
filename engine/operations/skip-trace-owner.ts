/** POST skip-trace/: telephone numbers of a person by name and place, from the user's own contact records. */
import Type, { type Static, type TSchema } from 'typebox';
import { traceLimit, tracesPerMinute } from '../account/trace-limit.ts';
import { type ContactMatch, maxPhones, type WantedPerson } from '../contacts/match-contact.ts';
import { findContact } from '../query/contact-query.ts';
import { nonFieldErrors, validationError } from '../spec/errors.ts';
import {
  mailingZipSchema,
  normalZip,
  oneOf,
  orNull,
  stateSchema,
  strict,
  textSchema,
  type ValueOf,
} from '../spec/value-schemas.ts';
import type { PeopleStore } from '../store/people-store.ts';
import { defineOperation } from './operation.ts';

const skipTracePrice = 20;

const input = Type.Object(
  {
    first_name: textSchema({ description: 'First name or a short form of it; an initial never matches.' }),
    last_name: textSchema({ description: 'Last name.' }),
    address: Type.Optional(textSchema({ description: 'Street address; raises the rank of its record.' })),
    city: Type.Optional(textSchema({ description: 'Required with state if zip is absent.' })),
    state: Type.Optional(stateSchema({ description: 'Two letters; required with city if zip is absent.' })),
    zip: Type.Optional(
      mailingZipSchema({ description: 'ZIP code of 5 or 9 digits; required if city and state are absent.' }),
    ),
  },
  strict,
);
export type SkipTraceInput = ValueOf<typeof input>;

const nullable = <Schema extends TSchema>(schema: Schema, description: string) => orNull(schema, { description });

export const skipTraceResultSchema = Type.Object(
  {
    matched: Type.Boolean({ description: 'True when phone numbers were found.' }),
    first_name: nullable(Type.String(), 'First name on the matched record; null without a match.'),
    last_name: nullable(Type.String(), 'Last name on the matched record; null without a match.'),
    phones: Type.Array(
      Type.Object(
        {
          number: Type.String({ pattern: '^[0-9]{10}$', description: 'Ten digits.' }),
          line_type: nullable(
            oneOf(['Mobile', 'Landline']),
            'Null when unknown. Numbers are carried from one to the other, so about one in ten is wrong.',
          ),
          dnc: nullable(
            Type.Boolean(),
            'Whether the number is on the federal Do Not Call registry; null when unknown, which does not permit a call.',
          ),
        },
        { ...strict, title: 'SkipTracePhone' },
      ),
      { maxItems: maxPhones, description: 'Best match first, each number once; empty without a match.' },
    ),
  },
  { ...strict, title: 'SkipTraceResult' },
);
export type SkipTraceResult = Static<typeof skipTraceResultSchema>;

const resultOf = (match: ContactMatch | null): SkipTraceResult => ({
  matched: match !== null,
  first_name: match?.firstName ?? null,
  last_name: match?.lastName ?? null,
  phones: (match?.phones ?? []).map(({ number, lineType, dnc }) => ({ number, line_type: lineType, dnc })),
});

/** The same answer for both operations. */
export const traceContact = (people: PeopleStore, person: WantedPerson): SkipTraceResult =>
  resultOf(findContact(people, person));

/** The price of both operations: only a match costs. */
const skipTracePriceOf = (result: SkipTraceResult): number => (result.matched ? skipTracePrice : 0);

/** The wanted person of an input. */
export function personOf({ first_name, last_name, zip, address, city, state }: SkipTraceInput): WantedPerson {
  return {
    firstName: first_name,
    lastName: last_name,
    ...(address === undefined ? {} : { address }),
    ...(city === undefined ? {} : { city }),
    ...(state === undefined ? {} : { state }),
    ...(zip === undefined ? {} : { zip: normalZip(zip) }),
  };
}

/** Requires a ZIP, or city and state: a rule between fields, which a schema cannot express. */
function requirePlace({ city, state, zip }: SkipTraceInput): void {
  if (zip !== undefined || (city !== undefined && state !== undefined)) return;
  const together = 'required together with the other of city and state when zip is left out';
  if (city !== undefined) throw validationError({ state: [together] });
  if (state !== undefined) throw validationError({ city: [together] });
  throw validationError({ [nonFieldErrors]: ['expected zip, or city and state; found neither'] });
}

/** Refuses names without letters: they would compare as empty. */
function requireLetters(asked: SkipTraceInput): void {
  const empty = (['first_name', 'last_name'] as const).filter((field) => !/\p{L}/u.test(asked[field]));
  if (empty.length === 0) return;
  throw validationError(
    Object.fromEntries(empty.map((field) => [field, [`expected a name, found ${JSON.stringify(asked[field])}`]])),
  );
}

/** Shared by both traces: scope, price and the limit per minute. */
export const traceTerms = {
  scope: 'trace',
  needsPlan: true,
  meteringKey: 'public_skip_trace',
  priceDocs: `${skipTracePrice} tokens when matched; 0 otherwise`,
  quote: () => skipTracePrice,
  price: skipTracePriceOf,
  limit: traceLimit,
} as const;

export const skipTraceOwner = defineOperation({
  name: 'skip_trace_owner',
  summary: 'Skip trace a person by name and mailing address',
  docs: `Up to ${maxPhones} telephone numbers of a person, from the contact lists that were imported into this home. The last name must be equal, the first name equal or a known short form (Bill, William), and the place equal: the ZIP, or city and state; the street raises the rank. An initial alone never matches, and JR is never taken for SR. At most ${tracesPerMinute} skip traces a minute, both endpoints together.`,
  http: { method: 'POST', path: 'skip-trace/', status: 200 },
  ...traceTerms,
  input,
  output: skipTraceResultSchema,
  run: (asked, { people }) => {
    requireLetters(asked);
    requirePlace(asked);
    return traceContact(people, personOf(asked));
  },
  examples: [
    {
      title: 'By a short form of the first name, with the street',
      input: { first_name: 'Bill', last_name: 'Dubois', address: '316 N Belt Street', zip: '00142' },
    },
    {
      title: 'By city and state',
      input: { first_name: 'Peggy', last_name: 'Eriksson', city: 'Harrowgate', state: 'ZZ' },
    },
    {
      title: 'No one of that name is in the contact lists: not matched, and free',
      input: { first_name: 'Ada', last_name: 'Nobodaddy', zip: '00142' },
    },
  ],
});
