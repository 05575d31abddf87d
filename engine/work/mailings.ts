/** Changes of mailings: a list becomes letters once; what came back moves deals on. Each call is one undo. */
import Type from 'typebox';
import { getMailing, letterOfCode, type Mailing, planOf } from '../mailings/mailing-store.ts';
import { checkRule } from '../mailings/offer-rule.ts';
import { acresOf } from '../mailings/plan-letters.ts';
import { writeDeal } from '../operations/update-deal.ts';
import { counted } from '../spec/counted.ts';
import { type DealStage, firstDealDay, lastDealDay } from '../spec/deals.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { leadRules, letterCode, offerBases, replyOutcomes } from '../spec/mailings.ts';
import {
  choiceSchema,
  count,
  isoDaySchema,
  isoFromDate,
  orNull,
  strict,
  textSchema,
  wholeNumberSchema,
} from '../spec/value-schemas.ts';
import { type ChangeContext, defineChange } from './change.ts';
import { idSchema, idsSchema } from './chosen-parcels.ts';
import { blockOwner } from './do-not-mail.ts';

const acres = (expected: string) => Type.Number({ minimum: 0, maximum: 10_000_000, 'x-expected': expected });
const dollarsSchema = wholeNumberSchema(0, 1_000_000_000);

const tierSchema = Type.Object(
  {
    acres_from: acres('acres of 0 or more'),
    acres_to: orNull(acres('acres of 0 or more, or null')),
    of: choiceSchema(offerBases),
    amount: Type.Number({
      exclusiveMinimum: 0,
      maximum: 10_000_000,
      'x-expected': 'a percent above 0; of `acre`: dollars above 0',
    }),
  },
  strict,
);

export const ruleSchema = Type.Object(
  {
    tiers: Type.Array(tierSchema, { minItems: 1, maxItems: 50, 'x-expected': 'a list of 1 to 50 tiers' }),
    round_to: wholeNumberSchema(1, 100_000),
    not_under: orNull(dollarsSchema),
    not_over: orNull(dollarsSchema),
  },
  { ...strict, 'x-expected': '{ tiers, round_to, not_under, not_over }' },
);

const terms = {
  rule: Type.Optional(orNull(ruleSchema, { description: 'How offers are reckoned; null: letters without offers.' })),
  lead: Type.Optional(
    choiceSchema(Object.keys(leadRules) as (keyof typeof leadRules)[], {
      description: 'Which parcel of an owner the letter is about; `most_acres` unless given.',
    }),
  ),
  quiet_days: Type.Optional(
    wholeNumberSchema(0, 3650, { description: 'Owners who got a letter so few days ago get none; 180 unless given.' }),
  ),
};

const usualQuietDays = 180;
const lettersOf = (n: number): string => counted(n, 'letter', 'letters');
const dayOf = (at: string): string => at.slice(0, 10);

/** @throws EngineError validation_error for a day before Platbook or beyond this century, and for one to come */
function checkDay(field: string, day: string | undefined, at: string): string {
  const given = day ?? dayOf(at);
  // East of Greenwich the day is a day ahead.
  const tomorrow = dayOf(new Date(Date.parse(at) + 86_400_000).toISOString());
  if (isoFromDate(given) !== given || given < firstDealDay || given > lastDealDay || given > tomorrow)
    throw validationError({
      [field]: [`expected a day from ${firstDealDay} until today, found ${JSON.stringify(given)}`],
    });
  return given;
}

/** @throws EngineError validation_error for letters that were written */
function requireDraft({ written_on: written, name }: Mailing): void {
  if (written !== null)
    throw new EngineError(
      'validation_error',
      `The letters of “${name}” were written on ${written}: they stay as they are.`,
    );
}

function requireWritten({ written_on: written, name }: Mailing): void {
  if (written === null) throw new EngineError('validation_error', `The letters of “${name}” are not written yet.`);
}

export const makeMailing = defineChange({
  name: 'make_mailing',
  docs: 'Begins a mailing of a list: a draft, whose letters follow from the list, the paid values and the rule until they are written. Free.',
  input: Type.Object({ name: textSchema(), list_id: idSchema, ...terms }, strict),
  output: Type.Object({ mailing_id: Type.Integer() }, strict),
  write: ({ name, list_id: listId, rule = null, lead = 'most_acres', quiet_days: quiet = usualQuietDays }, context) => {
    const { engine, at } = context;
    const list = engine.account.file.get('SELECT 1 FROM lists WHERE list_id = ?', listId);
    if (!list) throw validationError({ list_id: [`there is no list ${listId}`] });
    if (rule) checkRule(rule);
    const { lastInsertRowid } = engine.account.file.run(
      'INSERT INTO mailings (name, list_id, rule, lead, quiet_days, made_at) VALUES (?, ?, ?, ?, ?, ?)',
      name.trim(),
      listId,
      rule && JSON.stringify(rule),
      lead,
      quiet,
      at,
    );
    return { data: { mailing_id: Number(lastInsertRowid) }, sentence: `Began the mailing “${name.trim()}”` };
  },
});

