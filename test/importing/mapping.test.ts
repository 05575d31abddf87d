import { describe, expect, test } from 'vitest';
import { fitMapping } from '../../engine/importing/guess/fit-mapping.ts';
import { sampleParcels } from '../../engine/importing/guess/guess-sample.ts';
import { proposeMapping } from '../../engine/importing/guess/propose-mapping.ts';
import { type Expression, loadMapping, parseMapping, profileNames } from '../../engine/importing/mapping/mapping.ts';
import { expressionMembers } from '../../engine/importing/mapping/mapping-docs.ts';
import type { MappingRow } from '../../engine/importing/mapping/mapping-expression.ts';
import { expressionSchema } from '../../engine/importing/mapping/mapping-schema.ts';
import { dictionaryMapper, mapperOf, positionOf, type RowMapper } from '../../engine/importing/mapping/row-mapper.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import type { StoredValue } from '../../engine/importing/values/convert-value.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { importColumns } from '../../engine/spec/parcel-columns.ts';
import { clock, collection, lot, openLand, writeFile } from './fixtures.ts';

interface Converted {
  value: StoredValue;
  reason: string | null;
}

function run(mapper: RowMapper, row: Partial<MappingRow>, column: string): Converted {
  const values: StoredValue[] = importColumns.map(() => null);
  let reason: string | null = null;
  mapper.convert({ properties: {}, id: undefined, table: null, ...row }, values, (_, __, why) => {
    reason = why;
  });
  return { value: values[positionOf(column)] ?? null, reason };
}

/** One column through one expression. */
function convert(column: string, expression: Expression, properties: Record<string, unknown>): Converted {
  return run(
    mapperOf(parseMapping({ name: 'test', columns: { [column]: expression } }, 'test')),
    { properties },
    column,
  );
}

