/** Headings that stand below rows which look like them: `--header-row`, for every file that has headings. */
import { expect, test } from 'vitest';
import { inputOf } from '../../engine/cli/import-parcels-command.ts';
import { readParcelFile } from '../../engine/importing/formats/parcel-reader.ts';
import { openTableFile } from '../../engine/importing/formats/table-file.ts';
import { proposeMapping } from '../../engine/importing/guess/propose-mapping.ts';
import { proposeComps } from '../../engine/importing/lists/propose-comps.ts';
import { proposeContacts } from '../../engine/importing/lists/propose-contacts.ts';
import { look } from '../../engine/importing/look.ts';
import { parseMapping } from '../../engine/importing/mapping/mapping.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { emptyHome } from '../support/homes.ts';
import { makeXlsx } from '../support/make-xlsx.ts';
import { platbook } from '../support/platbook.ts';
import { collection, importLots, openLand, square, writeFile } from './fixtures.ts';

/** Groups of columns, a blank line, the headings, the rows. */
const rolls = (rows: readonly string[], headings = 'PIN;OWNER;VALUE') =>
  ['Parcel;Owner, name;Money, dollars', '', headings, ...rows, ''].join('\n');

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const workbook = makeXlsx({
  rows: [['Parcel', 'Owner', 'Money'], [], ['PIN', 'OWNER', 'VALUE'], ['1-1', 'ALDER', '5']]
    .map((cells, index) => `<row r="${index + 1}">${cells.map(cell).join('')}</row>`)
    .join(''),
});

test.each([
  ['delimited text', 'roll.csv', rolls(['1-1;ALDER;5'])],
  ['a workbook', 'roll.xlsx', workbook],
])('of %s in the third row are read as such, counted as people see rows', (_, name, content) => {
  const file = writeFile(name, content);
  expect(openTableFile(file).columns).not.toContain('PIN');
  const table = openTableFile(file, { headerRow: 3 });
  expect(table.columns).toEqual(['PIN', 'OWNER', 'VALUE']);
  expect([...table.rows([0, 2])]).toEqual([{ row: 1, values: ['1-1', '5'] }]);
  expect(look(file, { headerRow: 3 }).layers[0]?.columns.map((column) => column.name)).toEqual(table.columns);
  expect([...readParcelFile(file, { headerRow: 3, withoutShapes: true })].map(({ properties }) => properties)).toEqual([
    { PIN: '1-1', OWNER: 'ALDER', VALUE: '5' },
  ]);
  expect(() => openTableFile(file, { headerRow: 30 })).toThrow(EngineError);
  expect(() => openTableFile(file, { headerRow: 30 })).toThrow(/headings in row 30, found none/);
});

test('of a joined roll are found by a proposal and by the import', async () => {
  const pins = Array.from({ length: 12 }, (_, index) => `7-${index + 100}`);
  const lots = pins.map((PIN, index) => ({ geometry: square(index), properties: { PIN } }));
  const file = writeFile('lots.geojson', collection(lots));
  const roll = writeFile('roll.csv', rolls(pins.map((pin, index) => `${pin};ALDER ANN;${1000 + index}`)));
  const given = { joinFiles: [roll], reading: { headerRow: 3 } };
  expect(() => proposeMapping({ file, state: 'NH', joinFiles: [roll] })).toThrow(
    /expected 3 values as in the headings/,
  );
  const { joins } = proposeMapping({ file, state: 'NH', ...given });
  expect(joins).toMatchObject([{ parcel: 'PIN', table: 'PIN', share: 1 }]);
  const land = openLand();
  const mapping = parseMapping(
    { name: 'm', join: { parcel: 'PIN', table: 'table.PIN' }, columns: { apn: 'PIN', owner_name: 'table.OWNER' } },
    'm',
  );
  expect(await importLots(land, lots, { mapping, ...given })).toMatchObject({ joined: 12 });
});

test('of comps and contacts too', () => {
  const sales = rolls(['1-1;2024-03-01;90000;5'], 'APN;SALE_DATE;SALE_PRICE;ACRES');
  const comps = proposeComps(writeFile('sales.csv', sales), {}, null, '2026-08-01', 3);
  expect(comps.columns).toEqual(['APN', 'SALE_DATE', 'SALE_PRICE', 'ACRES']);
  const people = rolls(['ANN;ALDER;603-555-0142'], 'FIRST;LAST;PHONE');
  expect(proposeContacts(writeFile('people.csv', people), {}, null, 3).columns).toEqual(['FIRST', 'LAST', 'PHONE']);
});

test('are an option of the commands, a whole number', async () => {
  expect(inputOf(['x.csv'], { header_row: 2, headerRow: 2 } as object)).toMatchObject({ header_row: 2 });
  const file = writeFile('people.csv', rolls(['ANN;ALDER;603-555-0142'], 'FIRST;LAST;PHONE'));
  const shown = await platbook(emptyHome(), 'map', file, '--as', 'contacts', '--header-row', '3');
  expect(shown.out).toContain('PHONE');
  const wrong = await platbook(emptyHome(), 'look', file, '--header-row', 'two');
  expect(wrong.err).toContain('header_row: expected a whole number from 1 to 1000');
});
