/** Mailings with what came of them; one mailing with its letters, who gets none, and the letters to look at. */
import Type from 'typebox';
import {
  type Figures,
  getMailing,
  listMailings,
  planOf,
  readCosts,
  readFigures,
  readLetters,
  readReplies,
  readTierFigures,
} from '../mailings/mailing-store.ts';
import { tierWords } from '../mailings/offer-rule.ts';
import { acresOf, type PlannedLetter } from '../mailings/plan-letters.ts';
import type { ReadParcel } from '../mailings/read-parcels.ts';
import { doubtKinds, type LeftOutReason, leadRules, leftOutReasons, replyOutcomes } from '../spec/mailings.ts';
import { count, noInput, oneOf, orNull, strict, type ValueOf } from '../spec/value-schemas.ts';
import { idSchema } from '../work/chosen-parcels.ts';
import { ruleSchema } from '../work/mailings.ts';
import { defineRead, type ReadContext } from './read.ts';

const text = Type.String();
const dollars = orNull(Type.Number(), { description: 'Dollars.' });

const mailingSchema = {
  mailing_id: Type.Integer(),
  name: text,
  list_id: Type.Integer(),
  list_name: orNull(text, { description: 'Null: the list was deleted.' }),
  made_at: text,
  written_on: orNull(text, { description: 'The day on which the letters were fixed; null: a draft.' }),
  mailed_on: orNull(text),
};

const figuresSchema = Type.Unsafe<Figures>(
  Type.Object({}, { description: 'Counts, their shares with the interval of 19 in 20, and what a lead cost.' }),
);

const namesSql = 'SELECT list_id, name FROM lists';
const listNames = ({ account }: ReadContext) =>
  new Map(account.file.all<{ list_id: number; name: string }>(namesSql).map((row) => [row.list_id, row.name]));

export const mailings = defineRead({
  name: 'mailings',
  docs: 'The mailings, newest first, with what came of them.',
  input: noInput,
  output: Type.Object(
    { mailings: Type.Array(Type.Object({ ...mailingSchema, figures: figuresSchema }, strict)) },
    strict,
  ),
  run: (_input, context) => {
    const names = listNames(context);
    return {
      mailings: listMailings(context.account).map(({ rule: _rule, lead: _lead, quiet_days: _quiet, ...row }) => ({
        ...row,
        list_name: names.get(row.list_id) ?? null,
        figures: readFigures(context.account, row.mailing_id),
      })),
    };
  },
});

const letterSchema = Type.Object(
  {
    property_id: Type.Integer(),
    code: orNull(text, { description: 'Null in a draft.' }),
    state: oneOf(['draft', 'to_send', 'sent', 'returned']),
    apn: orNull(text),
    owner_name: orNull(text),
    acres: orNull(Type.Number()),
    tier: orNull(Type.Integer(), { description: 'Its place in the rule, from 0.' }),
    value_low: dollars,
    value_high: dollars,
    offer: dollars,
    offer_formula: orNull(text),
    withheld: orNull(text, { description: 'Why there is no offer although the rule gives one.' }),
    others: Type.Array(Type.Integer(), { description: 'Parcels of the list that are the same owner’s.' }),
    doubts: Type.Array(
      Type.Object({ kind: oneOf(Object.keys(doubtKinds) as (keyof typeof doubtKinds)[]), words: text }, strict),
    ),
    choice: orNull(oneOf(['keep', 'leave_out'])),
  },
  strict,
);
type Letter = ValueOf<typeof letterSchema>;

const leftOutSchema = Type.Object(
  { property_id: Type.Integer(), apn: orNull(text), owner_name: orNull(text), acres: orNull(Type.Number()) },
  strict,
);
type LeftOut = ValueOf<typeof leftOutSchema>;

const output = Type.Object(
  {
    ...mailingSchema,
    rule: orNull(ruleSchema),
    lead: oneOf(Object.keys(leadRules) as (keyof typeof leadRules)[]),
    quiet_days: count(),
    parcels: count('Of the list.'),
    letters: Type.Array(letterSchema, { description: 'In the order of the list.' }),
    look_at: Type.Array(letterSchema, {
      description: 'Of a draft: the letters most likely wrong, riskiest first; with those that were left out.',
    }),
    left_out: Type.Array(
      Type.Object(
        {
          reason: oneOf(Object.keys(leftOutReasons) as LeftOutReason[]),
          words: text,
          parcels: Type.Array(leftOutSchema),
        },
        strict,
      ),
      { description: 'Who gets none, by reason.' },
    ),
    figures: figuresSchema,
    tiers: Type.Array(Type.Object({ tier: orNull(Type.Integer()), words: text, figures: figuresSchema }, strict), {
      description: 'The same by tier of the rule.',
    }),
    costs: Type.Array(
      Type.Object({ cost_id: Type.Integer(), paid_on: text, what: text, amount: Type.Number() }, strict),
    ),
    replies: Type.Array(
      Type.Object(
        {
          reply_id: Type.Integer(),
          letter_id: Type.Integer(),
          property_id: Type.Integer(),
          replied_on: text,
          outcome: oneOf(Object.keys(replyOutcomes) as (keyof typeof replyOutcomes)[]),
          price: dollars,
          note: orNull(text),
        },
        strict,
      ),
      { description: 'Newest first.' },
    ),
  },
  strict,
);

