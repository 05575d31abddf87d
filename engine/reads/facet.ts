/** The choices of a multi-select, with counts from the data. */
import Type from 'typebox';
import { facetSchema } from '../operations/list-values.ts';
import { parseLiveRequest, withoutFilter } from '../query/live-request.ts';
import { facetColumns, liveFacet } from '../query/live-values.ts';
import { choiceSchema, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

export const facet = defineRead({
  name: 'facet',
  docs: 'The values of a list filter’s column, most frequent first, among the parcels that pass the other filters.',
  input: Type.Object(
    {
      filter: filterBodySchema,
      name: choiceSchema([...facetColumns.keys()]),
      limit: Type.Optional(wholeNumberSchema(1, 1000, { default: 200 })),
    },
    strict,
  ),
  output: facetSchema,
  run: ({ filter, name, limit = 200 }, { land, account }) =>
    liveFacet(land, withoutFilter(parseLiveRequest(filter, account), name), facetColumns.get(name) ?? '', limit),
});
