/**
 * Determines a dataset's date if none is given: from the names of its files, from their headers, or from their
 * modification times.
 */
import path from 'node:path';
import { lookAtFile } from '../formats/bytes/byte-window.ts';
import { isoFromParts } from '../values/parse-date.ts';

/** `2026-07-09`, `20260709`, `2024-09` (the first of the month) in a file's name. */
export function dateInName(filePath: string): string | null {
  const name = path.basename(filePath);
  for (const pattern of [
    /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/,
    /(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)/,
    /(?<!\d)(\d{4})-(\d{2})(?!\d)/,
  ]) {
    const found = pattern.exec(name);
    const date = found && isoFromParts(Number(found[1]), Number(found[2]), Number(found[3] ?? 1));
    if (date) return date;
  }
  return null;
}

export function findDatasetDate(
  files: readonly string[],
  join: { path: string; date: string | null } | null,
  today: Date,
): string {
  const inNames = [...(join ? [join.path] : []), ...files].map(dateInName).find((date) => date !== null);
  if (inNames) return inNames;
  // A header from a wrong clock must not date the county into the future.
  if (join?.date && join.date <= today.toISOString().slice(0, 10)) return join.date;
  const times = files.map((file) => lookAtFile(file).writtenAt);
  return (times.length > 0 ? new Date(Math.max(...times)) : today).toISOString().slice(0, 10);
}

/** Events of a parcel precede the data; one year of grace for files dated too early. */
export const latestDateFor = (date: string): string => `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`;
