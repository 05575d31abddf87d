/** The mapping of a file, proposed to the app, and kept. */
import { expect, test } from 'vitest';
import type { Proposal } from '../../engine/importing/guess/propose-mapping.ts';
import { runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { collection, lot, writeFile } from '../importing/fixtures.ts';
import { emptyHome, engineOn } from '../support/homes.ts';

test('a proposal is answered, kept under a name, and listed before the profiles', async () => {
  const engine = engineOn(emptyHome());
  const lots = Array.from({ length: 30 }, (_, index) => ({
    geometry: lot(null, index).geometry,
    properties: { PARCEL_NO: `7-${index + 100}`, OWNR_NM: `QUILLBY ${'ABCDEFGHIJ'[index % 10]}ORA` },
  }));
  const file = writeFile('odd.geojson', collection(lots));
  const data = await runRead(engine, 'propose_mapping', { path: file, county: '33019' });
  const { mapping, isSure } = data as Proposal;
  expect([isSure, mapping?.columns]).toEqual([true, { apn: 'PARCEL_NO', owner_name: 'OWNR_NM' }]);

  await runChange(engine, 'save_mapping', { name: 'alder', mapping });
  const listed = await runRead(engine, 'list_mappings', {});
  expect(listed[0]).toMatchObject({ name: 'alder', isSaved: true });
  expect(listed.filter(({ isSaved }) => !isSaved).map(({ name }) => name)).toContain('regrid');
  await expect(
    runChange(engine, 'save_mapping', { name: 'alder', mapping: { columns: { apnn: 'X' } } }),
  ).rejects.toMatchObject({
    code: 'mapping_invalid',
  });
  await expect(async () => runRead(engine, 'propose_mapping', { path: '/nowhere.zip' })).rejects.toMatchObject({
    code: 'file_missing',
  });
});

test('tables are joined as a person says; without that, each that waits for another is named', async () => {
  const engine = engineOn(emptyHome());
  const lots = Array.from({ length: 12 }, (_, index) => ({
    geometry: lot(null, index).geometry,
    properties: { PIN: `7-${index + 100}`, MAP: `${7 + Math.floor(index / 4)}`, LOT: `${100 + (index % 4)}` },
  }));
  const path = writeFile('lots.geojson', collection(lots));
  const rows = (row: (properties: Record<string, string>, index: number) => string) =>
    lots.map(({ properties }, index) => row(properties, index)).join('\n');
  const roll = writeFile('roll.csv', `PIN,OWNER\n${rows(({ PIN }, index) => `${PIN},ALDER ${'ABCD'[index % 4]}NN`)}\n`);
  const built = writeFile(
    'built.csv',
    `SHEET,LOT,YEAR_BUILT\n${rows(({ MAP, LOT }, index) => `${MAP},${LOT},${1950 + index}`)}\n`,
  );
  const ask = async (joins?: readonly unknown[]) =>
    (await runRead(engine, 'propose_mapping', {
      path,
      join: [roll, built],
      ...(joins && { joins: [...joins] }),
    })) as Proposal;
  expect((await ask()).notes).toEqual([
    expect.stringContaining('find a row in built.csv by any one column of each'),
    'Until then the columns of roll.csv are left out too.',
  ]);
  const key = (...names: string[]) => ({ concat: names, separator: ' ' });
  const joins = [
    { parcel: 'PIN', table: 'table.PIN' },
    { parcel: key('MAP', 'LOT'), table: key('table2.SHEET', 'table2.LOT'), rows: 'first' },
  ];
  const said = await ask(joins);
  expect(said.joins.map(({ share }) => share)).toEqual([1, 1]);
  expect(said.mapping).toMatchObject({ join: joins, columns: { apn: 'PIN', year_built: 'table2.YEAR_BUILT' } });
  await expect(ask([{ parcel: 'PIN' }])).rejects.toMatchObject({ code: 'mapping_invalid' });
});
