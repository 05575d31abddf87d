import { describe, expect, test } from 'vitest';
import { givenName, lastNameKey } from '../../engine/contacts/fold-name.ts';
import {
  type Contact,
  type ContactPhone,
  matchContact,
  type WantedPerson,
} from '../../engine/contacts/match-contact.ts';
import { parsePhoneNumber } from '../../engine/contacts/phone-number.ts';
import { doorOf, townKey, zipKey } from '../../engine/contacts/place-key.ts';

const phone = (last: number, more: Partial<ContactPhone> = {}): ContactPhone => ({
  number: `60355501${String(last).padStart(2, '0')}`,
  lineType: null,
  dnc: null,
  ...more,
});

const contact = (more: Partial<Contact> = {}): Contact => ({
  firstName: 'William',
  middleName: null,
  lastName: 'Quimby',
  suffix: null,
  address: '12 Elm St',
  city: 'Nowhere',
  state: 'ZZ',
  zip: '00142',
  phones: [phone(1)],
  ...more,
});

const wanted = (more: Partial<WantedPerson> = {}): WantedPerson => ({
  firstName: 'WILLIAM',
  lastName: 'QUIMBY',
  zip: '00142',
  ...more,
});

const isMatch = (person: Partial<WantedPerson>, record: Partial<Contact>): boolean =>
  matchContact(wanted(person), [contact(record)]) !== null;

const numbers = (person: Partial<WantedPerson>, ...records: Partial<Contact>[]): string[] =>
  (matchContact(wanted(person), records.map(contact))?.phones ?? []).map(({ number }) => number.slice(-2));

describe('names', () => {
  test.each<[Partial<WantedPerson>, Partial<Contact>]>([
    [{}, {}],
    [{ firstName: 'Bill' }, {}],
    [{}, { firstName: 'Billy' }],
    [{ firstName: 'WM' }, {}],
    [{ firstName: 'Peggy' }, { firstName: 'MARGARET' }],
    [{ firstName: 'Robert' }, { firstName: 'Bob' }],
    [{ firstName: 'Mary' }, { firstName: 'Mary Ann' }],
    [{ firstName: 'Maryann' }, { firstName: 'Mary Ann' }],
    [{ firstName: 'Maryann' }, { firstName: 'MARY', middleName: 'ANN' }],
    [{ firstName: 'Mary-Ann' }, { firstName: 'MARY', middleName: 'ANN' }],
    [{ firstName: 'William A' }, { firstName: 'William', middleName: 'Albert' }],
    [{ middleName: 'ALBERT' }, { firstName: 'William A.' }],
    [{ firstName: 'J William' }, {}],
    [{ firstName: 'Mr. William' }, {}],
    [{}, { firstName: 'William & Ruth' }],
    [{ lastName: 'Quimby Jr' }, {}],
    [{ lastName: 'Quimby, Jr.' }, { suffix: 'JR' }],
    [{ suffix: 'III' }, { lastName: 'Quimby 3rd' }],
    [{ lastName: "O'Brien" }, { lastName: 'OBRIEN' }],
    [{ lastName: 'O Brien' }, { lastName: 'O’Brien' }],
    [{ lastName: 'Smith-Quimby' }, { lastName: 'SMITH QUIMBY' }],
    [{ lastName: 'Van der Berg' }, { lastName: 'VANDERBERG' }],
    [{ lastName: 'Saint Pierre' }, { lastName: 'ST. PIERRE' }],
    [
      { lastName: 'Muñoz', firstName: 'José' },
      { lastName: 'MUNOZ', firstName: 'JOSE' },
    ],
    [{ lastName: 'Bjørklund' }, { lastName: 'Bjorklund' }],
  ])('%j is %j', (person, record) => expect(isMatch(person, record)).toBe(true));

  test.each<[Partial<WantedPerson>, Partial<Contact>]>([
    [{ firstName: 'Walter' }, {}],
    [{ firstName: 'W' }, {}],
    [{}, { firstName: 'W' }],
    [{ firstName: 'W' }, { firstName: 'W' }],
    [{ firstName: 'Bob' }, {}],
    [{ firstName: 'Bob' }, { firstName: 'Rob' }],
    [{ firstName: 'Mary Ann' }, { firstName: 'Mary Jane' }],
    [{ firstName: 'William A' }, { firstName: 'William B' }],
    [{ middleName: 'A' }, { middleName: 'Bernard' }],
    [{ suffix: 'JR' }, { suffix: 'SR' }],
    [{ lastName: 'Quimby Jr' }, { lastName: 'Quimby III' }],
    [{ lastName: 'Quimbey' }, {}],
    [{ lastName: 'Smith' }, { lastName: 'Smith-Quimby' }],
    [{ firstName: 'Quimby', lastName: 'William' }, {}],
    [{ lastName: '-' }, { lastName: '-' }],
    [{ lastName: '' }, { lastName: '' }],
    [{ firstName: '' }, {}],
  ])('%j is not %j', (person, record) => expect(isMatch(person, record)).toBe(false));

  test('are compared by keys that clerks agree on', () => {
    expect(lastNameKey('de la Cruz')).toBe('DELACRUZ');
    expect(lastNameKey('Smith 3rd')).toBe('SMITH');
    expect(lastNameKey('Junior')).toBe('JUNIOR');
    expect(givenName('John A.', '', 'Jr.')).toEqual({ first: 'JOHN', joined: 'JOHNA', middle: 'A', generation: 'JR' });
    expect(givenName('J.', 'Robert')).toEqual({ first: 'ROBERT', joined: 'JROBERT', middle: null, generation: null });
    expect(givenName('J')).toEqual({ first: null, joined: 'J', middle: null, generation: null });
  });
});

