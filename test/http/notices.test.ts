/** Facts that an answer does not show are given beside it, on every interface; the answer stays the service's. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LocalLand } from '../../engine/land/local-land.ts';
import { filterNotices } from '../../engine/land/notices.ts';
import { parseFilterRequest } from '../../engine/query/filter-request.ts';
import { runRead } from '../../engine/reads/index.ts';
import { copyOfHome, emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';
import { serving } from './client.ts';

/** Sullivan County, NH: it exists, and is not loaded. */
const elsewhere = '33019';

/** Whether a notice says something else than for how many parcels a column is known. */
const isNotThin = (notice: string): boolean => !notice.includes(' is known for ');

describe('a notice', () => {
  test('names the counties asked for that are not loaded, and leaves the answer and its price alone', async () => {
    const it = await serving();
    const body = { counties: [elsewhere, '99001'], acres_min: 1 };
    const answer = await it.send({ method: 'POST', path: 'properties/filter/', body });
    expect(answer.headers['x-platbook-notice']).toBe('No parcels are loaded for Sullivan County, NH (33019).');
    const loaded = await it.send({
      method: 'POST',
      path: 'properties/filter/',
      body: { county: '99001', acres_min: 1 },
    });
    expect(loaded.headers['x-platbook-notice']).toBeUndefined();
    expect((answer.json as { count: number }).count).toBe((loaded.json as { count: number }).count);
    const none = await it.send({ path: `properties/search/?fips=${elsewhere}&apn=1` });
    expect([none.status, none.headers['x-tokens-used']]).toEqual([200, '0']);
    expect(none.headers['x-platbook-notice']).toContain('Sullivan County, NH (33019)');
  });

  test('stands in the header of CSV too, and of comps and market numbers without comps', async () => {
    const it = await serving();
    for (const path of [
      `properties/search/?fips=${elsewhere}&apn=1&format=csv`,
      `comps/?fips=${elsewhere}`,
      `markets-stats/${elsewhere}/stats/`,
      `values/?fips=${elsewhere}&column=zoning`,
    ]) {
      expect((await it.send({ path })).headers['x-platbook-notice'], path).toContain('(33019)');
    }
  });

  test('is plain ASCII, whatever the county is called', async () => {
    const it = await serving();
    const answer = await it.send({ path: 'properties/search/?fips=35013&apn=1' });
    expect(answer.headers['x-platbook-notice']).toBe('No parcels are loaded for Dona Ana County, NM (35013).');
  });

  test('names filters on columns that are empty in the whole place, once nothing is found', () => {
    const { land } = engineOn(sampleHome());
    land.file.run("UPDATE parcels SET zoning = NULL WHERE fips = '99001'");
    const notices = (body: object, count: number) =>
      filterNotices(new LocalLand(land), parseFilterRequest(body as Record<string, unknown>), {
        count,
        keptUnknown: [],
        absent: [],
        thin: [],
      });
    const body = { county: '99001', zoning_codes: ['R1'], acres_min: 1 };
    expect(notices(body, 0)).toEqual([
      `None of the ${land.parcelCount.toLocaleString('en-US')} parcels asked for has data for zoning_codes, so none can match.`,
    ]);
    expect(notices(body, 3)).toEqual([]);
    expect(notices({ ...body, include_unknown: ['zoning_codes'] }, 0)).toEqual([]);
    expect(notices({ county: '99001', acres_min: 1e6 }, 0)).toEqual([]);
  });

  test('names what no parcel has, in a list the values alone, once nothing is found', async () => {
    const engine = engineOn(sampleHome());
    const notices = async (body: object) =>
      (await engine.call('filter_properties', { county: '99001', ...body } as never)).notices.filter(isNotThin);
    const none = (words: string) => [
      `No parcel of the counties asked for matches ${words}, whatever the other filters.`,
    ];
    const zoning = engine.land.file.get<{ zoning: string }>(
      'SELECT zoning FROM parcels WHERE zoning IS NOT NULL',
    )?.zoning;
    expect(await notices({ zips_include: ['99999'], acres_min: 1 })).toEqual(none('zips_include "99999"'));
    expect(await notices({ zoning_codes: [zoning, 'NO-SUCH'], acres_min: 1e6 })).toEqual(
      none('zoning_codes "NO-SUCH"'),
    );
    expect(await notices({ subdivisions: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })).toEqual(
      none('subdivisions "a", "b", "c", "d", "e", 2 more'),
    );
    expect(await notices({ apn: 'X-1' })).toEqual(none('apn "X-1"'));
    expect(await notices({ geom_intersects: 'POINT (-150 60)' })).toEqual(none('geom_intersects'));
    expect(await notices({ acres_min: 1e6, owner_name_exclude_words: ['qqqq'] })).toEqual([]);
    const anywhere = await engine.call('filter_properties', { zips_include: ['99999', '88888'] });
    expect(anywhere.notices.filter(isNotThin)).toEqual([
      'No parcel loaded matches zips_include "99999", "88888", whatever the other filters.',
    ]);
    const long = 'é'.repeat(5000);
    expect((await notices({ owner_1_full_name: long.slice(0, 200) })).join('').length).toBeLessThan(200);
  });

  test('names the values of a list that no parcel has beside those that are found', async () => {
    const engine = engineOn(sampleHome());
    const value = (column: string) =>
      engine.land.file.get<{ value: string }>(
        `SELECT ${column} AS value FROM parcels WHERE ${column} IS NOT NULL AND status = 'current'`,
      )?.value ?? '';
    const [zip, zoning, use] = ['situs_zip', 'zoning', 'land_use_code'].map(value) as [string, string, string];
    const word = value('owner_name').split(/\W/)[0] ?? '';
    const ask = async (body: object) => {
      const { data, notices } = await engine.call('filter_properties', body as never);
      return {
        found: data.count > 0,
        notices: notices.filter((notice) => isNotThin(notice) && !notice.includes('which keeps')),
      };
    };
    const matches = (words: string, place = 'of the counties asked for') => ({
      found: true,
      notices: [`No parcel ${place} matches ${words}, whatever the other filters.`],
    });
    const county = '99001';
    expect(await ask({ zips_include: [zip, '99999'] })).toEqual(matches('zips_include "99999"', 'loaded'));
    expect(await ask({ county, zips_include: [zip, '99999', '88888'] })).toEqual(
      matches('zips_include "99999", "88888"'),
    );
    expect(await ask({ county, zoning_codes: ['No-Such', zoning.toLowerCase()] })).toEqual(
      matches('zoning_codes "No-Such"'),
    );
    expect(await ask({ county, land_use_codes: ['NOPE'], include_unknown: ['land_use_codes'] })).toEqual(
      matches('land_use_codes "NOPE"'),
    );
    expect(await ask({ county, owner_name_include_words: [word, 'qqqq zz', `${word} qqqq`] })).toEqual(
      matches(`owner_name_include_words "qqqq zz", "${word} qqqq"`),
    );
    expect(await ask({ county, zips_include: [zip], zoning_codes: [zoning], zips_exclude: ['99999'] })).toEqual({
      found: true,
      notices: [],
    });
    expect(await ask({ county, land_use_codes: [use, ...Array.from({ length: 300 }, (_, i) => `X${i}`)] })).toEqual(
      matches('land_use_codes "X0", "X1", "X2", "X3", "X4", 295 more'),
    );
    const counted = runRead(engine, 'count_properties', { filter: { county, zips_include: [zip, '99999'] } });
    expect(counted.unmatched).toEqual([{ name: 'zips_include', values: ['99999'] }]);
  });

  test('names filters that are to keep unknown values and are not asked, and road types without a frontage', async () => {
    const engine = engineOn(sampleHome());
    const notices = async (body: object) =>
      (await engine.call('filter_properties', { county: '99001', ...body } as never)).notices.filter(isNotThin);
    const unasked = (names: string) => [
      `include_unknown has no effect for ${names}: this search asks nothing of them.`,
    ];
    expect(await notices({ acres_min: 1, include_unknown: ['acres', 'year_built'] })).toEqual(unasked('year_built'));
    expect(
      await notices({ acres_min: 1, vacant_only: false, include_unknown: ['vacant_only', 'zoning_codes'] }),
    ).toEqual(unasked('vacant_only, zoning_codes'));
    expect(await notices({ acres_min: 1, include_unknown: ['acres'] })).toEqual([]);
    expect(await notices({ acres_min: 1, frontage_normal_road: true })).toEqual([
      'frontage_normal_road asks nothing without road_frontage_min or road_frontage_max.',
    ]);
    expect(await notices({ road_frontage_min: 1, frontage_normal_road: true })).toEqual([]);
  });

  test('says for how many parcels a filter’s column is known, where that is few', async () => {
    const home = copyOfHome(sampleHome());
    const engine = engineOn(home);
    const {
      n: all = 0,
      zips = 0,
      built = 0,
      sections = 0,
    } = engine.land.file.get<Record<string, number>>(
      `SELECT count(*) AS n, count(situs_zip) AS zips, count(year_built) AS built, count(section) AS sections
         FROM parcels WHERE status = 'current'`,
    ) ?? {};
    const told = (filter: string, known: number, fate = 'left out') =>
      `${filter} is known for ${known.toLocaleString('en-US')} of the ${all.toLocaleString('en-US')} parcels in the counties searched; the others are ${fate}.`;
    const ask = async (body: object) => {
      const { data, notices } = await engine.call('filter_properties', { county: '99001', ...body } as never);
      return { found: data.count > 0, notices };
    };
    expect(Math.max(zips, built)).toBeLessThan(0.95 * all);
    expect(sections).toBe(0);
    expect(await ask({ zips_include: ['00142'], year_built_min: 1900, acres_min: 0.1 })).toEqual({
      found: true,
      notices: [told('zips_include', zips), told('year_built', built)],
    });
    expect(await ask({ year_built_min: 1900, include_unknown: ['year_built'] })).toEqual({
      found: true,
      notices: [told('year_built', built, 'kept, as include_unknown says')],
    });
    expect((await ask({ year_built_min: 2900 })).notices[0]).toBe(told('year_built', built));
    // Acres are computed for every lot; an empty column is named once, by itself.
    expect((await ask({ acres_min: 0.1 })).notices).toEqual([]);
    expect((await ask({ section_min: 7 })).notices.filter((notice) => !isNotThin(notice))).toEqual([]);
    const ran = await platbook(home, 'call', 'filter_properties', '{"county":"99001","year_built_min":1900}');
    expect(ran.err).toContain(told('year_built', built));
  });

  test('counts the parcels that a filter keeps only because their value is unknown', async () => {
    const engine = engineOn(sampleHome());
    const body = { county: '99001', acres_min: 5, exclude_landlocked: true, zips_exclude: ['00142'] };
    const { data, notices } = await engine.call('filter_properties', body);
    const unknown = (column: string) =>
      engine.land.file.get<{ n: number }>(
        `SELECT count(*) AS n FROM parcels WHERE status = 'current' AND coalesce(acres, calculated_acres) >= 5
         AND landlocked IS NOT 1 AND situs_zip IS NOT '00142' AND ${column} IS NULL`,
      )?.n ?? 0;
    const said = (parcels: number, filter: string) =>
      `${parcels} of the ${data.count.toLocaleString('en-US')} parcels found have no data for ${filter}, which keeps them.`;
    expect(unknown('landlocked')).toBeGreaterThan(0);
    expect(unknown('situs_zip')).toBeGreaterThan(0);
    expect([...notices].sort()).toEqual(
      [said(unknown('landlocked'), 'exclude_landlocked'), said(unknown('situs_zip'), 'zips_exclude')].sort(),
    );
  });

  test('is printed by the command beside the answer, and given to scripts', async () => {
    const home = copyOfHome(sampleHome());
    const input = { fips: elsewhere, apn: '1' };
    const { notices } = await engineOn(home).call('search_properties', input);
    expect(notices).toEqual(['No parcels are loaded for Sullivan County, NH (33019).']);
    const ran = await platbook(home, 'call', 'search_properties', JSON.stringify(input), '--json');
    expect(JSON.parse(ran.out)).toMatchObject({ count: 0 });
    expect(ran.err).toContain(notices[0]);
  });

  test('stands beside a file that is written, a feed that is made, and its answers', async () => {
    const notice = 'No parcels are loaded for Sullivan County, NH (33019).';
    const input = { county: elsewhere, acres_min: 1 };
    const home = copyOfHome(sampleHome());
    const file = path.join(emptyHome(), 'lots.csv');
    const ran = await platbook(home, 'export', file, '--filter', JSON.stringify(input), '--json');
    expect(JSON.parse(ran.out)).toMatchObject({ parcels: 0, notes: [notice] });
    const made = await platbook(home, 'feeds', 'make', 'search', JSON.stringify(input), '--name', 'Lots');
    expect(made.err).toContain(notice);

    const it = await serving();
    const asked = { name: 'Lots', kind: 'search', input };
    const answer = await it.send({ method: 'POST', path: 'feeds/', body: asked, key: it.makeKey(['feeds']) });
    expect([answer.status, answer.headers['x-platbook-notice']]).toEqual([201, notice]);
    for (const address of answer.json.paths as string[]) {
      const read = await it.send({ path: address, key: null });
      expect([read.status, read.headers['x-platbook-notice']], address).toEqual([200, notice]);
    }
    const comps = { name: 'Comps', kind: 'comps', input: { fips: Number(elsewhere) } };
    const without = await it.send({ method: 'POST', path: 'feeds/', body: comps, key: it.makeKey(['feeds']) });
    expect(without.headers['x-platbook-notice']).toBe('No comps are loaded for Sullivan County, NH (33019).');
  });
});

