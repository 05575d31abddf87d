import fs from 'node:fs';
import { expect, test } from 'vitest';
import { parseMapping } from '../../engine/importing/mapping/mapping.ts';
import type { MappingJoin } from '../../engine/importing/mapping/mapping-schema.ts';
import { planImport } from '../../engine/importing/merge/plan-import.ts';
import type { ImportProblem } from '../../engine/importing/stage/import-report.ts';
import { checkLines, fillLines, fillPercent } from '../../engine/spec/import-checks.ts';
import { type JoinRows, parseJoinRows } from '../../engine/spec/join-rows.ts';
import type { LandStore } from '../../engine/store/land-store.ts';
import { importLots, openLand, square, writeFile } from './fixtures.ts';

const parcel = (pin: string, index: number) => ({ geometry: square(index), properties: { pin } });

const joined = (rows?: JoinRows, columns: Record<string, unknown> = {}) =>
  parseMapping(
    {
      name: 'm',
      join: { parcel: 'pin', table: 'table.PIN', ...(rows && { rows }) },
      columns: { apn: 'pin', owner_name: 'table.OWNER', assessed_total_value: 'table.VALUE', ...columns },
    },
    'm',
  );

const stored = (land: LandStore) =>
  Object.fromEntries(
    land.file
      .all<{ apn: string; owner: string | null; value: number | null }>(
        'SELECT apn, owner_name AS owner, assessed_total_value AS value FROM parcels ORDER BY apn',
      )
      .map(({ apn, owner, value }) => [apn, [owner, value]]),
  );

test.each([
  ['first', ['12-  1A,NEIGHBOR,1', '12-1 A,EXACT,2']],
  ['last', ['12-1 A,EXACT,2', '12-  1A,NEIGHBOR,1']],
])('the exact key wins over one with other blanks that stands %s', async (_, rows) => {
  const land = openLand();
  const table = writeFile('roll.csv', ['PIN,OWNER,VALUE', ...rows, '12- 1A,BLANK,3', ''].join('\n'));
  await importLots(land, [parcel('12-1 A', 0), parcel('12-  1A', 1), parcel('12- 1A', 2)], {
    mapping: joined(),
    joinFiles: [table],
  });
  expect(stored(land)).toEqual({ '12-1 A': ['EXACT', 2], '12-  1A': ['NEIGHBOR', 1], '12- 1A': ['BLANK', 3] });
});

test('a key in another case or with other blanks joins, and is counted, unless it is exactly that of another parcel', async () => {
  const land = openLand();
  const table = writeFile('roll.csv', 'PIN,OWNER,VALUE\n7  a,ALDER,1\n8  b,BIRCH,2\n9 c,CEDAR,3\n9  C,CHERRY,4\n');
  const problems: ImportProblem[] = [];
  // 8 b comes before 8  b, whose row it must not take.
  const lots = [parcel('7 A', 0), parcel('8 B', 1), parcel('8  b', 2), parcel('9   C', 3)];
  const report = await importLots(land, lots, {
    mapping: joined(),
    joinFiles: [table],
    onProblem: (problem) => problems.push(problem),
  });
  expect(stored(land)).toEqual({
    '7 A': ['ALDER', 1],
    '8 B': [null, null],
    '8  b': ['BIRCH', 2],
    '9   C': [null, null],
  });
  expect(report).toMatchObject({ joined: 2, joined_otherwise: 1, table_rows_unmatched: { count: 2 } });
  expect(problems.map(({ value, reason }) => [value, reason])).toEqual([
    ['8 B', 'Joined to no row: "8  b" in the table is exactly the key of another parcel.'],
    ['9   C', 'Joined to no row: "9 c" and "9  C" in the table differ from it in case or blanks alone.'],
    ['9 c', 'Not used: no parcel has this key.'],
    ['9  C', 'Not used: no parcel has this key.'],
  ]);
});

