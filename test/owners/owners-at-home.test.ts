/** Owners worked out from the parcels of a home: stored, stale after changes, joined and parted by verdicts. */
import { beforeEach, describe, expect, test } from 'vitest';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import type { Engine } from '../../engine/engine.ts';
import { holdingColumnNames } from '../../engine/owners/holding-columns.ts';
import { readVerdicts, staleOwnerCounties, updateOwners } from '../../engine/owners/update-owners.ts';
import { findStaleNeighbours } from '../../engine/query/find-neighbours.ts';
import { runChange } from '../../engine/work/index.ts';
import { engineOn, realHome, sampleHome } from '../support/homes.ts';
import { realDataOrSkip } from '../support/shared-data.ts';

function workOut(engine: Engine): string[] {
  indexStaleCounties(engine.land.file);
  findStaleNeighbours(engine.land.file);
  return updateOwners(engine.land.file, readVerdicts(engine.account.file));
}
const isStale = ({ land, account }: Engine) => staleOwnerCounties(land.file, readVerdicts(account.file)).length > 0;
const ownerOf = async (engine: Engine, id: number) => (await engine.call('get_owner', { id })).data;

/** Gives the first parcels of the sample these owners, at one mailing address. */
function rename(engine: Engine, owners: readonly string[]): number[] {
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' ORDER BY property_id LIMIT ?",
    owners.length,
  );
  for (const [at, name] of owners.entries())
    engine.land.file.run(
      "UPDATE parcels SET owner_name = ?, owner_type = NULL, mailing_key = 'PO BOX 88||00141' WHERE property_id = ?",
      ...[name, ids[at] as number],
    );
  return ids;
}

