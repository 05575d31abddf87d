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
  /** How many parcels it changed by these counts: what undoing and redoing it change. */
  readonly parcels: number;
  readonly undone_at: string | null;
  /** Whether it can be undone now: nothing later depends on it, and what it replaced is still there. */
  readonly can_undo: boolean;
  /** Whether it was undone and can be redone: nothing came in since. */
  readonly can_redo: boolean;
}

/**
 * SQL for whether a row of `imports` belongs to a dataset: by its number, or as an import that took its place after a
 * deletion, under another number.
 */
export const isOfSameDataset = (dataset: string, fips: string, jurisdiction: string, row = ''): string =>
  `(${row}dataset_id = ${dataset} OR (${row}action = 'import' AND ${row}fips = ${fips}
     AND fold_spaces(${row}jurisdiction) = fold_spaces(${jurisdiction})))`;

/**
 * Whether no import stands in the way of undoing or redoing a row `i` of `imports`: a later one that stands builds on
 * it, an earlier one that was undone after it must be redone first, and another dataset may have its place.
 */
const isFree = `NOT EXISTS (SELECT 1 FROM imports l WHERE ${isOfSameDataset('i.dataset_id', 'i.fips', 'i.jurisdiction', 'l.')}
  AND CASE WHEN l.import_id > i.import_id THEN l.undone_at IS NULL
    ELSE l.import_id < i.import_id AND i.undone_at IS NOT NULL AND l.undone_at >= i.undone_at END)
  AND (i.undone_at IS NULL OR NOT EXISTS (SELECT 1 FROM datasets d WHERE d.dataset_id <> i.dataset_id
    AND d.fips = i.fips AND fold_spaces(d.jurisdiction) = fold_spaces(i.jurisdiction)))`;

/** The history of datasets, newest first. */
export function listImports(land: LandStore, limit = 50): DatasetImport[] {
  const home = homeOf(land);
  const [undo, redo] = [new Set(listUndoFiles(home, 'import')), new Set(listUndoFiles(home, 'redo'))];
  return land.file
    .all<Omit<DatasetImport, 'counts' | 'parcels' | 'can_undo' | 'can_redo'> & { counts: string; is_free: number }>(
      `SELECT import_id, dataset_id, fips, jurisdiction, action, source_name, source_date, done_at, counts, undone_at,
         ${isFree} AS is_free
       FROM imports i ORDER BY import_id DESC LIMIT ?`,
      limit,
    )
    .map(({ counts: text, is_free: isFreeNow, ...row }) => {
      const counts = JSON.parse(text) as Record<string, number>;
      const isKept = isFreeNow === 1 && undo.has(row.import_id);
      return {
        ...row,
        counts,
        parcels: parcelsChangedBy(counts),
        can_undo: isKept && row.undone_at === null,
        can_redo: isKept && row.undone_at !== null && redo.has(row.import_id),
      };
    });
}

export const parcelsChangedBy = (counts: Readonly<Record<string, number>>): number =>
  ['new', 'changed', 'retired', 'returned', 'removed'].reduce((sum, name) => sum + (counts[name] ?? 0), 0);
