/** What a mailing's parts share: its shapes, and the words of its money. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import type { ChangeInputOf } from '../../engine/work/index.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { listView, showList } from '../lists/list-state.ts';
import type { List } from '../lists/types.ts';
import { makeChange } from '../work/make-change.ts';

export type Mailing = ReadOutputOf<'mailing'>;
export type Mailings = ReadOutputOf<'mailings'>['mailings'];
export type Letter = Mailing['letters'][number];
export type LeftOut = Mailing['left_out'][number];
export type OfferRule = NonNullable<ChangeInputOf<'change_mailing'>['rule']>;
export type Tier = OfferRule['tiers'][number];
export type Choice = NonNullable<Letter['choice']>;

/** One tier for all acres, to begin with. @param percent of the value's middle; null: 45 of its low end */
export const firstRule = (percent: number | null): OfferRule => ({
  tiers: [
    { acres_from: 0, acres_to: null, ...(percent ? { of: 'middle', amount: percent } : { of: 'low', amount: 45 }) },
  ],
  round_to: 500,
  not_under: null,
  not_over: null,
});

const longestName = 120;

/** A draft of the list, opened. */
export async function beginLetters(client: EngineClient, list: List): Promise<void> {
  const name = `Letters to ${list.name}`.slice(0, longestName);
  const made = await makeChange(client, 'make_mailing', {
    ...{ name, list_id: list.list_id, rule: firstRule(list.offer_percent) },
  });
  if (made) showList({ kind: 'mailing', id: made.data.mailing_id, list: list.list_id });
}

/** Of the mailing that is shown; null: none is. */
export function shownMailing(): number | null {
  const { shown } = listView.get();
  return shown?.kind === 'mailing' ? shown.id : null;
}

/** Null takes back what was said. */
export const chooseLetters = (client: EngineClient, mailing: number, ids: readonly number[], choice: Choice | null) =>
  makeChange(client, 'choose_letters', { mailing_id: mailing, ids, choice });
