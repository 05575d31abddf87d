/**
 * A PDF page to draw on: text in the bundled font, lines, areas, pictures, layers that a viewer can switch. Coordinates are
 * points from the top left corner. What is drawn becomes a content stream (ISO 32000-1, 8 and 9), object by object.
 */
import { type Jpeg, turnOf } from './jpeg.ts';
import type { LabelFont } from './label-font.ts';
import { type PdfFile, type PdfRef, pdfDictionary, pdfName, pdfNumber, pdfText } from './pdf-file.ts';

/** Red, green, blue from 0 to 1. */
export type Ink = readonly [number, number, number];

/** `#F6F3E9` */
export const inkOf = (hex: string): Ink =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as never;

/** Points `[x0, y0, x1, y1, …]`; an area closes it. */
export type Path = ArrayLike<number>;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const boxPath = ({ x, y, width, height }: Box): Path => [
  x,
  y,
  x + width,
  y,
  x + width,
  y + height,
  x,
  y + height,
];

export interface Paint {
  readonly fill?: Ink;
  readonly stroke?: Ink;
  /** Points; default 0.6. */
  readonly width?: number;
  readonly dash?: readonly number[];
  /** 0 to 1; default 1. */
  readonly opacity?: number;
  readonly roundEnds?: boolean;
  /** Darkens what lies below instead of covering it. */
  readonly isMultiplied?: boolean;
}

interface TextStyle {
  readonly ink?: Ink;
  /** A longer text is cut, with … */
  readonly room?: number;
  readonly align?: 'left' | 'middle' | 'right';
  readonly isBold?: boolean;
  readonly isSlanted?: boolean;
  /** Added after each letter, in units of the size. */
  readonly spacing?: number;
  /** Degrees, counterclockwise. */
  readonly angle?: number;
  /** y is the middle of the letters instead of their baseline. */
  readonly isCentered?: boolean;
  /** Drawn behind the letters, so that lines do not cross them. */
  readonly halo?: Ink;
}

/** Gray and alpha of each pixel, row by row from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly grayAlpha: Uint8Array;
}

const black: Ink = [0.11, 0.12, 0.11];
/** The bundled font has one weight: bolder letters get an outline of this share of their size, haloes one of that. */
const [boldShare, haloShare] = [0.036, 0.32];
const slant = 0.21;
/** The middle of capitals above the baseline, as a share of the size. */
const middleShare = 0.36;

/** OGR reads no longer string at once. */
const mostGlyphs = 60;

const numbers = (...values: number[]): string => values.map((value) => pdfNumber(value)).join(' ');
const color = (ink: Ink): string => ink.map((part) => pdfNumber(part, 3)).join(' ');

/** The switchable layers of a file: pages share them by title. */
export class PdfLayers {
  readonly #file: PdfFile;
  readonly #refs = new Map<string, PdfRef>();

  constructor(file: PdfFile) {
    this.#file = file;
  }

  ref(title: string): PdfRef {
    const known = this.#refs.get(title);
    if (known) return known;
    const made = this.#file.add(pdfDictionary({ Type: '/OCG', Name: pdfText(title) }));
    this.#refs.set(title, made);
    return made;
  }

