/** The model of a county's market is trained once, answers until its comps have changed too much, and is then trained again. */
import { fork } from 'node:child_process';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { checkHome } from '../../engine/check.ts';
import { openEngine } from '../../engine/engine.ts';
import { checkMarkets, marketSight } from '../../engine/query/market-sight.ts';
import { lackOf } from '../../engine/query/market-state.ts';
import { keepMarket, keepMarkets, lackingMarkets, trainMarket } from '../../engine/query/train-market.ts';
import { type LandStore, openLandStore } from '../../engine/store/land-store.ts';
import { countyBacktest, explainedValue } from '../../engine/value-explained.ts';
import { createRandom } from '../sample-maker/random.ts';
import { emptyHome } from '../support/homes.ts';
import { insertComps } from './comp-rows.ts';

const fips = '33019';
const child = path.join(import.meta.dirname, '..', 'support', 'market-child.ts');
const now = new Date('2026-11-20T12:00:00Z');

let land: LandStore;

/** Sales of lots of one acre, ten days apart. */
function insertSales(count: number): void {
  const random = createRandom(`stored market ${count}`);
  insertComps(
    land,
    Array.from({ length: count }, (_, i) => ({
      longitude: -72 + 0.01 * random.normal(),
      latitude: 43 + 0.01 * random.normal(),
      price: Math.round(20_000 * Math.exp(0.3 * random.normal())),
      sold_date: new Date(now.getTime() - (i + 1) * 10 * 86_400_000).toISOString().slice(0, 10),
    })),
  );
}

/** Seventy sales, and a parcel among them. */
beforeEach(() => {
  land = openLandStore(emptyHome(), () => performance.now());
  onTestFinished(() => land.close());
  land.file.run(
    'INSERT INTO parcels (property_id, apn, fips, acres, point_lon, point_lat) VALUES (7, ?, ?, 1, -72.005, 43.005)',
    '7-1',
    fips,
  );
  insertSales(70);
});

