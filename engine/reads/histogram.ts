/** The bars above a range. */
import Type from 'typebox';
import { parseLiveRequest } from '../query/live-request.ts';
import { liveHistogram } from '../query/live-values.ts';
import { filters } from '../spec/filters.ts';
import { choiceSchema, count, oneOf, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

const numberColumns = new Map(
  filters.flatMap((row) =>
    row.kind === 'range' || row.kind === 'min' || row.kind === 'max' || row.kind === 'frontage'
      ? [[row.name, row.column] as const]
      : [],
  ),
);

const counts = Type.Array(count());

export const histogram = defineRead({
  name: 'histogram',
  docs: 'The distribution of a range filter’s number: edges (linear or log, see `scale`), parcels of the place and parcels that meet the other filters in each bar.',
  input: Type.Object(
    {
      filter: filterBodySchema,
      name: choiceSchema([...numberColumns.keys()]),
      bars: Type.Optional(wholeNumberSchema(2, 100, { default: 26 })),
    },
    strict,
  ),
  output: Type.Object(
    {
      scale: oneOf(['linear', 'log']),
      edges: Type.Array(Type.Number()),
      all: counts,
      matching: counts,
      unknown: count(),
    },
    strict,
  ),
  run: ({ filter, name, bars = 26 }, { land, account }) =>
    liveHistogram(land, parseLiveRequest(filter, account), { name, column: numberColumns.get(name) ?? '' }, bars),
});
