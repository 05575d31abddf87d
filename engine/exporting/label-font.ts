/**
 * Embeds a bundled font into a PDF as a CID font (ISO 32000-1, 9.7): Inter Medium, some 700 Latin letters, or Barlow
 * Condensed Medium, a third narrower, for names on maps (both SIL Open Font License, data/fonts). The fourteen standard
 * fonts of PDF end with Latin-1.
 */
import fs from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../package-root.ts';
import { type PdfFile, type PdfRef, pdfDictionary } from './pdf-file.ts';

/** File, PostScript name, and height of capitals in thousandths. */
const fonts = {
  labels: { file: 'inter-labels.ttf', name: 'Inter-Medium', capitals: 727 },
  condensed: { file: 'barlow-condensed.ttf', name: 'BarlowCondensed-Medium', capitals: 700 },
} as const;

/** Letters that both fonts have: nearly every name. */
const isPlain = /^[ -~]*$/;

export class LabelFont {
  readonly bytes: Buffer;
  readonly ascent: number;
  readonly descent: number;
  readonly #unitsPerEm: number;
  readonly #glyphs: ReadonlyMap<number, number>;
  readonly #widths: readonly number[];
  /** By code, below 127. */
  readonly #plainWidths: Float64Array;
  readonly #kind: keyof typeof fonts;

