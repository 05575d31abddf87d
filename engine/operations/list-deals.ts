/** GET deals/: the desk, soonest next step first. */
import Type, { type TInteger } from 'typebox';
import { andThen } from '../land/answered.ts';
import type { DeskParcel } from '../land/land-reader.ts';
import { type DealRow, deskCounts, paidValues, readDeals, readTimeline } from '../query/deals.ts';
import { type Due, dueGroups, dueOf, logKinds, stageNames } from '../spec/deals.ts';
import { envelopeSchema, pageFields, pageOf } from '../spec/paging.ts';
import { foldText } from '../spec/text-fold.ts';
import {
  booleanSchema,
  choiceSchema,
  count,
  isoDaySchema,
  listSchema,
  oneOf,
  orNull,
  strict,
  textSchema,
  type ValueOf,
  wholeNumberSchema,
} from '../spec/value-schemas.ts';
import { checkDays, todayField, todayOf } from './deal-fields.ts';
import { defineOperation, free, type OperationContext } from './operation.ts';
import { envelopeOf } from './parcel-list.ts';

const pageSizes = { standard: 100, maximum: 1000 };

const input = Type.Partial(
  Type.Object({
    stage: listSchema(choiceSchema(stageNames), {
      description: 'Stages, any of them. Without it: all but `closed` and `dropped`.',
    }),
    due: listSchema(choiceSchema(dueGroups), {
      description: 'When the next step is due; `week` is after today until Sunday, `none` has no day.',
    }),
    next_before: isoDaySchema({ description: 'Next step before this day.' }),
    next_after: isoDaySchema({ description: 'Next step on this day or later.' }),
    offer_min: wholeNumberSchema(0, undefined, { description: 'Offer of at least so many dollars.' }),
    offer_max: wholeNumberSchema(0, undefined, { description: 'Offer of at most so many dollars.' }),
    touched_since: isoDaySchema({ description: 'The timeline has an entry on this day or later.' }),
    words: textSchema({ description: 'Part of the owner, the APN, the next step or the note.' }),
    ids: listSchema(wholeNumberSchema(1, Number.MAX_SAFE_INTEGER), {
      description: 'Parcels by property_id, in any stage unless `stage` says which.',
    }),
    timeline: booleanSchema({ description: 'Whether each deal has its timeline.' }),
    today: todayField,
    ...pageFields(pageSizes),
  }),
  strict,
);

const text = Type.String();
const dollars = orNull(Type.Integer());

const dealSchema = Type.Object(
  {
    property_id: Type.Integer(),
    fips: orNull(text),
    apn: orNull(text),
    owner_name: orNull(text),
    acres: orNull(Type.Number()),
    situs_address: orNull(text),
    situs_city: orNull(text),
    point: orNull(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), { description: 'Longitude, latitude.' }),
    stage: oneOf(stageNames),
    since: Type.String({ description: 'The day on which the stage began.' }),
    next_on: orNull(text, { description: 'The day of the next step.' }),
    next_what: orNull(text, { description: 'The next step in words.' }),
    due: oneOf(dueGroups),
    offer: orNull(Type.Integer(), { description: 'Dollars.' }),
    offer_formula: orNull(text, {
      description: 'How the offer was reckoned on that day; it stays when the value moves.',
    }),
    offered_on: orNull(text),
    agreed: orNull(Type.Integer(), { description: 'The price agreed on, dollars.' }),
    note: orNull(text),
    last_touch: orNull(text, { description: 'Day of the latest entry of the timeline.' }),
    value_low: { ...dollars, description: 'Range of the comp value paid for; null: none.' },
    value_high: dollars,
    timeline: Type.Optional(
      Type.Array(Type.Object({ at: text, what: oneOf(logKinds), detail: orNull(text) }, strict), {
        description: 'Newest first; only if asked for.',
      }),
    ),
  },
  { ...strict, title: 'Deal' },
);
type Deal = ValueOf<typeof dealSchema>;

const groupsSchema = Type.Object(Object.fromEntries(dueGroups.map((due) => [due, count()])) as Record<Due, TInteger>, {
  ...strict,
  description: 'Matches on all pages by when they are due, in the order of the list.',
});

