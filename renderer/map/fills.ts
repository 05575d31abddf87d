/**
 * The fills of lots: one row each. The style's expression, the legend's lines and the read that counts them derive from
 * it. All use one hue from light to dark (the ramp of tokens.css), whose order every color-vision deficiency preserves.
 */
import type { ExpressionSpecification } from 'maplibre-gl';
import type { ReadInputOf } from '../../engine/reads/index.ts';
import { formatNumber, formatPercent } from '../parts/format.ts';

interface FillWords {
  readonly name: string;
  /** In the legend's heading. */
  readonly title: string;
  /** In the menu. */
  readonly choice: string;
}

interface FillBase extends FillWords {
  /** The lot's attribute in the tile. */
  readonly attribute: ReadInputOf<'map_legend'>['column'];
  readonly without: string;
}

interface NumberFill extends FillBase {
  readonly kind: 'number';
  /** Fixed classes with their own meaning; absent: quantiles of what is shown. */
  readonly limits?: readonly number[];
  readonly format: (value: number) => string;
}

interface ChoiceFill extends FillBase {
  readonly kind: 'choice';
  /** From the lightest to the darkest, with labels. */
  readonly values: readonly (readonly [value: string, words: string])[];
}

/** The user's own tags: tiles lack them, so each lot gets its class as feature-state (`use-tags.ts`). */
interface TagFill extends FillWords {
  readonly kind: 'tag';
}

/** Fills by attributes in the tiles. */
export type AttributeFill = NumberFill | ChoiceFill;
export type Fill = AttributeFill | TagFill;

const plain = (value: number): string => formatNumber(value);
const percent = (value: number): string => formatPercent(value);

export const fills = [
  {
    name: 'value_per_acre',
    kind: 'number',
    title: 'Value, $/ac',
    choice: 'Value per acre: market, else assessed',
    attribute: 'value_per_acre',
    without: 'no value',
    format: plain,
  },
  {
    name: 'acres',
    kind: 'number',
    title: 'Acres',
    choice: 'Acres',
    attribute: 'acres',
    without: 'unknown',
    format: plain,
  },
  {
    name: 'owner_type',
    kind: 'choice',
    title: 'Owner',
    choice: 'Kind of owner',
    attribute: 'owner_type',
    without: 'unknown',
    values: [
      ['individual', 'individual'],
      ['trust', 'trust'],
      ['company', 'company'],
      ['hoa', 'homeowners’ association'],
      ['government', 'government'],
    ],
  },
  {
    name: 'slope',
    kind: 'number',
    title: 'Mean slope',
    choice: 'Mean slope',
    attribute: 'slope_mean_percent',
    without: 'unknown',
    limits: [5, 10, 15, 25],
    format: percent,
  },
  {
    name: 'flood',
    kind: 'number',
    title: 'In a flood zone',
    choice: 'Share in a flood zone',
    attribute: 'flood_zone_percent',
    without: 'unknown',
    limits: [1, 10, 25, 50],
    format: percent,
  },
  { name: 'tag', kind: 'tag', title: 'Tag', choice: 'Tag' },
] as const satisfies readonly Fill[];

export type FillName = (typeof fills)[number]['name'];

type FillNamed<Name extends FillName> = Extract<(typeof fills)[number], { readonly name: Name }>;

/** The first fill if there is none with this name: another version may have stored it. */
export function fillByName<Name extends FillName>(name: Name): FillNamed<Name>;
export function fillByName(name: string): Fill;
export function fillByName(name: string): Fill {
  return fills.find((fill) => fill.name === name) ?? fills[0];
}

/** Steps of the ramp for a number of classes: from light to dark, as far apart as possible. */
const steps: readonly (readonly number[])[] = [[], [2], [1, 3], [0, 2, 4], [0, 1, 3, 4], [0, 1, 2, 3, 4]];

export const stepOf = (classes: number, index: number): number => steps[Math.min(5, classes)]?.[index] ?? 2;

export interface FillClass {
  /** Position on the ramp, 0 to 4. */
  readonly step: number;
  readonly words: string;
  readonly count: number;
}

/** Counts for a fill: the limits between its classes, or the values that occur. */
interface FillCounts {
  readonly limits: readonly number[];
  readonly counts: readonly number[];
}

/** Lines of the legend, lightest first; `use-legend.ts` makes those of tags. */
export function fillClasses(fill: Fill, { limits, counts }: FillCounts): FillClass[] {
  if (fill.kind === 'tag') return [];
  const countAt = (i: number) => counts[i] ?? 0;
  if (fill.kind === 'choice') {
    return fill.values.map(([, words], i) => ({ step: stepOf(fill.values.length, i), words, count: countAt(i) }));
  }
  const { format } = fill;
  const first = limits[0];
  if (first === undefined) {
    return [{ step: 2, words: 'all known', count: countAt(0) }];
  }
  const last = limits[limits.length - 1] as number;
  return Array.from({ length: limits.length + 1 }, (_, i) => ({
    step: stepOf(limits.length + 1, i),
    words:
      i === 0
        ? `under ${format(first)}`
        : i === limits.length
          ? `${format(last)} and more`
          : `${format(limits[i - 1] as number)} to ${format(limits[i] as number)}`,
    count: countAt(i),
  }));
}

/** Steps of tags, most used first and darkest. */
export const tagSteps = (tags: number): number[] => Array.from({ length: tags }, (_, i) => stepOf(tags, tags - 1 - i));

/** One of five colors for a lot with a known value. */
export function fillExpression(
  fill: Fill,
  limits: readonly number[],
  colors: readonly string[],
  otherwise: string,
): ExpressionSpecification {
  if (fill.kind === 'tag') {
    const pairs = colors.flatMap((color, step) => [step, color]);
    return ['match', ['feature-state', 'tag'], ...pairs, otherwise] as unknown as ExpressionSpecification;
  }
  const value: ExpressionSpecification = ['get', fill.attribute];
  const colorAt = (classes: number, i: number) => colors[stepOf(classes, i)] ?? otherwise;
  if (fill.kind === 'choice') {
    const pairs = fill.values.flatMap(([name], i) => [name, colorAt(fill.values.length, i)]);
    return ['match', value, ...pairs, otherwise] as unknown as ExpressionSpecification;
  }
  const classes = limits.length + 1;
  if (classes === 1) return ['case', ['has', fill.attribute], colorAt(1, 0), otherwise];
  const tail = limits.flatMap((limit, i) => [limit, colorAt(classes, i + 1)]);
  return [
    'case',
    ['has', fill.attribute],
    ['step', ['to-number', value], colorAt(classes, 0), ...tail],
    otherwise,
  ] as unknown as ExpressionSpecification;
}

/** Step of the ramp for a lot's value; null if unknown. */
export function classStep(fill: Fill, limits: readonly number[], value: unknown): number | null {
  if (fill.kind === 'tag' || value === undefined || value === null) return null;
  if (fill.kind === 'choice') {
    const index = fill.values.findIndex(([name]) => name === value);
    return index < 0 ? null : stepOf(fill.values.length, index);
  }
  const index = limits.filter((limit) => limit <= Number(value)).length;
  return stepOf(limits.length + 1, index);
}
