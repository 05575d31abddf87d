/**
 * Decides whether ADDRESS, CITY, STATE, ZIP alone belong to the parcel or its owner, from their values and from the
 * other columns.
 */
import { isFromTable, type WeighedSource } from './guess-candidates.ts';
import { guessByName } from './guess-patterns.ts';

interface BarePlace {
  readonly kind: 'situs' | 'mailing';
  readonly factor: number;
  readonly reason: string;
}

const means = (source: WeighedSource, target: string): boolean =>
  guessByName(source.words).some((guess) => guess.target === target);

/**
 * @param order names of the columns, in file order
 * @returns the answer for each source with a bare name; one answer for the whole parcel file, one for the whole table
 */
export function shareOfBare(
  sources: readonly WeighedSource[],
  state: string | null,
  order: readonly string[],
): (source: WeighedSource) => BarePlace {
  const decided = new Map<boolean, BarePlace>();
  return (source) => {
    const key = isFromTable(source);
    const known = decided.get(key);
    if (known) return known;
    const place = decide(
      sources.filter((one) => isFromTable(one) === key),
      state,
      order,
    );
    decided.set(key, place);
    return place;
  };
}

function decide(sources: readonly WeighedSource[], state: string | null, order: readonly string[]): BarePlace {
  return (
    byOtherStates(sources, state) ??
    byBoxes(sources) ??
    byNeighbor(sources, order) ??
    byOthers(sources) ??
    byOneState(sources) ?? { kind: 'situs', factor: 0.75, reason: "may be the owner's: nothing decides it" }
  );
}

const parts = ['address', 'city', 'state', 'zip'] as const;
const meansAny = (source: WeighedSource, kind: 'situs' | 'mailing' | 'bare'): boolean =>
  parts.some((part) => means(source, `${kind}_${part}`));
const statesOf = (sources: readonly WeighedSource[]): WeighedSource | undefined =>
  sources.find((one) => means(one, 'bare_state') && one.facts.states >= 0.7 && one.facts.filled >= 20);

/** Owners also live in other states; parcels do not. */
function byOtherStates(sources: readonly WeighedSource[], state: string | null): BarePlace | null {
  const source = statesOf(sources);
  if (!source) return null;
  const { filled, statesFound } = source.facts;
  const most = state === null ? Math.max(...statesFound.values()) : (statesFound.get(state) ?? 0);
  if (statesFound.size < 2 || most >= 0.995 * filled) return null;
  return {
    kind: 'mailing',
    factor: 1,
    reason: `${source.label} names ${statesFound.size} states, so it is the owner's`,
  };
}

/** So many owners do not all live in one state. */
const manyOwners = 300;

function byOneState(sources: readonly WeighedSource[]): BarePlace | null {
  const source = statesOf(sources);
  return source
    ? {
        kind: 'situs',
        factor: source.facts.filled >= manyOwners ? 0.95 : 0.8,
        reason: `${source.label} is always the same, so it is the parcel's`,
      }
    : null;
}

/**
 * CITY, STATE and ZIP complete the address before them, which lacks them: OWNER_ADDRESS, CITY, STATE, ZIP; MAIL_STATE,
 * ZIP_5.
 */
function byNeighbor(sources: readonly WeighedSource[], order: readonly string[]): BarePlace | null {
  const placeOf = (source: WeighedSource) => Math.min(...source.columns.map((name) => order.indexOf(name)));
  const first = Math.min(...sources.filter((one) => meansAny(one, 'bare')).map(placeOf));
  const kindOf = (source: WeighedSource) =>
    (['mailing', 'situs'] as const).find((kind) => means(source, `${kind}_address`));
  const [before] = sources
    .filter((one) => kindOf(one) !== undefined && placeOf(one) < first)
    .sort((a, b) => placeOf(b) - placeOf(a));
  const kind = before && kindOf(before);
  const isComplete = parts
    .slice(1)
    .some((part) => [`${kind}_${part}`, `bare_${part}`].every((target) => sources.some((one) => means(one, target))));
  if (!before || kind === undefined || isComplete || sources.some((one) => means(one, 'bare_address'))) return null;
  return { kind, factor: 0.97, reason: `completes ${before.label}` };
}

function byBoxes(sources: readonly WeighedSource[]): BarePlace | null {
  const source = sources.find((one) => means(one, 'bare_address') && one.facts.boxes >= 0.02);
  return source ? { kind: 'mailing', factor: 0.97, reason: `${source.label} has post office boxes` } : null;
}

function byOthers(sources: readonly WeighedSource[]): BarePlace | null {
  const hasMail = sources.some((one) => means(one, 'mailing_address') || means(one, 'mailing_city'));
  const hasSitus = sources.some((one) => means(one, 'situs_address') || means(one, 'situs_city'));
  if (hasMail && !hasSitus) return { kind: 'situs', factor: 0.97, reason: "the owner's stands beside it" };
  if (hasSitus && !hasMail) return { kind: 'mailing', factor: 0.93, reason: "the parcel's stands beside it" };
  return null;
}
