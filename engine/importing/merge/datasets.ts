/** The history of datasets: imports and deletions, and which of them can be undone. */
import type { LandStore } from '../../store/land-store.ts';
import { listUndoFiles } from '../../store/undo-store.ts';
import { homeOf } from './import-parcels.ts';

export interface DatasetImport {
  readonly import_id: number;
  readonly dataset_id: number;
  readonly fips: string;
  readonly jurisdiction: string;
  readonly action: 'import' | 'delete';
  readonly source_name: string;
  readonly source_date: string;
  readonly done_at: string;
  /** `new`, `changed`, `retired`, `returned`, `unchanged`, `refused`; for a deletion `removed`. */
  readonly counts: Readonly<Record<string, number>>;
  readonly undone_at: string | null;
  /** Whether it can be undone now: nothing later depends on it, and what it replaced is still there. */
  readonly can_undo: boolean;
}

/**
 * SQL for whether a row of `imports` belongs to a dataset: by its number, or as an import that took its place after a
 * deletion, under another number.
 */
export const isOfSameDataset = (dataset: string, fips: string, jurisdiction: string, row = ''): string =>
  `(${row}dataset_id = ${dataset} OR (${row}action = 'import' AND ${row}fips = ${fips}
     AND fold_spaces(${row}jurisdiction) = fold_spaces(${jurisdiction})))`;

/** The history of datasets, newest first. */
export function listImports(land: LandStore, limit = 50): DatasetImport[] {
  const kept = new Set(listUndoFiles(homeOf(land)));
  return land.file
    .all<Omit<DatasetImport, 'counts' | 'can_undo'> & { counts: string; is_last: number }>(
      `SELECT import_id, dataset_id, fips, jurisdiction, action, source_name, source_date, done_at, counts, undone_at,
         NOT EXISTS (SELECT 1 FROM imports l WHERE l.import_id > i.import_id AND l.undone_at IS NULL
           AND ${isOfSameDataset('i.dataset_id', 'i.fips', 'i.jurisdiction', 'l.')}) AS is_last
       FROM imports i ORDER BY import_id DESC LIMIT ?`,
      limit,
    )
    .map(({ counts, is_last: isLast, ...row }) => ({
      ...row,
      counts: JSON.parse(counts) as Record<string, number>,
      can_undo: isLast === 1 && row.undone_at === null && kept.has(row.import_id),
    }));
}
