/** GET values/: the codes and names that a county uses in a column, with counts. */
import Type from 'typebox';
import { parcelNotices } from '../land/notices.ts';
import { facetColumns } from '../query/live-values.ts';
import {
  choiceSchema,
  count,
  fipsSchema,
  normalFips,
  orNull,
  strict,
  wholeNumberSchema,
} from '../spec/value-schemas.ts';
import { defineOperation, free, telling } from './operation.ts';

const mostValues = 1000;

export const facetSchema = Type.Object(
  {
    values: Type.Array(
      Type.Object({
        value: Type.String(),
        label: orNull(Type.String(), { description: "The county's name for the code, if it gives one." }),
        count: Type.Integer({ minimum: 1, description: 'Parcels with the value.' }),
      }),
      { description: 'Most frequent first.' },
    ),
    distinct: count('Number of distinct values.'),
    unknown: count('Parcels without a value.'),
  },
  strict,
);

export const listValues = defineOperation({
  name: 'list_values',
  summary: 'List the codes that a county uses',
  docs: 'The values of one column in a county with their counts: zoning, land use, subdivisions, ZIP codes and the like. A list filter takes these values.',
  http: { method: 'GET', path: 'values/', status: 200 },
  scope: 'read',
  needsPlan: true,
  ...free,
  input: Type.Object(
    {
      fips: fipsSchema({ description: 'The county.' }),
      column: choiceSchema([...new Set(facetColumns.values())], {
        description: 'Name of the column in the parcel dictionary.',
      }),
      limit: Type.Optional(
        wholeNumberSchema(1, mostValues, { description: 'Most values to return.', default: mostValues }),
      ),
    },
    strict,
  ),
  output: facetSchema,
  hasNotices: true,
  table: {
    columns: ['value', 'label', 'count'],
    rows: ({ values }) => values,
    total: ({ distinct }) => distinct,
  },
  run: ({ fips: given, column, limit = mostValues }, context) => {
    const fips = normalFips(given);
    return context.land.reading((land) =>
      telling(
        context,
        () => parcelNotices(land, [fips]),
        () => land.values(fips, column, limit),
      ),
    );
  },
  examples: [{ title: 'Zoning codes of the sample county', input: { fips: '99001', column: 'zoning', limit: 5 } }],
});