const countsSchema = Type.Object(
  {
    open: count('Neither closed nor dropped.'),
    overdue: count(),
    today: count(),
    week: count('Until Sunday, today among them; overdue is apart.'),
    no_next_step: count(),
    stages: Type.Array(
      Type.Object(
        {
          stage: oneOf(stageNames),
          deals: count(),
          sum: Type.Integer({ description: 'Dollars of the offers; before Mailed, the middle of the values.' }),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: 'Counts of the whole desk, whatever is asked for.' },
);

const isLike = ({ next_what: next, note }: DealRow, parcel: DeskParcel | undefined, words: string): boolean =>
  [parcel?.owner_name, parcel?.apn, parcel?.situs_address, next, note].some(
    (one) => one && foldText(one).includes(words),
  );

function dealOf(row: DealRow, parcel: DeskParcel | undefined, { account, hasTimeline, today, values }: Showing): Deal {
  const value = values.get(row.property_id);
  const [longitude, latitude] = [parcel?.point_lon ?? null, parcel?.point_lat ?? null];
  return {
    ...row,
    fips: parcel?.fips ?? null,
    apn: parcel?.apn ?? null,
    owner_name: parcel?.owner_name ?? null,
    acres: parcel?.acres ?? null,
    situs_address: parcel?.situs_address ?? null,
    situs_city: parcel?.situs_city ?? null,
    point: longitude === null || latitude === null ? null : [longitude, latitude],
    due: dueOf(row.next_on, today),
    value_low: value ? Math.round(value.low) : null,
    value_high: value ? Math.round(value.high) : null,
    ...(hasTimeline ? { timeline: readTimeline(account, row.property_id) } : {}),
  };
}

interface Showing {
  readonly account: OperationContext['account'];
  readonly hasTimeline: boolean;
  readonly today: string;
  readonly values: ReturnType<typeof paidValues>;
}

function groupsOf(rows: readonly DealRow[], today: string): Record<Due, number> {
  const groups = { overdue: 0, today: 0, week: 0, later: 0, none: 0 };
  for (const { next_on: on } of rows) groups[dueOf(on, today)] += 1;
  return groups;
}

function listed(given: ValueOf<typeof input>, context: OperationContext) {
  const { account, land } = context;
  const today = todayOf(given.today, context.now());
  const { next_before, next_after, touched_since } = given;
  checkDays({ next_before, next_after, touched_since, today });
  const rows = readDeals(account, given, today);
  const page = pageOf(given, pageSizes);
  const words = given.words === undefined ? null : foldText(given.words);
  const part = (all: readonly DealRow[]) => all.slice(page.offset, page.offset + page.size);
  // Words are looked for in the parcels of all deals, else the page's own suffice.
  const wanted = (words === null ? part(rows) : rows).map(({ property_id: id }) => id);
  return andThen(land.deskParcels(wanted), (parcels) => {
    const found = words === null ? rows : rows.filter((row) => isLike(row, parcels.get(row.property_id), words));
    const shown = part(found);
    const values = paidValues(
      account,
      shown.map(({ property_id: id }) => id),
    );
    const showing = { account, hasTimeline: given.timeline === true, today, values };
    const results = shown.map((row) => dealOf(row, parcels.get(row.property_id), showing));
    return {
      ...envelopeOf({ count: found.length, results }, page, context),
      groups: groupsOf(found, today),
      desk: deskCounts(account, today),
    };
  });
}

const columns = Object.keys(dealSchema.properties).filter((name) => name !== 'point' && name !== 'timeline');

export const listDeals = defineOperation({
  name: 'list_deals',
  summary: 'List the deals of the desk',
  docs: 'Deals with their parcels, soonest next step first, and the counts of the desk: overdue, due today and this week, without a next step, by stage. A deal is one parcel on the way from Watching to Closed; it is the user’s own work and leaves in no copy to share and no feed.',
  http: { method: 'GET', path: 'deals/', status: 200 },
  scope: 'read',
  needsPlan: true,
  ...free,
  input,
  output: Type.Object({ ...envelopeSchema(dealSchema).properties, groups: groupsSchema, desk: countsSchema }, strict),
  table: {
    columns,
    rows: ({ results }) => results as readonly Readonly<Record<string, unknown>>[],
    total: (list) => list.count,
  },
  pages: pageSizes,
  run: (given, context) => context.land.reading((land) => listed(given, { ...context, land })) as never,
  // None: examples run on the sample, whose desk is empty.
  examples: [],
});
