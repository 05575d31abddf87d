/** A PDF page to draw on: text in the bundled font, lines and areas. Coordinates are points from the top left corner. */
import { type PDFDocument, PDFName, PDFNumber, PDFOperator, PDFOperatorNames, type PDFPage } from 'pdf-lib';
import { LabelFont } from './label-font.ts';
import { newDocument, operator } from './pdf-parts.ts';

/** Red, green, blue from 0 to 1. */
export type Ink = readonly [number, number, number];

/** A path: points one after another, closed. */
export type Path = readonly (readonly [number, number])[];

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const numbers = (...values: number[]): PDFNumber[] =>
  values.map((value) => PDFNumber.of(Math.round(value * 100) / 100));

export class SheetPage {
  readonly #document: PDFDocument;
  readonly #page: PDFPage;
  readonly #font: LabelFont;
  readonly #key: PDFName;
  readonly #height: number;

  private constructor(document: PDFDocument, font: LabelFont, size: readonly [number, number]) {
    this.#document = document;
    this.#font = font;
    this.#page = document.addPage([...size]);
    this.#key = this.#page.node.newFontDictionary('Inter', font.embed(document));
    this.#height = size[1];
  }

  static async open(title: string, madeAt: Date, size: readonly [number, number]): Promise<SheetPage> {
    return new SheetPage(await newDocument(title, madeAt), LabelFont.load(), size);
  }

  /** Width in points. Letters that the font lacks are shown as ?. */
  width(text: string, size: number): number {
    return this.#font.width(this.#font.shown(text).text) * size;
  }

  /** @param room a longer text is cut, with … */
  text(x: number, y: number, size: number, text: string, { ink = black, room = Number.POSITIVE_INFINITY } = {}): void {
    const shown = this.#font.cut(this.#font.shown(text).text, room / size);
    this.#page.pushOperators(
      operator(PDFOperatorNames.BeginText),
      operator(PDFOperatorNames.NonStrokingColorRgb, ...numbers(...ink)),
      operator(PDFOperatorNames.SetFontAndSize, this.#key, PDFNumber.of(size)),
      operator(PDFOperatorNames.MoveText, ...numbers(x, this.#height - y)),
      PDFOperator.of(PDFOperatorNames.ShowText, [this.#font.encode(shown)]),
      operator(PDFOperatorNames.EndText),
    );
  }

  /** Paths together as one area, holes by even-odd, cut at the box. */
  area(
    paths: readonly Path[],
    box: Box,
    { fill, stroke, width = 0.6 }: { fill?: Ink; stroke?: Ink; width?: number },
  ): void {
    const paint =
      fill && stroke
        ? PDFOperatorNames.FillEvenOddAndStroke
        : fill
          ? PDFOperatorNames.FillEvenOdd
          : PDFOperatorNames.StrokePath;
    this.#page.pushOperators(
      operator(PDFOperatorNames.PushGraphicsState),
      operator(
        PDFOperatorNames.AppendRectangle,
        ...numbers(box.x, this.#height - box.y - box.height, box.width, box.height),
      ),
      operator(PDFOperatorNames.ClipNonZero),
      operator(PDFOperatorNames.EndPath),
      ...(fill ? [operator(PDFOperatorNames.NonStrokingColorRgb, ...numbers(...fill))] : []),
      ...(stroke ? [operator(PDFOperatorNames.StrokingColorRgb, ...numbers(...stroke))] : []),
      operator(PDFOperatorNames.SetLineWidth, PDFNumber.of(width)),
      ...paths.flatMap((path) => this.#path(path)),
      operator(paint),
      operator(PDFOperatorNames.PopGraphicsState),
    );
  }

  /** Makes viewers show the print dialog on opening (named action Print, ISO 32000-1, 12.6.4.11). */
  askForPrinter(): void {
    const { catalog, context } = this.#document;
    catalog.set(PDFName.of('OpenAction'), context.obj({ Type: 'Action', S: 'Named', N: 'Print' }));
  }

  save(): Promise<Uint8Array> {
    return this.#document.save();
  }

  #path(path: Path): PDFOperator[] {
    return [
      ...path.map(([x, y], index) =>
        operator(index === 0 ? PDFOperatorNames.MoveTo : PDFOperatorNames.LineTo, ...numbers(x, this.#height - y)),
      ),
      operator(PDFOperatorNames.ClosePath),
    ];
  }
}

export const black: Ink = [0.11, 0.12, 0.11];
