/** Mailings: rules of offers, why a parcel gets no letter, why a letter is worth a look, replies, and the codes of letters. */

/** Which parcel of an owner the letter is about. */
export const leadRules = {
  most_acres: 'Most acres',
  highest_value: 'Highest value',
  latest_deed: 'Latest deed',
  each: 'A letter for each parcel',
} as const;
export type LeadRule = keyof typeof leadRules;

/** What an offer is of: an end or the middle of the value, in percent, or the acres, in dollars. */
export const offerBases = ['low', 'middle', 'high', 'acre'] as const;
export type OfferBasis = (typeof offerBases)[number];

/** The first reason that holds counts; screens and commands list them in this order. */
export const leftOutReasons = {
  by_you: 'Left out by you',
  gone: 'No longer in the county’s file',
  do_not_mail: 'Do not mail',
  public: 'Town, state or other government',
  no_name: 'No owner’s name',
  no_address: 'No full mailing address',
  mailed: 'Mailed lately',
  same_owner: 'Same owner, other parcel',
  no_value: 'No value yet',
  no_tier: 'Acres that no tier of the rule has',
} as const;
export type LeftOutReason = keyof typeof leftOutReasons;

/** Why a letter carries no offer until a person keeps it. */
export const withheldReasons = {
  low_confidence: 'low confidence',
  stale: 'the newest sale is too old',
  new_deed: 'a newer deed',
} as const;
export type WithheldReason = keyof typeof withheldReasons;

/** Evidence that a letter is wrong, with its weight: how much one of full strength counts. */
export const doubtKinds = {
  new_owner: { label: 'new owner', weight: 5 },
  acres_differ: { label: 'acres differ', weight: 4 },
  county_far: { label: 'county far', weight: 4 },
  offer_high: { label: 'offer high', weight: 4 },
  offer_low: { label: 'offer low', weight: 4 },
  same_address: { label: 'two at one address', weight: 3 },
  exempt: { label: 'exempt', weight: 3 },
  low_confidence: { label: 'low confidence', weight: 2 },
  stale: { label: 'old sales', weight: 2 },
  comps_far: { label: 'comps far', weight: 2 },
  few_comps: { label: 'few comps', weight: 2 },
  wide_range: { label: 'wide range', weight: 2 },
  landlocked: { label: 'no access', weight: 2 },
  not_read: { label: 'not read', weight: 1 },
} as const;
export type DoubtKind = keyof typeof doubtKinds;

/** Letters shown before a mailing is written. */
export const lettersToLookAt = 20;

export const replyOutcomes = {
  lead: 'Lead',
  no: 'No',
  accepted: 'Accepted',
  closed: 'Closed',
  take_off: 'Take me off',
} as const;
export type ReplyOutcome = keyof typeof replyOutcomes;
/** Replies that are worth a call, or more. */
export const leadOutcomes: readonly ReplyOutcome[] = ['lead', 'accepted', 'closed'];
export const acceptedOutcomes: readonly ReplyOutcome[] = ['accepted', 'closed'];

/** No I, L, O, U, Z: read aloud or by hand, each is itself. 31 of them, a prime, so that the check catches each wrong one. */
const codeSigns = '0123456789ABCDEFGHJKMNPQRSTVWXY';

/** A wrong sign, or two neighbours swapped, give another: the weights are different and none is 0 (mod 31). */
function checkSign(body: string): string {
  const sum = [...body].toReversed().reduce((total, sign, place) => total + codeSigns.indexOf(sign) * (place + 2), 0);
  return codeSigns[sum % codeSigns.length] as string;
}

/** `M12-201K`: the mailing, the letter, and the sign that checks both. */
export const letterCode = (mailing: number, letter: number): string =>
  `M${mailing}-${letter}${checkSign(`M${mailing}A${letter}`)}`;

const misread: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' };

/** Of a code as a person types it, in any case, spaces or not; null: a sign is wrong, or it is none. */
export function parseLetterCode(text: string): { readonly mailing: number; readonly letter: number } | null {
  const signs = text.toUpperCase().replace(/[ILO]/g, (sign) => misread[sign] as string);
  const parts = /^\s*M\s*(\d{1,9})\s*[-–—\s]\s*(\d{1,9})\s*([0-9A-Z])\s*$/.exec(signs);
  if (!parts) return null;
  const [mailing, letter] = [Number(parts[1]), Number(parts[2])];
  return letterCode(mailing, letter).endsWith(parts[3] as string) ? { mailing, letter } : null;
}

const z95 = 1.959964;

/** The interval that holds the true share in 19 of 20 such counts (Wilson 1927, score interval); null of none. */
export function wilson(found: number, of: number): { readonly low: number; readonly high: number } | null {
  if (of <= 0) return null;
  const share = found / of;
  const z2 = z95 * z95;
  const middle = (share + z2 / (2 * of)) / (1 + z2 / of);
  const half = (z95 * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of))) / (1 + z2 / of);
  return { low: found === 0 ? 0 : middle - half, high: found === of ? 1 : middle + half };
}
