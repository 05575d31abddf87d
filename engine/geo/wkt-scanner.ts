/** Reads Well Known Text one character at a time: each character once, and only numbers are built from the text. */

/** The longest number read: a double has 17 digits; a million of them would be an attack on the parser, not a place. */
const maxNumberCharacters = 64;

/** Longer than any word of WKT (`GEOMETRYCOLLECTION` has 18 letters, plus `ZM`). */
const maxWordCharacters = 24;

/** How much of the caller's text a problem repeats. */
const maxFoundCharacters = 40;

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function isNumberCharacter(code: number): boolean {
  // 0-9 + - . e E
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46 || code === 69 || code === 101;
}

function isDelimiter(code: number): boolean {
  // ( ) , ; =
  return isSpace(code) || code === 40 || code === 41 || code === 44 || code === 59 || code === 61;
}

/** Escapes control and odd characters; at most 40 characters with the quotes. */
function quote(text: string, isCut: boolean): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const room = maxFoundCharacters - 3;
  return isCut || escaped.length > room ? `"${escaped.slice(0, room)}…"` : `"${escaped}"`;
}

/**
 * A cursor over the text. Readers return null or false and set `problem` if the text is not what they expect; the first
 * problem stays. Positions in problems count from 1.
 */
export class WktScanner {
  readonly #text: string;
  #position = 0;
  #problem: string | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** The first problem: a sentence with what was expected, what was found and where. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Start of the next token, counted from 1. */
  get position(): number {
    this.#skipSpace();
    return this.#position + 1;
  }

  /** Notes a problem in the caller's own words; returns false, so that readers can `return scanner.refuse(…)`. */
  refuse(problem: string): false {
    this.#problem ??= problem;
    return false;
  }

  /** Notes that the text at the cursor is not what was expected. */
  refuseHere(expected: string): false {
    return this.refuse(`Expected ${expected} at position ${this.position}, found ${this.#found()}.`);
  }

  /** The token at the cursor, shortened and quoted for a problem. */
  #found(): string {
    this.#skipSpace();
    const start = this.#position;
    if (start >= this.#text.length) return 'the end of the text';
    let end = start;
    while (end - start < maxFoundCharacters && end < this.#text.length && !isDelimiter(this.#text.charCodeAt(end))) {
      end++;
    }
    if (end === start) end++;
    return quote(this.#text.slice(start, end), end - start === maxFoundCharacters);
  }

  isAtEnd(): boolean {
    this.#skipSpace();
    return this.#position >= this.#text.length;
  }

  /** Whether this character is next (after white space). */
  isAt(character: string): boolean {
    this.#skipSpace();
    return this.#text[this.#position] === character;
  }

  isAtNumber(): boolean {
    this.#skipSpace();
    return this.#position < this.#text.length && isNumberCharacter(this.#text.charCodeAt(this.#position));
  }

  /** Consumes the character if it is next. */
  takeIf(character: string): boolean {
    if (!this.isAt(character)) return false;
    this.#position++;
    return true;
  }

  /** Consumes the character or notes a problem. */
  take(character: string, expected = `"${character}"`): boolean {
    return this.takeIf(character) || this.refuseHere(expected);
  }

  /** The word at the cursor in capitals, not consumed; empty if there is none or it is too long. */
  peekWord(): string {
    this.#skipSpace();
    const start = this.#position;
    let end = start;
    while (end - start <= maxWordCharacters && isLetter(this.#text.charCodeAt(end))) end++;
    return end - start > maxWordCharacters ? '' : this.#text.slice(start, end).toUpperCase();
  }

  /** Skips the word that `peekWord` returned. */
  skipWord(word: string): void {
    this.#skipSpace();
    this.#position += word.length;
  }

  /** A finite number, or null with the problem noted. */
  takeNumber(expected: string): number | null {
    this.#skipSpace();
    const start = this.#position;
    let end = start;
    while (end - start <= maxNumberCharacters && isNumberCharacter(this.#text.charCodeAt(end))) end++;
    if (end - start > maxNumberCharacters) {
      this.refuseHere(`${expected} of at most ${maxNumberCharacters} characters`);
      return null;
    }
    const text = this.#text.slice(start, end);
    const value = numberPattern.test(text) ? Number(text) : Number.NaN;
    if (!Number.isFinite(value)) {
      this.refuseHere(`${expected} (a finite number)`);
      return null;
    }
    this.#position = end;
    return value;
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#position))) this.#position++;
  }
}
