/** How long a comp value takes among 200,000 comps, on one core: printed, never asserted. */
import { createRandom, type Random } from '../../data/sample/random.ts';
import { CompIndex } from '../../engine/comps/comp-index.ts';
import { valueFromComps } from '../../engine/comps/comp-value.ts';
import type { ValueComp, ValueSubject } from '../../engine/comps/value-types.ts';

const compCount = 200_000;
const subjectCount = 400;
const today = 20_700;

interface Town {
  readonly longitude: number;
  readonly latitude: number;
  readonly degrees: number;
}

const uses = ['R1', 'R2', 'AG', 'C'];

/** Three in four near one of 80 towns, the others anywhere in 6 by 4 degrees. */
function placeIn(towns: readonly Town[], random: Random): { longitude: number; latitude: number } {
  if (random.chance(0.25)) return { longitude: random.between(-100, -94), latitude: random.between(37, 41) };
  const { longitude, latitude, degrees } = random.pick(towns);
  return { longitude: longitude + degrees * random.normal(), latitude: latitude + degrees * random.normal() };
}

function createComp(i: number, towns: readonly Town[], random: Random): ValueComp {
  const acres = Math.exp(1.5 + 1.5 * random.normal());
  return {
    id: `comp-${i}`,
    ...placeIn(towns, random),
    acres,
    price: acres * Math.exp(9 - 0.4 * Math.log(acres) + 0.5 * random.normal()),
    status: random.chance(0.8) ? 'SOLD' : 'ACTIVE',
    date: random.chance(0.95) ? today - random.integer(0, 3600) : null,
    use: random.chance(0.8) ? random.pick(uses) : null,
    propertyId: i,
    attributes: { wetlandsShare: random.chance(0.5) ? random.next() ** 3 : null },
  };
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

export function measureSpeed(): string {
  const random = createRandom('valuation/speed');
  const towns = Array.from({ length: 80 }, () => ({
    longitude: random.between(-100, -94),
    latitude: random.between(37, 41),
    degrees: random.between(0.01, 0.08),
  }));
  const comps = Array.from({ length: compCount }, (_, i) => createComp(i, towns, random));
  const began = performance.now();
  const index = CompIndex.of(comps);
  const buildMilliseconds = performance.now() - began;
  const times: number[] = [];
  for (let i = -50; i < subjectCount; i++) {
    const subject: ValueSubject = {
      propertyId: -1,
      acres: Math.exp(1.5 + 1.5 * random.normal()),
      ...placeIn(towns, random),
      date: today,
      use: random.pick(uses),
      attributes: { wetlandsShare: 0.1 },
    };
    const start = performance.now();
    valueFromComps(subject, index);
    // the first fifty only warm up
    if (i >= 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const ms = (share: number) => `${quantile(times, share).toFixed(1)} ms`;
  return `speed: ${compCount} comps, index in ${buildMilliseconds.toFixed(0)} ms; a value p50 ${ms(0.5)}, p95 ${ms(0.95)}, slowest ${ms(1)} (${subjectCount} subjects)`;
}
