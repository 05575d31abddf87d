/** The mapping of a file, proposed to the app, and kept. */
import { expect, test } from 'vitest';
import type { Proposal } from '../../engine/importing/guess/propose-mapping.ts';
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
  const { data, undo } = await runChange(engine, 'propose_mapping', { path: file, county: '33019' });
  const { mapping, isSure } = data as Proposal;
  expect([isSure, undo, mapping?.columns]).toEqual([true, null, { apn: 'PARCEL_NO', owner_name: 'OWNR_NM' }]);

  await runChange(engine, 'save_mapping', { name: 'alder', mapping });
  const listed = (await runChange(engine, 'list_mappings', {})).data as { name: string; isSaved: boolean }[];
  expect(listed[0]).toMatchObject({ name: 'alder', isSaved: true });
  expect(listed.filter(({ isSaved }) => !isSaved).map(({ name }) => name)).toContain('regrid');
  await expect(
    runChange(engine, 'save_mapping', { name: 'alder', mapping: { columns: { apnn: 'X' } } }),
  ).rejects.toMatchObject({
    code: 'mapping_invalid',
  });
  await expect(runChange(engine, 'propose_mapping', { path: '/nowhere.zip' })).rejects.toMatchObject({
    code: 'file_missing',
  });
});