const cards = [
  'PIN,OWNER,VALUE,BUILT,CARD',
  '1,ASH,100,1950,a',
  '1,ASH,20,2001,b',
  '1,FIR,50,1999,c',
  '2,ELM,7,,',
  '3,OAK,9,1980,d',
  '3,OAK,9,1980,e',
  '5,YEW,1,1900,f',
  '5,YEW,2,1900,g',
  ',none,1,,',
  '',
].join('\n');
const lots = [parcel('1', 0), parcel('2', 1), parcel('3', 2), parcel('4', 3)];

test('several rows of one key that differ are refused with the counts and the choice', async () => {
  const land = openLand();
  const table = writeFile('cards.csv', cards);
  const refused = importLots(land, lots, { mapping: joined(), joinFiles: [table] });
  await expect(refused).rejects.toThrow(
    /cards\.csv: 1 parcel finds several rows that differ \(3 rows; 1 has rows 1, 2, 3\)\. Say which row counts \(--join-rows\): first, last,/,
  );
  expect(land.file.column('SELECT count(*) FROM parcels')).toEqual([0]);
  const planned = planImport(land, {
    ...{ features: lots, fips: '33019', source: 's', homeKind: 'real', now: () => new Date('2026-08-01T12:00:00Z') },
    ...{ mapping: joined(), joinFiles: [table] },
  });
  await expect(planned).rejects.toThrow(/several rows that differ/);
});

const columns = { year_built: 'table.BUILT', structure_count: 'table.CARD' };

test.each([
  ['first', { 1: ['ASH', 100], 2: ['ELM', 7], 3: ['OAK', 9], 4: [null, null] }, 3],
  ['last', { 1: ['FIR', 50], 2: ['ELM', 7], 3: ['OAK', 9], 4: [null, null] }, 3],
  ['VALUE=sum', { 1: ['ASH', 170], 2: ['ELM', 7], 3: ['OAK', 18], 4: [null, null] }, 0],
  ['owner=list, VALUE=max', { 1: ['ASH; FIR', 100], 2: ['ELM', 7], 3: ['OAK', 9], 4: [null, null] }, 0],
  ['VALUE=min,OWNER=last', { 1: ['FIR', 20], 2: ['ELM', 7], 3: ['OAK', 9], 4: [null, null] }, 0],
])('with the choice %s the rows give %j', async (choice, values, repeated) => {
  const land = openLand();
  const problems: ImportProblem[] = [];
  const report = await importLots(land, lots, {
    mapping: joined(parseJoinRows(choice)),
    joinFiles: [writeFile('cards.csv', cards)],
    onProblem: (problem) => problems.push(problem),
  });
  expect(stored(land)).toEqual(values);
  expect(report).toMatchObject({
    joined: 3,
    table_rows: 9,
    table_rows_unmatched: { count: 3, first: ['(row 9, without a key)', '5', '5'] },
    table_keys_repeated: repeated,
  });
  // Each row that was not used is listed, with its number in the table.
  expect(problems).toHaveLength(3 + repeated);
  expect(problems.every(({ file, reason }) => file === 'cards.csv' && reason.startsWith('Not used: '))).toBe(true);
  const [, line] = checkLines([report], report.features_read);
  expect(line).toMatchObject({ label: 'Joined to the table', count: 3, isWarning: true });
  expect(line?.words).toContain('9 rows in the table; 3 rows have no parcel');
  if (repeated > 0) expect(line?.words).toContain('3 rows are not used: another of the same key counts');
});

test('each column has a choice of its own, which holds for a single row too', async () => {
  const land = openLand();
  await importLots(land, lots, {
    mapping: joined({ VALUE: 'sum', BUILT: 'max', CARD: 'count' }, columns),
    joinFiles: [writeFile('cards.csv', cards)],
  });
  expect(land.file.all('SELECT apn, year_built AS built, structure_count AS n FROM parcels ORDER BY apn')).toEqual([
    { apn: '1', built: 2001, n: 3 },
    { apn: '2', built: null, n: null },
    { apn: '3', built: 1980, n: 2 },
    { apn: '4', built: null, n: null },
  ]);
});

