/** The letters of a map page: what each holding gets, a name or a number, so that none touches another. */
import { abbreviated } from '../contacts/short-words.ts';
import type { Box } from '../exporting/pdf-page.ts';
import { type MultiPolygon, type PolygonRings, planarRingArea } from '../geo/geometry.ts';
import type { LabelBox, LabelField } from '../sheet/label-field.ts';
import type { LabelClass } from '../spec/holding-classes.ts';
import { cellOf } from './book-paper.ts';
import type { DrawnThings } from './drawn-things.ts';
import { type FittedText, fitAround, fitText, LabelShape, leastLetters, type TextBlock, wrapsOf } from './fit-label.ts';
import { type Holding, isUnstated, othersWords } from './holdings.ts';
import { initialed } from './label-words.ts';

/** A holding as the page shows it. */
export interface SeenHolding {
  /** Place in the book's list. */
  readonly at: number;
  readonly holding: Holding;
  /** On the page, a little beyond the frame: for drawing. */
  readonly shape: MultiPolygon;
  /** On the page, cut to the frame: for letters. */
  readonly seen: MultiPolygon;
  /** Its inner point on the page. */
  readonly point: readonly [number, number];
  /** Whether it must get a name or a number here. */
  readonly isHome: boolean;
}

export interface PageLabel extends FittedText {
  readonly at: number;
  readonly labelClass: LabelClass;
}

export interface PlacedLabels {
  readonly labels: readonly PageLabel[];
  /** At home here, without a name. */
  readonly unnamed: readonly SeenHolding[];
}

/** Letters smaller than this still count as a full name, but as a smaller one. */
const leastFull = 5;

/** By what is seen of a holding: a page tries its names twice. */
const shapes = new WeakMap<MultiPolygon, LabelShape | null>();

/** The largest part that is seen. */
function shapeOf(seen: MultiPolygon): LabelShape | null {
  const known = shapes.get(seen);
  if (known !== undefined) return known;
  const largest = seen[seen.map(exteriorArea).indexOf(largestArea(seen))];
  const shape = largest ? new LabelShape(largest) : null;
  shapes.set(seen, shape);
  return shape;
}

/** Deep inside the largest part; undefined: nothing is seen. */
export function insideOf(seen: MultiPolygon): readonly [number, number] | undefined {
  const pole = shapeOf(seen)?.pole;
  return pole && [pole.x, pole.y];
}

/** In square points. */
export const largestArea = (polygons: MultiPolygon): number => Math.max(0, ...polygons.map(exteriorArea));

const exteriorArea = ([exterior]: PolygonRings): number => (exterior ? Math.abs(planarRingArea(exterior)) : 0);

/** `1,012`, `57.7`, `3.20`, `<0.01`, with ± where measured; empty: unknown. */
export function acresWords({ acres, isMeasured }: Pick<Holding, 'acres' | 'isMeasured'>): string {
  if (acres === null) return '';
  const mark = isMeasured ? '±' : '';
  if (acres < 0.005) return `${mark}<0.01`;
  if (acres >= 1000) return mark + Math.round(acres).toLocaleString('en-US');
  return mark + acres.toFixed(acres >= 100 ? 0 : acres >= 10 ? 1 : 2);
}

type WidthOf = (text: string) => number;

/** The name in every wrap with its acres below, and in one line with them. */
function blocksOf(name: string, acres: string, widthOf: WidthOf): TextBlock[] {
  const wraps = wrapsOf(name, widthOf);
  if (acres === '') return wraps;
  const acresWidth = widthOf(acres);
  const one = `${name}  ${acres}`;
  return [
    ...wraps.map(({ lines, width }) => ({ lines: [...lines, acres], width: Math.max(width, acresWidth) })),
    { lines: [one], width: widthOf(one) },
  ];
}

/** Larger land gets larger letters. */
const mostSizeOf = ({ area }: LabelShape): number => Math.min(11, Math.max(leastLetters, 3.4 + Math.sqrt(area) / 13));

export class LabelPlacer {
  readonly #field: LabelField;
  readonly #widthOf: WidthOf;
  readonly #isFree: (box: LabelBox) => boolean;
  readonly things: DrawnThings | null;

  /** @param things that letters keep off where there is room beside them */
  constructor(field: LabelField, widthOf: WidthOf, things: DrawnThings | null = null) {
    this.#field = field;
    this.#widthOf = widthOf;
    this.things = things;
    this.#isFree = (box) => field.isFree(box);
  }

