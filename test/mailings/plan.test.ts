/** Who gets a letter, against a plain twin; codes, offers and intervals; planted faults among the letters to look at. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JudgedValue } from '../../engine/mailings/letter-doubts.ts';
import { checkRule, type OfferRule, offerOf, tierOf } from '../../engine/mailings/offer-rule.ts';
import { type MailedParcel, type MailingTerms, planLetters } from '../../engine/mailings/plan-letters.ts';
import { leadRules, letterCode, parseLetterCode, wilson } from '../../engine/spec/mailings.ts';

const today = '2026-11-29';

const plainValue = (middle: number, acres: number): JudgedValue => ({
  ...{ low: middle * 0.72, middle, high: middle * 1.35, acres },
  ...{ is_low_confidence: false, confidence: 68, comps: 12, nearest_km: 2.1 },
  ...{ county_ratio: null, warnings: [] },
});

const plain = (id: number, more: Partial<MailedParcel> = {}): MailedParcel => ({
  ...{ property_id: id, owner: `owner ${id}`, address: `address ${id}`, has_name: true, has_full_address: true },
  ...{ is_gone: false, is_do_not_mail: false, is_public: false, mailed_on: null, deed_on: null, choice: null },
  ...{ recorded_acres: 20, mapped_acres: 20.2, county_value: 60_000, owner_then: null, deed_since: null },
  ...{ is_exempt: false, is_landlocked: false, value: plainValue(70_000, 20) },
  ...more,
});

const rule: OfferRule = {
  tiers: [
    { acres_from: 5, acres_to: 20, of: 'low', amount: 42 },
    { acres_from: 20, acres_to: 60, of: 'low', amount: 45 },
    { acres_from: 60, acres_to: 80, of: 'middle', amount: 35 },
    { acres_from: 80, acres_to: null, of: 'acre', amount: 900 },
  ],
  round_to: 500,
  not_under: 5000,
  not_over: 120_000,
};
const terms: MailingTerms = { rule, lead: 'most_acres', quiet_days: 180, today };

describe('codes', () => {
  test('come back as they were given, in small letters, with spaces, O for 0 and I for 1', () => {
    for (const [mailing, letter] of [
      [1, 1],
      [10, 101],
      [73, 20_500],
    ] as const) {
      const code = letterCode(mailing, letter);
      const typed = [code, code.toLowerCase(), ` ${code} `, code.replaceAll('0', 'o').replaceAll('1', 'l')];
      for (const text of typed) expect(parseLetterCode(text)).toEqual({ mailing, letter });
    }
    for (const text of ['', 'M1', 'M-1', '18-42', 'M1-2', 'hello M1-23']) expect(parseLetterCode(text)).toBeNull();
  });

  test('with one wrong sign, or two neighbors swapped, are no codes', () => {
    const signs = '0123456789ABCDEFGHJKMNPQRSTVWXY';
    const someCode = fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 30_000 }));
    fc.assert(
      fc.property(someCode, fc.nat(), fc.nat(), ([mailing, letter], at, sign) => {
        const code = letterCode(mailing, letter);
        const places = [...code].flatMap((one, place) => (one === 'M' || one === '-' ? [] : [place]));
        const place = places[at % places.length] as number;
        const others = [...signs].filter((one) => one !== code[place]);
        const wrong = code.slice(0, place) + others[sign % others.length] + code.slice(place + 1);
        expect(parseLetterCode(wrong)).toBeNull();
        const [a, b] = [code[place], code[place + 1]];
        if (b === undefined || b === '-' || a === b) return;
        expect(parseLetterCode(code.slice(0, place) + b + a + code.slice(place + 2))).toBeNull();
      }),
      { seed: 20261129, numRuns: 3000 },
    );
  });
});

test('the interval of a share is that of Wilson', () => {
  // The design's example, and values of R's binom.confint(method = "wilson").
  const of = (found: number, all: number) => {
    const { low = 0, high = 0 } = wilson(found, all) ?? {};
    return [low, high].map((share) => Math.round(share * 10_000) / 10_000);
  };
  expect(of(3, 412)).toEqual([0.0025, 0.0212]);
  expect(of(0, 10)).toEqual([0, 0.2775]);
  expect(of(10, 10)).toEqual([0.7225, 1]);
  expect(wilson(0, 0)).toBeNull();
});

describe('a rule', () => {
  test('offers by the tier of the acres, rounded, between its floor and its cap, with its formula', () => {
    const value = { low: 55_000, middle: 70_000, high: 95_000 };
    const offered = (acres: number, of: typeof value | null = value) => {
      const tier = rule.tiers[tierOf(rule, acres)];
      return tier ? offerOf(rule, tier, acres, of) : 'no tier';
    };
    expect(offered(4.99)).toBe('no tier');
    expect(offered(5)).toEqual({ offer: 23_000, formula: '42 % of the low value $55,000, to the nearest $500' });
    expect(offered(20)?.valueOf()).toMatchObject({ offer: 25_000 });
    expect(offered(60)?.valueOf()).toMatchObject({ offer: 24_500 });
    expect(offered(6, { low: 4000, middle: 5000, high: 6000 })).toEqual({
      offer: 5000,
      formula: '42 % of the low value $4,000, to the nearest $500, not under $5,000',
    });
    expect(offered(200, null)).toEqual({
      offer: 120_000,
      formula: '$900 an acre of 200 acres, to the nearest $500, not over $120,000',
    });
    expect(offered(30, null)).toBeNull();
  });

  test.each([
    ['tiers that overlap', { tiers: [rule.tiers[0], { ...rule.tiers[1], acres_from: 15 }] }, /apart, found 5 to 20/],
    ['one below another without an end', { tiers: [{ ...rule.tiers[0], acres_to: null }, rule.tiers[1]] }, /apart/],
    ['a tier that ends before it begins', { tiers: [{ ...rule.tiers[0], acres_to: 2 }] }, /ends above its begin/],
    ['more than twice the value', { tiers: [{ ...rule.tiers[0], amount: 250 }] }, /at most 200 %/],
    ['a floor above the cap', { not_under: 9000, not_over: 8000 }, /found \$9,000 above \$8,000/],
  ])('with %s is refused', (_name, change, words) => {
    const refused = () => checkRule({ ...rule, ...(change as Partial<OfferRule>) });
    expect(refused).toThrow(expect.objectContaining({ code: 'validation_error' }));
    try {
      refused();
    } catch (error) {
      expect(JSON.stringify((error as { details: unknown }).details)).toMatch(words);
    }
  });
});

const someParcel = (id: number) =>
  fc
    .record({
      owner: fc.integer({ min: 1, max: 12 }).map((n) => `owner ${n}`),
      acres: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 150 }) }, fc.constant(null)),
      value: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 3000, max: 400_000 }) }, fc.constant(null)),
      isLow: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      flags: fc.integer({ min: 0, max: 59 }),
      mailed: fc.constantFrom(null, null, '2026-10-01', '2026-01-01'),
      deed: fc.constantFrom(null, null, null, '2026-11-20'),
      choice: fc.constantFrom(null, null, null, 'keep' as const, 'leave_out' as const),
      sold: fc.constantFrom(null, '1999-05-01', '2020-02-02', '2024-07-01'),
    })
    .map(({ owner, acres, value, isLow, flags, mailed, deed, choice, sold }) =>
      plain(id, {
        ...{
          owner,
          address: owner,
          recorded_acres: acres,
          mapped_acres: null,
          choice,
          deed_on: sold,
          deed_since: deed,
        },
        ...{ mailed_on: mailed, is_do_not_mail: flags === 0, is_gone: flags === 1, is_public: flags === 2 },
        has_name: flags !== 4,
        has_full_address: flags !== 3,
        value: value === null ? null : { ...plainValue(value, acres ?? 1), is_low_confidence: isLow },
      }),
    );

const someList = fc
  .integer({ min: 1, max: 40 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, place) => someParcel(place + 1))));

/** Written from the design alone: who may get a letter, then the best of each owner. */
function twin(parcels: readonly MailedParcel[], { lead, quiet_days: quiet }: MailingTerms) {
  const may = parcels.filter((one) => {
    const acres = one.recorded_acres;
    const tier =
      acres === null ? undefined : rule.tiers.find((t) => acres >= t.acres_from && acres < (t.acres_to ?? 1e9));
    const days = one.mailed_on === null ? 1e9 : (Date.parse(today) - Date.parse(one.mailed_on)) / 86_400_000;
    return (
      one.choice !== 'leave_out' &&
      !(one.is_gone || one.is_do_not_mail || one.is_public) &&
      one.has_name &&
      one.has_full_address &&
      days >= quiet &&
      tier !== undefined &&
      (tier.of === 'acre' || one.value !== null)
    );
  });
  const key = (one: MailedParcel): number =>
    lead === 'most_acres'
      ? (one.recorded_acres ?? 0)
      : lead === 'highest_value'
        ? (one.value?.middle ?? 0)
        : one.deed_on === null
          ? 0
          : Date.parse(one.deed_on);
  if (lead === 'each') return new Set(may.map(({ property_id: id }) => id));
  const best = new Map<string, MailedParcel>();
  for (const one of may) {
    const standing = best.get(one.owner);
    if (!standing || key(one) > key(standing)) best.set(one.owner, one);
  }
  return new Set([...best.values()].map(({ property_id: id }) => id));
}