describe('the stored model of a market', () => {
  test('answers once it is trained, and says so; before, the comps alone do', () => {
    const alone = explainedValue(land, 7, now);
    expect(alone).toMatchObject({ method: 'local', modelTrainedAt: null, explanation: { market: null } });
    trainMarket(land, fips, now);
    const { explanation, method, modelTrainedAt, tested } = explainedValue(land, 7, now);
    expect({ method, modelTrainedAt }).toEqual({ method: 'boosted', modelTrainedAt: now.toISOString() });
    expect(explanation.market).toMatchObject({ compCount: 70 });
    expect(explanation.market?.localPrice).toBeCloseTo(alone.explanation.value.mean_adjusted_price, 6);
    expect(tested).toMatch(/^Tested on \d+ sales here/);
    expect(Object.keys(explanation.value)).toEqual(Object.keys(alone.explanation.value));
  });

  test('has no level and no corrected width until it is tested, and says so', () => {
    trainMarket(land, fips, now);
    const untested = explainedValue(land, 7, now).explanation;
    expect(untested.market).toMatchObject({ isTested: false, level: 1, levelSales: 0 });
    expect(untested.uncertainty.calibration).toBe(1);
    expect(countyBacktest(land, fips, now).method).toBe('local');
    expect(lackingMarkets(land)).toEqual([fips]);
    keepMarket(land, fips, now);
    const { market } = explainedValue(land, 7, now).explanation;
    expect(market?.isTested).toBe(true);
    expect(market?.levelSales).toBeGreaterThan(15);
    expect(countyBacktest(land, fips, now).method).toBe('boosted');
  });

  test('is one for all counties that see the same comps', () => {
    const next = '33013';
    land.file.run('UPDATE comps SET fips = ? WHERE comp_rowid % 2 = 0', next);
    trainMarket(land, fips, now);
    land.file.run('UPDATE market_models SET row_count = 4711');
    trainMarket(land, next, now);
    expect(land.file.column('SELECT row_count FROM market_models')).toEqual([4711, 4711]);
    expect(land.file.column('SELECT DISTINCT forests FROM market_models')).toHaveLength(1);
  });

  test('is read again by another program, to the same bits', () => {
    keepMarket(land, fips, now);
    const { explanation } = explainedValue(land, 7, now);
    const other = openLandStore(land.file.path.replace(/[^/\\]+$/, ''), () => performance.now());
    onTestFinished(() => other.close());
    expect(explainedValue(other, 7, now).explanation).toEqual(explanation);
    expect(countyBacktest(other, fips, now)).toEqual(countyBacktest(land, fips, now));
  });

  test('answers on while one comp in ten has changed, and no longer than that', () => {
    let asked = 0;
    land.onStaleMarket = () => asked++;
    keepMarket(land, fips, now);
    expect(lackingMarkets(land)).toEqual([]);
    const change = (count: number) =>
      land.file.run(
        'UPDATE comps SET price = price + 1 WHERE comp_rowid IN (SELECT comp_rowid FROM comps LIMIT ?)',
        count,
      );
    change(7);
    expect(lackingMarkets(land)).toEqual([fips]);
    expect(marketSight(land, fips)?.error).not.toBeNull();
    expect(asked).toBe(1);
    change(1);
    expect(marketSight(land, fips)).toBeNull();
    expect(explainedValue(land, 7, now).method).toBe('local');
    expect(keepMarkets(land, now)).toEqual([fips]);
    expect(explainedValue(land, 7, now).method).toBe('boosted');
  });

  test('is not trained again while it fits, nor made of fewer than 60 comps', () => {
    land.file.run('DELETE FROM comps WHERE comp_rowid IN (SELECT comp_rowid FROM comps LIMIT 11)');
    trainMarket(land, fips, now);
    expect(lackingMarkets(land)).toEqual([]);
    expect(explainedValue(land, 7, now).method).toBe('local');
    trainMarket(land, fips, new Date('2027-01-01'));
    expect(land.file.column('SELECT trained_at FROM market_models')).toEqual([now.toISOString()]);
  });

  test('is known to the check, which tells one that fits from one that is behind or broken', () => {
    keepMarket(land, fips, now);
    expect(checkMarkets(land)).toEqual({ problems: [], current: 1, lacking: 0 });
    land.file.run('UPDATE comps SET price = price + 1 WHERE comp_rowid = 1');
    expect(checkMarkets(land)).toEqual({ problems: [], current: 0, lacking: 1 });
    land.file.run("UPDATE market_models SET forests = x'00'");
    expect(checkMarkets(land).problems).toHaveLength(1);
    expect(explainedValue(land, 7, now).method).toBe('local');
  });
});

/** Runs the child until it has begun so many steps, then kills it: at once, so in the middle of the last. */
async function killInStep(home: string, step: number): Promise<void> {
  const running = fork(child, [home]);
  const { promise, resolve } = Promise.withResolvers<void>();
  let steps = 0;
  running.on('message', () => {
    if (++steps === step) resolve();
  });
  await promise;
  const ended = new Promise((settle) => running.once('exit', settle));
  running.kill('SIGKILL');
  await ended;
}

test.each([
  [1, 'its first training', 'local', 'model'],
  [2, 'its first test', 'boosted', 'test'],
  [3, 'a later training', 'boosted', 'model'],
] as const)(
  'a program killed in step %i, %s, loses nothing: %s values answer, and the next finishes it',
  async (step, _name, method, lack) => {
    const home = path.dirname(land.file.path);
    // so many that each step takes a while
    land.file.run('DELETE FROM comps');
    insertSales(200);
    land.close();
    await killInStep(home, step);
    const engine = openEngine({ home });
    onTestFinished(() => engine.close());
    expect(engine.land.file.pragma('integrity_check')).toBe('ok');
    expect(lackOf(engine.land.file, fips)).toBe(lack);
    expect(explainedValue(engine.land, 7, now).method).toBe(method);
    keepMarkets(engine.land, now);
    expect(lackOf(engine.land.file, fips)).toBe('nothing');
    expect(explainedValue(engine.land, 7, now).explanation.market?.isTested).toBe(true);
    expect(checkHome(engine).filter(({ ok }) => !ok)).toEqual([]);
  },
);
