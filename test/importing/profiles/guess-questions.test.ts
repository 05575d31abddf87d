/** What a guess reads from all rows, and what it asks: lines, wholes and parts, numbers, twins, tables of many rows. */
import { describe, expect, test } from 'vitest';
import { chooseMapping } from '../../../engine/importing/guess/choose-mapping.ts';
import { proposeMapping } from '../../../engine/importing/guess/propose-mapping.ts';
import { partOfLines } from '../../../engine/importing/mapping/address-lines.ts';
import { parseMapping } from '../../../engine/importing/mapping/mapping.ts';
import { importParcels } from '../../../engine/importing/merge/import-parcels.ts';
import { clock, collection, openLand, square, writeFile } from '../fixtures.ts';

const surnames = ['FENWICK', 'GARLAND', 'HOBSON', 'INGRAM', 'JESSUP', 'KETTLE', 'LANDRY'];
const nameOf = (at: number): string => `${surnames[at % 7]} ${['ROWAN', 'SIDNEY', 'TOBY'][at % 3]}`;

const lotsOf = (count: number, row: (at: number) => Record<string, unknown>): string =>
  writeFile(
    'lots.geojson',
    collection(Array.from({ length: count }, (_, at) => ({ geometry: square(at), properties: row(at) }))),
  );

/** The columns as an import without questions stores them. */
async function imported(file: string, names: readonly string[], choices = {}) {
  const chosen = chooseMapping({ file, state: 'NH' }, choices);
  if (chosen.kind !== 'mapping') throw new Error(`expected a sure mapping, found ${chosen.kind}`);
  const land = openLand();
  const mapping = parseMapping(chosen.mapping, 'given');
  await importParcels(land, { files: [file], fips: '33011', mapping, homeKind: 'real', now: clock });
  return land.file.all<Record<string, string | number | null>>(`SELECT ${names.join(', ')} FROM parcels`);
}

describe('an address in lines', () => {
  test('has its city on the last filled line of each row; lines above it are the street', async () => {
    // Every fourth row has a care-of line, every fifth no street.
    const lines = (at: number): string[] => [
      ...(at % 4 === 1 ? [`C/O ${nameOf(at + 2)}`] : []),
      ...(at % 5 === 2 ? [] : [`${at + 7} TANNERY LN`]),
      at % 3 === 0 ? `BOW, VT 05${String(at).padStart(3, '0')}` : `NEW BOSTON NH 03070-${1000 + at}`,
    ];
    const file = lotsOf(40, (at) => {
      const [BILLTO_1 = null, BILLTO_2 = null, BILLTO_3 = null] = lines(at);
      return { PIN: `R-${at + 400}`, OWNER: nameOf(at), BILLTO_1, BILLTO_2, BILLTO_3 };
    });
    const rows = await imported(file, ['mailing_address', 'mailing_city', 'mailing_state', 'mailing_zip']);
    expect(rows).toHaveLength(40);
    expect(rows).toEqual(
      expect.arrayContaining(
        Array.from({ length: 40 }, (_, at) => ({
          mailing_address: lines(at).slice(0, -1).join(', ') || null,
          mailing_city: at % 3 === 0 ? 'BOW' : 'NEW BOSTON',
          mailing_state: at % 3 === 0 ? 'VT' : 'NH',
          mailing_zip: at % 3 === 0 ? `05${String(at).padStart(3, '0')}` : `03070-${1000 + at}`,
        })),
      ),
    );
  });

  test('that begins with the name is the owner’s name and an address', () => {
    const file = lotsOf(30, (at) => ({
      PIN: `R-${at + 400}`,
      ...{ OWNER1: nameOf(at), OWNER2: at % 2 ? `PO BOX ${at}` : `${nameOf(at + 1)} TRUST` },
      ...{ OWNER3: at % 2 ? 'KEENE NH 03431' : `${at} ELM ST`, OWNER4: at % 2 ? null : 'KEENE NH 03431' },
    }));
    const found = proposeMapping({ file, state: 'NH' }).mapping?.columns;
    expect(found).toMatchObject({
      owner_name: 'OWNER1',
      mailing_city: { lines: ['OWNER2', 'OWNER3', 'OWNER4'], part: 'city' },
    });
  });

  test.each([
    [['4 QUAI NORD', 'MONTREAL QC H2Y 1C6', 'CANADA'], '4 QUAI NORD, MONTREAL QC H2Y 1C6, CANADA', null],
    [['4 MAIN ST', 'ST. ALBANS, VT 05478', 'USA'], '4 MAIN ST', 'ST. ALBANS'],
    [['COEUR D’ALENE ID 83814 2203'], null, 'COEUR D’ALENE'],
    [['12 OAK CT'], '12 OAK CT', null],
    [[], null, null],
  ])('%j', (lines, street, city) => {
    expect([partOfLines(lines, 'street'), partOfLines(lines, 'city')]).toEqual([street, city]);
  });
});

