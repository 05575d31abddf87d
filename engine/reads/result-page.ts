/** Rows of the results table: free, because the search was paid. */
import Type from 'typebox';
import { parseOrdering } from '../operations/parcel-list.ts';
import { parseLiveRequest } from '../query/live-request.ts';
import { indexIn, type LiveRows, liveRows } from '../query/live-rows.ts';
import { rowColumns, rowOrderings } from '../query/row-columns.ts';
import { choiceSchema, count, listSchema, orNull, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

const orderings = rowOrderings.flatMap((column) => [column, `-${column}`]);

export const resultPage = defineRead({
  name: 'result_page',
  docs: 'A range of rows of a search result with the requested columns, in any order. The search itself is filter_properties, which is charged.',
  input: Type.Object(
    {
      filter: filterBodySchema,
      columns: listSchema(choiceSchema(rowColumns, { expected: 'a column of the parcel dictionary' })),
      ordering: Type.Optional(choiceSchema(orderings, { expected: 'a column to sort by, like "acres" or "-acres"' })),
      offset: Type.Optional(wholeNumberSchema(0, Number.MAX_SAFE_INTEGER, { default: 0 })),
      limit: Type.Optional(wholeNumberSchema(1, 1000, { default: 100 })),
      find: Type.Optional(
        wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, {
          description: 'A parcel whose index in the result is wanted, so that the table can scroll to it.',
        }),
      ),
    },
    strict,
  ),
  output: Type.Object(
    {
      count: count(),
      rows: Type.Unsafe<LiveRows['rows']>(
        Type.Array(Type.Object({ property_id: Type.Integer(), has_shape: Type.Boolean() })),
      ),
      index: orNull(Type.Integer({ minimum: -1 }), {
        description: 'Index of the `find` parcel, from 0; -1 if it is not in the result, null if not requested.',
      }),
    },
    strict,
  ),
  run: ({ filter, columns, ordering, offset = 0, limit = 100, find }, { land, account }) => {
    const request = parseLiveRequest(filter, account);
    const order = parseOrdering(ordering);
    return {
      ...liveRows(land, request, { columns, ordering: order, offset, limit }),
      index: find === undefined ? null : indexIn(land, request, order, find),
    };
  },
});
