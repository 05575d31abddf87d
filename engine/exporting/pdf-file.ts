/**
 * Writes a PDF front to back (ISO 32000-1, 7.5): each object leaves for the sink as it is made, so that a book of a thousand
 * pages needs the memory of one. Objects are PDF source text; only the places of objects stay in memory.
 */
import { deflateSync } from 'node:zlib';

/** `12 0 R` */
export type PdfRef = string;

/** A name; letters beyond the plain ones are escaped. */
export const pdfName = (name: string): string =>
  `/${name.replace(/[^A-Za-z0-9_.-]/g, (letter) => `#${letter.charCodeAt(0).toString(16).padStart(2, '0')}`)}`;

/** A text that people read, in UTF-16 with its mark (7.9.2.2). */
export function pdfText(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'));
  return `<feff${units.join('')}>`;
}

/** At most `digits` decimals, without trailing zeros and never with an exponent. */
export function pdfNumber(value: number, digits = 2): string {
  if (digits > 4) return value.toFixed(digits);
  const steps = 10 ** digits;
  // Adding 0 makes -0 plain.
  return String(Math.round(value * steps) / steps + 0);
}

export const pdfDictionary = (entries: Readonly<Record<string, string>>): string =>
  `<< ${Object.entries(entries)
    .map(([key, value]) => `${pdfName(key)} ${value}`)
    .join(' ')} >>`;

const pdfDate = (date: Date): string => `(D:${date.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z)`;

interface Page {
  /** Points. */
  readonly size: readonly [number, number];
  readonly content: string;
  readonly resources: string;
  /** Further entries of the page's dictionary. */
  readonly more?: Readonly<Record<string, string>>;
  /** A number that links used before. */
  readonly ref?: PdfRef;
  /** Before all others, though made later: a cover knows what follows. */
  readonly isFront?: boolean;
}

/** A viewer shows the title, and prints to scale. */
const preferences = '<< /DisplayDocTitle true /PrintScaling /None >>';

interface Ending {
  readonly title: string;
  readonly madeAt: Date;
  /** Further entries of the catalog. */
  readonly catalog?: Readonly<Record<string, string>>;
}

/**
 * Where an object lies: its byte; of an object stream its number and the place in it, as one negative number, since a book has
 * hundreds of thousands. 0: reserved.
 */
type Place = number;

/** Objects of one object stream: more make a reader unpack much for one. */
const packedTogether = 200;

export class PdfFile {
  readonly #put: (bytes: Uint8Array) => void;
  readonly #places: Place[] = [0];
  readonly #fronts: PdfRef[] = [];
  readonly #pages: PdfRef[] = [];
  /** Objects that wait for their object stream; null: each is written by itself. */
  readonly #packed: { readonly number: number; readonly source: string }[] | null;
  readonly #pageTree: PdfRef;
  #position = 0;

  /**
   * @param put takes the bytes in their order
   * @param packs deflates small objects together (object streams, 7.5.7): a book has a hundred thousand links
   */
  constructor(put: (bytes: Uint8Array) => void, { packs = false } = {}) {
    this.#put = put;
    this.#packed = packs ? [] : null;
    // The second line says that the file is binary.
    this.#write(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
    this.#pageTree = this.reserve();
  }

  /** A number for an object that comes later. */
  reserve(): PdfRef {
    return `${this.#places.push(0) - 1} 0 R`;
  }

