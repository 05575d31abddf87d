/** The number and price of the comps a list would return: counting is free, listing is not. */
import Type from 'typebox';
import { compQueryOf, listComps } from '../operations/list-comps.ts';
import { queryComps } from '../query/comp-query.ts';
import { count, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const { page: _page, page_size: _size, ...conditions } = listComps.input.properties;

export const countComps = defineRead({
  name: 'count_comps',
  docs: 'How many comps list_comps would find, over all its pages; and what it costs for each.',
  input: Type.Partial(Type.Object(conditions), strict),
  output: Type.Object({ count: count(), tokens_each: count('What list_comps costs for each of them.') }, strict),
  run: (input, { land, now }) => {
    const page = { number: 1, offset: 0, size: 1 };
    const { count } = queryComps(land, { ...compQueryOf(input, now()), page });
    return { count, tokens_each: listComps.quote({ page_size: 1 }) };
  },
});