describe('the owner of a parcel', () => {
  let engine: Engine;
  let ids: number[];
  const names = ['QUILLFERN FARMS INC', 'QUILLFERN FARMS INCORPORATED', 'QUILLFERN INVESTMENTS LP', 'UNKNOWN'];
  beforeEach(() => {
    engine = engineOn(sampleHome());
    ids = rename(engine, names);
    workOut(engine);
  });
  const judge = (verdict: 'same' | 'different' | 'shares' | 'none', other: number) =>
    runChange(engine, 'judge_owners', { property_id: ids[0], other_ids: [ids[other]], verdict });

  test('has its spellings with reasons, what is perhaps the same, and its land', async () => {
    const owner = await ownerOf(engine, ids[1] as number);
    expect(owner).toMatchObject({ is_current: true, name: names[0], owner_type: 'company', parcel_count: 2 });
    expect(owner.spellings.map(({ name, joined }) => [name, joined])).toEqual([
      [names[0], null],
      [names[1], 'automatic'],
    ]);
    expect(owner.spellings[1]?.reasons.map(({ text }) => text)).toContain('same mailing address, with 3 names there');
    expect(owner.perhaps_same).toMatchObject([{ property_id: ids[2], name: names[2], parcels: 1 }]);
    expect(owner.parcels.map(({ property_id: id }) => id).sort()).toEqual(ids.slice(0, 2));
    const [acres] = engine.land.file.column<number>(
      'SELECT sum(coalesce(acres, calculated_acres)) FROM parcels WHERE property_id IN (?, ?)',
      ...ids.slice(0, 2),
    );
    expect(owner.acres).toBeCloseTo(acres as number, 6);
    expect(owner.counties).toMatchObject([{ fips: '99001', parcels: 2 }]);
  });

  test('an unknown owner has no spellings, an unknown parcel no answer', async () => {
    expect(await ownerOf(engine, ids[3] as number)).toMatchObject({ name: 'UNKNOWN', spellings: [], parcel_count: 0 });
    await expect(engine.call('get_owner', { id: 1e9 })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a verdict makes it stale, joins, and is undone in one step', async () => {
    expect(isStale(engine)).toBe(false);
    await judge('same', 2);
    expect(await ownerOf(engine, ids[0] as number)).toMatchObject({ is_current: false, parcel_count: 2 });
    expect(workOut(engine)).toEqual(['99001']);
    expect(await ownerOf(engine, ids[2] as number)).toMatchObject({ is_current: true, parcel_count: 3 });
    await runChange(engine, 'undo', {});
    workOut(engine);
    expect(await ownerOf(engine, ids[2] as number)).toMatchObject({ parcel_count: 1 });
  });

  test('different parts a spelling, and shares is listed apart', async () => {
    await judge('different', 1);
    await judge('shares', 2);
    workOut(engine);
    const owner = await ownerOf(engine, ids[0] as number);
    expect(owner).toMatchObject({ parcel_count: 1, perhaps_same: [] });
    expect(owner.shares_person.map(({ name }) => name)).toEqual([names[2]]);
    await judge('none', 1);
    workOut(engine);
    expect(await ownerOf(engine, ids[0] as number)).toMatchObject({ parcel_count: 2 });
  });

  test('a verdict outlives a change of the parcel that named it', async () => {
    await judge('same', 2);
    engine.land.file.run('UPDATE parcels SET owner_name = NULL WHERE property_id = ?', ids[0] as number);
    const [id] = engine.land.file.column<number>(
      "SELECT property_id FROM parcels WHERE status = 'current' ORDER BY property_id DESC LIMIT 1",
    );
    rename(engine, []);
    engine.land.file.run(
      "UPDATE parcels SET owner_name = 'Quillfern Farms, Inc.', mailing_key = 'PO BOX 88||00141' WHERE property_id = ?",
      id as number,
    );
    workOut(engine);
    expect(await ownerOf(engine, id as number)).toMatchObject({ parcel_count: 3 });
  });

  test.each([
    ['a parcel that is not there', { other_ids: [1e9] }, 'other_ids'],
    ['an owner that is unknown', { other: 3 }, 'other_ids'],
    ['itself', { other: 0 }, 'other_ids'],
    ['another verdict', { other: 1, verdict: 'perhaps' }, 'verdict'],
  ])('a verdict on %s is refused', async (_what, { other, ...more }: Record<string, unknown>, field) => {
    const asked = { property_id: ids[0], other_ids: [ids[other as number]], verdict: 'same', ...more };
    await expect(engine.callUnchecked('judge_owners', asked, { mode: 'script' })).rejects.toMatchObject({
      code: 'validation_error',
      details: { [field]: [expect.any(String)] },
    });
  });

  test('any change of a parcel makes its county stale, and nothing is done where nothing is', () => {
    expect(workOut(engine)).toEqual([]);
    engine.land.file.run("UPDATE parcels SET owner_name = 'OAKES PETER' WHERE property_id = ?", ids[0] as number);
    expect(isStale(engine)).toBe(true);
    expect(workOut(engine)).toEqual(['99001']);
    expect(isStale(engine)).toBe(false);
  });
});

describe('holdings', () => {
  test('columns, filters and get_owner agree with a walk over the stored pairs', async () => {
    const engine = engineOn(sampleHome());
    workOut(engine);
    const rows = engine.land.file.all<Record<string, number | null> & { property_id: number; group_id: number }>(
      `SELECT p.property_id, group_id, p.geom IS NOT NULL AS has_shape, coalesce(acres, calculated_acres) AS size,
         ${holdingColumnNames.join(', ')} FROM parcels p JOIN parcel_owners USING (property_id)
         JOIN owner_identities USING (identity_id) WHERE p.status = 'current'`,
    );
    const byId = new Map(rows.map((row) => [row.property_id, row]));
    const next = Map.groupBy(
      engine.land.file.rawRows('SELECT property_id, other_id FROM parcel_neighbours') as [number, number][],
      ([id]) => id,
    );
    // Equal shapes have no pair and are one lot.
    const lots = Map.groupBy(
      engine.land.file.rawRows('SELECT property_id, geometry_hash FROM parcel_registry') as [number, number | null][],
      ([id, hash]) => `${byId.get(id)?.group_id} ${hash ?? `none of ${id}`}`,
    );
    const lotOf = new Map([...lots.values()].flatMap((lot) => lot.map(([id]) => [id, lot.map(([other]) => other)])));
    const walk = (id: number): number[] => {
      const reached = new Set([id]);
      for (const at of reached)
        for (const other of [...(next.get(at) ?? []).map(([, one]) => one), ...(lotOf.get(at) ?? [])])
          if (byId.get(other)?.has_shape === 1 && byId.get(other)?.group_id === byId.get(id)?.group_id)
            reached.add(other);
      return [...reached];
    };
    const owned = Map.groupBy(rows, ({ group_id: group }) => group);
    for (const row of rows) {
      expect(row.owner_parcels).toBe(owned.get(row.group_id)?.length);
      expect(row.holding_parcels).toBe(row.has_shape === 1 ? walk(row.property_id).length : null);
    }
    const large = rows.reduce((most, row) => ((row.holding_parcels ?? 0) > (most.holding_parcels ?? 0) ? row : most));
    expect(large.holding_parcels).toBeGreaterThan(3);
    const owner = await ownerOf(engine, large.property_id);
    expect([owner.acres, owner.holdings[0]?.acres]).toEqual([large.owner_acres, large.largest_holding]);
    expect(owner.holdings.flatMap(({ property_ids: ids }) => ids)).toContain(large.property_id);
    for (const [field, column, least] of [
      ['holding_parcels_min', 'holding_parcels', 3],
      ['owner_acres_min', 'owner_acres', 500],
      ['largest_holding_min', 'largest_holding', 200],
    ] as const) {
      const { data } = await engine.call('filter_properties', { county: '99001', [field]: least, page_size: 1 });
      const matching = rows.filter((row) => (row[column] ?? -1) >= least).length;
      expect(matching).toBeGreaterThan(0);
      expect(data.count).toBe(matching);
    }
  });

  test('are said to be of before, once a parcel has changed', async () => {
    const engine = engineOn(sampleHome());
    workOut(engine);
    const asked = { county: '99001', holding_acres_min: 10 };
    expect((await engine.call('filter_properties', asked)).notices.join()).not.toContain('worked out');
    engine.land.file.run("UPDATE parcels SET owner_name = 'OAKES PETER' WHERE property_id = 1");
    expect((await engine.call('filter_properties', asked)).notices.join()).toContain(
      'worked out: holding_acres is as before',
    );
  });

  test('an owner without neighbors known has parcels and acres, and no holding; a search says the share', async () => {
    const engine = engineOn(sampleHome());
    engine.land.file.run("UPDATE neighbour_counties SET state = 'stale'");
    indexStaleCounties(engine.land.file);
    updateOwners(engine.land.file, []);
    const known = engine.land.file.get(
      'SELECT count(owner_parcels) > 0 AS owners, count(holding_parcels) AS holdings FROM parcels',
    );
    expect(known).toEqual({ owners: 1, holdings: 0 });
    expect(isStale(engine)).toBe(false);
    const asked = { county: '99001', holding_acres_min: 10 };
    const share = 'Neighbours are known for 0 % of the parcels yet.';
    expect((await engine.call('filter_properties', asked)).notices).toContain(share);
    findStaleNeighbours(engine.land.file);
    expect(isStale(engine)).toBe(true);
    expect((await engine.call('filter_properties', asked)).notices).not.toContain(share);
  });
});

/** Automatic joins of the two real counties, by property ids, each read by a person: one first owner. */
const readAsOne = new Set(
  '1025 1035, 1047 1048, 1117 1119, 1206 1530, 1264 1277, 1603 1607, 1606 1608, 202 222, 2028 2163, 2033 2543, 2033 3728, 2033 3729, 2058 2067, 2059 3057, 2124 2128, 2143 3436, 2237 2242, 2257 2258, 2310 2358, 2315 2331, 2375 2439, 2381 2382, 2383 2386, 2400 2407, 2430 3694, 2437 2447, 2450 2651, 2543 3728, 2543 3729, 2555 2980, 2558 2560, 2668 3301, 2707 3019, 2806 2807, 2838 2947, 2849 3513, 3099 3100, 3176 3644, 3255 3259, 3402 3403, 3477 3478, 357 430, 3692 3711, 3728 3729, 374 806'.split(
    ', ',
  ),
);

describe.runIf(realDataOrSkip('owners of two real counties'))('two real counties', () => {
  test('99 of 100 joins that are made without asking are of one owner', () => {
    const engine = engineOn(realHome() as string);
    workOut(engine);
    const joins = engine.land.file.column<string>(
      `SELECT (SELECT min(property_id) FROM parcel_owners WHERE identity_id = l.a) || ' ' ||
         (SELECT min(property_id) FROM parcel_owners WHERE identity_id = l.b) AS pair
       FROM owner_links l WHERE l.state = 'automatic' ORDER BY 1`,
    );
    expect(joins.filter((pair) => readAsOne.has(pair)).length).toBeGreaterThanOrEqual(0.99 * joins.length);
  });
});