  /** The catalog entries that the layers need. */
  catalog(): Record<string, string> {
    if (this.#refs.size === 0) return {};
    const refs = [...this.#refs.values()];
    const list = `[${refs.join(' ')}]`;
    // The order of the list of layers: the uppermost first.
    const order = `[${refs.toReversed().join(' ')}]`;
    return { OCProperties: pdfDictionary({ OCGs: list, D: pdfDictionary({ Order: order, ON: list }) }) };
  }
}

interface AddOptions {
  /** Absent: the page's own. */
  readonly layers?: PdfLayers;
  readonly ref?: PdfRef;
  readonly isFront?: boolean;
}

export class PdfPage {
  readonly size: readonly [number, number];
  readonly #font: LabelFont;
  readonly #content: string[] = [];
  readonly #pictures: (Picture | Jpeg)[] = [];
  readonly #opacities = new Set<number>();
  readonly #layers: string[] = [];
  readonly #digits: number;
  #isMultiplying = false;

  /** @param digits decimals of the corners of paths */
  constructor(font: LabelFont, size: readonly [number, number], digits = 2) {
    this.#font = font;
    this.size = size;
    this.#digits = digits;
  }

  /** Width in points. Letters that the font lacks are shown as ?. */
  width(text: string, size: number, spacing = 0): number {
    const { text: shown } = this.#font.shown(text);
    return (this.#font.width(shown) + spacing * Math.max(0, [...shown].length - 1)) * size;
  }

  /** @param x @param y of the baseline, where the text begins, has its middle or ends */
  text(x: number, y: number, size: number, text: string, style: TextStyle = {}): void {
    const { ink = black, room, align = 'left', isBold = false, isSlanted = false, spacing = 0, angle = 0 } = style;
    const { text: whole } = this.#font.shown(text);
    const shown = room === undefined ? whole : this.#font.cut(whole, room / size);
    if (shown === '') return;
    const wide = this.width(shown, size, spacing);
    const back = align === 'left' ? 0 : align === 'right' ? wide : wide / 2;
    const [cosine, sine] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    const lean = isSlanted ? slant : 0;
    const matrix = [cosine, sine, lean * cosine - sine, lean * sine + cosine].map((part) => pdfNumber(part, 4));
    const drop = style.isCentered ? size * middleShare : 0;
    const place = numbers(x - back * cosine + drop * sine, this.size[1] - y - back * sine - drop * cosine);
    const show = `BT /F ${pdfNumber(size)} Tf ${pdfNumber(spacing * size)} Tc ${matrix.join(' ')} ${place} Tm ${this.#shown(shown)} ET`;
    if (style.halo) {
      this.#content.push(`q 1 Tr 1 j ${color(style.halo)} RG ${pdfNumber(size * haloShare)} w ${show} Q`);
    }
    const outline = isBold ? `2 Tr ${color(ink)} RG ${pdfNumber(size * boldShare, 3)} w ` : '';
    this.#content.push(`q ${outline}${color(ink)} rg ${show} Q`);
  }

  #shown(text: string): string {
    const letters = [...text];
    if (letters.length <= mostGlyphs) return `${this.#font.encode(text)} Tj`;
    const pieces: string[] = [];
    for (let at = 0; at < letters.length; at += mostGlyphs) {
      pieces.push(`${this.#font.encode(letters.slice(at, at + mostGlyphs).join(''))} Tj`);
    }
    return pieces.join(' ');
  }

  /** Paths together as one area, holes by even-odd. */
  area(paths: readonly Path[], paint: Paint): void {
    this.#draw(paths, paint, true);
  }

  /** Open lines. */
  line(paths: readonly Path[], paint: Paint): void {
    this.#draw(paths, paint, false);
  }

  #draw(
    paths: readonly Path[],
    { fill, stroke, width = 0.6, dash, opacity = 1, roundEnds, isMultiplied = false }: Paint,
    isClosed: boolean,
  ): void {
    if (paths.length === 0) return;
    const state = [
      opacity < 1 ? `${this.#opacity(opacity)} gs` : '',
      isMultiplied ? this.#multiply() : '',
      fill ? `${color(fill)} rg` : '',
      stroke ? `${color(stroke)} RG ${pdfNumber(width)} w 1 j` : '',
      dash ? `[${numbers(...dash)}] 0 d` : '',
      roundEnds ? '1 J' : '',
    ];
    const paint = isClosed ? (fill && stroke ? 'B*' : fill ? 'f*' : 'S') : 'S';
    this.#content.push(`q ${state.filter(Boolean).join(' ')}`);
    for (const path of paths) this.#path(path, isClosed);
    this.#content.push(`${paint} Q`);
  }

  /** What is drawn inside is cut at the paths, holes by even-odd. */
  within(paths: readonly Path[], draw: () => void): void {
    if (paths.length === 0) return;
    this.#content.push('q');
    for (const path of paths) this.#path(path, true);
    this.#content.push('W* n');
    draw();
    this.#content.push('Q');
  }

  /** A layer that a viewer can switch (optional content, 8.11); drawn in the order of calls. */
  layer(title: string, draw: () => void): void {
    if (!this.#layers.includes(title)) this.#layers.push(title);
    this.#content.push(`/OC /L${this.#layers.indexOf(title)} BDC`);
    draw();
    this.#content.push('EMC');
  }

  /** A JPEG fills the box as it is seen, turned by its orientation. */
  picture(picture: Picture | Jpeg, { x, y, width, height }: Box, opacity = 1): void {
    const place = numbers(width, 0, 0, height, x, this.size[1] - y - height);
    const faded = opacity < 1 ? `${this.#opacity(opacity)} gs ` : '';
    const turn = 'bytes' in picture ? turnOf(picture) : null;
    const turned = turn ? ` ${numbers(...turn)} cm` : '';
    this.#content.push(`q ${faded}${place} cm${turned} /P${this.#pictures.push(picture) - 1} Do Q`);
  }

  /**
   * Adds the page to a file.
   * @returns the catalog entries that its layers need
   */
  addTo(
    file: PdfFile,
    font: PdfRef,
    more: Readonly<Record<string, string>> = {},
    { layers: shared = new PdfLayers(file), ...place }: AddOptions = {},
  ): Record<string, string> {
    const layers = this.#layers.map((title) => shared.ref(title));
    const numbered = (letter: string, refs: readonly string[]) =>
      pdfDictionary(Object.fromEntries(refs.map((ref, at) => [`${letter}${at}`, ref])));
    const opacities = [...this.#opacities].map((opacity) => [
      opacityName(opacity),
      pdfDictionary({ ca: pdfNumber(opacity), CA: pdfNumber(opacity) }),
    ]);
    if (this.#isMultiplying) opacities.push(['M', '<< /BM /Multiply >>']);
    file.page({
      ...place,
      size: this.size,
      content: this.#content.join('\n'),
      resources: pdfDictionary({
        Font: pdfDictionary({ F: font }),
        XObject: numbered(
          'P',
          this.#pictures.map((picture) => addPicture(file, picture)),
        ),
        ExtGState: pdfDictionary(Object.fromEntries(opacities)),
        Properties: numbered('L', layers),
      }),
      more,
    });
    return shared.catalog();
  }

  #multiply(): string {
    this.#isMultiplying = true;
    return '/M gs';
  }

  #opacity(opacity: number): string {
    this.#opacities.add(opacity);
    return pdfName(opacityName(opacity));
  }