export const changeMailing = defineChange({
  name: 'change_mailing',
  docs: 'Gives a mailing another name; a draft also another rule, lead or number of quiet days.',
  input: Type.Object({ mailing_id: idSchema, name: Type.Optional(textSchema()), ...terms }, strict),
  output: Type.Null(),
  write: ({ mailing_id: id, name, ...given }, { engine }) => {
    const mailing = getMailing(engine.account, id);
    if (Object.values(given).some((value) => value !== undefined)) requireDraft(mailing);
    const { rule = mailing.rule, lead = mailing.lead, quiet_days: quiet = mailing.quiet_days } = given;
    if (rule) checkRule(rule);
    engine.account.file.run(
      'UPDATE mailings SET name = ?, rule = ?, lead = ?, quiet_days = ? WHERE mailing_id = ?',
      name?.trim() ?? mailing.name,
      rule && JSON.stringify(rule),
      lead,
      quiet,
      id,
    );
    return { data: null, sentence: `Changed the mailing “${name?.trim() ?? mailing.name}”` };
  },
});

export const chooseLetters = defineChange({
  name: 'choose_letters',
  docs: 'Keeps letters of a draft as they are, offers withheld for low confidence, old sales or a newer deed included, or leaves parcels out; null takes it back.',
  input: Type.Object(
    { mailing_id: idSchema, ids: idsSchema, choice: orNull(choiceSchema(['keep', 'leave_out'])) },
    strict,
  ),
  output: Type.Object({ changed: count() }, strict),
  write: ({ mailing_id: id, ids, choice }, { engine }) => {
    const { file } = engine.account;
    const mailing = getMailing(engine.account, id);
    requireDraft(mailing);
    const json = JSON.stringify(ids);
    const strange = file.column<number>(
      `SELECT value FROM json_each(?) WHERE value NOT IN (SELECT property_id FROM list_members WHERE list_id = ?) LIMIT 3`,
      json,
      mailing.list_id,
    );
    if (strange.length > 0)
      throw validationError({ ids: strange.map((one) => `parcel ${one} is not in the list of this mailing`) });
    const { changes } =
      choice === null
        ? file.run(
            'DELETE FROM mailing_choices WHERE mailing_id = ? AND property_id IN (SELECT value FROM json_each(?))',
            id,
            json,
          )
        : file.run(
            `INSERT INTO mailing_choices SELECT ?, value, ? FROM json_each(?) WHERE true
             ON CONFLICT (mailing_id, property_id) DO UPDATE SET choice = excluded.choice WHERE choice <> excluded.choice`,
            id,
            choice,
            json,
          );
    const did = choice === 'keep' ? 'Kept' : choice === 'leave_out' ? 'Left out' : 'Took back what was said of';
    return { data: { changed: changes }, sentence: `${did} ${lettersOf(ids.length)} of “${mailing.name}”` };
  },
});

const early: readonly DealStage[] = ['watching', 'to_mail'];

/** A deal that is further on stays where it is. */
function moveDeal(
  { engine, at }: ChangeContext,
  id: number,
  stage: DealStage,
  more: { wish?: Parameters<typeof writeDeal>[2]; line?: { what: string; detail: string } },
): void {
  const { file } = engine.account;
  const standing = file.column<DealStage>('SELECT stage FROM deals WHERE property_id = ?', id)[0];
  const wish = standing === undefined || early.includes(standing) ? { ...more.wish, stage } : {};
  writeDeal(file, id, wish, { at, today: dayOf(at), ...(more.line ? { more: [more.line] } : {}) });
}

const insertLetter = `INSERT INTO letters (mailing_id, property_id, number, state, why, owner, owner_name, others, tier, acres,
  value_low, value_high, offer, offer_formula) VALUES (:mailing_id, :property_id, :number, :state, :why, :owner, :owner_name,
  :others, :tier, :acres, :value_low, :value_high, :offer, :offer_formula)`;