test('of 1,000 random lists: none to Do not mail, one an owner, every parcel once, offers and reasons as a twin has them', () => {
  let [letters, withheld] = [0, 0];
  fc.assert(
    fc.property(
      someList,
      fc.constantFrom(...(Object.keys(leadRules) as (keyof typeof leadRules)[])),
      (parcels, lead) => {
        const asked = { ...terms, lead };
        const plan = planLetters(parcels, asked);
        expect(new Set(plan.letters.map(({ property_id: id }) => id))).toEqual(twin(parcels, asked));
        const told = [...plan.letters, ...plan.left_out].map(({ property_id: id }) => id);
        expect(told.toSorted((a, b) => a - b)).toEqual(parcels.map(({ property_id: id }) => id));
        const byId = new Map(parcels.map((one) => [one.property_id, one]));
        const owners = plan.letters.map(({ property_id: id }) => byId.get(id)?.owner);
        if (lead !== 'each') expect(new Set(owners).size).toBe(owners.length);
        for (const letter of plan.letters) {
          const parcel = byId.get(letter.property_id) as MailedParcel;
          expect(parcel.is_do_not_mail).toBe(false);
          for (const other of letter.others) expect(byId.get(other)?.owner).toBe(parcel.owner);
          const isAcre = rule.tiers[letter.tier ?? -1]?.of === 'acre';
          const isDoubtful = parcel.deed_since !== null || (!isAcre && parcel.value?.is_low_confidence === true);
          expect(letter.offer === null).toBe(isDoubtful && parcel.choice !== 'keep');
          expect(letter.withheld === null).toBe(letter.offer !== null);
          expect(letter.formula === null).toBe(letter.offer === null);
          letters++;
          if (letter.withheld !== null) withheld++;
        }
        expect(plan.to_look_at.length).toBeLessThanOrEqual(20);
      },
    ),
    { seed: 20261129, numRuns: 1000 },
  );
  expect(letters).toBeGreaterThan(3000);
  expect(withheld).toBeGreaterThan(100);
});