describe('a search by APN', () => {
  test('finds the one that is written so, in any case; the others with its letters and digits are named beside it', async () => {
    const engine = engineOn(sampleHome());
    const search = async (apn: string) => {
      const { data, notices } = await engine.call('search_properties', { fips: '99001', apn });
      return [data.results.map((parcel) => parcel.apn).sort(), notices];
    };
    const alike = (apn: string) => [`One other APN has the same letters and digits: ${apn}.`];
    expect(await search('12-201')).toEqual([['12-201'], alike('12-2-01')]);
    expect(await search(' 12-2-01 ')).toEqual([['12-2-01'], alike('12-201')]);
    expect(await search('12 201')).toEqual([['12-2-01', '12-201'], []]);
    expect(await search('12201')).toEqual([['12-2-01', '12-201'], []]);
  });

  test('gives each parcel of the sample alone for its own APN, unless two have the same', async () => {
    const engine = engineOn(sampleHome());
    const rows = engine.land.file.all<{ apn: string; n: number }>(
      `SELECT apn, count(*) AS n FROM parcels WHERE status = 'current' AND apn <> '' GROUP BY apn
       HAVING apn IN (SELECT apn FROM parcels GROUP BY apn_key HAVING count(*) > 1) LIMIT 50`,
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { apn, n } of rows) {
      const { data } = await engine.call('search_properties', { fips: '99001', apn });
      expect([data.count, data.results[0]?.apn], apn).toEqual([n, apn]);
    }
  });
});

