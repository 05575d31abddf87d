import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { areRelated, surnamesOf } from '../../engine/contacts/deed-parties.ts';
import { readSaleCode } from '../../engine/importing/lists/comp-screens.ts';
import { deriveComps } from '../../engine/importing/lists/derive-comps.ts';
import { importComps } from '../../engine/importing/lists/import-comps.ts';
import { loadMapping } from '../../engine/importing/mapping/mapping.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { marketComps } from '../../engine/query/comp-query.ts';
import type { LandStore } from '../../engine/store/land-store.ts';
import { clock, importLots, lot, openLand } from '../importing/fixtures.ts';
import { realDataOrSkip, sharedData } from '../support/shared-data.ts';

const fips = '33019';

/** A qualified sale of bare land between strangers. */
const soundSale = {
  owner_name: 'OAKES, RUTH',
  acres: 5,
  last_sale_price: 50_000,
  last_sale_price_code: 'Q',
  last_sale_date: '2024-05-06',
  last_sale_seller_name: 'MARSH, ELLEN',
  structure_count: 0,
  land_use_code: 'VAC',
};

/** Each lot with its difference from a sound sale; its price identifies it, so that no two are one deed. */
async function landWith(changes: readonly Record<string, unknown>[]): Promise<LandStore> {
  const land = openLand();
  await importLots(
    land,
    changes.map((change, i) => lot(`${i + 1}-1`, i, { ...soundSale, last_sale_price: 50_000 + i, ...change })),
  );
  return land;
}

const removedBy = (land: LandStore, options = {}) =>
  Object.fromEntries(
    deriveComps(land, fips, options)
      .screens.filter(({ removed }) => removed > 0)
      .map(({ rule, removed }) => [rule, removed]),
  );

