/** Runs the steps of a filter over one county: cheap and selective steps first; each only clears bits. */
import { type Bounds, boundsOverlap } from '../geo/geometry.ts';
import type { PreparedGeometry } from '../geo/intersects.ts';
import { decideArea } from './area-grid.ts';
import type { CountyColumns, LoadedColumn } from './county-columns.ts';
import { bitsOfIds, rowsOf, rowsOfIds, setRows } from './county-rows.ts';
import { keepNames, keepTokens, keepWords } from './evaluate-words.ts';
import type { CountyMatches } from './pages.ts';
import { isColumnStep, type Step } from './steps.ts';
import type { CodeRange, TextScale } from './value-scale.ts';

/** Tests that need the parcels themselves. */
export interface ParcelTests {
  /** Whether each of these parcels meets the area, in the order of `ids`. */
  meetArea(ids: readonly number[], area: PreparedGeometry): readonly boolean[];
}

/** Steps with the areas apart, for one county after the other. */
export class StepPlan {
  readonly areas: readonly PreparedGeometry[];
  readonly #others: readonly Step[];
  #ordered: readonly Step[] = [];
  #rankedRows = -1;

  constructor(steps: readonly Step[]) {
    this.areas = steps.flatMap((step) => (step.type === 'area' ? [step.area] : []));
    this.#others = steps.filter((step) => step.type !== 'area');
  }

  /** In the order of the largest county so far: to rank them costs more than a small county's steps. */
  othersFor(county: CountyColumns): readonly Step[] {
    if (county.rows > this.#rankedRows) {
      this.#ordered = inOrder(county, this.#others);
      this.#rankedRows = county.rows;
    }
    return this.#ordered;
  }
}

/**
 * Lends the bitmap of the rows that pass every step.
 * @param use receives the bitmap while it runs
 */
export function withMatches<Result>(
  county: CountyColumns,
  plan: StepPlan,
  tests: ParcelTests,
  use: (bits: number) => Result,
): Result {
  const { memory, kernels, words, rows } = county;
  const { areas } = plan;
  return memory.withBitmap((bits) => {
    // An area meets one or two of sixty counties: the others are skipped at once.
    if (areas.some(({ bounds }) => !meetsBounds(county.bounds(), bounds))) {
      kernels.clear(bits, words);
      return use(bits);
    }
    kernels.fillRows(bits, words, rows);
    for (const area of areas) keepBox(county, area.bounds, bits);
    for (const step of plan.othersFor(county)) keep(county, step, bits);
    for (const area of areas) keepArea(county, area, bits, tests);
    return use(bits);
  });
}

const meetsBounds = (one: Bounds | null, other: Bounds): boolean => one !== null && boundsOverlap(one, other);

/** The same over several counties, with all their bitmaps at once. */
export function withAllMatches<Result>(
  counties: readonly CountyColumns[],
  steps: readonly Step[],
  tests: ParcelTests,
  use: (matches: readonly CountyMatches[]) => Result,
): Result {
  const plan = new StepPlan(steps);
  const matches: CountyMatches[] = [];
  const withNext = (): Result => {
    const county = counties[matches.length];
    if (!county) return use(matches);
    return withMatches(county, plan, tests, (bits) => {
      matches.push({ county, bits, count: county.kernels.count(bits, county.words) });
      return withNext();
    });
  };
  return withNext();
}

function keepBox(county: CountyColumns, { minX, maxX, minY, maxY }: Bounds, bits: number): void {
  const { rowBoxes, wordBoxes, located } = county.boxes();
  county.kernels.boxes(rowBoxes, wordBoxes, located, bits, county.words, minX, maxX, minY, maxY);
}

/** Boxes and outlines decide most rows; the exact test reads the others. */
function keepArea(county: CountyColumns, area: PreparedGeometry, bits: number, tests: ParcelTests): void {
  const { memory, kernels, words } = county;
  memory.withBitmap((unsure) => {
    kernels.clear(unsure, words);
    decideArea(county, area, bits, unsure);
    const rows = rowsOf(county, unsure);
    if (rows.length === 0) return;
    const meets = tests.meetArea(
      Array.from(rows, (row) => county.id(row)),
      area,
    );
    setRows(
      county,
      bits,
      rows.filter((_, at) => meets[at] === true),
    );
  });
}

/** Keeps the rows that pass one step; only `withMatches` handles areas. */
export function keep(county: CountyColumns, step: Step, bits: number): void {
  if (step.type === 'range')
    keepCodes(county, county.column(step.column), [rangeOf(county.column(step.column), step)], step, bits);
  else if (step.type === 'texts') {
    const column = county.column(step.column);
    keepCodes(
      county,
      column,
      rangesOfCodes((column.scale as TextScale).find(step.values, step.fold).codes),
      step,
      bits,
    );
  } else if (step.type === 'words') keepWords(county, step, bits);
  else if (step.type === 'tokens') keepTokens(county, step, bits);
  else if (step.type === 'names') keepNames(county, step, bits);
  else if (step.type === 'ids') keepIds(county, step, bits);
  else if (step.type === 'unknown') keepUnknown(county, step.step, bits);
  else throw new TypeError(`the step ${step.type} cannot run on one county's columns`);
}

