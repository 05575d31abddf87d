/** The opened counties of one land file, within a memory budget: evicts the least recently used county, whole. */
import type { CountyColumns } from './county-columns.ts';

interface Opened {
  readonly buildId: number;
  readonly columns: CountyColumns;
}

/** Each memory reserves address space, however little it holds. */
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

  /** Whether what can be left out fits: half of the budget stays for what cannot. */
  hasRoom(bytes: number): boolean {
    return this.byteLength + bytes <= this.budgetBytes / 2;
  }

  /** The county of this build; drops one of another build. */
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

  /** Call it after a query: everything the query needs stays loaded until then. */
  shrink(): void {
    let bytes = this.byteLength;
    for (const [fips, { columns }] of this.#opened) {
      if (bytes <= this.budgetBytes && this.#opened.size <= mostCounties) return;
      this.#opened.delete(fips);
      bytes -= columns.byteLength;
    }
  }
}
