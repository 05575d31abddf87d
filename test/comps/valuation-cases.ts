/** Comps and subjects for the tests of the comp value. */

import {
  type CompValueExplanation,
  type ValueComp,
  type ValueSubject,
  valueFromComps,
} from '../../engine/comps/comp-value.ts';
import type { ValueAttributes } from '../../engine/comps/value-types.ts';
import { createRandom, type Random } from '../sample-maker/random.ts';

export const today = 20_000;

/** A sale of ten acres for 10,000 dollars at the subject's place, on its day. */
export function compOf(values: Partial<ValueComp> & { id: string }): ValueComp {
  return {
    price: 10_000,
    acres: 10,
    longitude: -100,
    latitude: 40,
    status: 'SOLD',
    date: today,
    use: 'AG',
    propertyId: null,
    attributes: {},
    ...values,
  };
}

/** Its id differs from all comps' that have one; those that have none must not lie on it. */
export const subject: ValueSubject = {
  propertyId: 1,
  acres: 10,
  longitude: -100,
  latitude: 40,
  date: today,
  use: 'AG',
  attributes: {},
};

/** Degrees of longitude for a number of kilometers at the latitude of `subject`. */
export const degreesEast = (kilometers: number): number => kilometers / (111.32 * Math.cos((40 * Math.PI) / 180));

export function explain(comps: Iterable<ValueComp>, of: ValueSubject = subject): CompValueExplanation {
  const answer = valueFromComps(of, comps);
  if (answer.value === null) throw new Error(`no value: ${answer.reason}`);
  return answer;
}

function attributesFrom(random: Random): ValueAttributes {
  return {
    wetlandsShare: random.chance(0.5) ? random.next() : null,
    landlocked: random.chance(0.5) ? random.chance(0.2) : null,
    roadFrontageFeet: random.chance(0.5) ? random.integer(0, 900) : null,
  };
}

/** Listings and sales around `subject`, some without date, use, price or acres, some at the grain of their ZIP code. */
export function createMarket(count: number, seed: string): ValueComp[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const acres = Math.exp(2 + random.normal());
    return compOf({
      id: `comp-${i}`,
      longitude: -100 + 0.2 * random.normal(),
      latitude: 40 + 0.2 * random.normal(),
      acres: random.chance(0.02) ? null : acres,
      price: random.chance(0.02) ? null : acres * Math.exp(8 - 0.4 * Math.log(acres) + 0.5 * random.normal()),
      status: random.pick(['SOLD', 'SOLD', 'PENDING', 'ACTIVE']),
      date: random.chance(0.1) ? null : today - random.integer(-100, 3500),
      use: random.pick(['AG', 'R1', null]),
      propertyId: random.chance(0.5) ? i + 2 : null,
      attributes: attributesFrom(random),
      coordinateGrain: random.chance(0.1) ? 'zip' : 'parcel',
      record: `record-${i}`,
    });
  });
}
