/** The model of a county's market as values see it: read once from land.sqlite, while it fits the comps well enough. */
import { inflateSync } from 'node:zlib';
import type { BacktestResult } from '../comps/backtest.ts';
import type { MarketSight } from '../comps/comp-value.ts';
import { forestsOfBytes } from '../comps/market-model/forest-blob.ts';
import { MarketModel, type TrainedForests } from '../comps/market-model/market-model.ts';
import { type LearntStaleness, pooledStaleness } from '../comps/staleness.ts';
import type { ValueComp } from '../comps/value-types.ts';
import type { LandStore } from '../store/land-store.ts';
import { compsInBox } from './comp-row.ts';
import {
  isNearEnough,
  lackOf,
  type MarketTest,
  marketBox,
  marketConstants,
  marketState,
  type StoredMarket,
  storedMarket,
} from './market-state.ts';

/** A county's model in memory. */
interface KeptSight {
  /** The training, its test, and the state of all comps in the file. */
  readonly key: string;
  readonly sight: MarketSight | null;
  /** Null: not tested yet. */
  readonly result: BacktestResult | null;
}

/** Models in memory: up to 40 MB each. */
const mostKept = 4;

const keptByLand = new WeakMap<LandStore, Map<string, KeptSight>>();

function keptSight(land: LandStore, fips: string): KeptSight | null {
  const { file } = land;
  return file.snapshot(() => {
    const stored = storedMarket(file, fips);
    if (stored?.constants !== marketConstants) {
      land.onStaleMarket();
      return null;
    }
    const [all] = file.column<number>('SELECT coalesce(sum(generation), 0) FROM comp_generations');
    const [tests] = file.column<string | null>('SELECT group_concat(tested_on) FROM market_models');
    const key = `${stored.trained_at} ${stored.comps} ${tests} ${all}`;
    const ofLand = keptByLand.get(land) ?? new Map<string, KeptSight>();
    keptByLand.set(land, ofLand);
    const known = ofLand.get(fips);
    if (known?.key === key) return known;
    if (lackOf(file, fips) !== 'nothing') land.onStaleMarket();
    const kept = { key, ...readSight(land, fips, stored) };
    ofLand.delete(fips);
    ofLand.set(fips, kept);
    const [oldest] = ofLand.keys();
    if (ofLand.size > mostKept && oldest !== undefined) ofLand.delete(oldest);
    return kept;
  });
}

/** Far more than any model takes: 8 bytes a node, some 60,000 nodes. */
const mostModelBytes = 16 * 1024 * 1024;

/** Null: the bytes are broken. */
function readForests(bytes: Uint8Array): TrainedForests | null {
  try {
    return forestsOfBytes(inflateSync(bytes, { maxOutputLength: mostModelBytes }));
  } catch {
    return null;
  }
}

const noSight = { sight: null, result: null };

function readSight({ file }: LandStore, fips: string, stored: StoredMarket): Omit<KeptSight, 'key'> {
  const box = marketBox(file, fips);
  if (!box || stored.row_count === 0 || !isNearEnough(stored, marketState(file, box))) return noSight;
  const row = file.get<{ forests: Uint8Array; tested: string | null }>(
    'SELECT forests, tested FROM market_models WHERE fips = ?',
    fips,
  );
  if (!row) return noSight;
  const others = file.column<string>(
    'SELECT tested FROM market_models WHERE fips <> ? AND constants = ? AND tested IS NOT NULL',
    fips,
    marketConstants,
  );
  return sightOf({ ...row, trained_at: stored.trained_at }, compsInBox(file, box), others);
}

interface ModelRow {
  readonly forests: Uint8Array;
  readonly tested: string | null;
  readonly trained_at: string;
}

const testOf = (tested: string): MarketTest => JSON.parse(tested) as MarketTest;

/**
 * @param comps all of the market
 * @param others The tests of other counties, as stored.
 */
export function sightOf(row: ModelRow, comps: readonly ValueComp[], others: readonly string[]): Omit<KeptSight, 'key'> {
  const forests = readForests(row.forests);
  if (forests === null) return noSight;
  const test = row.tested === null ? null : testOf(row.tested);
  const elsewhere = others.flatMap((tested): readonly LearntStaleness[] => {
    const { staleness } = testOf(tested);
    return staleness ? [staleness] : [];
  });
  const model = MarketModel.restore(comps, forests);
  return {
    sight: {
      model,
      error: test?.error ?? null,
      trainedAt: row.trained_at,
      staleness: pooledStaleness(test?.staleness ?? null, elsewhere),
    },
    result: test?.result ?? null,
  };
}

/** What is known of a county's market beyond its comps; null without a model that fits, and the comps alone answer. */
export const marketSight = (land: LandStore, fips: string | null): MarketSight | null =>
  fips === null ? null : (keptSight(land, fips)?.sight ?? null);

/** What the backtest of the model that answers found; null without one. */
export const testedMarket = (land: LandStore, fips: string): BacktestResult | null =>
  keptSight(land, fips)?.result ?? null;

/** What `platbook check` says of the stored models: broken bytes are a problem; one that is behind is not used too long. */
export function checkMarkets({ file }: LandStore): { problems: string[]; current: number; lacking: number } {
  const problems: string[] = [];
  let current = 0;
  let lacking = 0;
  for (const fips of file.column<string>('SELECT fips FROM market_models ORDER BY fips')) {
    if (lackOf(file, fips) === 'nothing') current++;
    else lacking++;
    const row = file.get<{ forests: Uint8Array | null }>('SELECT forests FROM market_models WHERE fips = ?', fips);
    if (row?.forests && readForests(row.forests) === null)
      problems.push(
        `the market model of ${fips} cannot be read, and the comps alone answer: delete its row in market_models, and it is trained again`,
      );
  }
  return { problems, current, lacking };
}
