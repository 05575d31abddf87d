/** Mailings of account.sqlite: their terms, their letters as planned or as written, and what came back. */
import { EngineError } from '../spec/errors.ts';
import {
  acceptedOutcomes,
  type LeadRule,
  leadOutcomes,
  letterCode,
  parseLetterCode,
  type ReplyOutcome,
  wilson,
} from '../spec/mailings.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { OfferRule } from './offer-rule.ts';
import { type MailingPlan, planLetters } from './plan-letters.ts';
import { type Home, mailedParcels, type ReadParcel } from './read-parcels.ts';

export interface Mailing {
  readonly mailing_id: number;
  readonly name: string;
  readonly list_id: number;
  readonly rule: OfferRule | null;
  readonly lead: LeadRule;
  readonly quiet_days: number;
  readonly made_at: string;
  /** ISO day on which the letters were fixed; null: a draft. */
  readonly written_on: string | null;
  readonly mailed_on: string | null;
}

type MailingRow = Omit<Mailing, 'rule'> & { readonly rule: string | null };

const mailingOf = ({ rule, ...row }: MailingRow): Mailing => ({
  ...row,
  rule: rule === null ? null : (JSON.parse(rule) as OfferRule),
});

export const listMailings = ({ file }: AccountStore): Mailing[] =>
  file.all<MailingRow>('SELECT * FROM mailings ORDER BY mailing_id DESC').map(mailingOf);

/** @throws EngineError not_found */
export function getMailing({ file }: AccountStore, id: number): Mailing {
  const row = file.get<MailingRow>('SELECT * FROM mailings WHERE mailing_id = ?', id);
  if (!row) throw new EngineError('not_found', `There is no mailing ${id}: it may have been deleted.`);
  return mailingOf(row);
}

/** Choices are ignored for which letters to look at, so that what was decided stays in its place, with its choice. */
export interface DraftPlan extends MailingPlan {
  readonly parcels: ReadonlyMap<number, ReadParcel>;
}

/** What the letters of a draft are now. @param today ISO day */
export function planOf(home: Home, mailing: Mailing, today: string): DraftPlan {
  const parcels = mailedParcels(home, mailing);
  const terms = { ...mailing, today };
  const plan = planLetters(parcels, terms);
  const isDecided = parcels.some(({ choice }) => choice !== null);
  const open = isDecided
    ? planLetters(
        parcels.map((parcel) => ({ ...parcel, choice: null })),
        terms,
      )
    : plan;
  const letters = new Map(plan.letters.map((letter) => [letter.property_id, letter]));
  return {
    ...plan,
    to_look_at: open.to_look_at.map((letter) => letters.get(letter.property_id) ?? letter),
    parcels: new Map(parcels.map((parcel) => [parcel.property_id, parcel])),
  };
}

export interface Letter {
  readonly letter_id: number;
  readonly mailing_id: number;
  readonly property_id: number;
  readonly code: string;
  readonly state: 'to_send' | 'sent' | 'returned';
  readonly owner_name: string | null;
  readonly others: readonly number[];
  readonly tier: number | null;
  readonly acres: number | null;
  readonly value_low: number | null;
  readonly value_high: number | null;
  readonly offer: number | null;
  readonly offer_formula: string | null;
}

interface LetterRow extends Omit<Letter, 'code' | 'others'> {
  readonly number: number;
  readonly others: string;
}

const lettersSql = `SELECT letter_id, mailing_id, property_id, number, state, owner_name, others, tier, acres, value_low,
  value_high, offer, offer_formula FROM letters WHERE number IS NOT NULL`;

const letterOf = ({ number, others, ...row }: LetterRow): Letter => ({
  ...row,
  code: letterCode(row.mailing_id, number),
  others: JSON.parse(others) as number[],
});

/** Letters of a written mailing, by number. */
export const readLetters = ({ file }: AccountStore, mailing: number): Letter[] =>
  file.all<LetterRow>(`${lettersSql} AND mailing_id = ? ORDER BY number`, mailing).map(letterOf);

/** @throws EngineError validation_error for a code with a wrong sign, not_found for one that no letter has */
export function letterOfCode({ file }: AccountStore, text: string): Letter {
  const parsed = parseLetterCode(text);
  if (!parsed)
    throw new EngineError(
      'validation_error',
      `code: expected the code of a letter like ${letterCode(1, 23)}, found ${JSON.stringify(text)}: a sign of it is wrong or missing`,
    );
  const row = file.get<LetterRow>(`${lettersSql} AND mailing_id = ? AND number = ?`, parsed.mailing, parsed.letter);
  if (!row) throw new EngineError('not_found', `No letter has the code ${text.trim().toUpperCase()}.`);
  return letterOf(row);
}

export interface Figure {
  readonly count: number;
  /** `returned` divides by the letters sent, the others by those that arrived; null: there is none of these. */
  readonly share: number | null;
  /** The interval of the share, 19 times in 20 (Wilson). */
  readonly low: number | null;
  readonly high: number | null;
}

