/** Mailings with what came of them; one mailing with its letters, who gets none, and the letters to look at. */
import Type from 'typebox';
import {
  type Figures,
  getMailing,
  listMailings,
  planOf,
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
    value_low: dollars,
    value_high: dollars,
    offer: dollars,
    offer_formula: orNull(text),
    withheld: orNull(text, { description: 'Why there is no offer although the rule gives one.' }),
    others: Type.Array(Type.Integer(), { description: 'Parcels of the list that are the same owner’s.' }),
    doubts: Type.Array(
      Type.Object({ kind: oneOf(Object.keys(doubtKinds) as (keyof typeof doubtKinds)[]), words: text }, strict),
    ),
    choice: orNull(oneOf(['keep'])),
  },
  strict,
);
type Letter = ValueOf<typeof letterSchema>;

const output = Type.Object(
  {
    ...mailingSchema,
    rule: orNull(ruleSchema),
    lead: oneOf(Object.keys(leadRules) as (keyof typeof leadRules)[]),
    quiet_days: count(),
    parcels: count('Of the list.'),
    letters: Type.Array(letterSchema, { description: 'In the order of the list.' }),
    look_at: Type.Array(Type.Integer(), { description: 'Of a draft: the letters most likely wrong, riskiest first.' }),
    left_out: Type.Array(
      Type.Object(
        { reason: oneOf(Object.keys(leftOutReasons) as LeftOutReason[]), words: text, ids: Type.Array(Type.Integer()) },
        strict,
      ),
      { description: 'Who gets none, by reason.' },
    ),
    figures: figuresSchema,
    tiers: Type.Array(Type.Object({ tier: orNull(Type.Integer()), words: text, figures: figuresSchema }, strict), {
      description: 'The same by tier of the rule.',
    }),
    replies: Type.Array(
      Type.Object(
        {
          reply_id: Type.Integer(),
          letter_id: Type.Integer(),
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
  { property_id: id, others, offer, formula, withheld, doubts, choice }: PlannedLetter,
  parcel: ReadParcel | undefined,
  apns: ReadonlyMap<number, string | null>,
): Letter => ({
  ...{ property_id: id, code: null, state: 'draft', apn: apns.get(id) ?? null, others: [...others], choice },
  owner_name: parcel?.owner_name ?? null,
  acres: parcel ? acresOf(parcel) : null,
  value_low: parcel?.value?.low ?? null,
  value_high: parcel?.value?.high ?? null,
  ...{ offer, offer_formula: formula, withheld },
  doubts: doubts.map(({ kind, words }) => ({ kind, words })),
});

function byReason(rows: readonly { property_id: number; reason: LeftOutReason }[]) {
  const groups = Map.groupBy(rows, ({ reason }) => reason);
  return (Object.keys(leftOutReasons) as LeftOutReason[]).flatMap((reason) => {
    const ids = (groups.get(reason) ?? []).map(({ property_id: id }) => id);
    return ids.length === 0 ? [] : [{ reason, words: leftOutReasons[reason], ids }];
  });
}

const apnsOf = ({ land }: ReadContext, ids: readonly number[]): ReadonlyMap<number, string | null> =>
  new Map(
    land.file
      .all<{ property_id: number; apn: string | null }>(
        'SELECT property_id, apn FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))',
        JSON.stringify(ids),
      )
      .map((row) => [row.property_id, row.apn]),
  );

function lettersOf(context: ReadContext, mailing: ReturnType<typeof getMailing>) {
  const { account, now } = context;
  if (mailing.written_on === null) {
    const plan = planOf(context, mailing, now().toISOString().slice(0, 10));
    const apns = apnsOf(
      context,
      plan.letters.map(({ property_id: id }) => id),
    );
    return {
      letters: plan.letters.map((letter) => draftLetter(letter, plan.parcels.get(letter.property_id), apns)),
      look_at: plan.to_look_at.map(({ property_id: id }) => id),
      left_out: byReason(plan.left_out),
      parcels: plan.parcels.size,
    };
  }
  const written = readLetters(account, mailing.mailing_id);
  const apns = apnsOf(
    context,
    written.map(({ property_id: id }) => id),
  );
  const leftOut = account.file.all<{ property_id: number; reason: LeftOutReason }>(
    "SELECT property_id, why AS reason FROM letters WHERE mailing_id = ? AND state = 'left_out' ORDER BY letter_id",
    mailing.mailing_id,
  );
  return {
    letters: written.map(({ letter_id: _id, mailing_id: _mailing, tier: _tier, ...letter }) => ({
      ...letter,
      ...{
        apn: apns.get(letter.property_id) ?? null,
        others: [...letter.others],
        withheld: null,
        doubts: [],
        choice: null,
      },
    })),
    look_at: [],
    left_out: byReason(leftOut),
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
      replies: readReplies(context.account, id),
    };
  },
});