const refusalOf = (work: () => unknown): EngineError => {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('a value is read by the type of its column', () => {
  test.each<[column: string, given: unknown, value: StoredValue]>([
    ['assessed_total_value', '$1,234.50', 1235],
    ['assessed_total_value', '1234.49999', 1234],
    ['assessed_total_value', ' 1,234,567 ', 1234567],
    ['assessed_total_value', 1234.5, 1235],
    ['assessed_total_value', '0.00000', null],
    ['assessed_improvement_value', '0', 0],
    ['tax_amount', '(1,200)', -1200],
    ['elevation_min_ft', '-279', -279],
    ['owner_type', 'Company', 'company'],
    ['situs_state', 'n.h.', 'NH'],
    ['mailing_state', 'New Hampshire', 'NH'],
    ['mailing_state', 'ON', 'ON'],
    ['legal_description', 'x'.repeat(40_000), 'x'.repeat(40_000)],
    ['assessed_improvement_value', '', null],
    ['tax_amount', '0', 0],
    ['last_sale_price', '1.00000', null],
    ['last_sale_price', '0', null],
    ['last_sale_price', '2', 2],
    ['year_built', '0.00000', null],
    ['year_built', '1980.00000', 1980],
    ['building_sqft', '1234.6', 1235],
    ['structure_count', '0', 0],
    ['acres', '0.00000', null],
    ['acres', '12.3456789', 12.34568],
    ['acres', '.5', 0.5],
    ['acres', '1e2', 100],
    ['wetlands_percent', '12.345 %', 12.35],
    ['mortgage_interest_rate', '0', null],
    ['last_sale_date', '20031003', '2003-10-03'],
    ['last_sale_date', '2003-10-03', '2003-10-03'],
    ['last_sale_date', '2003/10/03', '2003-10-03'],
    ['last_sale_date', '2003/10/03 00:00:00+00', '2003-10-03'],
    ['last_sale_date', '2003-10-03T14:30:00Z', '2003-10-03'],
    ['last_sale_date', '10/3/2003', '2003-10-03'],
    ['last_sale_date', '10-03-2003', '2003-10-03'],
    ['last_sale_date', '3-OCT-2003', '2003-10-03'],
    ['last_sale_date', 20031003, '2003-10-03'],
    ['last_sale_date', '20031003.00000', '2003-10-03'],
    // Milliseconds since 1970, as Esri's services give dates: 1,065,139,200 s is 2003-10-03T00:00:00Z.
    ['last_sale_date', 1065139200000, '2003-10-03'],
    ['last_sale_date', '2024-02-29', '2024-02-29'],
    ['last_sale_date', '0', null],
    ['last_sale_date', '00/00/0000', null],
    ['last_sale_date', '  ', null],
    ['owner_occupied', 'Y', 1],
    ['owner_occupied', 'yes', 1],
    ['owner_occupied', 'T', 1],
    ['owner_occupied', true, 1],
    ['owner_occupied', 'N', 0],
    ['owner_occupied', 0, 0],
    ['owner_occupied', null, null],
    ['situs_zip', '3280', '03280'],
    ['situs_zip', 3280, '03280'],
    ['situs_zip', '03280-1234', '03280'],
    ['situs_zip', '032801234', '03280'],
    ['situs_zip', '0', null],
    ['mailing_zip', '59752-0153', '59752-0153'],
    ['mailing_zip', '597520153', '59752-0153'],
    ['mailing_zip', '59752-0000', '59752'],
    ['mailing_zip', '59752-', '59752'],
    ['mailing_zip', '03280-.', '03280'],
    ['mailing_zip', '59752', '59752'],
    ['owner_name', '  SMITH,  JOHN ', 'SMITH,  JOHN'],
    ['owner_name', 'SMITH\u0000JOHN\tX\n', 'SMITH JOHN X'],
    ['owner_name', '\u0007', null],
    ['apn', 42, '42'],
    ['apn', '012', '012'],
    ['legal_description', ['a', 1], '["a",1]'],
    ['slope_area_percent', [100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0], '[100,90,80,70,60,50,40,30,20,10,0]'],
    ['slope_area_percent', '[0,0,0,0,0,0,0,0,0,0,0]', '[0,0,0,0,0,0,0,0,0,0,0]'],
  ])('%s: %j becomes %j', (column, given, value) => {
    expect(convert(column, 'A', { A: given })).toEqual({ value, reason: null });
  });

  test.each<[column: string, given: unknown, reason: string]>([
    ['assessed_total_value', 'abc', 'no number'],
    ['assessed_total_value', '1,5', 'no number'],
    ['assessed_total_value', '0x10', 'no number'],
    ['assessed_total_value', '1e300', 'too large'],
    ['year_built', '1980.5', 'no whole number'],
    ['wetlands_percent', '101', 'no percentage from 0 to 100'],
    ['last_sale_date', '2003-02-30', 'no date'],
    ['last_sale_date', '13/13/2003', 'no date'],
    ['last_sale_date', '10/3/03', 'no date'],
    ['last_sale_date', 'spring', 'no date'],
    ['last_sale_date', '0204-01-01', 'no date'],
    ['owner_occupied', 'maybe', 'neither yes nor no'],
    ['situs_zip', 'M4V 1H6', 'no ZIP code of the United States'],
    ['situs_zip', '12', 'no ZIP code of the United States'],
    ['slope_area_percent', [1, 2], 'no list of 11 percentages'],
    ['slope_area_percent', '{', 'no JSON list'],
    ['assessed_improvement_value', '(1,200)', 'negative'],
    ['last_sale_price', -5, 'negative'],
    ['acres', -5, 'negative'],
    ['acres', 1e308, 'too large'],
    ['acres', Number.POSITIVE_INFINITY, 'no number'],
    ['building_sqft', '-1', 'negative'],
    ['year_built', 99999, 'no year from 1500 to 2200'],
    ['tax_year', '-5', 'no year from 1500 to 2200'],
    ['tax_delinquent_year', 3000, 'no year from 1500 to 2200'],
    ['owner_type', 'WIZARD', 'none of individual, company, trust, government, hoa'],
    ['situs_state', 'Nowhere', 'no two-letter state'],
    ['mailing_state', '12', 'no two-letter state'],
    ['apn', { x: 1 }, 'no text'],
    ['apn', [1, 2], 'no text'],
    ['apn', true, 'no text'],
    // 2⁵³ + 2 and its neighbours are one number to JavaScript.
    ['apn', 9007199254740994, 'a number with more digits than can be read exactly'],
    ['owner_name', 'x'.repeat(4001), 'longer than 4000 characters'],
    ['legal_description', 'x'.repeat(40_001), 'longer than 40000 characters'],
    ['acres', '1'.repeat(65), 'no number'],
    ['last_sale_date', '1'.repeat(500_000), 'no date'],
  ])('%s: %j is null, and the reason is "%s"', (column, given, reason) => {
    expect(convert(column, 'A', { A: given })).toEqual({ value: null, reason });
  });

  test('a date later than the data can know is a problem', () => {
    const mapping = parseMapping({ name: 'm', columns: { last_sale_date: 'D' } }, 'm');
    const mapper = mapperOf(mapping, '2027-07-01');
    expect(run(mapper, { properties: { D: '2027-07-01' } }, 'last_sale_date').value).toBe('2027-07-01');
    expect(run(mapper, { properties: { D: '2027-07-02' } }, 'last_sale_date')).toEqual({
      value: null,
      reason: 'later than 2027-07-01',
    });
  });

  test('texts of megabytes are read in time that grows with their length', () => {
    for (const column of ['acres', 'last_sale_date', 'situs_zip', 'owner_occupied', 'owner_name']) {
      for (const text of [
        '1,'.repeat(500_000),
        '1'.repeat(1_000_000),
        `${'1'.repeat(500_000)}x`,
        ' 1'.repeat(500_000),
      ]) {
        expect(convert(column, 'A', { A: text })).toMatchObject({ value: null });
      }
    }
  });

  test('names like those of JavaScript objects are columns like any other', () => {
    expect(convert('owner_name', 'constructor', {})).toEqual({ value: null, reason: null });
    expect(convert('owner_name', 'toString', { toString: 'X' }).value).toBe('X');
    expect(convert('owner_name', '__proto__', JSON.parse('{"__proto__":"Y"}')).value).toBe('Y');
    expect(convert('owner_name', { from: ['__proto__', 'A'] }, { A: 'Z' }).value).toBe('Z');
    expect(convert('owner_name', { from: ['valueOf', '__defineGetter__', 'A'] }, { A: 'Z' }).value).toBe('Z');
    const folded = { from: 'A', map: JSON.parse('{"__proto__":"Z"}') as Record<string, string> };
    expect(convert('owner_name', folded, { A: 'constructor' }).value).toBe('constructor');
    expect(convert('owner_name', folded, { A: '__proto__' }).value).toBe('Z');
  });
});

describe('an expression', () => {
  test.each<[column: string, expression: Expression, properties: Record<string, unknown>, value: StoredValue]>([
    ['owner_name', { from: ['A', 'B'] }, { A: ' ', B: 'x' }, 'x'],
    ['owner_name', { from: 'A' }, { a: 'any case' }, 'any case'],
    ['situs_state', { constant: 'NH' }, {}, 'NH'],
    ['landlocked', { constant: false }, {}, 0],
    ['situs_address', { concat: ['N', 'S'], separator: ' ' }, { N: '12', S: 'MAIN ST' }, '12 MAIN ST'],
    ['situs_address', { concat: ['N', 'S'], separator: ' ' }, { N: '', S: 'MAIN ST' }, 'MAIN ST'],
    ['situs_address', { concat: ['N', 'S'] }, {}, null],
    ['situs_city', { from: 'C', split: { separator: ',', index: 0 } }, { C: 'THREE FORKS, MT 59752' }, 'THREE FORKS'],
    ['situs_zip', { from: 'C', split: { separator: ' ', index: -1 } }, { C: 'THREE FORKS, MT 59752' }, '59752'],
    ['situs_city', { from: 'C', split: { separator: ',', index: 3 } }, { C: 'A, B' }, null],
    [
      'situs_state',
      { from: { from: 'C', split: { separator: ',', index: 1 } }, slice: [0, 2] },
      { C: 'A, MT 5' },
      'MT',
    ],
    ['apn', { from: 'A', digits: true }, { A: '12-A3' }, '123'],
    ['apn', { from: 'A', lettersAndDigits: true }, { A: '012-A.3 / é' }, '012A3é'],
    [
      'apn',
      { from: 'A', apnGroups: { size: 6, separator: '-', dropTrailingZeroGroups: true } },
      { A: '000012000151000000' },
      '12-151',
    ],
    [
      'apn',
      { from: 'A', apnGroups: { size: 6, separator: '-', dropTrailingZeroGroups: true } },
      { A: '000012000002000001' },
      '12-2-1',
    ],
    [
      'apn',
      { from: 'A', apnGroups: { size: 6, separator: '-', dropTrailingZeroGroups: true } },
      { A: '000000000001000000' },
      '0-1',
    ],
    [
      'apn',
      { from: 'A', apnGroups: { size: 6, separator: '-', dropTrailingZeroGroups: true } },
      { A: '00002200001200000S' },
      '22-12-S',
    ],
    ['apn', { from: 'A', apnGroups: { size: 6, separator: '-' } }, { A: '000012000151000000' }, '12-151-0'],
    [
      'apn',
      { from: 'A', apnGroups: { size: 6, separator: '-', dropTrailingZeroGroups: true } },
      { A: '12-151' },
      '12-151',
    ],
    [
      'apn',
      { from: 'A', apnGroups: { by: '-', separator: '-', dropTrailingZeroGroups: true } },
      { A: '12-2-01' },
      '12-2-1',
    ],
    ['apn', { from: 'A', pad: { length: 6, with: '0' } }, { A: 42 }, '000042'],
    ['land_use_code', { from: 'A', map: { '1': 'ONE' } }, { A: '1.00000' }, 'ONE'],
    ['land_use_code', { from: 'A', map: { '1': 'ONE' } }, { A: '2' }, '2'],
    ['land_use_code', { from: 'A', map: { '1': 'ONE' }, otherwise: null }, { A: '2' }, null],
    ['structure_count', { from: 'A', map: { NONE: 0 }, otherwise: null }, { A: 'NONE' }, 0],
    ['owner_name', { from: 'A', nullIf: ['N/A'] }, { A: 'N/A' }, null],
    ['owner_name', { from: 'A', nullIf: ['N/A'], slice: [0, 2] }, { A: 'N/A' }, null],
    ['last_sale_price', { from: 'A', nullIf: [] }, { A: '1' }, 1],
    ['last_sale_price', { from: 'A', nullIf: [100] }, { A: '100.00' }, null],
    ['last_sale_price', { from: [{ from: 'A', nullIf: [0] }, 'B'] }, { A: '0.00', B: '7' }, 7],
    ['acres', { from: 'SQFT', scale: 2.295684113865932e-5 }, { SQFT: '43560' }, 1],
    ['assessed_total_value', { from: 'A', scale: 1000 }, { A: '12.5' }, 12500],
    ['last_sale_date', { from: 'A', date: 'DD/MM/YYYY' }, { A: '03/10/2003' }, '2003-10-03'],
    ['last_sale_date', { from: 'A', date: 'MMDDYYYY' }, { A: '10032003' }, '2003-10-03'],
    ['last_sale_date', { from: 'A', date: 'epoch_s' }, { A: 1065139200 }, '2003-10-03'],
    ['owner_occupied', { from: 'A', yes: ['HOMESTEAD'] }, { A: 'none' }, 0],
    ['owner_occupied', { from: 'A', yes: ['homestead'] }, { A: 'HOMESTEAD' }, 1],
    ['owner_occupied', { from: 'A', no: ['ABSENTEE'] }, { A: 'resident' }, 1],
    ['assessed_improvement_value', { sum: ['A', 'B'] }, { A: '100', B: '$1,000.4' }, 1100],
    ['assessed_improvement_value', { sum: ['A', 'B'] }, { A: null }, null],
    ['market_land_value', { sum: ['T'], minus: ['B'] }, { T: 300, B: 100 }, 200],
  ])('%s: %j of %j is %j', (column, expression, properties, value) => {
    expect(convert(column, expression, properties)).toEqual({ value, reason: null });
  });

  test('reports a date of another form than told, and a value that is neither yes nor no', () => {
    expect(convert('last_sale_date', { from: 'A', date: 'YYYYMMDD' }, { A: '10/03/2003' }).reason).toContain(
      'YYYYMMDD',
    );
    expect(convert('owner_occupied', { from: 'A', yes: ['Y'], no: ['N'] }, { A: 'X' }).reason).toBe(
      'neither yes nor no',
    );
    expect(convert('assessed_total_value', { sum: ['A'] }, { A: 'many' }).reason).toBe('no number');
  });

  test('reads the joined table and the id of the feature', () => {
    const mapper = mapperOf(
      parseMapping(
        {
          name: 'test',
          join: { parcel: '$id', table: 'table.PIN' },
          columns: { apn: '$id', owner_name: { from: ['table.OWNER', 'owner'] } },
        },
        'test',
      ),
    );
    expect(mapper.tableColumns).toEqual(['table.OWNER', 'table.PIN']);
    expect(run(mapper, { id: 7, table: ['A', 'x'] }, 'owner_name').value).toBe('A');
    expect(run(mapper, { id: 7, properties: { owner: 'B' } }, 'owner_name').value).toBe('B');
    expect(run(mapper, { id: 7 }, 'apn').value).toBe('7');
    const [join] = mapper.joins;
    expect(join?.parcelKey({ properties: {}, id: ' a  1', table: null })).toBe('a  1');
    expect(join?.tableKey({ properties: {}, id: 0, table: ['', 'A 1 '] })).toBe('A 1');
  });
});

describe('a mapping file', () => {
  test.each<[mapping: unknown, at: string, words: string]>([
    [{ name: 'x', columns: { acre: 'A' } }, 'columns.acre', 'did you mean'],
    [{ name: 'x', colums: { acres: 'A' } }, 'colums', 'did you mean columns'],
    [{ name: 'x', columns: { acres: { form: 'A' } } }, 'columns.acres.form', 'did you mean from'],
    [{ name: 'x', columns: { acres: { from: 'A', scale: '2' } } }, 'columns.acres.scale', 'expected a number'],
    [{ name: 'x', columns: { acres: { from: 'A', constant: 1 } } }, 'columns.acres', 'found from and constant'],
    [{ name: 'x', columns: { acres: {} } }, 'columns.acres', 'found none'],
    [{ name: 'x', columns: { acres: 5 } }, 'columns.acres', 'expected the name of a column'],
    [{ name: 'x', columns: { acres: { concat: [] } } }, 'columns.acres.concat', 'a list'],
    [
      { name: 'x', columns: { acres: { concat: ['A', { from: 'B', scale: 2 }] } } },
      'columns.acres.concat[1].scale',
      'only at the top',
    ],
    [
      { name: 'x', columns: { apn: { from: 'A', apnGroups: { separator: '-' } } } },
      'columns.apn.apnGroups',
      'size or by',
    ],
    [{ name: 'x', columns: { apn: { from: 'A', date: 'YYYY' } } }, 'columns.apn.date', 'YYYY-MM-DD'],
    [{ name: 'x', columns: { property_id: 'A' } }, 'columns.property_id', 'no column'],
    [{ name: 'x', columns: {} }, 'columns', 'at least one'],
    [{ name: 'x', date: '2026-02-30', columns: { apn: 'A' } }, 'date', 'calendar'],
    [{ name: 'x', join: { parcel: 'A' }, columns: { apn: 'A' } }, 'join.table', 'required'],
    [{ columns: { apn: 'A' } }, 'name', 'required'],
    [[], 'non_field_errors', 'JSON object'],
  ])('%j is refused at %s: %s', (mapping, at, words) => {
    const error = refusalOf(() => parseMapping(mapping, 'x'));
    expect(error.code).toBe('mapping_invalid');
    expect(error.details?.[at]?.join(' ')).toContain(words);
  });

  test('nested a thousand levels deep is refused, not followed', () => {
    let expression: unknown = 'A';
    for (let level = 0; level < 1000; level++) expression = { from: expression };
    expect(refusalOf(() => parseMapping({ name: 'x', columns: { apn: expression } }, 'x')).code).toBe(
      'mapping_invalid',
    );
  });

  test('is found by the name of a profile or by its path', () => {
    expect(profileNames()).toEqual(expect.arrayContaining(['three_forks_mt', 'washington_nh']));
    for (const name of profileNames()) expect(loadMapping(name).name).toBe(name);
    const file = writeFile('own.json', '\ufeff{"name":"own","columns":{"apn":"PIN"}}');
    expect(loadMapping(file).columns).toEqual({ apn: 'PIN' });
    expect(refusalOf(() => loadMapping('washingtn')).message).toContain('washington_nh');
    expect(refusalOf(() => loadMapping('washingtn')).code).toBe('file_missing');
    expect(refusalOf(() => loadMapping(writeFile('bad.json', '{'))).code).toBe('mapping_invalid');
  });
});

describe('without a mapping', () => {
  test('columns named as in the dictionary are read, in any case', () => {
    const mapper = dictionaryMapper();
    expect(run(mapper, { properties: { APN: '1', 'Owner Name': 'X', other: 2 } }, 'owner_name').value).toBe('X');
    expect(run(mapper, { properties: { APN: '1', acres: 3 } }, 'acres').value).toBe(3);
    expect(mapper.finish()).toEqual({
      name: 'dictionary',
      columns: { apn: 'APN', owner_name: 'Owner Name', acres: 'acres' },
    });
  });

  test('a file of which nothing maps is refused', () => {
    const mapper = dictionaryMapper();
    run(mapper, { properties: { PIN: '1', property_id: 2 } }, 'apn');
    expect(refusalOf(() => mapper.finish()).message).toContain('PIN, property_id');
  });
});

describe('a number in the unit that its row says', () => {
  const factors = { AC: 1, SF: 1 / 43_560 };
  const acres: Expression = { from: 'AREA', scaleBy: { unit: 'UNIT', factors } };

  test.each<[area: unknown, unit: unknown, value: StoredValue, reason: string | null]>([
    ['12.5', 'AC', 12.5, null],
    // 10,890 ÷ 43,560 = ¼
    ['10,890', 'SF', 0.25, null],
    [21_780, ' s.f. ', 0.5, null],
    ['10,890', 'sf', 0.25, null],
    ['5', 'ROOD', null, 'no number'],
    ['5', null, null, 'no number'],
    ['0', null, null, null],
    [null, 'AC', null, null],
    ['unknown', 'AC', null, 'no number'],
  ])('%j %j is %j acres', (AREA, UNIT, value, reason) => {
    expect(convert('acres', acres, { AREA, UNIT })).toEqual({ value, reason });
  });

  test.each<[size: unknown, value: StoredValue, reason: string | null]>([
    ['12.5 AC', 12.5, null],
    ['10,890 s.f.', 0.25, null],
    ['± 2 ac', null, 'no number'],
    ['2± ac', 2, null],
    ['2 +/- ac', 2, null],
    // Half an acre is not one, and a range has no unit.
    ['1/2 ac', null, 'no number'],
    ['5-10 ac', null, 'no number'],
    ['5 roods', null, 'no number'],
    ['5', null, 'no number'],
    ['0', null, null],
    ['0 ac', null, null],
    [null, null, null],
  ])('%j, which says its unit itself, is %j acres', (AREA, value, reason) => {
    expect(convert('acres', { from: 'AREA', scaleBy: { factors } }, { AREA })).toEqual({ value, reason });
  });

  test('cents are dollars by a factor', () => {
    expect(convert('tax_amount', { from: 'CENTS', scale: 0.01 }, { CENTS: '123400' })).toEqual({
      value: 1234,
      reason: null,
    });
  });

  test('is checked like every expression, and lacks nothing where its unit is there', () => {
    const bad = {
      name: 'x',
      columns: { acres: { from: 'AREA', scaleBy: { unit: { form: 'UNIT' }, factors: { AC: 'one' } } } },
    };
    expect(Object.keys(refusalOf(() => parseMapping(bad, 'x')).details ?? {})).toEqual(['columns.acres.scaleBy']);
    const inner = { name: 'x', columns: { acres: { from: 'AREA', scaleBy: { unit: {}, factors } } } };
    expect(Object.keys(refusalOf(() => parseMapping(inner, 'x')).details ?? {})).toEqual([
      'columns.acres.scaleBy.unit',
    ]);
    const mapping = parseMapping({ name: 'x', columns: { acres, apn: 'PIN' } }, 'x');
    expect(fitMapping(mapping, ['PIN', 'AREA']).left).toEqual(['acres']);
    expect(fitMapping(mapping, ['PIN', 'AREA', 'UNIT']).left).toEqual([]);
  });

  test('every member of the language is documented by an example that is one', () => {
    for (const [name, { example }] of Object.entries(expressionMembers)) {
      expect(name in example).toBe(true);
      expect(() => parseMapping({ name: 'x', columns: { external_id: example } }, 'x')).not.toThrow();
    }
    expect(Object.keys(expressionMembers).sort()).toEqual(Object.keys(expressionSchema.properties).sort());
  });

  test('is guessed where the mapped areas say so', () => {
    // Lots of 1 acre and more by their shapes; every other one is recorded in square feet.
    const lots = Array.from({ length: 40 }, (_, index) => lot(null, index));
    const shapes = sampleParcels(writeFile('plain.geojson', collection(lots))).acres;
    const file = writeFile(
      'mixed.geojson',
      collection(
        lots.map(({ geometry }, index) => {
          const size = shapes[index] ?? 0;
          const isFeet = index % 2 === 1;
          return {
            geometry,
            properties: {
              PARCEL_NO: `7-${index + 100}`,
              LOT_AREA: isFeet ? size * 43_560 : size,
              AREA_UNIT: isFeet ? 'SF' : 'AC',
            },
          };
        }),
      ),
    );
    const { mapping } = proposeMapping({ file, state: 'NH' });
    expect(mapping?.columns).toEqual({
      apn: 'PARCEL_NO',
      acres: { from: 'LOT_AREA', scaleBy: { unit: 'AREA_UNIT', factors: { AC: 1, SF: 1 / 43_560 } } },
    });
  });

  test.each([
    ['LOT_SIZE', ['0.25 AC', '10,890 sq ft', '2.5± acres']],
    ['ACREAGE', ['0.25 ac.', '.25 acres', '2.5 Acres']],
    ['LAND_SQFT', ['10,890 SF', '10890 sq. ft.', '108,900 sf']],
    ['LOT_SQUARE_FEET', ['10,890 SF', '0.25 acres', '108,900 square feet']],
  ])('that each value of %s names itself is guessed', (name, sizes) => {
    const file = writeFile(
      'own-units.csv',
      [
        `PARCEL_NO,${name},FRONTAGE,LAT,LON`,
        ...Array.from({ length: 40 }, (_, index) => `7-${index + 100},"${sizes[index % 3]}",${index + 50} ft,43,-72`),
      ].join('\n'),
    );
    const { columns, mapping } = proposeMapping({ file, state: 'NH' });
    expect(columns.find(({ column }) => column === 'acres')?.source).toBe(`${name}, each value with its unit`);
    const acres = mapping?.columns.acres ?? '';
    expect(acres).toMatchObject({ from: name, scaleBy: { factors: {} } });
    expect(sizes.map((size) => convert('acres', acres, { [name]: size }).value)).toEqual(
      [0.25, 0.25, 2.5].map((size) => expect.closeTo(size, 9)),
    );
    // A length is no area.
    expect(JSON.stringify(mapping?.columns)).not.toContain('FRONTAGE');
  });

  const inUnits = { from: 'LOT_AREA', scaleBy: { unit: 'AREA_UNIT', factors: { AC: 1, SF: 1 / 43_560 } } };
  const point = { type: 'Point', coordinates: [-72, 43] };

  /** Lots of ¼ acre in square feet, and of 2½ acres and more. @param geometry of each */
  const recorded = (geometry: (index: number) => unknown, sizeName = 'LOT_AREA'): string =>
    writeFile(
      'recorded.geojson',
      collection(
        Array.from({ length: 40 }, (_, index) => ({
          geometry: geometry(index),
          properties: {
            PARCEL_NO: `7-${index + 100}`,
            [sizeName]: index % 2 === 1 ? 10_890 : 2.5 + index,
            AREA_UNIT: index % 2 === 1 ? 'SF' : 'AC',
          },
        })),
      ),
    );

  test('is guessed of points, which have no areas to compare with', () => {
    const { mapping, columns } = proposeMapping({ file: recorded(() => point), state: 'NH' });
    expect(mapping?.columns.acres).toEqual(inUnits);
    expect(columns.find(({ column }) => column === 'acres')?.reasons).toContain(
      'AREA_UNIT says the unit; no shapes to compare with',
    );
  });

  test('is offered, and not taken, of polygons whose areas agree with nothing', () => {
    const { mapping, undecided } = proposeMapping({
      file: recorded((index) => lot(null, index).geometry),
      state: 'NH',
    });
    expect(mapping?.columns.acres).toBeUndefined();
    expect(undecided.find(({ column }) => column === 'acres')?.expression).toEqual(inUnits);
  });

  test('is not guessed where the name says one unit for all', () => {
    const { mapping } = proposeMapping({ file: recorded(() => point, 'LOT_ACRES'), state: 'NH' });
    expect(mapping?.columns.acres).toBe('LOT_ACRES');
  });

  test('is not guessed where the numbers are no larger in the smaller unit: codes of two letters are no units', () => {
    const features = Array.from({ length: 40 }, (_, index) => ({
      geometry: point,
      properties: { PARCEL_NO: `7-${index + 100}`, LOT_AREA: 2 + (index % 7), KIND: index % 2 === 1 ? 'SF' : 'AC' },
    }));
    const { mapping } = proposeMapping({ file: writeFile('codes.geojson', collection(features)), state: 'NH' });
    expect(mapping?.columns.acres).toBe('LOT_AREA');
  });

  test.each([
    ['polygons', (index: number) => lot(null, index).geometry],
    ['points', () => point],
  ])('is imported as the mapping says, of %s', async (_shapes, geometry) => {
    const land = openLand();
    const mapping = parseMapping({ name: 'units', columns: { apn: 'PARCEL_NO', acres: inUnits } }, 'units');
    await importParcels(land, {
      ...{ files: [recorded(geometry)], fips: '33011', mapping, source: 'Test county', homeKind: 'real', now: clock },
    });
    const acres = land.file.column<number>('SELECT acres FROM parcels ORDER BY property_id');
    expect(acres).toHaveLength(40);
    expect(acres.filter((size) => size === 0.25)).toHaveLength(20);
    expect(Math.max(...acres)).toBe(40.5);
  });
});
