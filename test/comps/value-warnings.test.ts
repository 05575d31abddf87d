/** What a reader must know first: each warning with its number, in its order, and what it does to the range. */
import { describe, expect, it } from 'vitest';
import type { ValueComp, ValueSubject } from '../../engine/comps/value-types.ts';
import { countyLines, type ValueWarning, warningSentence } from '../../engine/spec/value-warnings.ts';
import { createRandom } from '../sample-maker/random.ts';
import { compOf, degreesEast, explain, subject, today } from './valuation-cases.ts';

/** Forty alike sales around the subject, of 8 to 12 acres. */
function sales(change: (i: number) => Partial<ValueComp> = () => ({}), count = 40): ValueComp[] {
  const random = createRandom('warnings');
  return Array.from({ length: count }, (_, i) => {
    const acres = 8 + 4 * random.next();
    return compOf({
      id: `sale-${i}`,
      propertyId: 100 + i,
      longitude: -100 + degreesEast(1 + 3 * random.next()),
      acres,
      price: 1000 * acres * Math.exp(0.2 * random.normal()),
      date: today - random.integer(0, 300),
      ...change(i),
    });
  });
}

const warned = (comps: readonly ValueComp[], of: ValueSubject = subject) => explain(comps, of).warnings;
const told = (comps: readonly ValueComp[], of: ValueSubject = subject): string[] =>
  warned(comps, of).map((warning) => warningSentence(warning, (km) => `${km.toFixed(0)} km`));
const only = (found: readonly ValueWarning[], code: ValueWarning['code']): ValueWarning => {
  const warning = found.find((one) => one.code === code);
  if (!warning) throw new Error(`no warning ${code}: ${found.map((one) => one.code).join(', ')}`);
  return warning;
};

