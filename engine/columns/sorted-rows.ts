/** Rows of a column in the order of their values, for pages. */

/** Positions by code, then by position, unknown ones last. */
export function sortedRows(codes: Uint8Array | Uint16Array | Uint32Array, highest: number): Uint32Array {
  // One type for all widths: a loop that meets several types takes ten times as long.
  const wide = new Uint32Array(codes);
  let rows = new Uint32Array(wide.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  // Least significant digit first (each pass is stable); 16 bits per pass.
  const digits = highest > 0xffff ? [0, 16] : [0];
  for (const shift of digits) rows = sortedByDigit(rows, wide, shift);
  const firstKnown = rows.findIndex((row) => wide[row] !== 0);
  if (firstKnown <= 0) return rows;
  const unknownLast = new Uint32Array(rows.length);
  unknownLast.set(rows.subarray(firstKnown));
  unknownLast.set(rows.subarray(0, firstKnown), rows.length - firstKnown);
  return unknownLast;
}

function sortedByDigit(rows: Uint32Array, codes: Uint32Array, shift: number): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(0x10001);
  for (const code of codes) {
    const digit = (code >>> shift) & 0xffff;
    next[digit + 1] = (next[digit + 1] as number) + 1;
  }
  for (let digit = 0; digit < 0x10000; digit++) {
    next[digit + 1] = (next[digit + 1] as number) + (next[digit] as number);
  }
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) {
    const digit = ((codes[row] as number) >>> shift) & 0xffff;
    const at = next[digit] as number;
    sorted[at] = row;
    next[digit] = at + 1;
  }
  return sorted;
}
