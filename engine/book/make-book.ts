/** Makes a plat book, or one page of it: reads the land once, draws page after page into a growing file. */

import { LabelFont } from '../exporting/label-font.ts';
import { boundsOfMultiPolygon, boundsOverlap, unionOfBounds } from '../geo/geometry.ts';
import { polygonsOnPage } from '../sheet/page-shapes.ts';
import { counted, grouped } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { type HoldingClasses, type LabelClass, labelClasses } from '../spec/holding-classes.ts';
import type { PaperName } from '../spec/sheet-paper.ts';
import type { LandStore } from '../store/land-store.ts';
import { BookFile } from './book-file.ts';
import { pairsOfNeighbours, sourcesOf } from './book-parcels.ts';
import { addCover, addKeyMap, addReading } from './front-pages.ts';
import { type Holding, holdingsOf, othersWords } from './holdings.ts';
import { addIndex, addSmallParcels, indexTitle } from './index-pages.ts';
import { MapPages } from './map-pages.ts';
import { OtherParcels } from './other-parcels.ts';
import { bookLayers } from './page-ground.ts';
import type { PagePlan } from './page-plan.ts';
import { largestArea, type PageLabel, type SeenHolding } from './place-labels.ts';
import { type BookOptions, bookSize, type PlannedBook, planBook } from './plan-book.ts';
import { homeOf } from './seam-details.ts';

export interface BookTools {
  readonly put: (bytes: Uint8Array) => void;
  readonly progress: (done: number, of: number) => void;
  /** For the checker of the tests. */
  readonly onPage?: (name: string, seen: readonly SeenHolding[], labels: readonly PageLabel[]) => void;
}

export interface BookReport {
  readonly title: string;
  readonly scale: number;
  readonly paper: PaperName;
  readonly pages: number;
  readonly map_pages: number;
  readonly detail_pages: number;
  readonly parcels: number;
  readonly holdings: number;
  /** How holdings are named. The sum is `holdings`. */
  readonly classes: HoldingClasses;
  readonly has_names: boolean;
  /** Sentences about what is left out or guessed. */
  readonly notes: readonly string[];
}

/** Runs in one read snapshot. @throws EngineError validation_error */
export function makeBook(land: LandStore, options: BookOptions, tools: BookTools): BookReport {
  return land.file.snapshot(() => drawBook(land, options, tools));
}

/** The map page of this name with its details, as the book has them. @throws EngineError validation_error */
export function makePage(land: LandStore, name: string, options: BookOptions, tools: BookTools): PageReport {
  return land.file.snapshot(() => drawPage(land, name, options, tools));
}

export interface PageReport {
  readonly scale: number;
  readonly detail_pages: number;
}

/** The file, with what all map pages share. */
function openBook(
  land: LandStore,
  planned: Omit<PlannedBook, 'parcels'>,
  options: BookOptions,
  put: BookTools['put'],
  only?: readonly string[],
) {
  const { plan, fips, title, hasNames } = planned;
  const isThere = (page: string) => !only || only.some((one) => page === one || page.startsWith(`${one}.`));
  const file = new BookFile(put, LabelFont.load('condensed'), bookSize(options), isThere);
  const bounds = unionOfBounds(plan.pages.map((page) => page.frame.bounds));
  const sources = sourcesOf(land.file, fips);
  const [one] = sources;
  const source = sources.length === 1 && one ? `Source: ${one.name}, ${one.date}.` : 'Sources: see the cover.';
  return {
    ...{ file, sources },
    layers: bounds ? bookLayers(land, bounds) : [],
    words: { title, source, hasNames, details: options.details },
    others: OtherParcels.of(land.file, options.choice),
  };
}

