/** Compares the stored column indexes with new ones built from the parcels, byte by byte. */
import { listColumnIndexes, readDirectory, readSegment } from '../store/column-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { buildFrom } from './update-index.ts';

interface ColumnIndexReport {
  readonly current: number;
  /** Counties whose index is missing or stale: SQL answers for them. */
  readonly stale: number;
  /** Sentences about indexes in use that differ from their parcels. */
  readonly problems: string[];
}

export function checkColumnIndexes(file: SqliteFile): ColumnIndexReport {
  return file.snapshot(() => {
    const states = listColumnIndexes(file);
    const current = states.filter(({ isCurrent }) => isCurrent);
    return {
      current: current.length,
      stale: states.length - current.length,
      problems: current.flatMap(({ fips }) => problemOf(file, fips) ?? []),
    };
  });
}

function problemOf(file: SqliteFile, fips: string): string | null {
  const { directory, segments } = buildFrom(file, fips);
  if (JSON.stringify(directory) !== readDirectory(file, fips))
    return `the directory of ${fips} differs from its parcels`;
  for (const [name, bytes] of segments) {
    if (Buffer.compare(bytes, readSegment(file, fips, name)) !== 0)
      return `the segment ${name} of ${fips} differs from its parcels`;
  }
  return null;
}