test.each([
  ['VALUE', 'found "VALUE"'],
  ['VALUE=most', 'found "VALUE=most"'],
  ['', 'found ""'],
])('the choice %j is refused', (text, words) => {
  expect(() => parseJoinRows(text)).toThrow(words);
});

test('a choice for a column that the table lacks is refused, with the near names', async () => {
  const options = { mapping: joined({ VALU: 'sum' }), joinFiles: [writeFile('cards.csv', cards)] };
  await expect(importLots(openLand(), lots, options)).rejects.toMatchObject({
    code: 'mapping_invalid',
    message: expect.stringContaining('VALU, which the joined table lacks. Did you mean VALUE?'),
  });
});

test('several tables join, each by its own key, and each is counted', async () => {
  const land = openLand();
  const join: MappingJoin[] = [
    { parcel: 'pin', table: 'table.PIN', rows: { VALUE: 'sum' } },
    { parcel: 'pin', table: { concat: ['table2.MAP', 'table2.LOT'] } },
  ];
  const mapping = parseMapping(
    {
      ...{ name: 'm', join },
      columns: {
        apn: 'pin',
        owner_name: { from: ['table2.NAME', 'table.OWNER'] },
        assessed_total_value: 'table.VALUE',
      },
    },
    'm',
  );
  const names = writeFile('names.csv', 'MAP,LOT,NAME\n,1,ALDER\n,4,LINDEN\n8,8,PINE\n');
  const joinFiles = [writeFile('cards.csv', cards), names];
  const report = await importLots(land, lots, { mapping, joinFiles });
  expect(stored(land)).toEqual({ 1: ['ALDER', 170], 2: ['ELM', 7], 3: ['OAK', 18], 4: ['LINDEN', null] });
  expect(report).toMatchObject({
    joined: 4,
    tables: [
      { file: 'cards.csv', rows: 9, joined: 3, unmatched: 3, repeated: 0 },
      { file: 'names.csv', rows: 3, joined: 2, unmatched: 1, repeated: 0 },
    ],
  });
  expect(checkLines([report], 4).slice(1, 3)).toMatchObject([
    { label: 'Joined to cards.csv', count: 3, words: expect.stringMatching(/; read as UTF-8$/) },
    {
      label: 'Joined to names.csv',
      count: 2,
      words: '3 rows in the table; 1 row has no parcel and is left out; --accounts keeps such',
    },
  ]);
  // A table that nothing joins is refused, though another joins.
  fs.writeFileSync(names, 'MAP,LOT,NAME\n8,8,PINE\n');
  await expect(importLots(openLand(), lots, { mapping, joinFiles })).rejects.toThrow(
    /joins any of the 1 rows of names.csv/,
  );
  await expect(importLots(openLand(), lots, { mapping, joinFiles: joinFiles.slice(1) })).rejects.toThrow(
    /joins 2 tables, given are 1/,
  );
});

test('a report says for each mapped column how many parcels have a value, with three values', async () => {
  const land = openLand();
  const mapping = joined('first', { zoning: 'ZONE' });
  const zoned = lots.map((each, index) => ({
    ...each,
    properties: { ...each.properties, ZONE: index === 3 ? `R${'x'.repeat(70)}` : null },
  }));
  const report = await importLots(land, zoned, { mapping, joinFiles: [writeFile('cards.csv', cards)] });
  expect(fillLines([report])).toEqual([
    { column: 'apn', filled: 4, of: 4, samples: ['1', '2', '3'] },
    { column: 'owner_name', filled: 3, of: 4, samples: ['ASH', 'ELM', 'OAK'] },
    { column: 'assessed_total_value', filled: 3, of: 4, samples: [100, 7, 9] },
    { column: 'zoning', filled: 1, of: 4, samples: [`R${'x'.repeat(58)}…`] },
  ]);
  expect([fillPercent(3, 4), fillPercent(999, 1000), fillPercent(1, 1000), fillPercent(0, 0)]).toEqual([
    '75\u00a0%',
    '99\u00a0%',
    '< 1\u00a0%',
    '0\u00a0%',
  ]);
});
