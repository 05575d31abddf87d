/** What the model of a county's market was made from, and whether that is what land.sqlite holds now. */
import { createHash } from 'node:crypto';
import { type BacktestResult, maxSales } from '../comps/backtest.ts';
import { boxesAround, type DegreeBox } from '../comps/distance.ts';
import { errorParameters, type MarketError } from '../comps/market-error.ts';
import { modelParameters } from '../comps/market-model/model-parameters.ts';
import { type LearntStaleness, staleParameters } from '../comps/staleness.ts';
import { methodVersion, valuationParameters } from '../comps/valuation-parameters.ts';
import type { ValueComp } from '../comps/value-types.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { attributeNames } from './comp-row.ts';

/** A county's market: its comps, and those so near to the box that holds them. */
const marketKilometers = 64;

/** A model answers, and a test tells its errors, while no more of its rows have been written again, for each of them. */
const mostBehind = 0.1;

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Models made with other constants are trained again. */
export const marketConstants = hashOf([
  methodVersion,
  valuationParameters,
  modelParameters,
  errorParameters,
  staleParameters,
  marketKilometers,
  maxSales,
]);

/** Each write of a comp raises the generation. */
interface MarketState {
  readonly generation: number;
  readonly comp_count: number;
}

export interface StoredMarket extends MarketState {
  readonly constants: string;
  readonly comps: string;
  readonly row_count: number;
  readonly trained_at: string;
  readonly tested_on: string | null;
}

/** The box of a county's comps; its sides are null without any. */
export type CompsBox = { readonly [Side in keyof DegreeBox]: number | null };

/** Null: the county has no comps. */
export const marketBox = (file: SqliteFile, fips: string): DegreeBox | null =>
  widened(
    file.get<CompsBox>(
      `SELECT min(longitude) AS west, max(longitude) AS east, min(latitude) AS south, max(latitude) AS north
       FROM comps WHERE fips = ?`,
      fips,
    ),
  );

export function widened(box: CompsBox | undefined): DegreeBox | null {
  if (!box || box.west === null || box.east === null || box.south === null || box.north === null) return null;
  // the box of a circle is widest at the end farther from the equator
  const latitude = Math.abs(box.south) > Math.abs(box.north) ? box.south : box.north;
  const around = (longitude: number, at: number) => boxesAround(longitude, at, marketKilometers * 1000);
  const wide = around((box.west + box.east) / 2, latitude)[0] as DegreeBox;
  const reach = (wide.east - wide.west) / 2;
  return {
    west: box.west - reach,
    east: box.east + reach,
    south: (around(box.west, box.south)[0] as DegreeBox).south,
    north: (around(box.west, box.north)[0] as DegreeBox).north,
  };
}

export function marketState(file: SqliteFile, { west, east, south, north }: DegreeBox): MarketState {
  const counts = file.all<{ fips: string; n: number }>(
    'SELECT fips, count(*) AS n FROM comps WHERE longitude BETWEEN ? AND ? AND latitude BETWEEN ? AND ? GROUP BY fips',
    west,
    east,
    south,
    north,
  );
  const [generation = 0] = file.column<number>(
    'SELECT coalesce(sum(generation), 0) FROM comp_generations WHERE fips IN (SELECT value FROM json_each(?))',
    JSON.stringify(counts.map(({ fips }) => fips)),
  );
  return { generation, comp_count: counts.reduce((sum, { n }) => sum + n, 0) };
}

export const storedMarket = (file: SqliteFile, fips: string): StoredMarket | undefined =>
  file.get<StoredMarket>(
    `SELECT constants, generation, comp_count, comps, row_count, trained_at, tested_on
     FROM market_models WHERE fips = ?`,
    fips,
  );

const isSameState = (stored: MarketState, state: MarketState): boolean =>
  stored.generation === state.generation && stored.comp_count === state.comp_count;

export function isNearEnough(stored: StoredMarket, { generation, comp_count: count }: MarketState): boolean {
  const behind = Math.max(Math.abs(generation - stored.generation), Math.abs(count - stored.comp_count));
  return behind <= mostBehind * stored.row_count;
}

/** The hash of comps in any order, without what no model sees. */
export const hashOfComps = (comps: readonly ValueComp[]): string =>
  hashOf(comps.map(({ attributes: _land, countyLandValue: _value, ...seen }) => JSON.stringify(seen)).sort());

/** What a backtest sees: the comps of the market, and the known land of the county's sales. */
export function testBasis(file: SqliteFile, fips: string, comps: string): string {
  const land = file.all(
    `SELECT c.comp_rowid, ${attributeNames.join(', ')} FROM comps c JOIN parcels p ON p.property_id = c.property_id
     WHERE c.fips = ? AND c.status = 'SOLD' AND coalesce(${attributeNames.join(', ')}) IS NOT NULL ORDER BY c.comp_rowid`,
    fips,
  );
  return hashOf([comps, land]);
}

/** What a market lacks: its model (or the note that it has too few comps for one), or the model's test. */
type MarketLack = 'model' | 'test' | 'nothing';

export function lackOf(file: SqliteFile, fips: string): MarketLack {
  const box = marketBox(file, fips);
  if (!box) return 'nothing';
  const stored = storedMarket(file, fips);
  if (stored?.constants !== marketConstants || !isSameState(stored, marketState(file, box))) return 'model';
  if (stored.row_count === 0) return 'nothing';
  return stored.tested_on === testBasis(file, fips, stored.comps) ? 'nothing' : 'test';
}

/** What the backtest of a stored model found. */
export interface MarketTest {
  readonly result: BacktestResult;
  readonly error: MarketError;
  /** Null: too few sales. */
  readonly staleness: LearntStaleness | null;
}
