/** Contact lists of every shape, into a real people.sqlite. All persons are invented; numbers are 555-01xx. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { guessContacts } from '../../engine/importing/lists/contact-columns.ts';
import {
  type ContactImportOptions,
  type ContactImportReport,
  importContacts,
} from '../../engine/importing/lists/import-contacts.ts';
import { parseMapping } from '../../engine/importing/mapping/mapping.ts';
import { parseDnc, parseLineType } from '../../engine/importing/values/contact-words.ts';
import { contactTarget } from '../../engine/importing/values/mapping-target.ts';
import { findContact } from '../../engine/query/contact-query.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { openPeopleStore, type PeopleStore } from '../../engine/store/people-store.ts';
import { clock, temporaryFolder, writeFile } from './fixtures.ts';

function openPeople(): PeopleStore {
  const people = openPeopleStore(temporaryFolder());
  onTestFinished(() => people.close());
  return people;
}

type More = Partial<Omit<ContactImportOptions, 'file' | 'now'>>;

const importText = (people: PeopleStore, text: string | Buffer, more: More = {}): ContactImportReport =>
  importContacts(people, { file: writeFile('list.csv', text), now: clock, ...more });

/** Everything that is stored, in plain lines. */
const stored = ({ file }: PeopleStore): string[] =>
  file
    .all<Record<string, string | number | null>>('SELECT * FROM contacts ORDER BY last_key, first_name, contact_id')
    .map((row) => {
      const phones = file
        .all<{ number: string; line_type: string | null; dnc: number | null }>(
          'SELECT number, line_type, dnc FROM contact_phones WHERE contact_id = ? ORDER BY position',
          row.contact_id,
        )
        .map(
          ({ number, line_type, dnc }) => `${number.slice(-4)} ${line_type ?? '-'} ${['no', 'yes'][dnc ?? 2] ?? '?'}`,
        );
      const name = [row.first_name, row.middle_name, row.last_name, row.suffix].filter(Boolean).join(' ');
      const place = [row.address, row.city, row.state, row.zip].filter(Boolean).join(', ');
      return `${name} | ${place} | ${phones.join('; ')}`;
    });

const dump = ({ file }: PeopleStore) => [
  file.all('SELECT * FROM contacts ORDER BY contact_id'),
  file.all('SELECT * FROM contact_phones ORDER BY contact_id, position'),
];

/** Names hold no digits. */
const letters = (n: number): string => String(n).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');

