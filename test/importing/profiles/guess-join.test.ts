/** Which key joins a table to the map if none is given: no lot may take another's row. */
import { describe, expect, test } from 'vitest';
import { proposeMapping } from '../../../engine/importing/guess/propose-mapping.ts';
import { parseMapping } from '../../../engine/importing/mapping/mapping.ts';
import { importParcels } from '../../../engine/importing/merge/import-parcels.ts';
import { clock, collection, lot, openLand, writeFile } from '../fixtures.ts';

/** A value for each number of a roll, by which its row is known. */
const valueUnder = (roll: readonly string[], pin: string) => (roll.includes(pin) ? 10_000 + roll.indexOf(pin) : null);

/** The proposal for a map and a roll, and the value of each lot after the import. */
async function joined(map: readonly string[], roll: readonly string[]) {
  const lots = map.map((pin, index) => ({ geometry: lot(null, index).geometry, properties: { PIN: pin } }));
  const file = writeFile('map.geojson', collection(lots));
  const joinFile = writeFile(
    'roll.csv',
    `PIN,MARKET_VALUE\n${roll.map((pin) => `${pin},${valueUnder(roll, pin)}\n`).join('')}`,
  );
  const {
    joins: [join],
    mapping,
  } = proposeMapping({ file, joinFiles: [joinFile], state: 'NH' });
  const land = openLand();
  const options = { files: [file], joinFiles: [joinFile], fips: '33011', homeKind: 'real', now: clock } as const;
  await importParcels(land, { ...options, mapping: parseMapping(mapping, 'given') });
  const rows = land.file.all<{ apn: string; value: number | null }>(
    'SELECT apn, market_total_value AS value FROM parcels',
  );
  return { join, mapping, values: Object.fromEntries(rows.map(({ apn, value }) => [apn, value])) };
}

const numbers = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, n) => write(n));
/** For each lot of the map, the value in the roll under its number. */
const valuesUnder = (map: readonly string[], roll: readonly string[], written = (pin: string) => pin) =>
  Object.fromEntries(map.map((pin) => [pin, valueUnder(roll, written(pin))]));

test('lots that differ in a letter keep their own rows, where the roll writes no hyphens', async () => {
  const map = numbers(10, (n) => `${String(n + 12).padStart(3, '0')}-201`).flatMap((pin) => [
    pin,
    `${pin}A`,
    `${pin}B`,
  ]);
  const bare = (pin: string) => pin.replace('-', '');
  const { join, mapping, values } = await joined(map, map.map(bare));
  expect(join?.share).toBe(1);
  expect(values).toEqual(valuesUnder(map, map.map(bare), bare));
  // What joins need not be all that a parcel is known by.
  expect(mapping?.identity).toBeUndefined();
});

test.each([
  ['is on the map too', ['12-2-01', '12-201']],
  ['is not on the map', ['12-2-01']],
])('a lot that the roll lacks does not take the row of another in the same digits, which %s', async (_, more) => {
  const map = [...numbers(40, (n) => `12-${n + 301}`), ...more];
  const roll = [...numbers(40, (n) => `12-${n + 301}`), '12-201'];
  const { mapping, values } = await joined(map, roll);
  expect(mapping?.join).toEqual({ parcel: 'PIN', table: 'table.PIN' });
  expect(values).toEqual(valuesUnder(map, roll));
});

test('where only the digits join, and no two lots have the same, they do', async () => {
  const map = [...numbers(30, (n) => `12-${n + 3001} R`), 'ROAD', 'WATER'];
  const roll = numbers(30, (n) => `12${n + 3001}`);
  const { join, values } = await joined(map, roll);
  expect(join?.share).toBeCloseTo(30 / 32, 6);
  expect(values).toMatchObject(valuesUnder(map.slice(0, 30), roll, (pin) => pin.replace(/\D/g, '')));
});

test('two rows of the roll whose keys fold to one join no lot', async () => {
  // As written nothing joins; in digits alone 1234A and 1234B would give every lot the first of two.
  const map = numbers(30, (n) => `${n + 1200} X`);
  const lots = map.map((pin, index) => ({ geometry: lot(null, index).geometry, properties: { PIN: pin } }));
  const file = writeFile('map.geojson', collection(lots));
  const roll = numbers(30, (n) => `${n + 1200}A,50000\n${n + 1200}B,60000\n`).join('');
  const proposal = proposeMapping({
    file,
    joinFiles: [writeFile('roll.csv', `PIN,MARKET_VALUE\n${roll}`)],
    state: 'NH',
  });
  expect(proposal.joins).toEqual([]);
  expect(proposal.notes[0]).toContain('Less than half of the parcels find a row');
});

