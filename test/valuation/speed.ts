/** How long a comp value takes among 200,000 comps, and the training of a model, on one core: printed, never asserted. */

import { CompIndex } from '../../engine/comps/comp-index.ts';
import { valueFromComps } from '../../engine/comps/comp-value.ts';
import { noMarketError } from '../../engine/comps/market-error.ts';
import { bytesOfForests } from '../../engine/comps/market-model/forest-blob.ts';
import { MarketModel } from '../../engine/comps/market-model/market-model.ts';
import { valuationParameters } from '../../engine/comps/valuation-parameters.ts';
import type { ValueComp, ValueSubject } from '../../engine/comps/value-types.ts';
import { createRandom, type Random } from '../sample-maker/random.ts';
import { peakBytes } from '../support/peak-memory.ts';

const compCount = 200_000;
const modelledCount = 20_000;
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
  const { model, line } = measureTraining(comps.slice(0, modelledCount));
  const times: number[] = [];
  const timesByModel: number[] = [];
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
    const middle = performance.now();
    valueFromComps(subject, index, valuationParameters, { model, error: noMarketError });
    // the first fifty only warm up
    if (i < 0) continue;
    times.push(middle - start);
    timesByModel.push(performance.now() - middle);
  }
  return [
    `speed: ${compCount} comps, index in ${buildMilliseconds.toFixed(0)} ms; a value of the comps alone ${describeTimes(times)}, with the model ${describeTimes(timesByModel)} (${subjectCount} subjects)`,
    line,
  ].join('\n');
}

function describeTimes(times: number[]): string {
  times.sort((a, b) => a - b);
  const ms = (share: number) => `${quantile(times, share).toFixed(1)} ms`;
  return `p50 ${ms(0.5)}, p95 ${ms(0.95)}, slowest ${ms(1)}`;
}

function measureTraining(comps: readonly ValueComp[]): { model: MarketModel | null; line: string } {
  const before = process.cpuUsage();
  const model = MarketModel.train(comps);
  const { user, system } = process.cpuUsage(before);
  const bytes = model ? bytesOfForests(model.trained).length : 0;
  const seconds = ((user + system) / 1e6).toFixed(1);
  const peak = (peakBytes() / 1024 / 1024).toFixed(0);
  return {
    model,
    line: `speed: a model of ${comps.length} comps takes ${seconds} s of processor and ${(bytes / 1e6).toFixed(2)} MB; the process held at most ${peak} MB`,
  };
}
