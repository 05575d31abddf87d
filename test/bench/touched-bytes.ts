/** How many bytes of columns and bitmaps a count reads, at least: what the bandwidth of memory bounds. */
import type { CountyColumns } from '../../engine/columns/county-columns.ts';
import type { Step } from '../../engine/columns/steps.ts';

/** Box arrays of a row: four 32-bit floats. */
const boxBytes = 16;
const positionBytes = 4;

export function touchedBytes(county: CountyColumns, steps: readonly Step[]): number {
  const bitmap = county.words * 8;
  return steps.reduce((sum, step) => sum + bitmap + bytesOf(county, step), bitmap);
}

function bytesOf(county: CountyColumns, step: Step): number {
  if (step.type === 'area') return county.words * boxBytes;
  if (step.type === 'ids' || step.type === 'unknown') return county.words * 8;
  if (step.type === 'range' || step.type === 'texts') return county.column(step.column).width * county.rows;
  const { index } = county.wordsOf(step.column);
  return wordsAsked(step, index).reduce(
    (sum, ids) => sum + index.postingCount(ids) * positionBytes + county.words * 8,
    0,
  );
}

type WordStep = Extract<Step, { type: 'words' | 'tokens' | 'names' }>;
type Index = ReturnType<CountyColumns['wordsOf']>['index'];

function wordsAsked(step: WordStep, index: Index): ArrayLike<number>[] {
  if (step.type === 'tokens') return step.tokens.map((token) => index.wordsHolding(token));
  if (step.type === 'names')
    return step.names.map((name) => name.map((word) => index.word(word)).filter((id) => id >= 0));
  return step.phrases.flatMap((phrase) => phrase.map((part) => index.wordsWithPart(part)));
}
