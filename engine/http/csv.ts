/**
 * Writes the CSV of the API (RFC 4180): UTF-8 without BOM, CRLF, plain values. Programs read it, so text that a spreadsheet
 * would take for a formula stays unchanged; saved files and feeds mark it (spec/formula-cells.ts).
 */
import { stringify } from 'csv-stringify/sync';

type CsvRow = Readonly<Record<string, unknown>>;

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
    // Otherwise a lone line feed, as in an address of two lines, would not be quoted.
    quote_record_delimiter: true,
    cast: { boolean: String, number: plainNumber, object: (value) => JSON.stringify(value) },
  });
