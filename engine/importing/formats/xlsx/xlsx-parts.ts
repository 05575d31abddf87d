/** The parts of an XLSX file (ECMA-376) around its sheets: the list of sheets, shared texts, number formats. */
import { EngineError } from '../../../spec/errors.ts';
import { decodeXmlText, withoutSections, XmlScanner } from '../xml/xml-scanner.ts';
import { type Unpacked, unpackZip } from '../zip/zip-archive.ts';
import { formOf, type NumberForm, plainForm } from './xlsx-values.ts';

export interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly path: string }[];
  readonly texts: SharedTexts;
  /** By cell style number. */
  readonly forms: readonly NumberForm[];
  readonly startsIn1904: boolean;
  /** The error, naming the part of the workbook instead of its unpacked path. */
  relabel(error: unknown): unknown;
  close(): void;
}

const parts =
  '^xl/(?:workbook\\.xml|sharedStrings\\.xml|styles\\.xml|_rels/workbook\\.xml\\.rels|worksheets/[^/]+\\.xml)$';

/** @throws EngineError import_refused; leaves no temporary files */
export function openWorkbook(filePath: string): Workbook {
  const unpacked = unpackZip(filePath, parts);
  try {
    return readWorkbook(filePath, unpacked);
  } catch (error) {
    unpacked.close();
    throw relabelled(error, filePath, unpacked);
  }
}

function relabelled(error: unknown, filePath: string, { members }: Pick<Unpacked, 'members'>): unknown {
  if (!(error instanceof EngineError)) return error;
  let { message } = error;
  for (const { path, name } of members.toSorted((a, b) => b.path.length - a.path.length)) {
    message = message.replaceAll(path, `${filePath} (${name})`);
  }
  return new EngineError(error.code, message, { cause: error });
}

