/** Which owners are one: pairs that join by themselves, pairs that are proposed, and the groups that come of them. */
import { spellingGroups } from '../contacts/owner-spelling.ts';
import type { OwnerIdentity } from './owner-identity.ts';
import {
  automaticScore,
  type Comparison,
  compareOwners,
  lettersOf,
  OwnerCounts,
  partingScore,
  proposedScore,
  type Reason,
} from './owner-score.ts';

/** What the user said of a pair. *Shares* a person: related, never joined, no longer proposed. */
export const verdictKinds = ['same', 'different', 'shares'] as const;
export type VerdictKind = (typeof verdictKinds)[number];

export interface Verdict {
  readonly a_key: string;
  readonly b_key: string;
  readonly verdict: VerdictKind;
}

/** `automatic` and `proposed` by score, the others by verdict. */
export type LinkState = 'automatic' | 'proposed' | VerdictKind;

export interface OwnerLink {
  /** Places among the identities, a before b. */
  readonly a: number;
  readonly b: number;
  readonly score: number;
  readonly reasons: readonly Reason[];
  readonly state: LinkState;
}

export interface OwnerGroups {
  readonly links: readonly OwnerLink[];
  /** For each identity the place of the first of its group. */
  readonly groupOf: Int32Array;
}

/** Two words that are not rarer together cannot reach a proposal without the address. */
const leastPairBits = 8;

/** @param identities each with a key of its own */
export function linkOwners(identities: readonly OwnerIdentity[], verdicts: readonly Verdict[] = []): OwnerGroups {
  const counts = new OwnerCounts(identities);
  const said = new Map(verdicts.map(({ a_key: a, b_key: b, verdict }) => [pairKey(a, b), verdict]));
  const spellings = spellingsAtAddress(identities);
  const links = new Map<number, OwnerLink>();
  const consider = (one: number, other: number): void => {
    const [a, b] = one < other ? [one, other] : [other, one];
    const place = a * identities.length + b;
    if (links.has(place)) return;
    const [first, second] = [identities[a] as OwnerIdentity, identities[b] as OwnerIdentity];
    const verdict = said.get(pairKey(first.key, second.key));
    const compared = compareOwners(first, second, counts);
    const state = verdict ?? stateOf(compared, first, second, spellings[a] !== null && spellings[a] === spellings[b]);
    if (state !== null) links.set(place, { a, b, ...compared, state });
  };
  eachCandidate(identities, counts, consider);
  const places = new Map(identities.map(({ key }, at) => [key, at]));
  for (const { a_key: one, b_key: other } of verdicts) {
    const [a, b] = [places.get(one), places.get(other)];
    if (a !== undefined && b !== undefined && a !== b) consider(a, b);
  }
  const sorted = [...links.values()].sort((x, y) => x.a - y.a || x.b - y.b);
  return { links: sorted, groupOf: groupsOf(identities, sorted, counts) };
}

/** The same for both orders. */
export const pairKey = (one: string, other: string): string => (one < other ? `${one}\n${other}` : `${other}\n${one}`);

function stateOf({ score }: Comparison, a: OwnerIdentity, b: OwnerIdentity, isSpelling: boolean): LinkState | null {
  if (score >= automaticScore && isSpelling) return 'automatic';
  return score >= proposedScore && (isAtOneAddress(a, b) || holdsAllWords(a, b)) ? 'proposed' : null;
}

const isAtOneAddress = (a: OwnerIdentity, b: OwnerIdentity): boolean =>
  a.mailingKey !== null && a.mailingKey === b.mailingKey;

/** Two churches of one town share its name and are not proposed; only a longer form of one name is. */
function holdsAllWords(a: OwnerIdentity, b: OwnerIdentity): boolean {
  const [short, long] = a.words.length <= b.words.length ? [a, b] : [b, a];
  return short.words.every((word) => long.words.includes(word)) || lettersOf(a) === lettersOf(b);
}

