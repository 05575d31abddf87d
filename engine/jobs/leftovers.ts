/** What killed programs left of imports and workers. */
import type { LandStore } from '../store/land-store.ts';
import { removeUndoOrphans, undoOrphans, whileNoOneWrites } from '../store/undo-store.ts';
import { removeAbandonedFolders } from './fork-worker.ts';

/** Undo files of imports that never were. @returns their names below the home */
export function removeOrphans({ file }: LandStore, home: string): string[] {
  if (undoOrphans(file, home).length === 0) return [];
  return (whileNoOneWrites(file, () => removeUndoOrphans(file, home)) ?? []).map((name) => `undo/${name}`);
}

/** With the temporary folders of workers. @returns their names */
export const removeLeft = (land: LandStore, home: string): string[] => [
  ...removeOrphans(land, home),
  ...removeAbandonedFolders(),
];
