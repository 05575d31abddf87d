/** Compiles a mapping's expressions into closures, once: they run for every column of every parcel. */
import { isTableName } from '../../spec/table-names.ts';
import { parseNumber, splitNulls, textOf } from '../values/convert-value.ts';
import { foldUnit, splitUnit } from '../values/unit-text.ts';
import { partOfLines } from './address-lines.ts';
import type { Expression, ExpressionObject } from './mapping-schema.ts';

/** The input of a closure. One object for a whole import, refilled for every parcel. */
export interface MappingRow {
  properties: Readonly<Record<string, unknown>>;
  id: unknown;
  /** Values of the joined rows, in the order of `ColumnBinder.tableColumns`; null without one. */
  table: readonly (string | null)[] | null;
}

export type Source = (row: MappingRow) => unknown;

/** A column of the parcel file, with its key there, which the first features reveal. */
interface ColumnSlot {
  readonly name: string;
  key: string;
  isSeen: boolean;
}

/** Columns that expressions name, and which of them must occur in the files. */
export class ColumnBinder {
  readonly slots: ColumnSlot[] = [];
  /** Columns of joined tables, with the prefix of their table. */
  readonly tableColumns: string[] = [];
  /** At least one column of each group must occur; a group is one `from`. */
  readonly groups: ColumnSlot[][] = [];

  slot(name: string): ColumnSlot {
    const known = this.slots.find((slot) => slot.name === name);
    if (known) return known;
    const made = { name, key: name, isSeen: false };
    this.slots.push(made);
    return made;
  }

  tablePosition(name: string): number {
    const known = this.tableColumns.indexOf(name);
    return known === -1 ? this.tableColumns.push(name) - 1 : known;
  }
}

const inheritedNames = new Set(Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase()));

function columnSource(name: string, binder: ColumnBinder): { source: Source; slot: ColumnSlot | null } {
  if (name === '$id') return { source: (row) => row.id, slot: null };
  if (isTableName(name)) {
    const position = binder.tablePosition(name);
    return { source: (row) => row.table?.[position], slot: null };
  }
  const slot = binder.slot(name);
  // A column may be called `constructor`: inherited properties are not values of the file.
  const isInherited = inheritedNames.has(name.toLowerCase());
  const read: Source = isInherited
    ? ({ properties }) => (Object.hasOwn(properties, slot.key) ? properties[slot.key] : undefined)
    : ({ properties }) => properties[slot.key];
  return { source: read, slot };
}

/**
 * @param isWithin part of another expression; for a whole one, the conversion to the column's type detects empty values
 * @returns a closure; it yields text once it has a step, else the file's own value
 */
export function compileExpression(expression: Expression, binder: ColumnBinder, isWithin = false): Source {
  if (typeof expression === 'string') return compileAlternatives([expression], binder);
  const source = compileSource(expression, binder);
  const steps = stepsOf(expression, isWithin);
  const stepped: Source =
    steps.length === 0
      ? source
      : (row) => {
          let value: unknown = source(row);
          for (const step of steps) {
            const text = textOf(value);
            if (text === null) return null;
            value = step(text);
          }
          return value;
        };
  return expression.scaleBy ? unitSource(stepped, expression.scaleBy, binder) : stepped;
}

/**
 * A number times the factor of its row's unit; units are compared as unit-text.ts folds them. A number with an unlisted
 * or missing unit is passed on with it as text, for the conversion to report: it must not pass for another unit's.
 */
function unitSource(
  source: Source,
  { unit, factors }: NonNullable<ExpressionObject['scaleBy']>,
  binder: ColumnBinder,
): Source {
  const unitOf = unit === undefined ? null : compileExpression(unit, binder);
  const factorOf = new Map(Object.entries(factors).map(([name, factor]) => [foldUnit(name), factor]));
  return (row) => {
    const text = textOf(source(row));
    if (text === null) return null;
    const [size, ownUnit] = unitOf ? [text, null] : splitUnit(text);
    const number = parseNumber(size);
    if (Number.isNaN(number)) return text;
    const named = unitOf ? textOf(unitOf(row)) : ownUnit;
    const factor = named === null ? undefined : factorOf.get(foldUnit(named));
    if (factor !== undefined) return number * factor;
    return number === 0 ? 0 : `${size} ${named ?? '(no unit)'}`;
  };
}

function compileSource(expression: ExpressionObject, binder: ColumnBinder): Source {
  const { from, constant, concat, sum, minus = [], separator = '', lines, part = 'street' } = expression;
  const all = (parts: readonly Expression[]) => parts.map((part) => compileExpression(part, binder, true));
  if (constant !== undefined) return () => constant;
  if (concat) return concatSource(all(concat), separator);
  if (sum) return sumSource(all(sum), all(minus));
  if (lines) {
    const read = all(lines);
    return (row) =>
      partOfLines(
        read.map((line) => textOf(line(row))).filter((text) => text !== null),
        part,
      );
  }
  return compileAlternatives(Array.isArray(from) ? from : [from as Expression], binder);
}