/**
 * A word that is equal for spellings of one owner at one mailing address: of persons the first one's surname, given name
 * and generation, of others all words but the legal form. Null: alone, or without an address.
 */
function spellingsAtAddress(identities: readonly OwnerIdentity[]): (string | null)[] {
  const found: (string | null)[] = identities.map(() => null);
  for (const [mailing, places] of Map.groupBy(identities.keys(), (at) => identities[at]?.mailingKey)) {
    if (!mailing || places.length < 2) continue;
    const groups = spellingGroups(places.map((at) => (identities[at] as OwnerIdentity).name));
    for (const [index, at] of places.entries()) found[at] = groups[index] ? `${mailing} ${groups[index]}` : null;
  }
  return found;
}

/** More names at one address are those of an agent: they are compared only where they share words. */
const mostAtAddress = 100;

/** Two words that more owners share tell none of them; a third one may. */
const mostWithWords = 50;

/** Keys of which two owners must share one to be compared. */
function* bucketKeys(identity: OwnerIdentity, counts: OwnerCounts): Generator<string> {
  const { words, mailingKey } = identity;
  if (mailingKey !== null) {
    if (counts.crowdOf(mailingKey) <= mostAtAddress) yield mailingKey;
    else for (const word of words) yield `${mailingKey} ${word}`;
  }
  yield `= ${lettersOf(identity)}`;
  const telling = words.map((word) => ({ word, bits: counts.bitsOf(word) })).sort((a, b) => (a.word < b.word ? -1 : 1));
  for (const [at, one] of telling.entries())
    for (const other of telling.slice(at + 1))
      if (one.bits + other.bits >= leastPairBits) yield `${one.word} ${other.word}`;
}

function eachCandidate(
  identities: readonly OwnerIdentity[],
  counts: OwnerCounts,
  consider: (a: number, b: number) => void,
): void {
  const places = [...identities.entries()].flatMap(([at, one]) =>
    [...bucketKeys(one, counts)].map((key) => ({ key, at })),
  );
  for (const [key, bucket] of Map.groupBy(places, (place) => place.key)) {
    // Mailing keys have a bar, words none.
    if (bucket.length > mostWithWords && !key.includes('|')) continue;
    for (const [index, { at }] of bucket.entries()) for (const other of bucket.slice(index + 1)) consider(at, other.at);
  }
}

/**
 * Joins what the user said, then the surest. What the user calls different stays apart, whatever else is said; of the
 * automatic joins also what would bring together two that are too unlike.
 */
function groupsOf(identities: readonly OwnerIdentity[], links: readonly OwnerLink[], counts: OwnerCounts): Int32Array {
  const groupOf = Int32Array.from(identities.keys());
  const members = new Map<number, number[]>();
  const different = new Set<string>();
  for (const { a, b, state } of links) if (state === 'different') different.add(`${a} ${b}`);
  const isApart = (one: number, other: number) => different.has(`${Math.min(one, other)} ${Math.max(one, other)}`);
  const isUnlike = (one: number, other: number) =>
    compareOwners(identities[one] as OwnerIdentity, identities[other] as OwnerIdentity, counts).score < partingScore;
  const joining = links
    .filter(({ state }) => state === 'same' || state === 'automatic')
    .sort((x, y) => Number(y.state === 'same') - Number(x.state === 'same') || y.score - x.score);
  for (const { a, b, state } of joining) {
    const [one, other] = [groupOf[a] as number, groupOf[b] as number];
    if (one === other) continue;
    const [to, from] = [Math.min(one, other), Math.max(one, other)];
    const [standing, coming] = [members.get(to) ?? [to], members.get(from) ?? [from]];
    const parts = (x: number) => coming.some((y) => isApart(x, y) || (state === 'automatic' && isUnlike(x, y)));
    if (standing.some(parts)) continue;
    for (const place of coming) groupOf[place] = to;
    members.set(to, [...standing, ...coming]);
    members.delete(from);
  }
  return groupOf;
}
