/** Files that killed imports and workers left behind. */
import type { LandStore } from '../store/land-store.ts';
import { removeUndoOrphans, undoOrphans, whileNoOneWrites } from '../store/undo-store.ts';
import { removeAbandonedFolders } from './fork-worker.ts';

/** Removes undo files without a committed import. @returns their names in the home */
export function removeOrphans({ file }: LandStore, home: string): string[] {
  if (undoOrphans(file, home).length === 0) return [];
  return (whileNoOneWrites(file, () => removeUndoOrphans(file, home)) ?? []).map((name) => `undo/${name}`);
}

/** Also removes temporary folders of workers. @returns their names */
export const removeLeft = (land: LandStore, home: string): string[] => [
  ...removeOrphans(land, home),
  ...removeAbandonedFolders(),
];