/** A parcel whose numbers scatter as a county's do. */
function scattered(id: number, random: () => number): MailedParcel {
  const normal = () => Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random());
  const acres = Math.exp(2.3 + 0.7 * random() * 2);
  const middle = acres * 3500 * Math.exp(0.4 * normal());
  const width = 0.3 + 0.12 * random();
  return plain(id, {
    recorded_acres: acres,
    mapped_acres: acres * Math.exp(0.05 * normal()),
    county_value: middle * Math.exp(0.35 * normal()),
    is_landlocked: random() < 0.05,
    value: {
      ...plainValue(middle, acres),
      ...{ low: middle * Math.exp(-width), high: middle * Math.exp(width) },
      ...{ nearest_km: 12 * random(), comps: 3 + Math.floor(20 * random()), is_low_confidence: random() < 0.06 },
    },
  });
}

type Fault = (parcel: MailedParcel) => MailedParcel;
const timesValue = (value: JudgedValue | null, times: number): JudgedValue | null =>
  value && { ...value, low: value.low * times, middle: value.middle * times, high: value.high * times };
const faults: readonly Fault[] = [
  // The roll has five times the acres, and the value was made of them.
  (one) => ({
    ...one,
    recorded_acres: (one.recorded_acres ?? 0) * 5,
    value: one.value && { ...(timesValue(one.value, 5) as JudgedValue), acres: one.value.acres * 5 },
  }),
  // A comp that is none: the value is seven times too high, or too low.
  (one) => ({ ...one, value: timesValue(one.value, 7) }),
  (one) => ({ ...one, value: timesValue(one.value, 1 / 7) }),
  (one) => ({ ...one, owner_then: 'SELLER JOHN', deed_since: '2026-11-20' }),
  // Square feet for acres on the map.
  (one) => ({ ...one, mapped_acres: (one.mapped_acres ?? 0) / 2.47 }),
  // Valued before the lot was split.
  (one) => ({ ...one, recorded_acres: 6, mapped_acres: 6 }),
];

test('what is near, new and narrow is no doubt; a county that says half of what sales go for is measured by that', () => {
  const { letters } = planLetters([plain(1)], terms);
  expect(letters[0]?.doubts).toEqual([]);
  const near = { ...plainValue(70_000, 20), nearest_km: 0.05, county_ratio: 2 };
  const [letter] = planLetters([plain(1, { value: near, county_value: 9000 })], terms).letters;
  expect(letter?.doubts.map(({ words }) => words)).toEqual([
    'County $9,000 (sales go for 2 times that), ours $70,000',
    'Above the county’s $9,000 (sales go for 2 times that)',
  ]);
  const usual = planLetters([plain(1, { value: near, county_value: 25_000 })], terms).letters[0];
  expect(usual?.doubts).toEqual([]);
});

test('of 1,000 offers with 20 planted faults, the 20 letters to look at hold at least 16', () => {
  const missed: number[] = [];
  for (let seed = 1; seed <= 20; seed++) {
    let state = seed * 7919;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
    const parcels = Array.from({ length: 1000 }, (_, place) => scattered(place + 1, random));
    const planted = new Set<number>();
    while (planted.size < 20) planted.add(1 + Math.floor(1000 * random()));
    const faulty = parcels.map((one) =>
      planted.has(one.property_id) ? (faults[one.property_id % faults.length] as Fault)(one) : one,
    );
    const wide = {
      ...rule,
      tiers: [{ acres_from: 0, acres_to: null, of: 'low', amount: 45 } as const],
      not_over: null,
    };
    const { to_look_at: shown } = planLetters(faulty, { ...terms, rule: wide });
    const found = shown.filter(({ property_id: id }) => planted.has(id)).length;
    missed.push(20 - found);
    expect(found, `seed ${seed}`).toBeGreaterThanOrEqual(16);
  }
  expect(missed.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(40);
});
