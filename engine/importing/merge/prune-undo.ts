/** Which undo files stay: those of the last three imports of each dataset. */
import type { LandStore } from '../../store/land-store.ts';
import { listUndoFiles, removeHalfWritten, removeUndoFile } from '../../store/undo-store.ts';

const keptPerDataset = 3;

/** Files of imports that can be undone, or could be. */
const keptSql = `SELECT import_id FROM (
  SELECT import_id, row_number() OVER (PARTITION BY dataset_id ORDER BY import_id DESC) AS rank
  FROM imports WHERE undone_at IS NULL) WHERE rank <= ${keptPerDataset}`;

/**
 * Removes files that belong to no import that stands, as one that was killed leaves behind. Only in a transaction that
 * writes: nobody else is importing then.
 */
export function tidyUndo({ file }: LandStore, home: string): void {
  if (!file.inTransaction) throw new Error('undo files are tidied only while no other import can run');
  removeHalfWritten(home);
  const known = new Set(file.column<number>('SELECT import_id FROM imports WHERE undone_at IS NULL'));
  for (const id of listUndoFiles(home)) if (!known.has(id)) removeUndoFile(home, id);
}

/** After a commit: an older import can no longer be reached. A file that is left by a kill here goes with the next one. */
export function pruneUndo({ file }: LandStore, home: string, datasetId: number): void {
  const kept = new Set(file.column<number>(keptSql));
  const own = new Set(file.column<number>('SELECT import_id FROM imports WHERE dataset_id = ?', datasetId));
  for (const id of listUndoFiles(home)) if (own.has(id) && !kept.has(id)) removeUndoFile(home, id);
}
