/** Makes a plat book: reads the land once, plans its pages, draws them one after another into a growing file. */

import { LabelFont } from '../exporting/label-font.ts';
import { unionOfBounds } from '../geo/geometry.ts';
import { counted, grouped } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { type PaperName, pageSize, papers } from '../spec/sheet-paper.ts';
import type { LandStore } from '../store/land-store.ts';
import { BookFile } from './book-file.ts';
import { frameBox } from './book-paper.ts';
import { type BookChoice, type BookParcel, readParcels, sourcesOf } from './book-parcels.ts';
import { addCover, addKeyMap, addReading } from './front-pages.ts';
import { type Holding, holdingsOf } from './holdings.ts';
import { addIndex, addSmallParcels, indexTitle } from './index-pages.ts';
import { MapPages } from './map-pages.ts';
import { bookLayers } from './page-ground.ts';
import { fittingScale, mostPages, type PagePlan, planAtBestScale, planPages } from './page-plan.ts';
import { type LabelClass, labelClasses, type PageLabel, type SeenHolding } from './place-labels.ts';

export interface BookOptions {
  readonly choice: BookChoice;
  /** 24000 for 1:24,000; null: as the land needs. */
  readonly scale: number | null;
  readonly paper: PaperName;
  /** No detail page has a larger scale; null: no details. */
  readonly details: number | null;
  readonly hasNames: boolean;
  /** Null: the county's name. */
  readonly title: string | null;
  readonly madeAt: Date;
}

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
  /** Holdings by how they are named; `no_shape` are in the index alone. The sum is `holdings`. */
  readonly classes: Readonly<Record<LabelClass | 'no_shape', number>>;
  readonly has_names: boolean;
  /** Sentences about what is left out or guessed. */
  readonly notes: readonly string[];
}

interface Prepared {
  readonly parcels: readonly BookParcel[];
  readonly holdings: readonly Holding[];
  readonly plan: PagePlan;
  readonly hasNames: boolean;
  readonly notes: string[];
}

/** @throws EngineError validation_error if there is nothing to print, or far too much */
function prepare(land: LandStore, options: BookOptions): Prepared {
  const notes: string[] = [];
  const parcels = readParcels(land.file, options.choice);
  if (parcels.length === 0) throw new EngineError('validation_error', 'Nothing to print: no parcel is chosen.');
  const hasNames = options.hasNames && parcels.some((parcel) => parcel.ownerKey !== null);
  if (options.hasNames && !hasNames)
    notes.push('No parcel has an owner’s name: the book shows parcel numbers instead.');
  const holdings = holdingsOf(parcels, hasNames);
  const placed = holdings.filter(({ polygons }) => polygons.length > 0);
  if (placed.length === 0) {
    throw new EngineError(
      'validation_error',
      `Nothing to print: none of the ${grouped(parcels.length)} parcels has a shape.`,
    );
  }
  return { parcels, holdings, hasNames, notes, plan: planOf(placed, options) };
}

export function planOf(
  placed: Parameters<typeof planPages>[0],
  { scale, paper }: Pick<BookOptions, 'scale' | 'paper'>,
): PagePlan {
  const box = frameBox(pageSize(paper, false));
  const plan = scale === null ? planAtBestScale(placed, box) : planPages(placed, box, scale);
  if (plan && plan.pages.length <= mostPages) return plan;
  const fitting = fittingScale(placed, box, scale ?? plan?.scale ?? 0);
  throw new EngineError(
    'validation_error',
    `${plan ? `${grouped(plan.pages.length)} map pages` : `More than ${grouped(mostPages)} map pages`} at 1:${grouped(scale ?? plan?.scale ?? 0)} on ${papers[paper].title}: a book has at most ${grouped(mostPages)}${
      fitting === null ? '.' : `; 1:${grouped(fitting)} fits.`
    }`,
  );
}

/** Runs in one read snapshot. @throws EngineError validation_error */
export function makeBook(land: LandStore, options: BookOptions, tools: BookTools): BookReport {
  return land.file.snapshot(() => drawBook(land, options, tools));
}

