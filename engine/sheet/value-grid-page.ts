/** The grid of a comp value on a Letter page of its own, across: every comp with its factors, and what the value rests on. */

import { LabelFont } from '../exporting/label-font.ts';
import { pdfInMemory } from '../exporting/pdf-file.ts';
import { boxPath, type Ink, PdfPage } from '../exporting/pdf-page.ts';
import { wrapText } from '../exporting/wrap-text.ts';
import { grouped } from '../spec/counted.ts';
import {
  causeHead,
  decimal,
  dollars,
  dollarsWithin,
  type ErrorPart,
  errorSentence,
  factorText,
  grossAdjustment,
  grossLimit,
  grossMarkWords,
  grossText,
  levelSentence,
  netAdjustment,
  type Offer,
  offersSentence,
  opinionsSentence,
  type Pooling,
  poolingSentence,
  shownCauses,
  signedPercent,
  type TestDetail,
  type ValueFactors,
  type ValueOpinions,
} from '../spec/value-terms.ts';
import { type CountyValue, countyLines, type ValueWarning, warningSentence } from '../spec/value-warnings.ts';
import { inks } from './sheet-inks.ts';

interface GridComp {
  readonly apn: string;
  readonly address: string;
  readonly status: string;
  /** ISO day. */
  readonly date: string | null;
  readonly use?: string | null;
  readonly price: number | null;
  readonly acres: number | null;
}

/** A comp value with what its grid shows. US dollars. */
export interface GridValue {
  readonly acres: number;
  readonly use?: string | null;
  readonly valued_on?: string | null;
  readonly numbers: { readonly mean_adjusted_price: number; readonly mean_adjusted_ppa: number };
  readonly range: { readonly low: number; readonly high: number };
  readonly tested: string;
  readonly warnings?: readonly ValueWarning[];
  readonly county?: CountyValue | null;
  readonly opinions?: ValueOpinions | null;
  readonly offers?: readonly Offer[];
  readonly pooling?: Pooling;
  readonly test?: { readonly detail: TestDetail } | null;
  readonly error_shares?: readonly { readonly part: ErrorPart; readonly share: number }[];
  readonly used: readonly (GridComp & {
    readonly price_per_acre: number;
    readonly factors: ValueFactors;
    readonly adjusted_price_per_acre: number;
    readonly weight: number;
  })[];
  readonly left_out: {
    readonly comps: readonly (GridComp & { readonly reason: string; readonly spreads: number | null })[];
  };
}

const paper = [792, 612] as const;
const margin = 36;
const size = 6.5;
const step = 12;
const quiet: Ink = [0.4, 0.41, 0.39];

const whole = (value: number): string => grouped(Math.round(value));
const nameOf = ({ apn, address }: GridComp): string => apn || address || 'no APN';

interface Column {
  readonly head: string;
  readonly width: number;
  readonly isNumber?: true;
  readonly cell: (comp: GridValue['used'][number]) => string;
  readonly subject?: (value: GridValue) => string;
}

const number = (head: string, width: number, cell: Column['cell'], subject?: (value: GridValue) => string): Column => ({
  head,
  width,
  isNumber: true,
  cell,
  ...(subject && { subject }),
});

/** Names and uses get the room that fewer factors leave. */
function spread(columns: readonly Column[]): Column[] {
  const free = paper[0] - 2 * margin - columns.reduce((sum, { width }) => sum + width, 0);
  return columns.map((column) =>
    column.head === 'Comp' || column.head === 'Use' ? { ...column, width: column.width + free / 2 } : column,
  );
}

function columnsOf(value: GridValue): Column[] {
  return [
    { head: 'Comp', width: 66, cell: nameOf, subject: () => 'This parcel' },
    { head: 'Date', width: 46, cell: ({ date }) => date ?? 'unknown', subject: ({ valued_on: on }) => on ?? '' },
    { head: 'Status', width: 34, cell: ({ status }) => status.toLowerCase() },
    { head: 'Use', width: 54, cell: ({ use }) => use ?? '', subject: ({ use }) => use ?? '' },
    number(
      'Acres',
      32,
      ({ acres }) => (acres ?? 0).toFixed(2),
      ({ acres }) => acres.toFixed(2),
    ),
    number('Price, $', 40, ({ price }) => whole(price ?? 0)),
    number('$/ac', 34, ({ price_per_acre: perAcre }) => whole(perAcre)),
    ...shownCauses(value.used).map((cause) =>
      number(causeHead(cause), 31.5, ({ factors }) => factorText(factors[cause])),
    ),
    number('Net', 28, ({ factors }) => signedPercent(netAdjustment(factors))),
    number('Gross', 32, ({ factors }) => grossText(factors, grossLimit(value.test))),
    number(
      'Adj. $/ac',
      38,
      ({ adjusted_price_per_acre: perAcre }) => whole(perAcre),
      ({ numbers }) => whole(numbers.mean_adjusted_ppa),
    ),
    number('Weight', 32, ({ weight }) => `${(100 * weight).toFixed(1)} %`),
  ];
}