function readWorkbook(filePath: string, unpacked: Unpacked): Workbook {
  const { members, close } = unpacked;
  const find = (name: string): string | null => members.find((member) => member.name === `xl/${name}`)?.path ?? null;
  const workbook = find('workbook.xml');
  const links = find('_rels/workbook.xml.rels');
  if (workbook === null || links === null) {
    throw new EngineError(
      'import_refused',
      `${filePath}: expected a table (CSV, DBF or XLSX), found a zip archive that is not an XLSX workbook.`,
    );
  }
  const targets = readLinks(links);
  const { sheets, startsIn1904 } = readSheets(workbook);
  const found = sheets.flatMap(({ name, id }) => {
    const path = find((targets.get(id) ?? '').replace(/^\/?xl\//, ''));
    return path === null ? [] : [{ name, path }];
  });
  if (found.length === 0)
    throw new EngineError('import_refused', `${filePath}: expected a workbook with a sheet, found none.`);
  const styles = find('styles.xml');
  const shared = new SharedTexts(find('sharedStrings.xml'));
  return {
    sheets: found,
    texts: shared,
    forms: styles === null ? [] : readForms(styles),
    startsIn1904,
    relabel: (error) => relabelled(error, filePath, unpacked),
    close() {
      shared.close();
      close();
    },
  };
}

/** Calls `visit` for every opening tag; releases what is behind. */
function eachOpen(filePath: string, visit: (xml: XmlScanner) => void): void {
  const xml = new XmlScanner(filePath);
  try {
    for (let token = xml.next(); token !== 'end'; token = xml.next()) {
      if (token === 'open') visit(xml);
      xml.release();
    }
  } finally {
    xml.close();
  }
}

function readLinks(filePath: string): Map<string, string> {
  const targets = new Map<string, string>();
  eachOpen(filePath, (xml) => {
    if (xml.name === 'Relationship') targets.set(xml.attribute('Id') ?? '', xml.attribute('Target') ?? '');
  });
  return targets;
}

/** Hidden sheets hold lists and notes. */
function readSheets(filePath: string): { sheets: { name: string; id: string }[]; startsIn1904: boolean } {
  const sheets: { name: string; id: string }[] = [];
  let startsIn1904 = false;
  eachOpen(filePath, (xml) => {
    if (xml.name === 'workbookPr') startsIn1904 = /^(?:1|true)$/.test(xml.attribute('date1904') ?? '');
    if (xml.name !== 'sheet' || (xml.attribute('state') ?? 'visible') !== 'visible') return;
    sheets.push({ name: xml.attribute('name') ?? '', id: xml.attribute('r:id') ?? xml.attribute('id') ?? '' });
  });
  return { sheets, startsIn1904 };
}

function readForms(filePath: string): NumberForm[] {
  const codes = new Map<number, string>();
  const forms: NumberForm[] = [];
  let isInCells = false;
  eachOpen(filePath, (xml) => {
    if (xml.name === 'numFmt') codes.set(Number(xml.attribute('numFmtId')), xml.attribute('formatCode') ?? '');
    else if (xml.name === 'cellXfs') isInCells = true;
    else if (xml.name === 'cellStyles') isInCells = false;
    else if (xml.name === 'xf' && isInCells) {
      const id = Number(xml.attribute('numFmtId') ?? 0);
      forms.push(id === 0 ? plainForm : formOf(id, codes.get(id) ?? null));
    }
  });
  return forms;
}

/**
 * Texts that cells reference by number, read as far as requested: sheets use them in order. Stored as consecutive
 * bytes: two million strings would take 200 MB.
 */
class SharedTexts {
  readonly #xml: XmlScanner | null;
  #bytes = Buffer.alloc(64 * 1024);
  #ends = new Uint32Array(1024);
  #count = 0;

  /** @param filePath null: the workbook has none */
  constructor(filePath: string | null) {
    this.#xml = filePath === null ? null : new XmlScanner(filePath);
  }

  /** Undefined if there is no such text. */
  get(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0) return undefined;
    while (index >= this.#count) if (!this.#readOne()) return undefined;
    return this.#bytes.toString('utf8', this.#endOf(index - 1), this.#endOf(index));
  }

  close(): void {
    this.#xml?.close();
  }

  #readOne(): boolean {
    const xml = this.#xml;
    for (let token = xml?.next(); xml && token !== 'end'; token = xml.next()) {
      xml.release();
      if (token !== 'open' || xml.name !== 'si') continue;
      this.#add(textOfRuns(xml.content()));
      return true;
    }
    return false;
  }

  #endOf(index: number): number {
    return index < 0 ? 0 : (this.#ends[index] as number);
  }

  #add(text: string): void {
    const start = this.#endOf(this.#count - 1);
    const room = text.length * 3;
    if (start + room > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(this.#bytes.length * 2, start + room));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    if (this.#count === this.#ends.length) {
      const more = new Uint32Array(this.#ends.length * 2);
      more.set(this.#ends);
      this.#ends = more;
    }
    this.#ends[this.#count++] = start + this.#bytes.write(text, start);
  }
}

const simpleText = /^\s*<(?:\w+:)?t(?:\s[^>]*)?>([^<]*)<\/(?:\w+:)?t>\s*$/;
const anyText = /<(?:\w+:)?t(?:\s[^>]*)?>([^<]*)<\/(?:\w+:)?t>/g;
const pronunciation = /<(?:\w+:)?rPh[\s>][\s\S]*?<\/(?:\w+:)?rPh>/g;

/** Joins the runs of one text; leaves out its pronunciation (rPh). */
export function textOfRuns(content: string): string {
  const xml = withoutSections(content);
  const simple = simpleText.exec(xml)?.[1];
  if (simple !== undefined) return unescaped(decodeXmlText(simple));
  const runs = xml.replace(pronunciation, '').matchAll(anyText);
  return Array.from(runs, ([, text = '']) => unescaped(decodeXmlText(text))).join('');
}

/** Characters that XML cannot hold are written `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(String(hex), 16)))
    : text;
