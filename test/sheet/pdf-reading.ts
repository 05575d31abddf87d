/** Reads our PDFs back with another program's parser: objects by pdf-lib, drawing operators by their text. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
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

/** Of each page that is placed on the ground, the paths of the keys that do it, like `VP.Measure.GPTS`. */
export async function placingKeys(pdf: Uint8Array): Promise<string[][]> {
  const document = await PDFDocument.load(pdf, { throwOnInvalidObject: true });
  const keysOf = (one: unknown, name: string): string[] => {
    if (one instanceof PDFDict)
      return one.keys().flatMap((key) => keysOf(one.lookup(key), `${name}.${key.decodeText()}`));
    const parts = one instanceof PDFArray ? one.asArray().map((_, at) => one.lookup(at)) : [];
    const inner = parts.filter((part) => part instanceof PDFDict).flatMap((part) => keysOf(part, name));
    return inner.length > 0 ? inner : [name];
  };
  const pages = document.getPages().map(({ node }) =>
    ['VP', 'LGIDict'].flatMap((name) => {
      const one = node.lookup(PDFName.of(name));
      return one ? keysOf(one, name) : [];
    }),
  );
  return pages.filter((keys) => keys.length > 0);
}

/** Those of a PDF that GDAL writes itself, in both of its ways. */
export async function keysOfGdal(folder: string): Promise<string[]> {
  const [picture, pdf] = [path.join(folder, 'a.pgm'), path.join(folder, 'own.pdf')];
  fs.writeFileSync(picture, Buffer.concat([Buffer.from('P5 8 8 255\n'), Buffer.alloc(64)]));
  const place = ['-a_srs', 'EPSG:4326', '-a_ullr', '-71.9', '44.1', '-71.8', '44'];
  execFileSync('gdal_translate', ['-q', '-of', 'PDF', '-co', 'GEO_ENCODING=BOTH', ...place, picture, pdf], {
    stdio: 'ignore',
  });
  return (await placingKeys(fs.readFileSync(pdf)))[0] ?? [];
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
