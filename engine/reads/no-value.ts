/** Why a parcel has no comp value, in parts, for a window that says them in its own units. */
import Type from 'typebox';
import { noValueParts } from '../comps/no-value.ts';
import { explainValue } from '../query/value-query.ts';
import type { NoValueParts } from '../spec/no-value-words.ts';
import { orNull, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const parts = Type.Unsafe<NoValueParts>(Type.Object({ reason: Type.String() }));

export const noValue = defineRead({
  name: 'no_value',
  docs: 'Why a parcel has no comp value: what it lacks, or how far the nearest comp is and why it cannot speak for the parcel; null where it has one.',
  input: Type.Object({ id: wholeNumberSchema(0, Number.MAX_SAFE_INTEGER) }, strict),
  output: Type.Object({ parts: orNull(parts) }, strict),
  run: ({ id }, { land, now }) => {
    const explanation = explainValue(land, id, now());
    return { parts: explanation?.value === null ? noValueParts(explanation) : null };
  },
});
