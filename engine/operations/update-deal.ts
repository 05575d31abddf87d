/** POST deals/: changes the deals of parcels, and makes those that are missing; one call is one undo. */
import Type from 'typebox';
import { type JournalMark, journaled } from '../account/journal.ts';
import { prepareRecording } from '../account/record-rows.ts';
import { andThen } from '../land/answered.ts';
import type { DeskParcel } from '../land/land-reader.ts';
import { type DealRow, dealColumns, type PaidValue, paidValues } from '../query/deals.ts';
import { formatDate } from '../spec/date-words.ts';
import { type DealStage, loggedByHand, stageLabel, stageNames } from '../spec/deals.ts';
import { defined } from '../spec/defined.ts';
import { nonFieldErrors, validationError } from '../spec/errors.ts';
import {
  choiceSchema,
  count,
  isoDaySchema,
  orNull,
  strict,
  type ValueOf,
  wholeNumberSchema,
} from '../spec/value-schemas.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { checkDays, todayField, todayOf } from './deal-fields.ts';
import { defineOperation, free, type OperationContext } from './operation.ts';

const mostDollars = 10_000_000_000;
const dollarsField = (description: string) =>
  Type.Optional(
    orNull(wholeNumberSchema(0, mostDollars), { 'x-expected': 'whole dollars, or null', description } as object),
  );
const dayField = (description: string) =>
  Type.Optional(orNull(isoDaySchema(), { 'x-expected': 'a day as YYYY-MM-DD, or null', description } as object));
const wordsField = (most: number, description: string) => {
  const expected = `a text of at most ${most.toLocaleString('en-US')} characters, or null`;
  return Type.Optional(orNull(Type.String({ maxLength: most }), { 'x-expected': expected, description } as object));
};

const input = Type.Object(
  {
    ids: Type.Array(wholeNumberSchema(1, Number.MAX_SAFE_INTEGER), {
      'x-expected': 'a list of 1 to 100,000 parcel ids',
      minItems: 1,
      maxItems: 100_000,
      description:
        'Parcels by property_id. One that has no deal yet gets one, under `watching` unless `stage` is given.',
    }),
    stage: Type.Optional(
      orNull(choiceSchema(stageNames), {
        'x-expected': `one of ${stageNames.join(', ')}, or null`,
        description: 'Null takes the parcels off the desk, with their timelines.',
      } as object),
    ),
    next_on: dayField('Day of the next step, YYYY-MM-DD; null: none.'),
    next_what: wordsField(200, 'The next step in a few words.'),
    offer: dollarsField('Dollars; null: no offer.'),
    offer_percent: Type.Optional(
      Type.Number({
        'x-expected': 'a percentage above 0, at most 200',
        exclusiveMinimum: 0,
        maximum: 200,
        description: 'In place of `offer`: a share of the value paid for, to the nearest $1,000.',
      }),
    ),
    offer_of: Type.Optional(
      choiceSchema(['low', 'middle', 'high'], {
        description: 'Which end of the value `offer_percent` is of; `low` unless given.',
      }),
    ),
    offer_formula: wordsField(
      500,
      'How the offer was reckoned; without it, its share of the value paid for, if there is one.',
    ),
    offered_on: dayField('Day of the offer; today unless given.'),
    agreed: dollarsField('The price agreed on, dollars.'),
    note: wordsField(20_000, 'The note of the deal.'),
    log: Type.Optional(
      Type.Object(
        {
          what: choiceSchema(loggedByHand),
          detail: Type.Optional(Type.String({ maxLength: 2000, 'x-expected': 'a text of at most 2,000 characters' })),
        },
        { ...strict, 'x-expected': 'an object with what and detail', description: 'An entry for the timeline.' },
      ),
    ),
    today: Type.Optional(todayField),
  },
  strict,
);
export type DealUpdate = ValueOf<typeof input>;

export const dealUpdateOutput = Type.Object(
  {
    changed: count('Deals that are now different, or have an entry more.'),
    without_value: count('Parcels without a value paid for, whose offer stays: only for `offer_percent`.'),
    entry: orNull(Type.Integer(), { description: 'Number of the undo; null: nothing changed.' }),
    sentence: orNull(Type.String(), { description: 'What was done, as the undo names it.' }),
  },
  strict,
);

/** What a deal shall be; absent fields stay. */
export type DealWish = Partial<Omit<DealRow, 'property_id' | 'last_touch'>>;

export interface LogLine {
  readonly what: string;
  readonly detail: string | null;
  /** ISO; the moment of the change unless given. */
  readonly at?: string;
}

type Standing = Omit<DealRow, 'last_touch'>;