export interface Figures {
  readonly letters: number;
  readonly sent: number;
  readonly returned: Figure;
  /** Letters with a reply, whatever it says. */
  readonly replies: Figure;
  readonly leads: Figure;
  readonly accepted: Figure;
  /** Dollars. */
  readonly cost: number;
  /** Dollars for each lead and each accepted offer; null: none yet. `low` and `high` as the shares'. */
  readonly cost_per_lead: Money | null;
  readonly cost_per_accepted: Money | null;
}

export interface Money {
  readonly amount: number;
  readonly low: number;
  /** Null: there may be none at all. */
  readonly high: number | null;
}

const figure = (count: number, of: number): Figure => {
  const interval = wilson(count, of);
  return {
    count,
    share: of > 0 ? count / of : null,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
};

function moneyFor(cost: number, { count, low, high }: Figure, arrived: number): Money | null {
  if (count === 0 || cost === 0 || high === null || low === null) return null;
  return { amount: cost / count, low: cost / (high * arrived), high: low > 0 ? cost / (low * arrived) : null };
}

interface Counted {
  readonly letters: number;
  readonly sent: number;
  readonly returned: number;
  readonly replies: number;
  readonly leads: number;
  readonly accepted: number;
}

const isOne = (outcomes: readonly ReplyOutcome[]): string => outcomes.map((outcome) => `'${outcome}'`).join(', ');

/** A letter counts once, however many replies it has. */
const countColumns = `count(*) AS letters, count(*) FILTER (WHERE state <> 'to_send') AS sent,
  count(*) FILTER (WHERE state = 'returned') AS returned,
  count(*) FILTER (WHERE EXISTS (SELECT 1 FROM replies r WHERE r.letter_id = l.letter_id)) AS replies,
  count(*) FILTER (WHERE EXISTS (SELECT 1 FROM replies r WHERE r.letter_id = l.letter_id AND outcome IN (${isOne(leadOutcomes)}))) AS leads,
  count(*) FILTER (WHERE EXISTS (SELECT 1 FROM replies r WHERE r.letter_id = l.letter_id AND outcome IN (${isOne(acceptedOutcomes)}))) AS accepted`;
const ofMailing = 'FROM letters l WHERE number IS NOT NULL AND mailing_id = :mailing';

function figuresOf({ letters, sent, returned, replies, leads, accepted }: Counted, cost: number): Figures {
  const arrived = sent - returned;
  const [ofLeads, ofAccepted] = [figure(leads, arrived), figure(accepted, arrived)];
  return {
    ...{ letters, sent, cost },
    returned: figure(returned, sent),
    replies: figure(replies, arrived),
    leads: ofLeads,
    accepted: ofAccepted,
    cost_per_lead: moneyFor(cost, ofLeads, arrived),
    cost_per_accepted: moneyFor(cost, ofAccepted, arrived),
  };
}

const none: Counted = { letters: 0, sent: 0, returned: 0, replies: 0, leads: 0, accepted: 0 };

/** What became of a written mailing. */
export function readFigures({ file }: AccountStore, mailing: number): Figures {
  const counted = file.get<Counted>(`SELECT ${countColumns} ${ofMailing}`, { mailing }) ?? none;
  const cost = file.column<number | null>('SELECT sum(amount) FROM mailing_costs WHERE mailing_id = ?', mailing)[0];
  return figuresOf(counted, cost ?? 0);
}

/** The same by tier of the rule, without cost; letters without a tier are apart. */
export const readTierFigures = ({ file }: AccountStore, mailing: number): (Figures & { tier: number | null })[] =>
  file
    .all<Counted & { tier: number | null }>(`SELECT tier, ${countColumns} ${ofMailing} GROUP BY tier ORDER BY tier`, {
      mailing,
    })
    .map(({ tier, ...counted }) => ({ tier, ...figuresOf(counted, 0) }));

export interface Reply {
  readonly reply_id: number;
  readonly letter_id: number;
  readonly property_id: number;
  readonly replied_on: string;
  readonly outcome: ReplyOutcome;
  readonly price: number | null;
  readonly note: string | null;
}

export interface Cost {
  readonly cost_id: number;
  readonly paid_on: string;
  readonly what: string;
  /** Dollars. */
  readonly amount: number;
}

export const readCosts = ({ file }: AccountStore, mailing: number): Cost[] =>
  file.all<Cost>(
    'SELECT cost_id, paid_on, what, amount FROM mailing_costs WHERE mailing_id = ? ORDER BY cost_id',
    mailing,
  );

/** Newest first. */
export const readReplies = ({ file }: AccountStore, mailing: number): Reply[] =>
  file.all<Reply>(
    `SELECT r.*, l.property_id FROM replies r JOIN letters l USING (letter_id) WHERE l.mailing_id = ? ORDER BY replied_on DESC, reply_id DESC`,
    mailing,
  );