test('a column whose text holds another’s is never joined with it', async () => {
  const file = lotsOf(30, (at) => {
    const [OWN_ADDR1, OWN_ADDR2] = [`${at + 20} QUARRY RD`, at % 2 ? `UNIT ${at}` : ''];
    const OWN_ADDRESS = [OWN_ADDR1, OWN_ADDR2, 'LYME', 'NH', '03768'].filter((part) => part !== '').join(' ');
    return { PIN: `R-${at}A`, OWNER: nameOf(at), OWN_ADDRESS, OWN_ADDR1, OWN_ADDR2, OWN_CITY: 'LYME', OWN_ST: 'NH' };
  });
  const rows = await imported(file, ['mailing_address', 'mailing_city']);
  expect(rows).toEqual(
    expect.arrayContaining([
      { mailing_address: '20 QUARRY RD', mailing_city: 'LYME' },
      { mailing_address: '21 QUARRY RD UNIT 1', mailing_city: 'LYME' },
    ]),
  );
});

describe('the parcel number', () => {
  test('is asked where no name says it; only a unique column that is no counter is proposed', () => {
    const file = lotsOf(6, (at) => ({ FID: at, SEQ: 6 - at, CUST: `Q${at * 37}`, ACRES: 2 + at / 7, ZONING: 'RR' }));
    const chosen = chooseMapping({ file, state: 'NH' });
    expect(chosen.kind).toBe('ask');
    const [question, ...others] = chosen.kind === 'ask' ? chosen.proposal.questions : [];
    expect(others).toEqual([]);
    expect(question?.choices.map(({ value, filled, samples }) => ({ value, filled, samples }))).toEqual([
      { value: 'CUST', filled: 1, samples: ['Q0', 'Q37', 'Q74'] },
      { value: '', filled: null, samples: [] },
    ]);
  });

  test('is what a person answers, or none', async () => {
    const file = lotsOf(6, (at) => ({ CUST: `Q${at * 37}`, ACRES: 2 + at / 7, ZONING: 'RR' }));
    expect(await imported(file, ['apn', 'acres'], { apn: 'CUST' })).toContainEqual({ apn: 'Q0', acres: 2 });
    expect(await imported(file, ['apn'], { apn: '' })).toEqual(Array.from({ length: 6 }, () => ({ apn: null })));
  });

  test('a file named as in the dictionary with its number needs no answer', () => {
    const file = lotsOf(6, (at) => ({ apn: `Q${at}`, acres: 2, zoning: 'RR', remark: `see ${at}` }));
    expect(chooseMapping({ file, state: 'NH' }).kind).toBe('dictionary');
  });
});

test('the column of a second owner is no second column of one name', () => {
  const row = (at: number) => ({ PIN: `7-${at}`, owner_name: nameOf(at), owner_name_2: nameOf(at + 1) });
  expect(chooseMapping({ file: lotsOf(8, row), state: 'NH' }).kind).toBe('mapping');
});

