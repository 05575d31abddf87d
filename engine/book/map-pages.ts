/** The map pages of a book, each followed by the details of its crowded parts. */
import { type Box, boxPath, type Path, type PdfPage } from '../exporting/pdf-page.ts';
import { BoundsIndex } from '../geo/bounds-index.ts';
import { type Bounds, boundsOverlap, type Ring } from '../geo/geometry.ts';
import { thinned } from '../geo/thinned.ts';
import { boxOnPage, type GroundFrame, georeference, groundFrame } from '../sheet/ground-frame.ts';
import { LabelField } from '../sheet/label-field.ts';
import { polygonsOnPage } from '../sheet/page-shapes.ts';
import type { LabelClass } from '../spec/holding-classes.ts';
import type { LandStore } from '../store/land-store.ts';
import type { DrawnLayer } from '../tiles/stored-layers.ts';
import type { BookFile, Target } from './book-file.ts';
import { bookInks, grounds } from './book-inks.ts';
import { cellOf } from './book-paper.ts';
import { type DetailWindow, detailWindows, isWithin } from './detail-windows.ts';
import { drawBrackets, tagsOf } from './draw-brackets.ts';
import { drawFurniture, type PageWords } from './draw-furniture.ts';
import { drawSectionNumbers, drawSurvey, townshipNames } from './draw-survey.ts';
import { lineStep } from './fit-label.ts';
import { type Holding, isUnstated } from './holdings.ts';
import { inBatches } from './in-batches.ts';
import type { OtherParcels } from './other-parcels.ts';
import {
  drawBuildings,
  drawGroundNames,
  drawRoads,
  drawWater,
  type Ground,
  readGround,
  thingsOf,
} from './page-ground.ts';
import type { Neighbor, PlannedPage } from './page-plan.ts';
import { insideOf, LabelPlacer, type PageLabel, type PlacedLabels, type SeenHolding } from './place-labels.ts';
import type { SeamDetail } from './seam-details.ts';

/** Where a holding is found. A book has a hundred thousand: what follows from the place is not kept. */
export class FoundAt {
  readonly page: string;
  readonly labelClass: LabelClass;
  /** In the page's list of small parcels; null: it has a name, or only a cell. */
  readonly number: number | null;
  readonly #box: Box;
  /** Whole points. */
  readonly #x: number;
  readonly #y: number;

  /** @param at middle of its letters, or its inner point */
  constructor(
    { page, box }: { readonly page: string; readonly box: Box },
    [x, y]: readonly [number, number],
    labelClass: LabelClass,
    number: number | null,
  ) {
    this.page = page;
    this.labelClass = labelClass;
    this.number = number;
    this.#box = box;
    this.#x = Math.round(x);
    this.#y = Math.round(y);
  }

