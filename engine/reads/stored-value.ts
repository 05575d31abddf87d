/** A paid comp value with its explanation: viewing it again is free. */
import Type from 'typebox';
import { orNull, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import type { ShownValue } from '../work/shown-value.ts';
import { findValue } from '../work/stored-values.ts';
import { defineRead } from './read.ts';

const importedSince = `SELECT 1 FROM datasets d JOIN parcels p USING (fips) WHERE p.property_id = ? AND d.imported_at > ? LIMIT 1`;

export const storedValue = defineRead({
  name: 'stored_value',
  docs: 'The comp value of a parcel as last paid for in this app, with every comp used, its factors and weight, and those left out; null if it was never valued.',
  input: Type.Object({ id: wholeNumberSchema(1, Number.MAX_SAFE_INTEGER) }, strict),
  output: Type.Object(
    {
      stored: orNull(
        Type.Object({
          valued_at: Type.String(),
          value: Type.Unsafe<ShownValue>(
            Type.Object({
              numbers: Type.Object({ mean_adjusted_price: Type.Number(), confidence_score: Type.Number() }),
              range: Type.Object({ low: Type.Number(), high: Type.Number() }),
              used: Type.Array(Type.Object({ id: Type.String(), weight: Type.Number() })),
              tested: Type.String(),
            }),
          ),
          is_before_import: Type.Boolean({ description: 'Whether the county had an import since.' }),
        }),
      ),
    },
    strict,
  ),
  run: ({ id }, { account, land }) => {
    const found = findValue(account, id);
    if (!found) return { stored: null };
    const { valued_at, explained } = found;
    const isBefore = land.file.get(importedSince, id, valued_at) !== undefined;
    return { stored: { valued_at, value: explained, is_before_import: isBefore } };
  },
});
