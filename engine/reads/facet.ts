/** The choices of a multi-select, with counts from the data. */
import Type from 'typebox';
import { liveFacet } from '../query/live-facet.ts';
import { parseLiveRequest, withoutFilter } from '../query/live-request.ts';
import { filters } from '../spec/filters.ts';
import { choiceSchema, count, orNull, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

/** Filters whose values can be listed, with the column they read. */
const facetColumns = new Map(
  filters.flatMap((row) =>
    row.kind === 'list' || row.kind === 'text' || row.kind === 'zips' || row.kind === 'exclude_zips'
      ? [[row.name, row.column] as const]
      : [],
  ),
);

export const facet = defineRead({
  name: 'facet',
  docs: 'The values of the column that a list filter reads, most frequent first, over what the other filters leave.',
  input: Type.Object(
    {
      filter: filterBodySchema,
      name: choiceSchema([...facetColumns.keys()]),
      limit: Type.Optional(wholeNumberSchema(1, 1000, { default: 200 })),
    },
    strict,
  ),
  output: Type.Object(
    {
      values: Type.Array(
        Type.Object({
          value: Type.String(),
          label: orNull(Type.String()),
          count: Type.Integer({ minimum: 1 }),
        }),
      ),
      distinct: count(),
      unknown: count(),
    },
    strict,
  ),
  run: ({ filter, name, limit = 200 }, { land, account }) =>
    liveFacet(land, withoutFilter(parseLiveRequest(filter, account), name), facetColumns.get(name) ?? '', limit),
});
