/** One sale that is told twice counts once, whoever tells it first. */
import { describe, expect, it } from 'vitest';
import { backtest } from '../../engine/comps/backtest.ts';
import { compareIds } from '../../engine/comps/comp-table.ts';
import { areSameSale, splitTwins, type ToldSale } from '../../engine/comps/same-sale.ts';
import { createRandom } from '../sample-maker/random.ts';
import { compOf, createMarket, degreesEast, explain, subject, today } from './valuation-cases.ts';

const told: ToldSale & { id: string } = {
  id: 'a',
  propertyId: null,
  longitude: -100,
  latitude: 40,
  acres: 10,
  price: 50_000,
  date: today,
  isSold: true,
  isZip: false,
  record: null,
};
const tell = (more: Partial<typeof told>): typeof told => ({ ...told, ...more });
const east = (meters: number) => ({ longitude: -100 + degreesEast(meters / 1000) });

describe('two tellings are one sale', () => {
  it.each<[string, Partial<ToldSale>, Partial<ToldSale>]>([
    [
      'at one place, with acres, price and day within the tolerance',
      {},
      { ...east(59), acres: 10.09, price: 50_900, date: today - 400 },
    ],
    ['where one has no day', {}, { date: null }],
    ['where one alone has a parcel', { propertyId: 7 }, {}],
    [
      'of one parcel and day, whatever else differs',
      { propertyId: 7 },
      { propertyId: 7, price: 1, acres: null, ...east(9000) },
    ],
    [
      'of one parcel, recorded a season later for about the price',
      { propertyId: 7 },
      { propertyId: 7, price: 52_000, acres: 11, date: today - 90 },
    ],
    [
      'of one record, where one lies at the point of its ZIP code',
      { isZip: true, record: '1 HILL RD' },
      { record: '1 HILL RD', ...east(9000) },
    ],
  ])('%s', (_what, a, b) => {
    expect(areSameSale(tell(a), tell(b))).toBe(true);
    expect(areSameSale(tell(b), tell(a))).toBe(true);
    expect(splitTwins([tell(a), tell({ ...b, id: 'b' })], (x, y) => compareIds(x.id, y.id)).twins).toHaveLength(1);
  });

  it.each<[string, Partial<ToldSale>, Partial<ToldSale>]>([
    ['61 m off', {}, east(61)],
    ['of other acres', {}, { acres: 10.2 }],
    ['of unknown acres', {}, { acres: null }],
    ['of another price', {}, { price: 51_100 }],
    ['more than 400 days apart', {}, { date: today - 401 }],
    ['of two parcels', { propertyId: 7 }, { propertyId: 8 }],
    ['at the point of one ZIP code, without more', { isZip: true }, { isZip: true }],
    ['of two records, one at the point of its ZIP code', { isZip: true, record: '1 HILL RD' }, { record: '2 HILL RD' }],
    ['of one record in two regions', { isZip: true, record: '0 MAIN ST' }, { record: '0 MAIN ST', ...east(60_000) }],
    ['one asked, one paid', {}, { isSold: false }],
    [
      'of one parcel, sold again at another price',
      { propertyId: 7 },
      { propertyId: 7, price: 60_000, date: today - 80 },
    ],
  ])('not where they are %s', (_what, a, b) => {
    expect(areSameSale(tell(a), tell(b))).toBe(false);
    expect(areSameSale(tell(b), tell(a))).toBe(false);
  });
});

