/** Finds rows of one deed: its one price is for all of its parcels, and each repeats it. */
import { foldSpaces, foldWords } from '../../spec/text-fold.ts';
import type { CompletedComp } from './comp-complete.ts';
import type { CompFileRow } from './comp-rows.ts';

export type RowPlace = Pick<CompFileRow, 'file' | 'row'>;

interface SoldParcel {
  readonly completed: CompletedComp;
  readonly row: RowPlace;
}

/** Headings of a deed's number or of the names on it, best first. */
const deedHeadings = [
  /\b(DEED|INSTRUMENT|INSTR|DOC|DOCUMENT|RECEPTION|RECORDING|BOOK ?PAGE|EXCISE)\b(?! ?(TYPE|DATE|CODE))/,
  /\b(GRANTOR|SELLER)\b/,
];
/** Where no column names the deed, two lots may have been sold alike on one day. */
const fewestUnnamed = 3;

/** Parcels sold on one day for one price, by one deed or seller where the file has a column of them. */
export class SharedDeeds {
  readonly #sold = new Map<string, SoldParcel[]>();
  /** By the headings of a row, which are the same in a whole file. */
  readonly #columns = new Map<string, string | null>();

  add(completed: CompletedComp, { file, row, properties }: CompFileRow): void {
    const { status, price, sold_date: day } = completed.comp;
    if (status !== 'SOLD' || day === null || parcelOf(completed) === null) return;
    const column = this.#columnOf(Object.keys(properties));
    const deed = column === null ? '' : foldSpaces(String(properties[column] ?? ''));
    const key = JSON.stringify([price, day, deed]);
    const parcels = this.#sold.get(key) ?? [];
    parcels.push({ completed, row: { file, row } });
    this.#sold.set(key, parcels);
  }

  /** In the order of the rows of each deed. */
  *shared(): Generator<SoldParcel> {
    for (const [key, sold] of this.#sold) {
      const parcels = new Set(sold.map(({ completed }) => parcelOf(completed)));
      const isNamed = !key.endsWith(',""]');
      if (parcels.size >= (isNamed ? 2 : fewestUnnamed)) yield* sold;
    }
  }

  #columnOf(headings: readonly string[]): string | null {
    const all = headings.join('\u0000');
    let column = this.#columns.get(all);
    if (column === undefined) {
      const found = deedHeadings.map((words) => headings.find((heading) => words.test(foldWords(heading))));
      column = found.find((one) => one !== undefined) ?? null;
      this.#columns.set(all, column);
    }
    return column;
  }
}

/** Null: the row names none. */
const parcelOf = ({ comp: { apn, address, fips } }: CompletedComp): string | null =>
  apn === null && address === null ? null : foldSpaces(`${fips} ${apn ?? address}`);
