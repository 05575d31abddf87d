import { fork } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import { openEngine } from '../../engine/engine.ts';
import { parseFilterRequest } from '../../engine/query/filter-request.ts';
import { countiesFor, filterQuestion, findParcels } from '../../engine/query/find-parcels.ts';
import { nothingLookedUp } from '../../engine/query/looked-up.ts';
import { createRandom } from '../sample-maker/random.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { queryParcels } from '../support/query-parcels.ts';

const child = path.join(import.meta.dirname, '..', 'support', 'indexing-child.ts');
const page = { number: 1, size: 100, offset: 0 };

/** Runs the child until it has begun a build, and kills it after a while. */
async function killWhileIndexing(home: string, milliseconds: number): Promise<void> {
  const running = fork(child, [home]);
  await new Promise((resolve) => running.once('message', resolve));
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const ended = new Promise((resolve) => running.once('exit', resolve));
  running.kill('SIGKILL');
  await ended;
}

test('an index whose making was killed at 20 random points never answers wrongly', async () => {
  const home = copyOfHome(sampleHome());
  const random = createRandom(20261120);
  let stale = 0;
  for (let kill = 0; kill < 20; kill++) {
    await killWhileIndexing(home, random.integer(0, 400));
    const engine = openEngine({ home });
    for (const body of [
      { county: '99001', acres_min: 20 },
      { county: '99001', acres_max: 60, zoning_codes: ['AG'] },
    ]) {
      const question = filterQuestion(engine.land, parseFilterRequest(body), nothingLookedUp);
      // Which values no parcel has, and of how many a value is known, the index alone tells.
      const { absent: _absent, thin: _thin, ...sameByBoth } = queryParcels(engine.land, question, page, null);
      expect(findParcels(engine.land, () => question, page, null)).toMatchObject(sameByBoth);
      const isIndexed = () => engine.land.file.snapshot(() => countiesFor(engine.land, question)) !== null;
      if (!isIndexed()) stale++;
      indexStaleCounties(engine.land.file);
      expect(isIndexed()).toBe(true);
      expect(findParcels(engine.land, () => question, page, null)).toMatchObject(sameByBoth);
    }
    expect(engine.land.file.pragma('integrity_check')).toBe('ok');
    engine.close();
  }
  // Kills between a change and the end of its index; without any the test would prove little.
  expect(stale).toBeGreaterThan(0);
}, 120_000);