function drawRow(page: PdfPage, columns: readonly Column[], y: number, textOf: (column: Column) => string, ink?: Ink) {
  let x = margin;
  for (const column of columns) {
    const text = textOf(column);
    const room = column.width - 3;
    const left = column.isNumber ? x + room - Math.min(room, page.width(text, size)) : x;
    page.text(left, y, size, text, { room, ...(ink && { ink }) });
    x += column.width;
  }
}

/** Breaks words into lines. @returns the y of the next line */
function drawText(page: PdfPage, text: string, y: number): number {
  const lines = wrapText(text, paper[0] - 2 * margin, (line) => page.width(line, size + 1));
  for (const [at, line] of lines.entries()) page.text(margin, y + at * step, size + 1, line);
  return y + lines.length * step;
}

function basisOf(value: GridValue): string[] {
  const { opinions, offers, error_shares: shares, used, left_out: out, warnings } = value;
  const limit = grossLimit(value.test);
  const isSteep = used.some(({ factors }) => grossAdjustment(factors) > limit);
  const outliers = out.comps.filter(({ reason }) => reason === 'outlier');
  return [
    ...(warnings ?? []).map((warning) => warningSentence(warning, (km) => `${decimal(km)} km`)),
    ...countyLines(value.numbers.mean_adjusted_price, value.county, warnings),
    `${value.tested}.`,
    ...(opinions === undefined
      ? []
      : [[opinionsSentence(opinions), levelSentence(opinions, value.test) ?? ''].join(' ').trim()]),
    ...[poolingSentence(value.pooling, used) ?? []].flat(),
    ...(shares ? [errorSentence([...shares])] : []),
    ...(offers ? [offersSentence(offers, value.range)] : []),
    ...(isSteep ? [`* ${grossMarkWords(limit)} (gross).`] : []),
    ...outliers.map(
      (comp) =>
        `Outlier, not used: ${nameOf(comp)}, ${comp.date ?? 'date unknown'}, ${dollars(comp.price ?? 0)}, ${(comp.spreads ?? 0).toFixed(1)} spreads from the rest.`,
    ),
    'Factors multiply to the adjusted price per acre; its weighted geometric mean, times the acres, is the value. A research indication, not an appraisal.',
  ];
}

export function drawValueGrid(font: LabelFont, title: string, value: GridValue): PdfPage {
  const page = new PdfPage(font, paper);
  const { mean_adjusted_price: middle } = value.numbers;
  const text = (price: number) => dollarsWithin(price, value.range);
  page.text(margin, 46, 14, title);
  page.text(margin, 62, 10, `${text(middle)}, range ${text(value.range.low)} to ${text(value.range.high)}`);
  const columns = spread(columnsOf(value));
  const top = 82;
  drawRow(page, columns, top, ({ head }) => head, quiet);
  page.area([boxPath({ x: margin - 4, y: top + 4, width: paper[0] - 2 * margin + 8, height: step })], {
    fill: inks.frame,
    opacity: 0.12,
  });
  drawRow(page, columns, top + 13, ({ subject }) => subject?.(value) ?? '');
  let y = top + 13 + step;
  for (const comp of value.used) {
    drawRow(page, columns, y, ({ cell }) => cell(comp));
    y += step;
  }
  y += 6;
  for (const text of basisOf(value)) y = drawText(page, text, y);
  return page;
}

/** Grids on pages of their own, as one PDF. */
export function valueGridsPdf(
  grids: readonly { readonly title: string; readonly value: GridValue }[],
  madeAt: Date,
): Uint8Array {
  const font = LabelFont.load();
  const pages = grids.map(({ title, value }) => drawValueGrid(font, title, value));
  const { file, bytes } = pdfInMemory();
  const embedded = font.embed(file);
  for (const page of pages) page.addTo(file, embedded);
  file.finish({ title: grids[0]?.title ?? '', madeAt });
  return bytes();
}
