/** Owners worked out from the parcels of a home: stored, stale after changes, joined and parted by verdicts. */
import { beforeEach, describe, expect, test } from 'vitest';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import type { Engine } from '../../engine/engine.ts';
import { readVerdicts, staleOwnerCounties, updateOwners } from '../../engine/owners/update-owners.ts';
import { runChange } from '../../engine/work/index.ts';
import { engineOn, realHome, sampleHome } from '../support/homes.ts';
import { realDataOrSkip } from '../support/shared-data.ts';

function workOut(engine: Engine): string[] {
  indexStaleCounties(engine.land.file);
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
