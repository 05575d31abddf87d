/** The pages of a book before it is made, from the boxes of its parcels alone: fast enough for every change of a choice. */
import type { Bounds } from '../geo/geometry.ts';
import { boxOnPage } from '../sheet/ground-frame.ts';
import { EngineError } from '../spec/errors.ts';
import { pageSize } from '../spec/sheet-paper.ts';
import type { LandStore } from '../store/land-store.ts';
import { frameBox } from './book-paper.ts';
import { choiceSql } from './book-parcels.ts';
import { type BookOptions, planOf } from './make-book.ts';
import { detailWindows, isWithin, type Placed } from './page-plan.ts';

export interface BookEstimate {
  readonly scale: number;
  readonly parcels: number;
  readonly map_pages: number;
  /** About: names that do not fit are guessed from the boxes of parcels. */
  readonly detail_pages: number;
  /** About. */
  readonly pages: number;
  /** About. */
  readonly bytes: number;
  /** Names of the map pages with west, south, east, north. */
  readonly frames: readonly { readonly name: string; readonly bounds: readonly [number, number, number, number] }[];
}

/** Points: a parcel whose box is smaller will hardly hold a name. */
const [leastSide, leastArea] = [11, 620];
/** Lines of an index page, and bytes of a page and of a parcel, as books have them. */
const [linesOfPage, pageBytes, parcelBytes, leastBytes] = [360, 31_000, 90, 90_000];

/** @throws EngineError validation_error as the book does */
export function estimateBook(
  land: LandStore,
  options: Pick<BookOptions, 'choice' | 'scale' | 'paper' | 'details'>,
): BookEstimate {
  const { sql, values } = choiceSql(options.choice);
  const rows = land.file.rawRows(
    `SELECT i.xmin, i.ymin, i.xmax, i.ymax FROM parcels p LEFT JOIN idx_parcels_geom i ON i.pkid = p.property_id ${sql}`,
    ...values,
  ) as [number | null, number, number, number][];
  if (rows.length === 0) throw new EngineError('validation_error', 'Nothing to print: no parcel is chosen.');
  const placed = rows.flatMap(([minX, minY, maxX, maxY]): Placed[] =>
    minX === null ? [] : [boxOf({ minX, minY, maxX, maxY })],
  );
  if (placed.length === 0)
    throw new EngineError(
      'validation_error',
      `Nothing to print: none of the ${rows.length.toLocaleString('en-US')} parcels has a shape.`,
    );
  const plan = planOf(placed, options);
  const box = frameBox(pageSize(options.paper, false));
  const byPage = Map.groupBy(placed, ({ point }) => plan.homeOf(point)?.name);
  let details = 0;
  for (const { name, frame } of options.details === null ? [] : plan.pages) {
    const points = (byPage.get(name) ?? []).map(({ bounds, point }) => ({
      at: [frame.x(point[0]), frame.y(point[1])] as const,
      ...boxOnPage(frame, bounds),
    }));
    details += countDetails(box, points, Math.log2(plan.scale / (options.details ?? plan.scale)));
  }
  const maps = plan.pages.length + details;
  const pages = maps + 3 + Math.ceil((1.2 * rows.length) / linesOfPage);
  return {
    ...{ scale: plan.scale, parcels: rows.length, map_pages: plan.pages.length, detail_pages: details, pages },
    bytes: leastBytes + pageBytes * maps + parcelBytes * rows.length,
    frames: plan.pages.map(({ name, frame: { bounds } }) => ({
      name,
      bounds: [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY],
    })),
  };
}

function boxOf(bounds: Bounds): Placed {
  const { minX, minY, maxX, maxY } = bounds;
  const ring = Float64Array.of(minX, minY, maxX, minY, maxX, maxY, minX, maxY, minX, minY);
  return { polygons: [[ring]], bounds, point: [(minX + maxX) / 2, (minY + maxY) / 2] };
}

interface Lot {
  readonly at: readonly [number, number];
  readonly width: number;
  readonly height: number;
}

/** @param steps how often the scale may still double */
function countDetails(box: Parameters<typeof detailWindows>[0], lots: readonly Lot[], steps: number): number {
  if (steps < 1) return 0;
  const small = lots.filter(({ width, height }) => Math.min(width, height) < leastSide || width * height < leastArea);
  let left = small;
  let count = 0;
  for (const window of detailWindows(
    box,
    small.map(({ at }) => at),
  )) {
    const inside = left.filter(({ at }) => isWithin(window, at));
    left = left.filter((lot) => !inside.includes(lot));
    const enlarged = inside.map(({ at: [x, y], width, height }) => ({
      at: [box.x + (x - window.x) * 2, box.y + (y - window.y) * 2] as const,
      ...{ width: 2 * width, height: 2 * height },
    }));
    count += 1 + countDetails(box, enlarged, steps - 1);
  }
  return count;
}
