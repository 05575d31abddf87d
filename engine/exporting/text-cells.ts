/** Cells of text formats. */

/** A cell as RFC 4180 has it: quoted where it must be. */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Digits, never `1e-7`: 20 decimals lose nothing of a double that a county publishes. */
export function plainNumber(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : text;
}
