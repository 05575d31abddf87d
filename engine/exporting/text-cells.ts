/** Writes cells of text formats: quoted CSV texts, and numbers without exponent. */

/** A CSV cell (RFC 4180), quoted if needed. */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? quotedCell(text) : text);

export const quotedCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Digits, never `1e-7`; 20 decimals are enough for any number that a county publishes. */
export function plainNumber(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : text;
}