describe('a key of several columns', () => {
  type Cells = Readonly<Record<string, string | number | null>>;
  const count = 60;

  /** The proposal for lots and rows, and the value of each lot, by its place, after the import. */
  async function joinedByParts(lotOf: (index: number) => Cells, rowOf: (index: number) => Cells) {
    const places = Array.from({ length: count }, (_, index) => index);
    const lots = places.map((index) => ({
      geometry: lot(null, index).geometry,
      properties: { ...lotOf(index), PLACE: index },
    }));
    const rows = places.map(rowOf);
    const table = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
    const joinFile = writeFile(
      'roll.csv',
      `${table.map((cells, n) => [...cells, n === 0 ? 'MARKET_VALUE' : 9999 + n].join()).join('\n')}\n`,
    );
    const file = writeFile('map.geojson', collection(lots));
    const proposal = proposeMapping({ file, joinFiles: [joinFile], state: 'NH' });
    const { mapping } = proposal;
    const land = openLand();
    const options = { files: [file], joinFiles: [joinFile], fips: '33011', homeKind: 'real', now: clock } as const;
    if (!mapping?.join) return { proposal, values: [] };
    const columns = { ...mapping.columns, external_id: 'PLACE' };
    await importParcels(land, { ...options, mapping: parseMapping({ ...mapping, columns }, 'given') });
    const values = land.file.column<number | null>(
      'SELECT market_total_value FROM parcels ORDER BY CAST(external_id AS INTEGER)',
    );
    return { proposal, values };
  }
  const all = Array.from({ length: count }, (_, index) => 10_000 + index);
  const [tens, ones] = [(index: number) => 1 + Math.floor(index / 10), (index: number) => 1 + (index % 10)];

  test('MAP + LOT joins where neither tells lots apart, whatever the zeros, and is the parcel number', async () => {
    const padded = (number: number) => String(number).padStart(4, '0');
    const { proposal, values } = await joinedByParts(
      (index) => ({ MAP: padded(tens(index)), LOT: padded(ones(index)) }),
      (index) => ({ TAX_MAP: tens(index), LOT_NO: ones(index) }),
    );
    expect(proposal.joins).toMatchObject([{ parcel: 'MAP + LOT', table: 'TAX_MAP + LOT_NO', share: 1, several: 0 }]);
    expect(proposal).toMatchObject({ isSure: true, mapping: { columns: { apn: { concat: ['MAP', 'LOT'] } } } });
    expect(values).toEqual(all);
  });

  test('BOOK + PAGE + PARCEL: all three, as two of them are shared', async () => {
    const cells = (index: number) => ({
      BOOK: 1 + Math.floor(index / 20),
      PAGE: 1 + (Math.floor(index / 5) % 4),
      PARCEL: 1 + (index % 5),
    });
    const { proposal, values } = await joinedByParts(cells, cells);
    expect(proposal.joins).toMatchObject([{ parcel: 'BOOK + PAGE + PARCEL', share: 1 }]);
    expect(values).toEqual(all);
  });

  test('is not proposed where its numbers are several rows’, or where a column tells lots apart', async () => {
    const { proposal } = await joinedByParts(
      (index) => ({ MAP: 1 + Math.floor(index / 20), LOT: ones(index) }),
      (index) => ({ MAP: 1 + Math.floor(index / 20), BLOCK: tens(index) % 2, LOT: ones(index) }),
    );
    expect(proposal.joins).toEqual([]);
    expect(proposal.notes[0]).toContain('Less than half of the parcels find a row');
    const plain = await joinedByParts(
      (index) => ({ PIN: `7-${index + 100}`, MAP: 7, LOT: index + 100 }),
      (index) => ({ PIN: `7-${index + 100}`, MAP: 7, LOT: index + 100 }),
    );
    expect(plain.proposal.mapping?.join).toEqual({ parcel: 'PIN', table: 'table.PIN' });
  });
});
