/**
 * Finds the bounds of JSON values in a file of any size, so that each can be parsed separately: parsing a whole file
 * would hold a county in memory, and no parser in JavaScript comes near JSON.parse.
 *
 * Reads only strings and brackets; JSON.parse judges everything else.
 */
import { isUtf8 } from 'node:buffer';
import { EngineError } from '../../../spec/errors.ts';
import { ByteWindow } from '../bytes/byte-window.ts';

/** Limit of one value, for example a feature with its geometry. */
const maxValueBytes = 64 * 1024 * 1024;
/** Limit of the texts, arrays and objects of one value: a vertex of a shape is an array, and takes 350 bytes when parsed. */
const maxParts = 1_000_000;
/** GeoJSON needs six levels; a bomb of brackets would overflow the stack of code that walks the value. */
const maxDepth = 64;

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** Precedes each text of a GeoJSON text sequence (RFC 8142). */
const recordSeparator = 0x1e;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const endsBareValue = (byte: number): boolean =>
  isSpace(byte) || byte === 0x2c || byte === closeBrace || byte === closeBracket || byte === recordSeparator;

/** How a byte outside strings changes the depth. */
const depthChange = new Int8Array(256);
depthChange[openBrace] = 1;
depthChange[openBracket] = 1;
depthChange[closeBrace] = -1;
depthChange[closeBracket] = -1;

/** Progress through a value, kept from one window to the next. */
interface Nesting {
  depth: number;
  /** Texts, arrays and objects so far. */
  parts: number;
  isInString: boolean;
  isEnded: boolean;
}

/** The position after the value's end, or the end of the window. A backslash at the end may step one byte past it. */
function passMarks(buffer: Buffer, start: number, end: number, nesting: Nesting): number {
  let position = start;
  while (position < end && !nesting.isEnded && nesting.depth <= maxDepth) {
    position = nesting.isInString
      ? passString(buffer, position, end, nesting)
      : passBrackets(buffer, position, end, nesting);
  }
  return position;
}

/**
 * Up to the next string. Every byte of a file passes here or below, at a nanosecond each: no call, and no object, per
 * byte.
 */
function passBrackets(buffer: Buffer, start: number, end: number, nesting: Nesting): number {
  let { depth, parts } = nesting;
  let position = start;
  while (position < end && !nesting.isInString) {
    const byte = buffer[position++] as number;
    if (byte === quote) {
      nesting.isInString = true;
      parts++;
    }
    // Digits, points and commas sort before the brackets, so most bytes of a geometry need one comparison.
    else if (byte >= openBracket) {
      const change = depthChange[byte] as number;
      depth += change;
      if (change === 1) parts++;
      if (depth === 0 || depth > maxDepth) break;
    }
  }
  nesting.depth = depth;
  nesting.parts = parts;
  nesting.isEnded = !nesting.isInString && depth === 0;
  return position;
}

function passString(buffer: Buffer, start: number, end: number, nesting: Nesting): number {
  let position = start;
  while (position < end) {
    const byte = buffer[position++];
    if (byte === quote) {
      nesting.isInString = false;
      nesting.isEnded = nesting.depth === 0;
      return position;
    }
    if (byte === backslash) position++;
  }
  return position;
}

export class JsonScanner {
  readonly filePath: string;
  readonly #window: ByteWindow;
  #position = 0;