describe('the warnings of a value', () => {
  it('are none where fresh, near and alike comps tell', () => {
    expect(warned(sales())).toEqual([]);
  });

  it('count few comps, with what so few add to the range', () => {
    const [first] = told(sales(undefined, 2));
    expect(first).toMatch(/^Only 2 comps can be compared; the range is \d+ % wider for it\.$/);
    const { uncertainty, warnings } = explain(sales(undefined, 2));
    // spread = 1.02 S~² (1 + 1/n); without 1/n it would be smaller by spread / (n + 1)
    const part = uncertainty.spread / (1 + uncertainty.effectiveCount);
    expect(only(warnings, 'few_comps').widens).toBeCloseTo(
      uncertainty.sigma / Math.sqrt(uncertainty.sigma ** 2 - part) - 1,
      12,
    );
    expect(warned(sales(undefined, 4)).map(({ code }) => code)).not.toContain('few_comps');
  });

  it('tell that no comp has a date', () => {
    expect(told(sales(() => ({ date: null })))).toEqual([
      'None of the 40 comps around has a date, so how prices moved since is not known; the range does not change by it.',
    ]);
  });

  it('tell how far the nearest is, and that the comps alone are not wider for it', () => {
    expect(told(sales((i) => ({ longitude: -100 + degreesEast(50 + i / 10) })))).toEqual([
      'The nearest comp is 50 km away; the range does not change by it.',
    ]);
  });

  it('tell how much larger or smaller the parcel is than any comp', () => {
    const found = explain(sales(), { ...subject, acres: 27.6 });
    const largest = Math.max(...found.used.map(({ acres }) => acres));
    expect(only(found.warnings, 'larger')).toMatchObject({ times: 27.6 / largest });
    expect(told(sales(), { ...subject, acres: 27.6 })[0]).toMatch(
      /^The parcel is 2\.\d times larger than any comp; the range is \d+ % wider for it\.$/,
    );
    expect(warned(sales(), { ...subject, acres: 4 }).map(({ code }) => code)).toEqual(['smaller']);
    expect(warned(sales(), { ...subject, acres: 16 }).map(({ code }) => code)).toEqual([]);
  });

  it('tell that no comp is of the use, unless one is or none is known', () => {
    const home = { ...subject, use: 'HOMESITE' };
    expect(told(sales(), home)[0]).toMatch(/^None of the \d+ comps with a known use is HOMESITE; the range/);
    expect(
      warned(
        sales((i) => ({ use: i % 2 === 0 ? 'HOMESITE' : 'AG' })),
        home,
      ),
    ).toEqual([]);
    expect(
      warned(
        sales(() => ({ use: null })),
        home,
      ),
    ).toEqual([]);
  });

  it('tell what is not read here, though comps have it or the use says so', () => {
    const shores = sales((i) => ({ attributes: { waterFrontageFeet: i % 4 === 0 ? 200 : 0 } }));
    const found = only(warned(shores), 'not_read');
    expect(found).toMatchObject({ attributes: ['waterFrontageFeet'], comps: 40, is_waterfront: false });
    // ten of forty have a shore: the unknown effect is (1 × their standard deviation)²
    expect(found.widens).toBeGreaterThan(0.1);
    expect(warned(shores, { ...subject, attributes: { waterFrontageFeet: 0 } })).toEqual([]);
    const waterfront = { ...subject, use: 'WTRFRNT' };
    expect(
      told(
        sales(() => ({ use: 'WTRFRNT' })),
        waterfront,
      ),
    ).toEqual(['Not read for this parcel: water, though the use says water; the range does not change by it.']);
  });

  it('name public and exempt owners', () => {
    expect(told(sales(), { ...subject, isPublic: true })).toEqual([
      'A government owns the parcel; such land is seldom sold at a market price; the range does not change by it.',
    ]);
    expect(warned(sales(), { ...subject, isExempt: true }).map(({ code }) => code)).toEqual(['exempt']);
  });

  it('lay the county’s own land value beside the value, with the ratio of other sales to theirs', () => {
    // prices are 1,000 an acre, the county has half of that
    const valued = sales((i) => ({ countyLandValue: 5000 + 10 * i }));
    const near = explain(valued, { ...subject, countyLandValue: 5000 });
    const ratios = valued
      .map(({ price, countyLandValue }) => (price ?? 0) / (countyLandValue ?? 1))
      .sort((a, b) => a - b);
    expect(near.county?.sales).toBe(40);
    expect(near.county?.usual_ratio).toBeCloseTo(((ratios[19] ?? 0) + (ratios[20] ?? 0)) / 2, 12);
    // twice its value is what others go for: no warning, but both are shown
    expect(near.warnings).toEqual([]);
    expect(countyLines(near.value.mean_adjusted_price, near.county, near.warnings).join()).toMatch(
      /^The county says \$5,000 for the land, this value \$[\d,]+; the 40 sales around with both went for [12]\.?\d* times what the county says\.$/,
    );
    const far = explain(valued, { ...subject, countyLandValue: 97_900 });
    expect(only(far.warnings, 'county')).toMatchObject({ land_value: 97_900, price: far.value.mean_adjusted_price });
    expect(countyLines(far.value.mean_adjusted_price, far.county, far.warnings)).toEqual([]);
    expect(explain(valued).county).toBeNull();
    expect(explain(sales(), { ...subject, countyLandValue: 5000 }).county).toMatchObject({
      usual_ratio: null,
      sales: 0,
    });
    // beside the value, never in it
    expect(far.value).toEqual(explain(sales()).value);
  });

  it('stand with the most serious first', () => {
    const lost = sales((i) => ({ date: today - 1900, longitude: -100 + degreesEast(50 + i / 10) }), 3);
    const found = warned(lost, { ...subject, acres: 40, use: 'HOMESITE', isPublic: true, countyLandValue: 5_000_000 });
    expect(found.map(({ code }) => code)).toEqual([
      'stale',
      'few_comps',
      'far',
      'larger',
      'other_use',
      'public',
      'county',
    ]);
  });
});
