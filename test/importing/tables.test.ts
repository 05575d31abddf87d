import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTableFile } from '../../engine/importing/formats/table-file.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { temporaryFolder, writeFile } from './fixtures.ts';

function rowsOf(filePath: string): (string | null)[][] {
  const table = openTableFile(filePath);
  return [...table.rows(table.columns.map((_, index) => index))].map(({ values }) => [...values]);
}

function refusalOf(work: () => unknown): EngineError {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('delimited text', () => {
  const read = (content: string | Buffer) => rowsOf(writeFile('table.txt', content));

  test.each([',', ';', '\t', '|'])('is read with the delimiter %j', (delimiter) => {
    expect(read(`PID${delimiter}OWNER\n001${delimiter}"A; B, C | D"\n`)).toEqual([['001', 'A; B, C | D']]);
  });

  test('keeps leading zeros, quoted line ends and quotes; blanks at the ends go, empty is null', () => {
    expect(read('\ufeffA,B,C\r\n007,"two\nlines","say ""hi"""\r\n  x , ,""\r\n\r\n')).toEqual([
      ['007', 'two\nlines', 'say "hi"'],
      ['x', null, null],
    ]);
    expect(read('A,B\n5" PIPE,6\n')).toEqual([['5" PIPE', '6']]);
  });

  test('loses the mark that our own files put before what a spreadsheet would take for a formula', () => {
    expect(read(`A,B,C\n'=1+1,'-12 MAIN ST,''=X\n'TIS,O'NEIL,'\n`)).toEqual([
      ['=1+1', '-12 MAIN ST', "'=X"],
      ["'TIS", "O'NEIL", "'"],
    ]);
  });

  test('reads a formula that is nothing but a text as that text: so spreadsheets keep zeros', () => {
    expect(read(`A,B,C\n"=""00123""","=""say """"hi""""""",=A1&"x"\n`)).toEqual([['00123', 'say "hi"', '=A1&"x"']]);
  });

  test('is UTF-8, else Windows-1252', () => {
    expect(read(Buffer.from('A\nPEÑA\n'))).toEqual([['PEÑA']]);
    expect(read(Buffer.from('A\nPE\xd1A \x96 \x80\n', 'latin1'))).toEqual([['PEÑA – €']]);
  });

  test('in UTF-8 with a stray byte keeps its other names, and says so', () => {
    const rows = Array.from({ length: 20 }, (_, index) => `PEÑA ${index}`).join('\n');
    const content = Buffer.concat([
      Buffer.from(`A\n${rows}\n`),
      Buffer.from('M\xdcLLER\n', 'latin1'),
      Buffer.from('LÜ'),
    ]);
    const table = openTableFile(writeFile('t.csv', content));
    const values = [...table.rows([0])].map((row) => row.values[0]);
    expect(values.slice(18)).toEqual(['PEÑA 18', 'PEÑA 19', 'MÜLLER', 'LÜ']);
    expect(table.encoding?.()).toBe('UTF-8, but 1 byte, first in line 22, is read as Windows-1252');
  });

  test('says what its bytes were read as', () => {
    const encoding = (content: Buffer) => openTableFile(writeFile('t.csv', content)).encoding?.();
    expect(encoding(Buffer.from('A\nPEÑA\n'))).toBe('UTF-8');
    expect(encoding(Buffer.from('A\nPE\xd1A\n', 'latin1'))).toBe('Windows-1252');
    // By accident two bytes make a character of UTF-8; the other rows decide.
    expect(encoding(Buffer.from('A\nPE\xd1A\nPE\xd1A\n\xc3\x91\n', 'latin1'))).toBe('Windows-1252');
  });

  test('may name its delimiter in a first line, as Excel does', () => {
    expect(read('sep=;\r\nPID;OWNER\r\n1;A,B,C,D\r\n')).toEqual([['1', 'A,B,C,D']]);
    expect(read('\ufeff"sep=|"\nPID|OWNER\n1|A\n')).toEqual([['1', 'A']]);
    expect(read('sep=\t\nPID\tOWNER\n1\tA\n')).toEqual([['1', 'A']]);
  });

  test('gives the requested columns in their order', () => {
    const table = openTableFile(writeFile('t.csv', 'A,B,C\n1,2,3\n4,5,6\n'));
    expect(table.columns).toEqual(['A', 'B', 'C']);
    expect([...table.rows([2, 0])]).toEqual([
      { row: 1, values: ['3', '1'] },
      { row: 2, values: ['6', '4'] },
    ]);
  });

  test('is streamed: rows across the edges of chunks are whole', () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `${index},"owner ""${index}"", é"`);
    const rows = read(`ID,OWNER\n${lines.join('\n')}\n`);
    expect(rows).toHaveLength(60_000);
    expect(rows.every(([id, owner], index) => id === `${index}` && owner === `owner "${index}", é`)).toBe(true);
  });

  test.each([
    ['A,B\n1\n', 'found 1 in row 1'],
    ['A,B\n1,2\n1,2,3\n', 'found 3 in row 2'],
    ['A,A\n1,2\n', 'A twice'],
    [',,\n1,2,3\n', 'headings'],
    ['', 'empty'],
    ['A,B\n1,"open\n', 'invalid'],
    ['\x00\x01\x02', 'binary'],
  ])('%j is refused: %s', (content, words) => {
    const error = refusalOf(() => read(content));
    expect(error.code).toBe('import_refused');
    expect(error.message).toContain(words);
  });

  test('in UTF-16 of either order is read, across the borders of chunks too', () => {
    // An odd beginning, so that a pair of the astral letter stands on both sides of the first megabyte.
    const rows = Array.from({ length: 90_000 }, (_, at) => `${at};MÜLLER 𝒜𝒜`);
    const bytes = Buffer.from(`\ufeffPIN;ÖWNER\n${rows.join('\n')}\n`, 'utf16le');
    expect(bytes.length).toBeGreaterThan(2 * 1024 * 1024);
    for (const content of [bytes, Buffer.from(bytes).swap16()]) {
      const file = writeFile('table.txt', content);
      expect(openTableFile(file).columns).toEqual(['PIN', 'ÖWNER']);
      expect(rowsOf(file).map((values) => values.join(';'))).toEqual(rows);
    }
  });
});