function drawPage(
  land: LandStore,
  name: string,
  options: BookOptions,
  { put, progress, onPage }: BookTools,
): PageReport {
  const planned = planBook(land, options);
  const { plan, parcels, hasNames, title } = planned;
  const page = plan.pages.find((one) => one.name === name);
  if (!page) {
    const last = plan.pages.at(-1)?.name;
    throw new EngineError(
      'validation_error',
      `There is no page ${JSON.stringify(name)}; pages go from ${plan.pages[0]?.name} to ${last}.`,
    );
  }
  const seams = planned.seams.filter(({ pages }) => pages.includes(name));
  const near = ({ shape }: PlannedBook['parcels'][number]) =>
    !shape.isEmpty &&
    [page, ...seams].some(({ frame }) => boundsOverlap(boundsOfMultiPolygon(shape.polygons), frame.bounds));
  const holdings = holdingsOf(parcels, hasNames ? pairsOfNeighbours(land.file) : null, near);
  const { file, layers, words, others } = openBook(land, planned, options, put, [
    name,
    ...seams.map((one) => one.name),
  ]);
  file.bookmarks.push({ title: 'Maps', target: { page: name }, below: [] });
  const pages = new MapPages(file, {
    ...{ land, layers, others, holdings, options: words },
    ...(onPage && { onPage }),
  });
  progress(0, 1);
  const homes = homesOf(holdings, planned);
  pages.add(page, homes, { marked: seams, drawn: seams });
  file.finish(`${title}, page ${name}`, options.madeAt);
  progress(1, 1);
  return { scale: plan.scale, detail_pages: pages.details.length };
}

/** Parcels are let go once they are holdings. */
function wholeLand(land: LandStore, options: BookOptions) {
  const { parcels, ...planned } = planBook(land, options);
  const pairs = planned.hasNames ? pairsOfNeighbours(land.file) : null;
  return { ...planned, parcels: parcels.length, holdings: holdingsOf(parcels, pairs) };
}

function drawBook(land: LandStore, options: BookOptions, { put, progress, onPage }: BookTools): BookReport {
  const { holdings, parcels, ...planned } = wholeLand(land, options);
  const { plan, seams, hasNames, title, names } = planned;
  const { file, layers, words, others, sources } = openBook(land, planned, options, put);
  const parts = ['Key map', 'How to read this book'];
  file.bookmarks.push(...['Cover', ...parts].map((name) => ({ title: name, target: { page: name }, below: [] })));
  const firstPage = plan.pages[0]?.name ?? '';
  file.bookmarks.push({ title: 'Maps', target: { page: firstPage }, below: [] });

  const pages = new MapPages(file, {
    ...{ land, layers, others, holdings, options: words },
    ...(onPage && { onPage }),
  });
  const homes = homesOf(holdings, planned);
  const beyond = options.pages !== 'grid' && options.pages !== 'townships' ? leftOut(holdings, plan) : none;
  const order: string[] = [];
  for (const [at, page] of plan.pages.entries()) {
    progress(at, plan.pages.length);
    const before = pages.details.length;
    const marked = seams.filter((one) => one.pages.includes(page.name));
    pages.add(page, homes, { marked, drawn: marked.filter((one) => one.pages[0] === page.name) });
    order.push(page.name, ...pages.details.slice(before).map(({ name }) => name));
  }
  const listed = holdings
    .map((holding, at) => ({ holding, found: pages.found[at] }))
    .filter((_one, at) => !beyond.has(at));
  const classes = countClasses(listed);
  const hasSmall = addSmallParcels(file, title, listed, order) > 0;
  addIndex(file, title, listed, hasNames);
  const notes = [
    ...planned.notes,
    ...beyondNotes(beyond.size),
    ...cutNotes(plan),
    ...notesOf(holdings, hasNames, file.font),
  ];
  const facts = [
    ...(options.shows === null ? [] : [options.shows]),
    `${grouped(parcels)} parcels${hasNames ? ` in ${grouped(listed.length)} holdings` : ''}`,
    `${grouped(plan.pages.length)} map pages at 1:${grouped(plan.scale)}${pages.details.length > 0 ? ` and ${grouped(pages.details.length)} details of crowded parts` : ''}`,
    ...notes,
  ];
  addCover(
    file,
    {
      ...{ title, facts, hasNames, counties: names.join(' and ') === title ? [] : names },
      sources: sources.map(({ name, date, county }) => `${county}: ${name}, ${date}`),
      madeOn: options.madeAt.toISOString().slice(0, 10),
      parts: [
        ...parts.map((name) => ({ title: name, page: name })),
        { title: `Maps ${firstPage} – ${plan.pages.at(-1)?.name}`, page: firstPage },
        ...(hasSmall ? [{ title: 'Small parcels', page: 'Small parcels' }] : []),
        { title: indexTitle(hasNames), page: indexTitle(hasNames) },
      ],
    },
    { land, layers, holdings, plan },
  );
  addKeyMap(file, title, { land, layers, holdings, plan, details: pages.details });
  addReading(file, title, {
    ...{ hasNames, hasSmall, hasDetails: pages.details.length > 0, hasOthers: others !== null },
    hasSurvey: layers.some(({ kind }) => kind === 'plss'),
    hasMoreOwners: holdings.some((one) => othersWords(one) !== ''),
  });
  file.finish(title, options.madeAt);
  progress(plan.pages.length, plan.pages.length);
  return {
    ...{ title, paper: options.paper, scale: plan.scale, pages: file.pages, map_pages: plan.pages.length },
    detail_pages: pages.details.length,
    ...{ parcels, holdings: listed.length, classes, has_names: hasNames, notes },
  };
}

