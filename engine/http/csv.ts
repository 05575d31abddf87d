/**
 * The CSV of the API (RFC 4180): UTF-8 without BOM, CRLF, plain values. It is made for programs, so text that a
 * spreadsheet would take for a formula stays as it is; saved files and feeds, which people open, do otherwise.
 */
import { stringify } from 'csv-stringify/sync';

export type CsvRow = Readonly<Record<string, unknown>>;

/** Programs read digits, not `1e-7`; 20 decimals lose nothing of a double that a county publishes. */
const plainNumber = (value: number): string => {
  const text = String(value);
  return text.includes('e') ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : text;
};

export const csvText = (columns: readonly string[], rows: readonly CsvRow[]): string =>
  stringify([...rows], {
    header: true,
    columns: [...columns],
    record_delimiter: 'windows',
    // Else a line break alone, as in an address of two lines, would stand unquoted.
    quote_record_delimiter: true,
    cast: { boolean: String, number: plainNumber, object: (value) => JSON.stringify(value) },
  });
