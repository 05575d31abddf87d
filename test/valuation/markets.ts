/** The three real land markets of ../shared/data/comps with their test rows (docs/valuation.md, "Measured"). */
import fs from 'node:fs';
import path from 'node:path';
import { type HeldOutSale, holdOut } from '../../engine/comps/backtest.ts';
import { distanceKilometers } from '../../engine/comps/comp-index.ts';
import type { RatioPair } from '../../engine/comps/ratio-study.ts';
import type { ValueComp } from '../../engine/comps/value-types.ts';
import { LayerIndex, LayerPacker } from '../../engine/enrichment/layer-index.ts';
import { packShape } from '../../engine/enrichment/read-layer.ts';
import { waterOf } from '../../engine/enrichment/water.ts';
import type { MultiPolygon } from '../../engine/geo/geometry.ts';
import { readFeatureGeometry } from '../../engine/geo/ring-geometry.ts';
import { layerNumbers } from '../../engine/spec/layer-settings.ts';

export type MarketName = 'kansas_ag' | 'ba2020' | 'washington_nh_ext';

export const marketTitles: Readonly<Record<MarketName, string>> = {
  kansas_ag: 'Kansas farm land, sold',
  ba2020: 'Buenos Aires lots, asks',
  washington_nh_ext: 'Washington NH vacant lots, sold',
};

export interface Market {
  readonly name: MarketName;
  readonly comps: readonly ValueComp[];
  /** Valued from comps at least `minAgeDays` older. */
  readonly test: readonly ValueComp[];
  /** Buenos Aires: the quarter's own asks count (its dates are the middles of quarters). */
  readonly minAgeDays: 0 | 1;
}

interface Row {
  readonly id: string;
  readonly pid?: string;
  readonly price: number;
  readonly acres: number;
  readonly lat: number;
  readonly lon: number;
  readonly date: string;
  readonly status: ValueComp['status'];
  readonly use: string;
}

const folder = path.resolve(import.meta.dirname, '../../../shared/data/comps');

export const hasMarkets = (): boolean => fs.existsSync(path.join(folder, 'splits.json'));

const readJson = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));

interface Drawn {
  readonly id: string;
  readonly geometry: { readonly type: string; readonly coordinates: never };
}

/** Feet of shore of Washington's parcels, by its lakes and ponds: what `enrich water` would find. */
function waterFrontages(): Map<string, number> {
  const shapesOf = (file: string) =>
    (readJson(`../washington_nh/${file}.geojson`) as { features: Drawn[] }).features.flatMap(({ id, geometry }) => {
      const found = readFeatureGeometry(geometry);
      return found.ok && found.polygons ? [{ id, polygons: found.polygons }] : [];
    });
  const packer = new LayerPacker();
  for (const { polygons } of shapesOf('lakes')) packShape(packer, 'water', { polygons, lines: [] }, 0);
  const lakes = new LayerIndex(packer.finish());
  const feetOf = (parcel: MultiPolygon) => waterOf(parcel, lakes, layerNumbers.reachFeet).values[0] as number;
  return new Map(shapesOf('parcels').map(({ id, polygons }) => [id, feetOf(polygons)]));
}

export function readMarket(name: MarketName): Market {
  const rows = readJson(`${name}.json`) as Row[];
  const splits = readJson('splits.json') as Record<MarketName, { test: string[] }>;
  const propertyIds = new Map<string, number>();
  for (const { pid } of rows)
    if (pid !== undefined && !propertyIds.has(pid)) propertyIds.set(pid, propertyIds.size + 1);
  const comps = rows.map(
    ({ id, pid, price, acres, lat, lon, date, status, use }): ValueComp => ({
      id,
      price,
      acres,
      longitude: lon,
      latitude: lat,
      status,
      date: Date.parse(date) / 86_400_000,
      use,
      propertyId: (pid === undefined ? undefined : propertyIds.get(pid)) ?? null,
      attributes: {},
    }),
  );
  const test = new Set(splits[name].test);
  return { name, comps, test: comps.filter(({ id }) => test.has(id)), minAgeDays: name === 'ba2020' ? 0 : 1 };
}

/** Washington with the shores of its lots. */
export function readMarketWithShores(): Market {
  const { comps, test, ...market } = readMarket('washington_nh_ext');
  const shores = waterFrontages();
  const parcelOf = new Map((readJson('washington_nh_ext.json') as Row[]).map(({ id, pid }) => [id, pid ?? '']));
  const withShore = (comp: ValueComp): ValueComp => ({
    ...comp,
    attributes: { waterFrontageFeet: shores.get(parcelOf.get(comp.id) ?? '') ?? null },
  });
  return { ...market, comps: comps.map(withShore), test: test.map(withShore) };
}

/** The test rows valued by the engine's method; other comps than the market's own on wish (the prices to hit stay). */
export const valueMarket = (market: Market, comps: readonly ValueComp[] = market.comps): HeldOutSale[] =>
  holdOut(market.test, comps, market.minAgeDays);

export const pairsOf = (held: readonly HeldOutSale[]): RatioPair[] =>
  held.flatMap(({ price, explanation }) =>
    explanation === null ? [] : [{ estimate: explanation.value.mean_adjusted_price, price }],
  );

const medianOf = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
};

/** What people do by hand: which of the earlier comps of other parcels they take the median price per acre of. */
export type HandMethod = (subject: ValueComp, earlier: readonly { comp: ValueComp; distance: number }[]) => ValueComp[];

export const tenNearest: HandMethod = (_subject, earlier) =>
  [...earlier]
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 10)
    .map(({ comp }) => comp);

const fiveMilesKilometers = 8.04672;

/** Within five miles, half to twice the acreage, and at least three of them. */
export const radiusAndBand: HandMethod = (subject, earlier) => {
  const ratio = ({ comp }: { comp: ValueComp }) => (comp.acres ?? 0) / (subject.acres ?? 1);
  const near = earlier.filter((one) => one.distance <= fiveMilesKilometers && ratio(one) >= 0.5 && ratio(one) <= 2);
  return near.length < 3 ? [] : near.map(({ comp }) => comp);
};

/** The same test rows by a method of hand, under the same protocol. */
export function valueByHand(
  { test, comps, minAgeDays }: Market,
  method: HandMethod,
  market: readonly ValueComp[] = comps,
): RatioPair[] {
  return test.flatMap((subject) => {
    const earlier = market.flatMap((comp) => {
      if ((subject.date ?? 0) - (comp.date ?? 0) < minAgeDays) return [];
      if (subject.propertyId !== null && comp.propertyId === subject.propertyId) return [];
      const distance = distanceKilometers(subject.longitude, subject.latitude, comp.longitude, comp.latitude);
      const isSameSize = Math.abs((comp.acres ?? 0) / (subject.acres ?? 1) - 1) <= 0.05;
      return distance <= 0.03 && isSameSize ? [] : [{ comp, distance }];
    });
    const chosen = method(subject, earlier);
    if (chosen.length === 0) return [];
    const pricePerAcre = medianOf(chosen.map(({ price, acres }) => (price ?? 0) / (acres ?? 1)));
    return [{ estimate: pricePerAcre * (subject.acres ?? 0), price: subject.price ?? 0 }];
  });
}
