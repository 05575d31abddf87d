/** `--where`: the rows of a file that meet a condition, for every format, before anything is guessed from them. */
import { expect, test } from 'vitest';
import { readParcelFile } from '../../engine/importing/formats/parcel-reader.ts';
import { parseCondition } from '../../engine/importing/formats/row-condition.ts';
import { look } from '../../engine/importing/look.ts';
import { emptyHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';
import { collection, square, writeFile } from './fixtures.ts';

const row = { TYPE: 'Taxlot ', ACRES: '0.50', NO: 7, EMPTY: '   ', 'TWO WORDS': "O'Brien", NA: 'n/a' };

test.each([
  ["TYPE = 'Taxlot'", true],
  ["type = 'Taxlot'", null],
  ["TYPE = 'taxlot'", false],
  ["TYPE LIKE 'tax%' and ACRES > 0.4", true],
  ["TYPE LIKE '_axlot'", true],
  ["TYPE NOT LIKE '%row%'", true],
  ['ACRES < 0.5', false],
  ['ACRES <= .5', 'refused'],
  ['NO IN (6, 7)', true],
  ["NO = '7'", true],
  ["NO > '10'", false],
  ["NO IN ('07')", true],
  ["NO <> 'x'", true],
  ['NA > 5', null],
  ['NOT NA > 5', null],
  ['EMPTY IS NULL AND NO IS NOT NULL', true],
  ["EMPTY <> 'x'", null],
  ["EMPTY <> 'x' OR NO = 7", true],
  [`"TWO WORDS" = 'O''Brien'`, true],
  ["NOT (TYPE = 'Taxlot' OR NO = 1) OR ACRES >= 1", false],
  ["TYPE = 'Taxlot", 'refused'],
  ['TYPE = Taxlot', 'refused'],
  ['TYPE', 'refused'],
  ["TYPE = 'a' TYPE", 'refused'],
  ["TYPE NOT = 'a'", 'refused'],
  ['', 'refused'],
  ["TYPE = 'a'; DROP TABLE parcels", 'refused'],
  [`${'('.repeat(50)}NO = 7${')'.repeat(50)}`, 'refused'],
])('%s: %s', (text, meets) => {
  if (meets === 'refused') expect(() => parseCondition(text)).toThrow(/where: expected a condition like/);
  else expect(parseCondition(text).test(row)).toBe(meets);
});

test('a long pattern of wildcards takes no time', () => {
  const { test: meets } = parseCondition(`A LIKE '${'%a'.repeat(300)}b'`);
  const started = process.cpuUsage().user;
  expect(meets({ A: 'a'.repeat(2000) })).toBe(false);
  expect(process.cpuUsage().user - started).toBeLessThan(2_000_000);
});

const features = [
  { geometry: square(0), properties: { PIN: '1', TYPE: 'Taxlot' } },
  { geometry: square(1), properties: { PIN: '', TYPE: 'ROW' } },
  { geometry: square(2), properties: { PIN: '3', TYPE: 'Taxlot' } },
  { geometry: square(3), properties: { PIN: '', TYPE: 'Water' } },
];

const pinsWhere = (where: string) => {
  const file = writeFile('lots.geojson', collection(features));
  return { file, pins: () => [...readParcelFile(file, { where })].map(({ properties }) => properties.PIN) };
};

test('a file gives the rows that meet it', () => {
  const { file, pins } = pinsWhere("TYPE = 'Taxlot'");
  expect(pins()).toEqual(['1', '3']);
  const looked = look(file, { where: "TYPE <> 'Taxlot'" }).layers[0];
  expect(looked?.columns.find(({ name }) => name === 'TYPE')).toMatchObject({ samples: ['ROW', 'Water'] });
});

test.each([
  ["TYPE = 'Tax Lot'", /no row meets the condition .* TYPE: "Taxlot", "ROW", "Water"/],
  ["TYP = 'Taxlot'", /names the column TYP, which the file lacks; did you mean TYPE/],
  ["type = 'Taxlot'", /did you mean TYPE\?/],
  ['TYP IS NULL', /names the column TYP, which the file lacks; did you mean TYPE/],
  ["TYPE = 'Taxlot' OR TYP = 'Water'", /names the column TYP, which the file lacks/],
])('a file without a row for %s is refused with what it has', (where, message) => {
  expect(pinsWhere(where).pins).toThrow(message);
});

test('an import by command says what it left out; a saved mapping keeps the condition', async () => {
  const home = emptyHome();
  const many = Array.from({ length: 40 }, (_, index) => {
    const isRoad = index % 4 === 0;
    return {
      geometry: square(index),
      properties: { PIN: isRoad ? '' : `7-${100 + index}`, OWNER: `ALDER ${index}`, TYPE: isRoad ? 'ROW' : 'Taxlot' },
    };
  });
  const file = writeFile('taxlots.geojson', collection(many));
  const run = (...words: string[]) => platbook(home, ...words);
  const given = [file, '--county', '33011'];
  const mapped = await run('map', ...given, '--where', "TYPE = 'Taxlot'", '--set', 'apn=PIN', '--save', 'lots');
  expect(mapped).toMatchObject({ code: 0, out: expect.stringContaining("--where 'TYPE = '") });
  const imported = await run('import', 'parcels', ...given, '--mapping', 'lots');
  expect(`${imported.out}${imported.err}`).toMatch(
    /Rows that do not meet the condition.*10.*left out: not TYPE = 'Taxlot'/s,
  );
  const found = await run('call', 'filter_properties', '{"county":"33011"}');
  expect(JSON.parse(found.out).count).toBe(30);
  const wrong = await run('import', 'parcels', ...given, '--mapping', 'lots', '--where', 'TYPE');
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('platbook: where: expected a condition like') });
});
