/** Lines and numbers of the public land survey on a map page. */
import type { PdfPage } from '../exporting/pdf-page.ts';
import { boundsOfCoordinates } from '../geo/geometry.ts';
import type { PageFeature } from '../sheet/draw-layers.ts';
import type { GroundFrame } from '../sheet/ground-frame.ts';
import type { LabelField } from '../sheet/label-field.ts';
import { parseLegalDescription } from '../spec/plss/legal-description.ts';
import { bookInks } from './book-inks.ts';

const isTownship = ({ class: place }: PageFeature): boolean => place?.startsWith('T') ?? false;
const isSection = ({ class: place }: PageFeature): boolean => place?.startsWith('S') ?? false;

/** Broad and pale, so that parcels' lines stay black on them. Quarters are left out: parcels show them. */
export function drawSurvey(page: PdfPage, survey: readonly PageFeature[]): void {
  // As one path: the line between two sections would darken twice.
  const draw = (features: readonly PageFeature[], stroke: typeof bookInks.survey, width: number) => {
    page.area(
      features.flatMap(({ areas }) => areas.flat()),
      { stroke, width, isMultiplied: true },
    );
  };
  draw(survey.filter(isSection), bookInks.section, 1.5);
  draw(survey.filter(isTownship), bookInks.township, 2.6);
}

const size = 8;
/** Places that are tried for a number, from the middle of what is seen: shares of its width and height. */
const tries = [0, -0.12, 0.12, -0.25, 0.25];

/** The number of each section near its middle, where no road or water is named. */
export function drawSectionNumbers(
  page: PdfPage,
  survey: readonly PageFeature[],
  { box }: GroundFrame,
  field: LabelField,
): void {
  for (const { class: place, areas } of survey.filter(isSection)) {
    const number = parseLegalDescription(place ?? '').tracts[0]?.section;
    if (number === null || number === undefined || areas.length === 0) continue;
    const bounds = boundsOfCoordinates(areas.flat());
    const [left, right] = [Math.max(bounds.minX, box.x), Math.min(bounds.maxX, box.x + box.width)];
    const [top, bottom] = [Math.max(bounds.minY, box.y), Math.min(bounds.maxY, box.y + box.height)];
    const [text, height] = [String(number), size];
    const width = page.width(text, size) + 2;
    if (right - left < 3 * width || bottom - top < 3 * height) continue;
    const at = tries
      .flatMap((down) => tries.map((across) => ({ down, across })))
      .map(({ down, across }) => ({
        x: (left + right) / 2 + across * (right - left),
        y: (top + bottom) / 2 + down * (bottom - top),
      }))
      .find(({ x, y }) => field.takes({ x, y, width, height, angle: 0 }, true));
    if (at)
      page.text(at.x, at.y, size, text, {
        ...{ align: 'middle', isCentered: true, isBold: true, ink: bookInks.survey, halo: bookInks.white },
      });
  }
}

/** `T5N R3W`, of those that the page shows. */
export const townshipNames = (survey: readonly PageFeature[]): string[] => [
  ...new Set(
    survey
      .filter((one) => isTownship(one) && one.areas.length > 0)
      .map(({ class: place }) => place?.split(',')[0] ?? ''),
  ),
];
