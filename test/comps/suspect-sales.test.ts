/** Suspect sales: a thousand planted ones among sales whose truth is known, and what the user says of them. */
import { describe, expect, test } from 'vitest';
import { findSuspects, type ScreenedSale } from '../../engine/comps/suspect-sales.ts';
import { marketComps } from '../../engine/query/comp-query.ts';
import { countySuspects, readSaleVerdicts, strikeAll, strikeSuspects } from '../../engine/query/suspect-sales.ts';
import { isNominal } from '../../engine/spec/nominal-price.ts';
import { type SuspectRuleName, suspectRules } from '../../engine/spec/suspect-rules.ts';
import { explainedValue } from '../../engine/value-explained.ts';
import { runChange } from '../../engine/work/index.ts';
import { createRandom, type Random } from '../sample-maker/random.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { idOf, insertComps } from './comp-rows.ts';

const today = '2026-11-20';
const fips = '33019';

const dayBefore = (days: number): string => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);

/** A market of 60 by 60 km: larger land sells for less an acre, prices differ by a factor of 1.5 either way. */
function soundSale(random: Random, number: number): ScreenedSale {
  const acres = Math.exp(1.5 + 1.1 * random.normal());
  const price = Math.round(8000 * acres ** 0.65 * Math.exp(0.4 * random.normal())) + (number % 7);
  return {
    ...{ id: idOf(number), propertyId: number, apn: null, acres, price, date: dayBefore(random.integer(1, 2500)) },
    ...{ longitude: -72 + 0.6 * random.next(), latitude: 43 + 0.5 * random.next() },
    // one file in three names no seller
    ...{ deed: null, seller: random.chance(0.67) ? `SELLER ${random.integer(1, 900)}` : null },
    ...{ isNominal: isNominal(price, acres), isExempt: false, house: null, parcelAcres: acres },
  };
}

interface Planted {
  readonly sales: readonly ScreenedSale[];
  readonly kinds: ReadonlyMap<string, 'bulk' | 'orphan' | 'times ten' | 'cents' | 'swapped'>;
}

/** 600 rows of deeds of 2 to 9 parcels, one row in five of them an orphan that names nobody; 400 of three other kinds. */
function plant(random: Random, count: number): Planted {
  const sales = Array.from({ length: count }, (_, number) => soundSale(random, number));
  const kinds = new Map<string, 'bulk' | 'orphan' | 'times ten' | 'cents' | 'swapped'>();
  const places = random.shuffle(sales.map((_, place) => place));
  const change = (place: number, kind: 'bulk' | 'orphan' | 'times ten' | 'cents' | 'swapped', values: object) => {
    const changed = { ...(sales[place] as ScreenedSale), ...values };
    sales[place] = { ...changed, isNominal: isNominal(changed.price, changed.acres) };
    kinds.set(changed.id, kind);
  };
  let next = 0;
  while (next < 600) {
    const first = sales[places[next] as number] as ScreenedSale;
    const size = random.integer(2, 9);
    const price = Math.round(first.price * size);
    const named = random.chance(0.5) ? { deed: `BK ${next}` } : { deed: null, seller: `ESTATE ${next}` };
    for (let i = 0; i < size; i++) {
      // two rows of a deed name it; others may have lost the name
      const isOrphan = i > 1 && random.chance(0.2);
      change(places[next++] as number, isOrphan ? 'orphan' : 'bulk', {
        ...{ price, date: first.date },
        ...(isOrphan ? { deed: null, seller: null } : named),
      });
    }
  }
  const planted = next;
  for (; next < planted + 134; next++) {
    const place = places[next] as number;
    change(place, 'times ten', { price: (sales[place] as ScreenedSale).price * 10 });
  }
  for (; next < planted + 268; next++) {
    const place = places[next] as number;
    change(place, 'cents', { price: (sales[place] as ScreenedSale).price * 100 });
  }
  for (; next < planted + 400; next += 2) {
    const [one, other] = [places[next] as number, places[next + 1] as number];
    const [a, b] = [(sales[one] as ScreenedSale).acres, (sales[other] as ScreenedSale).acres];
    change(one, 'swapped', { acres: b });
    change(other, 'swapped', { acres: a });
  }
  return { sales, kinds };
}

const strikes = (rules: readonly SuspectRuleName[] | undefined): boolean =>
  rules?.some((rule) => suspectRules[rule].strikes) ?? false;

const shareOf = <One>(all: readonly One[], isSuch: (one: One) => boolean): number =>
  all.filter(isSuch).length / all.length;

describe('of 1,000 planted sales among 6,000', () => {
  const { sales, kinds } = plant(createRandom('suspect sales'), 6000);
  const found = findSuspects(sales, today);
  const of = (kind: string) => sales.filter(({ id }) => kinds.get(id) === kind);
  const listed = (kind: string) => shareOf(of(kind), ({ id }) => found.has(id));

  test('99 rows of bulk deeds in 100 are struck, orphans included, and hardly a good sale is', () => {
    const bulk = [...of('bulk'), ...of('orphan')];
    expect(bulk.length).toBeGreaterThanOrEqual(600);
    expect(shareOf(bulk, ({ id }) => found.get(id)?.includes('several_parcels') ?? false)).toBeGreaterThanOrEqual(0.99);
    const good = sales.filter(({ id }) => !kinds.has(id));
    expect(shareOf(good, ({ id }) => strikes(found.get(id)))).toBeLessThanOrEqual(0.01);
    expect(shareOf(good, ({ id }) => found.has(id))).toBeLessThanOrEqual(0.02);
  });

  test('wrong prices and acres are listed', () => {
    expect({
      ten: listed('times ten') >= 0.9,
      cents: listed('cents') >= 0.95,
      swapped: listed('swapped') >= 0.65,
    }).toEqual({ ten: true, cents: true, swapped: true });
    expect(shareOf(of('cents'), ({ id }) => strikes(found.get(id)))).toBeGreaterThanOrEqual(0.9);
  });

  test('their order changes nothing', () => {
    const shuffled = findSuspects(createRandom('another order').shuffle(sales), today);
    expect(new Map([...shuffled].sort())).toEqual(new Map([...found].sort()));
  });
});

