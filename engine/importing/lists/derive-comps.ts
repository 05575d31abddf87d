/**
 * Derives comps from the parcels' own recorded sales: source `assessor`, one for the last sale of each parcel that
 * passes every screen. Deriving again replaces only these.
 */
import { assessorSource, parcelUseSql } from '../../comps/comp-columns.ts';
import { dayOf } from '../../comps/comp-facts.ts';
import { recordOf } from '../../comps/same-sale.ts';
import { EngineError } from '../../spec/errors.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import { normalFips } from '../../spec/value-schemas.ts';
import type { LandStore } from '../../store/land-store.ts';
import {
  deedKey,
  type RecordedSale,
  readSaleCode,
  type ScreenContext,
  saleScreens,
  standardQualifiedCodes,
} from './comp-screens.ts';
import { CompStaging, type MergeCounts, type StagedComp } from './comp-staging.ts';
import { findTold } from './repeated-sales.ts';

interface DeriveOptions {
  /** Values of `last_sale_price_code` that mark an ordinary sale, for counties with codes; in any case. */
  readonly qualifiedCodes?: readonly string[];
  /** Called at the end of the transaction; its writes commit with the comps. */
  readonly onCommitting?: (report: DeriveReport) => void;
}

interface ScreenCount {
  readonly rule: string;
  readonly label: string;
  /** Sales for which it was the first failed screen. */
  removed: number;
  /** All sales that fail it. */
  failing: number;
}

export interface DeriveReport extends MergeCounts {
  fips: string;
  parcels: number;
  /** Parcels with a sale date. */
  sales: number;
  /** Frequency of each of the county's codes. */
  codes: Record<string, number>;
  screens: ScreenCount[];
  /** Sales that passed all screens. */
  comps: number;
  /** Those without acres: listed, but never used for values. */
  without_lot_size: number;
}

interface SaleRow extends RecordedSale {
  readonly apn: string | null;
  readonly situs_city: string | null;
  readonly situs_state: string | null;
  readonly situs_zip: string | null;
  readonly use: string | null;
}

const salesSql = `
SELECT property_id, dataset_id, apn, coalesce(acres, calculated_acres) AS acres, last_sale_price AS price,
  last_sale_date AS date, last_sale_price_code AS code, last_sale_document_type AS document_type,
  last_sale_seller_name AS seller, last_sale_buyer_name AS buyer, owner_name AS owner, owner_name_2 AS owner_2,
  inter_family_transfer, structure_count, year_built,
  coalesce(assessed_improvement_value, market_improvement_value) AS improvement_value,
  point_lon, point_lat, situs_address, situs_city, situs_state, situs_zip, ${parcelUseSql('parcels')} AS use
FROM parcels WHERE fips = ? AND status = 'current' AND last_sale_date IS NOT NULL ORDER BY property_id`;

/** @throws EngineError import_refused if there is no such county or none of its parcels is loaded */
export function deriveComps(land: LandStore, givenFips: string, options: DeriveOptions = {}): DeriveReport {
  const fips = normalFips(givenFips);
  const county = land.county(fips);
  if (!county) throw new EngineError('import_refused', `No county has the FIPS code ${JSON.stringify(givenFips)}.`);
  const { file } = land;
  const staging = new CompStaging(file);
  try {
    return file.transaction(() => {
      const parcels =
        file.get<{ n: number }>("SELECT count(*) AS n FROM parcels WHERE fips = ? AND status = 'current'", fips)?.n ??
        0;
      if (parcels === 0) throw new EngineError('import_refused', `No parcels of ${county.name} (${fips}) are loaded.`);
      const sales = file.all<SaleRow>(salesSql, fips);
      const { passed, screens } = screenSales(sales, contextOf(land, fips, sales, options));
      const comps = passed.map((sale) => compOfSale(sale, fips, county));
      for (const comp of comps) staging.add(comp);
      const report: DeriveReport = {
        fips,
        parcels,
        sales: sales.length,
        codes: countCodes(sales),
        screens,
        comps: comps.length,
        without_lot_size: comps.filter(({ lot_size: acres }) => acres === null).length,
        ...staging.merge({ source: assessorSource, fips }),
      };
      options.onCommitting?.(report);
      return report;
    });
  } finally {
    staging.drop();
  }
}

function contextOf(
  land: LandStore,
  fips: string,
  sales: readonly SaleRow[],
  { qualifiedCodes = standardQualifiedCodes }: DeriveOptions,
): ScreenContext {
  const deeds = new Set<string>();
  const sharedDeeds = new Set<string>();
  for (const sale of sales) {
    const key = deedKey(sale);
    if (deeds.has(key)) sharedDeeds.add(key);
    deeds.add(key);
  }
  return {
    qualifiedCodes: new Set(qualifiedCodes.map(foldSpaces)),
    codedDatasets: new Set(sales.filter(({ code }) => code !== null).map((sale) => sale.dataset_id)),
    sharedDeeds,
    isListed: listedSales(land, fips),
  };
}

/** Whether a listing source has a sale already. */
function listedSales({ file }: LandStore, fips: string): (sale: RecordedSale) => boolean {
  const told = findTold(file, fips);
  return ({ property_id: propertyId, point_lon: longitude, point_lat: latitude, acres, price, ...sale }) =>
    longitude !== null &&
    latitude !== null &&
    told.find({
      ...{ propertyId, longitude, latitude, acres, price },
      date: dayOf(sale.date),
      isSold: true,
      isZip: false,
      record: recordOf(sale.situs_address, null),
    }) !== undefined;
}

function screenSales(sales: readonly SaleRow[], context: ScreenContext): { passed: SaleRow[]; screens: ScreenCount[] } {
  const screens = saleScreens.map(({ rule, label }): ScreenCount => ({ rule, label, removed: 0, failing: 0 }));
  const passed = sales.filter((sale) => {
    const failing = saleScreens.map((screen) => screen.fails(sale, context));
    for (const [index, count] of screens.entries()) if (failing[index]) count.failing++;
    const first = screens[failing.indexOf(true)];
    if (first) first.removed++;
    return first === undefined;
  });
  return { passed, screens };
}

function countCodes(sales: readonly SaleRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of sales) {
    const { verdict } = code === null ? { verdict: '' } : readSaleCode(code);
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return counts;
}

/** Parcel and day identify a sale; of the record it keeps what the county wrote. */
function compOfSale(sale: SaleRow, fips: string, county: { name: string; state: string }): StagedComp {
  return {
    source: assessorSource,
    source_id: `${fips}/${sale.property_id}/${sale.date}`,
    fips,
    property_id: sale.property_id,
    status: 'SOLD',
    address: sale.situs_address,
    city: sale.situs_city,
    state: sale.situs_state ?? county.state,
    zip: sale.situs_zip,
    county: county.name,
    apn: sale.apn,
    latitude: sale.point_lat as number,
    longitude: sale.point_lon as number,
    coordinate_grain: 'parcel',
    lot_size: sale.acres !== null && sale.acres > 0 ? sale.acres : null,
    price: sale.price as number,
    use: sale.use,
    list_date: null,
    as_of_date: null,
    sold_date: sale.date,
    days_on_market: null,
    sale_type: sale.document_type,
    url: null,
    photos: '[]',
    deed: null,
    seller: sale.seller,
    buyer: sale.buyer,
  };
}