  add(source: string, ref: PdfRef = this.reserve()): PdfRef {
    const number = Number.parseInt(ref, 10);
    if (this.#packed) {
      this.#packed.push({ number, source });
      if (this.#packed.length === packedTogether) this.#unload();
      return ref;
    }
    this.#places[number] = this.#position;
    this.#write(Buffer.from(`${number} 0 obj\n${source}\nendobj\n`, 'latin1'));
    return ref;
  }

  /** @param bytes not yet deflated */
  stream(entries: Readonly<Record<string, string>>, bytes: Uint8Array | string): PdfRef {
    const packed = deflateSync(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    return this.encoded({ ...entries, Filter: '/FlateDecode' }, packed);
  }

  /** @param bytes as the `Filter` of the entries has them, such as a JPEG's */
  encoded(entries: Readonly<Record<string, string>>, bytes: Uint8Array): PdfRef {
    const ref = this.reserve();
    const number = Number.parseInt(ref, 10);
    this.#places[number] = this.#position;
    const head = pdfDictionary({ ...entries, Length: String(bytes.length) });
    this.#write(Buffer.from(`${number} 0 obj\n${head}\nstream\n`, 'latin1'));
    this.#write(bytes);
    this.#write(Buffer.from('\nendstream\nendobj\n', 'latin1'));
    return ref;
  }

  /** Writes the objects that wait. */
  #unload(): void {
    const objects = this.#packed?.splice(0) ?? [];
    if (objects.length === 0) return;
    let length = 0;
    const places = objects.map(({ number, source }) => {
      const place = `${number} ${length}`;
      length += source.length + 1;
      return place;
    });
    const head = `${places.join(' ')}\n`;
    const entries = { Type: '/ObjStm', N: String(objects.length), First: String(head.length) };
    const stream = Number.parseInt(
      this.stream(entries, `${head}${objects.map(({ source }) => source).join('\n')}\n`),
      10,
    );
    for (const [at, { number }] of objects.entries()) this.#places[number] = -(stream * packedTogether + at);
  }

  page({ size: [width, height], content, resources, more = {}, ref: given, isFront = false }: Page): PdfRef {
    const ref = this.add(
      pdfDictionary({
        Type: '/Page',
        Parent: this.#pageTree,
        MediaBox: `[0 0 ${pdfNumber(width)} ${pdfNumber(height)}]`,
        Contents: this.stream({}, content),
        Resources: resources,
        ...more,
      }),
      given,
    );
    (isFront ? this.#fronts : this.#pages).push(ref);
    return ref;
  }

  finish({ title, madeAt, catalog = {} }: Ending): void {
    const kids = [...this.#fronts, ...this.#pages];
    const pages = { Type: '/Pages', Kids: `[${kids.join(' ')}]`, Count: String(kids.length) };
    this.add(pdfDictionary(pages), this.#pageTree);
    const root = this.add(
      pdfDictionary({
        Type: '/Catalog',
        Pages: this.#pageTree,
        Lang: '(en-US)',
        ViewerPreferences: preferences,
        ...catalog,
      }),
    );
    const info = this.add(
      pdfDictionary({ Title: pdfText(title), Creator: '(Platbook)', CreationDate: pdfDate(madeAt) }),
    );
    if (this.#packed) this.#endPacked(root, info);
    else this.#endPlain(root, info);
  }

  #endPlain(root: PdfRef, info: PdfRef): void {
    const start = this.#position;
    const rows = this.#places.slice(1).map((place) => `${String(place).padStart(10, '0')} 00000 n \n`);
    const trailer = pdfDictionary({ Size: String(this.#places.length), Root: root, Info: info });
    this.#write(
      Buffer.from(
        `xref\n0 ${this.#places.length}\n0000000000 65535 f \n${rows.join('')}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`,
        'latin1',
      ),
    );
  }

  /** The table of places as a stream (7.5.8): only it can name objects of object streams. */
  #endPacked(root: PdfRef, info: PdfRef): void {
    this.#unload();
    const start = this.#position;
    // Its own row comes last.
    const count = this.#places.length + 1;
    const rowBytes = 8;
    const table = Buffer.alloc(rowBytes * count);
    for (const [number, place] of [...this.#places, start].entries()) {
      if (place === 0) continue;
      const at = rowBytes * number;
      const isPlain = place > 0;
      table[at] = isPlain ? 1 : 2;
      table.writeUIntBE(isPlain ? place : Math.floor(-place / packedTogether), at + 1, 5);
      table.writeUInt16BE(isPlain ? 0 : -place % packedTogether, at + 6);
    }
    this.stream({ Type: '/XRef', Size: String(count), W: '[1 5 2]', Root: root, Info: info }, table);
    this.#write(Buffer.from(`startxref\n${start}\n%%EOF\n`, 'latin1'));
  }

  #write(bytes: Uint8Array): void {
    this.#put(bytes);
    this.#position += bytes.length;
  }
}

/** A whole file in memory: for one page, or a few. */
export function pdfInMemory(): { readonly file: PdfFile; readonly bytes: () => Uint8Array } {
  const pieces: Uint8Array[] = [];
  return { file: new PdfFile((piece) => pieces.push(piece)), bytes: () => Buffer.concat(pieces) };
}
