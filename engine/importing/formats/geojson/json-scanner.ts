/**
 * Finds where JSON values begin and end in a file of any size, so that each can be given to JSON.parse alone: a whole-file
 * parse would hold a county in memory, and no parser written in JavaScript comes near JSON.parse.
 *
 * Only strings and brackets are looked at; JSON.parse judges everything in between.
 */
import { isUtf8 } from 'node:buffer';
import { EngineError } from '../../../spec/errors.ts';
import { ByteWindow } from '../bytes/byte-window.ts';

/** One value, for example one feature with its geometry, may be this long. */
export const maxValueBytes = 64 * 1024 * 1024;
/** GeoJSON needs six levels; a bomb of brackets would overflow the stack of whoever walks the value. */
const maxDepth = 64;

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** Before each text of a GeoJSON text sequence (RFC 8142). */
const recordSeparator = 0x1e;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const endsBareValue = (byte: number): boolean =>
  isSpace(byte) || byte === 0x2c || byte === closeBrace || byte === closeBracket || byte === recordSeparator;

/** What a byte outside of strings does to the depth. */
const depthChange = new Int8Array(256);
depthChange[openBrace] = 1;
depthChange[openBracket] = 1;
depthChange[closeBrace] = -1;
depthChange[closeBracket] = -1;

/** How far a value has been passed over; kept from one window to the next. */
interface Nesting {
  depth: number;
  isInString: boolean;
  isEnded: boolean;
}

/** The position behind the value's end, or at the end of the window. A backslash there may step one byte beyond it. */
function passMarks(buffer: Buffer, start: number, end: number, nesting: Nesting): number {
  let position = start;
  while (position < end && !nesting.isEnded && nesting.depth <= maxDepth) {
    position = nesting.isInString
      ? passString(buffer, position, end, nesting)
      : passBrackets(buffer, position, end, nesting);
  }
  return position;
}

/** Up to the next string. Every byte of a file passes here or below, at a nanosecond each: no call, and no object, per byte. */
function passBrackets(buffer: Buffer, start: number, end: number, nesting: Nesting): number {
  let { depth } = nesting;
  let position = start;
  while (position < end && !nesting.isInString) {
    const byte = buffer[position++] as number;
    if (byte === quote) nesting.isInString = true;
    // Digits, points and commas come before the brackets: most bytes of a geometry are not looked at further.
    else if (byte >= openBracket) {
      depth += depthChange[byte] as number;
      if (depth === 0 || depth > maxDepth) break;
    }
  }
  nesting.depth = depth;
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

  /** The next byte that is no white space, not taken; -1 at the end of the file. */
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

  /** Takes the next byte that is no white space when it is this character. */
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
   * @param losesDigits asked of the value; where it says so, numbers above 2⁵³ are given as the text that the file holds
   */
  takeValue(losesDigits?: (value: unknown) => boolean): unknown {
    const from = this.skipValue(true);
    const { buffer, start } = this.#window;
    const text = buffer.toString('utf8', start, this.#position);
    // Bytes that are no UTF-8 are read as this character; almost no file holds it, so almost no value is looked at twice.
    if (text.includes('\ufffd') && !isUtf8(buffer.subarray(start, this.#position))) {
      throw this.refusal('expected text in UTF-8, found other bytes in the value that begins', from);
    }
    try {
      const value: unknown = JSON.parse(text);
      // A reviver costs ten times what parsing does: only where digits were lost.
      return losesDigits?.(value) ? JSON.parse(text, keepDigits) : value;
    } catch (error) {
      throw this.refusal(`expected a JSON value, found a faulty one (${parserWords(error)})`, from);
    } finally {
      this.#release();
    }
  }

  /**
   * Passes over one whole value and answers the offset where it begins.
   * @param keep keeps all of it in view, up to `maxValueBytes`; else it may be of any length
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
      `the file ends too early (after ${size} bytes): it was cut off, or a bracket is missing, in the value that begins`,
      from,
    );
  }

  /** What stands next, as messages show it. */
  shownNext(): string {
    const byte = this.peek();
    if (byte === -1) return 'the end of the file';
    const { buffer, end } = this.#window;
    return JSON.stringify(buffer.toString('latin1', this.#position, Math.min(this.#position + 12, end)));
  }

  /** A string, or nested objects and arrays: to the mark that ends it. Which bracket closes which, JSON.parse judges. */
  #scanMarked(keep: boolean, from: number): void {
    const nesting: Nesting = { depth: 0, isInString: false, isEnded: false };
    for (;;) {
      const { buffer, end } = this.#window;
      this.#position = passMarks(buffer, this.#position, end, nesting);
      if (nesting.isEnded) return;
      if (nesting.depth > maxDepth) {
        throw this.refusal(`expected at most ${maxDepth} levels of nesting, found more`, this.offset - 1);
      }
      if (!keep) this.#release();
      if (!this.#more()) throw this.cutOff(from);
    }
  }

  /** A number, true, false, null, or rubbish for JSON.parse to refuse. */
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
    // A backslash may have stepped over the end of the window: that byte is not here yet.
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

/** The types of TypeScript do not know the third parameter yet (ECMAScript proposal "JSON.parse source text access"). */
const keepDigits = ((_: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? source : value) as (
  name: string,
  value: unknown,
) => unknown;

/** What V8 says, without the piece of the file that it quotes. */
function parserWords(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.split(/ in JSON|, "|, \.\.\./)[0] ?? words;
}
