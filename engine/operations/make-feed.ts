/** POST feeds/: an address that a spreadsheet reads, with one search, comps query or value behind it. */
import Type from 'typebox';
import { makeFeed } from '../account/feed-store.ts';
import { chooseColumns, dictionaryColumns } from '../exporting/export-columns.ts';
import type { Answered } from '../land/answered.ts';
import type { LandReader } from '../land/land-reader.ts';
import { compNotices, unloadedNotices } from '../land/notices.ts';
import { parseFilterRequest } from '../query/filter-request.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { findProblems, shown } from '../spec/validate.ts';
import { booleanSchema, choiceSchema, normalFips, strict, textSchema, type ValueOf } from '../spec/value-schemas.ts';
import { feedMade, feedMadeSchema, feedTerms, valueFields } from './feed-fields.ts';
import { filterProperties } from './filter-properties.ts';
import { getPropertyAiCompValue } from './get-property-ai-comp-value.ts';
import { listComps } from './list-comps.ts';
import { defineOperation, free, telling } from './operation.ts';
import { rowOrderingField } from './parcel-list.ts';

const feedInput = Type.Object(
  {
    name: Type.Unsafe<string>({ ...textSchema({ description: 'what the feed is called' }), 'x-option': '<text>' }),
    kind: choiceSchema(['search', 'comps', 'value'], {
      expected: 'search, comps or value',
      description: 'what the feed answers',
    }),
    input: Type.Record(Type.String(), Type.Unknown(), {
      'x-expected': 'an object of fields',
      description:
        'A filter body, the input of list_comps, or `{ id, field }` of a value; without `id` its address takes one: `?id=17`, or `?fips=99001&apn=12-3`.',
    }),
    ordering: Type.Optional(
      Type.Unsafe<ValueOf<typeof rowOrderingField>>({
        ...rowOrderingField,
        'x-option': '<column>',
        'x-expected': 'a column to sort by, like "acres" or "-acres"',
        description: 'order of a search',
      }),
    ),
    columns: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 200,
        'x-option': '<names>',
        'x-expected': 'a list of columns',
        description: 'columns of a search, comma-separated (default: all)',
      }),
    ),
    leave_out_do_not_mail: Type.Optional(
      Type.Unsafe<boolean>({
        ...booleanSchema({ description: 'leave parcels out of a search whose owners must not get letters' }),
        'x-option': '',
      }),
    ),
  },
  strict,
);

type FeedInput = ValueOf<typeof feedInput>;

/** A feed of a county that is not loaded answers, with nothing, until it is. */
function unloaded(land: LandReader, { kind, input }: FeedInput): Answered<string[]> {
  if (kind === 'search') return unloadedNotices(land, parseFilterRequest(input));
  const { fips } = input as { fips?: string | number };
  return kind === 'comps' ? compNotices(land, fips === undefined ? undefined : normalFips(fips)) : [];
}

/** Rejects a feed whose query would fail. @throws EngineError validation_error */
function requireAskable({ kind, input, columns, leave_out_do_not_mail: leavesOut }: FeedInput): void {
  if (leavesOut && kind !== 'search')
    throw validationError({ leave_out_do_not_mail: ['only the feed of a search can leave out owners'] });
  const pages = ['page', 'page_size', 'ordering', 'fields'].filter((name) => name in input);
  if (pages.length > 0)
    throw validationError(
      Object.fromEntries(
        pages.map((name) => [
          name,
          [name === 'fields' ? 'a feed has columns instead' : 'a feed returns its whole result'],
        ]),
      ),
    );
  if (kind === 'search') {
    const problems = findProblems(filterProperties.input, input);
    if (problems) throw validationError(problems);
    parseFilterRequest(input);
    requireColumns(columns);
  } else if (kind === 'comps') {
    const problems = findProblems(listComps.input, input);
    if (problems) throw validationError(problems);
  } else {
    const { field, ...rest } = input;
    // Without a parcel of its own the feed takes one with each request.
    const problems = findProblems(getPropertyAiCompValue.input, { id: 1, ...rest });
    if (problems) throw validationError(problems);
    if (!valueFields.some((known) => known === field))
      throw validationError({ field: [`expected one of ${valueFields.join(', ')}, found ${shown(field)}`] });
  }
}

/** @throws EngineError validation_error */
function requireColumns(columns: readonly string[] | undefined): void {
  try {
    chooseColumns(columns, dictionaryColumns);
  } catch (error) {
    throw error instanceof EngineError ? validationError({ columns: [error.message] }) : error;
  }
}

export const makeFeedOperation = defineOperation({
  name: 'make_feed',
  summary: 'Make a feed for a spreadsheet',
  docs: 'Creates an address that a spreadsheet can read: one search, comps query or value. The address is shown once and opens without a key, until it is revoked. Each is charged like its operation, at most once a day while the data stays the same. The feed of a search comes as CSV, GeoJSON, XLSX and GeoParquet; `?bbox=west,south,east,north` gives what meets a box of it.',
  http: { method: 'POST', path: 'feeds/', status: 201 },
  ...feedTerms,
  ...free,
  input: feedInput,
  output: feedMadeSchema,
  hasNotices: true,
  run: (input, context) => {
    requireAskable(input);
    const { account, now } = context;
    const { name, kind, input: asked, ordering, columns, leave_out_do_not_mail: leavesOut } = input;
    const feed = {
      name: name.trim(),
      kind,
      input: asked,
      ordering: ordering ?? null,
      columns: columns ?? null,
      leaves_out_do_not_mail: leavesOut ?? false,
    };
    return telling(
      context,
      () => unloaded(context.land, input),
      () => feedMade(account, makeFeed(account, feed, now()), feed),
    );
  },
  // None: an address is made by chance.
  examples: [],
});
