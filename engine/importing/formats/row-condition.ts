/**
 * A condition on the rows of a file, in the words of SQL: `TYPE = 'Taxlot' AND ACRES > 0.5`. Rows that do not meet it are
 * passed over, by every reader and before anything is guessed from them.
 */
import { EngineError } from '../../spec/errors.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import { nearNames, shown } from '../../spec/validate.ts';
import type { ParcelFeature } from './parcel-feature.ts';
import type { ParcelLayer, ParcelSource } from './parcel-source.ts';

type Row = ParcelFeature['properties'];
type Cell = string | number | boolean | null;
/** Null as in SQL: an empty cell neither meets a comparison nor fails it, so that `NOT` leaves it out too. */
type Test = (row: Row) => boolean | null;

interface Condition {
  readonly columns: ReadonlySet<string>;
  readonly test: Test;
}

const token =
  /\s*(?:('(?:[^']|'')*')|("(?:[^"]|"")*")|(-?\d+(?:\.\d+)?(?![\w.]))|([\p{L}_$][\p{L}\p{N}_$.]*)|(<=|>=|<>|!=|[=<>(),]))/uy;
const words = new Set(['AND', 'OR', 'NOT', 'IN', 'IS', 'NULL', 'LIKE']);
const maxLength = 1000;
const maxDepth = 20;
const expected =
  "a condition like \"TYPE = 'Taxlot'\", with =, <>, <, <=, >, >=, IN (…), LIKE 'A%', IS NULL, AND, OR, NOT and brackets, columns by their names and texts in single quotes";

interface Token {
  readonly kind: 'text' | 'name' | 'number' | 'word' | 'sign';
  readonly value: string;
  readonly at: number;
}

/** @throws EngineError validation_error */
export function parseCondition(text: string): Condition {
  return new ConditionParser(text).parse();
}

