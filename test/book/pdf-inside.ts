/** What is inside a PDF, read by other programs: objects and streams by pdf-lib, words and their places by poppler. */
import { execFileSync } from 'node:child_process';
import { inflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { LabelFont } from '../../engine/exporting/label-font.ts';

/** Streams of a file, inflated, and its objects as text; the font's own bytes left out. */
export async function insideOf(pdf: Uint8Array): Promise<string> {
  const document = await PDFDocument.load(pdf, { throwOnInvalidObject: true });
  return document.context
    .enumerateIndirectObjects()
    .map(([, object]) =>
      object instanceof PDFRawStream && object.dict.get(PDFName.of('Length1')) === undefined
        ? inflateSync(object.contents).toString('latin1')
        : object.toString(),
    )
    .join('\n');
}

const fonts = (['labels', 'condensed'] as const).map((kind) => LabelFont.load(kind));

/** A text as a file may hold it: plain, in glyphs of either font, in UTF-16 of titles and bookmarks. */
export const formsOf = (text: string): string[] => [
  text,
  ...fonts.map((font) => font.encode(text).slice(1, -1)),
  Buffer.from(text, 'utf16le').swap16().toString('hex'),
];

/** Points from the top left. */
interface Place {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}
export interface Word extends Place {
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The words of each page. */
export function wordsOf(file: string): Word[][] {
  const html = execFileSync('pdftotext', ['-bbox', file, '-'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return html
    .split('<page ')
    .slice(1)
    .map((page) =>
      [
        ...page.matchAll(/<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/g),
      ].map(([, left, top, right, bottom, text = '']) => ({
        ...{ left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom) },
        text: text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole),
      })),
    );
}

export const wordsIn = (words: readonly Word[], { left, top, right, bottom }: Place): Word[] =>
  words.filter((word) => {
    const [x, y] = [(word.left + word.right) / 2, (word.top + word.bottom) / 2];
    return x >= left && x <= right && y >= top && y <= bottom;
  });

export interface Link {
  /** Places of pages in the file. */
  readonly from: number;
  readonly to: number;
  readonly at: Place;
  /** Absent: the whole page. */
  readonly target?: Place;
}

/** In their order on the pages. */
export async function linksOf(pdf: Uint8Array): Promise<Link[]> {
  const document = await PDFDocument.load(pdf, { throwOnInvalidObject: true });
  const pages = document.getPages();
  const order = new Map(pages.map(({ ref }, at) => [ref.toString(), at]));
  return pages.flatMap((page, from) => {
    const height = page.getHeight();
    const placeOf = (array: PDFArray, first: number): Place => {
      const [left = 0, low = 0, right = 0, high = 0] = array
        .asArray()
        .slice(first, first + 4)
        .map((side) => Number(side.toString()));
      return { left, top: height - high, right, bottom: height - low };
    };
    const annotations = page.node.Annots()?.asArray() ?? [];
    return annotations.flatMap((one): Link[] => {
      const link = document.context.lookup(one, PDFDict);
      const target = link.lookupMaybe(PDFName.of('Dest'), PDFArray);
      if (!target) return [];
      const isPart = target.get(1) === PDFName.of('FitR');
      return [
        {
          ...{
            from,
            to: order.get(String(target.get(0))) ?? -1,
            at: placeOf(link.lookup(PDFName.of('Rect'), PDFArray), 0),
          },
          ...(isPart && { target: placeOf(target, 2) }),
        },
      ];
    });
  });
}
