/** Formats of dates that a mapping can name. `epoch_ms` is what Esri's services give. */
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
  'epoch_ms',
  'epoch_s',
] as const;

export type DateFormat = (typeof dateFormats)[number];
