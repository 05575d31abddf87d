/** Guessed mappings, measured: proposals with a confidence of 0.8 or more are right in at least 98 of 100 cases. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTableFile } from '../../../engine/importing/formats/table-file.ts';
import { assignBest } from '../../../engine/importing/guess/guess-assign.ts';
import { guessJoin } from '../../../engine/importing/guess/guess-join.ts';
import { type Guess, guessMapping } from '../../../engine/importing/guess/guess-mapping.ts';
import { guessByName } from '../../../engine/importing/guess/guess-patterns.ts';
import { sampleParcels } from '../../../engine/importing/guess/guess-sample.ts';
import { wordsOf } from '../../../engine/importing/guess/guess-words.ts';
import { joinTables, proposeMapping } from '../../../engine/importing/guess/propose-mapping.ts';
import { findProfile } from '../../../engine/importing/guess/recognise.ts';
import { realDataOrSkip, sharedData } from '../../support/shared-data.ts';
import { collection, lot, writeFile } from '../fixtures.ts';
import { addScore, guessOf, newScore, precision, recall, type Score, type Truth } from './guess-score.ts';
import { oddSchemas } from './odd-schemas.ts';
import { distractions, synonyms } from './synonyms.ts';
import { seeded } from './synthetic-county.ts';

const expectGood = (score: Score, leastRecall: number) => {
  expect(score.proposed, 'something is proposed').toBeGreaterThan(0);
  expect(precision(score), score.wrong.join('\n')).toBeGreaterThanOrEqual(0.98);
  expect(recall(score), score.missed.join('\n')).toBeGreaterThanOrEqual(leastRecall);
};

describe('names are taken apart as counties join and cut them', () => {
  test.each([
    ['OWNERNME1', 'owner_name'],
    ['PSTLADRESS', 'mailing_address'],
    ['LNDMKVAL', 'market_land_value'],
    ['APPR_TOT', 'market_total_value'],
    ['SALEDT', 'last_sale_date'],
    ['MAPLOT', 'apn'],
    ['GPIN', 'apn'],
    ['PROP_ZIP', 'situs_zip'],
    ['mcity', 'mailing_city'],
    ['M_ADDR', 'mailing_address'],
    ['SALEPR', 'last_sale_price'],
    ['ownerzipco', 'mailing_zip'],
    ['YearBuilt1', 'year_built'],
  ])('%s is %s', (name, target) => {
    const [best] = guessByName(wordsOf(name)).sort((a, b) => b.score - a.score);
    expect(best?.target).toBe(target);
  });

  test.each([
    'CALC_ACRES',
    'DEEDBK',
    'SALE_BOOK',
    'OWNER_PHONE',
    'EFF_YR_BLT',
    'TAXABLE_VAL',
    'Shape_Area',
    'OBJECTID',
  ])('%s is nothing of the dictionary', (name) => {
    expect(guessByName(wordsOf(name))).toEqual([]);
  });
});

test('the best assignment is that of all together, not the best one after the other', () => {
  // One after the other: 9 for the first, then 1 for the second, 10 in all. Together: 8 + 8.
  expect(
    assignBest([
      [9, 8],
      [8, 1],
    ]),
  ).toEqual([1, 0]);
  expect(
    assignBest([
      [5, 0],
      [6, 0],
    ]),
  ).toEqual([null, 0]);
  expect(assignBest([[0.2, 0.9, 0.1]])).toEqual([1]);
});

test('of random weights no assignment is better than the one that is chosen (5 × 6, all 720 × 6 tried)', () => {
  const random = seeded(7);
  for (let run = 0; run < 20; run++) {
    const weights = Array.from({ length: 5 }, () => Array.from({ length: 6 }, () => (random() < 0.3 ? 0 : random())));
    const total = assignBest(weights).reduce<number>(
      (sum, column, row) => sum + (column === null ? 0 : (weights[row]?.[column] ?? 0)),
      0,
    );
    expect(total).toBeCloseTo(bestByTrying(weights, 0, new Set()), 9);
  }
});

function bestByTrying(weights: readonly (readonly number[])[], row: number, used: ReadonlySet<number>): number {
  const here = weights[row];
  if (!here) return 0;
  let best = bestByTrying(weights, row + 1, used);
  for (const [column, weight] of here.entries()) {
    if (!used.has(column)) best = Math.max(best, weight + bestByTrying(weights, row + 1, new Set([...used, column])));
  }
  return best;
}

describe('what is guessed is right', () => {
  test('on twenty ways of naming columns', () => {
    const score = newScore();
    expect(oddSchemas).toHaveLength(20);
    for (const [index, schema] of oddSchemas.entries())
      addScore(score, schema.name, guessOf(schema, 1000 + index), schema.truth);
    expectGood(score, 0.95);
  });

  test('on sixty files whose names are picked among synonyms, with columns of no use between them', () => {
    const score = newScore();
    for (let run = 0; run < 60; run++) {
      const { columns, truth } = randomSchema(run + 1);
      addScore(
        score,
        `file ${run}`,
        guessOf({ name: '', state: 'OH', zip: '44100', columns, truth }, 500 + run),
        truth,
      );
    }
    expectGood(score, 0.98);
  });

  test('and if neither name nor values tell, nothing is proposed', () => {
    const schema = {
      name: '',
      state: 'OH',
      zip: '44100',
      columns: { A1: 'pin', B2: 'owner', C3: 'marketTotal', D4: 'saleDate' },
      truth: {},
    };
    expect(guessOf(schema, 3).columns).toEqual([]);
  });

  test('names do not outweigh values: acres that are no numbers, dates that are none', () => {
    const columns = { APN: 'pin', ACRES: 'zoning', SALE_DATE: 'situs', SITUS_STATE: 'mailState', OWNER: 'salePrice' };
    const { columns: guessed } = guessOf({ name: '', state: 'OH', zip: '44100', columns, truth: {} }, 4);
    expect(guessed.map(({ column }) => column)).toEqual(['apn']);
  });
});

function randomSchema(seed: number): { columns: Record<string, string>; truth: Truth } {
  const random = seeded(seed);
  const all: [string, string][] = [];
  const truth: Record<string, string> = {};
  for (const [target, { field, names }] of Object.entries(synonyms)) {
    const name = names[Math.floor(random() * names.length)] as string;
    if (target !== 'apn' && random() >= 0.67) continue;
    all.push([name, field]);
    truth[target] = name;
  }
  for (const entry of Object.entries(distractions)) if (random() < 0.5) all.push(entry);
  return {
    columns: Object.fromEntries(
      all
        .map((entry) => [random(), entry] as const)
        .sort(([a], [b]) => a - b)
        .map(([, entry]) => entry),
    ),
    truth,
  };
}

describe('units, dates and empty values are read from the values', () => {
  const guessed = (columns: Record<string, string>) => {
    const guess = guessOf({ name: '', state: 'OH', zip: '44100', columns, truth: {} }, 9);
    return Object.fromEntries(guess.columns.map(({ column, expression }) => [column, expression]));
  };

  test('square feet become acres, because they agree with the shapes', () => {
    expect(guessed({ PIN: 'pin', LOT_SIZE: 'lotSquareFeet' })).toEqual({
      apn: 'PIN',
      acres: { from: 'LOT_SIZE', scale: 1 / 43_560 },
    });
  });

  /** Lots of a file of points, or of shapes with which this share of the areas agrees. */
  const areaOf = (name: string, values: readonly number[], agreeing: number | null) => {
    const rows = values.map((value, index) => ({
      properties: { PIN: `7-${index + 100}`, [name]: value },
      id: undefined,
      table: null,
    }));
    const mapped = values.map((value, index) => (agreeing !== null && index < agreeing ? value / 43_560 : 7));
    const acres = agreeing === null ? values.map(() => null) : mapped;
    const sample = { columns: ['PIN', name], rows, acres, tableColumns: null };
    return guessMapping(sample, { state: 'OH' }).columns.find(({ column }) => column === 'acres');
  };
  const squareFeet = Array.from({ length: 40 }, (_, index) => 8000 + index * 150);
  const acres = Array.from({ length: 40 }, (_, index) => 0.2 + index / 8);

  test.each(['LOT_SIZE', 'LOT_AREA', 'LAND_AREA'])('%s without a unit gets it from the size of its numbers', (name) => {
    expect(areaOf(name, squareFeet, null)).toMatchObject({
      expression: { from: name, scale: 1 / 43_560 },
      reasons: expect.arrayContaining([expect.stringMatching(/^taken as square feet: half are above 11,000/)]),
    });
    expect(areaOf(name, acres, null)).toMatchObject({
      expression: name,
      reasons: expect.arrayContaining([expect.stringMatching(/^taken as acres: half are below 2\.7/)]),
    });
  });

  test('a name without a unit gets it from the shapes if a fifth of the rows agree; one with a unit from its name', () => {
    expect(areaOf('LOT_SIZE', squareFeet, 12)?.expression).toEqual({ from: 'LOT_SIZE', scale: 1 / 43_560 });
    expect(areaOf('LOT_SQFT', squareFeet, null)?.expression).toEqual({ from: 'LOT_SQFT', scale: 1 / 43_560 });
    expect(areaOf('TOTAL_ACRES', squareFeet, null)?.expression).toBe('TOTAL_ACRES');
  });

  test('a date of eight digits with the month first is said; one that is read anyway is not', () => {
    expect(guessed({ PIN: 'pin', SALE_DATE: 'saleDateReversed' }).last_sale_date).toEqual({
      from: 'SALE_DATE',
      date: 'MMDDYYYY',
    });
    expect(guessed({ PIN: 'pin', SALE_DATE: 'saleDateSlashed' }).last_sale_date).toBe('SALE_DATE');
  });
});

