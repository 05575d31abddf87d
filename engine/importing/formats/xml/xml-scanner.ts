/**
 * Reads the XML of spreadsheets and KML, tag by tag, from a file of any size. Supports only what they use: elements,
 * attributes, text. Refuses document types, with which a few bytes can expand to gigabytes of text or name another file.
 */
import { isUtf8 } from 'node:buffer';
import { EngineError } from '../../../spec/errors.ts';
import { readChunks } from '../bytes/byte-window.ts';
import { wholeCharacters } from '../bytes/text-encoding.ts';

/** What kind of file it is, for refusals, and for how much of it is one tag or text. */
export interface XmlKind {
  readonly name: string;
  readonly remedy: string;
  readonly maxTokenMegabytes: number;
}

/** A cell holds at most 32,767 characters; a longer tag or text means damage. */
const spreadsheet: XmlKind = { name: 'spreadsheet', remedy: 'Save it again, or as CSV.', maxTokenMegabytes: 4 };

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const characterOf = (code: number): string =>
  Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';

export function decodeXmlText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return characterOf(Number.parseInt(String(hex), 16));
    return decimal === undefined ? (entities[String(name)] ?? whole) : characterOf(Number(decimal));
  });
}

const noAttributes: Readonly<Record<string, string>> = {};
const anyAttribute = /\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const attributePatterns = new Map<string, RegExp>();

function attributePattern(name: string): RegExp {
  const known = attributePatterns.get(name);
  if (known) return known;
  const made = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  attributePatterns.set(name, made);
  return made;
}

type XmlToken = 'open' | 'close' | 'end';

export class XmlScanner {
  readonly #path: string;
  readonly #kind: XmlKind;
  readonly #chunks: Iterator<Buffer>;
  #text = '';
  #at = 0;
  #tag = '';
  /** Name of the last tag, without its namespace. */
  name = '';
  /** Whether the tag that opens the element also closes it. */
  isEmpty = false;
  /** Text between the previous tag and this one, not decoded. */
  before = '';

  constructor(filePath: string, kind = spreadsheet) {
    this.#path = filePath;
    this.#kind = kind;
    this.#chunks = wholeCharacters(readChunks(filePath))[Symbol.iterator]();
  }

  /** Reads up to the end of the next tag. Skips comments and declarations. */
  next(): XmlToken {
    this.before = '';
    for (;;) {
      const start = this.#find('<', this.#at);
      if (start === -1) {
        if (this.#text.slice(this.#at).trim() !== '') throw this.refusal('the file ends too early');
        return 'end';
      }
      if (start > this.#at) this.before += this.#text.slice(this.#at, start);
      this.#at = start;
      const kind = this.#peek(start + 1);
      if (kind === '!') this.#passDeclaration();
      else if (kind === '?') this.#at = this.#findEnd('?>', start) + 2;
      else return this.#takeTag(start, kind === '/');
    }
  }

  /** An attribute of the last tag; null if it has none of that name. */
  attribute(name: string): string | null {
    const found = attributePattern(name).exec(this.#tag);
    return found ? decodeXmlText(found[1] ?? found[2] ?? '') : null;
  }

  /** All attributes of the last tag; only declarations of namespaces keep their prefix. */
  attributes(): Readonly<Record<string, string>> {
    if (!this.#tag.includes('=')) return noAttributes;
    const found: Record<string, string> = Object.create(null);
    for (const [, name = '', double, single] of this.#tag.matchAll(anyAttribute))
      found[name.startsWith('xmlns') ? name : withoutPrefix(name)] = decodeXmlText(double ?? single ?? '');
    return found;
  }

  /** The content of the element just opened, with its tags; also skips the closing tag. */
  content(): string {
    if (this.isEmpty) return '';
    const full = this.#tag.slice(0, this.#tag.search(/\s|$/));
    const closing = `</${full}>`;
    const start = this.#at;
    const end = this.#findEnd(closing, start);
    this.#at = end + closing.length;
    return this.#text.slice(start, end);
  }

  close(): void {
    this.#chunks.return?.();
  }

  refusal(problem: string): EngineError {
    const { name, remedy } = this.#kind;
    return new EngineError('import_refused', `${this.#path}: damaged ${name}: ${problem}. ${remedy}`);
  }

  #takeTag(start: number, isClosing: boolean): XmlToken {
    let end = this.#findEnd('>', start);
    // An attribute's value may contain >.
    let mark = quoteAfter(this.#text, start, end, '');
    while (mark !== '') {
      const next = this.#findEnd('>', end + 1);
      mark = quoteAfter(this.#text, end, next, mark);
      end = next;
    }
    this.#tag = this.#text.slice(start + (isClosing ? 2 : 1), end);
    this.isEmpty = !isClosing && this.#tag.endsWith('/');
    this.#at = end + 1;
    const length = this.#tag.search(/[\s/]|$/);
    this.name = withoutPrefix(this.#tag.slice(0, length));
    return isClosing ? 'close' : 'open';
  }

  #passDeclaration(): void {
    const start = this.#at;
    if (this.#startsWith('<!--', start)) this.#at = this.#findEnd('-->', start) + 3;
    else if (this.#startsWith('<![CDATA[', start)) {
      const end = this.#findEnd(']]>', start);
      this.before += this.#text.slice(start + 9, end).replaceAll('&', '&amp;');
      this.#at = end + 3;
    } else throw this.refusal(`it holds a document type, which ${this.#kind.name} never has`);
  }

  #startsWith(mark: string, at: number): boolean {
    while (this.#text.length < at + mark.length && this.#more());
    return this.#text.startsWith(mark, this.#at);
  }

  #peek(at: number): string {
    while (this.#text.length <= at && this.#more());
    return this.#text[this.#at + 1] ?? '';
  }

  #findEnd(mark: string, from: number): number {
    const found = this.#find(mark, from);
    if (found === -1) throw this.refusal('the file ends within a tag');
    return found;
  }

  /** Reading more releases positions before `#at`, so `from` and the result count from what is kept. */
  #find(mark: string, from: number): number {
    let start = from;
    for (;;) {
      const found = this.#text.indexOf(mark, start);
      if (found !== -1) return found;
      start = Math.max(from, this.#text.length - mark.length + 1);
      const { maxTokenMegabytes: most } = this.#kind;
      if (this.#text.length - this.#at > most * 1024 * 1024)
        throw this.refusal(`it holds a tag or text of more than ${most} MB`);
      if (!this.#more()) return -1;
    }
  }

  #more(): boolean {
    const { value, done } = this.#chunks.next();
    if (done) return false;
    if (!isUtf8(value)) throw this.refusal('expected text in UTF-8, found other bytes');
    this.#text += value.toString();
    return true;
  }

  /** Releases what was read. Called between tags, when no position is held. */
  release(): void {
    if (this.#at < 64 * 1024) return;
    this.#text = this.#text.slice(this.#at);
    this.#at = 0;
  }
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Rewrites CDATA sections in the form of all other text. */
export const withoutSections = (xml: string): string =>
  xml.includes('<![CDATA[')
    ? xml.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text) =>
        String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      )
    : xml;

/** The quotation mark that is open at `end`, if `mark` is at `start`; empty: none. */
function quoteAfter(text: string, start: number, end: number, mark: string): string {
  let open = mark;
  for (let at = start; at < end; at++) {
    const character = text[at] as string;
    if (open === '') {
      if (character === '"' || character === "'") open = character;
    } else if (character === open) open = '';
  }
  return open;
}
