/**
 * The meaning of a column's codes. Codes 1, 2, … rise with the values, so a range of values is a range of codes and
 * predicates never decode; code 0 is a value the county did not publish.
 */
import { compareUtf8, TextTable } from './text-table.ts';

/** Bytes of one code. */
export type CodeWidth = 1 | 2 | 4;

/** How codes map to values, as stored in a county's directory. */
export type ScaleEntry =
  /** code c = the c-th of the distinct numbers kept in a segment */
  | { readonly type: 'numbers'; readonly count: number }
  /** code c = (least + c − 1) ÷ divisor: money, acres with two decimals; stores nothing */
  | { readonly type: 'linear'; readonly count: number; readonly least: number; readonly divisor: number }
  /** code c = the c-th of the distinct texts kept in a segment */
  | { readonly type: 'texts'; readonly count: number };

/** A range of codes, both ends included; empty if low is above high. */
export interface CodeRange {
  readonly low: number;
  readonly high: number;
}

/** A column's values by code. */
export interface Scale {
  readonly count: number;
  /**
   * One more than the number of codes whose values are below `value`: the first code whose value is `value` or more.
   */
  firstAtLeast(value: number | string): number;
  /** The first code whose value is above `value`. */
  firstAbove(value: number | string): number;
  value(code: number): number | string;
}

/** First index of 0 … count at which `isFound` holds; it must stay true from there on. */
function firstIndex(count: number, isFound: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isFound(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function numberScale(values: Float64Array): Scale {
  return {
    count: values.length,
    firstAtLeast: (value) => firstNumber(values, value as number, true) + 1,
    firstAbove: (value) => firstNumber(values, value as number, false) + 1,
    value: (code) => values[code - 1] as number,
  };
}

/** `firstIndex` without a call for each look: eighteen counties look 1,200 times. */
function firstNumber(values: Float64Array, value: number, mayBeEqual: boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = values[middle] as number;
    if (found > value || (mayBeEqual && found === value)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Compares real values instead of dividing the bound: 0.1 × 10 need not be 1. */
export function linearScale({ count, least, divisor }: Extract<ScaleEntry, { type: 'linear' }>): Scale {
  const at = (index: number) => (least + index) / divisor;
  return {
    count,
    firstAtLeast: (value) => firstIndex(count, (index) => at(index) >= (value as number)) + 1,
    firstAbove: (value) => firstIndex(count, (index) => at(index) > (value as number)) + 1,
    value: (code) => at(code - 1),
  };
}

/** What a list of texts finds among those of a scale. */
interface FoundTexts {
  readonly values: readonly string[];
  readonly codes: readonly number[];
  /** Positions in the list of values that no text equals. */
  readonly absent: readonly number[];
}

const asWritten = (text: string): string => text;

/** Texts, with a look-up by folded form that is built on first use. */
export class TextScale implements Scale {
  readonly table: TextTable;
  readonly #folded = new Map<(text: string) => string, Map<string, number[]>>();
  #lastFound: FoundTexts | null = null;

  constructor(packed: Uint8Array) {
    this.table = new TextTable(packed);
  }

  get count(): number {
    return this.table.count;
  }

  firstAtLeast(value: number | string): number {
    return firstIndex(this.count, (index) => compareUtf8(this.table.text(index), String(value)) >= 0) + 1;
  }

  firstAbove(value: number | string): number {
    return firstIndex(this.count, (index) => compareUtf8(this.table.text(index), String(value)) > 0) + 1;
  }

  value(code: number): string {
    return this.table.text(code - 1);
  }

  /** The texts that equal one of `values` after folding; found once for one list. @param values already folded */
  find(values: readonly string[], fold: ((text: string) => string) | null): FoundTexts {
    if (this.#lastFound?.values !== values) this.#lastFound = this.#find(values, fold);
    return this.#lastFound;
  }

  #find(values: readonly string[], fold: ((text: string) => string) | null): FoundTexts {
    const codes: number[] = [];
    const absent: number[] = [];
    const lookUp = this.#lookUp(values, fold);
    for (const [at, value] of values.entries()) {
      const found = lookUp(value);
      if (found === undefined || found === 0) absent.push(at);
      else if (typeof found === 'number') codes.push(found);
      else codes.push(...found);
    }
    return { values, codes, absent };
  }

  #lookUp(
    values: readonly string[],
    fold: ((text: string) => string) | null,
  ): (value: string) => readonly number[] | number | undefined {
    // A look-up of all texts pays once a list is long beside them, as ZIP codes of a county are.
    if (fold === null && values.length * 8 < this.count) return (value) => this.table.find(value) + 1;
    const known = this.#folded.get(fold ?? asWritten) ?? this.#foldAll(fold ?? asWritten);
    return (value) => known.get(value);
  }

  #foldAll(fold: (text: string) => string): Map<string, number[]> {
    const codes = new Map<string, number[]>();
    for (let index = 0; index < this.count; index++) {
      const text = fold(this.table.text(index));
      const same = codes.get(text);
      if (same) same.push(index + 1);
      else codes.set(text, [index + 1]);
    }
    this.#folded.set(fold, codes);
    return codes;
  }
}
