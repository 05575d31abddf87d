/**
 * The screens between a recorded deed and a comp. Unscreened deeds defeat every method of valuing (docs/valuation.md,
 * "Screened deeds"): nominal prices, family transfers, deeds of several parcels that repeat one price, improved sales.
 * A sale counts under the first screen it fails, and under every one it fails for the whole picture.
 */
import { areRelated, isForcedDeed, isInstitution } from '../../contacts/deed-parties.ts';
import { ownerType } from '../../contacts/owner-type.ts';
import { leftOutWords } from '../../spec/comp-import-lines.ts';
import { isNominal } from '../../spec/nominal-price.ts';
import { foldSpaces } from '../../spec/text-fold.ts';

/** The last sale in a parcel's record, with evidence of what was sold. */
export interface RecordedSale {
  readonly property_id: number;
  readonly dataset_id: number | null;
  readonly acres: number | null;
  readonly price: number | null;
  /** ISO day. */
  readonly date: string;
  /** The county's own verdict: Q, U; followed by V or I for vacant or improved. */
  readonly code: string | null;
  readonly document_type: string | null;
  readonly seller: string | null;
  readonly buyer: string | null;
  readonly owner: string | null;
  readonly owner_2: string | null;
  readonly inter_family_transfer: number | null;
  readonly structure_count: number | null;
  readonly year_built: number | null;
  /** Assessed, else market value of the improvements. */
  readonly improvement_value: number | null;
  readonly point_lon: number | null;
  readonly point_lat: number | null;
  readonly situs_address: string | null;
}

export interface ScreenContext {
  /** Codes of an ordinary sale, folded. */
  readonly qualifiedCodes: ReadonlySet<string>;
  /** Datasets whose publisher gives codes. */
  readonly codedDatasets: ReadonlySet<number | null>;
  /** Keys (`deedKey`) shared by several parcels. */
  readonly sharedDeeds: ReadonlySet<string>;
  /** Whether a listing source already has this sale. */
  readonly isListed: (sale: RecordedSale) => boolean;
}

interface Screen {
  readonly rule: string;
  /** What fails, in the words of reports. */
  readonly label: string;
  readonly fails: (sale: RecordedSale, context: ScreenContext) => boolean;
}

export const standardQualifiedCodes: readonly string[] = [
  'Q',
  'QUALIFIED',
  'VALID',
  'VALID SALE',
  'ARMS LENGTH',
  "ARM'S LENGTH",
];

interface SaleCode {
  readonly verdict: string;
  /** Null if the code does not say. */
  readonly isVacant: boolean | null;
}

/** `Q V`, `Q-V` and `QV` (a verdict of one letter, then V or I) hold both; any other code is only a verdict. */
export function readSaleCode(code: string): SaleCode {
  const match = /^([\p{L}\p{N}']+)[\s/-]+([VI])$|^([QU])([VI])$/u.exec(foldSpaces(code));
  if (!match) return { verdict: foldSpaces(code), isVacant: null };
  return { verdict: match[1] ?? match[3] ?? '', isVacant: (match[2] ?? match[4]) === 'V' };
}

/**
 * Whether the land was vacant when sold; null if the record does not tell. The county's flag decides; else nothing
 * stands there now, or the building dates from a later year. A house built in the year of the sale may have been part
 * of it.
 */
function wasVacant(sale: RecordedSale): boolean | null {
  const flag = sale.code === null ? null : readSaleCode(sale.code).isVacant;
  if (flag !== null) return flag;
  if (sale.structure_count === 0) return true;
  if (sale.year_built !== null) return sale.year_built > Number(sale.date.slice(0, 4));
  if (sale.structure_count !== null) return false;
  return sale.improvement_value === null ? null : sale.improvement_value === 0;
}

/** Parcels with the same key were sold by one deed. Without a recorded seller, the buyer stands in. */
export const deedKey = ({ price, date, seller, buyer, owner }: RecordedSale): string =>
  JSON.stringify([price, date, foldSpaces(seller ?? buyer ?? owner ?? '')]);

/** The recorded buyer, else the current owner. */
const buyersOf = ({ buyer, owner, owner_2: second }: RecordedSale): string[] =>
  (buyer === null ? [owner, second] : [buyer]).filter((name): name is string => name !== null);

/** In the order of testing. */
export const saleScreens: readonly Screen[] = [
  {
    rule: 'nominal_price',
    label: leftOutWords.nominal_price,
    fails: ({ price, acres }) => price === null || isNominal(price, acres),
  },
  {
    rule: 'not_qualified',
    label: leftOutWords.not_qualified,
    fails: ({ code, dataset_id: dataset }, { codedDatasets, qualifiedCodes }) =>
      codedDatasets.has(dataset) && (code === null || !qualifiedCodes.has(readSaleCode(code).verdict)),
  },
  {
    rule: 'improved',
    label: leftOutWords.improved,
    fails: (sale) => wasVacant(sale) === false,
  },
  {
    rule: 'vacancy_unknown',
    label: leftOutWords.vacancy_unknown,
    fails: (sale) => wasVacant(sale) === null,
  },
  {
    rule: 'family',
    label: 'within a family, or between the same owner',
    fails: (sale) =>
      sale.inter_family_transfer === 1 ||
      (sale.seller !== null && buyersOf(sale).some((buyer) => areRelated(sale.seller ?? '', buyer))),
  },
  {
    rule: 'institution',
    label: 'by or to a government, by a bank, or by a forced deed (tax, sheriff, foreclosure, quitclaim)',
    fails: (sale) =>
      isForcedDeed(sale.document_type) ||
      (sale.seller !== null && isInstitution(sale.seller)) ||
      buyersOf(sale).some((buyer) => ownerType(buyer) === 'government'),
  },
  {
    rule: 'several_parcels',
    label: 'same price, day and seller on several parcels: one deed, one price for all',
    fails: (sale, { sharedDeeds }) => sharedDeeds.has(deedKey(sale)),
  },
  {
    rule: 'already_listed',
    label: 'a listing source has this sale',
    fails: (sale, { isListed }) => isListed(sale),
  },
  {
    rule: 'no_place',
    label: 'no place on the map',
    fails: ({ point_lon: longitude, point_lat: latitude }) => longitude === null || latitude === null,
  },
];