test('of two columns of one name that differ, a person says which is meant', async () => {
  const file = lotsOf(8, (at) => ({ PIN: `7-${at}`, OWNER: nameOf(at), OWNER_1: nameOf(at + 1) }));
  const { questions } = proposeMapping({ file, state: 'NH' });
  expect(questions).toMatchObject([{ about: 'owner_name', choices: [{ value: 'OWNER' }, { value: 'OWNER_1' }] }]);
  const rows = await imported(file, ['owner_name'], { owner_name: 'OWNER_1' });
  expect(rows.map((row) => row.owner_name).toSorted()).toEqual(
    Array.from({ length: 8 }, (_, at) => nameOf(at + 1)).toSorted(),
  );
  const same = lotsOf(8, (at) => ({ PIN: `7-${at}`, OWNER: nameOf(at), OWNER_1: nameOf(at) }));
  expect(proposeMapping({ file: same, state: 'NH' }).questions).toEqual([]);
});

test('an owner abroad has no ZIP code; postal code and country stand with the address', async () => {
  const abroad = new Map([
    [7, ['110057', 'IND']],
    [12, ['75008', 'FRA']],
    [21, ['H2Y 1C6', 'CAN']],
  ]);
  const file = lotsOf(40, (at) => {
    const [PSTL_ZIP = '03446', PSTL_CNTRY = at % 9 === 5 ? '' : 'USA'] = abroad.get(at) ?? [];
    return { PIN: `A-${at}`, PSTL_ADDR: `${at} FIR ST`, PSTL_CITY: 'SWANZEY', PSTL_STATE: 'NH', PSTL_ZIP, PSTL_CNTRY };
  });
  const rows = await imported(file, ['apn', 'mailing_address', 'mailing_zip']);
  expect(rows).toHaveLength(40);
  for (const row of rows) {
    const at = Number(String(row.apn).slice(2));
    const [code, country] = abroad.get(at) ?? [];
    expect(row).toMatchObject({
      mailing_address: code ? `${at} FIR ST ${code} ${country}` : `${at} FIR ST`,
      mailing_zip: code ? null : '03446',
    });
  }
});

test('six digits are no ZIP code, whether or not a column names the country', async () => {
  const file = lotsOf(9, (at) => ({ PIN: `A-${at}`, MAIL_ZIP: at === 3 ? '560001' : '3446' }));
  const rows = await imported(file, ['mailing_zip']);
  expect(rows.map((row) => row.mailing_zip).filter((zip) => zip !== '03446')).toEqual([null]);
});

test('house number, direction, street and suffix make the parcel’s address', async () => {
  const file = lotsOf(30, (at) => ({
    ...{ PIN: `R-${at}`, ADDRESS: at + 7, DIRECTION: at % 3 ? '' : 'N' },
    ...{ STREET: ['MAPLE', 'OAK', 'ELM HILL'][at % 3], SUFFIX: ['RD', 'ST', 'LN'][at % 3] },
  }));
  const rows = await imported(file, ['situs_address']);
  expect(rows.map((row) => row.situs_address)).toEqual(
    expect.arrayContaining(['7 N MAPLE RD', '8 OAK ST', '9 ELM HILL LN', '10 N MAPLE RD']),
  );
});

test('amounts never become a use code, padded numbers are amounts', () => {
  const file = lotsOf(40, (at) => ({
    ...{ PIN: `R-${at}`, LAND_USE: at % 4 ? '0' : `     $${12 + at},500` },
    ...{ USE: 7150 + at * 113, LAND_VAL: `     ${118 + at},650` },
  }));
  const columns = proposeMapping({ file, state: 'NH' }).columns.map(({ column, source, samples }) => [
    column,
    source,
    samples[0],
  ]);
  expect(columns).toEqual([
    ['apn', 'PIN', 'R-0'],
    ['assessed_land_value', 'LAND_VAL', '118650'],
  ]);
});