interface DbfField {
  name: string;
  type: string;
  length: number;
  decimals?: number;
}

/** A dBASE table by its published layout: 32 bytes of header, 32 for each field, 0x0D, the rows, 0x1A. */
function dbf(
  fields: DbfField[],
  rows: (string | Buffer)[][],
  options: { language?: number; end?: boolean } = {},
): Buffer {
  const rowBytes = 1 + fields.reduce((sum, { length }) => sum + length, 0);
  const headerBytes = 32 + 32 * fields.length + 1;
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(3, 0);
  header.set([126, 7, 9], 1);
  header.writeUInt32LE(rows.length, 4);
  header.writeUInt16LE(headerBytes, 8);
  header.writeUInt16LE(rowBytes, 10);
  header.writeUInt8(options.language ?? 0, 29);
  fields.forEach(({ name, type, length, decimals = 0 }, index) => {
    const at = 32 + 32 * index;
    header.write(name, at, 'latin1');
    header.write(type, at + 11, 'latin1');
    header.writeUInt8(length, at + 16);
    header.writeUInt8(decimals, at + 17);
  });
  header.writeUInt8(0x0d, headerBytes - 1);
  const body = rows.map((values) => {
    const [first] = values;
    const isDeleted = first === '*deleted';
    const cells = (isDeleted ? values.slice(1) : values).map((value, index) => {
      const cell = Buffer.alloc(fields[index]?.length ?? 0, ' ');
      if (typeof value === 'string') cell.write(value, 'latin1');
      else value.copy(cell);
      return cell;
    });
    return Buffer.concat([Buffer.from(isDeleted ? '*' : ' '), ...cells]);
  });
  return Buffer.concat([header, ...body, Buffer.from(options.end === false ? [] : [0x1a])]);
}

const textField = (name: string, length = 10): DbfField => ({ name, type: 'C', length });