const selectSql = `SELECT ${dealColumns.join(', ')} FROM deals WHERE property_id = ?`;
const changeable = dealColumns.filter((name) => name !== 'property_id');
const putSql = `INSERT INTO deals (${dealColumns.join(', ')}) VALUES (${dealColumns.map((name) => `:${name}`).join(', ')})
  ON CONFLICT (property_id) DO UPDATE SET ${changeable.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const formulaWords = (formula: string | null): string => (formula ? `: ${formula}` : '');
const dollarWords = (dollars: number): string => `$${dollars.toLocaleString('en-US')}`;

/** What the change itself puts into the timeline. */
function linesOf(before: Standing | undefined, after: Standing): LogLine[] {
  const { stage, offer, agreed } = after;
  return [
    ...(before?.stage === stage ? [] : [{ what: 'stage', detail: stageLabel(stage) }]),
    ...((before?.offer ?? null) === offer
      ? []
      : [
          {
            what: 'offer',
            detail: offer === null ? 'none' : `${dollarWords(offer)}${formulaWords(after.offer_formula)}`,
          },
        ]),
    ...((before?.agreed ?? null) === agreed
      ? []
      : [{ what: 'agreed', detail: agreed === null ? 'none' : dollarWords(agreed) }]),
  ];
}

/**
 * Writes one deal and its timeline. Call it in a transaction.
 * @param lines in place of those that the change itself gives
 * @returns whether anything changed
 */
export function writeDeal(
  file: SqliteFile,
  id: number,
  wish: DealWish,
  { at, today, lines, more = [] }: { at: string; today: string; lines?: readonly LogLine[]; more?: readonly LogLine[] },
): boolean {
  const before = file.get<Standing>(selectSql, id);
  const fresh: Standing = {
    property_id: id,
    ...{ stage: 'watching' as DealStage, since: today, next_on: null, next_what: null, offer: null },
    ...{ offer_formula: null, offered_on: null, agreed: null, note: null },
  };
  const after: Standing = { ...(before ?? fresh), ...wish };
  if (before && before.stage !== after.stage && wish.since === undefined) Object.assign(after, { since: today });
  const isSame = before !== undefined && changeable.every((name) => before[name] === after[name]);
  if (!isSame) file.run(putSql, { ...after });
  const written = [...(lines ?? (isSame ? [] : linesOf(before, after))), ...more];
  for (const line of written)
    file.run(
      'INSERT INTO deal_log (property_id, at, what, detail) VALUES (?, ?, ?, ?)',
      id,
      line.at ?? at,
      line.what,
      line.detail,
    );
  return !isSame || written.length > 0;
}

const trimmed = (text: string | null | undefined) => (text === undefined ? undefined : text?.trim() || null);

const nearest = 1000;
const percentOf = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

/** The offer of one parcel with the words of its formula; absent: it stays. */
function offerOf(given: DealUpdate, value: PaidValue | undefined, today: string): DealWish | null {
  const { offer, offer_percent: percent, offer_of: of = 'low', offered_on: on } = given;
  const formula = trimmed(given.offer_formula);
  if (percent !== undefined) {
    if (!value) return null;
    const dollars = Math.max(nearest, Math.round((value[of] * percent) / 100 / nearest) * nearest);
    const words = `${percent} % of the ${of} value ${dollarWords(Math.round(value[of]))}, to the nearest $1,000`;
    return { offer: dollars, offer_formula: formula ?? words, offered_on: on ?? today };
  }
  if (offer === null) return { offer: null, offer_formula: null, offered_on: null };
  if (offer === undefined)
    return {
      ...(formula === undefined ? {} : { offer_formula: formula }),
      ...(on === undefined ? {} : { offered_on: on }),
    };
  const words = value
    ? `${percentOf(offer, value.middle)} of the value ${dollarWords(Math.round(value.middle))} of ${formatDate(value.valued_at)}`
    : null;
  return { offer, offer_formula: formula === undefined ? words : formula, offered_on: on ?? today };
}

/** An offer of the same dollars keeps its day and formula. */
const isOffered = (file: SqliteFile, id: number, wish: DealWish): boolean =>
  wish.offer !== undefined && file.get<Standing>(selectSql, id)?.offer === wish.offer;

const parcelWords = (ids: readonly number[], parcels: ReadonlyMap<number, DeskParcel>): string => {
  const [id = 0] = ids;
  return ids.length === 1 ? parcels.get(id)?.apn || `parcel ${id}` : `${ids.length.toLocaleString('en-US')} parcels`;
};

function sentenceOf({ stage, log, ...given }: DealUpdate, parcels: string): string {
  if (stage === null) return `Took ${parcels} off the desk`;
  if (stage !== undefined) return `Moved ${parcels} to ${stageLabel(stage)}`;
  if (log) return `Logged a ${log.what} on ${parcels}`;
  if (given.offer !== undefined || given.offer_percent !== undefined) return `Set the offer of ${parcels}`;
  if (given.next_on !== undefined || given.next_what !== undefined) return `Set the next step of ${parcels}`;
  if (given.agreed !== undefined) return `Set the price agreed on for ${parcels}`;
  if (given.note !== undefined) return `Changed the note of the deal ${parcels}`;
  return `Put ${parcels} on the desk`;
}

function remove(file: SqliteFile, ids: readonly number[]): number {
  const json = JSON.stringify(ids);
  file.run('DELETE FROM deal_log WHERE property_id IN (SELECT value FROM json_each(?))', json);
  return file.run('DELETE FROM deals WHERE property_id IN (SELECT value FROM json_each(?))', json).changes;
}

interface Written {
  readonly changed: number;
  readonly without: number;
}

/** All but the offer. */
const plainWish = ({ stage, next_on, agreed, next_what, note }: DealUpdate): DealWish =>
  defined({
    stage: stage ?? undefined,
    next_on,
    next_what: trimmed(next_what),
    agreed,
    note: trimmed(note),
  });

function write(given: DealUpdate, ids: readonly number[], { account, now }: OperationContext): Written {
  const { file } = account;
  if (given.stage === null) return { changed: remove(file, ids), without: 0 };
  const today = todayOf(given.today, now());
  const plain = plainWish(given);
  const values = given.offer === undefined && given.offer_percent === undefined ? new Map() : paidValues(account, ids);
  const more = given.log ? [{ what: given.log.what, detail: trimmed(given.log.detail) ?? null }] : [];
  let [changed, without] = [0, 0];
  for (const id of ids) {
    const offer = offerOf(given, values.get(id), today);
    if (offer === null) without += 1;
    const isKept = offer !== null && isOffered(file, id, offer) && given.offer_formula === undefined;
    const wish = { ...plain, ...(offer === null || isKept ? {} : offer) };
    if (writeDeal(file, id, wish, { at: now().toISOString(), today, more })) changed += 1;
  }
  return { changed, without };
}

/** Writes with a journal entry, and says what the undo is called. */
export function journaledDeals(
  { account, now }: Pick<OperationContext, 'account' | 'now'>,
  { change, noted, sentence }: { change: string; noted: unknown; sentence: string },
  work: () => Written,
): Written & { readonly mark: JournalMark | null } {
  const { file } = account;
  prepareRecording(file);
  const at = now().toISOString();
  const { data, mark } = file.transaction(() =>
    journaled(file, { change, input: noted, at }, () => ({ data: work(), sentence })),
  );
  return { ...data, mark };
}

/** @throws EngineError validation_error for rules between fields */
function check(given: DealUpdate): void {
  const { next_on, offered_on, today } = given;
  checkDays({ next_on, offered_on, today });
  if (given.offer !== undefined && given.offer_percent !== undefined)
    throw validationError({ [nonFieldErrors]: ['expected offer or offer_percent, found both'] });
}

/** Accepts parcels that left the county's file: their deals refer to them. @throws EngineError validation_error */
export function requireDeskParcels(ids: readonly number[], parcels: ReadonlyMap<number, DeskParcel>): void {
  const unknown = ids.filter((id) => !parcels.has(id)).slice(0, 3);
  if (unknown.length > 0) throw validationError({ ids: unknown.map((id) => `there is no parcel ${id}`) });
}

export const updateDeal = defineOperation({
  name: 'update_deal',
  summary: 'Change deals of the desk',
  docs: 'Moves deals to a stage, sets their next step, offer, agreed price or note, or logs a call, letter, reply or visit; a parcel without a deal gets one. All parcels of a call are changed or none, and one undo in the app takes all of them back. Stage, offer and agreed price write themselves into the timeline.',
  http: { method: 'POST', path: 'deals/', status: 200 },
  scope: 'write',
  needsPlan: true,
  ...free,
  input,
  output: dealUpdateOutput,
  run: (given, context) => {
    check(given);
    const ids = [...new Set(given.ids)];
    return andThen(context.land.deskParcels(ids), (parcels) => {
      requireDeskParcels(ids, parcels);
      const sentence = sentenceOf(given, parcelWords(ids, parcels));
      const noted = { change: 'update_deal', noted: given, sentence };
      const { changed, without, mark } = journaledDeals(context, noted, () => write(given, ids, context));
      return { changed, without_value: without, entry: mark?.entry ?? null, sentence: mark?.sentence ?? null };
    });
  },
  examples: [
    {
      title: 'A parcel is watched, and looked at in spring',
      input: { ids: [2], stage: 'watching', next_on: '2027-03-15', next_what: 'Drive by' },
    },
  ],
});