function refusalOf(work: () => unknown): EngineError {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const plain = `First Name,Last Name,Address,City,State,Zip,Phone 1,Phone 1 Type,Phone 1 DNC,Phone 2,Phone 2 Type,Phone 2 DNC,Notes
Ellen,Marsh,12 Elm St,Nowhere,ZZ,00142,(603) 555-0101,Mobile,N,603-555-0102,Landline,Yes,hello
John,Oakes,PO Box 7,Nowhere,ZZ,00142-0007,16035550103,VOIP,,,,,
`;

describe('a plain list', () => {
  test('is read by its headings', () => {
    const people = openPeople();
    const report = importText(people, plain, { source: 'tracers' });
    expect(stored(people)).toEqual([
      'Ellen Marsh | 12 Elm St, Nowhere, ZZ, 00142 | 0101 Mobile no; 0102 Landline yes',
      'John Oakes | PO Box 7, Nowhere, ZZ, 00142-0007 | 0103 - ?',
    ]);
    expect(report).toMatchObject({
      source: 'tracers',
      rows: 2,
      new: 2,
      changed: 0,
      unchanged: 0,
      phones_kept: 3,
      phones_refused: { count: 0 },
      rows_refused: { count: 0 },
      values_unread: { count: 0 },
      columns_ignored: ['Notes'],
      seconds: 0,
    });
    expect(report.columns_used).toEqual({
      'First Name': 'first_name',
      'Last Name': 'last_name',
      Address: 'address',
      City: 'city',
      State: 'state',
      Zip: 'zip',
      'Phone 1': 'phone_1',
      'Phone 1 Type': 'phone_1_type',
      'Phone 1 DNC': 'phone_1_dnc',
      'Phone 2': 'phone_2',
      'Phone 2 Type': 'phone_2_type',
      'Phone 2 DNC': 'phone_2_dnc',
    });
    expect(findContact(people, { firstName: 'ELLEN', lastName: 'MARSH', zip: '00142' })?.phones).toEqual([
      { number: '6035550101', lineType: 'Mobile', dnc: false },
      { number: '6035550102', lineType: 'Landline', dnc: true },
    ]);
  });

  test('imported again changes nothing', () => {
    const people = openPeople();
    importText(people, plain);
    const before = dump(people);
    expect(importText(people, plain)).toMatchObject({ new: 0, changed: 0, unchanged: 2, phones_kept: 3 });
    expect(dump(people)).toEqual(before);
  });

  test('brings its persons up to date when it is newer; what it is silent about stays known', () => {
    const people = openPeople();
    importText(people, plain);
    const newer = `First Name,Last Name,Address,City,State,Zip,Phone 1,Phone 2
ELLEN,MARSH,12 ELM STREET,Nowhere,ZZ,142,6035550102,6035550109
`;
    expect(importText(people, newer)).toMatchObject({ new: 0, changed: 1, unchanged: 0 });
    expect(stored(people)).toEqual([
      'ELLEN MARSH | 12 ELM STREET, Nowhere, ZZ, 142 | 0102 Landline yes; 0109 - ?',
      'John Oakes | PO Box 7, Nowhere, ZZ, 00142-0007 | 0103 - ?',
    ]);
    expect(importText(people, newer)).toMatchObject({ changed: 0, unchanged: 1 });
  });

  test('of another source is kept beside', () => {
    const people = openPeople();
    importText(people, plain, { source: 'one' });
    expect(importText(people, plain, { source: 'two' })).toMatchObject({ new: 2 });
    expect(stored(people)).toHaveLength(4);
    // One trace merges both.
    expect(findContact(people, { firstName: 'Ellen', lastName: 'Marsh', zip: '00142' })?.phones).toHaveLength(2);
  });

  test('may be delimited by anything, be in Windows-1252, and keep spreadsheet marks', () => {
    for (const delimiter of [';', '\t', '|']) {
      const people = openPeople();
      importText(people, plain.replaceAll(',', delimiter));
      expect(stored(people)).toHaveLength(2);
    }
    const people = openPeople();
    importText(people, Buffer.from("First,Last,Zip,Phone\nJos\xe9,Pe\xf1a,3280,'+1 603 555 0101\n", 'latin1'));
    expect(stored(people)).toEqual(['José Peña | 3280 | 0101 - ?']);
    expect(findContact(people, { firstName: 'Jose', lastName: 'PENA', zip: '03280' })).not.toBeNull();
  });
});

describe('rows of one person', () => {
  test('become one record: the first spelling, every number once, a warning never talked away', () => {
    const people = openPeople();
    const report = importText(
      people,
      `First Name,Last Name,Address,City,State,Zip,Phone,Type,DNC
Ellen,Marsh,12 Elm St,,,00142,6035550101,,N
ELLEN,MARSH,12 ELM STREET,Nowhere,ZZ,00142-1234,6035550102,Mobile,
Ellen,Marsh,"12 Elm St.",,,142,(603) 555-0101,Cell,Y
Ellen,Marsh,12 Elm St Apt 4,,,00142,6035550104,,
Ellen,Marsh,12 Elm St,,,00143,6035550105,,
Ellen B,Marsh,12 Elm St,,,00142,6035550106,,
`,
    );
    expect(report).toMatchObject({ rows: 6, new: 4, phones_kept: 5 });
    expect(stored(people).sort()).toEqual([
      'Ellen B Marsh | 12 Elm St, 00142 | 0106 - ?',
      'Ellen Marsh | 12 Elm St Apt 4, 00142 | 0104 - ?',
      'Ellen Marsh | 12 Elm St, 00143 | 0105 - ?',
      'Ellen Marsh | 12 Elm St, Nowhere, ZZ, 00142 | 0101 Mobile yes; 0102 Mobile ?',
    ]);
  });

  test('may lie thousands of rows apart', () => {
    const people = openPeople();
    const rows = Array.from(
      { length: 9000 },
      (_, n) => `Ann,Q${letters(n % 3000)},00142,603555010${Math.floor(n / 3000)}`,
    );
    const seen: string[] = [];
    const report = importText(people, `First,Last,Zip,Phone\n${rows.join('\n')}\n`, {
      onProgress: ({ phase, rows: count }) => seen.push(`${phase} ${count}`),
    });
    expect(report).toMatchObject({ rows: 9000, new: 3000, phones_kept: 9000, rows_refused: { count: 0 } });
    expect(stored(people).every((line) => line.endsWith('| 0100 - ?; 0101 - ?; 0102 - ?'))).toBe(true);
    expect(seen).toContain('reading 9000');
    expect(seen.at(-1)).toBe('writing 3000');
  });
});

describe('headings', () => {
  /** Headings of vendors' files, and how they are read. */
  const cases: [string, string, Record<string, unknown>][] = [
    [
      'without blanks',
      'FirstName,LastName,MailingAddress,MailingCity,MailingState,MailingZip,Phone1,Phone1Type,Phone1DNC',
      {
        first_name: 'FirstName',
        last_name: 'LastName',
        address: 'MailingAddress',
        city: 'MailingCity',
        state: 'MailingState',
        zip: 'MailingZip',
        phone_1: 'Phone1',
        phone_1_type: 'Phone1Type',
        phone_1_dnc: 'Phone1DNC',
      },
    ],
    [
      'with underscores',
      'owner_first_name,owner_last_name,mail_address,mail_city,mail_state,mail_zip_code,phone_1,phone_1_type,phone_1_do_not_call',
      {
        first_name: 'owner_first_name',
        last_name: 'owner_last_name',
        address: 'mail_address',
        city: 'mail_city',
        state: 'mail_state',
        zip: 'mail_zip_code',
        phone_1: 'phone_1',
        phone_1_type: 'phone_1_type',
        phone_1_dnc: 'phone_1_do_not_call',
      },
    ],
    [
      'by type',
      'First,Last,Zip,Mobile-1,Mobile-2,Landline-1,Email-1',
      {
        first_name: 'First',
        last_name: 'Last',
        zip: 'Zip',
        phone_1: 'Mobile-1',
        phone_1_usual_type: { constant: 'Mobile' },
        phone_2: 'Mobile-2',
        phone_2_usual_type: { constant: 'Mobile' },
        phone_3: 'Landline-1',
        phone_3_usual_type: { constant: 'Landline' },
      },
    ],
    [
      'with prefixes',
      'Input First Name,Input Last Name,Input Mailing Zip,PH: Phone1,PH: Phone1 Type,PH: Phone1 DNC,PH: Phone2',
      {
        first_name: 'Input First Name',
        last_name: 'Input Last Name',
        zip: 'Input Mailing Zip',
        phone_1: 'PH: Phone1',
        phone_1_type: 'PH: Phone1 Type',
        phone_1_dnc: 'PH: Phone1 DNC',
        phone_2: 'PH: Phone2',
      },
    ],
    [
      'turned round',
      'Full Name,Postal Code,Cell Phone,Home Phone,Cell Phone DNC,Phone Type 2',
      {
        full_name: 'Full Name',
        name_order: { constant: 'given name first' },
        zip: 'Postal Code',
        phone_1: 'Cell Phone',
        phone_1_dnc: 'Cell Phone DNC',
        phone_1_usual_type: { constant: 'Mobile' },
        phone_2: 'Home Phone',
      },
    ],
    [
      'of a roll',
      'Owner,Owner 2,Property Address,Property Zip,Mailing Street,City State Zip,Telephone,DNC',
      {
        full_name: 'Owner',
        name_order: { constant: 'surname first' },
        address: 'Mailing Street',
        city_state_zip: 'City State Zip',
        phone_1: 'Telephone',
        dnc: 'DNC',
      },
    ],
    [
      'with the mailing address preferred',
      'First Name,Last Name,Property Address,Property City,Property State,Property Zip,Mailing Address,Mailing Unit,Mailing City,Mailing State,Mailing Zip,Phone',
      {
        first_name: 'First Name',
        last_name: 'Last Name',
        address: 'Mailing Address',
        address_2: 'Mailing Unit',
        city: 'Mailing City',
        state: 'Mailing State',
        zip: 'Mailing Zip',
        phone_1: 'Phone',
      },
    ],
    [
      'in capitals',
      'FNAME,MI,LNAME,SUFFIX,ADDRESS1,ADDRESS2,CITY,ST,ZIP5,PHONENUMBER1,LINETYPE1,DNC1',
      {
        first_name: 'FNAME',
        middle_name: 'MI',
        last_name: 'LNAME',
        suffix: 'SUFFIX',
        address: 'ADDRESS1',
        address_2: 'ADDRESS2',
        city: 'CITY',
        state: 'ST',
        zip: 'ZIP5',
        phone_1: 'PHONENUMBER1',
        phone_1_type: 'LINETYPE1',
        phone_1_dnc: 'DNC1',
      },
    ],
  ];

  test.each(cases)('are guessed %s', (_name, headings, columns) => {
    expect(guessContacts(headings.split(','))).toEqual(columns);
  });

  test('that mean something else are left alone', () => {
    const ignored =
      'Last Sale Date,First Mortgage,Owner Type,Company Name,County,State Code 2,Lot Number,Phone 1 Carrier,Phone Score,Email,Fax,Owner 2 First Name,Street Name';
    expect(guessContacts(ignored.split(','))).toEqual({});
  });
});

describe('cells', () => {
  test('hold flags in many words', () => {
    for (const text of ['Y', 'yes', 'TRUE', '1', '1.0', 'Do Not Call', 'DNC', 'On DNC', 'x', 'Litigator'])
      expect(parseDnc(text), text).toBe(true);
    for (const text of ['N', 'no', 'FALSE', '0', 'Clean', 'OK to call', 'Not on DNC'])
      expect(parseDnc(text), text).toBe(false);
    for (const text of [null, '', ' ', 'Unknown', 'N/A', 'none']) expect(parseDnc(text), String(text)).toBeNull();
    for (const text of ['maybe', 'YN', '2']) expect(parseDnc(text), text).toBeUndefined();
  });

  test('hold types in many words; the service knows two', () => {
    for (const text of ['Mobile', 'CELL', 'wireless', 'Cell Phone', 'M'])
      expect(parseLineType(text), text).toBe('Mobile');
    for (const text of ['Landline', 'land line', 'Residential', 'Fixed-Line', 'L'])
      expect(parseLineType(text), text).toBe('Landline');
    for (const text of [null, '', 'VoIP', 'Unknown', 'Other']) expect(parseLineType(text), String(text)).toBeNull();
    expect(parseLineType('pigeon')).toBeUndefined();
  });

  test('may hold several numbers with notes', () => {
    const people = openPeople();
    importText(
      people,
      `First,Last,Zip,Phones,DNC
Ellen,Marsh,00142,"(603) 555-0101 (Mobile); 603-555-0102 - Landline - DNC, 603.555.0103",
John,Oakes,00142,"6035550104 (Mobile, DNC) | N/A",N
`,
    );
    expect(stored(people)).toEqual([
      'Ellen Marsh | 00142 | 0101 Mobile ?; 0102 Landline yes; 0103 - ?',
      'John Oakes | 00142 | 0104 Mobile yes',
    ]);
  });

  test('hold whole names and addresses', () => {
    const people = openPeople();
    const report = importText(
      people,
      `Name,Address,Phone
Ellen Marsh,"12 Elm St, Nowhere, ZZ 00142",6035550101
"Oakes, John Q Jr","PO Box 7, Nowhere, ZZ",6035550102
John & Mary Quimby,"1 Oak Ave, Nowhere, ZZ 00142-0001",6035550103
Quillmoor LLC,"1 Oak Ave, Nowhere, ZZ 00142",6035550104
Quimby,"1 Oak Ave, Nowhere, ZZ 00142",6035550105
Ruth Alder,1 Oak Ave,6035550106
`,
    );
    expect(stored(people)).toEqual([
      'ELLEN MARSH | 12 Elm St, Nowhere, ZZ, 00142 | 0101 - ?',
      'JOHN Q OAKES JR | PO Box 7, Nowhere, ZZ | 0102 - ?',
      'JOHN QUIMBY | 1 Oak Ave, Nowhere, ZZ, 00142-0001 | 0103 - ?',
    ]);
    expect(report.rows_refused).toEqual({
      count: 3,
      by_reason: {
        'a name of a company, not of a person': 1,
        'no personal name found': 1,
        'no ZIP of 5 digits, and no city with a state': 1,
      },
      first: [
        { row: 4, column: 'Name', value: '"Quillmoor LLC"', reason: 'a name of a company, not of a person' },
        { row: 5, column: 'Name', value: '"Quimby"', reason: 'no personal name found' },
        { row: 6, column: '', value: 'null', reason: 'no ZIP of 5 digits, and no city with a state' },
      ],
    });
  });

  test('of a roll have the surname first, and the last three parts of an address in one', () => {
    const people = openPeople();
    importText(
      people,
      'Owner Name,Mailing Address,Mailing City State Zip,Phone\nMARSH ELLEN & JOHN,12 ELM ST,"ST. JOHN, ZZ 00142",6035550101\n',
    );
    expect(stored(people)).toEqual(['ELLEN MARSH | 12 ELM ST, ST. JOHN, ZZ, 00142 | 0101 - ?']);
  });

  test('that cannot be read are counted with the reason', () => {
    const people = openPeople();
    const report = importText(
      people,
      `First,Last,Zip,Phone 1,Phone 1 Type,Phone 1 DNC,Phone 2
Ellen,Marsh,00142,6035550101,pigeon,maybe,555-0100
John,Oakes,00142,111-111-1111,,,6.04E+09
E,Quimby,00142,6035550102,,,
,Alder,00142,6035550103,,,
Ruth,Alder,00142,,,,
`,
    );
    expect(stored(people)).toEqual(['Ellen Marsh | 00142 | 0101 - ?']);
    expect(report.phones_refused.by_reason).toEqual({
      'has 7 digits; expected 10': 1,
      'is not a number that can be assigned': 1,
      'rounded by a spreadsheet: its last digits are lost': 1,
    });
    expect(report.phones_refused.first[0]).toEqual({
      row: 1,
      column: 'Phone 2',
      value: '"555-0100"',
      reason: 'has 7 digits; expected 10',
    });
    expect(report.values_unread.by_reason).toEqual({ 'expected Mobile or Landline': 1, 'expected yes or no': 1 });
    expect(report.rows_refused.by_reason).toEqual({ 'no valid telephone number': 2, 'no first and last name': 2 });
  });
});

describe('a mapping', () => {
  const odd = 'A,B,C,D,E,F\nEllen,Marsh,00142,6035550101,Y,Mobile\n';
  const parse = (value: unknown) => parseMapping(value, 'given', contactTarget);

  test('says what no heading does', () => {
    const people = openPeople();
    const mapping = parse({
      name: 'odd',
      columns: { first_name: 'A', last_name: 'b', zip: 'C', phone_1: 'D', phone_1_dnc: 'E', phone_1_type: 'F' },
    });
    const report = importText(people, odd, { mapping });
    expect(stored(people)).toEqual(['Ellen Marsh | 00142 | 0101 Mobile yes']);
    expect(report.columns_used).toEqual({
      A: 'first_name',
      B: 'last_name',
      C: 'zip',
      D: 'phone_1',
      E: 'phone_1_dnc',
      F: 'phone_1_type',
    });
  });

  test('joins columns, splits, takes the first that is not empty, reads codes and flags of its own', () => {
    const people = openPeople();
    const mapping = parse({
      name: 'parts',
      columns: {
        last_name: { from: 'WHO', split: { separator: '/', index: 0 } },
        first_name: { from: 'WHO', split: { separator: '/', index: 1 } },
        address: { concat: ['NO', 'STREET'], separator: ' ' },
        zip: { from: 'ZIP', pad: { length: 5, with: '0' }, nullIf: ['99999'] },
        city: 'TOWN',
        state: { constant: 'ZZ' },
        phone_1: { from: ['CELL', 'HOME'] },
        phone_1_type: { from: 'KIND', map: { '1': 'Mobile', '2': 'Landline' } },
        phone_1_dnc: { from: 'STOP', yes: ['blocked'], no: ['free'] },
      },
    });
    const report = importText(
      people,
      `WHO,NO,STREET,ZIP,TOWN,CELL,HOME,KIND,STOP
Marsh/Ellen,12,Elm St,142,Nowhere,,6035550101,2,blocked
Oakes/John,44,Pond Rd,99999,Nowhere,6035550102,6035550103,1,free
Quill/Dora,9,Hill Ln,00142,Nowhere,6035550104,,3,perhaps
`,
      { mapping },
    );
    expect(stored(people)).toEqual([
      'Ellen Marsh | 12 Elm St, Nowhere, ZZ, 00142 | 0101 Landline yes',
      'John Oakes | 44 Pond Rd, Nowhere, ZZ | 0102 Mobile no',
      'Dora Quill | 9 Hill Ln, Nowhere, ZZ, 00142 | 0104 - ?',
    ]);
    expect(report.values_unread.first.map(({ row, column, reason }) => [row, column, reason])).toEqual([
      [3, 'KIND', 'expected Mobile or Landline'],
      [3, 'STOP', 'neither yes nor no'],
    ]);
    expect(report.columns_used).toMatchObject({ WHO: 'last_name, first_name', HOME: 'phone_1', STREET: 'address' });
    expect(report.columns_ignored).toEqual([]);
  });

  test.each([
    [{}, 'name'],
    [{ name: 'm', columns: {} }, 'columns'],
    [{ phones: [] }, 'columns'],
    [{ name: 'm', columns: { firstname: 'A', phone_1: 'D' } }, 'columns.firstname'],
    [{ name: 'm', columns: { phone_1: 'D', phone_1_tpye: 'E' } }, 'columns.phone_1_tpye'],
    [{ name: 'm', columns: { phone_1: { concat: [{ from: 'A', scale: 2 }] } } }, 'columns.phone_1.concat[0].scale'],
    [{ name: 'm', columns: { phone_1: 'table.D' } }, 'columns.phone_1'],
    [{ name: 'm', columns: { phone_1: 'D' }, join: { parcel: 'A', table: 'B' } }, 'join'],
    // As version 0.1 kept them.
    [{ phones: [{ number: 'D', tpye: 'E' }] }, 'columns.phone_1_tpye'],
    [{ firstname: 'A', phones: [{ number: 'D' }] }, 'columns.firstname'],
    [{ first_name: 5, phones: ['D', 7] }, 'columns.first_name'],
    [[], 'non_field_errors'],
  ])('%j is refused at %s', (value, at) => {
    const refusal = refusalOf(() => parse(value));
    expect(refusal.code).toBe('mapping_invalid');
    expect(Object.keys(refusal.details ?? {})).toContain(at);
  });

  test('that names an unknown contact column suggests a similar one', () => {
    expect(refusalOf(() => parse({ name: 'm', columns: { firstname: 'A' } })).message).toMatch(
      /columns\.firstname: .*contacts.*did you mean first_name/,
    );
  });

  test.each([
    [{ first_name: 'A', last_name: 'X', zip: 'C', phone_1: 'D' }, /reads the column X, but the file has none/],
    [{ first_name: 'A', last_name: 'B', phone_1: 'D' }, /expected a ZIP, or city and state, found none/],
    [{ first_name: 'A', zip: 'C', phone_1: 'D' }, /expected a name/],
    [{ first_name: 'A', last_name: 'B', zip: 'C' }, /expected a phone/],
    [
      { full_name: 'A', zip: 'C', phone_1: 'D', name_order: { constant: 'any' } },
      /columns\.name_order: expected given name first or surname first, found "any"/,
    ],
  ])('that does not fit the file (%j) is refused', (columns, sentence) => {
    const people = openPeople();
    const refusal = refusalOf(() => importText(people, odd, { mapping: { name: 'm', columns } }));
    expect(refusal.code).toBe('mapping_invalid');
    expect(refusal.message).toMatch(sentence);
    expect(stored(people)).toEqual([]);
  });
});

describe('what cannot be imported', () => {
  test.each([
    ['', 'import_refused', /found an empty file/],
    ['First,Last,Zip,Phone\n', 'import_refused', /expected rows below the headings, found none/],
    [
      'PID,ACRES\n1,2\n',
      'import_refused',
      /expected columns for a name .*; a ZIP, or city and state; a phone, found none among PID, ACRES/,
    ],
    ['First,Last,Zip\na,b,c\n', 'import_refused', /expected columns for a phone/],
    ['First,Last,Zip,Phone,Phone\na,b,c,d,e\n', 'import_refused', /expected each heading once, found Phone twice/],
    [
      'First,Last,Zip,Phone\nEllen,Marsh,00142,6035550101\nx\n',
      'import_refused',
      /expected 4 values .* found 1 in row 2/,
    ],
    ['\u0000\u0001\u0002', 'import_refused', /binary data/],
  ])('%j is refused by name and changes nothing', (text, code, sentence) => {
    const people = openPeople();
    importText(people, plain);
    const before = dump(people);
    const refusal = refusalOf(() => importText(people, text));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toMatch(sentence);
    expect(dump(people)).toEqual(before);
  });

  test('a file that is not there', () => {
    const people = openPeople();
    expect(refusalOf(() => importContacts(people, { file: '/nowhere/list.csv', now: clock })).code).toBe(
      'file_missing',
    );
  });

  test('an import that is cancelled while it writes leaves everything as it was', () => {
    const people = openPeople();
    importText(people, plain);
    const before = dump(people);
    const rows = Array.from({ length: 3000 }, (_, n) => `Ann,Q${letters(n)},00142,6035550101`);
    const cancel = new Error('cancelled');
    const work = () =>
      importText(people, `First,Last,Zip,Phone\n${rows.join('\n')}\n`, {
        onProgress: ({ phase, rows: count }) => {
          if (phase === 'writing' && count >= 2000) throw cancel;
        },
      });
    expect(work).toThrow(cancel);
    expect(dump(people)).toEqual(before);
    expect(importText(people, `First,Last,Zip,Phone\n${rows.join('\n')}\n`).new).toBe(3000);
  });
});