describe('a dBASE table', () => {
  const read = (content: Buffer) => rowsOf(writeFile('table.anything', content));

  test('gives texts trimmed, numbers as their text, dates as YYYYMMDD', () => {
    const double = Buffer.alloc(8);
    double.writeDoubleLE(1.5);
    const integer = Buffer.alloc(4);
    integer.writeInt32LE(-7);
    // 2026-07-09 is Julian day 2461231: 2440588 + 20643 days after 1970-01-01.
    const time = Buffer.alloc(8);
    time.writeInt32LE(2_461_231);
    const content = dbf(
      [
        textField('PID'),
        { name: 'ACRES', type: 'N', length: 12, decimals: 5 },
        { name: 'F', type: 'F', length: 6 },
        { name: 'D', type: 'D', length: 8 },
        { name: 'L', type: 'L', length: 1 },
        { name: 'I', type: 'I', length: 4 },
        { name: 'B', type: 'B', length: 8 },
        { name: 'T', type: 'T', length: 8 },
        { name: 'M', type: 'M', length: 10 },
      ],
      [
        ['0012', '     0.82000', '  1.50', '20031003', 'T', integer, double, time, '1'],
        ['', '************', '', '00000000', '?', Buffer.alloc(4), Buffer.alloc(8), Buffer.alloc(8), ''],
      ],
    );
    expect(read(content)).toEqual([
      ['0012', '0.82000', '1.50', '20031003', 'T', '-7', '1.5', '20260709', null],
      [null, null, null, null, null, '0', '0', null, null],
    ]);
    expect(openTableFile(writeFile('t.dbf', content))).toMatchObject({ format: 'dbf', date: '2026-07-09' });
  });

  test('gives whole numbers without what pads them', () => {
    const fields = [
      { name: 'PIN', type: 'N', length: 24, decimals: 15 },
      { name: 'ACCOUNT', type: 'F', length: 19, decimals: 11 },
    ];
    expect(read(dbf(fields, [['1234567.000000000000000', '1.23456789000e+09']]))).toEqual([['1234567', '1234567890']]);
  });

  test.each([
    [[126, 7, 9], '2026-07-09'],
    [[124, 2, 30], null],
    [[124, 12, 31], '2024-12-31'],
    [[0, 0, 0], null],
    // 1926 and 1900: two digits of a year with another meaning.
    [[26, 7, 9], null],
    [[0, 1, 1], null],
  ])('with the header date %j is of %j', (bytes, date) => {
    const content = dbf([textField('A')], [['1']]);
    content.set(bytes, 1);
    expect(openTableFile(writeFile('t.dbf', content)).date).toBe(date);
  });

  test('beside a folder that is named like its .cpg is read by its bytes', () => {
    const folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, 't.cpg'));
    expect(rowsOf(writeFile('t.dbf', dbf([textField('A')], [['PE\xd1A']]), folder))).toEqual([['PEÑA']]);
  });

  test('skips deleted rows and counts them; row numbers stay those of the file', () => {
    const table = openTableFile(writeFile('t.dbf', dbf([textField('A')], [['1'], ['*deleted', '2'], ['3']])));
    let deleted = 0;
    const rows = [...table.rows([0], () => deleted++)];
    expect(rows).toEqual([
      { row: 1, values: ['1'] },
      { row: 3, values: ['3'] },
    ]);
    expect(deleted).toBe(1);
  });

  test('is read whole without the mark of the end, and with several', () => {
    expect(read(dbf([textField('A')], [['1']], { end: false }))).toEqual([['1']]);
    expect(read(Buffer.concat([dbf([textField('A')], [['1']]), Buffer.from([0x1a, 0])]))).toEqual([['1']]);
  });

  test('takes its character set from the .cpg beside it, from its header, else from the bytes', () => {
    const folder = temporaryFolder();
    const file = writeFile('t.dbf', dbf([textField('A')], [['PE\xa5A']]), folder);
    fs.writeFileSync(path.join(folder, 't.cpg'), 'OEM 437\n');
    expect(rowsOf(file)).toEqual([['PEÑA']]);
    expect(read(dbf([textField('A')], [['PE\xa5A']], { language: 1 }))).toEqual([['PEÑA']]);
    expect(read(dbf([textField('A')], [['PE\xd1A \x96']], { language: 87 }))).toEqual([['PEÑA –']]);
    expect(read(dbf([textField('A')], [['PE\xd1A']]))).toEqual([['PEÑA']]);
    expect(read(dbf([textField('A')], [[Buffer.from('PEÑA')]]))).toEqual([['PEÑA']]);
  });

  test('drops a UTF-8 character that the width of its field cut in half', () => {
    expect(read(dbf([textField('A', 6)], [[Buffer.from('ÑÑPEÑA').subarray(0, 6)]]))).toEqual([['ÑÑPE']]);
    expect(read(dbf([textField('A', 6)], [[Buffer.from('ÑABCÑ').subarray(0, 6)]]))).toEqual([['ÑABC']]);
  });

  test('cut off at any byte is a named error with file and offset', () => {
    const content = dbf(
      [textField('A', 4), { name: 'N', type: 'N', length: 3 }],
      [
        ['1', '1'],
        ['2', '2'],
      ],
      { end: false },
    );
    for (let length = 0; length < content.length; length++) {
      const error = refusalOf(() => read(content.subarray(0, length)));
      expect(error.code).toBe('import_refused');
    }
    expect(refusalOf(() => read(content.subarray(0, -1))).message).toMatch(
      /expected 2 rows.*found 1 whole rows.*at byte \d+/,
    );
  });

  test('with more rows than its header says is refused', () => {
    const content = dbf([textField('A')], [['1'], ['2']]);
    content.writeUInt32LE(1, 4);
    expect(refusalOf(() => read(content)).message).toContain('found more data');
  });

  test('whose fields do not fill its rows is refused', () => {
    const content = dbf([textField('A')], [['1']]);
    content.writeUInt8(9, 32 + 16);
    expect(refusalOf(() => read(content)).message).toContain('fill a row');
  });
});
