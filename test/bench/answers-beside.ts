/** Answers of a host about a loaded county, round by round with a pause, alone or during an import. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../../engine/index.ts';
import { runRead } from '../../engine/reads/index.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { createRandom } from '../sample-maker/random.ts';
import { quantile } from './statistics.ts';
import { drawTiles } from './tiles.ts';

const pauseMilliseconds = 20;
const tileZooms = [14, 15, 16];
const tilesOfZoom = 1000;

/** One query of each kind is a round. */
type Asker = () => unknown;

export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export interface Answered {
  readonly turns: number;
  readonly seconds: number;
  /** By kind of query, and all together; and how late the loop returned from its pauses. */
  readonly spreads: Readonly<Record<string, Spread>>;
  /** Answers of one second without pauses. */
  readonly answersASecond: number;
}

/** Kinds of `Answered.spreads` that are not queries. */
export const everyAnswer = 'every answer';
export const lateness = 'late after the pause';

const spreadOf = (times: readonly number[]): Spread => ({
  p50: quantile(times, 0.5),
  p95: quantile(times, 0.95),
  p99: quantile(times, 0.99),
  max: Math.max(...times),
});

/**
 * Queries about the county, different each time: no answer comes from what an earlier one left in memory.
 * @param parcels of the county, the first of the home
 */
export function askersOf(engine: Engine, fips: string, parcels: number): Readonly<Record<string, Asker>> {
  const random = createRandom(5);
  const tiles = tileZooms.flatMap((z) => drawTiles(engine, z, Math.min(tilesOfZoom, parcels), z));
  if (tiles.length === 0) throw new Error(`no tile of ${fips} holds a parcel`);
  const filter = () => ({
    county: fips,
    acres_min: Number(random.between(0.5, 8).toFixed(3)),
    acres_max: Number(random.between(12, 45).toFixed(3)),
    structure_count_max: 0,
  });
  let turn = 0;
  return {
    filter: () => engine.call('filter_properties', { ...filter(), page_size: 25 }),
    'parcel’s detail': () => runRead(engine, 'parcel', { id: random.integer(1, parcels) }),
    'live count': () => runRead(engine, 'count_properties', { filter: filter() }),
    tile: () => {
      // Far apart in the list, so that zooms take turns.
      const { z, x, y } = tiles[(turn++ * 1009) % tiles.length] ?? { z: 0, x: 0, y: 0 };
      return getTile(engine, 'parcels', z, x, y);
    },
  };
}

/** Asks turn after turn while `goesOn` says so. */
export async function answerWhile(
  askers: Readonly<Record<string, Asker>>,
  goesOn: (turns: number) => boolean,
): Promise<Answered> {
  const times = new Map<string, number[]>([...Object.keys(askers), lateness].map((kind) => [kind, []]));
  const began = performance.now();
  let turns = 0;
  while (goesOn(turns)) {
    for (const [kind, ask] of Object.entries(askers)) {
      const before = performance.now();
      await ask();
      times.get(kind)?.push(performance.now() - before);
    }
    const before = performance.now();
    await pause(pauseMilliseconds);
    // Whatever blocks the host between queries (job messages, folding the log) also delays the next caller.
    times.get(lateness)?.push(Math.max(0, performance.now() - before - pauseMilliseconds));
    turns++;
  }
  const seconds = (performance.now() - began) / 1000;
  const all = Object.keys(askers).flatMap((kind) => times.get(kind) ?? []);
  times.set(everyAnswer, all);
  return {
    turns,
    seconds,
    spreads: Object.fromEntries([...times].map(([kind, values]) => [kind, spreadOf(values)])),
    answersASecond: (1000 * all.length) / all.reduce((sum, time) => sum + time, 0),
  };
}