describe('of several tellings', () => {
  const byId = (a: { id: string }, b: { id: string }) => compareIds(a.id, b.id);
  const keptOf = (...sales: (typeof told)[]) => splitTwins(sales, byId).kept.map(({ id }) => id);

  it('the one with a parcel counts, then the newer, then the first id', () => {
    const [linked, newer, first] = [
      tell({ id: 'z', propertyId: 7, date: today - 9 }),
      tell({ id: 'y' }),
      tell({ id: 'a', date: today - 1 }),
    ];
    expect(keptOf(first, newer, linked)).toEqual(['z']);
    expect(keptOf(first, newer)).toEqual(['y']);
    expect(keptOf(tell({ id: 'b' }), tell({ id: 'a' }))).toEqual(['a']);
  });

  it('finds through cells what comparing each with each finds', () => {
    const random = createRandom('tellings');
    const sales = Array.from({ length: 600 }, (_, i) =>
      tell({
        id: `s${i}`,
        longitude: -100 + 0.004 * random.normal(),
        latitude: 0.003 * random.normal(),
        price: random.pick([50_000, 50_500, 70_000]),
        date: random.chance(0.1) ? null : today - random.integer(0, 900),
        propertyId: random.chance(0.5) ? random.integer(1, 200) : null,
        isZip: random.chance(0.3),
        record: random.chance(0.8) ? `${random.integer(1, 60)} HILL RD` : null,
      }),
    );
    const { kept, twins } = splitTwins(sales, byId);
    expect(twins.length).toBeGreaterThan(100);
    expect(kept.some((a) => kept.some((b) => a !== b && areSameSale(a, b)))).toBe(false);
    expect(twins.every((twin) => kept.some((sale) => areSameSale(sale, twin)))).toBe(true);
    expect(splitTwins(sales.toReversed(), byId)).toEqual({ kept, twins });
  });
});

describe('many sales at one point', () => {
  /** Counts comparisons, twice each: they all read whether a sale is sold. */
  const countedReads = (more: (i: number) => Partial<ToldSale>): number => {
    let reads = 0;
    const sales = Array.from({ length: 2000 }, (_, i) => {
      const sale = tell({ id: `s${i}`, price: 1000 * 1.005 ** i, ...more(i) });
      return Object.defineProperty(sale, 'isSold', {
        get: () => {
          reads++;
          return true;
        },
      });
    });
    expect(splitTwins(sales, (a, b) => compareIds(a.id, b.id)).kept).toHaveLength(2000);
    return reads;
  };

  it.each<[string, (i: number) => Partial<ToldSale>]>([
    ['of a road', (i) => ({ acres: 1.02 ** (i % 100), date: today - i })],
    ['of a ZIP code', (i) => ({ isZip: true, record: '0 MAIN ST', acres: 1.02 ** (i % 100), date: today - i })],
    ['of a ZIP code, with an address each', (i) => ({ isZip: true, record: `${i}`, price: 9900 })],
  ])('%s are compared with those of a like price alone', (_what, more) => {
    expect(countedReads(more)).toBeLessThan(2000 * 2000 * 0.02);
  });
});

describe('a value', () => {
  const market = createMarket(200, 'told four times');
  const again = [1, 2, 3].flatMap((time) => market.map((comp) => ({ ...comp, id: `${comp.id}-${time}` })));

  it('is the same where every comp came four times; the others are named', () => {
    const [once, four] = [explain(market), explain([...market, ...again])];
    expect(four.value).toEqual(once.value);
    expect(four.valueRange).toEqual(once.valueRange);
    expect(four.candidateCount).toBe(once.candidateCount);
    expect(four.leftOut.counts.same_sale).toBe(3 * once.candidateCount);
    expect(four.leftOut.examples.filter(({ reason }) => reason === 'same_sale').length).toBeGreaterThan(0);
    expect(four.leftOut.counts.beyond_ring).toBe(4 * once.leftOut.counts.beyond_ring);
  });

  it('knows nothing of a later telling: it neither speaks nor silences the earlier one', () => {
    const sale = compOf({ id: 'a', longitude: -99.99, date: today - 10 });
    const later = compOf({ id: 'b', longitude: -99.99, date: today + 10, propertyId: 7 });
    expect(explain([sale, later], subject).used.map(({ comp }) => comp.id)).toEqual(['a']);
  });

  it('is tested on each sale once', () => {
    expect(backtest([...market, ...again])).toEqual(backtest(market));
  });
});
