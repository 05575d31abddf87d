import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type County,
  countiesOfZips,
  countyRegion,
  regionMatches,
  searchable,
  zipRegion,
} from '../../engine/comps/regions.ts';
import { realDataOrSkip, sharedData } from '../support/shared-data.ts';

const sullivan: County = { fips: '33019', state: 'NH', name: 'Sullivan County', superseded_by: null };

const tableOf = (file: string) =>
  fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.trimEnd().split(','));

const counties = tableOf(path.resolve(import.meta.dirname, '..', '..', 'data', 'counties.csv'));
const nameOf = new Map(counties.map(([fips = '', , name = '']) => [fips, name]));
const successorsOf = new Map(counties.map(([fips = '', , , successors = '']) => [fips, successors]));

describe('a region', () => {
  test('has an id that never changes', () => {
    // Saved markets of every home hold these: they must not move. Computed with Python's uuid.uuid5.
    expect(countyRegion(sullivan).id).toBe('3d335f07-0569-52bd-9308-f0f30d6451dd');
    expect(zipRegion('03280', sullivan).id).toBe('5d89f8e9-a417-5a7d-8a9a-f1c216fe4a2d');
    expect(countyRegion({ ...sullivan, name: 'Renamed County' }).id).toBe(countyRegion(sullivan).id);
  });

  test('a ZIP lies in the county with most of its parcels', () => {
    const shares = [
      { zip: '03280', fips: '33011', parcels: 5 },
      { zip: '03280', fips: '33019', parcels: 9 },
      { zip: '03456', fips: '33019', parcels: 2 },
      { zip: '03456', fips: '33005', parcels: 2 },
    ];
    const expected = [
      ['03280', '33019'],
      ['03456', '33005'],
    ];
    expect([...countiesOfZips(shares)]).toEqual(expected);
    expect([...countiesOfZips(shares.toReversed())].sort()).toEqual(expected);
  });
});

describe('the search', () => {
  const county = (name: string, fips = '33019', state = 'NH') =>
    searchable(countyRegion({ fips, state, name, superseded_by: null }));
  const zip = searchable(zipRegion('03280', sullivan));

  test.each([
    ['Sullivan County', 'sull'],
    ['Sullivan County', 'COUNTY'],
    ['Sullivan County', 'sullivan county'],
    ['Sullivan County', 'Sullivan NH'],
    ['Sullivan County', 'sullivan, nh'],
    ['Sullivan County', '33'],
    ['Sullivan County', '33019'],
    ['St. Lawrence County', 'st. law'],
    ['Lac qui Parle County', 'parle'],
    ['Doña Ana County', 'doÑa'],
    ["Prince George's County", "george's"],
    ["O'Brien County", "o'br"],
  ])('%s is found by %j', (name, search) => expect(regionMatches(county(name), search)).toBe(true));

  test.each([
    ['Sullivan County', 'ullivan'],
    ['Sullivan County', 'sullivan vt'],
    ['Sullivan County', 'nh'],
    ['Sullivan County', '19'],
    ['Sullivan County', '...'],
    ['Sullivan County', '%'],
  ])('%s is not found by %j', (name, search) => expect(regionMatches(county(name), search)).toBe(false));

  test('a ZIP is found by its start, and by the whole code of its county', () => {
    expect(['0', '032', '03280', '33019'].map((search) => regionMatches(zip, search))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['33', '3301', '280', 'sull'].map((search) => regionMatches(zip, search))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('data/counties.csv', () => {
  test('has every code once, in order, with a state and a full legal name', () => {
    const codes = counties.map(([fips = '']) => fips);
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(codes.every((fips) => /^\d{5}$/.test(fips))).toBe(true);
    expect(counties.every((row) => row.length === 4 && /^[A-Z]{2}$/.test(row[1] ?? ''))).toBe(true);
    const endings =
      / (County|Parish|Borough|Census Area|Municipality|Municipio|city|City|Planning Region|Island|District)$/;
    const others = counties.filter(([, , name = '']) => !endings.test(name)).map(([fips]) => fips);
    // District of Columbia, Yellowstone National Park, Guam.
    expect(others).toEqual(['11001', '30113', '66010']);
  });

  test('names the successors of superseded codes, which stand themselves', () => {
    const superseded = [...successorsOf].filter(([, successors]) => successors !== '');
    expect(superseded.length).toBe(19);
    for (const [, successors] of superseded) {
      for (const fips of successors.split(' ')) expect(successorsOf.get(fips), fips).toBe('');
    }
    expect(successorsOf.get('02261')).toBe('02063 02066');
    expect(successorsOf.get('46113')).toBe('46102');
    expect(successorsOf.get('02270')).toBe('02158');
    expect(successorsOf.get('51515')).toBe('51019');
  });

  test('Connecticut has its nine planning regions, which took the place of eight counties', () => {
    const inState = counties.filter(([, state]) => state === 'CT');
    const regions = inState.filter(([fips]) => successorsOf.get(fips ?? '') === '').map(([, , name]) => name);
    expect(regions).toHaveLength(9);
    expect(regions.every((name) => name?.endsWith(' Planning Region'))).toBe(true);
    const old = inState.filter(([fips]) => successorsOf.get(fips ?? '') !== '').map(([fips]) => fips);
    expect(old).toEqual(['09001', '09003', '09005', '09007', '09009', '09011', '09013', '09015']);
    const taken = new Set(old.flatMap((fips) => (successorsOf.get(fips ?? '') ?? '').split(' ')));
    expect(taken.size).toBe(9);
  });

  test.runIf(realDataOrSkip('county names of 2017'))('agrees with the tables of 2017 but for what has changed', () => {
    const of2017 = tableOf(path.join(sharedData() ?? '', 'national', 'county_names_2017.csv'));
    const differences = of2017
      .filter(([fips = '', , name = '']) => nameOf.get(fips) !== name)
      .map(([fips = '', , name]) => `${fips} ${name} → ${nameOf.get(fips) ?? 'absent'}`);
    expect(differences).toEqual([
      // Spelt as the Census Bureau spells them.
      '22059 La Salle Parish → LaSalle Parish',
      '35013 Dona Ana County → Doña Ana County',
    ]);
    const known = new Set(of2017.map(([fips]) => fips));
    const added = counties.map(([fips = '']) => fips).filter((fips) => !known.has(fips));
    console.info(`not in the tables of 2017: ${added.map((fips) => `${fips} ${nameOf.get(fips)}`).join('; ')}`);
    // Alaska's new census areas, Connecticut's regions, Oglala Lakota, the islands, and codes gone before 2017.
    expect(added.map((fips) => fips.slice(0, 2)).filter((state, i, all) => all.indexOf(state) === i)).toEqual([
      '02',
      '09',
      '12',
      '30',
      '46',
      '51',
      '60',
      '69',
    ]);
  });
});
