/** How far the statistics of a ratio study may be chance: 90 % intervals by the bootstrap. */
import { createWholeRandom } from './market-model/whole-random.ts';
import { type RatioPair, type RatioStudy, studyRatios } from './ratio-study.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

const intervalShare = 0.9;
const samples = 1000;

function intervalIn(figures: readonly number[]): Interval {
  const sorted = figures.filter((figure) => !Number.isNaN(figure)).sort((a, b) => a - b);
  const tail = Math.round((sorted.length * (1 - intervalShare)) / 2);
  return { low: sorted[tail] ?? Number.NaN, high: sorted[sorted.length - 1 - tail] ?? Number.NaN };
}

/** Statistics of as many items drawn with replacement, again and again; the same at every call. */
export function bootstrapOf<Item>(items: readonly Item[], statisticOf: (sample: Item[]) => number): Interval {
  const random = createWholeRandom(1);
  return intervalIn(
    Array.from({ length: samples }, () =>
      statisticOf(items.map(() => items[Math.floor(random() * items.length)] as Item)),
    ),
  );
}

/** Enough for two digits: the figures of a county need no third. */
const fewSamples = 400;

/** The intervals of several statistics of the same samples. */
export function bootstrapAll<Item>(items: readonly Item[], statisticsOf: (sample: Item[]) => number[]): Interval[] {
  const random = createWholeRandom(1);
  const found = Array.from({ length: fewSamples }, () =>
    statisticsOf(items.map(() => items[Math.floor(random() * items.length)] as Item)),
  );
  return (found[0] ?? []).map((_, place) => intervalIn(found.map((figures) => figures[place] as number)));
}

/** The interval of one statistic. */
export const intervalOf = (pairs: readonly RatioPair[], read: (study: RatioStudy) => number): Interval =>
  bootstrapOf(pairs, (sample) => read(studyRatios(sample) as RatioStudy));