  constructor(bytes: Buffer, kind: keyof typeof fonts = 'labels') {
    const tables = tablesOf(bytes);
    const head = tables.get('head') as Buffer;
    const hhea = tables.get('hhea') as Buffer;
    this.bytes = bytes;
    this.#kind = kind;
    this.#unitsPerEm = head.readUInt16BE(18);
    this.ascent = hhea.readInt16BE(4) / this.#unitsPerEm;
    this.descent = hhea.readInt16BE(6) / this.#unitsPerEm;
    this.#glyphs = glyphsOf(tables.get('cmap') as Buffer);
    this.#widths = widthsOf(tables, hhea.readUInt16BE(34));
    this.#plainWidths = Float64Array.from({ length: 127 }, (_, code) =>
      this.#widthOf(this.#glyph(String.fromCodePoint(code))),
    );
  }

  static load(kind: keyof typeof fonts = 'labels'): LabelFont {
    return new LabelFont(fs.readFileSync(path.join(packageRoot, 'data', 'fonts', fonts[kind].file)), kind);
  }

  /**
   * Replaces letters that the font lacks: by the letter without accents, else by ?.
   * @returns the text to show, and the characters that became ?
   */
  shown(text: string): { text: string; missing: string[] } {
    if (isPlain.test(text)) return { text, missing: [] };
    const missing: string[] = [];
    const shown = [...text.normalize('NFC').replace(/\s/g, ' ')].map((character) => {
      if (this.#has(character)) return character;
      const plain = character.normalize('NFKD').replace(/\p{M}/gu, '');
      if (plain !== '' && [...plain].every((letter) => this.#has(letter))) return plain;
      missing.push(character);
      return '?';
    });
    return { text: shown.join(''), missing };
  }

  /** Width in units of the font size. */
  width(text: string): number {
    let sum = 0;
    for (const character of text) {
      const code = character.codePointAt(0) as number;
      sum += this.#plainWidths[code] ?? this.#widthOf(this.#glyph(character));
    }
    return sum / this.#unitsPerEm;
  }

  /** The text, cut with … if wider than `room`, in units of the font size. */
  cut(text: string, room: number): string {
    if (this.width(text) <= room) return text;
    const letters = [...text];
    while (letters.length > 0 && this.width(`${letters.join('')}…`) > room) letters.pop();
    return `${letters.join('')}…`;
  }

  /** Glyph numbers of two bytes each, for a CID font, as a string of PDF. */
  encode(text: string): string {
    return `<${[...text].map((character) => this.#glyph(character).toString(16).padStart(4, '0')).join('')}>`;
  }

  embed(file: PdfFile): PdfRef {
    const { name, capitals } = fonts[this.#kind];
    const scale = 1000 / this.#unitsPerEm;
    const descriptor = file.add(
      pdfDictionary({
        Type: '/FontDescriptor',
        FontName: `/${name}`,
        // Symbolic: glyphs are selected by number.
        Flags: '4',
        FontBBox: '[-500 -300 2000 1200]',
        ItalicAngle: '0',
        Ascent: String(Math.round(this.ascent * 1000)),
        Descent: String(Math.round(this.descent * 1000)),
        CapHeight: String(capitals),
        StemV: '90',
        FontFile2: file.stream({ Length1: String(this.bytes.length) }, this.bytes),
      }),
    );
    const descendant = file.add(
      pdfDictionary({
        Type: '/Font',
        Subtype: '/CIDFontType2',
        BaseFont: `/${name}`,
        CIDSystemInfo: '<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>',
        FontDescriptor: descriptor,
        CIDToGIDMap: '/Identity',
        W: `[0 [${this.#widths.map((width) => Math.round(width * scale)).join(' ')}]]`,
      }),
    );
    return file.add(
      pdfDictionary({
        Type: '/Font',
        Subtype: '/Type0',
        BaseFont: `/${name}`,
        Encoding: '/Identity-H',
        DescendantFonts: `[${descendant}]`,
        ToUnicode: file.stream({}, this.#toUnicode()),
      }),
    );
  }

  #has(character: string): boolean {
    return this.#glyphs.has(character.codePointAt(0) ?? 0);
  }

  #glyph(character: string): number {
    return this.#glyphs.get(character.codePointAt(0) ?? 0) ?? 0;
  }

  #widthOf(glyph: number): number {
    return this.#widths[glyph] ?? 0;
  }

  /** So that addresses can be searched and copied in the PDF. */
  #toUnicode(): string {
    const hex = (value: number) => value.toString(16).padStart(4, '0');
    const lines = [...this.#glyphs].map(([character, glyph]) => `<${hex(glyph)}> <${hex(character)}>`);
    const blocks: string[] = [];
    for (let at = 0; at < lines.length; at += 100) {
      const block = lines.slice(at, at + 100);
      blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
    }
    return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${blocks.join('\n')}\nendcmap CMapName currentdict /CMap defineresource pop end end`;
  }
}

function tablesOf(bytes: Buffer): Map<string, Buffer> {
  return new Map(
    Array.from({ length: bytes.readUInt16BE(4) }, (_, i) => {
      const at = 12 + 16 * i;
      const start = bytes.readUInt32BE(at + 8);
      return [bytes.toString('latin1', at, at + 4), bytes.subarray(start, start + bytes.readUInt32BE(at + 12))];
    }),
  );
}

/** Format 4 of `cmap`: the only one that the bundled file has. */
function glyphsOf(cmap: Buffer): Map<number, number> {
  const table = cmap.subarray(cmap.readUInt32BE(8));
  const segments = table.readUInt16BE(6) / 2;
  const at = (part: number, segment: number): number => 14 + part * segments * 2 + (part > 0 ? 2 : 0) + segment * 2;
  const glyphs = new Map<number, number>();
  for (let segment = 0; segment < segments; segment++) {
    const end = table.readUInt16BE(at(0, segment));
    const start = table.readUInt16BE(at(1, segment));
    const delta = table.readUInt16BE(at(2, segment));
    const rangePlace = at(3, segment);
    const range = table.readUInt16BE(rangePlace);
    for (let character = start; character <= end && character < 0xffff; character++) {
      const found = range === 0 ? character : table.readUInt16BE(rangePlace + range + 2 * (character - start));
      const glyph = found === 0 && range !== 0 ? 0 : (found + delta) & 0xffff;
      if (glyph > 0) glyphs.set(character, glyph);
    }
  }
  return glyphs;
}

/** Glyphs after the last width share it. */
function widthsOf(tables: ReadonlyMap<string, Buffer>, count: number): number[] {
  const hmtx = tables.get('hmtx') as Buffer;
  const glyphs = (tables.get('maxp') as Buffer).readUInt16BE(4);
  return Array.from({ length: glyphs }, (_, glyph) => hmtx.readUInt16BE(4 * Math.min(glyph, count - 1)));
}
