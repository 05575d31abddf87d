/**
 * Decides whether ADDRESS, CITY, STATE, ZIP alone belong to the parcel or its owner, from their values and from the
 * other columns.
 */
import { isFromTable, type WeighedSource } from './guess-candidates.ts';
import { guessByName } from './guess-patterns.ts';

export interface BarePlace {
  readonly kind: 'situs' | 'mailing';
  readonly factor: number;
  readonly reason: string;
}

const means = (source: WeighedSource, target: string): boolean =>
  guessByName(source.words).some((guess) => guess.target === target);

/**
 * @returns the answer for each source with a bare name; one answer for the whole parcel file, one for the whole table
 */
export function shareOfBare(
  sources: readonly WeighedSource[],
  state: string | null,
): (source: WeighedSource) => BarePlace {
  const decided = new Map<boolean, BarePlace>();
  return (source) => {
    const key = isFromTable(source);
    const known = decided.get(key);
    if (known) return known;
    const place = decide(
      sources.filter((one) => isFromTable(one) === key),
      state,
    );
    decided.set(key, place);
    return place;
  };
}

function decide(sources: readonly WeighedSource[], state: string | null): BarePlace {
  return byStates(sources, state) ?? byBoxes(sources) ?? byOthers(sources);
}

/** Owners also live in other states; parcels do not. */
function byStates(sources: readonly WeighedSource[], state: string | null): BarePlace | null {
  const source = sources.find((one) => means(one, 'bare_state') && one.facts.states >= 0.7);
  if (!source) return null;
  const { filled, statesFound } = source.facts;
  if (filled < 20) return null;
  const most = state === null ? Math.max(...statesFound.values()) : (statesFound.get(state) ?? 0);
  if (statesFound.size >= 2 && most < 0.995 * filled) {
    return {
      kind: 'mailing',
      factor: 1,
      reason: `${source.label} names ${statesFound.size} states, so it is the owner's`,
    };
  }
  return { kind: 'situs', factor: 0.95, reason: `${source.label} is always the same, so it is the parcel's` };
}

function byBoxes(sources: readonly WeighedSource[]): BarePlace | null {
  const source = sources.find((one) => means(one, 'bare_address') && one.facts.boxes >= 0.02);
  return source ? { kind: 'mailing', factor: 0.97, reason: `${source.label} has post office boxes` } : null;
}

function byOthers(sources: readonly WeighedSource[]): BarePlace {
  const hasMail = sources.some((one) => means(one, 'mailing_address') || means(one, 'mailing_city'));
  const hasSitus = sources.some((one) => means(one, 'situs_address') || means(one, 'situs_city'));
  if (hasMail && !hasSitus) return { kind: 'situs', factor: 0.97, reason: "the owner's stands beside it" };
  if (hasSitus && !hasMail) return { kind: 'mailing', factor: 0.93, reason: "the parcel's stands beside it" };
  return { kind: 'situs', factor: 0.75, reason: "may be the owner's: nothing decides it" };
}