describe('a recorded sale', () => {
  test('becomes a comp of the assessor, with place, use and parcel', async () => {
    const land = await landWith([
      { situs_address: '7 MILL RD', situs_zip: '03280', last_sale_document_type: 'WARRANTY' },
    ]);
    expect(deriveComps(land, fips)).toMatchObject({
      parcels: 1,
      sales: 1,
      comps: 1,
      new: 1,
      removed: 0,
      codes: { Q: 1 },
    });
    expect(land.file.all('SELECT * FROM comps')).toMatchObject([
      {
        source: 'assessor',
        fips,
        property_id: 1,
        status: 'SOLD',
        address: '7 MILL RD',
        state: 'NH',
        zip: '03280',
        county: 'Sullivan County',
        apn: '1-1',
        lot_size: 5,
        price: 50_000,
        use: 'VAC',
        sold_date: '2024-05-06',
        as_of_date: null,
        sale_type: 'WARRANTY',
        url: null,
        coordinate_grain: 'parcel',
      },
    ]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['nominal_price', { last_sale_price: null }],
    ['nominal_price', { last_sale_price: 999 }],
    ['nominal_price', { last_sale_price: 4999, acres: 100 }],
    ['not_qualified', { last_sale_price_code: 'U' }],
    ['improved', { structure_count: 1 }],
    ['improved', { structure_count: 2, year_built: 1990 }],
    ['improved', { structure_count: null, year_built: 2024 }],
    ['improved', { structure_count: null, assessed_improvement_value: 80_000 }],
    ['improved', { structure_count: 0, last_sale_price_code: 'Q I' }],
    ['vacancy_unknown', { structure_count: null }],
    ['family', { inter_family_transfer: true }],
    ['family', { last_sale_seller_name: 'OAKES, JOHN & RUTH' }],
    ['family', { last_sale_seller_name: 'OAKES FAMILY TRUST' }],
    ['family', { owner_name: 'PINE LLC', last_sale_seller_name: 'Pine, LLC' }],
    ['family', { last_sale_seller_name: 'LARK MARY', last_sale_buyer_name: 'LARK TOM' }],
    ['institution', { last_sale_seller_name: 'TOWN OF WRENFIELD' }],
    ['institution', { last_sale_seller_name: 'FIRST NATIONAL BANK' }],
    ['institution', { owner_name: 'STATE OF NEW HAMPSHIRE' }],
    ['institution', { last_sale_document_type: "TAX COLLECTOR'S DEED" }],
    ['institution', { last_sale_document_type: 'QC' }],
  ])('is out as %s: %j', async (rule, change) => {
    // The second one shows that the county gives codes.
    const land = await landWith([change, {}]);
    expect(removedBy(land)).toEqual({ [rule]: 1 });
  });

  test.each<[string, Record<string, unknown>]>([
    ['a house built in a later year', { structure_count: 1, year_built: 2025 }],
    ['the flag of the county against a house of today', { structure_count: 1, last_sale_price_code: 'Q V' }],
    [
      'land assessed without improvements',
      { structure_count: null, assessed_total_value: 900, assessed_land_value: 900, assessed_improvement_value: 0 },
    ],
    ['an unknown seller', { last_sale_seller_name: null }],
    ['a seller called BANKS', { last_sale_seller_name: 'BANKS, TOM' }],
    ['a company', { last_sale_seller_name: 'PINE LLC' }],
    ['exactly $1,000, exactly $50 an acre', { last_sale_price: 1000, acres: 20 }],
  ])('passes with %s', async (_name, change) => {
    const land = await landWith([change, {}]);
    expect(removedBy(land)).toEqual({});
  });

  test('is not asked for a code where the county gives none', async () => {
    const land = await landWith([{ last_sale_price_code: null }, { last_sale_price_code: null }]);
    expect(removedBy(land)).toEqual({});
  });

  test('is qualified by other codes where the county has its own', async () => {
    const land = await landWith([{ last_sale_price_code: '01' }, { last_sale_price_code: '30' }]);
    expect(removedBy(land)).toEqual({ not_qualified: 2 });
    expect(removedBy(land, { qualifiedCodes: ['01'] })).toEqual({ not_qualified: 1 });
  });

  test('of several parcels by one deed leaves out all of them', async () => {
    const one = { last_sale_price: 80_000 };
    const land = await landWith([
      one,
      { ...one, last_sale_seller_name: ' marsh,  Ellen' },
      { ...one, last_sale_date: '2024-05-07' },
      {},
    ]);
    expect(removedBy(land)).toEqual({ several_parcels: 2 });
  });

  test('that a listing source has already is not told twice', async () => {
    const land = await landWith([{}, {}]);
    importComps(land, {
      features: [
        {
          geometry: null,
          properties: {
            source: 'MLS',
            source_id: '1',
            apn: '1-1',
            price: 51_000,
            sold_date: '2024-04-20',
            lot_size: 5,
          },
        },
        // The same parcel two years before: another sale.
        {
          geometry: null,
          properties: { source: 'MLS', source_id: '2', apn: '2-1', price: 50_000, sold_date: '2022-05-06' },
        },
      ],
      fips,
      homeKind: 'real',
      now: clock,
    });
    expect(removedBy(land)).toEqual({ already_listed: 1 });
  });
});

describe('a sale that the county and a listing source tell', () => {
  const listed = (land: LandStore) =>
    importComps(land, {
      features: [1, 2, 3, 4].map((telling) => ({
        geometry: { type: 'Point', coordinates: [-71.9995, 43.0005] },
        properties: {
          ...{ source: 'MLS', source_id: telling, status: 'SOLD', price: 50_400, lot_size: 5 },
          sold_date: `2024-04-2${telling}`,
        },
      })),
      fips,
      homeKind: 'real',
      now: clock,
    });
  const sources = (land: LandStore) =>
    land.file.all('SELECT source, source_id, property_id FROM comps ORDER BY source, source_id');
  const soldCount = (land: LandStore) => marketComps(land, fips, new Date('2025-01-01T12:00:00Z')).length;

  test('counts once in either order, though the source tells it four times', async () => {
    const first = await landWith([{}]);
    expect(deriveComps(first, fips)).toMatchObject({ comps: 1 });
    expect(listed(first)).toMatchObject({ new: 4, linked_by_place: 4, derived_replaced: 1, told_again: 3 });
    const second = await landWith([{}]);
    expect(listed(second)).toMatchObject({ new: 4, derived_replaced: 0, told_again: 3 });
    expect(removedBy(second)).toEqual({ already_listed: 1 });
    expect(sources(first)).toEqual(sources(second));
    expect(soldCount(first)).toBe(1);
    // and again: nothing comes back, nothing is lost
    expect(removedBy(first)).toEqual({ already_listed: 1 });
    expect(listed(first)).toMatchObject({ new: 0, unchanged: 4, derived_replaced: 0, told_again: 3 });
  });
});

test('deriving again changes nothing, and replaces its own rows only', async () => {
  const land = await landWith([{}, {}, { last_sale_price_code: 'U' }]);
  importComps(land, {
    features: [
      { geometry: null, properties: { source: 'MLS', source_id: '1', apn: '3-1', price: 9000, status: 'ACTIVE' } },
    ],
    fips,
    homeKind: 'real',
    now: clock,
  });
  deriveComps(land, fips);
  const before = land.file.all('SELECT * FROM comps ORDER BY comp_rowid');
  expect(before).toHaveLength(3);
  expect(deriveComps(land, fips)).toMatchObject({ new: 0, changed: 0, unchanged: 2, removed: 0 });
  expect(land.file.all('SELECT * FROM comps ORDER BY comp_rowid')).toEqual(before);

  // A newer file: the first was sold again, the second turned out unqualified, the third qualified.
  await importLots(land, [
    lot('1-1', 0, { ...soundSale, last_sale_date: '2026-02-03' }),
    lot('2-1', 1, { ...soundSale, last_sale_price: 50_001, last_sale_price_code: 'U' }),
    lot('3-1', 2, { ...soundSale, last_sale_price: 50_002 }),
  ]);
  expect(deriveComps(land, fips)).toMatchObject({ new: 2, changed: 0, unchanged: 0, removed: 2 });
  expect(land.file.column("SELECT apn FROM comps WHERE source = 'MLS'")).toEqual(['3-1']);
});

test('a county that is not loaded, or does not exist, is refused', () => {
  const land = openLand();
  expect(() => deriveComps(land, fips)).toThrow(/No parcels of Sullivan County/);
  expect(() => deriveComps(land, '99999')).toThrow(/No county has the FIPS code/);
});

describe('names', () => {
  test.each([
    ['SMITH, JOHN & DOE, MARY', ['SMITH', 'DOE']],
    ['SMITH JOHN & MARY', ['SMITH']],
    ['VAN DYKE, PETER JR', ['VAN DYKE']],
    ['DE LA CRUZ MARIA', ['DE LA CRUZ']],
    ['ESTATE OF JOHN SMITH', ['JOHN', 'SMITH']],
    ['THE SMITH FAMILY REVOCABLE TRUST', ['SMITH']],
    ["O'BRIEN, PAT", ['O BRIEN']],
    ['', []],
  ])('%s', (name, surnames) => expect([...surnamesOf(name)]).toEqual(surnames));

  test('people who share a surname are related, companies that share a word are not', () => {
    expect(areRelated('SMITH, ANN', 'SMITH JOHN & MARY')).toBe(true);
    expect(areRelated('ESTATE OF JOHN SMITH', 'SMITH, ANN')).toBe(true);
    expect(areRelated('SMITH, ANN', 'SMITHSON, TOM')).toBe(false);
    expect(areRelated('ALDER RIDGE LLC', 'ALDER HOMES LLC')).toBe(false);
  });

  test('codes say qualified, and some say vacant', () => {
    expect(readSaleCode('q')).toEqual({ verdict: 'Q', isVacant: null });
    expect(readSaleCode('QV')).toEqual({ verdict: 'Q', isVacant: true });
    expect(readSaleCode('U I')).toEqual({ verdict: 'U', isVacant: false });
    expect(readSaleCode('VALID-I')).toEqual({ verdict: 'VALID', isVacant: false });
    expect(readSaleCode('VI')).toEqual({ verdict: 'VI', isVacant: null });
  });
});

describe.runIf(realDataOrSkip("Washington's recorded sales"))('Washington, New Hampshire', () => {
  const file = (name: string) => path.join(sharedData() ?? '', 'washington_nh', name);
  const importWashington = (land: LandStore, withFlag: boolean) => {
    const mapping = loadMapping('washington_nh');
    const verdictAlone = { ...mapping, columns: { ...mapping.columns, last_sale_price_code: 'table.SALEQUAL' } };
    return importParcels(land, {
      files: [file('parcels.geojson')],
      fips,
      mapping: withFlag ? mapping : verdictAlone,
      joinFiles: [file('assessor_2026-07.dbf')],
      homeKind: 'real',
      now: clock,
    });
  };

  test('screens by the flag for vacant land, which its table has', async () => {
    const land = openLand();
    await importWashington(land, true);
    // the table has 504 of U V; 4 of them join no polygon
    expect(
      land.file.all(
        'SELECT last_sale_price_code AS code, count(*) AS n FROM parcels WHERE last_sale_price_code IS NOT NULL GROUP BY 1 ORDER BY 1',
      ),
    ).toEqual([
      { code: 'Q I', n: 302 },
      { code: 'Q V', n: 123 },
      { code: 'U I', n: 652 },
      { code: 'U V', n: 500 },
    ]);
    // 123 parcels are marked Q and V; one of them was sold with another.
    expect(deriveComps(land, fips)).toMatchObject({ sales: 1577, codes: { Q: 425, U: 1152 }, comps: 122 });
  });

  test('vacancy inferred from the rest of the record agrees with that flag 96 times in 100', async () => {
    const land = openLand();
    await importWashington(land, false);
    expect(deriveComps(land, fips)).toMatchObject({ sales: 1577, codes: { Q: 425, U: 1152 }, comps: 105 });
    const inferred = land.file.column<number>('SELECT property_id FROM comps');
    await importWashington(land, true);
    deriveComps(land, fips);
    const flagged = new Set(land.file.column<number>('SELECT property_id FROM comps'));
    expect(inferred.filter((id) => flagged.has(id))).toHaveLength(101);
  });
});