function drawBook(land: LandStore, options: BookOptions, { put, progress, onPage }: BookTools): BookReport {
  const { parcels, holdings, plan, hasNames, notes } = prepare(land, options);
  const { paper, madeAt } = options;
  const counties = [...new Set(parcels.map(({ fips }) => fips))];
  const names = counties.map((fips) => land.countyWords(fips));
  const title = options.title?.trim() || (names.length <= 2 ? names.join(' and ') : `${names.length} counties`);
  const sources = sourcesOf(land.file, counties);
  const file = new BookFile(put, LabelFont.load('condensed'), pageSize(paper, false));
  const bounds = unionOfBounds(plan.pages.map((page) => page.frame.bounds));
  const layers = bounds ? bookLayers(land, bounds) : [];
  const [only] = sources;
  const source = sources.length === 1 && only ? `Source: ${only.name}, ${only.date}.` : `Sources: see the cover.`;
  const parts = ['Key map', 'How to read this book'];
  file.bookmarks.push(...['Cover', ...parts].map((name) => ({ title: name, target: { page: name }, below: [] })));
  const firstPage = plan.pages[0]?.name ?? '';
  file.bookmarks.push({ title: 'Maps', target: { page: firstPage }, below: [] });

  const pages = new MapPages(file, {
    ...{ land, layers, holdings },
    options: { title, source, hasNames, details: options.details },
    ...(onPage && { onPage }),
  });
  const homes = homesOf(holdings, plan);
  const order: string[] = [];
  for (const [at, page] of plan.pages.entries()) {
    progress(at, plan.pages.length);
    const before = pages.details.length;
    pages.add(page, plan, homes.get(page.name) ?? new Set());
    order.push(page.name, ...pages.details.slice(before).map(({ name }) => name));
  }
  const listed = holdings.map((holding, at) => ({ holding, found: pages.found[at] }));
  const classes = countClasses(listed);
  const hasSmall = addSmallParcels(file, title, listed, order) > 0;
  addIndex(file, title, listed, hasNames);
  notes.push(...notesOf(holdings, file.font));
  const facts = [
    `${grouped(parcels.length)} parcels${hasNames ? ` in ${grouped(holdings.length)} holdings` : ''}`,
    `${grouped(plan.pages.length)} map pages at 1:${grouped(plan.scale)}${pages.details.length > 0 ? ` and ${grouped(pages.details.length)} details of crowded parts` : ''}`,
    ...notes,
  ];
  addCover(
    file,
    {
      ...{ title, facts, hasNames, subtitle: subtitleOf(title, names) },
      sources: sources.map(({ name, date, county }) => `${county}: ${name}, ${date}`),
      madeOn: madeAt.toISOString().slice(0, 10),
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
  addReading(file, title, hasNames);
  file.finish(title, madeAt);
  progress(plan.pages.length, plan.pages.length);
  return {
    ...{ title, paper, scale: plan.scale, pages: file.pages, map_pages: plan.pages.length },
    detail_pages: pages.details.length,
    ...{ parcels: parcels.length, holdings: holdings.length, classes, has_names: hasNames, notes },
  };
}

/** The counties, unless the title says them. */
const subtitleOf = (title: string, names: readonly string[]): string =>
  names.length > 6
    ? `${names.slice(0, 6).join(' · ')} and ${names.length - 6} more`
    : names.join(' and ') === title
      ? ''
      : names.join(' · ');

/** Each holding is at home on the page that holds a point inside it. */
function homesOf(holdings: readonly Holding[], plan: PagePlan): Map<string, Set<number>> {
  const homes = new Map<string, Set<number>>();
  for (const [at, { polygons, point }] of holdings.entries()) {
    if (polygons.length === 0) continue;
    const page = plan.homeOf(point);
    if (!page) throw new Error('a point inside a holding lies on no page');
    const set = homes.get(page.name) ?? new Set();
    homes.set(page.name, set.add(at));
  }
  return homes;
}

/** @throws Error if a holding was lost: a bug, and no book */
function countClasses(listed: readonly { holding: Holding; found: { labelClass: LabelClass } | undefined }[]) {
  const classes = Object.fromEntries([...labelClasses, 'no_shape'].map((name) => [name, 0])) as Record<
    LabelClass | 'no_shape',
    number
  >;
  for (const { holding, found } of listed) {
    if (holding.polygons.length > 0 && !found) throw new Error('a holding is on no page of the book');
    classes[found?.labelClass ?? 'no_shape'] += 1;
  }
  return classes;
}

function notesOf(holdings: readonly Holding[], font: LabelFont): string[] {
  const shapeless = holdings.filter(({ polygons }) => polygons.length === 0).length;
  const apart = holdings.filter(({ isDissolved }) => !isDissolved).length;
  const missing = new Set<string>();
  for (const { name } of holdings) for (const letter of font.shown(name).missing) missing.add(letter);
  return [
    ...(shapeless > 0 ? [`${counted(shapeless, 'holding has', 'holdings have')} no shape: only in the index.`] : []),
    ...(apart > 0
      ? [`${counted(apart, 'holding is', 'holdings are')} drawn parcel by parcel: the shapes overlap.`]
      : []),
    ...(missing.size > 0 ? [`Letters that the font lacks became ?: ${[...missing].slice(0, 20).join(' ')}`] : []),
  ];
}
