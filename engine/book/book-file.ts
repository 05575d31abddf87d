/** The file of a book: its pages by name, links to them, bookmarks, shared font and layers. */
import type { LabelFont } from '../exporting/label-font.ts';
import { PdfFile, type PdfRef, pdfDictionary, pdfNumber, pdfText } from '../exporting/pdf-file.ts';
import { type Box, PdfLayers, PdfPage } from '../exporting/pdf-page.ts';

/** A place to go to: a page, or a part of it in points from the top left. */
export interface Target {
  readonly page: string;
  readonly box?: Box;
}

interface Bookmark {
  readonly title: string;
  readonly target: Target;
  readonly below: Bookmark[];
}

export class BookFile {
  readonly size: readonly [number, number];
  readonly font: LabelFont;
  readonly layers: PdfLayers;
  readonly bookmarks: Bookmark[] = [];
  readonly #file: PdfFile;
  readonly #fontRef: PdfRef;
  readonly #isThere: (page: string) => boolean;
  readonly #refs = new Map<string, PdfRef>();
  #pages = 0;
  readonly #frontNames: string[] = [];
  readonly #names: string[] = [];

  /** @param isThere false for a page that this file will not have: links to it lead nowhere */
  constructor(
    put: (bytes: Uint8Array) => void,
    font: LabelFont,
    size: readonly [number, number],
    isThere: (page: string) => boolean = () => true,
  ) {
    this.#file = new PdfFile(put, { packs: true });
    this.#isThere = isThere;
    this.font = font;
    this.size = size;
    this.#fontRef = font.embed(this.#file);
    this.layers = new PdfLayers(this.#file);
  }

  get pages(): number {
    return this.#pages;
  }

  page(digits = 2): PdfPage {
    return new PdfPage(this.font, this.size, digits);
  }

  /** In units of the size. */
  readonly widthOf = (text: string): number => this.font.width(this.font.shown(text).text);

  #ref(name: string): PdfRef {
    const known = this.#refs.get(name);
    if (known) return known;
    const made = this.#file.reserve();
    this.#refs.set(name, made);
    return made;
  }

  #destination({ page, box }: Target): string {
    const ref = this.#ref(page);
    if (!box) return `[${ref} /Fit]`;
    const height = this.size[1];
    const sides = [box.x, height - box.y - box.height, box.x + box.width, height - box.y];
    return `[${ref} /FitR ${sides.map((side) => pdfNumber(side, 0)).join(' ')}]`;
  }

  /** A link of a page; its dictionary goes to `add`. */
  link({ x, y, width, height }: Box, target: Target): PdfRef {
    const sides = [x, this.size[1] - y - height, x + width, this.size[1] - y];
    return this.#file.add(
      pdfDictionary({
        Type: '/Annot',
        Subtype: '/Link',
        Border: '[0 0 0]',
        Rect: `[${sides.map((side) => pdfNumber(side, 1)).join(' ')}]`,
        ...(this.#isThere(target.page) && { Dest: this.#destination(target) }),
      }),
    );
  }

  /** @param name what links call it */
  add(
    page: PdfPage,
    name: string,
    {
      links = [],
      more = {},
      isFront = false,
    }: { links?: readonly PdfRef[]; more?: Record<string, string>; isFront?: boolean } = {},
  ): void {
    const annotations = links.length === 0 ? {} : { Annots: `[${links.join(' ')}]` };
    page.addTo(
      this.#file,
      this.#fontRef,
      { ...more, ...annotations },
      { layers: this.layers, ref: this.#ref(name), isFront },
    );
    this.#pages += 1;
    (isFront ? this.#frontNames : this.#names).push(name);
  }

  finish(title: string, madeAt: Date): void {
    const outlines = this.#outlines();
    // A viewer then goes to page B2 by its name.
    const labels = [...this.#frontNames, ...this.#names].map((name, at) => `${at} << /P ${pdfText(name)} >>`);
    this.#file.finish({
      title,
      madeAt,
      catalog: {
        ...{ ...this.layers.catalog(), Outlines: outlines, PageMode: '/UseOutlines' },
        PageLabels: pdfDictionary({ Nums: `[${labels.join(' ')}]` }),
      },
    });
  }

  #outlines(): PdfRef {
    const root = this.#file.reserve();
    const level = (marks: readonly Bookmark[], parent: PdfRef): Record<string, string> => {
      const refs = marks.map(() => this.#file.reserve());
      for (const [at, { title, target, below }] of marks.entries()) {
        const own = refs[at] as PdfRef;
        const inside = below.length === 0 ? {} : { ...level(below, own), Count: String(-below.length) };
        this.#file.add(
          pdfDictionary({
            Title: pdfText(title),
            Parent: parent,
            ...(at > 0 && { Prev: refs[at - 1] as string }),
            ...(at + 1 < refs.length && { Next: refs[at + 1] as string }),
            ...inside,
            Dest: this.#destination(target),
          }),
          own,
        );
      }
      return { First: refs[0] as string, Last: refs.at(-1) as string };
    };
    const inside = level(this.bookmarks, root);
    return this.#file.add(pdfDictionary({ Type: '/Outlines', ...inside, Count: String(this.bookmarks.length) }), root);
  }
}
