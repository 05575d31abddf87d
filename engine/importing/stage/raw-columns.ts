/** Columns of a file beyond the dictionary: stored as JSON beside the parcel, for the detail view. */

/** Longer values are unreadable; a file with pages of text in a column must not fill the home. */
const maxTextLength = 2000;
const maxJsonLength = 20_000;

/** As JSON: numbers and texts as in the file, cut at the limit. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value;
  return typeof value === 'bigint' ? String(value) : value;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/**
 * Unused columns of a row, as members of a JSON object without its braces; empty: there are none.
 * @param prefix before each name: `table.` for those of the joined table
 */
export function rawMembers(
  names: readonly string[],
  values: readonly unknown[],
  isRead: (name: string) => boolean,
  prefix = '',
): string {
  let members = '';
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const value = values[index];
    if (isEmpty(value) || isRead(name)) continue;
    const text = JSON.stringify(plain(value));
    if (text === undefined || members.length + text.length > maxJsonLength) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(prefix + name)}:${text}`;
  }
  return members;
}

/**
 * The same for many rows. Rows of a file mostly have the same names in the same order: then only the unused columns are
 * read, of which a fully mapped file has none.
 */
export class RawReader {
  readonly #isRead: (name: string) => boolean;
  #names: readonly string[] = [];
  #unread: readonly number[] = [];
  #rows = 0;

  constructor(isRead: (name: string) => boolean) {
    this.#isRead = isRead;
  }

  read(properties: Readonly<Record<string, unknown>>): string {
    const names = Object.keys(properties);
    // The first rows settle which columns are used.
    if (this.#rows < settlingRows || !areSame(names, this.#names)) this.#learn(names);
    this.#rows++;
    if (this.#unread.length === 0) return '';
    const values = this.#unread.map((position) => properties[this.#names[position] as string]);
    const unread = this.#unread.map((position) => this.#names[position] as string);
    return rawMembers(unread, values, this.#isRead);
  }

  #learn(names: readonly string[]): void {
    this.#names = names;
    this.#unread = names.map((_, position) => position).filter((position) => !this.#isRead(names[position] as string));
  }
}

const settlingRows = 1000;

function areSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** Joins several lists of members in one JSON object; null: there are none. */
export function rawObject(...lists: readonly string[]): string | null {
  const members = lists.filter((list) => list !== '').join(',');
  return members === '' ? null : `{${members}}`;
}