const hasData = realDataOrSkip('guesses on real counties');
const file = (...parts: string[]): string => path.join(sharedData() ?? '', ...parts);

/** The hand-made mappings: any part of a combination, any of several choices. */
const realTruth: Readonly<Record<string, Truth>> = {
  three_forks_mt: {
    apn: 'parcelid',
    property_class_id: 'proptype',
    acres: 'totalacres',
    situs_address: 'addresslin + addressl_1',
    situs_city: 'citystatez (its city)',
    situs_state: 'citystatez (its state)',
    situs_zip: 'citystatez (its zip)',
    subdivision: 'subdivisio',
    legal_description: 'legaldescr',
    owner_name: 'ownername',
    mailing_address: 'owneraddre + owneradd_1 + owneradd_2',
    mailing_city: 'ownercity',
    mailing_state: 'ownerstate',
    mailing_zip: 'ownerzipco',
    market_total_value: 'totalvalue',
    market_land_value: 'totallandv',
    market_improvement_value: 'totalbuild',
    tax_year: 'taxyear',
    market_year: 'taxyear',
    external_id: 'propertyid',
    tax_account_number: 'assessment',
  },
  williamsburg_va: {
    apn: 'PID',
    acres: 'AreaAc',
    property_class_id: 'ClassType',
    land_use_code: 'PrclUse',
    land_use_description: 'LUCat',
  },
  washington_nh: {
    apn: 'id',
    tax_account_number: 'table.PID',
    acres: ['table.ACRES', 'area'],
    situs_address: ['table.LOCNUMB + table.LOCNAME', 'address'],
    situs_city: ['table.TOWNNAME', 'town'],
    land_use_code: 'use',
    land_use_description: 'table.LANDUSE',
    zoning: 'table.ZONE',
    owner_name: ['table.OWNER', 'owner'],
    owner_name_2: 'table.COOWNER',
    mailing_address: 'table.ADDRESS + table.ADDRESS2',
    mailing_city: 'table.CITY',
    mailing_state: 'table.STATE',
    mailing_zip: 'table.ZIP + table.ZIP4',
    assessed_total_value: 'table.TOTTXVAL',
    assessed_land_value: 'table.LNDTXVAL',
    assessed_improvement_value: ['table.BLDTXVAL', 'table.FEATXVAL'],
    market_total_value: 'table.CARDTOTAL',
    last_sale_price: 'table.SALEPRICE',
    last_sale_price_code: ['table.SALEQUAL', 'table.SALEIMPR'],
    last_sale_date: 'table.SALEDATE',
    last_sale_seller_name: 'table.SALEGRNT',
    year_built: 'table.YRBUILT',
  },
};