  constructor(filePath: string) {
    this.filePath = filePath;
    this.#window = new ByteWindow(filePath, maxValueBytes);
    this.#more();
    const { buffer } = this.#window;
    if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) this.#position = 3;
    this.#release();
  }

  close(): void {
    this.#window.close();
  }

  /** Offset in the file of the next byte. */
  get offset(): number {
    return this.#window.offsetOf(this.#position);
  }

  refusal(problem: string, offset = this.offset): EngineError {
    return new EngineError('import_refused', `${this.filePath}: ${problem}, at byte ${offset}.`);
  }

  /** The next byte other than white space, without taking it; -1 at the end of the file. */
  peek(): number {
    for (;;) {
      const { buffer, end } = this.#window;
      while (this.#position < end) {
        const byte = buffer[this.#position] as number;
        if (!isSpace(byte)) return byte;
        this.#position++;
      }
      this.#release();
      if (!this.#more()) return -1;
    }
  }

  /** Takes the next byte other than white space if it is this character. */
  take(character: string): boolean {
    if (this.peek() !== character.charCodeAt(0)) return false;
    this.#position++;
    this.#release();
    return true;
  }

  expect(character: string): void {
    if (!this.take(character)) throw this.refusal(`expected ${JSON.stringify(character)}, found ${this.shownNext()}`);
  }

  /** Takes the name of an object's next member and its colon. */
  takeName(): string {
    if (this.peek() !== quote) throw this.refusal(`expected the name of a member, found ${this.shownNext()}`);
    const name = this.takeValue();
    this.expect(':');
    return String(name);
  }

  /**
   * Takes one whole value and parses it.
   * @param losesDigits tests the value; if true, numbers above 2⁵³ become the text in the file
   */
  takeValue(losesDigits?: (value: unknown) => boolean): unknown {
    const from = this.skipValue(true);
    const { buffer, start } = this.#window;
    const text = buffer.toString('utf8', start, this.#position);
    // Invalid UTF-8 decodes to this character; few files hold it, so few values are checked.
    if (text.includes('\ufffd') && !isUtf8(buffer.subarray(start, this.#position))) {
      throw this.refusal('expected text in UTF-8, found other bytes in the value that begins', from);
    }
    try {
      const value: unknown = JSON.parse(text);
      // A reviver costs ten times as much as parsing: used only where digits were lost.
      return losesDigits?.(value) ? JSON.parse(text, keepDigits) : value;
    } catch (error) {
      throw this.refusal(`expected a JSON value, found an invalid one (${parserWords(error)})`, from);
    } finally {
      this.#release();
    }
  }

  /**
   * Skips one whole value and returns the offset of its start.
   * @param keep keeps all of it in view, up to `maxValueBytes`; else its length is unlimited
   */
  skipValue(keep = false): number {
    const first = this.peek();
    if (first === -1) throw this.cutOff(this.offset);
    this.#release();
    const from = this.offset;
    if (first === openBrace || first === openBracket || first === quote) this.#scanMarked(keep, from);
    else this.#scanBare(from);
    if (!keep) this.#release();
    return from;
  }

  cutOff(from: number): EngineError {
    const size = this.#window.offsetOf(this.#window.end);
    return this.refusal(
      `the file ends too early (after ${size} bytes): it was cut off or lacks a bracket, in the value that begins`,
      from,
    );
  }

  /** What comes next, for messages. */
  shownNext(): string {
    const byte = this.peek();
    if (byte === -1) return 'the end of the file';
    const { buffer, end } = this.#window;
    return JSON.stringify(buffer.toString('latin1', this.#position, Math.min(this.#position + 12, end)));
  }

  /** A string, or nested objects and arrays: up to the mark that ends it. JSON.parse checks that brackets match. */
  #scanMarked(keep: boolean, from: number): void {
    const nesting: Nesting = { depth: 0, parts: 0, isInString: false, isEnded: false };
    for (;;) {
      const { buffer, end } = this.#window;
      this.#position = passMarks(buffer, this.#position, end, nesting);
      if (keep && nesting.parts > maxParts) {
        throw this.refusal(
          `expected one value of at most ${maxParts} vertices and texts, found more; simplify or split the shape`,
          from,
        );
      }
      if (nesting.isEnded) return;
      if (nesting.depth > maxDepth) {
        throw this.refusal(`expected at most ${maxDepth} levels of nesting, found more`, this.offset - 1);
      }
      if (!keep) this.#release();
      if (!this.#more()) throw this.cutOff(from);
    }
  }

  /** A number, true, false, null, or invalid text for JSON.parse to refuse. */
  #scanBare(from: number): void {
    for (;;) {
      const { buffer, end } = this.#window;
      while (this.#position < end) {
        if (endsBareValue(buffer[this.#position] as number)) {
          if (this.offset === from) throw this.refusal(`expected a value, found ${this.shownNext()}`);
          return;
        }
        this.#position++;
      }
      if (!this.#more()) return;
    }
  }

  #release(): void {
    // A backslash may step past the end of the window, to a byte that is not read yet.
    this.#window.start = Math.min(this.#position, this.#window.end);
  }

  #more(): boolean {
    const before = this.#window.base;
    const answer = this.#window.more();
    this.#position -= this.#window.base - before;
    if (answer !== 'full') return answer === 'read';
    throw this.refusal(
      `expected one value of at most ${maxValueBytes / 1024 / 1024} MB, found a longer one`,
      this.#window.offsetOf(this.#window.start),
    );
  }
}

/** TypeScript does not declare the third parameter yet (ECMAScript proposal "JSON.parse source text access"). */
const keepDigits = ((_: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? source : value) as (
  name: string,
  value: unknown,
) => unknown;

/** V8's message, without the piece of the file that it quotes. */
function parserWords(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.split(/ in JSON|, "|, \.\.\./)[0] ?? words;
}
