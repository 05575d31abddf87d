/**
 * Parses the text of a coordinate reference system (WKT 1 of OGC and of Esri, WKT 2) into a tree: `NAME["text", 1.5,
 * CHILD[…]]`. Texts come from files of unknown origin: one pass, limits on length and depth.
 */

export interface WktNode {
  readonly keyword: string;
  /** Quoted texts, words and numbers, in order. */
  readonly values: readonly (string | number)[];
  readonly children: readonly WktNode[];
}

const maxCharacters = 64 * 1024;
const maxDepth = 32;
const token =
  /\s*(?:"((?:[^"]|"")*)"|([A-Za-z_][A-Za-z0-9_]*)|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([[\](),]))/y;

class Cursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): RegExpExecArray | null {
    token.lastIndex = this.#at;
    const match = token.exec(this.#text);
    if (match) this.#at = token.lastIndex;
    return match;
  }

  isAt(brackets: string): boolean {
    token.lastIndex = this.#at;
    const mark = token.exec(this.#text)?.[4];
    return mark !== undefined && brackets.includes(mark);
  }
}

/** The root of the tree; null if the text is not WKT. */
export function parseWktTree(text: string): WktNode | null {
  if (text.length > maxCharacters) return null;
  const cursor = new Cursor(text);
  const keyword = cursor.next()?.[2];
  return keyword === undefined ? null : parseNode(cursor, keyword.toUpperCase(), 0);
}

interface OpenNode {
  readonly keyword: string;
  readonly values: (string | number)[];
  readonly children: WktNode[];
}

/** Parses what follows the keyword: the bracket, its content, and the closing bracket. */
function parseNode(cursor: Cursor, keyword: string, depth: number): WktNode | null {
  if (depth > maxDepth || !cursor.isAt('[(')) return null;
  const node: OpenNode = { keyword, values: [], children: [] };
  let mark = cursor.next()?.[4];
  while (mark !== ']' && mark !== ')') {
    if (!parseItem(cursor, node, depth)) return null;
    mark = cursor.next()?.[4];
    if (mark === undefined) return null;
  }
  return node;
}

function parseItem(cursor: Cursor, { values, children }: OpenNode, depth: number): boolean {
  const [, quoted, word, number] = cursor.next() ?? [];
  if (quoted !== undefined) values.push(quoted.replaceAll('""', '"'));
  else if (number !== undefined) values.push(Number(number));
  else if (word === undefined) return false;
  else if (cursor.isAt('[(')) {
    const child = parseNode(cursor, word.toUpperCase(), depth + 1);
    if (child === null) return false;
    children.push(child);
  } else values.push(word);
  return true;
}

export const findChild = (node: WktNode, ...keywords: string[]): WktNode | undefined =>
  node.children.find((child) => keywords.includes(child.keyword));

export const textOfNode = (node: WktNode | undefined): string =>
  node && typeof node.values[0] === 'string' ? node.values[0] : '';
