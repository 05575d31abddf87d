/** Reads our PDFs back with another program's parser: objects by pdf-lib, drawing operators by their text. */
import { inflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFDocument, PDFName, type PDFNumber, type PDFRawStream } from 'pdf-lib';

export type Point = readonly [number, number];

export interface ReadPage {
  readonly size: Point;
  /** Corners of each path, with the colors and the width that stood when it was painted. */
  readonly paths: readonly {
    readonly points: Point[];
    readonly stroke: string;
    readonly fill: string;
    readonly width: number;
    readonly paint: string;
  }[];
  /** Degrees of the corners of the frame by its unit square, and the frame in points from the lower left. */
  readonly measure: { readonly frame: number[]; readonly degrees: number[]; readonly unit: number[] } | null;
  /** Titles of the layers that a viewer can switch. */
  readonly layers: string[];
}

const numbersOf = (array: unknown): number[] =>
  (array as PDFArray).asArray().map((number) => (number as PDFNumber).asNumber());

export async function readPage(pdf: Uint8Array): Promise<ReadPage> {
  const document = await PDFDocument.load(pdf, { throwOnInvalidObject: true });
  const page = document.getPage(0);
  const stream = page.node.lookup(PDFName.of('Contents')) as PDFRawStream;
  const viewports = page.node.lookupMaybe(PDFName.of('VP'), PDFArray);
  const viewport = viewports?.lookup(0, PDFDict);
  const measure = viewport?.lookup(PDFName.of('Measure'), PDFDict);
  const optional = document.catalog.lookupMaybe(PDFName.of('OCProperties'), PDFDict);
  const groups = optional?.lookup(PDFName.of('OCGs'), PDFArray).asArray() ?? [];
  return {
    size: [page.getWidth(), page.getHeight()],
    paths: pathsOf(inflateSync(stream.contents).toString('latin1')),
    measure:
      viewport && measure
        ? {
            frame: numbersOf(viewport.lookup(PDFName.of('BBox'))),
            degrees: numbersOf(measure.lookup(PDFName.of('GPTS'))),
            unit: numbersOf(measure.lookup(PDFName.of('LPTS'))),
          }
        : null,
    layers: groups
      .map((_, at) =>
        (optional as PDFDict).lookup(PDFName.of('OCGs'), PDFArray).lookup(at, PDFDict).lookup(PDFName.of('Name')),
      )
      .map((name) => (name as unknown as { decodeText: () => string }).decodeText()),
  };
}

interface State {
  stroke: string;
  fill: string;
  width: number;
}

/** What an operator does to the state, by its operands. */
const settings: Readonly<Record<string, (state: State, operands: readonly string[]) => void>> = {
  RG: (state, operands) => {
    state.stroke = operands.slice(-3).join(' ');
  },
  rg: (state, operands) => {
    state.fill = operands.slice(-3).join(' ');
  },
  w: (state, operands) => {
    state.width = Number(operands.at(-1));
  },
};

const isOperand = (token: string): boolean => /^[-+.\d/<[(]/.test(token) || token.endsWith(']');
const painting = new Set(['S', 'f*', 'B*']);

/** Walks the operators of a content stream that our pages use. */
function pathsOf(content: string): ReadPage['paths'] {
  const walk = new OperatorWalk();
  let operands: string[] = [];
  for (const token of content.split(/\s+/)) {
    if (isOperand(token)) operands.push(token);
    else {
      walk.take(token, operands);
      operands = [];
    }
  }
  return walk.found;
}

class OperatorWalk {
  readonly found: (ReadPage['paths'][number] & { points: Point[] })[] = [];
  #state: State = { stroke: '', fill: '', width: 1 };
  readonly #kept: State[] = [];
  #open: Point[][] = [];

  take(operator: string, operands: readonly string[]): void {
    settings[operator]?.(this.#state, operands);
    const [x = 0, y = 0] = operands.slice(-2).map(Number);
    if (operator === 'q') this.#kept.push({ ...this.#state });
    else if (operator === 'Q') this.#state = this.#kept.pop() ?? this.#state;
    else if (operator === 'm') this.#open.push([[x, y]]);
    else if (operator === 'l') this.#open.at(-1)?.push([x, y]);
    else if (painting.has(operator) || operator === 'n') this.#end(operator);
  }

  #end(paint: string): void {
    if (paint !== 'n') this.found.push(...this.#open.map((points) => ({ points, ...this.#state, paint })));
    this.#open = [];
  }
}
