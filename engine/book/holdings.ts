/** The holdings of a book, as engine/owners has them: each an outline with one name and its acres. */

import { namesAnother } from '../contacts/owner-spelling.ts';
import { BoundsIndex } from '../geo/bounds-index.ts';
import { dissolve, noEdges } from '../geo/dissolve.ts';
import { type Bounds, boundsOfMultiPolygon, type MultiPolygon, type PolygonRings, type Ring } from '../geo/geometry.ts';
import { JoinedGroups } from '../geo/joined-groups.ts';
import { localMetric } from '../geo/local-metric.ts';
import { widenBounds } from '../geo/near-length.ts';
import { poleOf } from '../geo/pole.ts';
import { MeasuredShape } from '../geo/shape-distance.ts';
import { type KeptShape, ShapeStore } from '../geo/shape-store.ts';
import { holdingsAmong } from '../owners/holding-columns.ts';
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
  /** Edges between its parcels, and ties between its lots across a road: four numbers each. */
  readonly inner: Float64Array;
  readonly isDissolved: boolean;
  readonly bounds: Bounds;
  /** Deep inside: longitude and latitude. */
  readonly point: readonly [number, number];
}

/** Recorded acres that are farther from the shape are not believed. */
const mostOffShare = 0.25;

/**
 * @param neighbours pairs of property ids; null: each parcel is a holding of its own, named by its APN
 * @param isWanted holdings without such a parcel are left out; absent: all
 */
export function holdingsOf(
  parcels: readonly BookParcel[],
  neighbours: Iterable<readonly [number, number]> | null,
  isWanted: (parcel: BookParcel) => boolean = () => true,
): Holding[] {
  const maker = new HoldingMaker(parcels.length);
  if (neighbours === null)
    return parcels
      .filter(isWanted)
      .map((parcel) => maker.make([parcel], { name: parcel.apn || 'no APN', alsoNames: noNames, kind: 'unknown' }));
  return partsOf(parcels, neighbours)
    .filter((members) => members.some(isWanted))
    .map((members) => maker.make(members, ownerOf(members)));
}

/**
 * Each parcel in exactly one part, in the order of first parcels: holdings; the parcels without a shape of one owner; alone
 * what has no known owner, or neighbors that are not known.
 */
function partsOf(parcels: readonly BookParcel[], neighbours: Iterable<readonly [number, number]>): BookParcel[][] {
  const owners = new Map(parcels.map(({ property_id: id, owner }) => [id, owner ?? undefined]));
  const owned = parcels.filter(({ owner }) => owner !== null);
  const [shapeless, shaped] = [true, false].map((isEmpty) => owned.filter(({ shape }) => shape.isEmpty === isEmpty));
  const holdings = holdingsAmong(shaped ?? [], (id) => owners.get(id), neighbours);
  const parts = [...holdings, ...Map.groupBy(shapeless ?? [], ({ owner }) => owner).values()];
  const firsts = new Map(parts.map((part) => [part[0], part]));
  const met = new Set(parts.flat());
  return parcels.flatMap((parcel) => {
    const part = firsts.get(parcel) ?? (met.has(parcel) ? null : [parcel]);
    return part === null ? [] : [part];
  });
}

const unknownOwner = 'OWNER NOT STATED';

export const isUnstated = ({ name }: Pick<Holding, 'name'>): boolean => name === unknownOwner;

type Owner = Pick<Holding, 'name' | 'alsoNames' | 'kind'>;

const noNames: readonly string[] = [];

function ownerOf(members: readonly BookParcel[]): Owner {
  const [{ isOwned, name, kind }] = members as [BookParcel];
  if (!isOwned) return { name: unknownOwner, alsoNames: noNames, kind };
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

  /** @param members all with a shape, or all without */
  make(members: readonly BookParcel[], owner: Owner): Holding {
    const [first] = members as [BookParcel];
    const outline = members.length === 1 || first.shape.isEmpty ? null : outlineOf(members);
    const shape = outline === null ? first.shape : this.#shapes.keep(outline.polygons);
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
        ...{ inner: outline?.inner ?? noEdges, isDissolved: outline?.isDissolved ?? true },
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

/** Land that touches as one piece, and ties between the pieces of a holding. */
function outlineOf(members: readonly BookParcel[]): Pick<Holding, 'polygons' | 'inner' | 'isDissolved'> {
  const pieces = dissolve(members.map(({ shape }) => shape.polygons));
  const lines = [...pieces.map(({ inner }) => inner), ...tiesOf(pieces.map(({ polygons }) => polygons))];
  return {
    polygons: pieces.flatMap(({ polygons }) => polygons),
    inner: lines.length === 1 ? (lines[0] as Float64Array) : Float64Array.from(lines.flatMap((line) => [...line])),
    isDissolved: pieces.every(({ isDissolved }) => isDissolved),
  };
}

/** Pieces that are farther apart are no holding by themselves: another lot or account joins them. */
const mostTieMeters = 30;
/** How far a tie reaches into the land at both its ends. */
const tieEndMeters = 30;

/** A line from piece to piece across the road between them, one for each that is joined. */
function tiesOf(pieces: readonly MultiPolygon[]): Float64Array[] {
  if (pieces.length < 2) return [];
  const boxes = pieces.map(boundsOfMultiPolygon);
  const index = new BoundsIndex(boxes);
  const joined = new JoinedGroups(pieces.length);
  return pieces.flatMap((polygons, at) => {
    const measured = new MeasuredShape(polygons);
    return index.near(widenBounds(boxes[at] as Bounds, mostTieMeters)).flatMap((other) => {
      if (other <= at || joined.isJoined(at, other)) return [];
      const places = measured.nearest(pieces[other] as MultiPolygon, mostTieMeters);
      if (places === null) return [];
      joined.join(at, other);
      const metric = localMetric(places[1]);
      const [dx, dy] = [(places[2] - places[0]) * metric.x, (places[3] - places[1]) * metric.y];
      const meters = Math.hypot(dx, dy);
      // Land that touches needs none.
      if (meters < 1) return [];
      const far = tieEndMeters / meters;
      const [endX, endY] = [(far * dx) / metric.x, (far * dy) / metric.y];
      return [Float64Array.of(places[0] - endX, places[1] - endY, places[2] + endX, places[3] + endY)];
    });
  });
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