  #path(path: Path, isClosed: boolean): void {
    const [height, digits] = [this.size[1], this.#digits];
    const points: string[] = [];
    for (let at = 0; at + 1 < path.length; at += 2) {
      const point = `${pdfNumber(path[at] as number, digits)} ${pdfNumber(height - (path[at + 1] as number), digits)}`;
      if (point !== points.at(-1)) points.push(point);
    }
    if (isClosed && points[0] === points.at(-1)) points.pop();
    if (points.length < 2) return;
    this.#content.push(`${points.join(' l ').replace(' l ', ' m ')} l${isClosed ? ' h' : ''}`);
  }
}

const opacityName = (opacity: number): string => `A${Math.round(opacity * 100)}`;

const colorSpaces: Readonly<Record<number, string>> = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' };

function addPicture(file: PdfFile, picture: Picture | Jpeg): PdfRef {
  const { width, height } = picture;
  const shared = {
    Type: '/XObject',
    Subtype: '/Image',
    Width: String(width),
    Height: String(height),
    ColorSpace: '/DeviceGray',
    BitsPerComponent: '8',
  };
  if ('bytes' in picture) {
    const { channels, bytes } = picture;
    return file.encoded(
      {
        ...shared,
        ColorSpace: colorSpaces[channels] as string,
        Filter: '/DCTDecode',
        // Adobe's programs write CMYK inverted.
        ...(channels === 4 && { Decode: '[1 0 1 0 1 0 1 0]' }),
      },
      bytes(),
    );
  }
  const { grayAlpha } = picture;
  const mask = file.stream({ ...shared }, channelOf(grayAlpha, 1));
  return file.stream({ ...shared, SMask: mask, Interpolate: 'true' }, channelOf(grayAlpha, 0));
}

function channelOf(grayAlpha: Uint8Array, offset: 0 | 1): Uint8Array {
  const channel = new Uint8Array(grayAlpha.length / 2);
  for (let at = 0; at < channel.length; at++) channel[at] = grayAlpha[2 * at + offset] as number;
  return channel;
}
