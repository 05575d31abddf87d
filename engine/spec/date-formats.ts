/**
 * Formats of dates that a mapping can name. `epoch_ms` is what Esri's services give, `excel_days` what spreadsheets write for
 * a date that lost its format. Years of two digits are those from 1930 to 2029, as in Excel.
 */
export const dateFormats = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'MM/DD/YYYY',
  'MM-DD-YYYY',
  'MMDDYYYY',
  'DD/MM/YYYY',
  'DD-MM-YYYY',
  'DD-MON-YYYY',
  'MON DD YYYY',
  'DD.MM.YYYY',
  'MM/DD/YY',
  'MM-DD-YY',
  'epoch_ms',
  'epoch_s',
  'excel_days',
] as const;

export type DateFormat = (typeof dateFormats)[number];
