/** The opened counties of one land file, within a budget of memory: the one that was asked least recently goes first, whole. */
import type { CountyColumns } from './county-columns.ts';

interface Opened {
  readonly buildId: number;
  readonly columns: CountyColumns;
}

/** Each memory reserves address space of its own, however little it holds. */
const mostCounties = 512;

export class ColumnCache {
  budgetBytes: number;
  /** In the order of use. */
  readonly #opened = new Map<string, Opened>();

  constructor(budgetBytes: number) {
    this.budgetBytes = budgetBytes;
  }

  get counties(): number {
    return this.#opened.size;
  }

  get byteLength(): number {
    return [...this.#opened.values()].reduce((sum, { columns }) => sum + columns.byteLength, 0);
  }

  /** The county as of this build; one of another build is forgotten. */
  find(fips: string, buildId: number): CountyColumns | null {
    const known = this.#opened.get(fips);
    this.#opened.delete(fips);
    if (known?.buildId !== buildId) return null;
    this.#opened.set(fips, known);
    return known.columns;
  }

  put(fips: string, buildId: number, columns: CountyColumns): void {
    this.#opened.set(fips, { buildId, columns });
  }

  /** To be called when a question is answered: what it needed stood together for as long. */
  shrink(): void {
    let bytes = this.byteLength;
    for (const [fips, { columns }] of this.#opened) {
      if (bytes <= this.budgetBytes && this.#opened.size <= mostCounties) return;
      this.#opened.delete(fips);
      bytes -= columns.byteLength;
    }
  }
}
