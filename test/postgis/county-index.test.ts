/**
 * The column index of a county on the server: it comes at the first question, and stands for the county's rows alone,
 * whoever writes them and when. That the answers are equal says equal-land.test.ts.
 */
import { afterAll, expect, test } from 'vitest';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import { pushLand } from '../../engine/postgis/push.ts';
import { fillFixture, fixtureCount, fixtureFips } from '../support/fixture-home.ts';
import { connected, startServer } from '../support/postgis.ts';
import { countOf, impossible, larger, type OverLand, opened, pushedLand } from '../support/pushed-land.ts';

const started = await startServer('column indexes on a server');
afterAll(() => started?.stop());

/** Each push has the column index of its county. */
async function pushed() {
  const land = await pushedLand(started, ({ land: { file } }) => indexStaleCounties(file));
  const hasIndex = async () => {
    const [found] = await land.server.rows<{ n: number; written: number }>(
      'SELECT (SELECT count(*) FROM county_indexes) AS n, (SELECT count(*) FROM county_writes WHERE fips = $1) AS written',
      [fixtureFips],
    );
    return (found?.n ?? 0) > 0 && found?.written === 0;
  };
  return { ...land, hasIndex };
}

/** Counties in memory after one question. */
async function comeBy({ land, engine }: OverLand): Promise<number> {
  await countOf(engine, larger);
  await land.keptCounties.settle();
  return land.keptCounties.counties;
}

test.runIf(started)('one question brings the county, which then answers without the table', async () => {
  const { url, access, home, over, push, hasIndex } = await pushed();
  const { land, engine } = over();
  expect(await comeBy({ land, engine })).toBe(1);
  const other = await connected(url, access);
  await other.run('BEGIN; LOCK TABLE parcels');
  expect(await countOf(engine, impossible)).toBe(0);
  await other.run('ROLLBACK');
  expect(await countOf(engine, larger)).toBe(await countOf(home, larger));
  expect(await push()).toMatchObject({ is_changed: false });
  expect(await hasIndex()).toBe(true);
});

test.runIf(started)('a push that changes rows brings the index of the new ones', async () => {
  const { home, over, push, hasIndex } = await pushed();
  const asked = over();
  expect(await comeBy(asked)).toBe(1);
  const before = await countOf(asked.engine, larger);
  home.land.file.run('UPDATE parcels SET acres = 500 WHERE property_id = 2');
  home.land.file.run('DELETE FROM parcels WHERE property_id = ?', fixtureCount + 5);
  await push();
  expect(await hasIndex()).toBe(true);
  for (const some of [asked, over()]) {
    expect(await comeBy(some)).toBe(1);
    expect(await countOf(some.engine, larger)).toBe(before + 1);
    expect(await countOf(some.engine, { county: fixtureFips })).toBe(await countOf(home, { county: fixtureFips }));
  }
});

test.runIf(started)('a home whose index is stale sends none', async () => {
  const { url, access, home, hasIndex } = await pushed();
  expect(await hasIndex()).toBe(true);
  home.land.file.run('UPDATE parcels SET acres = 500 WHERE property_id = 2');
  await pushLand(await connected(url, access), home.home, { platbook: '0.0.0' });
  expect(await hasIndex()).toBe(false);
});

const changes: Readonly<Record<string, string>> = {
  'a change': 'UPDATE parcels SET acres = 500 WHERE property_id = 2',
  'a new row': `INSERT INTO parcels (property_id, fips, status, acres, row_hash) VALUES (900001, '${fixtureFips}', 'current', 500, 0)`,
  'a removed row': `DELETE FROM parcels WHERE property_id = ${fixtureCount + 3}`,
  'a row of another county that comes here': `INSERT INTO parcels (property_id, fips, status, acres, row_hash) VALUES (900001, '99003', 'current', 500, 0);
    UPDATE parcels SET fips = '${fixtureFips}' WHERE property_id = 900001`,
};

test.runIf(started).each(Object.entries(changes))(
  '%s by another program ends the index, until a push has mended the rows',
  async (_name, change) => {
    const { url, access, home, over, push, hasIndex } = await pushed();
    const other = await connected(url, access);
    await other.run(change);
    expect(await hasIndex()).toBe(false);
    const { engine, land } = over();
    const [{ n } = { n: -1 }] = await other.rows(
      "SELECT count(*) FILTER (WHERE status = 'current' AND acres >= 20) AS n FROM parcels WHERE fips = $1",
      [fixtureFips],
    );
    for (let time = 0; time < 3; time++) {
      expect(await countOf(engine, larger)).toBe(n);
      await land.keptCounties.settle();
    }
    // No row of it is left, and the next push is sure of that.
    expect(await push()).toMatchObject({ is_changed: true, mended: change.startsWith('DELETE') ? 0 : 1 });
    expect(await countOf(over().engine, larger)).toBe(await countOf(home, larger));
    expect(await hasIndex()).toBe(true);
    expect(await push()).toMatchObject({ is_changed: false, mended: 0 });
  },
);

for (const isolation of ['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])
  test.runIf(started)(`a change of a transaction (${isolation}) that a push does not see ends the index`, async () => {
    const { url, access, home, over, push, hasIndex } = await pushed();
    const other = await connected(url, access);
    await other.run(`BEGIN ISOLATION LEVEL ${isolation}`);
    await other.run('SELECT count(*) FROM parcels');
    home.land.file.run('UPDATE parcels SET acres = 600 WHERE property_id = 3');
    await push();
    await other.run('UPDATE parcels SET acres = 500 WHERE property_id = 2');
    home.land.file.run('UPDATE parcels SET acres = 700 WHERE property_id = 4');
    await push();
    expect(await hasIndex()).toBe(true);
    const asked = over();
    expect(await comeBy(asked)).toBe(1);
    const before = await countOf(asked.engine, larger);
    await other.run('COMMIT');
    expect(await hasIndex()).toBe(false);
    for (let time = 0; time < 2; time++) await countOf(over().engine, larger);
    expect(await countOf(over().engine, larger)).toBe(before + 1);
    await expect.poll(() => countOf(asked.engine, larger), { timeout: 30_000 }).toBe(before + 1);
  });

test.runIf(started)('rows that went without a trigger are counted', async () => {
  const { server, over } = await pushed();
  await server.run('TRUNCATE parcels_other');
  const asked = over();
  for (let time = 0; time < 3; time++) {
    expect(await countOf(asked.engine, larger)).toBe(0);
    await asked.land.keptCounties.settle();
  }
});

test.runIf(started)('renumbered parcels have no index, and come into memory as their rows', async () => {
  const { server, home, over } = await pushed();
  const second = opened();
  fillFixture(second);
  const other = '99003';
  second.land.file.run("INSERT INTO counties (fips, state, name) VALUES (?, 'ZZ', 'Birch County')", other);
  for (const table of ['parcels', 'datasets']) second.land.file.run(`UPDATE ${table} SET fips = ?`, other);
  indexStaleCounties(second.land.file);
  await pushLand(server, second.home, { platbook: '0.0.0', renumber: true });
  expect(await server.rows('SELECT DISTINCT fips FROM county_indexes')).toEqual([{ fips: fixtureFips }]);
  const { land, engine } = over();
  const both = { counties: [fixtureFips, other] };
  for (let time = 0; time < 3; time++) {
    expect(await countOf(engine, both)).toBe((await countOf(home, { county: fixtureFips })) + fixtureCount);
    await land.keptCounties.settle();
  }
  expect(land.keptCounties.counties).toBe(2);
});