describe('rules', () => {
  const sound = soundSale(createRandom('one sale'), 1);
  const rulesOf = (...given: readonly Partial<ScreenedSale>[]) => {
    const sales = given.map((values, i) => ({ ...sound, id: idOf(i), propertyId: i, seller: null, ...values }));
    return [...findSuspects(sales, today).values()].flat();
  };

  test('two lots side by side of one day and price are one deed where nobody is named; with two sellers they are not', () => {
    expect(rulesOf({}, {})).toEqual(['several_parcels', 'several_parcels']);
    expect(rulesOf({ seller: 'ADAMS' }, { seller: 'BAKER' })).toEqual([]);
    expect(rulesOf({}, { latitude: sound.latitude + 0.1 })).toEqual([]);
    expect(rulesOf({}, { date: null })).toEqual([]);
  });

  test('a day to come, an exempt party, houses, acres that are not its parcel’s', () => {
    expect(rulesOf({ date: '2026-11-21' })).toEqual(['future_date']);
    expect(rulesOf({ date: today })).toEqual([]);
    expect(rulesOf({ isExempt: true })).toEqual(['exempt_party']);
    expect(rulesOf({ house: 'older' })).toEqual(['house']);
    expect(rulesOf({ house: 'unknown' })).toEqual(['maybe_house']);
    expect(rulesOf({ parcelAcres: (sound.acres as number) * 2.1 })).toEqual(['acres_differ']);
  });
});

/** Thirty sales of one acre around a parcel, the first two by one deed. */
function homeWithSales() {
  const engine = engineOn(sampleHome(), { now: () => new Date(`${today}T12:00:00Z`) });
  const { file } = engine.land;
  file.run('DELETE FROM comps');
  file.run(
    'INSERT INTO parcels (property_id, apn, fips, acres, point_lon, point_lat) VALUES (900007, ?, ?, 1, -72.005, 43.005)',
    ...['7-1', fips],
  );
  const random = createRandom('home with sales');
  insertComps(
    engine.land,
    Array.from({ length: 30 }, (_, i) => ({
      ...{ apn: `A-${i}`, longitude: -72 + 0.01 * random.normal(), latitude: 43 + 0.01 * random.normal() },
      ...(i < 2
        ? { price: 90_000, sold_date: '2026-03-01', seller: 'GREEN, ANN' }
        : { price: 20_000 + 100 * i, sold_date: dayBefore(100 + 7 * i) }),
    })),
  );
  strikeAll(file, readSaleVerdicts(engine.account), today);
  return engine;
}

describe('in a home', () => {
  test('what is struck counts for no value and no statistics, and the value says so', () => {
    const { land, now } = homeWithSales();
    const { explanation } = explainedValue(land, 900007, now());
    expect(explanation.leftOut.struck).toEqual({ several_parcels: 2 });
    expect(explanation.warnings.map(({ code }) => code)).toContain('struck');
    expect(explanation.used.some(({ price }) => price === 90_000)).toBe(false);
    expect(marketComps(land, fips, now()).some(({ price }) => price === 90_000)).toBe(false);
  });

  test('a verdict holds over imports, and is undone and redone with what it does to the land', async () => {
    const engine = homeWithSales();
    const { land, account } = engine;
    const struckNow = () => land.file.column<string>('SELECT comp_id FROM comps WHERE struck IS NOT NULL ORDER BY 1');
    const bulk = [idOf(0), idOf(1)];
    expect(struckNow()).toEqual(bulk);
    const { undo } = await runChange(engine, 'judge_sales', { comp_ids: bulk, verdict: 'keep' });
    expect(struckNow()).toEqual([]);
    await runChange(engine, 'judge_sales', { comp_ids: [idOf(9)], verdict: 'strike' });
    expect(struckNow()).toEqual([idOf(9)]);
    // the same sale under another id, as another file brings it
    land.file.run(
      'UPDATE comps SET comp_id = ?, source_id = ?, struck = NULL WHERE comp_id = ?',
      idOf(99),
      'x',
      idOf(9),
    );
    strikeSuspects(land.file, fips, readSaleVerdicts(account), today);
    expect(struckNow()).toEqual([idOf(99)]);
    await runChange(engine, 'undo', {});
    expect(struckNow()).toEqual([]);
    await runChange(engine, 'undo', { entry: undo?.entry });
    expect(struckNow()).toEqual(bulk);
    await runChange(engine, 'redo', {});
    expect(struckNow()).toEqual([]);
    const { sales, struck, suspects } = countySuspects(land.file, fips, readSaleVerdicts(account), today);
    expect({ sales, struck }).toEqual({ sales: 30, struck: {} });
    expect(suspects.map(({ verdict, rules }) => [verdict, ...rules])).toEqual([
      ['keep', 'several_parcels'],
      ['keep', 'several_parcels'],
    ]);
  });

  test('an unknown comp is refused, and nothing is noted', async () => {
    const engine = homeWithSales();
    await expect(runChange(engine, 'judge_sales', { comp_ids: ['nowhere'], verdict: 'keep' })).rejects.toMatchObject({
      code: 'validation_error',
    });
    expect(readSaleVerdicts(engine.account).size).toBe(0);
  });
});