function guessReal(place: string, state: string, tableFile?: string): Guess {
  const sample = sampleParcels(file(place, 'parcels.geojson'));
  if (tableFile === undefined) return guessMapping(sample, { state });
  const table = openTableFile(tableFile);
  const join = guessJoin(sample, table);
  if (!join) throw new Error('nothing joins');
  return guessMapping(joinTables(sample, [table], [join]).sample, { state, joins: [join] });
}

describe.runIf(hasData)('on real counties', () => {
  test('what is sure is what the hand-made mappings say', () => {
    const score = newScore();
    const table = file('washington_nh', 'assessor_2026-07.dbf');
    addScore(score, 'three_forks_mt', guessReal('three_forks_mt', 'MT'), realTruth.three_forks_mt ?? {});
    addScore(score, 'williamsburg_va', guessReal('williamsburg_va', 'VA'), realTruth.williamsburg_va ?? {});
    addScore(score, 'washington_nh', guessReal('washington_nh', 'NH', table), realTruth.washington_nh ?? {});
    expectGood(score, 0.65);
  });

  test('the table of Washington joins its polygons, though one is written in groups of six', () => {
    const table = openTableFile(file('washington_nh', 'assessor_2026-07.dbf'));
    // 2,015 of 2,016 parcels, as the hand-made mapping joins them.
    expect(guessJoin(sampleParcels(file('washington_nh', 'parcels.geojson')), table)?.share).toBeCloseTo(
      2015 / 2016,
      6,
    );
  });

  test('each of the three is known by its profile', () => {
    const known = (columns: readonly string[], tableColumns: readonly string[] | null, state: string) =>
      findProfile({ columns, tableColumns, state })?.recognition.profile;
    const of = (place: string) => sampleParcels(file(place, 'parcels.geojson')).columns;
    const table = openTableFile(file('washington_nh', 'assessor_2026-07.dbf')).columns;
    expect(known(of('three_forks_mt'), null, 'MT')).toBe('three_forks_mt');
    expect(known(of('williamsburg_va'), null, 'VA')).toBe('williamsburg_va');
    expect(known(of('washington_nh'), table, 'NH')).toBe('washington_nh');
    expect(known(of('washington_nh'), null, 'NH')).toBeUndefined();
  });
});

