/** Pages of given areas, one each: townships, or what a file names. All have one scale, at which the largest fits. */
import type { Box } from '../exporting/pdf-page.ts';
import {
  type Bounds,
  boundsOfMultiPolygon,
  boundsOverlap,
  type MultiPolygon,
  middleOfBounds,
} from '../geo/geometry.ts';
import { holdsPoint } from '../geo/holds-point.ts';
import { localMetric } from '../geo/local-metric.ts';
import { groundFrame } from '../sheet/ground-frame.ts';
import { counted, grouped } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { pointsPerMeter, sheetScales } from '../spec/sheet-paper.ts';
import { holds, type Neighbor, type PagePlan, type Placed, type PlannedPage } from './page-plan.ts';

export interface PageArea {
  readonly name: string;
  readonly polygons: MultiPolygon;
}

interface Area extends PageArea {
  readonly bounds: Bounds;
}

/** Points of white around an area. */
const around = 6;

/** @param scale null: the largest usual one. @throws EngineError validation_error */
export function planAreas(
  given: readonly PageArea[],
  placed: readonly Placed[],
  box: Box,
  scale: number | null,
): PagePlan {
  const areas = given
    .map((area): Area => ({ ...area, bounds: boundsOfMultiPolygon(area.polygons) }))
    .filter((area) => placed.some((one) => isOn(one, area)));
  if (areas.length === 0) throw refused(`none of the ${counted(given.length, 'page', 'pages')} holds any of the land`);
  const least = Math.max(...areas.map(({ bounds }) => scaleOf(bounds, box)));
  const fitting = sheetScales.find((one) => one >= least) ?? Math.ceil(least / 1000) * 1000;
  if (scale !== null && scale < least) {
    const largest = areas.reduce((a, b) => (scaleOf(a.bounds, box) > scaleOf(b.bounds, box) ? a : b));
    throw refused(`${largest.name} does not fit on a page at 1:${grouped(scale)}; 1:${grouped(fitting)} fits`);
  }
  const pages = areas.map((area): PlannedPage => {
    const middle = middleOfBounds(area.bounds);
    return {
      name: area.name,
      frame: groundFrame(box, middle, scale ?? fitting),
      neighbors: neighborsOf(area, areas),
      area: area.polygons,
    };
  });
  const homeOf: PagePlan['homeOf'] = ([x, y]) => {
    const at = areas.findIndex(({ bounds, polygons }) => holds(bounds, x, y) && holdsPoint(polygons, x, y));
    return at >= 0 ? pages[at] : undefined;
  };
  return { scale: scale ?? fitting, pages, cutStrips: 0, homeOf };
}

const refused = (why: string): EngineError => new EngineError('validation_error', `Nothing is printed: ${why}.`);

/** The middle of its box, or a good part of it: neighbors touch along their common line. */
function isOn({ bounds }: Placed, area: Area): boolean {
  if (!boundsOverlap(bounds, area.bounds)) return false;
  const [x, y] = middleOfBounds(bounds);
  if (holds(area.bounds, x, y) && holdsPoint(area.polygons, x, y)) return true;
  const share = (low: number, high: number, areaLow: number, areaHigh: number) =>
    (Math.min(high, areaHigh) - Math.max(low, areaLow)) / (areaHigh - areaLow);
  const { minX, minY, maxX, maxY } = area.bounds;
  return share(bounds.minX, bounds.maxX, minX, maxX) > 0.05 && share(bounds.minY, bounds.maxY, minY, maxY) > 0.05;
}

/** The scale at which a box of degrees just fits. */
function scaleOf(bounds: Bounds, { width, height }: Box): number {
  const metric = localMetric(middleOfBounds(bounds)[1]);
  const across = ((bounds.maxX - bounds.minX) * metric.x) / (width - 2 * around);
  const down = ((bounds.maxY - bounds.minY) * metric.y) / (height - 2 * around);
  return Math.max(across, down) * pointsPerMeter(1);
}

/** Areas just beyond the middles of its sides. */
function neighborsOf({ bounds }: Area, areas: readonly Area[]): Neighbor[] {
  const [x, y] = middleOfBounds(bounds);
  const [dx, dy] = [(bounds.maxX - bounds.minX) * 0.55, (bounds.maxY - bounds.minY) * 0.55];
  const places = [
    { side: 'above', at: [x, y + dy] },
    { side: 'below', at: [x, y - dy] },
    { side: 'west', at: [x - dx, y] },
    { side: 'east', at: [x + dx, y] },
  ] as const;
  return places.flatMap(({ side, at }) => {
    const found = areas.find((area) => holds(area.bounds, ...at) && holdsPoint(area.polygons, ...at));
    return found ? [{ side, name: found.name }] : [];
  });
}
