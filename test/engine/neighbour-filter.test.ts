/** The filter of neighbours lists what list_neighbours lists, with every other filter, on every way of answering. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { parseLiveRequest } from '../../engine/query/live-request.ts';
import { liveCount } from '../../engine/query/live-rows.ts';
import { countBySql } from '../../engine/query/sql-filters/live-by-sql.ts';
import { createRandom } from '../sample-maker/random.ts';
import { openHomeCopy, removeHome, sampleHome } from '../support/homes.ts';
import { runs } from '../support/runs.ts';

let engine: Engine;
beforeAll(() => {
  engine = openHomeCopy(sampleHome());
});
afterAll(() => removeHome(engine));

const listed = async (id: number, feet?: number) => {
  const input = { id, page_size: 500, ...(feet === undefined ? {} : { within_feet: feet }) };
  const { data } = await engine.call('list_neighbours', input);
  return data.results;
};

const filtered = async (body: object) => {
  const { data } = await engine.call('filter_properties', { page_size: 500, ...body } as never);
  return data.results.map(({ property_id: id }) => id);
};

const subjects = (): number[] =>
  createRandom(33)
    .shuffle(
      engine.land.file.column<number>("SELECT property_id FROM parcels WHERE geom IS NOT NULL AND status = 'current'"),
    )
    .slice(0, runs(20, 100));

const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

test.each([undefined, 0, 250])('the same parcels within %s feet, alone and with acres', async (feet) => {
  const around = feet === undefined ? {} : { within_feet: feet };
  for (const id of subjects()) {
    const neighbours = await listed(id, feet);
    expect(sorted(await filtered({ neighbour_of: id, ...around }))).toEqual(
      sorted(neighbours.map(({ property_id: one }) => one)),
    );
    const large = neighbours.filter(({ acres, calculated_acres: mapped }) => (acres ?? mapped ?? 0) >= 5);
    expect(sorted(await filtered({ neighbour_of: id, ...around, acres_min: 5 }))).toEqual(
      sorted(large.map(({ property_id: one }) => one)),
    );
    const request = parseLiveRequest({ neighbour_of: id, ...around, acres_min: 5 });
    expect(liveCount(engine.land, request).count).toBe(large.length);
    expect(countBySql(engine.land, request).count).toBe(large.length);
  }
});

test('the parcel itself is not among them', async () => {
  const [id = 0] = subjects();
  expect(await filtered({ neighbour_of: id })).not.toContain(id);
});

test('a parcel that is retired is no longer among them', async () => {
  const [id = 0] = subjects();
  const [first = 0] = await filtered({ neighbour_of: id });
  engine.land.file.run("UPDATE parcels SET status = 'retired' WHERE property_id = ?", first);
  expect(await filtered({ neighbour_of: id })).not.toContain(first);
  engine.land.file.run("UPDATE parcels SET status = 'current' WHERE property_id = ?", first);
});

const refused = (input: object) => expect(engine.callUnchecked('filter_properties', input, { mode: 'script' })).rejects;

test('what is wrong is said at its field', async () => {
  await refused({ within_feet: 100, county: '99001' }).toMatchObject({
    details: { within_feet: ['expected neighbour_of beside it'] },
  });
  await refused({ neighbour_of: 999_999_999 }).toMatchObject({
    details: { neighbour_of: ['there is no parcel 999999999'] },
  });
  await refused({ neighbour_of: 1, within_feet: 30_000 }).toMatchObject({
    details: { within_feet: [expect.stringContaining('5 miles')] },
  });
  engine.land.file.run('UPDATE parcels SET geom = NULL WHERE property_id = 100');
  await refused({ neighbour_of: 100 }).toMatchObject({
    details: { neighbour_of: [expect.stringContaining('need shapes')] },
  });
});
