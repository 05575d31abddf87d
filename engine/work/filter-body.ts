/**
 * The `filter` of most reads: the fields of filter_properties without paging, `only_unknown`, and the user's own work.
 */
import Type from 'typebox';
import { filterProperties } from '../operations/filter-properties.ts';
import { onlyUnknownFilters } from '../query/live-request.ts';
import { stageNames } from '../spec/deals.ts';
import { booleanSchema, choiceSchema, isoDaySchema, listSchema, wholeNumberSchema } from '../spec/value-schemas.ts';

const {
  page: _page,
  page_size: _size,
  ordering: _ordering,
  fields: _fields,
  ...filterFields
} = filterProperties.input.properties;

const ids = (what: string) => listSchema(wholeNumberSchema(1, Number.MAX_SAFE_INTEGER), { description: what });

/** The user's own work, which the public API lacks. */
const workSchemas = {
  starred: booleanSchema({ description: 'Only starred parcels, or only the others.' }),
  tags: ids('Ids of tags; any of them.'),
  in_list: ids('Ids of lists; in any of them.'),
  not_in_list: ids('Ids of lists; in none of them.'),
  mailed_before: isoDaySchema({ description: 'Mailed at least once, the last time before this day.' }),
  stage: listSchema(choiceSchema(stageNames), { description: 'Stages of a deal; any of them.' }),
  next_before: isoDaySchema({ description: 'Deals whose next step is before this day.' }),
  next_after: isoDaySchema({ description: 'Deals whose next step is on this day or later.' }),
  offer_min: wholeNumberSchema(0, undefined, { description: 'Deals with an offer of at least so many dollars.' }),
  offer_max: wholeNumberSchema(0, undefined, { description: 'Deals with an offer of at most so many dollars.' }),
  touched_since: isoDaySchema({ description: 'Deals whose timeline has an entry on this day or later.' }),
};

export const filterBodySchema = Type.Partial(
  Type.Object({
    ...filterFields,
    only_unknown: listSchema(Type.String({ 'x-expected': 'the name of a filter' }), {
      description: `Names of filters whose unknown parcels alone are wanted. Any of: ${onlyUnknownFilters.join(', ')}.`,
    }),
    ...workSchemas,
  }),
  { additionalProperties: false, 'x-expected': 'an object of filter fields' },
);