export const writeLetters = defineChange({
  name: 'write_letters',
  docs: 'Fixes the letters of a draft with their codes, offers and formulas, and who gets none with the reason; their parcels become deals under To mail, with the offer. Undo makes it a draft again.',
  input: Type.Object({ mailing_id: idSchema }, strict),
  output: Type.Object({ letters: count(), left_out: count(), without_offer: count() }, strict),
  write: ({ mailing_id: id }, context) => {
    const { engine, at } = context;
    const { file } = engine.account;
    const mailing = getMailing(engine.account, id);
    requireDraft(mailing);
    const { letters, left_out: leftOut, parcels } = planOf(engine, mailing, dayOf(at));
    if (letters.length === 0)
      throw new EngineError(
        'validation_error',
        `No parcel of “${mailing.name}” gets a letter, so there is nothing to write.`,
      );
    const blank = { mailing_id: id, number: null, why: null, owner: null, owner_name: null, others: null, tier: null };
    const empty = { ...blank, acres: null, value_low: null, value_high: null, offer: null, offer_formula: null };
    for (const { property_id, reason } of leftOut)
      file.run(insertLetter, { ...empty, property_id, state: 'left_out', why: reason });
    let withoutOffer = 0;
    for (const [place, { property_id, others, tier, offer, formula, withheld }] of letters.entries()) {
      const parcel = parcels.get(property_id);
      if (offer === null) withoutOffer++;
      file.run(insertLetter, {
        ...{ ...empty, property_id, number: place + 1, state: 'to_send', why: withheld, tier, offer },
        ...{ owner: parcel?.owner ?? null, owner_name: parcel?.owner_name ?? null, others: JSON.stringify(others) },
        acres: parcel ? acresOf(parcel) : null,
        value_low: parcel?.value?.low ?? null,
        value_high: parcel?.value?.high ?? null,
        offer_formula: formula,
      });
      const wish = offer === null ? {} : { offer, offer_formula: formula, offered_on: dayOf(at) };
      moveDeal(context, property_id, 'to_mail', { wish });
    }
    file.run('UPDATE mailings SET written_on = ? WHERE mailing_id = ?', dayOf(at), id);
    return {
      data: { letters: letters.length, left_out: leftOut.length, without_offer: withoutOffer },
      sentence: `Wrote ${lettersOf(letters.length)} of “${mailing.name}”`,
    };
  },
});

export const markSent = defineChange({
  name: 'mark_sent',
  docs: 'Notes the day on which the letters of a mailing went out; their deals move to Mailed.',
  input: Type.Object({ mailing_id: idSchema, on: Type.Optional(isoDaySchema()) }, strict),
  output: Type.Object({ sent: count() }, strict),
  write: ({ mailing_id: id, on }, context) => {
    const { engine, at } = context;
    const { file } = engine.account;
    const mailing = getMailing(engine.account, id);
    requireWritten(mailing);
    const day = checkDay('on', on, at);
    const waiting = file.all<{ property_id: number; number: number }>(
      "SELECT property_id, number FROM letters WHERE mailing_id = ? AND state = 'to_send' ORDER BY number",
      id,
    );
    file.run("UPDATE letters SET state = 'sent' WHERE mailing_id = ? AND state = 'to_send'", id);
    file.run('UPDATE mailings SET mailed_on = ? WHERE mailing_id = ?', day, id);
    for (const { property_id: parcel, number } of waiting) {
      const detail = `Letter ${letterCode(id, number)} of ${mailing.name}`;
      moveDeal(context, parcel, 'mailed', { line: { what: 'mail', detail } });
    }
    return {
      data: { sent: waiting.length },
      sentence: `Marked ${lettersOf(waiting.length)} of “${mailing.name}” as sent on ${day}`,
    };
  },
});

const codeField = Type.String({
  maxLength: 40,
  'x-expected': 'the code of a letter',
  description: 'The code on the letter.',
});

export const markReturned = defineChange({
  name: 'mark_returned',
  docs: 'Notes that a letter came back undelivered.',
  input: Type.Object({ code: codeField }, strict),
  output: Type.Object({ property_id: Type.Integer() }, strict),
  write: ({ code }, context) => {
    const { account } = context.engine;
    const letter = letterOfCode(account, code);
    requireSent(letter);
    account.file.run("UPDATE letters SET state = 'returned' WHERE letter_id = ?", letter.letter_id);
    const line = { what: 'mail', detail: `Letter ${letter.code} came back` };
    moveDeal(context, letter.property_id, 'mailed', { line });
    return { data: { property_id: letter.property_id }, sentence: `Marked letter ${letter.code} as returned` };
  },
});

function requireSent({ state, code }: { readonly state: string; readonly code: string }): void {
  if (state === 'to_send')
    throw new EngineError('validation_error', `Letter ${code} was not sent yet: mark the mailing as sent first.`);
}

