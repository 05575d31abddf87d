/** The result of an earlier skip trace: free, because it was paid for. */
import Type from 'typebox';
import { skipTraceOwner } from '../operations/skip-trace-owner.ts';
import { getTracedOwner, type TracedPerson } from '../operations/skip-trace-property-owner.ts';
import { EngineError } from '../spec/errors.ts';
import { orNull, strict, wantedPersonSchema, wholeNumberSchema } from '../spec/value-schemas.ts';
import { findTrace, parcelSubject, personSubject } from '../work/store-traces.ts';
import { defineRead, type ReadContext } from './read.ts';

const trace = Type.Object({
  asked: wantedPersonSchema,
  result: skipTraceOwner.output,
  traced_at: Type.String(),
  is_same_person: Type.Boolean({
    description: 'For a parcel: whether its record still names the traced person. A typed person never changes.',
  }),
});

export const storedTrace = defineRead({
  name: 'stored_trace',
  docs: 'The last skip trace of a parcel’s owner, or of a person as typed, that this app made; null when there is none.',
  input: Type.Object(
    { id: Type.Optional(wholeNumberSchema(1, Number.MAX_SAFE_INTEGER)), person: Type.Optional(skipTraceOwner.input) },
    strict,
  ),
  output: Type.Object(
    {
      trace: orNull(trace),
    },
    strict,
  ),
  run: ({ id, person }, context) => {
    const subject = id === undefined ? person && personSubject(person) : parcelSubject(id);
    const found = subject === undefined ? null : findTrace(context.people, subject);
    return { trace: found && { ...found, is_same_person: id === undefined || isAsked(found.asked, id, context) } };
  },
});

const plain = (person: TracedPerson): string => JSON.stringify(Object.entries(person).sort());

function isAsked(asked: TracedPerson, id: number, context: ReadContext): boolean {
  try {
    return plain(asked) === plain(getTracedOwner(id, context));
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
