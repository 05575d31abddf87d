/** How much land an owner has, in all and in one piece: the columns of its parcels. */
import { JoinedGroups } from '../geo/joined-groups.ts';

/** A parcel with a known owner. */
export interface LandOfOwner {
  readonly property_id: number;
  readonly acres: number | null;
  /** 1: it has a shape whose neighbors are known. */
  readonly has_shape: number;
  /** Equal for accounts on one lot. */
  readonly geometry_hash: number | null;
}

/** Whether parcel `p` has a shape with known neighbors, and the number of that shape. */
export const shapeColumnsSql = `(p.geom IS NOT NULL AND EXISTS (SELECT 1 FROM neighbour_counties n
      WHERE n.fips = coalesce(p.fips, '') AND n.state = 'current')) AS has_shape,
    (SELECT geometry_hash FROM parcel_registry r WHERE r.property_id = p.property_id) AS geometry_hash`;

export const holdingColumnNames = [
  'owner_parcels',
  'owner_acres',
  'holding_parcels',
  'holding_acres',
  'largest_holding',
] as const;
export type HoldingColumns = Readonly<Record<(typeof holdingColumnNames)[number], number | null>>;

/**
 * Holdings: parcels of one owner that abut or face each other across a road, and accounts on one lot.
 * @param groupOf the owner of a parcel; undefined for an unknown one
 * @param neighbours pairs of property ids
 */
export function holdingsAmong<Land extends LandOfOwner>(
  land: readonly Land[],
  groupOf: (id: number) => number | undefined,
  neighbours: Iterable<readonly [number, number]>,
): Land[][] {
  const shaped = land.filter(({ has_shape: has }) => has === 1);
  const places = new Map(shaped.map(({ property_id: id }, at) => [id, at]));
  const joined = new JoinedGroups(shaped.length);
  for (const [one, other] of neighbours) {
    const [a, b] = [places.get(one), places.get(other)];
    if (a !== undefined && b !== undefined && groupOf(one) === groupOf(other)) joined.join(a, b);
  }
  const lots = new Map<string, number>();
  for (const [at, { property_id: id, geometry_hash: hash }] of shaped.entries()) {
    if (hash === null) continue;
    const lot = `${groupOf(id)} ${hash}`;
    const first = lots.get(lot);
    if (first === undefined) lots.set(lot, at);
    else joined.join(first, at);
  }
  return joined.groups().map((group) => group.map((at) => shaped[at] as Land));
}

/** Accounts on one lot count equal acres once. */
export function acresOf(land: readonly LandOfOwner[]): number | null {
  const counted = new Set<string>();
  let sum: number | null = null;
  for (const { acres, geometry_hash: hash } of land) {
    if (acres === null || (hash !== null && counted.has(`${hash} ${acres}`))) continue;
    if (hash !== null) counted.add(`${hash} ${acres}`);
    sum = (sum ?? 0) + acres;
  }
  return sum === null ? null : Math.round(sum * 1e4) / 1e4;
}

/** By property id. */
export function holdingColumns(
  land: readonly LandOfOwner[],
  groupOf: (id: number) => number | undefined,
  neighbours: Iterable<readonly [number, number]>,
): Map<number, HoldingColumns> {
  const holdings = holdingsAmong(land, groupOf, neighbours).map((parcels) => ({ parcels, acres: acresOf(parcels) }));
  const holdingOf = new Map(holdings.flatMap((one) => one.parcels.map(({ property_id: id }) => [id, one] as const)));
  const columns = new Map<number, HoldingColumns>();
  for (const owned of Map.groupBy(land, ({ property_id: id }) => groupOf(id)).values()) {
    const pieces = owned.map(({ property_id: id }) => holdingOf.get(id) ?? null);
    const sizes = pieces.flatMap((piece) => piece?.acres ?? []);
    // Not by spreading: a government may have a hundred thousand parcels.
    const largest = sizes.length === 0 ? null : sizes.reduce((most, acres) => Math.max(most, acres));
    const [owner_parcels, owner_acres] = [owned.length, acresOf(owned)];
    for (const [at, { property_id: id }] of owned.entries()) {
      const piece = pieces[at];
      columns.set(id, {
        ...{ owner_parcels, owner_acres, largest_holding: largest },
        ...{ holding_parcels: piece?.parcels.length ?? null, holding_acres: piece?.acres ?? null },
      });
    }
  }
  return columns;
}
