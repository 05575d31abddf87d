/**
 * Suspect sales of a county: what speaks against each, what the user said of it, and whether it is struck out. What is
 * struck stands in `comps.struck`, which values, statistics and models read; a write there ends what was made from the
 * comps before, as any write of a comp does.
 */
import { findSuspects, type ScreenedSale } from '../comps/suspect-sales.ts';
import { areRelated, isExemptParty, isForcedDeed, isInstitution } from '../contacts/deed-parties.ts';
import { isNominal } from '../spec/nominal-price.ts';
import {
  type SaleVerdict,
  type StruckBy,
  type StruckCounts,
  type SuspectRuleName,
  suspectRules,
} from '../spec/suspect-rules.ts';
import { foldSpaces } from '../spec/text-fold.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';

/** By the key of the sale. */
export type SaleVerdicts = ReadonlyMap<string, SaleVerdict>;

export const readSaleVerdicts = ({ file }: Pick<AccountStore, 'file'>): SaleVerdicts =>
  new Map(
    file
      .all<{ sale_key: string; verdict: SaleVerdict }>('SELECT sale_key, verdict FROM sale_verdicts')
      .map((row) => [row.sale_key, row.verdict]),
  );

interface SaleRow {
  readonly comp_id: string;
  readonly fips: string;
  readonly property_id: number | null;
  readonly apn: string | null;
  readonly address: string | null;
  readonly source: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly lot_size: number | null;
  readonly price: number;
  readonly status: string;
  readonly sold_date: string | null;
  readonly sale_type: string | null;
  readonly deed: string | null;
  readonly seller: string | null;
  readonly buyer: string | null;
  readonly struck: StruckBy | null;
  readonly parcel_acres: number | null;
  readonly is_family: number | null;
  readonly structure_count: number | null;
  readonly year_built: number | null;
}

/** Of its parcel's last sale, where that is this sale. */
const ofParcel = (column: string) => `CASE WHEN p.last_sale_date = c.sold_date THEN p.${column} END`;

const rowsSql = `SELECT c.comp_id, c.fips, c.property_id, c.apn, c.address, c.source, c.longitude, c.latitude, c.lot_size,
  c.price, c.status, c.sold_date, coalesce(c.sale_type, ${ofParcel('last_sale_document_type')}) AS sale_type, c.deed,
  coalesce(c.seller, ${ofParcel('last_sale_seller_name')}) AS seller,
  coalesce(c.buyer, ${ofParcel('last_sale_buyer_name')}) AS buyer, c.struck,
  coalesce(p.acres, p.calculated_acres) AS parcel_acres, ${ofParcel('inter_family_transfer')} AS is_family,
  p.structure_count, p.year_built
  FROM comps c LEFT JOIN parcels p ON p.property_id = c.property_id`;

/** What names a sale in every file that tells it: its lot, its day, its price. */
export const saleKeyOf = ({ fips, apn, longitude, latitude, sold_date: day, price }: SaleRow): string =>
  [fips, foldSpaces(apn ?? '') || `${longitude.toFixed(4)},${latitude.toFixed(4)}`, day ?? '', price].join('|');

/** The county in a sale's key. */
export const countyOfKey = (key: string): string => key.slice(0, key.indexOf('|'));

const isForced = ({ sale_type: type, seller, buyer, is_family: isFamily }: SaleRow): boolean =>
  isFamily === 1 ||
  isForcedDeed(type) ||
  (seller !== null && (isInstitution(seller) || isExemptParty(seller))) ||
  (buyer !== null && isExemptParty(buyer)) ||
  (seller !== null && buyer !== null && areRelated(seller, buyer));

function houseOf({ structure_count: count, year_built: year, sold_date: day }: SaleRow): ScreenedSale['house'] {
  if (count === 0 || day === null) return null;
  if (year !== null) return year < Number(day.slice(0, 4)) ? 'older' : null;
  return (count ?? 0) > 0 ? 'unknown' : null;
}

const folded = (text: string | null): string | null => foldSpaces(text ?? '') || null;