/** Each holding is at home on the page that holds a point inside it, or on the detail of its town. */
function homesOf(holdings: readonly Holding[], planned: Pick<PlannedBook, 'plan' | 'seams'>): Map<string, Set<number>> {
  const homes = new Map<string, Set<number>>();
  for (const [at, holding] of holdings.entries()) {
    if (!holding.hasShape) continue;
    const name = homeOf(planned, holding.bounds, holding.point) ?? pageOfCut(holding, planned.plan);
    if (name === undefined) continue;
    const set = homes.get(name) ?? new Set();
    homes.set(name, set.add(at));
  }
  return homes;
}

/** The page that shows most of a strip whose inner point lies beyond the pages. */
function pageOfCut({ bounds, polygons }: Holding, { pages, cutStrips }: PagePlan): string | undefined {
  if (cutStrips === 0) return undefined;
  const [first, ...others] = pages
    .filter(({ frame }) => boundsOverlap(frame.bounds, bounds))
    .map(({ name, frame }) => ({ name, area: largestArea(polygonsOnPage(polygons, frame, 0)) }));
  return first && others.reduce((best, one) => (one.area > best.area ? one : best), first).name;
}

const none: ReadonlySet<number> = new Set();

/** Places of holdings whose inner point lies on no page. */
const leftOut = (holdings: readonly Holding[], plan: PagePlan): ReadonlySet<number> =>
  new Set(holdings.flatMap(({ hasShape, point }, at) => (hasShape && plan.homeOf(point) === undefined ? [at] : [])));

const beyondNotes = (count: number): string[] =>
  count === 0
    ? []
    : [
        `${counted(count, 'holding lies', 'holdings lie')} beyond the given pages: left out of the lists and the index.`,
      ];

const cutNotes = ({ cutStrips }: PagePlan): string[] =>
  cutStrips === 0
    ? []
    : [
        `${counted(cutStrips, 'long strip of land, like a road, reaches', 'long strips of land, like roads, reach')} beyond the pages: drawn as far as these go.`,
      ];

/** @throws Error if a holding was lost: a bug, and no book */
function countClasses(listed: readonly { holding: Holding; found: { labelClass: LabelClass } | undefined }[]) {
  const classes = Object.fromEntries([...labelClasses, 'no_shape'].map((name) => [name, 0])) as {
    -readonly [name in keyof HoldingClasses]: number;
  };
  for (const { holding, found } of listed) {
    if (holding.hasShape && !found) throw new Error('a holding is on no page of the book');
    classes[found?.labelClass ?? 'no_shape'] += 1;
  }
  return classes;
}

function notesOf(holdings: readonly Holding[], hasNames: boolean, font: LabelFont): string[] {
  const shapeless = holdings.filter(({ hasShape }) => !hasShape).length;
  const apart = holdings.filter(({ isDissolved }) => !isDissolved).length;
  const missing = new Set<string>();
  for (const { name, alsoNames } of holdings)
    for (const letter of font.shown([name, ...alsoNames].join(' ')).missing) missing.add(letter);
  return [
    ...(shapeless > 0
      ? [
          `${hasNames ? counted(shapeless, 'holding has', 'holdings have') : counted(shapeless, 'parcel has', 'parcels have')} no shape: only in the index.`,
        ]
      : []),
    ...(apart > 0
      ? [`${counted(apart, 'holding is', 'holdings are')} drawn parcel by parcel: the shapes overlap.`]
      : []),
    ...(missing.size > 0 ? [`Letters that the font lacks became ?: ${[...missing].slice(0, 20).join(' ')}`] : []),
  ];
}
