/** What a skip trace would search, before anything is charged: who, where, and how many still fit in this minute. */
import Type from 'typebox';
import { traceAllowance } from '../account/trace-limit.ts';
import { getTracedOwner, type TracedPerson } from '../operations/skip-trace-property-owner.ts';
import { EngineError } from '../spec/errors.ts';
import { wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead, type ReadContext } from './read.ts';

export interface TracePreview {
  /** Null: nobody can be traced, or no parcel was asked about. */
  readonly person: TracedPerson | null;
  /** Why nobody can be; null when somebody can. */
  readonly refusal: string | null;
  /** Whether any contact list was imported: without one a trace finds nobody. */
  readonly has_contacts: boolean;
  readonly per_minute: number;
  readonly left: number;
  /** Seconds until one more fits; 0 while one does. */
  readonly wait_seconds: number;
}

const optionalText = Type.Optional(Type.String());

export const tracePreview = defineRead<{ id?: number }, TracePreview>({
  name: 'trace_preview',
  docs: 'Exactly whom a skip trace of a parcel’s owner would look for and where, or why it cannot; and what is left of the limit a minute.',
  input: Type.Object(
    { id: Type.Optional(wholeNumberSchema(1, Number.MAX_SAFE_INTEGER)) },
    { additionalProperties: false },
  ),
  output: Type.Object(
    {
      person: Type.Union([
        Type.Object({
          firstName: Type.String(),
          middleName: optionalText,
          lastName: Type.String(),
          suffix: optionalText,
          address: optionalText,
          city: optionalText,
          state: optionalText,
          zip: optionalText,
        }),
        Type.Null(),
      ]),
      refusal: Type.Union([Type.String(), Type.Null()]),
      has_contacts: Type.Boolean(),
      per_minute: Type.Integer(),
      left: Type.Integer({ minimum: 0 }),
      wait_seconds: Type.Integer({ minimum: 0 }),
    },
    { additionalProperties: false },
  ),
  run: ({ id }, context) => {
    const { perMinute, left, waitSeconds } = traceAllowance(context.account, context.now());
    return {
      ...(id === undefined ? { person: null, refusal: null } : ownerOf(id, context)),
      has_contacts: context.people.file.get('SELECT 1 FROM contacts LIMIT 1') !== undefined,
      per_minute: perMinute,
      left,
      wait_seconds: waitSeconds,
    };
  },
});

function ownerOf(id: number, context: ReadContext): Pick<TracePreview, 'person' | 'refusal'> {
  try {
    return { person: getTracedOwner(id, context), refusal: null };
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'validation_error') throw error;
    return { person: null, refusal: error.details?.id?.[0] ?? error.message };
  }
}
