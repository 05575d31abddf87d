/** The `filter` that most reads take: the fields of filter_properties without paging, and `only_unknown`. */
import Type from 'typebox';
import { filterProperties } from '../operations/filter-properties.ts';
import { onlyUnknownFilters } from '../query/live-request.ts';
import { listSchema } from '../spec/value-schemas.ts';

const { page: _page, page_size: _size, ordering: _ordering, ...filterFields } = filterProperties.input.properties;

export const filterBodySchema = Type.Partial(
  Type.Object({
    ...filterFields,
    only_unknown: listSchema(Type.String({ 'x-expected': 'the name of a filter' }), {
      description: `Names of filters of which only the unknown are wanted. Any of: ${onlyUnknownFilters.join(', ')}.`,
    }),
  }),
  { additionalProperties: false, 'x-expected': 'an object of filter fields' },
);
