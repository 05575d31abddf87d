/** The holdings of a book: parcels of one owner that touch, as one outline with one name and its acres. */

import { namesAnother, spellingGroups } from '../contacts/owner-spelling.ts';
import { type Dissolved, dissolve, noEdges } from '../geo/dissolve.ts';
import { type Bounds, boundsOfMultiPolygon, type MultiPolygon, type PolygonRings, type Ring } from '../geo/geometry.ts';
import { JoinedGroups } from '../geo/joined-groups.ts';
import { localMetric } from '../geo/local-metric.ts';
import { poleOf } from '../geo/pole.ts';
import { type KeptShape, ShapeStore } from '../geo/shape-store.ts';
import type { BookParcel } from './book-parcels.ts';

export type OwnerKind = 'public' | 'company' | 'person' | 'unknown';

export interface Holding {
  /** What stands on the map and in the index: the owner as most of its parcels have it, or the APN. */
  readonly name: string;
  /** Its further owners and spellings, as recorded: each stands in the index. */
  readonly alsoNames: readonly string[];
  readonly kind: OwnerKind;
  /** Null: neither recorded nor measured. */
  readonly acres: number | null;
  /** Measured from the shape, since the recorded acres are missing or far off. */
  readonly isMeasured: boolean;
  readonly parcels: number;
  /** False: none of its parcels has one, and `polygons` is empty. */
  readonly hasShape: boolean;
  readonly polygons: MultiPolygon;
  /** Edges between its parcels, four numbers each. */
  readonly inner: Float64Array;
  readonly isDissolved: boolean;
  readonly bounds: Bounds;
  /** Deep inside: longitude and latitude. */
  readonly point: readonly [number, number];
}

/** Recorded acres that are farther from the shape are not believed. */
const mostOffShare = 0.25;

/**
 * @param hasNames false: each parcel is a holding of its own, named by its APN
 * @param isWanted owners without such a parcel are left out; absent: all
 */
export function holdingsOf(
  parcels: readonly BookParcel[],
  hasNames: boolean,
  isWanted: (parcel: BookParcel) => boolean = () => true,
): Holding[] {
  const maker = new HoldingMaker(parcels.length);
  if (!hasNames)
    return parcels
      .filter(isWanted)
      .map((parcel) => maker.make([parcel], { name: parcel.apn || 'no APN', alsoNames: noNames, kind: 'unknown' }));
  const groups = groupByOwner(parcels).filter((group) => group.some(isWanted));
  return groups.flatMap((group) => {
    const shaped = group.filter(({ shape }) => !shape.isEmpty);
    const shapeless = group.filter(({ shape }) => shape.isEmpty);
    const pieces = shaped.length < 2 ? [] : dissolve(shaped.map(({ shape }) => shape.polygons));
    return [
      ...(shaped.length === 1 ? [maker.make(shaped, ownerOf(shaped))] : []),
      ...pieces.map((piece) => {
        const members = piece.members.map((at) => shaped[at] as BookParcel);
        return maker.make(members, ownerOf(members), piece);
      }),
      ...(shapeless.length > 0 ? [maker.make(shapeless, ownerOf(shapeless))] : []),
    ];
  });
}

const unknownOwner = 'OWNER NOT STATED';

export const isUnstated = ({ name }: Pick<Holding, 'name'>): boolean => name === unknownOwner;

type Owner = Pick<Holding, 'name' | 'alsoNames' | 'kind'>;

const noNames: readonly string[] = [];

function ownerOf(members: readonly BookParcel[]): Owner {
  const [{ ownerKey, name, kind }] = members as [BookParcel];
  if (ownerKey === null) return { name: unknownOwner, alsoNames: noNames, kind };
  if (members.length === 1) return { name, alsoNames: noNames, kind };
  const counts = new Map<string, number>();
  for (const one of members) counts.set(one.name, (counts.get(one.name) ?? 0) + 1);
  // Stable: of names that are as frequent the first.
  const [[most], ...others] = [...counts].sort((a, b) => b[1] - a[1]) as [[string, number], ...[string, number][]];
  return { name: most, alsoNames: others.length === 0 ? noNames : others.map(([other]) => other), kind };
}

/** ` & 2 others` behind the name: owners of whom it says nothing; other spellings are none. */
export function othersWords({ name, alsoNames }: Pick<Holding, 'name' | 'alsoNames'>): string {
  const others = alsoNames.filter((one) => namesAnother(one, name)).length;
  // One unit, so that no line ends with the number.
  return others === 0 ? '' : ` & ${others}\u00a0${others === 1 ? 'other' : 'others'}`;
}

/** Numbers of a place: west, south, east, north, longitude, latitude. */
const placeNumbers = 6;

/** Makes the holdings of a book; what a hundred thousand of them share is in arrays that all have. */
class HoldingMaker {
  readonly #shapes = new ShapeStore();
  readonly #places: Float64Array;
  #made = 0;

  /** @param most number of holdings */
  constructor(most: number) {
    this.#places = new Float64Array(placeNumbers * most);
  }