class ConditionParser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #columns = new Set<string>();
  #next = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  parse(): Condition {
    const test = this.#either();
    if (this.#tokens[this.#next]) throw this.#wrong();
    return { columns: this.#columns, test };
  }

  #either(): Test {
    const tests = [this.#both()];
    while (this.#takes('OR')) tests.push(this.#both());
    return decidedBy(true, tests);
  }

  #both(): Test {
    const tests = [this.#one()];
    while (this.#takes('AND')) tests.push(this.#one());
    return decidedBy(false, tests);
  }

  #one(): Test {
    if (++this.#depth > maxDepth) throw refusal(this.#text, `more than ${maxDepth} brackets and NOTs`);
    try {
      if (this.#takes('NOT')) return not(this.#one());
      if (!this.#takes('(')) return this.#comparison();
      const test = this.#either();
      if (!this.#takes(')')) throw this.#wrong();
      return test;
    } finally {
      this.#depth--;
    }
  }

  #comparison(): Test {
    const name = this.#tokens[this.#next++];
    if (name?.kind !== 'name') throw this.#wrong(1);
    this.#columns.add(name.value);
    const cell = (row: Row): Cell => cellOf(row[name.value]);
    if (this.#takes('IS')) {
      const isNot = this.#takes('NOT');
      if (!this.#takes('NULL')) throw this.#wrong();
      return (row) => (cell(row) === null) !== isNot;
    }
    const turn = this.#takes('NOT') ? not : (test: Test) => test;
    if (this.#takes('IN')) return turn(this.#list(cell));
    if (this.#takes('LIKE')) return turn(like(cell, this.#literal()));
    const sign = this.#tokens[this.#next++];
    const compare = turn === not ? undefined : comparisons[sign?.value ?? ''];
    if (!compare) throw this.#wrong(1);
    const literal = this.#literal();
    return (row) => {
      const order = compared(cell(row), literal);
      return order === null ? null : compare(order);
    };
  }

  #list(cell: (row: Row) => Cell): Test {
    if (!this.#takes('(')) throw this.#wrong();
    const literals = [this.#literal()];
    while (this.#takes(',')) literals.push(this.#literal());
    if (!this.#takes(')')) throw this.#wrong();
    return (row) => {
      const value = cell(row);
      return value === null ? null : literals.some((literal) => compared(value, literal) === 0);
    };
  }

  #literal(): string | number {
    const next = this.#tokens[this.#next++];
    if (next?.kind === 'text') return next.value;
    if (next?.kind === 'number') return Number(next.value);
    throw this.#wrong(1);
  }

  #takes(value: string): boolean {
    const next = this.#tokens[this.#next];
    if (next?.value !== value || (next.kind !== 'word' && next.kind !== 'sign')) return false;
    this.#next++;
    return true;
  }

  #wrong(back = 0): EngineError {
    const found = this.#tokens[this.#next - back];
    return refusal(this.#text, found ? `${JSON.stringify(this.#text.slice(found.at, found.at + 30))}` : 'its end');
  }
}

const refusal = (text: string, found: string): EngineError => {
  const message = `expected ${expected}; found ${found} in ${shown(text)}.`;
  return new EngineError('validation_error', `where: ${message}`, { details: { where: [message] } });
};

function tokensOf(text: string): Token[] {
  if (text.length > maxLength) throw refusal(text.slice(0, 100), `more than ${maxLength} characters`);
  const found: Token[] = [];
  for (let at = 0; text.slice(at).trim() !== ''; at = token.lastIndex) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (!match) throw refusal(text, JSON.stringify(text.slice(at).trim().slice(0, 30)));
    found.push({ ...kindOf(match), at: at + match[0].length - match[0].trimStart().length });
  }
  return found;
}

function kindOf([, single, double, number, word, sign = '']: RegExpExecArray): Omit<Token, 'at'> {
  if (single !== undefined) return { kind: 'text', value: single.slice(1, -1).replaceAll("''", "'") };
  if (double !== undefined) return { kind: 'name', value: double.slice(1, -1).replaceAll('""', '"') };
  if (number !== undefined) return { kind: 'number', value: number };
  if (word === undefined) return { kind: 'sign', value: sign };
  const upper = word.toUpperCase();
  return words.has(upper) ? { kind: 'word', value: upper } : { kind: 'name', value: word };
}

/** The answer that decides if any test gives it; without it the others decide, and null leaves it open. */
const decidedBy =
  (deciding: boolean, tests: readonly Test[]): Test =>
  (row) => {
    const found = tests.map((test) => test(row));
    return found.includes(deciding) ? deciding : found.includes(null) ? null : !deciding;
  };

const not =
  (test: Test): Test =>
  (row) => {
    const found = test(row);
    return found === null ? null : !found;
  };

/** DBF fills texts up with blanks: a cell of blanks alone is empty. */
function cellOf(cell: unknown): Cell {
  if (typeof cell === 'number' || typeof cell === 'boolean') return cell;
  if (typeof cell === 'bigint') return Number(cell);
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  const text = typeof cell === 'string' ? cell.trim() : '';
  return text === '' ? null : text;
}

/** Below 0, 0, above 0; null if they cannot be compared: a number is compared with numbers, and with texts that are one. */
function compared(value: Cell, literal: string | number): number | null {
  if (value === null) return null;
  const [number, other, text] = [Number(value), Number(literal), String(literal).trim()];
  if (typeof literal === 'number' || (typeof value === 'number' && text !== '' && !Number.isNaN(other)))
    return Number.isNaN(number) ? null : number - other;
  return String(value) === text ? 0 : String(value) < text ? -1 : 1;
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** `%` is any text, `_` any sign, case is ignored. Without regular expressions: a pattern must not be able to hang. */
function like(cell: (row: Row) => Cell, literal: string | number): Test {
  const pattern = [...foldSpaces(String(literal))];
  return (row) => {
    const value = cell(row);
    return value === null ? null : isLike([...foldSpaces(String(value))], pattern);
  };
}

function isLike(text: readonly string[], pattern: readonly string[]): boolean {
  let [at, next, star, retry] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[next] === '%') [star, retry, next] = [next, at, next + 1];
    else if (pattern[next] === '_' || pattern[next] === text[at]) [at, next] = [at + 1, next + 1];
    else if (star >= 0) [retry, at, next] = [retry + 1, retry + 1, star + 1];
    else return false;
  }
  while (pattern[next] === '%') next++;
  return next === pattern.length;
}

const shownValues = 5;

interface Given {
  readonly filePath: string;
  readonly text: string;
  /** Only the first rows are read: that none of them meets it says nothing. */
  readonly isSample: boolean;
}

type LayerCondition = Given & Condition;

/** The source with the rows that meet the condition alone. @throws EngineError validation_error */
export function withCondition(given: Given, open: () => ParcelSource): ParcelSource {
  const condition = { ...given, ...parseCondition(given.text) };
  const source = open();
  return {
    layerNames: source.layerNames,
    openLayer: (name) => conditioned(source.openLayer(name), condition),
    close: () => source.close(),
  };
}

function conditioned(layer: ParcelLayer, condition: LayerCondition): ParcelLayer {
  const { test } = condition;
  if (layer.columns)
    expectColumns(
      layer.columns.map(({ name }) => name),
      condition,
    );
  let passedOver = 0;
  return {
    ...layer,
    rowCount: null,
    leftByCondition: () => ({ rows: passedOver, where: condition.text }),
    *features() {
      const seen = new Seen(condition, layer.columns !== null);
      for (const feature of layer.features()) {
        // A row that cannot be read is refused with its place, whatever it holds.
        const isTaken = feature.problem !== undefined || test(feature.properties) === true;
        seen.note(feature.properties, isTaken);
        if (isTaken) yield feature;
        else passedOver++;
      }
      if (!condition.isSample) seen.expectRows();
    },
  };
}

/** What a refusal says: the columns of the rows, and values of those that were passed over. */
class Seen {
  readonly #condition: LayerCondition;
  readonly #values: ReadonlyMap<string, Set<string>>;
  /** Columns that no row has had so far, in a file that does not list its own. */
  readonly #unmet: Set<string>;
  #names: readonly string[] = [];
  #taken = false;
  #left = false;

  constructor(condition: LayerCondition, isListed: boolean) {
    this.#condition = condition;
    this.#values = new Map([...condition.columns].map((name) => [name, new Set<string>()]));
    this.#unmet = new Set(isListed ? [] : condition.columns);
  }

  note(row: Row, isTaken: boolean): void {
    if (this.#names.length === 0) this.#names = Object.keys(row);
    for (const name of this.#unmet) if (Object.hasOwn(row, name)) this.#unmet.delete(name);
    this.#taken ||= isTaken;
    this.#left ||= !isTaken;
    if (!isTaken)
      for (const [name, values] of this.#values)
        if (values.size < shownValues && row[name] !== undefined) values.add(shown(row[name]).slice(0, 40));
  }

  /** @throws EngineError import_refused for a column that no row has, and if no row meets the condition */
  expectRows(): void {
    // Rows that could not be read have no columns.
    if (this.#names.length === 0 && !this.#left) return;
    expectColumns(this.#names, { ...this.#condition, columns: this.#unmet });
    if (this.#taken || !this.#left) return;
    const { filePath, text } = this.#condition;
    const found = [...this.#values].map(([name, values]) => `${name}: ${[...values].join(', ')}`).join('; ');
    throw new EngineError(
      'import_refused',
      `${filePath}: no row meets the condition ${shown(text)}. The file has ${found || 'no value there'}.`,
    );
  }
}

function expectColumns(names: readonly string[], { filePath, columns, text }: LayerCondition): void {
  for (const name of columns) {
    if (names.includes(name)) continue;
    const sameButCase = names.find((known) => known.toLowerCase() === name.toLowerCase());
    const near = sameButCase ? [sameButCase] : nearNames(name, names);
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `It has ${names.slice(0, 12).join(', ')}.`;
    throw new EngineError(
      'import_refused',
      `${filePath}: the condition ${shown(text)} names the column ${name}, which the file lacks; ${hint}`,
    );
  }
}