describe('places', () => {
  test.each<[Partial<WantedPerson>, Partial<Contact>, boolean]>([
    [{}, { city: 'Elsewhere', state: 'YY' }, true],
    [{}, { zip: '00142-1234' }, true],
    [{}, { zip: '142' }, true],
    [{}, { zip: '00143' }, false],
    // Where both have a ZIP it decides, in the same city too.
    [{ city: 'Nowhere', state: 'ZZ' }, { zip: '00143' }, false],
    [{ city: 'Nowhere', state: 'ZZ' }, { zip: null }, true],
    [{}, { zip: null }, false],
  ])('by ZIP: %j at %j is %j', (person, record, expected) => expect(isMatch(person, record)).toBe(expected));

  test.each<[string, string, boolean]>([
    ['Nowhere', 'ZZ', true],
    ['NOWHERE', 'zz', true],
    ['Nowhere', 'YY', false],
    ['North Nowhere', 'ZZ', false],
    ['', 'ZZ', false],
  ])('by city and state: %s, %s is %j', (city, state, expected) => {
    expect(matchContact({ firstName: 'William', lastName: 'Quimby', city, state }, [contact()]) !== null).toBe(
      expected,
    );
  });

  test('are written in many ways', () => {
    expect(townKey('St. Johnsbury', 'Vermont')).toBe(townKey('SAINT JOHNSBURY', 'VT'));
    expect(townKey('Mount Hope', 'N.H.')).toBe(townKey('MT HOPE', 'nh'));
    expect(townKey('N. Sutton', 'NH')).toBe(townKey('North Sutton', 'NH'));
    expect(townKey('Nowhere', 'Freedonia')).toBeNull();
    expect(townKey(null, 'NH')).toBeNull();
    expect(['03280', '3280', '03280-1234', '032801234', '3280.0'].map(zipKey)).toEqual(Array(5).fill('03280'));
    expect(['', 'ABCDE', '12', '123456', '00000', null].map(zipKey)).toEqual(Array(6).fill(null));
    expect(doorOf('316 N Belt Street Apt 4')).toEqual(doorOf('316 NORTH BELT ST #4'));
    expect(doorOf('Elm Street')).toBeNull();
  });

  test('the street raises the rank, and its absence does not exclude', () => {
    const elsewhere = { address: '99 Oak Ave', phones: [phone(9)] };
    const unknown = { address: null, phones: [phone(5)] };
    const flat = { address: '12 Elm Street Apt 4', phones: [phone(4)] };
    const here = { address: '12 ELM STREET', phones: [phone(1)] };
    expect(numbers({ address: '12 elm st' }, elsewhere, unknown, flat, here)).toEqual(['01', '04', '05', '09']);
    expect(numbers({ address: '12 elm st' }, elsewhere)).toEqual(['09']);
  });
});

