/** XML as elements: those that hold a file's items open and close, everything in them comes as a whole, one after the other. */
import { decodeXmlText, type XmlKind, XmlScanner } from './xml-scanner.ts';

export interface XmlElement {
  /** Without its namespace. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Trimmed; what stands between its children is part of it. */
  readonly text: string;
}

export type XmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: XmlElement['attributes'] }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'item'; readonly element: XmlElement; readonly parent: string };

interface Growing {
  name: string;
  attributes: XmlElement['attributes'];
  children: Growing[];
  text: string;
}

const maxDepth = 100;
/** Of one item: an element takes a hundred bytes, and may be written in four. */
const maxElements = 600_000;
const noChildren: Growing[] = [];

/**
 * @param containers names of the elements that only hold others
 * @throws EngineError import_refused for damaged XML, and for any document type
 */
export function* xmlEvents(filePath: string, kind: XmlKind, containers: ReadonlySet<string>): Generator<XmlEvent> {
  const xml = new XmlScanner(filePath, kind);
  const reading = new ElementReading(xml, containers);
  try {
    for (let token = xml.next(); token !== 'end'; token = xml.next()) {
      const opened = token === 'open' ? reading.open() : null;
      const closed = token === 'close' || xml.isEmpty ? reading.close() : null;
      xml.release();
      if (opened) yield opened;
      if (closed) yield closed;
    }
    reading.expectEnd();
  } finally {
    xml.close();
  }
}

/** Null: the tag is in an item that is still open. */
class ElementReading {
  readonly #xml: XmlScanner;
  readonly #containers: ReadonlySet<string>;
  /** Containers that are open, then the elements of an item. */
  readonly #open: string[] = [];
  readonly #item: Growing[] = [];
  #elements = 0;
  #hasRoot = false;

  constructor(xml: XmlScanner, containers: ReadonlySet<string>) {
    this.#xml = xml;
    this.#containers = containers;
  }

  open(): XmlEvent | null {
    const { name } = this.#xml;
    const parent = this.#takeText();
    if (this.#open.length === maxDepth) throw this.#xml.refusal(`more than ${maxDepth} elements in one another`);
    if (this.#open.length === 0 && this.#hasRoot) throw this.#xml.refusal(`a second root element, <${name}>`);
    this.#hasRoot = true;
    this.#open.push(name);
    const attributes = this.#xml.attributes();
    if (!parent && this.#containers.has(name)) return { kind: 'open', name, attributes };
    if (++this.#elements > maxElements) throw this.#xml.refusal(`more than ${maxElements} elements in one`);
    const element: Growing = { name, attributes, children: noChildren, text: '' };
    if (parent?.children === noChildren) parent.children = [element];
    else parent?.children.push(element);
    this.#item.push(element);
    return null;
  }

  close(): XmlEvent | null {
    const { name, isEmpty } = this.#xml;
    if (!isEmpty) this.#takeText();
    const opened = this.#open.pop();
    if (opened !== name) throw this.#xml.refusal(`expected </${opened ?? ''}>, found </${name}>`);
    const element = this.#item.pop();
    if (!element) return { kind: 'close', name };
    element.text = element.text.trim();
    if (this.#item.length > 0) return null;
    this.#elements = 0;
    return { kind: 'item', element, parent: this.#open.at(-1) ?? '' };
  }

  expectEnd(): void {
    if (this.#open.length === 0) return;
    throw this.#xml.refusal(`the file ends before </${this.#open.at(-1)}>: it was cut off`);
  }

  #takeText(): Growing | undefined {
    const element = this.#item.at(-1);
    if (element && this.#xml.before !== '') element.text += decodeXmlText(this.#xml.before);
    return element;
  }
}

export const childOf = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name);

export const childText = (element: XmlElement, name: string): string => childOf(element, name)?.text ?? '';

/** Every element below, with a text of its own, but not those in `used` nor what they hold: names and texts. */
export function* leafTexts({ children }: XmlElement, used: ReadonlySet<string>): Generator<readonly [string, string]> {
  for (const child of children) {
    if (used.has(child.name)) continue;
    yield* ownTexts(child);
    yield* leafTexts(child, used);
  }
}

/** `<Data name="depth">` and `<tag k="depth">` are about depth. */
function* ownTexts({ name: element, attributes, text }: XmlElement): Generator<readonly [string, string]> {
  const { name, k = name, ...more } = attributes;
  const label = k === undefined ? element : `${element} ${k}`;
  if (text !== '') yield [label, text];
  for (const [attribute, value] of Object.entries(more))
    if (!attribute.startsWith('xmlns')) yield [k === undefined ? `${element} ${attribute}` : label, value];
}