const screened = (row: SaleRow): ScreenedSale => ({
  id: row.comp_id,
  propertyId: row.property_id,
  apn: folded(row.apn),
  longitude: row.longitude,
  latitude: row.latitude,
  acres: row.lot_size,
  price: row.price,
  date: row.sold_date,
  deed: folded(row.deed),
  // without a recorded seller, the buyer tells whether it is the same deed
  seller: folded(row.seller ?? row.buyer),
  isNominal: isNominal(row.price, row.lot_size),
  isExempt: isForced(row),
  house: houseOf(row),
  parcelAcres: row.parcel_acres,
});

export interface SuspectSale {
  readonly row: SaleRow;
  /** Most telling first; none: only the user speaks against it, or for it. */
  readonly rules: readonly SuspectRuleName[];
  readonly verdict: SaleVerdict | null;
  /** Null: it counts. */
  readonly struck: StruckBy | null;
}

function strikeOf(rules: readonly SuspectRuleName[], verdict: SaleVerdict | null): StruckBy | null {
  if (verdict === 'strike') return 'hand';
  return verdict === 'keep' ? null : (rules.find((rule) => suspectRules[rule].strikes) ?? null);
}

/** Every comp of a county, with what speaks against it. Only sales are suspect; a listing can be struck by hand. */
function judgeAll(file: SqliteFile, fips: string, verdicts: SaleVerdicts, today: string): SuspectSale[] {
  const rows = file.all<SaleRow>(`${rowsSql} WHERE c.fips = ? ORDER BY c.comp_id`, fips);
  const found = findSuspects(rows.filter(({ status }) => status === 'SOLD').map(screened), today);
  return rows.map((row) => {
    const rules = found.get(row.comp_id) ?? [];
    const verdict = verdicts.get(saleKeyOf(row)) ?? null;
    return { row, rules, verdict, struck: strikeOf(rules, verdict) };
  });
}

export interface CountySuspects {
  /** Sales of the county, suspect or not. */
  readonly sales: number;
  readonly struck: StruckCounts;
  /** Newest first. */
  readonly suspects: readonly SuspectSale[];
}

function summaryOf(all: readonly SuspectSale[]): CountySuspects {
  const struck: Partial<Record<StruckBy, number>> = {};
  for (const { struck: by } of all) if (by !== null) struck[by] = (struck[by] ?? 0) + 1;
  const suspects = all
    .filter(({ rules, verdict }) => rules.length > 0 || verdict !== null)
    .sort((a, b) => ((a.row.sold_date ?? '') < (b.row.sold_date ?? '') ? 1 : -1));
  return { sales: all.filter(({ row }) => row.status === 'SOLD').length, struck, suspects };
}

export const countySuspects = (file: SqliteFile, fips: string, verdicts: SaleVerdicts, today: string): CountySuspects =>
  summaryOf(file.snapshot(() => judgeAll(file, fips, verdicts, today)));

/** Strikes out and takes back what rules and verdicts say now. Writes only what differs. */
export function strikeSuspects(file: SqliteFile, fips: string, verdicts: SaleVerdicts, today: string): CountySuspects {
  return file.transaction(() => {
    const all = judgeAll(file, fips, verdicts, today);
    for (const { row, struck } of all)
      if (struck !== row.struck) file.run('UPDATE comps SET struck = ? WHERE comp_id = ?', struck, row.comp_id);
    return summaryOf(all);
  });
}

/** In every county: what a killed program left, what a restored file says. */
export function strikeAll(file: SqliteFile, verdicts: SaleVerdicts, today: string): void {
  for (const fips of file.column<string>('SELECT DISTINCT fips FROM comps ORDER BY fips'))
    strikeSuspects(file, fips, verdicts, today);
}

/** The keys of comps, by id. */
export function saleKeysOf(file: SqliteFile, compIds: readonly string[]): Map<string, string> {
  const rows = file.all<SaleRow>(
    `${rowsSql} WHERE c.comp_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(compIds),
  );
  return new Map(rows.map((row) => [row.comp_id, saleKeyOf(row)]));
}
