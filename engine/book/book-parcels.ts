/** Reads the parcels of a book. */

import { ownerKey } from '../contacts/owner-key.ts';
import { ownerOf } from '../contacts/owner-name-words.ts';
import { type OwnerType, ownerType } from '../contacts/owner-type.ts';
import type { MultiPolygon } from '../geo/geometry.ts';
import { type KeptShape, ShapeStore } from '../geo/shape-store.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { type LandOfOwner, shapeColumnsSql } from '../owners/holding-columns.ts';
import { countiesWithHoldings } from '../owners/update-owners.ts';
import { foldSpaces } from '../spec/text-fold.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import type { OwnerKind } from './holdings.ts';

export interface BookParcel extends LandOfOwner {
  readonly fips: string;
  readonly apn: string | null;
  /** Whether the county tells an owner. */
  readonly isOwned: boolean;
  /** Equal for parcels of one owner by engine/owners; null: unknown, or not worked out. */
  readonly owner: number | null;
  /** As recorded, in capitals, without the recipient of letters. A last AND stays: it says that another owner follows. */
  readonly name: string;
  readonly kind: OwnerKind;
  readonly measuredAcres: number | null;
  /** Empty: it has no shape, or a damaged one. */
  readonly shape: KeptShape;
}

/** Which parcels: of counties, or by id; null: all. */
export interface BookChoice {
  readonly counties: readonly string[] | null;
  readonly ids: readonly number[] | null;
}

const columns = `p.property_id, p.fips, p.apn, p.owner_name, p.owner_type, p.acres, p.calculated_acres, p.geom,
  ${shapeColumnsSql}, (SELECT group_id FROM parcel_owners o JOIN owner_identities USING (identity_id)
    WHERE o.property_id = p.property_id) AS owner_group`;

interface Row extends LandOfOwner {
  readonly fips: string;
  readonly apn: string | null;
  readonly owner_name: string | null;
  readonly owner_type: string | null;
  readonly owner_group: number | null;
  readonly calculated_acres: number | null;
  readonly geom: Uint8Array | null;
}

/** The WHERE of a choice, with its values. */
export function choiceSql({ counties, ids }: BookChoice): { sql: string; values: Record<string, string>[] } {
  const terms = [
    "p.status = 'current'",
    ...(counties ? ['p.fips IN (SELECT value FROM json_each(:counties))'] : []),
    ...(ids ? ['p.property_id IN (SELECT value FROM json_each(:ids))'] : []),
  ];
  const values = {
    ...(counties && { counties: JSON.stringify(counties) }),
    ...(ids && { ids: JSON.stringify(ids) }),
  };
  return { sql: `WHERE ${terms.join(' AND ')} ORDER BY p.property_id`, values: counties || ids ? [values] : [] };
}

/** In the order of their ids; one row at a time, since all at once would fill memory. */
export function readParcels(file: SqliteFile, choice: BookChoice): BookParcel[] {
  const { sql, values } = choiceSql(choice);
  const shapes = new ShapeStore();
  const known = countiesWithHoldings(file);
  const parcels: BookParcel[] = [];
  for (const row of file.iterate<Row>(`SELECT ${columns} FROM parcels p ${sql}`, ...values))
    parcels.push(parcelOf(row, shapes.keep(polygonsOf(row.geom)), known.has(row.fips ?? '')));
  return parcels;
}

function parcelOf({ property_id, fips, apn, acres, ...row }: Row, shape: KeptShape, isKnown: boolean): BookParcel {
  const given = ownerOf(row.owner_name ?? '');
  const { has_shape, geometry_hash } = row;
  return {
    ...{ property_id, fips, apn, acres, has_shape, geometry_hash, measuredAcres: row.calculated_acres },
    ...{ shape, isOwned: ownerKey(given) !== null, name: foldSpaces(given) },
    owner: isKnown ? row.owner_group : null,
    kind: kindOf(row.owner_type, row.owner_name),
  };
}

const kinds: Readonly<Record<OwnerType, OwnerKind>> = {
  government: 'public',
  company: 'company',
  hoa: 'company',
  individual: 'person',
  trust: 'person',
};

function kindOf(stored: string | null, owner: string | null): OwnerKind {
  const type = stored ?? ownerType(owner);
  return type === null ? 'unknown' : (kinds[type as OwnerType] ?? 'unknown');
}

/** Pairs of neighbors by property id, one at a time. */
export function* pairsOfNeighbours(file: SqliteFile): Generator<readonly [number, number]> {
  const text = 'SELECT property_id, other_id FROM parcel_neighbours WHERE property_id < other_id';
  for (const { property_id: one, other_id: other } of file.iterate<{ property_id: number; other_id: number }>(text))
    yield [one, other];
}

export function polygonsOf(geom: Uint8Array | null): MultiPolygon {
  if (!geom) return [];
  try {
    return decodeMultiPolygon(geom);
  } catch {
    return [];
  }
}

interface Source {
  readonly name: string;
  /** ISO date. */
  readonly date: string;
  readonly county: string;
}

/** Who published the parcels of the book, when, and for which county. */
export const sourcesOf = (file: SqliteFile, fips: readonly string[]): Source[] =>
  file.all<Source>(
    `SELECT DISTINCT d.source_name AS name, d.source_date AS date, coalesce(c.name || ', ' || c.state, d.fips) AS county
     FROM datasets d LEFT JOIN counties c USING (fips)
     WHERE d.fips IN (SELECT value FROM json_each(?)) ORDER BY county, name, date`,
    JSON.stringify(fips),
  );
