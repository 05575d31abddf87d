/** The holdings of a book: parcels of one owner that touch, as one outline with one name and its acres. */

import { type Dissolved, dissolve, noEdges } from '../geo/dissolve.ts';
import { type Bounds, boundsOfMultiPolygon, type MultiPolygon, type PolygonRings, type Ring } from '../geo/geometry.ts';
import { JoinedGroups } from '../geo/joined-groups.ts';
import { localMetric } from '../geo/local-metric.ts';
import { poleOf } from '../geo/pole.ts';
import { type KeptShape, ShapeStore } from '../geo/shape-store.ts';
import type { BookParcel } from './book-parcels.ts';
import { mailingFirstWord } from './owner-key.ts';

export type OwnerKind = 'public' | 'company' | 'person' | 'unknown';

export interface Holding {
  /** What stands on the map and in the index: the owner as recorded, or the APN. */
  readonly name: string;
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
      .map((parcel) => maker.make([parcel], { name: parcel.apn || 'no APN', kind: 'unknown' }));
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

type Owner = Pick<Holding, 'name' | 'kind'>;

function ownerOf(members: readonly BookParcel[]): Owner {
  const [first] = members as [BookParcel];
  return { name: first.ownerKey === null ? unknownOwner : nameOf(members), kind: first.kind };
}

/** The spelling that most of its parcels have. */
function nameOf(members: readonly BookParcel[]): string {
  const counts = new Map<string, number>();
  for (const { name } of members) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
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
  make(members: readonly BookParcel[], { name, kind }: Owner, piece: Dissolved | null = null): Holding {
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
        ...{ name, kind, parcels: members.length, ...acresOf(members) },
        ...{ inner: piece?.inner ?? noEdges, isDissolved: piece?.isDissolved ?? true },
      },
      shape,
      [this.#places, at],
    );
  }
}

class MadeHolding implements Holding {
  readonly name: string;
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

/** Parcels by owner: equal names, or an equal mailing address and first word. Parcels of unknown owners stay alone. */
function groupByOwner(parcels: readonly BookParcel[]): BookParcel[][] {
  const joined = new JoinedGroups(parcels.length);
  const firsts = new Map<string, number>();
  const join = (key: string, at: number): void => {
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, at);
    else joined.join(first, at);
  };
  for (const [at, { ownerKey: key, mailingKey }] of parcels.entries()) {
    if (key === null) continue;
    join(`name ${key}`, at);
    if (mailingKey) join(`mail ${mailingFirstWord(key)} ${mailingKey}`, at);
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
