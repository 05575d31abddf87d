/** The card of an owner: its sums against SQL of the test's own, its holdings placed, its history. */
import { expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { workOutOwners } from '../support/known-owners.ts';

const card = (engine: Engine, id: number) => runRead(engine, 'owner_card', { id });

/** Four lots of one owner, two of them in one piece, and one that is perhaps the same. */
function ownedLand(engine: Engine): { readonly ids: readonly number[]; readonly related: number } {
  const { file } = engine.land;
  const [[one, other] = [0, 0]] = file.rawRows(
    `SELECT property_id, other_id FROM parcel_neighbours n WHERE shared_m > 20 AND property_id < other_id
       AND 2 = (SELECT count(*) FROM parcels p WHERE p.geom IS NOT NULL AND p.status = 'current'
         AND p.property_id IN (n.property_id, n.other_id)) ORDER BY 1, 2 LIMIT 1`,
  ) as [number, number][];
  const far = file.column<number>(
    `SELECT property_id FROM parcels WHERE geom IS NOT NULL AND status = 'current' AND property_id NOT IN
       (SELECT other_id FROM parcel_neighbours WHERE property_id IN (?, ?)) AND property_id NOT IN (?, ?)
       AND property_id % 700 = 11 ORDER BY property_id LIMIT 3`,
    ...[one, other, one, other],
  );
  const [third, fourth, related] = far as [number, number, number];
  for (const id of [one, other, third, fourth])
    file.run(
      "UPDATE parcels SET owner_name = 'QUILLFERN FARMS INC', owner_type = NULL, mailing_key = 'PO BOX 88||00141' WHERE property_id = ?",
      id,
    );
  file.run(
    "UPDATE parcels SET owner_name = 'QUILLFERN INVESTMENTS LP', owner_type = NULL, mailing_key = 'PO BOX 88||00141' WHERE property_id = ?",
    related,
  );
  return { ids: [one, other, third, fourth], related };
}

test('has all land with sums by county and town, holdings with a place, and what is perhaps the same', async () => {
  const engine = engineOn(sampleHome());
  workOutOwners(engine);
  const { ids, related } = ownedLand(engine);
  workOutOwners(engine);
  const given = JSON.stringify(ids);
  const found = await card(engine, ids[0] as number);
  expect(found.owner).toMatchObject({ is_current: true, name: 'QUILLFERN FARMS INC', parcel_count: 4 });
  expect(found.property_ids.toSorted()).toEqual(ids.toSorted());
  expect(found.perhaps).toEqual([{ property_id: related, property_ids: [related] }]);
  expect(found.pieces.map(({ parcels }) => parcels).sort()).toEqual([1, 1, 2]);
  expect(found.pieces.every(({ point }) => point !== null)).toBe(true);
  const [acres] = engine.land.file.column<number>(
    'SELECT sum(coalesce(acres, calculated_acres)) FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))',
    given,
  );
  const [county, ...towns] = found.totals;
  expect(county).toMatchObject({ fips: '99001', town: null, parcels: 4, holdings: 3 });
  expect(county?.acres).toBeCloseTo(acres as number, 3);
  expect(towns.reduce((sum, { parcels }) => sum + parcels, 0)).toBe(4);
  // A holding in two towns counts in both.
  expect(towns.reduce((sum, { holdings }) => sum + holdings, 0)).toBeGreaterThanOrEqual(3);
  const box = engine.land.file.get<Record<string, number>>(
    'SELECT min(xmin) AS w, min(ymin) AS s, max(xmax) AS e, max(ymax) AS n FROM idx_parcels_geom WHERE pkid IN (SELECT value FROM json_each(?))',
    given,
  );
  expect(found.bounds).toEqual([box?.w, box?.s, box?.e, box?.n]);
});

test('tells the sales, notes and deals of all its parcels, newest first', async () => {
  const engine = engineOn(sampleHome());
  workOutOwners(engine);
  const { ids } = ownedLand(engine);
  const [first, , third] = ids as [number, number, number, number];
  const { file } = engine.land;
  file.run("UPDATE parcels SET last_sale_date = '1999-04-05', last_sale_price = 1234 WHERE property_id = ?", first);
  workOutOwners(engine);
  await runChange(engine, 'add_note', { property_id: third, text: 'gate is locked' });
  await runChange(engine, 'update_deal', { ids: [first], stage: 'mailed', today: '2026-11-29' });
  const { history } = await card(engine, ids[1] as number);
  const dates = history.map(({ at }) => at);
  expect(dates).toEqual(dates.toSorted().reverse());
  expect(history).toContainEqual(
    expect.objectContaining({ what: 'sale', property_id: first, at: '1999-04-05', price: 1234 }),
  );
  expect(history).toContainEqual(expect.objectContaining({ what: 'note', property_id: third, text: 'gate is locked' }));
  expect(history).toContainEqual(expect.objectContaining({ what: 'deal', property_id: first, text: 'Mailed' }));
});

test('of an unknown owner there is no land, of an unknown parcel no card', async () => {
  const engine = engineOn(sampleHome());
  engine.land.file.run("UPDATE parcels SET owner_name = 'UNKNOWN' WHERE property_id = 1");
  workOutOwners(engine);
  expect(await card(engine, 1)).toMatchObject({
    owner: { name: 'UNKNOWN' },
    pieces: [],
    property_ids: [],
    bounds: null,
  });
  expect(() => card(engine, 1e9)).toThrow(/no parcel/i);
});
