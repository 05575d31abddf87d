/** Sizes of files and disks in words: `24 kB`, `21 MB`, `1.4 GB`. Decimal units, as on disk labels. */

/** Rounded up, for the size of a file. */
export const bytesWords = (bytes: number): string => inUnits(bytes, Math.ceil);

/** Rounded down, for the free space of a disk. */
export const freeWords = (bytes: number): string => inUnits(bytes, Math.floor);

function inUnits(bytes: number, round: (value: number) => number): string {
  const kilobytes = round(bytes / 1e3);
  if (kilobytes < 1e3) return `${kilobytes} kB`;
  const megabytes = round(bytes / 1e6);
  if (megabytes < 1e3) return `${megabytes} MB`;
  const gigabytes = bytes < 1e10 ? round(bytes / 1e8) / 10 : round(bytes / 1e9);
  return `${gigabytes.toLocaleString('en-US')} GB`;
}
