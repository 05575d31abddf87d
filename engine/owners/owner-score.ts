/** How much speaks for two spellings being one owner, in points, with the reasons (docs/owners.md, "The score"). */
import type { OwnerIdentity } from './owner-identity.ts';

export interface Reason {
  /** Above 0: for one owner. */
  readonly points: number;
  readonly text: string;
}

export interface Comparison {
  readonly score: number;
  readonly reasons: readonly Reason[];
}

/** Two identities are joined by themselves from this score on, if the conditions of owner-links.ts hold too. */
export const automaticScore = 14;
/** Perhaps the same, from this score on. */
export const proposedScore = 12;
/** A group that would hold a pair below this score is parted. */
export const partingScore = 8;

const mostBits = 6;
const sameMailing = 7;
const otherGivenName = -6;
const otherGeneration = -8;
const otherZip = -2.5;

/** Fewer names tell nothing about rarity: a word that stands once among ten is not taken for common. */
const leastNames = 1000;

/** How often words and addresses occur among all owners of a home. */
export class OwnerCounts {
  readonly #names: number;
  readonly #words = new Map<string, number>();
  readonly #crowds = new Map<string, number>();

  constructor(identities: readonly OwnerIdentity[]) {
    this.#names = Math.max(identities.length, leastNames);
    for (const { words, mailingKey } of identities) {
      for (const word of words) this.#words.set(word, this.namesWith(word) + 1);
      if (mailingKey !== null) this.#crowds.set(mailingKey, this.crowdOf(mailingKey) + 1);
    }
  }

  namesWith(word: string): number {
    return this.#words.get(word) ?? 0;
  }

  /** Names at a mailing address. */
  crowdOf(mailingKey: string): number {
    return this.#crowds.get(mailingKey) ?? 0;
  }

  /** Rarity of a word. */
  bitsOf(word: string): number {
    return Math.min(mostBits, Math.max(0, Math.log2(this.#names / Math.max(1, this.namesWith(word)))));
  }
}

/** Below whatever else there is. */
const neverPoints = -99;
const never: Comparison = {
  score: neverPoints,
  reasons: [{ points: neverPoints, text: 'one of them is a government' }],
};

/** Names with a word that is called rare. */
const mostRare = 5;

const names = (count: number): string => `${count} ${count === 1 ? 'name' : 'names'}`;

/** KILN SIDE FARM and KILNSIDE FARMS: equal but for spaces and a last S of a word. */
export const lettersOf = ({ words }: OwnerIdentity): string => words.map((word) => word.replace(/S$/, '')).join('');

export function compareOwners(a: OwnerIdentity, b: OwnerIdentity, counts: OwnerCounts): Comparison {
  if ((a.kind === 'government') !== (b.kind === 'government')) return never;
  const reasons = [
    ...wordReasons(a, b, counts),
    ...mailingReasons(a, b, counts),
    ...personReasons(a, b),
    ...(a.forms !== b.forms && a.forms !== '' && b.forms !== ''
      ? [{ points: 0, text: `another legal form: ${b.forms}, not ${a.forms}` }]
      : []),
  ];
  return { score: reasons.reduce((sum, { points }) => sum + points, 0), reasons };
}

function wordReasons(a: OwnerIdentity, b: OwnerIdentity, counts: OwnerCounts): Reason[] {
  const shared = a.words.filter((word) => b.words.includes(word));
  const reasons = shared.map((word): Reason => {
    const points = counts.bitsOf(word);
    const rarity = counts.namesWith(word) <= mostRare ? 'rare word' : 'word';
    return { points, text: `${rarity} ${word}, in ${names(counts.namesWith(word))}` };
  });
  const apart = a.words.filter((word) => !shared.includes(word));
  if (apart.length === 0 || lettersOf(a) !== lettersOf(b)) return reasons;
  const points = Math.max(...apart.map((word) => counts.bitsOf(word)), 0) * Math.min(2, apart.length);
  return [...reasons, { points, text: 'equal but for a space or an S' }];
}

function mailingReasons(a: OwnerIdentity, b: OwnerIdentity, counts: OwnerCounts): Reason[] {
  if (a.mailingKey !== null && a.mailingKey === b.mailingKey) {
    const crowd = counts.crowdOf(a.mailingKey);
    const points = Math.max(0, sameMailing - Math.max(0, Math.log2(crowd / 2)));
    return [{ points, text: `same mailing address${crowd > 2 ? `, with ${names(crowd)} there` : ''}` }];
  }
  if (a.zip === null || b.zip === null || a.zip === b.zip) return [];
  return [{ points: otherZip, text: `mailing address in another ZIP, ${b.zip}` }];
}

/** John and J. are not told apart, nor John and a second person JOHN. */
const isGiven = (one: string, other: string): boolean =>
  one === other || ((one.length < 2 || other.length < 2) && one.charAt(0) === other.charAt(0));

function personReasons(a: OwnerIdentity, b: OwnerIdentity): Reason[] {
  const [first, second] = [a.persons[0], b.persons[0]];
  if (!first || !second) return [];
  const pairs = a.persons.flatMap((one) =>
    b.persons.flatMap((other) =>
      one.last === other.last && isGiven(one.first, other.first) ? [[one, other] as const] : [],
    ),
  );
  if (pairs.length === 0)
    return [{ points: otherGivenName, text: `another given name: ${second.first}, not ${first.first}` }];
  const differing = (of: 'generation' | 'middle', isSaid: (text: string) => boolean) =>
    pairs.every(([one, other]) => one[of] !== other[of] && isSaid(one[of]) && isSaid(other[of]));
  // A father and his son JR share an address for years; a name without JR is mostly the father's.
  if (differing('generation', () => true))
    return [
      {
        points: otherGeneration,
        text: `another generation: ${second.generation || 'none'}, not ${first.generation || 'none'}`,
      },
    ];
  if (differing('middle', (text) => text !== ''))
    return [{ points: otherGeneration, text: `another initial: ${second.middle}, not ${first.middle}` }];
  return [];
}
