import { describe, expect, it } from 'vitest';
import { type RatioPair, studyRatios } from '../../engine/comps/ratio-study.ts';

/** Estimate and price, in dollars, of tables of the IAAO Standard on Ratio Studies (April 2013). */
const tables: Readonly<Record<string, readonly (readonly [estimate: number, price: number])[]>> = {
  '1-1': [
    [48000, 138000],
    [28800, 59250],
    [78400, 157500],
    [39840, 74400],
    [68160, 114900],
    [94400, 159000],
    [67200, 111900],
    [56960, 93000],
    [87200, 138720],
    [38240, 59700],
    [96320, 146400],
    [67680, 99000],
    [32960, 47400],
    [50560, 70500],
    [61360, 78000],
    [47360, 60000],
    [58080, 69000],
    [47040, 55500],
    [136000, 154500],
    [103200, 109500],
    [59040, 60000],
    [168000, 168000],
    [128000, 124500],
    [132000, 127500],
    [160000, 150000],
    [160000, 141000],
    [200000, 171900],
    [184000, 157500],
    [160000, 129600],
    [157200, 126000],
    [99200, 77700],
    [200000, 153000],
    [64000, 48750],
    [192000, 144000],
    [190400, 141000],
    [65440, 48000],
  ],
  '1-4': [
    [87200, 138720],
    [38240, 59700],
    [96320, 146400],
    [68610, 99000],
    [32960, 47400],
    [50560, 70500],
    [61360, 78000],
    [47360, 60000],
    [56580, 69000],
    [47040, 55500],
    [136000, 154500],
    [98000, 109500],
    [56000, 60000],
    [159100, 168000],
    [128000, 124500],
    [132000, 127500],
    [160000, 150000],
  ],
  'D-1': [
    [116700, 114500],
    [130300, 121000],
    [130200, 133900],
    [145500, 139000],
    [134100, 145000],
    [153900, 156500],
    [143400, 161100],
    [156900, 169500],
    [169000, 175000],
    [149200, 181000],
    [160100, 188900],
    [191400, 205000],
    [177200, 216150],
    [205500, 219000],
    [206500, 235000],
    [243800, 249000],
    [211600, 258900],
    [242500, 263000],
    [258400, 305900],
    [265900, 312500],
    [305700, 336000],
    [291600, 360000],
    [312800, 399900],
    [352200, 418500],
    [354900, 459000],
  ],
  'D-2': [
    [45000, 50000],
    [100000, 100000],
    [165000, 150000],
    [180000, 200000],
    [250000, 250000],
    [330000, 300000],
    [315000, 350000],
    [400000, 400000],
    [495000, 450000],
    [450000, 500000],
    [550000, 550000],
    [660000, 600000],
    [585000, 650000],
    [700000, 700000],
    [825000, 750000],
    [1875000, 2500000],
  ],
};

const pairsOf = (table: string): RatioPair[] => (tables[table] ?? []).map(([estimate, price]) => ({ estimate, price }));

function study(pairs: readonly RatioPair[]) {
  const found = studyRatios(pairs);
  if (found === null) throw new Error('nothing to study');
  return found;
}

describe('the tables of the IAAO standard', () => {
  // Published beside the tables (as the Cook County Assessor's assesspy checks its functions against them), each to the
  // digits that are published.
  it.each([
    ['1-1', 29.8, 0.98, 0.232],
    ['1-4', 14.5, 0.98, 0.135],
    ['D-1', 7.5, 1.027, -0.12],
    ['D-2', 7.8, 1.056, -0.011],
  ])('table %s: COD %d, PRD %d, PRB %d', (table, cod, prd, prb) => {
    const { cod: foundCod, prd: foundPrd, prb: foundPrb } = study(pairsOf(table));
    const digits = (value: number) => String(value).split('.')[1]?.length ?? 0;
    expect(foundCod).toBeCloseTo(cod, 1);
    expect(foundPrd).toBeCloseTo(prd, digits(prd));
    expect(foundPrb).toBeCloseTo(prb, 3);
  });
});

describe('ratios worked by hand', () => {
  // ratios 0.8, 0.9, 1.0, 1.1, 3.0 of prices 100, 200, 100, 200, 100
  const pairs = [
    { estimate: 80, price: 100 },
    { estimate: 180, price: 200 },
    { estimate: 100, price: 100 },
    { estimate: 220, price: 200 },
    { estimate: 300, price: 100 },
  ];

  it('takes level, dispersion and errors', () => {
    const found = study(pairs);
    expect(found.medianRatio).toBe(1);
    expect(found.meanRatio).toBeCloseTo(6.8 / 5, 12);
    expect(found.weightedMeanRatio).toBeCloseTo(880 / 700, 12);
    // deviations 0.2 0.1 0 0.1 2.0
    expect(found.cod).toBeCloseTo(48, 12);
    expect(found.prd).toBeCloseTo(1.36 / (880 / 700), 12);
    expect(found.medianAbsolutePercentError).toBeCloseTo(10, 9);
    // 80 for 100 is off by exactly 20 %, which counts
    expect(found.within20Share).toBe(0.8);
  });

  it('trims what lies beyond 1.5 interquartile ranges', () => {
    // quartiles 0.9 and 1.1: 0.6 to 1.4 stay. Median of 0.8 0.9 1.0 1.1 is 0.95; deviations 0.15 0.05 0.05 0.15
    expect(study(pairs).trimmedCod).toBeCloseTo((100 * 0.1) / 0.95, 9);
  });

  it('finds no bias where the ratio does not depend on value', () => {
    const even = [100, 200, 400].map((price) => ({ estimate: 0.9 * price, price }));
    expect(study(even).prb).toBeCloseTo(0, 12);
    expect(study(even).prd).toBeCloseTo(1, 12);
  });

  it('has nothing to say of nothing', () => {
    expect(studyRatios([])).toBeNull();
  });
});
