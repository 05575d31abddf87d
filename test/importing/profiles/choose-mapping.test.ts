/** What an import does when no mapping was named. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { withMapping } from '../../../engine/cli/import-mapping.ts';
import { applyChoices } from '../../../engine/importing/guess/apply-choices.ts';
import { proposeMapping } from '../../../engine/importing/guess/propose-mapping.ts';
import { parseMapping } from '../../../engine/importing/mapping/mapping.ts';
import { saveMapping } from '../../../engine/importing/mapping/saved-mappings.ts';
import { importParcels } from '../../../engine/importing/merge/import-parcels.ts';
import { EngineError } from '../../../engine/spec/errors.ts';
import { clock, collection, lot, openLand, square, temporaryFolder, writeFile } from '../fixtures.ts';
import { profileCases } from './profile-cases.ts';

function listening() {
  const notes: string[] = [];
  return { notes, output: { print: () => {}, note: (text: string) => notes.push(text), progress: () => {} } };
}

const fileOf = (properties: readonly Record<string, unknown>[]): string =>
  writeFile(
    'given.geojson',
    collection(properties.map((each, index) => ({ geometry: square(index), properties: each }))),
  );

const many = (row: (index: number) => Record<string, unknown>) =>
  fileOf(Array.from({ length: 30 }, (_, index) => row(index)));

test('columns that are named as in the dictionary need no mapping', async () => {
  const file = writeFile('own.geojson', collection([lot('1-1', 0), lot('1-2', 1)]));
  const { notes, output } = listening();
  const input = { files: [file], county: '33019' };
  expect(await withMapping(input, { home: temporaryFolder(), output, isDryRun: false })).toEqual(input);
  expect(notes).toEqual([]);
});

test('a file of a profile is imported by it, and that is said', async () => {
  const regrid = profileCases.find(({ profile }) => profile === 'regrid');
  const file = fileOf(regrid?.properties ?? []);
  const { notes, output } = listening();
  const { mapping } = await withMapping(
    { files: [file], county: '39001' },
    { home: temporaryFolder(), output, isDryRun: false },
  );
  expect(notes).toEqual(['Mapping: the profile regrid. "platbook map" shows it.']);
  const land = openLand();
  const report = await importParcels(land, {
    files: [file],
    fips: '39001',
    mapping: parseMapping(mapping, 'given'),
    homeKind: 'real',
    anywhere: true,
    now: clock,
  });
  expect(report.new).toBe(1);
  expect(land.file.get('SELECT apn, owner_name FROM parcels')).toEqual({ apn: '007-12', owner_name: 'QUILLBY ADA' });
});

test('a sure guess is taken and said, though one of its columns is named as in the dictionary', async () => {
  const file = many((index) => ({
    PARCEL_NO: `7-${index + 100}`,
    OWNR_NM: `QUILLBY ${'ABCDEFGHIJ'[index % 10]}ORA`,
    ZONING: 'R-1',
  }));
  const { notes, output } = listening();
  const { mapping } = await withMapping(
    { files: [file], county: '33019' },
    { home: temporaryFolder(), output, isDryRun: false },
  );
  expect(mapping).toMatchObject({ columns: { apn: 'PARCEL_NO', owner_name: 'OWNR_NM', zoning: 'ZONING' } });
  expect(notes[0]).toMatch(/^Mapping: guessed, apn from PARCEL_NO, zoning from ZONING, owner_name from OWNR_NM\./);
});

test('where it is not sure which column is the parcel number, the proposal is shown and nothing goes on', async () => {
  const file = many((index) => ({ SERIAL: `7-${index + 100}`, OWNR_NM: `QUILLBY ${'ABCDEFGHIJ'[index % 10]}ORA` }));
  const { notes, output } = listening();
  await expect(
    withMapping({ files: [file], county: '33019' }, { home: temporaryFolder(), output, isDryRun: false }),
  ).rejects.toThrow(EngineError);
  expect(notes[0]).toContain('Which column is the parcel number?');
  expect(notes[0]).toContain(`platbook map ${file} --county 33019 --set apn=SERIAL --save given`);
  expect(notes[0]).toContain(`platbook import parcels ${file} --county 33019 --set apn=SERIAL`);
});

test('a mapping of the home is meant by its name; a profile and a path stay what they are', async () => {
  const home = temporaryFolder();
  saveMapping(home, 'alder', { name: 'x', columns: { apn: 'PIN' } });
  const { output } = listening();
  const named = async (mapping: string) =>
    (await withMapping({ files: ['x.zip'], county: '33019', mapping }, { home, output, isDryRun: false })).mapping;
  expect(await named('alder')).toBe(path.join(home, 'mappings', 'alder.json'));
  expect([await named('regrid'), await named('/some/where.json')]).toEqual(['regrid', '/some/where.json']);
});

test('a column that a person names stands beside what is guessed, with what becomes of it', () => {
  const lots = Array.from({ length: 30 }, (_, index) => ({
    geometry: lot(null, index).geometry,
    properties: { SERIAL: `7-${index + 100}`, OWNR_NM: `QUILLBY ${'ABCDEFGHIJ'[index % 10]}ORA` },
  }));
  const options = { file: writeFile('named.geojson', collection(lots)), state: 'NH' };
  const proposal = proposeMapping(options);
  expect(proposal).toMatchObject({ isSure: false, questions: [{ about: 'apn' }] });
  const chosen = applyChoices(options, proposal, { apn: 'SERIAL' });
  expect(chosen).toMatchObject({
    isSure: true,
    questions: [],
    mapping: { columns: { apn: 'SERIAL', owner_name: 'OWNR_NM' } },
  });
  expect(chosen.columns.find(({ column }) => column === 'apn')).toMatchObject({
    after: '7-100',
    reasons: ['as you say'],
  });
  expect(chosen.unmapped.map(({ name }) => name)).not.toContain('SERIAL');
  expect(applyChoices(options, proposal, { apn: 'SERIAL', owner_name: '' }).mapping?.columns).toEqual({
    apn: 'SERIAL',
  });
  expect(() => applyChoices(options, proposal, { apn: 'SERIALL' })).toThrow('Did you mean SERIAL?');
  expect(() => applyChoices(options, proposal, { apnn: 'SERIAL' })).toThrow('Did you mean apn?');
});