/** Keeps the rows that are unknown to a step. */
export function keepUnknown(county: CountyColumns, step: Step, bits: number): void {
  const { kernels, words } = county;
  if (!isColumnStep(step)) kernels.clear(bits, words);
  else if (step.type === 'range' || step.type === 'texts') {
    const { at, width } = county.column(step.column);
    const range = width === 1 ? kernels.range8 : width === 2 ? kernels.range16 : kernels.range32;
    // Code 0 alone, the unknown.
    range(at, bits, words, 1, 0, 1, 0);
  } else kernels.and(bits, county.wordsOf(step.column).unknown, words);
}

/** How many of the matches are unknown to a step. */
export const countUnknown = (matches: readonly CountyMatches[], step: Step): number =>
  matches.reduce(
    (sum, { county, bits }) =>
      sum +
      county.memory.withBitmap((unknown) => {
        county.kernels.copy(unknown, bits, county.words);
        keepUnknown(county, step, unknown);
        return county.kernels.count(unknown, county.words);
      }),
    0,
  );

function rangeOf({ scale }: LoadedColumn, { min, max, above }: Extract<Step, { type: 'range' }>): CodeRange {
  const low = above !== undefined ? scale.firstAbove(above) : min === undefined ? 1 : scale.firstAtLeast(min);
  return { low, high: max === undefined ? scale.count : scale.firstAbove(max) - 1 };
}

/** Adjacent codes as ranges. */
function rangesOfCodes(codes: readonly number[]): CodeRange[] {
  const ranges: { low: number; high: number }[] = [];
  for (const code of [...codes].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && code <= last.high + 1) last.high = code;
    else ranges.push({ low: code, high: code });
  }
  return ranges;
}

interface Rest {
  readonly passUnknown: boolean;
  readonly negate: boolean;
}

/** From this size on, the bitmap of a set is cached with the set. */
const manyIds = 1000;

const nothing: CodeRange = { low: 1, high: 0 };

/** A single range is a comparison; several are a look-up in a set of codes. */
function keepCodes(
  county: CountyColumns,
  { at, width, scale }: LoadedColumn,
  ranges: readonly CodeRange[],
  { passUnknown, negate }: Rest,
  bits: number,
): void {
  const { memory, kernels, words } = county;
  if (ranges.length <= 1) {
    const { low, high } = ranges[0] ?? nothing;
    const range = width === 1 ? kernels.range8 : width === 2 ? kernels.range16 : kernels.range32;
    range(at, bits, words, low, high, passUnknown ? 1 : 0, negate ? 1 : 0);
    return;
  }
  const bytes = width === 1 ? 256 : scale.count + 1;
  memory.withScratch(bytes, (tableAt) => {
    fillTable(memory.bytes(tableAt, bytes), ranges, passUnknown, negate);
    const member = width === 1 ? kernels.member8 : width === 2 ? kernels.member16 : kernels.member32;
    member(at, bits, words, tableAt);
  });
}

/** A set of codes, one byte each; code 0 is unknown. */
function fillTable(table: Uint8Array, ranges: readonly CodeRange[], passUnknown: boolean, negate: boolean): void {
  table.fill(negate ? 1 : 0);
  for (const { low, high } of ranges) table.fill(negate ? 0 : 1, low, high + 1);
  if (passUnknown) table[0] = 1;
}

function keepIds(county: CountyColumns, { ids, isExcluded }: Extract<Step, { type: 'ids' }>, bits: number): void {
  const { memory, kernels, words } = county;
  memory.withBitmap((found) => {
    if (ids.length < manyIds) {
      kernels.clear(found, words);
      setRows(county, found, rowsOfIds(county, ids));
    } else memory.bytes(found, words * 8).set(bitsOfIds(county, ids));
    if (isExcluded) kernels.andNot(bits, found, words);
    else kernels.and(bits, found, words);
  });
}

/** Orders steps by cost per removed row, lowest first. */
function inOrder(county: CountyColumns, steps: readonly Step[]): Step[] {
  if (steps.length < 2) return [...steps];
  const ranks = new Map(steps.map((step) => [step, rankOf(county, step)]));
  return [...steps].sort((a, b) => (ranks.get(a) as number) - (ranks.get(b) as number));
}

/** A range of numbers costs by the width of its codes; postings cost by the bits they set, plus a constant. */
function rankOf(county: CountyColumns, step: Step): number {
  if (step.type === 'ids') return 0;
  if (step.type !== 'range') return step.type === 'texts' ? 4 : 8;
  const column = county.column(step.column);
  const { low, high } = rangeOf(column, step);
  const { sample } = column;
  const within = Math.max(0, countUpTo(sample, high) - countUpTo(sample, low - 1));
  const hits = step.negate ? sample.length - within : within + (step.passUnknown ? countUpTo(sample, 0) : 0);
  const removed = sample.length === 0 ? 1 : 1 - hits / sample.length;
  return column.width / (removed + 0.02);
}

/** How many of the sorted codes are at most `code`. */
function countUpTo(sorted: readonly number[], code: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) <= code) low = middle + 1;
    else high = middle;
  }
  return low;
}
