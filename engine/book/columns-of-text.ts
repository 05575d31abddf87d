/** Pages of narrow columns: lists of small parcels and indexes flow down and on. */

import type { PdfRef } from '../exporting/pdf-file.ts';
import type { PdfPage } from '../exporting/pdf-page.ts';
import { wrapText } from '../exporting/wrap-text.ts';
import type { BookFile, Target } from './book-file.ts';
import { bookInks } from './book-inks.ts';
import { pageMargin } from './book-paper.ts';

/** A line of a list. */
export interface ListRow {
  /** Before the text, in red. */
  readonly number?: string;
  readonly text: string;
  /** The row above has the text: a ditto mark does, but at the head of a column. */
  readonly isSame?: boolean;
  readonly isHeading?: boolean;
  readonly acres?: string;
  /** Page and cell. */
  readonly place?: string;
  readonly target?: Target;
}

const [top, step, size, headingSize] = [62, 7.15, 5.7, 7] as const;
const [gap, usualColumn] = [11, 130] as const;
const ditto = '   "';
/** Room for acres and for page and cell, or a cell alone, at the right of a column. */
const [acresRoom, numberRoom] = [20, 13] as const;

interface ListWords {
  readonly title: string;
  readonly bookTitle: string;
  /** What links and bookmarks call its first page. */
  readonly name: string;
  /** Rows of which none needs a wide column, like parcel numbers, stand in more columns. Absent: the usual ones. */
  readonly rows?: Iterable<ListRow>;
}

export class ColumnPages {
  readonly #file: BookFile;
  readonly #words: ListWords;
  readonly #columns: number;
  #page: PdfPage | null = null;
  #links: PdfRef[] = [];
  #column = 0;
  #row = 0;
  #pages = 0;
  /** Above the rows; again at the head of the next column. */
  #heading: ListRow | null = null;
  #first = '';
  #last = '';

  constructor(file: BookFile, words: ListWords) {
    this.#file = file;
    this.#words = words;
    this.#columns = this.#columnsOf(this.#leastColumn(words.rows));
  }

  #columnsOf(least: number): number {
    return Math.floor((this.#file.size[0] - 2 * pageMargin + gap) / (least + gap));
  }

  /** The column in which each row has one line, or the usual one. */
  #leastColumn(rows: Iterable<ListRow> = []): number {
    let least = 0;
    for (const row of rows) {
      least = Math.max(least, this.#file.widthOf(row.text) * size + this.#besides(row));
      if (least >= usualColumn) break;
    }
    return least === 0 ? usualColumn : Math.min(usualColumn, least);
  }

  /** Room beside the text of a row. */
  #besides({ number, acres, place }: ListRow): number {
    return (number === undefined ? 0 : numberRoom) + this.#placeRoom(place) + (acres ? acresRoom : 0) + 2;
  }

  get #width(): number {
    return (this.#file.size[0] - 2 * pageMargin - gap * (this.#columns - 1)) / this.#columns;
  }

  get #rows(): number {
    return Math.floor((this.#file.size[1] - top - pageMargin) / step);
  }

  /** Name of the page on which the next row will stand. */
  get pageName(): string {
    const isNew = this.#page === null || (this.#column === this.#columns - 1 && this.#row >= this.#rows);
    return this.#nameOf(isNew ? this.#pages + 1 : this.#pages);
  }

  /** Columns of places keep one width, unless pages have long names. */
  #placeRoom(place: string | undefined): number {
    if (!place) return 0;
    return Math.max(place.length <= 2 ? 11 : 28, this.#file.widthOf(place) * size + 3);
  }

  #nameOf(page: number): string {
    return page <= 1 ? this.#words.name : `${this.#words.name} ${page}`;
  }

  /** @param together rows that must stand in one column with it */
  add(row: ListRow, together = 0): void {
    const width = this.#width;
    const room = width - this.#besides(row);
    const whole = row.isHeading ? [row.text] : wrapText(row.text, room / size, this.#file.widthOf, '  ');
    this.#makeRoom((row.isSame ? 1 : whole.length) + together);
    if (row.isHeading) this.#heading = row;
    else if (this.#heading && this.#row === 0) {
      this.#line({ ...this.#heading, text: `${this.#heading.text}, continued` }, true, width, true);
    }
    const lines = row.isSame && this.#row > 0 ? [ditto] : whole;
    for (const [at, text] of lines.entries()) this.#line({ ...row, text }, at === lines.length - 1, width, at === 0);
    const { text } = this.#heading ?? row;
    this.#first ||= text;
    this.#last = text;
  }

  #makeRoom(lines: number): void {
    if (this.#page !== null && this.#row + lines > this.#rows && this.#row > 0) {
      this.#column += 1;
      this.#row = 0;
    }
    if (this.#page !== null && this.#column >= this.#columns) this.#end();
    if (this.#page !== null) return;
    this.#page = this.#file.page();
    this.#pages += 1;
    this.#column = 0;
    this.#row = 0;
    this.#first = '';
  }

  #line(
    { number, text, isHeading, acres, place, target }: ListRow,
    isLast: boolean,
    width: number,
    isFirst: boolean,
  ): void {
    const page = this.#page as PdfPage;
    const x = pageMargin + this.#column * (width + gap);
    const y = top + (this.#row + 0.8) * step;
    this.#row += 1;
    if (isHeading) page.text(x, y, headingSize, text, { isBold: true, ink: bookInks.page });
    else page.text(x + (number === undefined ? 0 : numberRoom), y, size, text);
    if (number && isFirst) page.text(x + numberRoom - 3, y, size, number, { align: 'right', ink: bookInks.number });
    if (isLast && acres) page.text(x + width - this.#placeRoom(place), y, size, acres, { align: 'right' });
    if (isLast && place) page.text(x + width, y, size, place, { align: 'right' });
    if (target) this.#links.push(this.#file.link({ x, y: y - step * 0.8, width, height: step }, target));
  }

  #end(): void {
    const page = this.#page;
    if (!page) return;
    const { title, bookTitle } = this.#words;
    page.text(pageMargin, 40, 16, title, { isBold: true });
    const range = this.#first === this.#last ? this.#first : `${this.#first} – ${this.#last}`;
    page.text(pageMargin, 51, 6.4, range, { ink: bookInks.quiet, room: page.size[0] - 2 * pageMargin });
    page.text(page.size[0] - pageMargin, 40, 7.4, bookTitle, { align: 'right', ink: bookInks.quiet, room: 260 });
    if (this.#columns > this.#columnsOf(usualColumn)) this.#ruleColumns(page);
    this.#file.add(page, this.#nameOf(this.#pages), { links: this.#links });
    this.#links = [];
    this.#page = null;
  }

  /** Between narrow columns that are in use, where a place would seem to belong to the next row's text. */
  #ruleColumns(page: PdfPage): void {
    const bottom = this.#file.size[1] - pageMargin;
    const rules = Array.from({ length: Math.min(this.#column, this.#columns - 1) }, (_, at) => {
      const x = pageMargin + (at + 1) * (this.#width + gap) - gap / 2;
      return [x, top, x, bottom];
    });
    page.line(rules, { stroke: bookInks.other, width: 0.3 });
  }

  /** Writes the last page. @returns number of pages */
  finish(): number {
    this.#end();
    return this.#pages;
  }
}
