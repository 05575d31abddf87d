/** Feeds for spreadsheets: created, given a new address, revoked. None of it can be undone: a secret is shown once. */
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { chooseColumns, dictionaryColumns } from '../exporting/export-columns.ts';
import { valueFields } from '../feeds/feed-answer.ts';
import { feedFormats } from '../feeds/feed-formats.ts';
import { type Feed, type FeedSecret, listFeeds, makeFeed, renewFeed, revokeFeed } from '../feeds/feed-store.ts';
import { filterProperties } from '../operations/filter-properties.ts';
import { getPropertyAiCompValue } from '../operations/get-property-ai-comp-value.ts';
import { listComps } from '../operations/list-comps.ts';
import { parseFilterRequest } from '../query/filter-request.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { findProblems } from '../spec/validate.ts';
import { choiceSchema, strict, textSchema, type ValueOf } from '../spec/value-schemas.ts';
import type { AccountStore } from '../store/account-store.ts';
import { defineChange } from './change.ts';
import { idSchema, orderingSchema } from './chosen-parcels.ts';

const madeSchema = Type.Object(
  {
    feed_id: Type.Integer(),
    secret: Type.String(),
    leaves_out_do_not_mail: Type.Boolean({
      description: 'Whether the feed leaves out parcels whose owners must not get letters.',
    }),
    paths: Type.Array(Type.String(), {
      description: '`/feeds/<secret>/<name>.csv`, below the address of the API; one for each format.',
    }),
  },
  strict,
);
export type FeedMade = ValueOf<typeof madeSchema>;

const feedInput = Type.Object(
  {
    name: Type.Unsafe<string>({ ...textSchema({ description: 'what the feed is called' }), 'x-option': '<text>' }),
    kind: choiceSchema(['search', 'comps', 'value'], { expected: 'search, comps or value' }),
    input: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'A filter body, the input of list_comps, or `{ id, field }` of a value; without `id` its address takes one: `?id=17`.',
    }),
    ordering: Type.Optional(
      Type.Unsafe<ValueOf<typeof orderingSchema>>({
        ...orderingSchema,
        'x-option': '<column>',
        description: 'order of a search',
      }),
    ),
    columns: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 200,
        'x-option': '<names>',
        description: 'columns of a search, comma-separated (default: all)',
      }),
    ),
    leave_out_do_not_mail: Type.Optional(
      Type.Boolean({ 'x-option': '', description: 'leave parcels out of a search whose owners must not get letters' }),
    ),
  },
  strict,
);

/** The name is for people: the look-up ignores it. */
const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60) || 'feed';

const madeOf = (
  secret: FeedSecret,
  { name, kind, leaves_out_do_not_mail: leavesOut }: Pick<Feed, 'name' | 'kind' | 'leaves_out_do_not_mail'>,
): FeedMade => ({
  ...secret,
  leaves_out_do_not_mail: leavesOut,
  paths: feedFormats[kind].map((format) => `/feeds/${secret.secret}/${slug(name)}.${format}`),
});

/** The feeds without their addresses, of which only hashes are stored; newest first. */
export const listedFeeds = (account: AccountStore) =>
  listFeeds(account).map(({ feed_id, name, kind, leaves_out_do_not_mail, made_at, last_used_at }) => ({
    ...{ feed_id, name, kind, leaves_out_do_not_mail, made_at, last_used_at },
    formats: feedFormats[kind],
  }));

/** Rejects a feed whose query would fail. @throws EngineError validation_error */
function requireAskable({ kind, input, columns, leave_out_do_not_mail: leavesOut }: ValueOf<typeof feedInput>): void {
  if (leavesOut && kind !== 'search')
    throw validationError({ leave_out_do_not_mail: ['only the feed of a search can leave out owners'] });
  const pages = ['page', 'page_size', 'ordering'].filter((name) => name in input);
  if (pages.length > 0)
    throw validationError(Object.fromEntries(pages.map((name) => [name, ['a feed returns its whole result']])));
  if (kind === 'search') {
    const problems = findProblems(filterProperties.input, input);
    if (problems) throw validationError(problems);
    parseFilterRequest(input);
    chooseColumns(columns, dictionaryColumns);
  } else if (kind === 'comps') {
    const problems = findProblems(listComps.input, input);
    if (problems) throw validationError(problems);
  } else {
    const { field, ...rest } = input;
    // Without a parcel of its own the feed takes one with each request.
    const problems = findProblems(getPropertyAiCompValue.input, { id: 1, ...rest });
    if (problems) throw validationError(problems);
    if (!valueFields.some((known) => known === field))
      throw validationError({ field: [`expected one of ${valueFields.join(', ')}, found ${JSON.stringify(field)}`] });
  }
}

export const makeFeedChange = defineChange({
  name: 'make_feed',
  docs: 'Creates an address that a spreadsheet can read: one search, comps query or value. The address is shown once. Each is charged like its operation, at most once a day while the data stays the same.',
  input: feedInput,
  output: madeSchema,
  run: (input, { account, now }: Engine) => {
    requireAskable(input);
    const { name, kind, input: asked, ordering, columns, leave_out_do_not_mail: leavesOut } = input;
    const feed = {
      name: name.trim(),
      kind,
      input: asked,
      ordering: ordering ?? null,
      columns: columns ?? null,
      leaves_out_do_not_mail: leavesOut ?? false,
    };
    return { data: madeOf(makeFeed(account, feed, now()), feed) };
  },
});

export const renewFeedChange = defineChange({
  name: 'renew_feed',
  docs: 'Gives a feed a new address, shown once; the old one stops working.',
  input: Type.Object({ feed_id: idSchema }, strict),
  output: madeSchema,
  run: ({ feed_id: id }, { account }) => {
    const feed = listFeeds(account).find((one) => one.feed_id === id);
    if (!feed) throw new EngineError('not_found', `There is no feed ${id}, or it is already revoked.`);
    return { data: madeOf(renewFeed(account, id), feed) };
  },
});

export const revokeFeedChange = defineChange({
  name: 'revoke_feed',
  docs: 'Revokes a feed for good: its address stops working.',
  input: Type.Object({ feed_id: idSchema }, strict),
  output: Type.Null(),
  run: ({ feed_id: id }, { account, now }) => {
    revokeFeed(account, id, now());
    return { data: null };
  },
});
