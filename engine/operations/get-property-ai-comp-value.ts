/** GET properties/{id}/ai-comp-value/: what nearby land sales say a parcel is worth. */
import Type, { type Static } from 'typebox';
import { noValueParts } from '../comps/no-value.ts';
import { type ValueDay, valueDay } from '../comps/value-day.ts';
import { type Answered, andThen } from '../land/answered.ts';
import type { LandReader } from '../land/land-reader.ts';
import { EngineError, noParcel } from '../spec/errors.ts';
import { noValueSentence } from '../spec/no-value-words.ts';
import { dateSchema, orNull, parcelIdSchema, strict } from '../spec/value-schemas.ts';
import { warningSentence } from '../spec/value-warnings.ts';
import { defineOperation } from './operation.ts';

export const pricePerValue = 10;

/** The contract allows null; answers always give a number. */
const dollars = (docs: string) => Type.Unsafe<number>(orNull(Type.Number(), { description: docs }));

const kilometers = (distance: number, isRound: boolean): string => `${isRound ? distance : distance.toFixed(1)} km`;

/** The six numbers. */
const compValueSchema = Type.Object(
  {
    mean_price: dollars('Mean list or sale price of the comps used, US dollars.'),
    mean_ppa: dollars('Mean price per acre of the comps used, US dollars.'),
    mean_adjusted_price: dollars('The value: adjusted price per acre × the parcel’s acres, US dollars.'),
    mean_adjusted_ppa: dollars('Weighted geometric mean of the adjusted prices per acre, US dollars.'),
    confidence_score: dollars(
      '0 to 95; 72 means that about two sales in three fall within a factor of 1.39 of the value.',
    ),
    gini_index: dollars('Gini coefficient of the adjusted prices, 0 to 100; lower is tighter.'),
  },
  strict,
);
export type CompValue = Static<typeof compValueSchema>;
export const compValueFields = compValueSchema.properties;

interface WarnedValue {
  readonly value: CompValue;
  /** A sentence each. */
  readonly warnings: readonly string[];
}

/** @throws EngineError not_found without the parcel or a relevant comp */
export const warnedValue = (land: LandReader, id: number, on: ValueDay): Answered<WarnedValue> =>
  andThen(land.compValue(id, on), (explanation) => {
    if (!explanation) throw noParcel(id);
    if (explanation.value === null)
      throw new EngineError('not_found', noValueSentence(noValueParts(explanation), kilometers));
    const { value, warnings } = explanation;
    return { value, warnings: warnings.map((warning) => warningSentence(warning, (km) => kilometers(km, false))) };
  });

export const getPropertyAiCompValue = defineOperation({
  name: 'get_property_ai_comp_value',
  summary: 'Get the comp value of a parcel',
  docs: 'An estimate from nearby comparable land sales and listings, each adjusted to the parcel in size, time and place; the parcel’s own sale or listing stays out. A research indication, not an appraisal. Scripts and the command line also get the explanation: every comp used and left out (`platbook value ID --explain`).',
  http: { method: 'GET', path: 'properties/{id}/ai-comp-value/', status: 200 },
  scope: 'read',
  needsPlan: true,
  meteringKey: 'public_ai_comp_value',
  priceDocs: `${pricePerValue} tokens; 0 without the parcel or a relevant comp`,
  quote: () => pricePerValue,
  price: () => pricePerValue,
  input: Type.Object(
    {
      id: parcelIdSchema,
      as_of: Type.Optional(
        dateSchema({
          description: 'Values the land as of a past day, from nothing later: YYYYMMDD or YYYY-MM-DD (default: today).',
        }),
      ),
    },
    strict,
  ),
  output: compValueSchema,
  hasNotices: true,
  run: ({ id, as_of: asOf }, { land, now, notice }) =>
    andThen(warnedValue(land, id, valueDay(asOf, now())), ({ value, warnings }) => {
      notice?.(...warnings);
      return value;
    }),
  examples: [{ title: 'One parcel', input: { id: 6 } }],
});