const outcomeNames = Object.keys(replyOutcomes) as (keyof typeof replyOutcomes)[];

/** What the desk proposes after a reply; the person moves the deal. */
const proposals: Readonly<Record<keyof typeof replyOutcomes, DealStage>> = {
  ...{ lead: 'replied', no: 'dropped', accepted: 'under_contract', closed: 'closed', take_off: 'dropped' },
};
const proposedStages = [...new Set(Object.values(proposals))];

export const logReply = defineChange({
  name: 'log_reply',
  docs: 'Notes a reply to a letter, in the timeline of its deal, too. “Take me off” puts the owner on Do not mail at once. The deal stays in its stage unless one is given.',
  input: Type.Object(
    {
      code: codeField,
      outcome: choiceSchema(outcomeNames),
      price: Type.Optional(orNull(dollarsSchema, { description: 'Dollars that the owner names.' })),
      note: Type.Optional(Type.String({ maxLength: 2000, 'x-expected': 'a text of at most 2,000 characters' })),
      on: Type.Optional(isoDaySchema()),
      stage: Type.Optional(choiceSchema(proposedStages)),
    },
    strict,
  ),
  output: Type.Object(
    {
      property_id: Type.Integer(),
      mailing_id: Type.Integer(),
      proposed_stage: choiceSchema(proposedStages),
      do_not_mail: Type.Boolean({ description: 'Whether the owner was put on Do not mail now.' }),
    },
    strict,
  ),
  write: ({ code, outcome, price = null, note = '', on, stage }, context) => {
    const { engine, at } = context;
    const { file } = engine.account;
    const letter = letterOfCode(engine.account, code);
    requireSent(letter);
    const day = checkDay('on', on, at);
    file.run(
      'INSERT INTO replies (letter_id, replied_on, outcome, price, note) VALUES (?, ?, ?, ?, ?)',
      letter.letter_id,
      day,
      outcome,
      price,
      note.trim() || null,
    );
    const asked = price === null ? '' : `, $${price.toLocaleString('en-US')}`;
    const detail = `${replyOutcomes[outcome]}${asked}${note.trim() ? `: ${note.trim()}` : ''}`;
    const wish = stage ? { stage } : {};
    writeDeal(file, letter.property_id, wish, { at, today: dayOf(at), more: [{ what: 'reply', detail }] });
    const isBlocked = outcome === 'take_off' && blockOwner(context, letter.property_id) === 'new';
    return {
      data: {
        property_id: letter.property_id,
        mailing_id: letter.mailing_id,
        proposed_stage: proposals[outcome],
        do_not_mail: isBlocked,
      },
      sentence: `Noted a reply to ${letter.code}: ${replyOutcomes[outcome]}`,
    };
  },
});

export const addMailingCost = defineChange({
  name: 'add_mailing_cost',
  docs: 'Adds what was paid for a mailing, in dollars.',
  input: Type.Object(
    {
      mailing_id: idSchema,
      what: textSchema(),
      amount: Type.Number({ minimum: 0, maximum: 10_000_000, 'x-expected': 'dollars of 0 or more' }),
      on: Type.Optional(isoDaySchema()),
    },
    strict,
  ),
  output: Type.Object({ cost_id: Type.Integer() }, strict),
  write: ({ mailing_id: id, what, amount, on }, { engine, at }) => {
    const mailing = getMailing(engine.account, id);
    const day = checkDay('on', on, at);
    const { lastInsertRowid } = engine.account.file.run(
      'INSERT INTO mailing_costs (mailing_id, paid_on, what, amount) VALUES (?, ?, ?, ?)',
      id,
      day,
      what.trim(),
      amount,
    );
    return { data: { cost_id: Number(lastInsertRowid) }, sentence: `Added a cost to “${mailing.name}”` };
  },
});

export const deleteMailing = defineChange({
  name: 'delete_mailing',
  docs: 'Deletes a mailing with its letters, replies and costs; deals, timelines and Do not mail stay.',
  input: Type.Object({ mailing_id: idSchema }, strict),
  output: Type.Null(),
  write: ({ mailing_id: id }, { engine }) => {
    const { file } = engine.account;
    const { name } = getMailing(engine.account, id);
    file.run('DELETE FROM replies WHERE letter_id IN (SELECT letter_id FROM letters WHERE mailing_id = ?)', id);
    for (const table of ['letters', 'mailing_choices', 'mailing_costs', 'mailings'])
      file.run(`DELETE FROM ${table} WHERE mailing_id = ?`, id);
    return { data: null, sentence: `Deleted the mailing “${name}”` };
  },
});
