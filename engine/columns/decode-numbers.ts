/** Values of a number column for some rows. */
import type { CountyColumns } from './county-columns.ts';

/**
 * NaN where unknown. A plain loop: methods of typed arrays take many times as long, and a county may have a million
 * rows.
 */
export function decodedNumbers(county: CountyColumns, name: string, rows: Uint32Array): Float64Array {
  const column = county.column(name);
  const codes = county.codes(column);
  const { scale } = column;
  const values = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const code = codes[rows[i] as number] as number;
    values[i] = code === 0 ? Number.NaN : (scale.value(code) as number);
  }
  return values;
}
