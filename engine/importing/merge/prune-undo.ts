/**
 * Which undo files stay: those of the last three imports of each place, and of those that can be redone. A place imported
 * again after an undo or a deletion has a dataset of another number.
 */
import type { LandStore } from '../../store/land-store.ts';
import { listUndoFiles, removeUndoFile } from '../../store/undo-store.ts';

const keptPerPlace = 3;

/** Files of imports that can be undone, or could be. */
const keptSql = `SELECT import_id FROM (
  SELECT import_id, row_number() OVER (PARTITION BY fips, fold_spaces(jurisdiction) ORDER BY import_id DESC) AS rank
  FROM imports WHERE undone_at IS NULL) WHERE rank <= ${keptPerPlace}`;

interface Place {
  readonly fips: string;
  readonly jurisdiction: string;
}

/** After a commit: older imports can no longer be undone. A file left by a kill here is removed with the next one. */
export function pruneUndo({ file }: LandStore, home: string, place: Place): void {
  const kept = new Set(file.column<number>(keptSql));
  const own = new Set(
    file.column<number>(
      'SELECT import_id FROM imports WHERE fips = ? AND fold_spaces(jurisdiction) = fold_spaces(?)',
      place.fips,
      place.jurisdiction,
    ),
  );
  for (const id of listUndoFiles(home, 'import')) if (own.has(id) && !kept.has(id)) removeUndoFile(home, id, 'import');
  // What was undone before can no longer be redone: this change does not know it.
  for (const id of listUndoFiles(home, 'redo')) if (own.has(id)) removeUndoFile(home, id, 'redo');
}
