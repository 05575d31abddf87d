/** Which undo files stay: those of the last three imports of each dataset. */
import type { LandStore } from '../../store/land-store.ts';
import { listUndoFiles, removeUndoFile } from '../../store/undo-store.ts';

const keptPerDataset = 3;

/** Files of imports that can be undone, or could be. */
const keptSql = `SELECT import_id FROM (
  SELECT import_id, row_number() OVER (PARTITION BY dataset_id ORDER BY import_id DESC) AS rank
  FROM imports WHERE undone_at IS NULL) WHERE rank <= ${keptPerDataset}`;

/** After a commit: older imports can no longer be undone. A file left by a kill here is removed with the next one. */
export function pruneUndo({ file }: LandStore, home: string, datasetId: number): void {
  const kept = new Set(file.column<number>(keptSql));
  const own = new Set(file.column<number>('SELECT import_id FROM imports WHERE dataset_id = ?', datasetId));
  for (const id of listUndoFiles(home)) if (own.has(id) && !kept.has(id)) removeUndoFile(home, id);
}
