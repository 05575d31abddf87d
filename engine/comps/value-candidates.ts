/** Selects the candidate comps of a subject (docs/valuation.md, "Candidates"), with the reasons against the others. */

import type { StruckBy, StruckCounts } from '../spec/suspect-rules.ts';
import { type CompIndex, distanceKilometers, type PlacedSale } from './comp-index.ts';
import { isOwnSale } from './own-sale.ts';
import { splitTwins } from './same-sale.ts';
import type { ValuationParameters } from './valuation-parameters.ts';
import type { LeftOutReason, ValueSubject } from './value-types.ts';

/** A subject that can be valued. */
export interface PlacedSubject extends ValueSubject {
  readonly acres: number;
  readonly longitude: number;
  readonly latitude: number;
}

/** A comp of the index, by its position there. */
export interface FoundComp {
  readonly position: number;
  /** Kilometers. */
  readonly distance: number;
}

/** In unspecified order. */
export interface Candidates {
  readonly ringKilometers: number;
  readonly positions: readonly number[];
  /** Kilometers. */
  readonly distances: Float64Array;
  /** Candidates that tell the sale of another one again. */
  readonly twins: readonly FoundComp[];
}

/** The comps within a ring excluded for one reason. */
export interface RefusedComps {
  readonly count: number;
  /** Nearest first, ties by id; for the subject's own sales and listings, all. */
  readonly nearest: readonly FoundComp[];
}

/** Those refused, by reason; and the struck ones by what struck them. */
export interface Refused {
  readonly byReason: ReadonlyMap<LeftOutReason, RefusedComps>;
  readonly struck: StruckCounts;
}

/** The tests of candidates, for one subject. */
interface Screen {
  /** Why the comp is not a candidate; null for a candidate. */
  readonly refusalOf: (position: number, distance: number) => LeftOutReason | null;
  /** Tests what needs no distance: most comps fail here. */
  readonly mayPass: (position: number) => boolean;
}

function buildScreen(subject: PlacedSubject, index: CompIndex, parameters: ValuationParameters): Screen {
  const { minAgeDays, maxAgeDays, ownParcel, ownPin } = parameters;
  const ownMeters = Math.max(ownParcel.meters, ownPin.meters);
  const { hasPrice, isStruck, logAcres, dates, propertyIds } = index;
  const subjectLogAcres = Math.log(subject.acres);
  // slightly wider, so that rounding does not decide at ten times the size
  const band = Math.log(parameters.acreageBand) + 1e-9;

  const refusalBySale = (position: number): LeftOutReason | null => {
    if (isStruck[position] === 1) return 'struck';
    if (hasPrice[position] === 0) return 'no_price';
    const size = logAcres[position] as number;
    if (Number.isNaN(size)) return 'no_lot_size';
    // NaN, for a comp without date, is neither later nor too old
    const age = subject.date - (dates[position] as number);
    if (subject.isPast && Number.isNaN(age)) return 'no_date';
    if (age < minAgeDays) return 'later_than_value_date';
    if (age > maxAgeDays) return 'too_old';
    return Math.abs(size - subjectLogAcres) > band ? 'outside_acreage_band' : null;
  };
  return {
    refusalOf: (position, distance) => {
      if (distance * 1000 <= ownMeters || propertyIds[position] === subject.propertyId) {
        const id = propertyIds[position] as number;
        const comp = { propertyId: Number.isNaN(id) ? null : id, acres: index.acresAt(position) };
        if (isOwnSale(subject, comp, distance, parameters)) return 'own_parcel';
      }
      return refusalBySale(position);
    },
    mayPass: (position) => refusalBySale(position) === null,
  };
}

function searchRing(subject: PlacedSubject, index: CompIndex, ringKilometers: number, screen: Screen): Candidates {
  const positions: number[] = [];
  const distances: number[] = [];
  index.forEachWithin(
    subject.longitude,
    subject.latitude,
    ringKilometers,
    (position, distance) => {
      if (screen.refusalOf(position, distance) !== null) return;
      positions.push(position);
      distances.push(distance);
    },
    screen.mayPass,
  );
  return { ringKilometers, positions, distances: Float64Array.from(distances), twins: [] };
}

/** Counts every sale once. */
function withoutTwins(found: Candidates, index: CompIndex): Candidates {
  const { kept, twins } = splitTwins(index.toldAt(found.positions), (a, b) => index.compareIds(a.position, b.position));
  if (twins.length === 0) return found;
  const distanceOf = new Map(found.positions.map((position, place) => [position, found.distances[place] as number]));
  const distance = ({ position }: PlacedSale) => distanceOf.get(position) as number;
  return {
    ringKilometers: found.ringKilometers,
    positions: kept.map(({ position }) => position),
    distances: Float64Array.from(kept, distance),
    twins: twins.map((twin) => ({ position: twin.position, distance: distance(twin) })),
  };
}

