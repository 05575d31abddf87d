/**
 * Counties of a server in memory: once asked again, they answer without the table, never past a push or a change that
 * another program made, and within their budget. That the answers are equal says equal-land.test.ts.
 */
import { afterAll, expect, test } from 'vitest';
import { fixtureCount, fixtureFips } from '../support/fixture-home.ts';
import { connected, startServer } from '../support/postgis.ts';
import { countOf, impossible, larger, type OverLand, plain, pushedLand } from '../support/pushed-land.ts';

const started = await startServer('counties of a server in memory');
afterAll(() => started?.stop());

const pushed = () => pushedLand(started);

async function keptBy({ land, engine }: OverLand, body: object = larger) {
  for (let time = 0; time < 2; time++) await countOf(engine, body);
  await land.keptCounties.settle();
  return land.keptCounties.counties;
}

test.runIf(started)('the second question puts a county into memory, which then answers without the table', async () => {
  const { url, access, over } = await pushed();
  const asked = over();
  const { land, engine } = asked;
  const before = await countOf(engine, larger);
  expect(before).toBeGreaterThan(0);
  await land.keptCounties.settle();
  expect(land.keptCounties.counties).toBe(0);
  expect(await keptBy(asked)).toBe(1);
  const other = await connected(url, access);
  await other.run('BEGIN; LOCK TABLE parcels');
  expect(await countOf(engine, impossible)).toBe(0);
  // what only the server can answer waits for the table
  await expect(countOf(engine, { ...impossible, apn: '1' })).rejects.toMatchObject({ code: 'validation_error' });
  await other.run('ROLLBACK');
  expect(await countOf(engine, larger)).toBe(before);
});

test.runIf(started)('a push between two calls is seen by the next one', async () => {
  const { home, push, over } = await pushed();
  const asked = over();
  expect(await keptBy(asked)).toBe(1);
  const before = await countOf(asked.engine, larger);
  for (let kept = 0; kept < 3; kept++) {
    home.land.file.run('UPDATE parcels SET acres = 500 WHERE property_id = ?', 2 + kept);
    await push();
    expect(await countOf(asked.engine, larger)).toBe(before + kept + 1);
    expect(await keptBy(asked)).toBe(1);
    expect(await countOf(asked.engine, larger)).toBe(before + kept + 1);
  }
});

test.runIf(started)('so is a change that another program made, once it has ended', async () => {
  const { url, access, over } = await pushed();
  const asked = over();
  expect(await keptBy(asked)).toBe(1);
  const before = await countOf(asked.engine, larger);
  const other = await connected(url, access);
  await other.run("UPDATE parcels SET acres = 500 WHERE property_id = 2 AND status = 'current'");
  await other.close();
  await expect.poll(() => countOf(asked.engine, larger), { timeout: 30_000 }).toBe(before + 1);
});

test.runIf(started)('a county that is larger than the budget stays on the server', async () => {
  const { over } = await pushed();
  const [none, small] = [over(0), over(2 ** 20)];
  expect([await keptBy(none), await keptBy(small)]).toEqual([0, 0]);
  const all = await countOf(small.engine, { county: fixtureFips });
  expect([all, await countOf(none.engine, { county: fixtureFips })]).toEqual([
    fixtureCount + plain,
    fixtureCount + plain,
  ]);
});

test.runIf(started)('a land that is closed while a county comes ends at once, and says nothing', async () => {
  const { over } = await pushed();
  const { land, engine } = over();
  for (let time = 0; time < 2; time++) await countOf(engine, larger);
  await land.close();
  expect(land.keptCounties.counties).toBe(0);
});

test.runIf(started)('a land that is closed while its table is locked ends', async () => {
  const { url, access, over } = await pushed();
  const { land, engine } = over();
  await countOf(engine, larger);
  const other = await connected(url, access);
  await other.run('BEGIN; LOCK TABLE parcels');
  await expect(countOf(engine, larger)).rejects.toMatchObject({ code: 'validation_error' });
  await land.close();
  expect(land.keptCounties.counties).toBe(0);
  await other.run('ROLLBACK');
});
