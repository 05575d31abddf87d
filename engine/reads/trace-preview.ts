/** The search of a skip trace before it is charged: who, and where. */
import Type from 'typebox';
import { findTracedOwner } from '../operations/skip-trace-property-owner.ts';
import { optOutsOf } from '../query/contact-query.ts';
import { orNull, strict, wantedPersonSchema, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const output = Type.Object(
  {
    person: orNull(wantedPersonSchema, {
      description: 'Null: the owner cannot be traced, or no parcel was given.',
    }),
    refusal: orNull(Type.String(), {
      description:
        'Why the owner cannot be traced, with the parcel as the subject: `is owned by a company`; null otherwise.',
    }),
    is_opted_out: Type.Boolean({
      description:
        'Whether the person is on the opt-out list: then a trace finds no one, whatever the contact lists hold.',
    }),
    has_contacts: Type.Boolean({
      description: 'Whether any contact list was imported: without one a trace finds no one.',
    }),
  },
  strict,
);

export const tracePreview = defineRead({
  name: 'trace_preview',
  docs: 'The exact person and place that a skip trace of a parcel’s owner, or of a person as typed, would search, or why it cannot.',
  input: Type.Object(
    { id: Type.Optional(wholeNumberSchema(1, Number.MAX_SAFE_INTEGER)), person: Type.Optional(wantedPersonSchema) },
    strict,
  ),
  output,
  run: ({ id, person: typed }, context) => {
    const { person, refusal } =
      id === undefined ? { person: typed ?? null, refusal: null } : findTracedOwner(id, context);
    return {
      person,
      refusal: refusal?.sentence ?? null,
      is_opted_out: person !== null && optOutsOf(context.people).hasPerson(person),
      has_contacts: context.people.file.get('SELECT 1 FROM contacts LIMIT 1') !== undefined,
    };
  },
});