describe('phones', () => {
  test('come from all records of the person, best record first, each once, at most six', () => {
    const first = { firstName: 'Bill', phones: [phone(7), phone(1), phone(8)] };
    const exact = { phones: [phone(1), phone(2), phone(3), phone(4), phone(2)] };
    expect(numbers({}, first, exact)).toEqual(['01', '02', '03', '04', '07', '08']);
    expect(numbers({}, { phones: Array.from({ length: 20 }, (_, i) => phone(i)) })).toHaveLength(6);
  });

  test('of two matching persons gives only the better match', () => {
    expect(numbers({}, { middleName: 'A', phones: [phone(1)] }, { middleName: 'B', phones: [phone(2)] })).toEqual([
      '01',
    ]);
    expect(numbers({}, { suffix: 'SR', phones: [phone(1)] }, { suffix: null, phones: [phone(2)] })).toEqual([
      '02',
      '01',
    ]);
    const pat = { firstName: 'Pat' };
    expect(
      numbers(pat, { firstName: 'Patrick', phones: [phone(1)] }, { firstName: 'Patricia', phones: [phone(2)] }),
    ).toEqual(['01']);
    // Both are short forms of the wanted name.
    const robert = { firstName: 'Robert' };
    expect(numbers(robert, { firstName: 'Bob', phones: [phone(1)] }, { firstName: 'Rob', phones: [phone(2)] })).toEqual(
      ['01', '02'],
    );
  });

  test('the names are those of the best record', () => {
    const match = matchContact(wanted({ address: '12 Elm St' }), [
      contact({ address: '1 Oak Ave', phones: [phone(2)] }),
      contact({ firstName: 'Bill', lastName: 'QUIMBY' }),
    ]);
    expect(match).toMatchObject({ firstName: 'Bill', lastName: 'QUIMBY' });
  });

  test.each<[(boolean | null)[], boolean | null]>([
    [[null], null],
    [[null, null], null],
    [[null, false], false],
    [[false, null], false],
    [[false, true], true],
    [[true, false], true],
    [[null, true], true],
  ])('Do Not Call of %j is %j: a warning is never talked away', (flags, expected) => {
    const records = flags.map((dnc) => contact({ phones: [phone(1, { dnc })] }));
    expect(matchContact(wanted(), records)?.phones).toEqual([phone(1, { dnc: expected })]);
  });

  test('the line type comes from the best record that knows one', () => {
    const records = [null, 'Landline', 'Mobile'] as const;
    const match = matchContact(
      wanted(),
      records.map((lineType) => contact({ phones: [phone(1, { lineType })] })),
    );
    expect(match?.phones[0]?.lineType).toBe('Landline');
  });

  test('that nobody can have are left out, and a record without others is no match', () => {
    const invalid = { number: '6031115555', lineType: null, dnc: null };
    expect(numbers({}, { phones: [invalid, phone(1)] })).toEqual(['01']);
    expect(matchContact(wanted(), [contact({ phones: [invalid] })])).toBeNull();
    expect(matchContact(wanted(), [contact({ phones: [] })])).toBeNull();
    expect(matchContact(wanted(), [])).toBeNull();
    expect(numbers({ firstName: 'Bill' }, { phones: [invalid] }, { firstName: 'Bill', phones: [phone(2)] })).toEqual([
      '02',
    ]);
  });
});

describe('parsePhoneNumber', () => {
  test.each([
    '6035550100',
    '(603) 555-0100',
    '603.555.0100',
    '1-603-555-0100',
    '+1 603 555 0100',
    '6035550100.0',
    '6.035550100E9',
    '603-555-0100 x12',
    ' 603 555 0100 ',
  ])('%j is 6035550100', (text) => expect(parsePhoneNumber(text)).toEqual({ number: '6035550100' }));

  test('takes the numbers for stories, in every area code', () => {
    for (const area of ['212', '406', '512', '603', '702', '787', '907'])
      for (const line of ['0100', '0142', '0199'])
        expect(parsePhoneNumber(`${area}555${line}`)).toEqual({ number: `${area}555${line}` });
  });

  test.each([
    ['555-0100', /has 7 digits; expected 10/],
    ['60355501', /has 8 digits/],
    ['', /holds no number/],
    ['call me', /holds no number/],
    ['6.04E+09', /rounded by a spreadsheet/],
    ['111-111-1111', /not a number that can be assigned/],
    ['603-111-5555', /not a number that can be assigned/],
    ['000-000-0000', /not a number that can be assigned/],
    ['+44 20 7946 0018', /another country \(\+44\)/],
  ])('%j: %s', (text, reason) => expect(parsePhoneNumber(text)).toEqual({ refused: expect.stringMatching(reason) }));
});