const draftLetter = (
  { property_id: id, others, tier, offer, formula, withheld, doubts }: PlannedLetter,
  parcel: ReadParcel | undefined,
  apn: string | null,
): Letter => ({
  ...{ property_id: id, code: null, state: 'draft', apn, others: [...others], choice: parcel?.choice ?? null },
  owner_name: parcel?.owner_name ?? null,
  acres: parcel ? acresOf(parcel) : null,
  value_low: parcel?.value?.low ?? null,
  value_high: parcel?.value?.high ?? null,
  ...{ tier, offer, offer_formula: formula, withheld },
  doubts: doubts.map(({ kind, words }) => ({ kind, words })),
});

function byReason(rows: readonly { property_id: number; reason: LeftOutReason }[], land: Parcels) {
  const groups = Map.groupBy(rows, ({ reason }) => reason);
  return (Object.keys(leftOutReasons) as LeftOutReason[]).flatMap((reason) => {
    const parcels = (groups.get(reason) ?? []).map(
      ({ property_id: id }) => land.get(id) ?? { property_id: id, apn: null, owner_name: null, acres: null },
    );
    return parcels.length === 0 ? [] : [{ reason, words: leftOutReasons[reason], parcels }];
  });
}

type Parcels = ReadonlyMap<number, LeftOut>;

const parcelsOf = ({ land }: ReadContext, rows: readonly { readonly property_id: number }[]): Parcels =>
  new Map(
    land.file
      .all<LeftOut>(
        `SELECT property_id, apn, owner_name, coalesce(nullif(acres, 0), nullif(calculated_acres, 0)) AS acres
         FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(rows.map(({ property_id: id }) => id)),
      )
      .map((row) => [row.property_id, row]),
  );

function lettersOf(context: ReadContext, mailing: ReturnType<typeof getMailing>) {
  const { account, now } = context;
  if (mailing.written_on === null) {
    const plan = planOf(context, mailing, now().toISOString().slice(0, 10));
    const parcels = parcelsOf(context, [...plan.parcels.values()]);
    const letterOf = (letter: PlannedLetter): Letter => {
      const { property_id: id } = letter;
      return draftLetter(letter, plan.parcels.get(id), parcels.get(id)?.apn ?? null);
    };
    return {
      letters: plan.letters.map(letterOf),
      look_at: plan.to_look_at.map(letterOf),
      left_out: byReason(plan.left_out, parcels),
      parcels: plan.parcels.size,
    };
  }
  const written = readLetters(account, mailing.mailing_id);
  const leftOut = account.file.all<{ property_id: number; reason: LeftOutReason }>(
    "SELECT property_id, why AS reason FROM letters WHERE mailing_id = ? AND state = 'left_out' ORDER BY letter_id",
    mailing.mailing_id,
  );
  const parcels = parcelsOf(context, [...written, ...leftOut]);
  return {
    letters: written.map(({ letter_id: _id, mailing_id: _mailing, ...letter }) => ({
      ...letter,
      ...{ apn: parcels.get(letter.property_id)?.apn ?? null, others: [...letter.others] },
      ...{ withheld: null, doubts: [], choice: null },
    })),
    look_at: [],
    left_out: byReason(leftOut, parcels),
    parcels: written.length + leftOut.length,
  };
}

export const mailing = defineRead({
  name: 'mailing',
  docs: 'One mailing: its rule, each letter with its offer and what makes it doubtful, who gets none and why, and what came back.',
  input: Type.Object({ mailing_id: idSchema }, strict),
  output,
  run: ({ mailing_id: id }, context) => {
    const row = getMailing(context.account, id);
    const tiers = readTierFigures(context.account, id).map(({ tier, ...figures }) => {
      const standing = tier === null ? undefined : row.rule?.tiers[tier];
      return { tier, words: standing ? tierWords(standing) : 'without an offer', figures };
    });
    return {
      ...row,
      list_name: listNames(context).get(row.list_id) ?? null,
      ...lettersOf(context, row),
      figures: readFigures(context.account, id),
      tiers,
      costs: readCosts(context.account, id),
      replies: readReplies(context.account, id),
    };
  },
});