test('a proposal shows each column before and after, what is unmapped and why, and a mapping that can be imported', () => {
  const lots = Array.from({ length: 30 }, (_, index) => ({
    geometry: lot(null, index).geometry,
    properties: {
      OBJECTID: index + 1,
      PARCEL_NO: `7-${index + 100}`,
      OWNER: `QUILLBY ${'ABCDEFGHIJ'[index % 10]}ORA`,
      SALE_DT: '03/04/2019',
      Shape_Area: 1,
      MYSTERY: 'x',
    },
  }));
  const proposal = proposeMapping({ file: writeFile('odd.geojson', collection(lots)), state: 'NH' });
  expect(proposal.profile).toBeNull();
  expect(proposal.isSure).toBe(true);
  expect(proposal.columns.map(({ column, source, sample, after }) => [column, source, sample, after])).toEqual([
    ['apn', 'PARCEL_NO', '7-100', '7-100'],
    ['owner_name', 'OWNER', 'QUILLBY AORA', 'QUILLBY AORA'],
    ['last_sale_date', 'SALE_DT', '03/04/2019', '2019-03-04'],
  ]);
  expect(proposal.unmapped.map(({ name, reason }) => [name, reason !== null])).toEqual([
    ['OBJECTID', true],
    ['Shape_Area', true],
    ['MYSTERY', false],
  ]);
  expect(proposal.mapping?.columns).toEqual({ apn: 'PARCEL_NO', owner_name: 'OWNER', last_sale_date: 'SALE_DT' });
});

/** Forty lots of one county; each column is written for a lot by its number. */
function proposalOf(columns: Record<string, (index: number) => string | number | null>, state = 'NH') {
  const lots = Array.from({ length: 40 }, (_, index) => ({
    geometry: lot(null, index).geometry,
    properties: {
      PARCEL_NO: `7-${index + 100}`,
      ...Object.fromEntries(Object.entries(columns).map(([name, write]) => [name, write(index)])),
    },
  }));
  return proposeMapping({ file: writeFile('odd.geojson', collection(lots)), state });
}
const mapped = (proposal: ReturnType<typeof proposalOf>) => proposal.mapping?.columns ?? {};
const person = (index: number) => `QUILLBY ${'ABCDEFGHIJ'[index % 10]}ORA`;
const towns = ['ALDER FORD', 'BIRCH', 'CEDAR MILLS'];
const town = (index: number) => towns[index % 3] as string;

