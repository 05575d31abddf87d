/**
 * Details of towns that lie on several pages: one for all, in place of a detail from each page. They follow from the boxes of
 * parcels alone, so that a page that is drawn by itself has those of the book.
 */
import type { Box } from '../exporting/pdf-page.ts';
import { type Bounds, boundsOfCoordinates, middleOfBounds } from '../geo/geometry.ts';
import { boxOnPage, type GroundFrame, groundFrame } from '../sheet/ground-frame.ts';
import { leastUnnamed } from './detail-windows.ts';
import { holds, type PagePlan, type Placed, type PlannedPage } from './page-plan.ts';

export interface SeamDetail {
  /** The name of its first page, with a number: `B2.1`. */
  readonly name: string;
  readonly frame: GroundFrame;
  /** Pages on which its land would be at home, in their order. */
  readonly pages: readonly string[];
}

interface Lot {
  readonly page: string;
  readonly x: number;
  readonly y: number;
}

/** A frame has so many cells each way; towns are groups of cells that touch. */
const cells = 16;
/** Small lots that make a cell a part of a town. */
const leastLots = 3;

/** Points: a parcel whose box is smaller will hardly hold a name. */
const [leastSide, leastArea] = [8, 400];

export const hardlyHoldsName = ({ width, height }: Pick<Box, 'width' | 'height'>): boolean =>
  Math.min(width, height) < leastSide || width * height < leastArea;

/** The detail in which land is at home instead of on its page; undefined: none. */
export const seamOf = (
  {
    bounds,
    point: [x, y],
    page,
  }: { readonly bounds: Bounds; readonly point: readonly [number, number]; readonly page: PlannedPage },
  seams: readonly SeamDetail[],
): SeamDetail | undefined =>
  seams.find(
    (one) =>
      one.pages.includes(page.name) && holds(one.frame.bounds, x, y) && hardlyHoldsName(boxOnPage(page.frame, bounds)),
  );

/** The page on which land is at home, or the detail of its town. @returns its name; undefined: none */
export function homeOf(
  { plan, seams }: { readonly plan: PagePlan; readonly seams: readonly SeamDetail[] },
  bounds: Bounds,
  point: readonly [number, number],
): string | undefined {
  const page = plan.homeOf(point);
  return page && (seamOf({ bounds, point, page }, seams) ?? page).name;
}

/** @param most the largest scale of details; null: none */
export function seamDetails(placed: readonly Placed[], plan: PagePlan, box: Box, most: number | null): SeamDetail[] {
  const [first] = plan.pages;
  if (most === null || !first || plan.pages.length < 2 || plan.scale / 2 < most) return [];
  const { frame } = first;
  const across = frame.bounds.maxX - frame.bounds.minX;
  const down = frame.bounds.maxY - frame.bounds.minY;
  const lots = placed.flatMap((one): Lot[] => {
    if (!hardlyHoldsName(boxOnPage(frame, one.bounds))) return [];
    const [x, y] = middleOfBounds(one.bounds);
    const page = plan.homeOf([x, y])?.name;
    return page === undefined ? [] : [{ page, x, y }];
  });
  const order = new Map(plan.pages.map(({ name }, at) => [name, at]));
  const numbers = new Map<string, number>();
  return townsOf(lots, across / cells, down / cells).flatMap((town): SeamDetail[] => {
    const bounds = boundsOfCoordinates([town.flatMap(({ x, y }) => [x, y])]);
    // A little room for the lots around their middles.
    const share = 1.04 * Math.max((bounds.maxX - bounds.minX) / across, (bounds.maxY - bounds.minY) / down);
    const times = [8, 4, 2].find((one) => share * one <= 1 && plan.scale / one >= most);
    if (times === undefined || !standsAlone(town, lots, widened(bounds, across / 4, down / 4))) return [];
    const byPage = Map.groupBy(town, ({ page }) => page);
    if ([...byPage.values()].filter(({ length }) => length >= leastUnnamed).length < 2) return [];
    const pages = [...byPage.keys()].sort((a, b) => (order.get(a) as number) - (order.get(b) as number));
    const owner = pages[0] as string;
    const number = (numbers.get(owner) ?? 0) + 1;
    numbers.set(owner, number);
    return [{ name: `${owner}.${number}`, frame: groundFrame(box, middleOfBounds(bounds), plan.scale / times), pages }];
  });
}

const widened = ({ minX, minY, maxX, maxY }: Bounds, wide: number, high: number): Bounds => ({
  ...{ minX: minX - wide, maxX: maxX + wide },
  ...{ minY: minY - high, maxY: maxY + high },
});

/** Whether hardly any small lots lie around: else details of the pages show these and the town together. */
const standsAlone = (town: readonly Lot[], lots: readonly Lot[], around: Bounds): boolean =>
  lots.filter(({ x, y }) => holds(around, x, y)).length - town.length < leastUnnamed;

/** Lots of cells that touch and hold several each, in the order of the lots. */
function townsOf(lots: readonly Lot[], wide: number, high: number): Lot[][] {
  const byCell = Map.groupBy(lots, ({ x, y }) => `${Math.floor(x / wide)} ${Math.floor(y / high)}`);
  const left = new Map([...byCell].filter(([, { length }]) => length >= leastLots));
  return [...left.keys()].map((start) => takeTown(start, left)).filter(({ length }) => length > 0);
}

/** Takes a cell, and all that follow by touching one. */
function takeTown(start: string, left: Map<string, Lot[]>): Lot[] {
  const town: Lot[] = [];
  const open = [start];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const inside = left.get(key);
    if (!inside) continue;
    left.delete(key);
    for (const lot of inside) town.push(lot);
    const [column = 0, row = 0] = key.split(' ').map(Number);
    open.push(...steps.map(([right, down]) => `${column + right} ${row + down}`));
  }
  return town;
}

const steps = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const));
