/**
 * Date formats that a mapping can name. Esri's services give `epoch_ms`; spreadsheets write `excel_days` for a date that
 * lost its format. Two-digit years mean 1930 to 2029, as in Excel.
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
