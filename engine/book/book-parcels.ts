/** Reads the parcels of a book. */
import { withoutCareOf } from '../contacts/owner-name-words.ts';
import { type OwnerType, ownerType } from '../contacts/owner-type.ts';
import type { MultiPolygon } from '../geo/geometry.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { foldSpaces } from '../spec/text-fold.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import type { OwnerKind } from './holdings.ts';
import { ownerKey } from './owner-key.ts';

export interface BookParcel {
  readonly fips: string;
  readonly apn: string | null;
  /** Equal for parcels of one owner; null: unknown. */
  readonly ownerKey: string | null;
  /** In capitals, without the recipient of letters. */
  readonly name: string;
  readonly kind: OwnerKind;
  readonly mailingKey: string | null;
  readonly acres: number | null;
  readonly measuredAcres: number | null;
  /** Empty: it has no shape, or a damaged one. */
  readonly polygons: MultiPolygon;
}

/** Which parcels: of counties, or by id; null: all. */
export interface BookChoice {
  readonly counties: readonly string[] | null;
  readonly ids: readonly number[] | null;
}

const columns = `p.fips, p.apn, p.owner_name, p.owner_type, p.mailing_key, p.acres, p.calculated_acres, p.geom`;

type Row = [
  fips: string,
  apn: string | null,
  owner: string | null,
  ownerType: string | null,
  mailingKey: string | null,
  acres: number | null,
  measured: number | null,
  geom: Uint8Array | null,
];

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

function rowsOf(file: SqliteFile, choice: BookChoice): Row[] {
  const { sql, values } = choiceSql(choice);
  return file.rawRows(`SELECT ${columns} FROM parcels p ${sql}`, ...values) as Row[];
}

/** In the order of their ids. */
export const readParcels = (file: SqliteFile, choice: BookChoice): BookParcel[] =>
  rowsOf(file, choice).map(([fips, apn, owner, type, mailingKey, acres, measuredAcres, geom]) => {
    const given = withoutCareOf(owner ?? '') || (owner ?? '');
    return {
      ...{ fips, apn, acres, measuredAcres, mailingKey, polygons: polygonsOf(geom) },
      ...{ ownerKey: ownerKey(given), name: foldSpaces(given), kind: kindOf(type, owner) },
    };
  });

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