describe('a decimal comma', () => {
  test('is read, and said', async () => {
    const file = lotsOf(9, (at) => ({
      PIN: `7-${at}A`,
      OWNER: nameOf(at),
      ACRES: `${at},25`,
      LAND_VALUE: `1${at}.500,50`,
    }));
    const proposal = proposeMapping({ file, state: 'NH' });
    expect(proposal.columns.find(({ column }) => column === 'acres')?.source).toBe('ACRES (decimal comma)');
    const rows = await imported(file, ['acres', 'assessed_land_value AS land']);
    // 0 acres mean unknown; cents are rounded.
    expect(rows).toEqual(
      expect.arrayContaining([
        { acres: 0.25, land: 10_501 },
        { acres: 1.25, land: 11_501 },
        { acres: 2.25, land: 12_501 },
      ]),
    );
  });

  test('and a unit stay where a person names the same column', async () => {
    const file = lotsOf(9, (at) => ({ PIN: `7-${at}A`, OWNER: nameOf(at), LOT_SQFT: `${43_560 * (at + 1)},0` }));
    expect(await imported(file, ['acres'], { acres: 'LOT_SQFT' })).toContainEqual({ acres: 2 });
  });

  test('is not taken from a comma of thousands, nor from lists', () => {
    const file = lotsOf(9, (at) => ({
      PIN: `7-${at}A`,
      OWNER: nameOf(at),
      LAND_VALUE: `${at + 1},500`,
      LEGAL: `1,${at}`,
    }));
    const { columns } = proposeMapping({ file, state: 'NH' });
    expect(columns.map(({ source }) => source).filter((source) => source.includes('comma'))).toEqual([]);
  });
});

describe('a table with many rows of one lot', () => {
  test('joins by the key of most lots, and what becomes of several rows is asked', () => {
    const lots = lotsOf(60, (at) => ({ GIS_KEY: `G${at * 11 + 5}`, MBL: `${Math.floor(at / 10) + 1}-${at + 1}` }));
    // Every third lot has three units; a counter of the roll matches digits of the lots by chance.
    const roll = ['UNITKEY,MBL,OWNER,LAND_VALUE'];
    for (let at = 0; at < 60; at++)
      for (let unit = 0; unit < (at % 3 === 0 ? 3 : 1); unit++)
        roll.push(`${roll.length},${Math.floor(at / 10) + 1}-${at + 1},${nameOf(at + unit)},${1000 * (unit + 1) + at}`);
    const joinFiles = [writeFile('roll.csv', roll.join('\n'))];
    const { joins, mapping, questions } = proposeMapping({ file: lots, joinFiles, state: 'NH' });
    expect(joins).toMatchObject([{ parcel: 'MBL', table: 'MBL', share: 1, several: 20 }]);
    expect(mapping?.columns.apn).toBe('MBL');
    expect(questions).toMatchObject([
      { about: 'rows', choices: [{ value: 'LAND_VALUE=sum' }, { value: 'first' }, { value: 'last' }] },
    ]);
    expect(chooseMapping({ file: lots, joinFiles, state: 'NH', joinRows: 'first' }).kind).toBe('mapping');
  });

  test('joins by columns that a person names, however both are written', () => {
    const file = lotsOf(20, (at) => ({ MAP: `0${(at % 4) + 1}`, BLOCK: at % 3, LOT: `00${at + 1}`, NAME: 'x' }));
    const rows = Array.from({ length: 20 }, (_, at) => `${(at % 4) + 1}/${at % 3}/${at + 1},${nameOf(at)}`);
    const table = writeFile('roll.csv', ['MBLU,OWNER', ...rows].join('\n'));
    const joined = (joinKey: string) =>
      proposeMapping({ file, joinFiles: [table], state: 'NH', joinKeys: [joinKey] }).joins;
    expect(joined('MAP+BLOCK+LOT=MBLU')).toMatchObject([{ share: 1, several: 0 }]);
    expect(() => joined('MAP+BLOK+LOT=MBLU')).toThrow('Did you mean BLOCK?');
    expect(() => joined('NAME=MBLU')).toThrow('No parcel finds a row');
    expect(() => joined('MAP')).toThrow('MAP+BLOCK+LOT=MBLU');
  });
});