  /** @param piece of several parcels with a shape */
  make(members: readonly BookParcel[], owner: Owner, piece: Dissolved | null = null): Holding {
    const [first] = members as [BookParcel];
    const shape = piece === null || members.length === 1 ? first.shape : this.#shapes.keep(piece.polygons);
    const at = placeNumbers * this.#made++;
    if (!shape.isEmpty) {
      const { polygons } = shape;
      const { minX, minY, maxX, maxY } = boundsOfMultiPolygon(polygons);
      this.#places.set([minX, minY, maxX, maxY, ...insidePoint(polygons)], at);
    }
    return new MadeHolding(
      {
        ...owner,
        ...{ parcels: members.length, ...acresOf(members) },
        ...{ inner: piece?.inner ?? noEdges, isDissolved: piece?.isDissolved ?? true },
      },
      shape,
      [this.#places, at],
    );
  }
}

class MadeHolding implements Holding {
  readonly name: string;
  readonly alsoNames: readonly string[];
  readonly kind: OwnerKind;
  readonly acres: number | null;
  readonly isMeasured: boolean;
  readonly parcels: number;
  readonly inner: Float64Array;
  readonly isDissolved: boolean;
  readonly #shape: KeptShape;
  readonly #places: Float64Array;
  readonly #at: number;

  constructor(
    {
      name,
      alsoNames,
      kind,
      acres,
      isMeasured,
      parcels,
      inner,
      isDissolved,
    }: Omit<Holding, 'hasShape' | 'polygons' | 'bounds' | 'point'>,
    shape: KeptShape,
    [places, at]: readonly [Float64Array, number],
  ) {
    this.name = name;
    this.alsoNames = alsoNames;
    this.kind = kind;
    this.acres = acres;
    this.isMeasured = isMeasured;
    this.parcels = parcels;
    this.inner = inner;
    this.isDissolved = isDissolved;
    this.#shape = shape;
    this.#places = places;
    this.#at = at;
  }

  get hasShape(): boolean {
    return !this.#shape.isEmpty;
  }

  get polygons(): MultiPolygon {
    return this.#shape.polygons;
  }

  get bounds(): Bounds {
    const [minX = 0, minY = 0, maxX = 0, maxY = 0] = this.#places.subarray(this.#at, this.#at + 4);
    return { minX, minY, maxX, maxY };
  }

  get point(): readonly [number, number] {
    return [this.#places[this.#at + 4] as number, this.#places[this.#at + 5] as number];
  }
}

interface AcresRecord {
  readonly recorded: number | null;
  /** The sum over all shapes; null: there is none. */
  readonly measured: number | null;
}

/** Parcels of one APN share their recorded acres: they count once. */
function recordsOf(members: readonly BookParcel[]): AcresRecord[] {
  const records = new Map<string, AcresRecord>();
  for (const [at, { apn, fips, acres, measuredAcres }] of members.entries()) {
    const key = apn && acres !== null ? `${fips} ${apn} ${acres}` : `#${at}`;
    const before = records.get(key)?.measured ?? null;
    const measured = before === null ? measuredAcres : before + (measuredAcres ?? 0);
    records.set(key, { recorded: acres, measured });
  }
  return [...records.values()];
}

const isFarOff = ({ recorded, measured }: AcresRecord): boolean =>
  recorded === null || (measured !== null && Math.abs(recorded - measured) > mostOffShare * measured);

function acresOf(members: readonly BookParcel[]): Pick<Holding, 'acres' | 'isMeasured'> {
  const told = recordsOf(members)
    .map((record) => ({ isMeasured: isFarOff(record), acres: isFarOff(record) ? record.measured : record.recorded }))
    .filter((record): record is { isMeasured: boolean; acres: number } => record.acres !== null);
  return {
    acres: told.length === 0 ? null : told.reduce((sum, { acres }) => sum + acres, 0),
    isMeasured: told.some(({ isMeasured }) => isMeasured),
  };
}

/**
 * Parcels by owner: equal names, or spellings of one name at one mailing address. A box is shared by strangers, so it joins
 * nothing by itself. Parcels of unknown owners stay alone.
 */
function groupByOwner(parcels: readonly BookParcel[]): BookParcel[][] {
  const joined = new JoinedGroups(parcels.length);
  const join = (places: readonly number[]): void => {
    for (const at of places.slice(1)) joined.join(places[0] as number, at);
  };
  const known = [...parcels.keys()].filter((at) => parcels[at]?.ownerKey !== null);
  for (const same of Map.groupBy(known, (at) => parcels[at]?.ownerKey).values()) join(same);
  for (const [mail, places] of Map.groupBy(known, (at) => parcels[at]?.mailingKey)) {
    if (!mail || new Set(places.map((at) => parcels[at]?.ownerKey)).size < 2) continue;
    const groups = spellingGroups(places.map((at) => (parcels[at] as BookParcel).name));
    for (const [group, same] of Map.groupBy(places.keys(), (at) => groups[at]))
      if (group !== null) join(same.map((at) => places[at] as number));
  }
  return joined.groups().map((group) => group.map((at) => parcels[at] as BookParcel));
}

/** The pole of the largest polygon, to a twentieth of its narrower side. */
function insidePoint(polygons: MultiPolygon): [number, number] {
  const largest = polygons.reduce((best, one) => (boxSize(one) > boxSize(best) ? one : best));
  const [exterior] = largest as [Ring];
  const [longitude, latitude] = [exterior[0] as number, exterior[1] as number];
  const metric = localMetric(latitude);
  const planar = largest.map((ring) =>
    ring.map((value, at) => (at % 2 === 0 ? (value - longitude) * metric.x : (value - latitude) * metric.y)),
  );
  const { minX, maxX, minY, maxY } = boundsOfMultiPolygon([planar]);
  const pole = poleOf(planar, Math.min(maxX - minX, maxY - minY) / 20);
  return [longitude + pole.x / metric.x, latitude + pole.y / metric.y];
}

function boxSize(rings: PolygonRings): number {
  const { minX, maxX, minY, maxY } = boundsOfMultiPolygon([rings]);
  return (maxX - minX) * (maxY - minY);
}
