/** Who of a list gets a letter, about which parcel, with which offer, and who gets none and why. Pure. */
import { type LeadRule, type LeftOutReason, lettersToLookAt, type WithheldReason } from '../spec/mailings.ts';
import { type Doubt, type DoubtedLetter, doubtsOf, type JudgedValue, riskOf } from './letter-doubts.ts';
import { type OfferRule, offerOf, tierOf } from './offer-rule.ts';

export interface MailedParcel extends Omit<DoubtedLetter, 'offer' | 'at_address' | 'value'> {
  readonly property_id: number;
  /** Equal for parcels of one owner. */
  readonly owner: string;
  /** Equal for one address; null: none on record. */
  readonly address: string | null;
  readonly has_name: boolean;
  readonly has_full_address: boolean;
  readonly is_gone: boolean;
  readonly is_do_not_mail: boolean;
  readonly is_public: boolean;
  /** ISO day of the latest letter to the owner. */
  readonly mailed_on: string | null;
  /** ISO day. */
  readonly deed_on: string | null;
  readonly value: JudgedValue | null;
  /** What a person said of it before the letters were written. */
  readonly choice: 'keep' | 'leave_out' | null;
}

export interface MailingTerms {
  /** Null: letters without offers. */
  readonly rule: OfferRule | null;
  readonly lead: LeadRule;
  /** Owners who got a letter so few days ago get none; 0: it does not matter. */
  readonly quiet_days: number;
  /** ISO day. */
  readonly today: string;
}

export interface PlannedLetter {
  readonly property_id: number;
  /** Parcels of the list that are the same owner's: the letter names them. */
  readonly others: readonly number[];
  readonly tier: number | null;
  readonly offer: number | null;
  readonly formula: string | null;
  /** Why it has no offer although the rule gives one. */
  readonly withheld: WithheldReason | null;
  readonly doubts: readonly Doubt[];
  readonly choice: 'keep' | null;
}

export interface MailingPlan {
  /** In the order of the list. */
  readonly letters: readonly PlannedLetter[];
  readonly left_out: readonly { readonly property_id: number; readonly reason: LeftOutReason }[];
  /** The letters most likely wrong, riskiest first. */
  readonly to_look_at: readonly PlannedLetter[];
}

const millisecondsPerDay = 86_400_000;
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / millisecondsPerDay;

export const acresOf = ({ recorded_acres: recorded, mapped_acres: mapped }: MailedParcel): number | null =>
  recorded ?? mapped;

/** Why no letter goes to the owner about this parcel, whatever others there are. */
function refusalOf(parcel: MailedParcel, { quiet_days: quiet, today }: MailingTerms): LeftOutReason | null {
  if (parcel.choice === 'leave_out') return 'by_you';
  if (parcel.is_gone) return 'gone';
  if (parcel.is_do_not_mail) return 'do_not_mail';
  if (parcel.is_public) return 'public';
  if (!parcel.has_name) return 'no_name';
  if (!parcel.has_full_address) return 'no_address';
  if (parcel.mailed_on !== null && daysBetween(parcel.mailed_on, today) < quiet) return 'mailed';
  return null;
}

/** Why the rule has no offer for the parcel. */
function gapOf(parcel: MailedParcel, { rule }: MailingTerms): LeftOutReason | null {
  if (!rule) return null;
  const acres = acresOf(parcel);
  const tier = acres === null ? undefined : rule.tiers[tierOf(rule, acres)];
  if (!tier) return 'no_tier';
  return tier.of !== 'acre' && !parcel.value ? 'no_value' : null;
}

const ranks: Readonly<Record<LeadRule, (parcel: MailedParcel) => number>> = {
  most_acres: (parcel) => acresOf(parcel) ?? 0,
  highest_value: ({ value }) => value?.middle ?? 0,
  latest_deed: ({ deed_on: day }) => (day === null ? 0 : Date.parse(day)),
  each: () => 0,
};

function withheldOf({ choice, value, deed_since: deed }: MailedParcel, isOfValue: boolean): WithheldReason | null {
  if (choice === 'keep') return null;
  if (deed !== null) return 'new_deed';
  if (!isOfValue || !value) return null;
  const stale = value.warnings.find(({ code }) => code === 'stale');
  if (stale?.code === 'stale' && stale.years > stale.offer_years) return 'stale';
  return value.is_low_confidence ? 'low_confidence' : null;
}

function letterOf(
  parcel: MailedParcel,
  others: readonly number[],
  { rule }: MailingTerms,
): Omit<PlannedLetter, 'doubts'> {
  const { property_id: id, value } = parcel;
  const choice: 'keep' | null = parcel.choice === 'keep' ? 'keep' : null;
  const none = { property_id: id, others, choice, tier: null, offer: null, formula: null, withheld: null };
  const acres = acresOf(parcel);
  if (!rule || acres === null) return none;
  const place = tierOf(rule, acres);
  const tier = rule.tiers[place];
  const ruled = tier ? offerOf(rule, tier, acres, value) : null;
  if (!tier || !ruled) return none;
  const withheld = withheldOf(parcel, tier.of !== 'acre');
  return { ...none, tier: place, withheld, ...(withheld === null ? ruled : {}) };
}

/**
 * One letter an owner, about the parcel that leads. A parcel for which the rule has no offer leads only where no other of
 * the owner's has one, and then its owner gets none.
 * @param parcels of a list, in its order
 */
export function planLetters(parcels: readonly MailedParcel[], terms: MailingTerms): MailingPlan {
  const left_out: { property_id: number; reason: LeftOutReason }[] = [];
  const open: MailedParcel[] = [];
  for (const parcel of parcels) {
    const reason = refusalOf(parcel, terms) ?? gapOf(parcel, terms);
    if (reason === null) open.push(parcel);
    else left_out.push({ property_id: parcel.property_id, reason });
  }
  const byOwner = Map.groupBy(open, ({ owner, property_id: id }) => (terms.lead === 'each' ? String(id) : owner));
  const rank = ranks[terms.lead];
  const leading = new Map<number, readonly number[]>();
  for (const own of byOwner.values()) {
    const [first] = own;
    if (!first) continue;
    const lead = own.reduce((best, one) => (rank(one) > rank(best) ? one : best), first);
    const others = own.filter((one) => one !== lead).map(({ property_id: id }) => id);
    leading.set(lead.property_id, others);
    for (const id of others) left_out.push({ property_id: id, reason: 'same_owner' });
  }
  const leads = open.filter(({ property_id: id }) => leading.has(id));
  const atAddress = Map.groupBy(leads, ({ address, property_id: id }) => address ?? `parcel ${id}`);
  const letters = leads.map((parcel) => {
    const letter = letterOf(parcel, leading.get(parcel.property_id) ?? [], terms);
    const others = (atAddress.get(parcel.address ?? '')?.length ?? 1) - 1;
    return { ...letter, doubts: doubtsOf({ ...parcel, offer: letter.offer, at_address: others }) };
  });
  const to_look_at = letters
    .filter(({ doubts }) => doubts.length > 0)
    .toSorted((a, b) => riskOf(b.doubts) - riskOf(a.doubts))
    .slice(0, lettersToLookAt);
  return { letters, left_out, to_look_at };
}