describe('columns that are mostly empty', () => {
  test('a taxpayer on every row is not passed over for an owner on a few: both are read, in order', () => {
    const proposal = proposalOf({
      OWNER_NAME: (index) => (index < 3 ? `OWNER ${person(index)}` : null),
      TAXPAYER_NAME: (index) => (index === 39 ? null : person(index)),
    });
    const owner = proposal.columns.find(({ column }) => column === 'owner_name');
    expect(owner).toMatchObject({ expression: { from: ['OWNER_NAME', 'TAXPAYER_NAME'] }, filled: 39 / 40 });
    expect(owner?.reasons.join()).toContain('OWNER_NAME is filled on 8 % of rows, TAXPAYER_NAME on 98 %');
    expect(owner?.samples).toEqual(['OWNER QUILLBY AORA', 'OWNER QUILLBY BORA', 'OWNER QUILLBY CORA']);
  });

  test('amounts are not filled from another column, which may be of another year: the filled one is taken', () => {
    const proposal = proposalOf({
      SALE_PRICE: (index) => (index < 3 ? 90_000 + index : null),
      LAST_SALE_AMT: (index) => 50_000 + 7 * index,
    });
    expect(mapped(proposal).last_sale_price).toBe('LAST_SALE_AMT');
  });
});

test('a column of amounts with a name of uses is no land use code', () => {
  const deferral = (index: number) => (index % 3 === 0 ? 0 : 104_000 + 321 * index);
  expect(mapped(proposalOf({ LAND_USE: deferral }))).not.toHaveProperty('land_use_code');
  expect(mapped(proposalOf({ LAND_USE: (index) => 100 + 10 * (index % 7) })).land_use_code).toBe('LAND_USE');
});

test.each([
  ['blanks', (index: number) => `${town(index)}   MT 5975${index % 10}`],
  ['a comma', (index: number) => `${town(index)}, MT 5975${index % 10}`],
  ['many blanks and a long ZIP', (index: number) => `${town(index)}  MT   5975${index % 10}-12${10 + index}`],
])('a line of town, state and ZIP with %s is taken apart', (_, line) => {
  const { columns } = proposalOf({ OWNER: person, OWNER_ADDR: (i) => `${i + 1} ELM ST`, OWNER_CITYSTZIP: line }, 'MT');
  const samples = Object.fromEntries(columns.map((one) => [one.column, one.samples]));
  expect(samples).toMatchObject({ mailing_city: towns, mailing_state: ['MT'] });
  expect(samples.mailing_zip?.[0]).toMatch(/^59750/);
});

test.each([
  ['OWNER', 'OWNER_ADDR', 'CITY', 'STATE', 'ZIP', 'LOCATION'],
  ['LOCATION', 'OWNER', 'MAIL_ADDR', 'CITY', 'STATE', 'ZIP'],
])(
  'CITY, STATE and ZIP after the address of an owner are not the parcel’s, though all lie in one state: %s %s',
  (...names) => {
    const writers: Record<string, (index: number) => string> = {
      OWNER: person,
      CITY: town,
      STATE: () => 'NH',
      ZIP: (index) => `0328${index % 10}`,
      LOCATION: (index) => `${index + 3} MILL RD`,
    };
    const address = (index: number) => `${index + 1} ELM ST`;
    const columns = mapped(proposalOf(Object.fromEntries(names.map((name) => [name, writers[name] ?? address]))));
    expect(columns).toMatchObject({ mailing_city: 'CITY', mailing_state: 'STATE', mailing_zip: 'ZIP' });
    expect(columns).not.toHaveProperty('situs_state');
    expect(columns).not.toHaveProperty('situs_zip');
  },
);

test('a ZIP behind the rest of the owner’s address completes it and is not the parcel’s', () => {
  const proposal = proposalOf({
    MAIL_ADDR: (index) => `${index + 1} MAIN ST`,
    MAIL_CITY: (index) => town(index),
    MAIL_STATE: () => 'NH',
    ZIP_5: (index) => `0328${index % 10}`,
    ZIP_4: (index) => `12${10 + index}`,
  });
  const { mailing_zip: mailing, situs_zip: situs } = mapped(proposal);
  expect([mailing, situs]).toEqual([{ concat: ['ZIP_5', 'ZIP_4'], separator: '-' }, undefined]);
});