  get cell(): string {
    return cellOf(this.#box, this.#x, this.#y);
  }

  get target(): Target {
    return { page: this.page, box: { x: this.#x - 100, y: this.#y - 75, width: 200, height: 150 } };
  }
}

export interface DetailPage {
  readonly name: string;
  readonly frame: GroundFrame;
}

interface MapPage {
  readonly name: string;
  readonly frame: GroundFrame;
  /** Pages of which it is a detail. */
  readonly parents: readonly string[];
  readonly neighbors: readonly Neighbor[];
}

interface MapOptions extends PageWords {
  /** No detail has a larger scale; null: no details. */
  readonly details: number | null;
}

interface Named extends PlacedLabels {
  readonly placer: LabelPlacer;
}

interface Detail extends DetailPage {
  readonly window: DetailWindow;
}

type Marked = Parameters<typeof tagsOf>[0][number];
type Bookmarks = { title: string; target: Target; below: never[] }[];

/** Details of towns that a page shares with others. */
interface SeamsOfPage {
  readonly marked: readonly SeamDetail[];
  /** Those that follow the page. */
  readonly drawn: readonly SeamDetail[];
}

const none: ReadonlySet<number> = new Set();

export class MapPages {
  /** By place in the list of holdings; undefined: not drawn yet, or without a shape. */
  readonly found: (FoundAt | undefined)[];
  readonly details: DetailPage[] = [];
  readonly #file: BookFile;
  readonly #land: LandStore;
  readonly #layers: readonly DrawnLayer[];
  readonly #others: OtherParcels | null;
  readonly #holdings: readonly Holding[];
  readonly #index: BoundsIndex;
  readonly #options: MapOptions;
  /** For the checker of the tests. */
  readonly #onPage: ((name: string, seen: readonly SeenHolding[], labels: readonly PageLabel[]) => void) | undefined;

  constructor(
    file: BookFile,
    {
      land,
      layers,
      others,
      holdings,
      options,
      onPage,
    }: {
      readonly land: LandStore;
      readonly layers: readonly DrawnLayer[];
      readonly others: OtherParcels | null;
      readonly holdings: readonly Holding[];
      readonly options: MapOptions;
      readonly onPage?: (name: string, seen: readonly SeenHolding[], labels: readonly PageLabel[]) => void;
    },
  ) {
    this.#file = file;
    this.#land = land;
    this.#layers = layers;
    this.#others = others;
    this.#holdings = holdings;
    this.found = Array.from(holdings, () => undefined);
    this.#index = new BoundsIndex(holdings.map(({ hasShape, bounds }) => (hasShape ? bounds : null)));
    this.#options = options;
    this.#onPage = onPage;
  }

  /** Draws a page of the grid and its details. */
  add(
    { name, frame, neighbors }: PlannedPage,
    homes: ReadonlyMap<string, ReadonlySet<number>>,
    { marked, drawn }: SeamsOfPage,
  ): void {
    const near = this.#index.near(frame.bounds);
    const below = this.#file.bookmarks.at(-1)?.below;
    const bookmark = { title: name, target: { page: name }, below: [] };
    below?.push(bookmark);
    this.#draw({ name, frame, parents: [], neighbors }, near, homes.get(name) ?? none, bookmark.below, marked);
    for (const seam of drawn) {
      const inside = this.#index.near(seam.frame.bounds);
      this.#drawDetail(seam, seam.pages, inside, homes.get(seam.name) ?? none, bookmark.below);
    }
  }

  #drawDetail(
    { name, frame }: DetailPage,
    parents: readonly string[],
    near: readonly number[],
    homes: ReadonlySet<number>,
    bookmarks: Bookmarks,
  ): void {
    this.details.push({ name, frame });
    const bookmark = { title: name, target: { page: name }, below: [] };
    bookmarks.push(bookmark);
    this.#draw({ name, frame, parents, neighbors: [] }, near, homes, bookmark.below, []);
  }

  #draw(
    page: MapPage,
    near: readonly number[],
    homes: ReadonlySet<number>,
    bookmarks: Bookmarks,
    seams: readonly SeamDetail[],
  ): void {
    const { frame, name } = page;
    const seen = this.#seen(frame, near, homes);
    const ground = readGround(this.#land, this.#layers, frame);
    // A first try on a page that is thrown away shows what needs details.
    const first = this.#tryNames(frame, seen, ground);
    const details = this.#detailsOf(page, first.unnamed, seams.filter(({ pages }) => pages[0] === name).length);
    const inDetail = details.map(
      ({ window }) => new Set(first.unnamed.filter((one) => isWithin(window, one.point)).map(({ at }) => at)),
    );
    // A holding in two windows is at home in the first.
    for (const [at, set] of inDetail.entries()) {
      for (const later of inDetail.slice(at + 1)) for (const one of set) later.delete(one);
    }
    const moved = new Set(inDetail.flatMap((set) => [...set]));
    const here = seen.map((one) => (moved.has(one.at) ? { ...one, isHome: false } : one));
    const windows = seams.map((seam) => ({ name: seam.name, window: boxOnPage(frame, seam.frame.bounds) }));
    this.#write(page, here, ground, [...windows, ...details], first);
    for (const [at, detail] of details.entries()) {
      const below = near.filter((place) =>
        boundsOverlap((this.#holdings[place] as Holding).bounds, detail.frame.bounds),
      );
      this.#drawDetail(detail, [name], below, inDetail[at] as Set<number>, bookmarks);
    }
  }

  #seen(frame: GroundFrame, near: readonly number[], homes: ReadonlySet<number>): SeenHolding[] {
    return near.flatMap((at): SeenHolding[] => {
      const holding = this.#holdings[at] as Holding;
      const { polygons } = holding;
      const shape = polygonsOnPage(polygons, frame);
      if (shape.length === 0 && !homes.has(at)) return [];
      const seen = isInside(holding.bounds, frame.bounds) ? shape : polygonsOnPage(polygons, frame, 0);
      const isHome = homes.has(at);
      const own = [frame.x(holding.point[0]), frame.y(holding.point[1])] as const;
      // A strip may be at home far from its inner point.
      const point = isHome && !isWithin(frame.box, own) ? (insideOf(seen) ?? own) : own;
      return [{ at, holding, shape, seen, point, isHome }];
    });
  }

  #tryNames(frame: GroundFrame, seen: readonly SeenHolding[], ground: Ground): Named {
    const field = new LabelField(frame.box);
    drawSectionNumbers(this.#file.page(), ground.plss, frame, field);
    drawGroundNames(this.#file.page(), ground, field);
    const placer = new LabelPlacer(field, this.#file.widthOf, thingsOf(ground, frame.scale));
    return { placer, ...placer.names(seen) };
  }

  /** @param before details that have their numbers already */
  #detailsOf({ frame, name }: MapPage, unnamed: readonly SeenHolding[], before: number): Detail[] {
    const { details } = this.#options;
    return detailWindows(
      frame.box,
      // A road would get pages of its own.
      unnamed.flatMap(({ holding, point }) => (isUnstated(holding) ? [] : [point])),
      details === null ? 1 : frame.scale / details,
    ).map((window, at) => {
      const { box, bounds } = frame;
      const middle = [
        bounds.minX + ((window.x + window.width / 2 - box.x) / box.width) * (bounds.maxX - bounds.minX),
        bounds.maxY - ((window.y + window.height / 2 - box.y) / box.height) * (bounds.maxY - bounds.minY),
      ] as const;
      return {
        name: `${name}.${before + at + 1}`,
        frame: groundFrame(box, middle, frame.scale / window.times),
        window,
      };
    });
  }

  #write(page: MapPage, seen: readonly SeenHolding[], ground: Ground, details: readonly Marked[], first: Named): void {
    const { frame, name } = page;
    const { box, scale } = frame;
    const drawn = this.#file.page(scale >= 40_000 ? 2 : 1);
    const field = new LabelField(box);
    const tags = tagsOf(details, field, this.#file.widthOf);
    let labels: PageLabel[] = [];
    let hasInner = false;
    const others = this.#others?.on(frame) ?? [];
    drawn.within([boxPath(box)], () => {
      if (others.length > 0) drawn.layer('Other parcels', () => drawOthers(drawn, others));
      drawn.layer('Owners', () => drawGrounds(drawn, seen));
      drawn.layer('Parcel lines', () => {
        hasInner = drawInner(drawn, seen, frame);
      });
      drawn.layer('Water', () => drawWater(drawn, ground));
      drawn.layer('Buildings', () => drawBuildings(drawn, ground, scale));
      drawn.layer('Roads', () => drawRoads(drawn, ground, scale));
      if (ground.plss.length > 0) drawn.layer('Survey', () => drawSurvey(drawn, ground.plss));
      drawn.layer('Names', () => {
        for (const tag of tags) drawBrackets(drawn, tag);
        drawSectionNumbers(drawn, ground.plss, frame, field);
        drawGroundNames(drawn, ground, field);
        const isFinal = details.length === 0;
        const placer = isFinal ? first.placer : new LabelPlacer(field, this.#file.widthOf, first.placer.things);
        const named = isFinal ? first : placer.again(first.labels, seen);
        const numbered = placer.numbers(named.unnamed, box);
        labels = [...named.labels, ...numbered.labels];
        for (const label of labels) drawLabel(drawn, label);
        this.#keep(name, box, seen, labels, numbered.cells);
      });
    });
    const links = [
      ...drawFurniture(drawn, this.#file, { ...page, townships: townshipNames(ground.plss) }, this.#options, {
        seen,
        labels,
        ground,
        hasInner,
        hasOthers: others.length > 0,
      }),
      ...tags.map(({ name, tag }) => this.#file.link(tag, { page: name })),
    ];
    this.#file.add(drawn, name, { links, more: georeference(frame, this.#file.size[1], name) });
    this.#onPage?.(name, seen, labels);
  }

  #keep(
    page: string,
    box: Box,
    seen: readonly SeenHolding[],
    labels: readonly PageLabel[],
    cells: readonly SeenHolding[],
  ): void {
    const homes = new Set(seen.filter(({ isHome }) => isHome).map(({ at }) => at));
    const place = { page, box };
    for (const { at, labelClass, x, y, lines } of labels) {
      // The first letters are those with the acres.
      if (!homes.delete(at)) continue;
      this.found[at] = new FoundAt(place, [x, y], labelClass, labelClass === 'number' ? Number(lines[0]) : null);
    }
    for (const { at, point } of cells) this.found[at] = new FoundAt(place, point, 'cell', null);
  }
}

const isInside = (inner: Bounds, outer: Bounds): boolean =>
  inner.minX >= outer.minX && inner.maxX <= outer.maxX && inner.minY >= outer.minY && inner.maxY <= outer.maxY;

function drawGrounds(page: PdfPage, seen: readonly SeenHolding[]): void {
  for (const { holding, shape } of seen) {
    const paint = { fill: grounds[holding.kind].ink, stroke: bookInks.outline, width: 0.55 };
    // Parcels that overlap would cancel each other in one path.
    if (holding.isDissolved) page.area(shape.flat().map(drawnRing), paint);
    else for (const rings of shape) page.area(rings.map(drawnRing), paint);
  }
}

const drawOthers = (page: PdfPage, others: readonly Path[]): void =>
  inBatches(others, (batch) => page.line(batch, { stroke: bookInks.other, width: 0.35 }));

/** Points that rounding would hardly move: long shores and roads have thousands of vertices on a line. */
const thinPoints = 0.05;
const longNumbers = 60;

const drawnRing = (ring: Ring): Ring => (ring.length > longNumbers ? thinned(ring, thinPoints) : ring);

/** @returns whether there is one */
function drawInner(page: PdfPage, seen: readonly SeenHolding[], frame: GroundFrame): boolean {
  const { x: left, y: top, width, height } = frame.box;
  const lines: number[][] = [];
  for (const {
    holding: { inner },
  } of seen) {
    for (let at = 0; at < inner.length; at += 4) {
      const [ax, ay] = [frame.x(inner[at] as number), frame.y(inner[at + 1] as number)];
      const [bx, by] = [frame.x(inner[at + 2] as number), frame.y(inner[at + 3] as number)];
      const isAway =
        Math.max(ax, bx) < left ||
        Math.min(ax, bx) > left + width ||
        Math.max(ay, by) < top ||
        Math.min(ay, by) > top + height;
      if (!isAway) lines.push([ax, ay, bx, by]);
    }
  }
  inBatches(lines, (batch) => page.line(batch, { stroke: bookInks.inner, width: 0.3, dash: [2, 1.4] }));
  return lines.length > 0;
}

function drawLabel(page: PdfPage, { x, y, angle, size, lines, labelClass }: PageLabel): void {
  const [cosine, sine] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const ink = labelClass === 'number' ? bookInks.number : bookInks.ink;
  for (const [at, line] of lines.entries()) {
    const down = (at - (lines.length - 1) / 2) * lineStep * size;
    page.text(x + down * sine, y + down * cosine, size, line, { align: 'middle', isCentered: true, angle, ink });
  }
}