  /** Names for all that are seen: those at home first, large land before small. */
  names(seen: readonly SeenHolding[]): PlacedLabels {
    const ordered = seen
      .map((one) => ({ one, shape: shapeOf(one.seen) }))
      .sort(
        (a, b) =>
          Number(b.one.isHome) - Number(a.one.isHome) ||
          (b.shape?.area ?? 0) - (a.shape?.area ?? 0) ||
          a.one.at - b.one.at,
      );
    const labels: PageLabel[] = [];
    const unnamed: SeenHolding[] = [];
    const named: SeenHolding[] = [];
    for (const { one, shape } of ordered) {
      const label = shape && this.#name(one, shape);
      if (label) {
        labels.push(label);
        named.push(one);
      } else if (one.isHome) unnamed.push(one);
    }
    return { labels: [...labels, ...named.flatMap((one) => this.#nameParts(one))], unnamed };
  }

  /** The name alone on each further part of the land, like that across a road, where it has room; after all others. */
  #nameParts({ at, holding, seen }: SeenHolding): PageLabel[] {
    if (seen.length < 2 || isUnstated(holding)) return [];
    const largest = seen.map(exteriorArea).indexOf(largestArea(seen));
    return seen.flatMap((part, index) => {
      const shape = index === largest ? null : new LabelShape(part);
      const fitted = shape && this.#take(shape, wrapsOf(holding.name, this.#widthOf), mostSizeOf(shape));
      return fitted ? [{ ...fitted, at, labelClass: 'full' as const }] : [];
    });
  }

  /**
   * The names of a first try on a field that has less room: each stays where it was, or is placed once more. What had no
   * name then has none now.
   */
  again(first: readonly PageLabel[], seen: readonly SeenHolding[]): PlacedLabels {
    const byPlace = new Map(seen.map((one) => [one.at, one]));
    const kept = first.filter((label) => this.#field.takes(label, true));
    const named = new Set(kept.map(({ at }) => at));
    const moved = new Set(first.filter(({ at }) => !named.has(at)).map(({ at }) => byPlace.get(at) as SeenHolding));
    const labels = [...kept, ...this.names([...moved]).labels];
    for (const { at } of labels) named.add(at);
    return { labels, unnamed: seen.filter(({ at, isHome }) => isHome && !named.has(at)) };
  }

  #name({ at, holding }: SeenHolding, shape: LabelShape): PageLabel | null {
    const [acres, others] = [acresWords(holding), othersWords(holding)];
    const most = mostSizeOf(shape);
    const take = (name: string | null, labelClass: LabelClass): PageLabel | null => {
      if (name === null) return null;
      const fitted = this.#take(shape, blocksOf(name + others, acres, this.#widthOf), most, isUnstated(holding));
      if (!fitted) return null;
      return { ...fitted, at, labelClass: labelClass === 'full' && fitted.size < leastFull ? 'smaller' : labelClass };
    };
    const full = take(holding.name, 'full');
    if (full) return full;
    const short = abbreviated(holding.name);
    return (
      (short === holding.name ? null : take(short, 'abbreviated')) ??
      (holding.kind === 'person' ? take(initialed(holding.name), 'initials') : null)
    );
  }

  /** @param isShy it is left out where it would lie on a road or a stream: land whose owner is not stated is often one */
  #take(shape: LabelShape, blocks: readonly TextBlock[], most: number, isShy = false): FittedText | null {
    const room = { isFree: this.#isFree, most };
    const fitted = fitText(shape, blocks, room);
    if (!fitted) return null;
    const things = this.things?.isUnder(fitted) ? this.things.within(shape) : [];
    const beside = things.length > 0 ? fitAround(shape, blocks, room, fitted, things) : null;
    const best = beside ?? fitted;
    if (isShy && this.things?.isUnder(best)) return null;
    return this.#field.takes(best, true) ? best : null;
  }

  /** Numbers for those without a name, in the order of the cells; what even a number does not fit into has a cell only. */
  numbers(unnamed: readonly SeenHolding[], box: Box): { readonly labels: PageLabel[]; readonly cells: SeenHolding[] } {
    const widest = this.#widthOf('8'.repeat(String(unnamed.length).length));
    const fitted: { readonly one: SeenHolding; readonly place: FittedText }[] = [];
    const cells: SeenHolding[] = [];
    for (const one of unnamed) {
      const shape = shapeOf(one.seen);
      const place = shape && this.#take(shape, [{ lines: [''], width: widest }], 5.3, isUnstated(one.holding));
      if (place) fitted.push({ one, place });
      else cells.push(one);
    }
    const key = ({ place: { x, y } }: (typeof fitted)[number]) => {
      const cell = cellOf(box, x, y);
      return `${cell.slice(1)}${cell[0]}`;
    };
    fitted.sort((a, b) =>
      key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.place.y - b.place.y || a.place.x - b.place.x,
    );
    return {
      labels: fitted.map(({ one, place }, at) => ({
        ...place,
        lines: [String(at + 1)],
        at: one.at,
        labelClass: 'number',
      })),
      cells,
    };
  }
}
