/** Each profile over rows in its published schema, and which profile a file is taken to be of. */
import { describe, expect, test } from 'vitest';
import { columnsRead, fitMapping } from '../../../engine/importing/guess/fit-mapping.ts';
import { proposeMapping } from '../../../engine/importing/guess/propose-mapping.ts';
import { findProfile, recognitions, scoreProfiles } from '../../../engine/importing/guess/recognise.ts';
import { loadMapping, profileNames } from '../../../engine/importing/mapping/mapping.ts';
import { loadNamedMapping, savedMappingNames, saveMapping } from '../../../engine/importing/mapping/saved-mappings.ts';
import { importParcels } from '../../../engine/importing/merge/import-parcels.ts';
import { findCounty } from '../../../engine/importing/sources-counties.ts';
import { clock, collection, openLand, square, temporaryFolder, writeFile } from '../fixtures.ts';
import { type ProfileCase, profileCases } from './profile-cases.ts';

function filesOf({ properties, table }: ProfileCase): { file: string; joinFile: string | undefined } {
  const lots = properties.map((each, index) => ({ geometry: square(index), properties: each }));
  const [first] = table ?? [];
  const columns = Object.keys(first ?? {});
  const csv = [columns, ...(table ?? []).map((row) => columns.map((name) => row[name] ?? ''))]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    .join('\n');
  return { file: writeFile('parcels.geojson', collection(lots)), joinFile: table && writeFile('table.csv', csv) };
}

/** Shapefile names of Montana are tried on real parcels, the map of Washington too. */
const triedOnRealParcels = ['three_forks_mt', 'washington_nh'];

test('every profile has its case, is known by a file of its own, and names its document and how sure it is', () => {
  expect([...profileCases.map(({ profile }) => profile), ...triedOnRealParcels].sort()).toEqual(profileNames());
  expect(recognitions().map(({ profile }) => profile)).toEqual(profileNames());
  for (const { profile, document, version, certainty, columns } of recognitions()) {
    expect([
      profile,
      document !== '' && version !== '',
      ['high', 'middling'].includes(certainty),
      Object.keys(columns).length > 0,
    ]).toEqual([profile, true, true, true]);
  }
});

describe.each(profileCases)('$profile', (profileCase) => {
  const { profile, fips, expected } = profileCase;

  test('rows in its schema become the parcels that were worked by hand', async () => {
    const land = openLand();
    const { file, joinFile } = filesOf(profileCase);
    const report = await importParcels(land, {
      files: [file],
      fips,
      mapping: loadMapping(profile),
      ...(joinFile === undefined ? {} : { joinFiles: [joinFile] }),
      date: '2026-07-01',
      homeKind: 'real',
      // The rows are of many states, their shapes of one place.
      anywhere: true,
      now: clock,
    });
    expect(report.value_problems).toMatchObject({ count: 0 });
    for (const parcel of expected) {
      const columns = Object.keys(parcel);
      const row = land.file.get(`SELECT ${columns.join(', ')} FROM parcels WHERE apn = ?`, parcel.apn ?? null);
      expect(row).toEqual(parcel);
    }
  });

  test('such a file is taken to be of it, in its state and in no other', () => {
    const { file, joinFile } = filesOf(profileCase);
    const state = findCounty(fips)?.state ?? null;
    const options = { file, ...(joinFile === undefined ? {} : { joinFiles: [joinFile] }) };
    expect(proposeMapping({ ...options, state }).profile?.name).toBe(profile);
    const isOfAState = recognitions().find((one) => one.profile === profile)?.states !== undefined;
    if (isOfAState) expect(proposeMapping({ ...options, state: 'HI' }).profile).toBeNull();
  });

  test('every column that it reads stands in the case, so that none is there untried', () => {
    const { properties, table } = profileCase;
    const names = new Set(
      [
        ...properties.flatMap((row) => Object.keys(row)),
        ...(table ?? []).flatMap((row) => Object.keys(row).map((name) => `table.${name}`)),
      ].map((name) => name.toLowerCase()),
    );
    const mapping = loadMapping(profile);
    const { mapping: fitted, left } = fitMapping(mapping, [...names]);
    expect(left).toEqual([]);
    const read = Object.values(fitted.columns)
      .flatMap(columnsRead)
      .filter((name) => !names.has(name.toLowerCase()));
    expect(read).toEqual([]);
  });
});

test('a file without the columns of any profile is of none, however alike a few are', () => {
  const columns = ['PARCELID', 'OWNERNME1', 'ACRES'];
  expect(findProfile({ columns, tableColumns: null, state: null })).toBeNull();
  expect(scoreProfiles({ columns, tableColumns: null, state: null })[0]?.score).toBeLessThan(0.5);
});

test('what a file lacks is left out of a profile, and the second line of an address may be missing', () => {
  const { mapping, left } = fitMapping(loadMapping('regrid'), ['PARCELNUMB', 'address', 'owner']);
  expect(Object.keys(mapping.columns)).toEqual(['apn', 'situs_address', 'owner_name']);
  expect(mapping.columns.situs_address).toEqual({ concat: ['address'], separator: ' ' });
  expect(left).toContain('saledate' in mapping.columns ? '' : 'last_sale_date');
});

describe('a mapping that is kept', () => {
  test('is found by its name, comes before nothing, and hides no profile', () => {
    const home = temporaryFolder();
    expect(savedMappingNames(home)).toEqual([]);
    saveMapping(home, 'alder', { name: 'guessed', columns: { apn: 'PIN' } });
    expect(savedMappingNames(home)).toEqual(['alder']);
    expect(loadNamedMapping(home, 'alder')).toEqual({ name: 'alder', columns: { apn: 'PIN' } });
    expect(loadNamedMapping(home, 'regrid').name).toBe('regrid');
    expect(() => saveMapping(home, 'regrid', { name: 'x', columns: { apn: 'PIN' } })).toThrow(
      'a profile that comes with Platbook',
    );
    expect(() => saveMapping(home, '../x', { name: 'x', columns: { apn: 'PIN' } })).toThrow('small letters');
  });

  test('is checked before it is written', () => {
    const home = temporaryFolder();
    expect(() => saveMapping(home, 'alder', { name: 'x', columns: { apnn: 'PIN' } })).toThrow('did you mean apn');
    expect(savedMappingNames(home)).toEqual([]);
  });
});