/** The first that is not empty. */
function compileAlternatives(parts: readonly Expression[], binder: ColumnBinder): Source {
  const slots: ColumnSlot[] = [];
  let mayLackColumns = false;
  const compiled = parts.map((part) => {
    const { source, slot } =
      typeof part === 'string'
        ? columnSource(part, binder)
        : { source: compileExpression(part, binder, true), slot: null };
    if (slot) slots.push(slot);
    else mayLackColumns = true;
    return source;
  });
  if (!mayLackColumns && slots.length > 0) binder.groups.push(slots);
  const [only] = compiled;
  if (compiled.length === 1 && only) return only;
  return (row) => {
    for (const source of compiled) {
      const value = source(row);
      if (textOf(value) !== null) return value;
    }
    return null;
  };
}

function concatSource(parts: readonly Source[], separator: string): Source {
  return (row) => {
    let joined: string | null = null;
    for (const part of parts) {
      const text = textOf(part(row));
      if (text !== null) joined = joined === null ? text : joined + separator + text;
    }
    return joined;
  };
}

/** Null if all summands are missing. A text that is not a number is passed on, for the conversion to report. */
function sumSource(plus: readonly Source[], minus: readonly Source[]): Source {
  return (row) => {
    let total: number | null = null;
    for (const [index, part] of [...plus, ...minus].entries()) {
      const text = textOf(part(row));
      if (text === null) continue;
      const number = parseNumber(text);
      if (Number.isNaN(number)) return text;
      const isMinus = index >= plus.length;
      if (!isMinus) total = (total ?? 0) + number;
      else if (total !== null) total -= number;
    }
    return total;
  };
}

type Step = (text: string) => unknown;

/** Always in this order, whatever the order in the file; nested `from` gives another order. */
function stepsOf(expression: ExpressionObject, isWithin: boolean): Step[] {
  const { nullIf, split, slice, words, lettersAndDigits, digits, wholeNumber, apnGroups, pad, map, otherwise } =
    expression;
  const { decimalComma } = expression;
  const steps: Step[] = [];
  if (split) steps.push((text) => text.split(split.separator).at(split.index));
  if (slice) steps.push((text) => text.slice(slice[0], slice[1]));
  if (words) steps.push((text) => text.split(/\s+/).slice(words[0], words[1]).join(' '));
  if (decimalComma) steps.push(withDecimalPoint);
  if (wholeNumber) steps.push(withoutZeroFraction);
  if (lettersAndDigits) steps.push(withoutSeparators);
  if (digits) steps.push((text) => text.replace(/\D/g, ''));
  if (apnGroups) steps.push((text) => groupApn(text, apnGroups));
  if (pad) steps.push((text) => text.padStart(pad.length, pad.with));
  if (map) steps.push(mapStep(map, otherwise));
  if (nullIf && (isWithin || steps.length > 0)) {
    const { texts, numbers } = splitNulls(nullIf);
    steps.unshift((text) =>
      texts.has(text) || (numbers.length > 0 && numbers.includes(parseNumber(text))) ? null : text,
    );
  }
  return steps;
}

/** Looks up codes as written, then as numbers: `1.00000` is the code 1. Unlisted codes stay as they are. */
function mapStep(map: NonNullable<ExpressionObject['map']>, otherwise: ExpressionObject['otherwise']): Step {
  const codes = new Map(Object.entries(map));
  return (text) => {
    const found = codes.get(text);
    if (found !== undefined) return found;
    const number = parseNumber(text);
    const byNumber = Number.isNaN(number) ? undefined : codes.get(String(number));
    if (byNumber !== undefined) return byNumber;
    return otherwise === undefined ? text : otherwise;
  };
}

/** `1.234,5` → `1234.5` */
export const withDecimalPoint = (text: string): string => text.replace(/[.\s]/g, '').replace(',', '.');

/** `60059.0` → `60059` */
export const withoutZeroFraction = (text: string): string => (/^\d+\.0$/.test(text) ? text.slice(0, -2) : text);

/** `012-201 A` → `012201A` */
export const withoutSeparators = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * `000012000151000000` in groups of six → `12-151`: removes leading zeros of each group; groups of zeros are dropped at
 * the end, and become `0` elsewhere. A text that does not divide into groups stays as it is.
 */
export function groupApn(text: string, options: NonNullable<ExpressionObject['apnGroups']>): string {
  const groups: string[] = [];
  const { size, by } = options;
  if (by !== undefined) groups.push(...text.split(by));
  else if (size !== undefined) {
    if (text.length % size !== 0) return text;
    for (let at = 0; at < text.length; at += size) groups.push(text.slice(at, at + size));
  }
  const bare = groups.map((group) => {
    let zeros = 0;
    while (zeros < group.length && group[zeros] === '0') zeros++;
    return group.slice(zeros);
  });
  if (options.dropTrailingZeroGroups) while (bare.length > 1 && bare.at(-1) === '') bare.pop();
  return bare.map((group) => group || '0').join(options.separator);
}
