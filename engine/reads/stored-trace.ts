/** What a skip trace found before: free, because it was paid. */
import Type from 'typebox';
import { type SkipTraceInput, skipTraceOwner } from '../operations/skip-trace-owner.ts';
import { getTracedOwner, type TracedPerson } from '../operations/skip-trace-property-owner.ts';
import { EngineError } from '../spec/errors.ts';
import { wholeNumberSchema } from '../spec/value-schemas.ts';
import { findTrace, parcelSubject, personSubject, type StoredTrace } from '../work/keep-traces.ts';
import { defineRead, type ReadContext } from './read.ts';

export interface KnownTrace extends StoredTrace {
  /** Of a parcel: whether its record still names who was looked for. A typed person stays who it is. */
  readonly is_same_person: boolean;
}

export const storedTrace = defineRead<{ id?: number; person?: SkipTraceInput }, { trace: KnownTrace | null }>({
  name: 'stored_trace',
  docs: 'The last skip trace of a parcel’s owner, or of a person as typed, that this app made; null when there is none.',
  input: Type.Object(
    { id: Type.Optional(wholeNumberSchema(1, Number.MAX_SAFE_INTEGER)), person: Type.Optional(skipTraceOwner.input) },
    { additionalProperties: false },
  ),
  output: Type.Object(
    {
      trace: Type.Union([
        Type.Object({
          asked: Type.Object({ firstName: Type.String(), lastName: Type.String() }),
          result: skipTraceOwner.output,
          traced_at: Type.String(),
          is_same_person: Type.Boolean(),
        }),
        Type.Null(),
      ]),
    },
    { additionalProperties: false },
  ),
  run: ({ id, person }, context) => {
    const subject = id === undefined ? person && personSubject(person) : parcelSubject(id);
    const trace = subject === undefined ? null : findTrace(context.people, subject);
    return { trace: trace && { ...trace, is_same_person: id === undefined || isAsked(trace.asked, id, context) } };
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