/** The candidates of the first ring with enough of them, else of the last. */
export function findCandidates(subject: PlacedSubject, index: CompIndex, parameters: ValuationParameters): Candidates {
  const { ringsKilometers, enoughCandidates } = parameters;
  const screen = buildScreen(subject, index, parameters);
  let found: Candidates = { ringKilometers: 0, positions: [], distances: new Float64Array(), twins: [] };
  for (const ringKilometers of ringsKilometers) {
    const all = searchRing(subject, index, ringKilometers, screen);
    const isLast = ringKilometers === ringsKilometers.at(-1);
    found = isLast || all.positions.length >= enoughCandidates ? withoutTwins(all, index) : all;
    if (found.positions.length >= enoughCandidates) break;
  }
  return found;
}

/** The comps within a ring that are not candidates, by reason: their number, and the nearest. */
export function findRefused(
  subject: PlacedSubject,
  index: CompIndex,
  ringKilometers: number,
  parameters: ValuationParameters,
): Refused {
  const { refusalOf } = buildScreen(subject, index, parameters);
  const isNearer = nearerIn(index);
  const refused = new Map<LeftOutReason, { count: number; nearest: FoundComp[] }>();
  const struck: Partial<Record<StruckBy, number>> = {};
  index.forEachWithin(subject.longitude, subject.latitude, ringKilometers, (position, distance) => {
    const reason = refusalOf(position, distance);
    if (reason === null) return;
    let found = refused.get(reason);
    if (found === undefined) {
      found = { count: 0, nearest: [] };
      refused.set(reason, found);
    }
    found.count++;
    const by = reason === 'struck' ? index.struckAt(position) : null;
    if (by !== null) struck[by] = (struck[by] ?? 0) + 1;
    const most = reason === 'own_parcel' ? Infinity : parameters.leftOutExamples;
    insertNearest(found.nearest, { position, distance }, most, isNearer);
  });
  return { byReason: refused, struck };
}

type IsNearer = (a: FoundComp, b: FoundComp) => boolean;

/** Ties by id. */
const nearerIn =
  (index: CompIndex): IsNearer =>
  (a, b) =>
    a.distance < b.distance || (a.distance === b.distance && index.compareIds(a.position, b.position) < 0);

/** Keeps a short list in order of distance. */
function insertNearest(list: FoundComp[], found: FoundComp, most: number, isNearer: IsNearer): void {
  const isBefore = (other: FoundComp | undefined) => other !== undefined && isNearer(found, other);
  let place = list.length;
  if (place >= most && !isBefore(list[place - 1])) return;
  while (place > 0 && isBefore(list[place - 1])) place--;
  list.splice(place, 0, found);
  if (list.length > most) list.pop();
}

interface NearestComp extends FoundComp {
  readonly reason: LeftOutReason;
}

/**
 * The nearest comp of another parcel if there are no candidates: among those refused within the ring, else among all
 * beyond it. Null if there is none.
 */
export function findNearest(
  subject: PlacedSubject,
  index: CompIndex,
  ringKilometers: number,
  { byReason: refused }: Refused,
): NearestComp | null {
  const isNearer = nearerIn(index);
  let nearest: NearestComp | null = null;
  for (const [reason, { nearest: list }] of refused) {
    const [first] = list;
    if (reason === 'own_parcel' || first === undefined) continue;
    if (nearest === null || isNearer(first, nearest)) nearest = { ...first, reason };
  }
  return nearest ?? findNearestBeyond(subject, index, ringKilometers);
}

/** Used when all comps within the ring are the subject's own. */
function findNearestBeyond(subject: PlacedSubject, index: CompIndex, ringKilometers: number): NearestComp | null {
  let nearest = -1;
  let nearestDistance = Infinity;
  for (const [position, longitude] of index.longitudes.entries()) {
    const latitude = index.latitudes[position] as number;
    const distance = distanceKilometers(subject.longitude, subject.latitude, longitude, latitude);
    if (distance <= ringKilometers || distance > nearestDistance) continue;
    if (index.propertyIds[position] === subject.propertyId) continue;
    const isTie = distance === nearestDistance;
    if (isTie && index.compareIds(position, nearest) > 0) continue;
    nearest = position;
    nearestDistance = distance;
  }
  return nearest < 0 ? null : { position: nearest, distance: nearestDistance, reason: 'beyond_ring' };
}
