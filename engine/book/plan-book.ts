/** What a book is made of, and its pages: the same for an estimate, for one page, and for the whole. */

import { countiesWithHoldings } from '../owners/update-owners.ts';
import { counted, grouped } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { type PaperName, pageSize, papers } from '../spec/sheet-paper.ts';
import type { LandStore } from '../store/land-store.ts';
import { type PageArea, planAreas } from './area-pages.ts';
import { frameBox } from './book-paper.ts';
import { type BookChoice, type BookParcel, readParcels } from './book-parcels.ts';
import { type ChosenLand, chosenLand } from './land-boxes.ts';
import { otherNotes } from './other-parcels.ts';
import { fittingScale, mostPages, type PagePlan, planAtBestScale, planPages } from './page-plan.ts';
import { type SeamDetail, seamDetails } from './seam-details.ts';
import { planTownships } from './township-pages.ts';

export interface BookOptions {
  readonly choice: BookChoice;
  /** 24000 for 1:24,000; null: as the land needs. */
  readonly scale: number | null;
  readonly paper: PaperName;
  /** Wider than high. */
  readonly isLandscape: boolean;
  /** A grid, one page a township, or one for each of these areas: land beyond them is left out. */
  readonly pages: 'grid' | 'townships' | readonly PageArea[];
  /** No detail page has a larger scale; null: no details. */
  readonly details: number | null;
  readonly hasNames: boolean;
  /** Null: the county's name. */
  readonly title: string | null;
  /** Sentences about chosen parcels, for the cover. */
  readonly shows: string | null;
  readonly madeAt: Date;
}

type PlanOptions = Pick<BookOptions, 'scale' | 'paper' | 'isLandscape' | 'pages'>;

/** Points. */
export const bookSize = ({ paper, isLandscape }: Pick<BookOptions, 'paper' | 'isLandscape'>) =>
  pageSize(paper, isLandscape);

export interface PlannedBook {
  readonly parcels: readonly BookParcel[];
  readonly plan: PagePlan;
  /** Details of towns that lie on several pages. */
  readonly seams: readonly SeamDetail[];
  /** On every page. */
  readonly title: string;
  /** Names of its counties. */
  readonly names: readonly string[];
  readonly fips: readonly string[];
  readonly hasNames: boolean;
  /** Sentences about what is left out or guessed. */
  readonly notes: readonly string[];
}

/** @throws EngineError not_found for a county that is not loaded; validation_error if there is nothing to print, or far too much */
export function planBook(land: LandStore, options: BookOptions): PlannedBook {
  const chosen = chosenLand(land, options.choice);
  const plan = planPagesOf(land, chosen, options);
  const seams = seamDetails(chosen.placed, plan, frameBox(bookSize(options)), options.details);
  const parcels = readParcels(land.file, options.choice);
  const hasNames = options.hasNames && parcels.some((parcel) => parcel.isOwned);
  const fips = [...new Set(parcels.map((parcel) => parcel.fips))];
  const names = fips.map((one) => land.countyWords(one));
  return {
    ...{ parcels, plan, seams, hasNames, fips, names },
    title: options.title?.trim() || (options.choice.ids ? `Some parcels of ${placeOf(names)}` : placeOf(names)),
    notes: [
      ...(options.hasNames && !hasNames
        ? ['No parcel has an owner’s name: the book shows parcel numbers instead.']
        : []),
      ...(hasNames ? alonePlaces(land, fips) : []),
      ...otherNotes(land.file, options.choice, fips, parcels.length),
      ...goneNotes(options.choice, parcels.length),
    ],
  };
}

/** Counties where no parcel joins another, since holdings are not worked out yet. */
function alonePlaces(land: LandStore, fips: readonly string[]): string[] {
  const known = countiesWithHoldings(land.file);
  const alone = fips.filter((one) => !known.has(one ?? ''));
  return alone.length === 0
    ? []
    : [
        `Holdings of ${placeOf(alone.map((one) => land.countyWords(one)))} are not worked out yet: each parcel stands alone.`,
      ];
}

const placeOf = (names: readonly string[]): string =>
  names.length <= 2 ? names.join(' and ') : `${names.length} counties`;

/** Chosen parcels that the county's data no longer has. */
function goneNotes({ ids }: BookChoice, found: number): string[] {
  const gone = ids === null ? 0 : new Set(ids).size - found;
  return gone > 0 ? [`${counted(gone, 'chosen parcel is', 'chosen parcels are')} retired: not in the book.`] : [];
}

/** @throws EngineError validation_error */
export function planPagesOf(land: LandStore, chosen: ChosenLand, options: PlanOptions): PagePlan {
  const { scale, paper, pages } = options;
  const { parcels, placed } = chosen;
  if (parcels === 0) throw nothing('no parcel is chosen');
  if (placed.length === 0) throw nothing(`none of the ${grouped(parcels)} parcels has a shape`);
  const box = frameBox(bookSize(options));
  if (pages === 'townships') return planTownships(land, chosen, box, scale);
  if (pages !== 'grid') return planAreas(pages, placed, box, scale);
  const plan = scale === null ? planAtBestScale(placed, box) : planPages(placed, box, scale);
  if (plan && plan.pages.length <= mostPages) return plan;
  const refused = scale ?? plan?.scale ?? 0;
  const fitting = fittingScale(placed, box, refused);
  throw new EngineError(
    'validation_error',
    `${plan ? grouped(plan.pages.length) : `More than ${grouped(mostPages)}`} map pages at 1:${grouped(refused)} on ${papers[paper].title}: a book has at most ${grouped(mostPages)}${
      fitting === null ? '.' : `; 1:${grouped(fitting)} fits.`
    }`,
  );
}

const nothing = (why: string): EngineError => new EngineError('validation_error', `Nothing to print: ${why}.`);