describe('what is loaded', () => {
  test('list_datasets gives counties with parcels, comps, and how many parcels each filter can judge', async () => {
    const engine = engineOn(sampleHome());
    const { data, tokens } = await engine.call('list_datasets', {});
    expect(tokens).toBe(0);
    expect(data.datasets.map(({ fips, parcels }) => ({ fips, parcels }))).toEqual([
      { fips: '99001', parcels: engine.land.parcelCount },
    ]);
    const [county] = data.counties;
    expect(county).toMatchObject({ fips: '99001', parcels: engine.land.parcelCount });
    expect(county?.comps).toBe(engine.land.file.get<{ n: number }>('SELECT count(*) AS n FROM comps')?.n);
    // The count of the column itself, by SQL.
    const acres = engine.land.file.get<{ n: number }>(
      "SELECT count(coalesce(acres, calculated_acres)) AS n FROM parcels WHERE status = 'current'",
    )?.n;
    expect(county?.filters.find(({ name }) => name === 'acres')?.known).toBe(acres);
  });

  test('list_values gives every code of a column with its count', async () => {
    const engine = engineOn(sampleHome());
    const { data } = await engine.call('list_values', { fips: '99001', column: 'zoning' });
    const counted = engine.land.file.all<{ value: string; count: number }>(
      `SELECT zoning AS value, count(*) AS count FROM parcels WHERE status = 'current' AND zoning IS NOT NULL
       GROUP BY zoning ORDER BY count DESC, value`,
    );
    expect(data.values.map(({ value, count }) => ({ value, count }))).toEqual(counted);
    expect(data.distinct).toBe(counted.length);
    const some = await engine.call('list_values', { fips: 99001, column: 'zoning', limit: 1 });
    expect(some.data.values).toHaveLength(1);
    expect(some.data.distinct).toBe(counted.length);
  });
});
