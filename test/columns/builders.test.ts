/** The results of the column index's builders, against plain Maps and arrays. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildCounty } from '../../engine/columns/build-county.ts';
import { countySource } from '../../engine/columns/county-source.ts';
import { NumberCodes } from '../../engine/columns/number-codes.ts';
import { sortedRows } from '../../engine/columns/sorted-rows.ts';
import { packTexts, TextPacker, TextTable } from '../../engine/columns/text-table.ts';
import { buildFrom } from '../../engine/columns/update-index.ts';
import { WordCodes } from '../../engine/columns/word-codes.ts';
import { fillFixture, fixtureFips } from '../support/fixture-home.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';

/** Few distinct numbers among many, so that codes repeat and tables grow. */
const numbers = fc.array(
  fc.oneof(fc.integer({ min: -300, max: 300 }), fc.double({ noNaN: true }), fc.constantFrom(0, -0, 0.1, 1e9)),
  { maxLength: 2000 },
);

test('numbers get codes in the order of their coming, each number one', () => {
  fc.assert(
    fc.property(numbers, (given) => {
      const codes = new NumberCodes(65_535);
      const twin = new Map<number, number>();
      for (const number of given) {
        if (!twin.has(number)) twin.set(number, twin.size + 1);
        expect(codes.codeOf(number)).toBe(twin.get(number));
      }
      expect(codes.count).toBe(twin.size);
      expect([...codes.values()]).toEqual([...twin.keys()]);
    }),
  );
});

test('no code is given beyond the most, and those that were given stay', () => {
  const codes = new NumberCodes(300);
  // 0.5, 1, 1.5 …: codes 1 to 300, and from then on none.
  for (let index = 1; index <= 400; index++) expect(codes.codeOf(index / 2)).toBe(index <= 300 ? index : 0);
  expect(codes.codeOf(150)).toBe(300);
  expect(codes.codeOf(0.5)).toBe(1);
  expect(codes.values()).toEqual(Float64Array.from({ length: 300 }, (_, index) => (index + 1) / 2));
});

const words = fc.array(
  fc.oneof(fc.string({ minLength: 1, maxLength: 3 }), fc.string({ minLength: 1, unit: 'binary' })),
  {
    maxLength: 3000,
  },
);

test('words are numbered where they stand in a text, each word once', () => {
  fc.assert(
    fc.property(words, (given) => {
      const codes = new WordCodes();
      const twin = new Map<string, number>();
      const text = given.join('');
      let from = 0;
      for (const word of given) {
        if (!twin.has(word)) twin.set(word, twin.size);
        expect(codes.codeOf(text, from, from + word.length)).toBe(twin.get(word));
        from += word.length;
      }
      expect(codes.words()).toEqual([...twin.keys()]);
    }),
  );
});

test('packed texts are read back as they were, whatever their characters', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      const packer = new TextPacker();
      for (const text of texts) packer.add(text);
      const packed = packer.finish();
      const table = new TextTable(packed);
      expect(Array.from({ length: table.count }, (_, index) => table.text(index))).toEqual(texts);
      expect(Buffer.compare(packTexts(texts), packed)).toBe(0);
    }),
  );
});

test('rows by value are those of a stable sort, unknown ones last', () => {
  const codes = fc.array(fc.oneof(fc.nat(5), fc.nat(200_000)), { maxLength: 500 });
  fc.assert(
    fc.property(codes, (given) => {
      const rows = given.map((_, row) => row);
      const place = (row: number) => given[row] || Number.POSITIVE_INFINITY;
      const expected = rows.sort((a, b) => (place(a) === place(b) ? a - b : place(a) - place(b)));
      expect([...sortedRows(Uint32Array.from(given), 200_000)]).toEqual(expected);
    }),
  );
});

test('a county read once for each column has the index of a county read once', () => {
  const engine = engineOn(sampleHome());
  const { file } = engine.land;
  const fips = file.column<string>('SELECT DISTINCT fips FROM parcels ORDER BY fips')[0] ?? '';
  file.snapshot(() => {
    const once = buildFrom(file, fips);
    const often = new Map<string, Uint8Array>();
    const directory = buildCounty(countySource(file, fips), (name, bytes) => often.set(name, bytes), 1);
    expect(directory).toEqual(once.directory);
    expect([...often.keys()].sort()).toEqual([...once.segments.keys()].sort());
    for (const [name, bytes] of once.segments)
      expect(Buffer.compare(bytes, often.get(name) ?? Buffer.of()), name).toBe(0);
  });
});

/** Columns of each kind: their segments do not depend on other columns. */
const ofEachKind = [
  'effective_acres',
  'market_total_value',
  'situs_city',
  'owner_name',
  'apn_key',
  'order of apn',
  'slope_area_percent[5]',
];

test('the same parcels give the same bytes as ever; if not, raise `layout` in county-directory.ts', () => {
  const engine = engineOn(emptyHome());
  fillFixture(engine);
  const { directory, segments } = engine.land.file.snapshot(() => buildFrom(engine.land.file, fixtureFips));
  const hash = createHash('sha256');
  const named = [...segments].filter(
    ([name]) => ofEachKind.includes(name.slice(name.lastIndexOf('/') + 1)) || name.startsWith('boxes/'),
  );
  expect(named.length).toBe(28);
  for (const [name, bytes] of named.sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(name).update(bytes);
  const { columns, words, orders, ids } = directory;
  hash.update(JSON.stringify([ids, ofEachKind.map((name) => [columns[name], words[name], orders[name]])]));
  expect(hash.digest('hex').slice(0, 16)).toBe('6fa3d7f1a2780ff5');
});
