/** The pages of a book before it is made, from the boxes of its parcels: fast enough for every change of a choice. */
import { middleOfBounds } from '../geo/geometry.ts';
import { boxOnPage } from '../sheet/ground-frame.ts';
import type { LandStore } from '../store/land-store.ts';
import { frameBox } from './book-paper.ts';
import { detailWindows, isWithin } from './detail-windows.ts';
import { chosenLand } from './land-boxes.ts';
import type { Placed } from './page-plan.ts';
import { type BookOptions, bookSize, planPagesOf } from './plan-book.ts';
import { hardlyHoldsName, homeOf, seamDetails } from './seam-details.ts';

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
  /** About, on an ordinary computer. */
  readonly seconds: number;
  /** About: the share of holdings that get a number instead of a name, 0 to 1. */
  readonly numbered_share: number;
  /** Middles of some of the parcels, for a picture of the land: longitude and latitude by turns. */
  readonly land: readonly number[];
  /** The map pages, exactly as the book will have them: names with west, south, east, north. */
  readonly frames: readonly { readonly name: string; readonly bounds: readonly [number, number, number, number] }[];
}

/** Lines of an index page, and bytes of a page and of a parcel, as books have them. */
const [linesOfPage, pageBytes, parcelBytes, leastBytes] = [360, 31_000, 90, 90_000];
/** Seconds of a start, a page and a parcel. */
const [leastSeconds, pageSeconds, parcelSeconds] = [1, 0.05, 0.0003];

/** @throws EngineError not_found, validation_error as the book does */
export function estimateBook(
  land: LandStore,
  options: Pick<BookOptions, 'choice' | 'scale' | 'paper' | 'isLandscape' | 'pages' | 'details'>,
): BookEstimate {
  const chosen = chosenLand(land, options.choice);
  const { parcels, placed } = chosen;
  const plan = planPagesOf(land, chosen, options);
  const box = frameBox(bookSize(options));
  const seams = seamDetails(placed, plan, box, options.details);
  const byPage = Map.groupBy(placed, ({ bounds }) => homeOf({ plan, seams }, bounds, middleOfBounds(bounds)));
  let [details, unnamed] = [seams.length, 0];
  for (const { name, frame } of [...plan.pages, ...seams]) {
    const lots = (byPage.get(name) ?? []).map((one): Lot => {
      const [x, y] = middleOfBounds(one.bounds);
      return { at: [frame.x(x), frame.y(y)], ...boxOnPage(frame, one.bounds) };
    });
    const found = detailsOf(box, lots, options.details === null ? 1 : frame.scale / options.details);
    details += found.pages;
    unnamed += found.unnamed;
  }
  const maps = plan.pages.length + details;
  return {
    ...{ scale: plan.scale, parcels, map_pages: plan.pages.length, detail_pages: details },
    pages: maps + 3 + Math.ceil((1.2 * parcels) / linesOfPage),
    bytes: leastBytes + pageBytes * maps + parcelBytes * parcels,
    seconds: Math.round(leastSeconds + pageSeconds * maps + parcelSeconds * parcels),
    numbered_share: Math.round((100 * unnamed) / placed.length) / 100,
    land: pictureOf(placed),
    frames: plan.pages.map(({ name, frame: { bounds } }) => ({
      name,
      bounds: [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY],
    })),
  };
}

/** More points would make no better picture. */
const mostPoints = 6000;

function pictureOf(placed: readonly Placed[]): number[] {
  const step = Math.ceil(placed.length / mostPoints);
  return placed
    .filter((_one, at) => at % step === 0)
    .flatMap((one) => middleOfBounds(one.bounds).map((degrees) => Math.round(degrees * 1e5) / 1e5));
}

interface Lot {
  readonly at: readonly [number, number];
  readonly width: number;
  readonly height: number;
}

/** @param most how many times larger a detail may be */
function detailsOf(
  box: Parameters<typeof detailWindows>[0],
  lots: readonly Lot[],
  most: number,
): { readonly pages: number; readonly unnamed: number } {
  let left = lots.filter(hardlyHoldsName);
  let [pages, unnamed] = [0, 0];
  for (const window of detailWindows(
    box,
    left.map(({ at }) => at),
    most,
  )) {
    const inside = left.filter(({ at }) => isWithin(window, at));
    left = left.filter(({ at }) => !isWithin(window, at));
    const enlarged = inside.map(({ at: [x, y], width, height }) => ({
      at: [box.x + (x - window.x) * window.times, box.y + (y - window.y) * window.times] as const,
      ...{ width: window.times * width, height: window.times * height },
    }));
    const within = detailsOf(box, enlarged, most / window.times);
    pages += 1 + within.pages;
    unnamed += within.unnamed;
  }
  return { pages, unnamed: unnamed + left.length };
}
