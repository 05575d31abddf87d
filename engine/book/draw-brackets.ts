/** Corners of the parts that have a detail page, each with a tag that names it. */
import { type Box, boxPath, type PdfPage } from '../exporting/pdf-page.ts';
import { type LabelField, levelBox } from '../sheet/label-field.ts';
import { bookInks } from './book-inks.ts';

interface Named {
  readonly name: string;
  readonly window: Box;
}
interface Tagged extends Named {
  readonly tag: Box;
}

const bracket = 18;
const tagSize = 5.6;
/** Points between a bracket and a tag. */
const tagAway = 6;

/** Where lines of a window's corners end: across and down. */
const cornersOf = ({ x, y, width, height }: Box) =>
  [
    { x, y, toX: 1, toY: 1 },
    { x: x + width, y, toX: -1, toY: 1 },
    { x, y: y + height, toX: 1, toY: -1 },
    { x: x + width, y: y + height, toX: -1, toY: -1 },
  ] as const;

function takeBrackets(window: Box, field: LabelField): void {
  for (const { x, y, toX, toY } of cornersOf(window)) {
    field.block({ x: Math.min(x, x + toX * bracket), y: y - 1, width: bracket, height: 2 });
    field.block({ x: x - 1, y: Math.min(y, y + toY * bracket), width: 2, height: bracket });
  }
}

/** Brackets first, so that no tag lies on one. */
export function tagsOf(details: readonly Named[], field: LabelField, widthOf: (text: string) => number): Tagged[] {
  for (const { window } of details) takeBrackets(window, field);
  return details.map(({ name, window }) => ({
    ...{ name, window },
    tag: tagOf({ name, window: field.part(window) }, field, widthOf),
  }));
}

/** A free place for the tag along the upper or lower side of the window; the last corner if none is free. */
function tagOf(
  { name, window: { x, y, width, height } }: Named,
  field: LabelField,
  widthOf: (text: string) => number,
): Box {
  const size = { width: widthOf(`see ${name}`) * tagSize + 6, height: 9 };
  // The corners first.
  const places = [0, 1, 0.25, 0.75, 0.5].flatMap((share) =>
    [y + tagAway, y + height - size.height - tagAway].map((top) => ({
      ...size,
      x: x + tagAway + share * (width - size.width - 2 * tagAway),
      y: top,
    })),
  );
  return places.find((place) => field.takes(levelBox(place), true)) ?? (places[0] as Box);
}

export function drawBrackets(page: PdfPage, { name, window, tag }: Tagged): void {
  const corners = cornersOf(window).map(({ x, y, toX, toY }) => [x + toX * bracket, y, x, y, x, y + toY * bracket]);
  page.line(corners, { stroke: bookInks.link, width: 1 });
  page.area([boxPath(tag)], { fill: bookInks.white, stroke: bookInks.link, width: 0.6 });
  page.text(tag.x + tag.width / 2, tag.y + tag.height / 2, tagSize, `see ${name}`, {
    align: 'middle',
    isCentered: true,
    ink: bookInks.link,
  });
}
