/** Why a letter is perhaps wrong, from evidence that is already there: for "Look at these 20 before you send". */
import { counted } from '../spec/counted.ts';
import { type DoubtKind, doubtKinds } from '../spec/mailings.ts';
import { decimal, dollars } from '../spec/value-terms.ts';
import { type ValueWarning, warningFacts } from '../spec/value-warnings.ts';
import type { OfferedValue } from './offer-rule.ts';

/** What a value says of itself. */
export interface JudgedValue extends OfferedValue {
  readonly is_low_confidence: boolean;
  readonly confidence: number;
  /** What sales around go for, in times the county's value of their land; null: not known. */
  readonly county_ratio: number | null;
  /** Acres behind it. */
  readonly acres: number;
  readonly comps: number;
  /** Null: no comp was used. */
  readonly nearest_km: number | null;
  readonly warnings: readonly ValueWarning[];
}

export interface DoubtedLetter {
  readonly recorded_acres: number | null;
  readonly mapped_acres: number | null;
  readonly value: JudgedValue | null;
  readonly offer: number | null;
  /** The county's own value of the land, dollars. */
  readonly county_value: number | null;
  /** What stood as owner when the list was made; null: unknown, or the same. */
  readonly owner_then: string | null;
  /** Deed recorded since the list was made, ISO day. */
  readonly deed_since: string | null;
  readonly is_exempt: boolean;
  readonly is_landlocked: boolean;
  /** Other letters of the mailing to the same address. */
  readonly at_address: number;
}

export interface Doubt {
  readonly kind: DoubtKind;
  /** What was found, with its number: "Recorded 24, map 31.6 ac". */
  readonly words: string;
  /** From just above 0 to 1: how far beyond what is usual. */
  readonly strength: number;
}

/** How far a ratio is from what is `usual`, on the way to `full` (1), in logarithms; 0: not beyond. */
function beyond(ratio: number, usual: number, full: number): number {
  const size = Math.log(ratio);
  const [from, to] = [Math.log(usual), Math.log(full)];
  return size <= from ? 0 : Math.min(1, (size - from) / (to - from) + 0.1);
}

const eitherWay = (ratio: number): number => Math.max(ratio, 1 / ratio);

const kilometersPerMile = 1.609344;
const miles = (kilometers: number): string => `${decimal(kilometers / kilometersPerMile)} mi`;

function ofAcres({ recorded_acres: recorded, mapped_acres: mapped, value }: DoubtedLetter): Doubt[] {
  const doubt = (a: number, b: number, words: string): Doubt[] => {
    const strength = beyond(eitherWay(a / b), 1.15, 3);
    return strength > 0 ? [{ kind: 'acres_differ', words, strength }] : [];
  };
  const own = recorded ?? mapped;
  if (recorded && mapped && beyond(eitherWay(recorded / mapped), 1.15, 3) > 0)
    return doubt(recorded, mapped, `Recorded ${decimal(recorded)}, map ${decimal(mapped)} ac`);
  if (value && own) return doubt(value.acres, own, `Valued with ${decimal(value.acres)}, now ${decimal(own)} ac`);
  return [];
}

function ofOwner({ owner_then: then, deed_since: day }: DoubtedLetter): Doubt[] {
  const found = [...(then === null ? [] : [`was ${then}`]), ...(day === null ? [] : [`deed of ${day}`])];
  return found.length === 0
    ? []
    : [{ kind: 'new_owner', words: `Since the list was made: ${found.join(', ')}`, strength: 1 }];
}

/** The price that sales lead one to expect from the county's value, and the words for it; null: the county has none. */
function countyOf({
  value,
  county_value: county,
}: DoubtedLetter): { readonly price: number; readonly words: string } | null {
  if (county === null) return null;
  const ratio = value?.county_ratio ?? 1;
  const often = decimal(ratio) === '1' ? '' : ` (sales go for ${decimal(ratio)} times that)`;
  return { price: county * ratio, words: `${dollars(county)}${often}` };
}

function ofMoney(letter: DoubtedLetter): Doubt[] {
  const { value, offer } = letter;
  const county = countyOf(letter);
  const doubts: Doubt[] = [];
  const push = (kind: DoubtKind, words: string, strength: number) => doubts.push({ kind, words, strength });
  const far = value && county ? beyond(eitherWay(value.middle / county.price), 2.5, 10) : 0;
  if (value && county && far > 0) push('county_far', `County ${county.words}, ours ${dollars(value.middle)}`, far);
  if (offer === null) return doubts;
  if (county && offer > county.price)
    push('offer_high', `Above the county’s ${county.words}`, Math.max(0.2, beyond(offer / county.price, 1, 4)));
  if (county && offer < county.price / 10)
    push(
      'offer_low',
      `Below a tenth of the county’s ${county.words}`,
      Math.max(0.2, beyond(county.price / offer, 10, 40)),
    );
  if (value && offer > value.high) push('offer_high', `Above the highest ${dollars(value.high)}`, 1);
  return doubts;
}

function ofValue({ value }: DoubtedLetter): Doubt[] {
  if (!value) return [];
  const doubts: Doubt[] = [];
  const push = (kind: DoubtKind, words: string, strength: number) => {
    if (strength > 0) doubts.push({ kind, words, strength });
  };
  const stale = value.warnings.find(({ code }) => code === 'stale');
  const unread = value.warnings.find(({ code }) => code === 'not_read');
  if (value.is_low_confidence)
    push('low_confidence', `Confidence ${Math.round(value.confidence)}, ${counted(value.comps, 'comp', 'comps')}`, 0.6);
  if (stale?.code === 'stale')
    push('stale', `Newest sale ${decimal(stale.years)} years old`, beyond(stale.years, 1, 6));
  if (value.nearest_km !== null)
    push('comps_far', `Nearest land sale ${miles(value.nearest_km)} off`, beyond(value.nearest_km, 8, 50));
  if (value.comps <= 3) push('few_comps', `Only ${counted(value.comps, 'comp', 'comps')}`, 1.2 - value.comps * 0.2);
  push('wide_range', `High is ${decimal(value.high / value.low)} times low`, beyond(value.high / value.low, 2.5, 8));
  if (unread) push('not_read', warningFacts(unread, miles), 0.5);
  return doubts;
}

/** Surest first. */
export function doubtsOf(letter: DoubtedLetter): Doubt[] {
  const { is_exempt: isExempt, is_landlocked: isLandlocked, at_address: others } = letter;
  return [
    ...ofOwner(letter),
    ...ofAcres(letter),
    ...ofMoney(letter),
    ...ofValue(letter),
    ...(others > 0
      ? [
          {
            kind: 'same_address',
            words: `${counted(others, 'other letter', 'other letters')} to this address`,
            strength: 1,
          } as const,
        ]
      : []),
    ...(isExempt ? [{ kind: 'exempt', words: 'The county calls the parcel exempt', strength: 1 } as const] : []),
    ...(isLandlocked ? [{ kind: 'landlocked', words: 'No road touches it', strength: 0.7 } as const] : []),
  ].toSorted((a, b) => weightOf(b) - weightOf(a));
}

const weightOf = ({ kind, strength }: Doubt): number => doubtKinds[kind].weight * strength;

/** The strongest counts whole, each further half of the one before: many small ones are not one large. */
export const riskOf = (doubts: readonly Doubt[]): number =>
  doubts.reduce((sum, doubt, place) => sum + weightOf(doubt) / 2 ** place, 0);