test('plain names of a county’s export are known', () => {
  const proposal = proposalOf({
    ADDR_NUM: (index) => index + 1,
    ST_DIR: (index) => (index % 2 ? 'N' : 'S'),
    ST_NAME: (index) => `${town(index)}`,
    ST_TYPE: () => 'RD',
    CURRLAND: (index) => 40_000 + 10 * index,
    CURRIMPR: (index) => 90_000 + 10 * index,
    YEAR_BUILD: (index) => 1950 + index,
    saleprice: (index) => 30_000 + index,
    saledate: (index) => `2019-03-${10 + (index % 20)}`,
    MAIL_ZIP: (index) => `0328${index % 10}`,
    MAIL_ZIP_4: (index) => `12${10 + index}`,
  });
  expect(mapped(proposal)).toMatchObject({
    situs_address: { concat: ['ADDR_NUM', 'ST_DIR', 'ST_NAME', 'ST_TYPE'], separator: ' ' },
    assessed_land_value: 'CURRLAND',
    assessed_improvement_value: 'CURRIMPR',
    year_built: 'YEAR_BUILD',
    last_sale_price: 'saleprice',
    last_sale_date: 'saledate',
    mailing_zip: { concat: ['MAIL_ZIP', 'MAIL_ZIP_4'], separator: '-' },
  });
});

describe('bare headings of an address', () => {
  const address = {
    ADDR_NUM: (index: number) => index + 1,
    DIR: (index: number) => (index % 3 === 0 ? null : 'N'),
    STREET: town,
    SUFFIX: (index: number) => ['Rd', 'AVE', 'LN.'][index % 3] as string,
  };

  test('are parts of it beside the number and the street; ZIP_4 is of the ZIP before it', () => {
    const proposal = proposalOf({
      ...address,
      ZIP: (index) => `0328${index % 10}`,
      OWNER: person,
      MAIL_ADDR: (index) => `${index + 1} ELM ST`,
      MAIL_ZIP: (index) => `0328${index % 10}`,
      ZIP_4: (index) => 12 + index,
    });
    expect(mapped(proposal)).toMatchObject({
      situs_address: { concat: ['ADDR_NUM', 'DIR', 'STREET', 'SUFFIX'], separator: ' ' },
      situs_zip: 'ZIP',
    });
    // A number has lost its zeros.
    expect(proposal.columns.find(({ column }) => column === 'mailing_zip')?.samples[0]).toBe('03280-0012');
    expect(proposal.unmapped).toEqual([]);
  });

  test('are the owner’s beside the owner’s number and street, and a bare number counts beside a street', () => {
    const { ADDR_NUM: number, DIR, STREET, SUFFIX } = address;
    expect(mapped(proposalOf({ OWNER_NUM: number, DIR, OWNER_STREET: STREET, SUFFIX }))).toMatchObject({
      mailing_address: { concat: ['OWNER_NUM', 'DIR', 'OWNER_STREET', 'SUFFIX'] },
    });
    expect(mapped(proposalOf({ NUMBER: number, STREET, TYPE: SUFFIX }))).toMatchObject({
      situs_address: { concat: ['NUMBER', 'STREET', 'TYPE'] },
    });
  });

  test.each<[string, Record<string, (index: number) => string | number | null>]>([
    ['without a number and a street', { DIR: address.DIR, SUFFIX: address.SUFFIX, OWNER: person }],
    [
      'apart from them',
      { ADDR_NUM: address.ADDR_NUM, STREET: town, OWNER: person, DIR: address.DIR, X1: town, SUFFIX: address.SUFFIX },
    ],
    [
      'with other values',
      {
        ADDR_NUM: address.ADDR_NUM,
        STREET: town,
        SUFFIX: (index) => ['JR', 'SR', 'III'][index % 3] as string,
        DIR: () => 'UP',
      },
    ],
  ])('are left alone %s', (_, columns) => {
    const proposal = proposalOf(columns);
    expect(proposal.unmapped.map(({ name }) => name)).toEqual(expect.arrayContaining(['DIR', 'SUFFIX']));
  });
});
