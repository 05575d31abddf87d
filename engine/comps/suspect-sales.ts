/** Finds suspect sales among those of a county (docs/valuation.md, "Suspect sales"). The answer does not depend on their order. */
import {
  acresTimes,
  beyondNeighbours,
  type SuspectRuleName,
  suspectRuleNames,
  suspectRules,
} from '../spec/suspect-rules.ts';
import { distanceKilometers } from './comp-index.ts';
import { createNearRows, PointTree } from './market-model/point-tree.ts';

/** A sale with what its record, and that of its parcel, tell of it. */
export interface ScreenedSale {
  readonly id: string;
  readonly propertyId: number | null;
  readonly apn: string | null;
  readonly longitude: number;
  readonly latitude: number;
  readonly acres: number | null;
  readonly price: number;
  /** ISO day; null: not known. */
  readonly date: string | null;
  /** The deed's number and its seller, folded. */
  readonly deed: string | null;
  readonly seller: string | null;
  readonly isNominal: boolean;
  readonly isExempt: boolean;
  /** Whether a house stood there when it was sold, or may have. */
  readonly house: 'older' | 'unknown' | null;
  readonly parcelAcres: number | null;
}

/** Lots that nobody is named to have sold are one deed if they lie this near to each other and have one day and one price. */
const unnamed = { kilometers: 0.5, fewest: 3 } as const;

/** The neighbours of a sale that tell what an acre costs: of like size, and so many. */
const near = { searched: 48, compared: 12, fewest: 6, sizeTimes: 6, sizeSlope: -0.4, kilometers: 60 } as const;

const parcelOf = ({ propertyId, apn, longitude, latitude, acres }: ScreenedSale): string =>
  propertyId === null ? (apn ?? `${longitude.toFixed(4)} ${latitude.toFixed(4)} ${acres}`) : `p${propertyId}`;

const hasParcels = (sales: readonly ScreenedSale[], fewest: number): boolean =>
  new Set(sales.map(parcelOf)).size >= fewest;

const isNear = (a: ScreenedSale, b: ScreenedSale): boolean =>
  distanceKilometers(a.longitude, a.latitude, b.longitude, b.latitude) <= unnamed.kilometers;

/** Sales of one day at one price: those that one deed or one seller sold, and those without a name among them. */
function ofOneDeed(alike: readonly ScreenedSale[]): ScreenedSale[] {
  if (!hasParcels(alike, 2)) return [];
  const nameless = alike.filter(({ deed, seller }) => deed === null && seller === null);
  const shared = (nameOf: (sale: ScreenedSale) => string | null) =>
    [...Map.groupBy(alike, nameOf)].flatMap(([name, group]) => (name !== null && hasParcels(group, 2) ? group : []));
  const named = [...new Set([...shared(({ deed }) => deed), ...shared(({ seller }) => seller)])];
  if (named.length > 0) return [...named, ...nameless];
  // a lot that is named, and a nameless one beside it, of one day at one price
  const touching = nameless.filter((sale) =>
    alike.some((other) => other !== sale && parcelOf(other) !== parcelOf(sale) && isNear(sale, other)),
  );
  const joined = alike.filter((sale) => touching.includes(sale) || touching.some((one) => isNear(one, sale)));
  if (hasParcels(joined, 2)) return joined;
  return hasParcels(nameless, unnamed.fewest) ? nameless : [];
}

function bulkIds(sales: readonly ScreenedSale[]): Set<string> {
  const dated = sales.filter(({ date }) => date !== null);
  const alike = Map.groupBy(dated, ({ date, price }) => `${date} ${price}`);
  return new Set([...alike.values()].flatMap((group) => ofOneDeed(group).map(({ id }) => id)));
}

type PricedSale = ScreenedSale & { readonly acres: number };

const isPriced = (sale: ScreenedSale): sale is PricedSale => (sale.acres ?? 0) > 0 && sale.price > 0;

/** ln of how far a sale's price an acre lies beyond those of its neighbours; 0 within, or with too few of them. */
function excesses(sales: readonly PricedSale[]): number[] {
  const middle = (Math.PI / 180) * (sales[0]?.latitude ?? 0);
  const east = Float64Array.from(sales, ({ longitude }) => longitude * 111.32 * Math.cos(middle));
  const north = Float64Array.from(sales, ({ latitude }) => latitude * 110.57);
  const sizes = sales.map(({ acres }) => Math.log(acres));
  const levels = sales.map(({ price, acres }) => Math.log(price / acres));
  const parcels = sales.map(parcelOf);
  const tree = new PointTree(east, north);
  const found = createNearRows(near.searched);
  return sales.map((_, row) => {
    const size = sizes[row] as number;
    const isOther = (other: number) =>
      parcels[other] === parcels[row] || Math.abs((sizes[other] as number) - size) > Math.log(near.sizeTimes);
    tree.findNearest(east[row] as number, north[row] as number, found, isOther);
    const levelsNear: number[] = [];
    for (let place = 0; place < Math.min(found.count, near.compared); place++) {
      if ((found.squares[place] as number) > near.kilometers ** 2) break;
      const other = found.rows[place] as number;
      levelsNear.push((levels[other] as number) + near.sizeSlope * (size - (sizes[other] as number)));
    }
    if (levelsNear.length < near.fewest) return 0;
    levelsNear.sort((a, b) => a - b);
    const level = levels[row] as number;
    // all but two: wrong prices side by side must not vouch for each other
    return Math.max(0, level - (levelsNear.at(-3) as number), (levelsNear[2] as number) - level);
  });
}

type Test = (sale: ScreenedSale) => boolean;

/** @param today ISO day @returns the rules that speak against each suspect sale, by its id; most telling first */
export function findSuspects(sales: readonly ScreenedSale[], today: string): Map<string, SuspectRuleName[]> {
  const bulk = bulkIds(sales);
  const tests: Partial<Record<SuspectRuleName, Test>> = {
    several_parcels: ({ id }) => bulk.has(id),
    future_date: ({ date }) => (date ?? '') > today,
    nominal_price: ({ isNominal }) => isNominal,
    exempt_party: ({ isExempt }) => isExempt,
    house: ({ house }) => house === 'older',
    maybe_house: ({ house }) => house === 'unknown',
    acres_differ: ({ acres, parcelAcres: own }) =>
      acres !== null && own !== null && own > 0 && Math.abs(Math.log(acres / own)) > Math.log(acresTimes),
  };
  const found = new Map(
    sales.map((sale) => [sale.id, suspectRuleNames.filter((rule) => tests[rule]?.(sale) === true)] as const),
  );
  // a price is compared with those of sales that nothing strikes
  const sound = sales
    .filter(({ id }) => !found.get(id)?.some((rule) => suspectRules[rule].strikes))
    .filter(isPriced)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const [row, excess] of excesses(sound).entries()) {
    if (excess <= Math.log(beyondNeighbours.lists)) continue;
    const rules = found.get(sound[row]?.id ?? '');
    rules?.unshift(excess > Math.log(beyondNeighbours.strikes) ? 'far_beyond' : 'beyond');
  }
  return new Map([...found].filter(([, rules]) => rules.length > 0));
}
