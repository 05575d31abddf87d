/** The most columns of a file that is read: the widest rolls have some five hundred. */
import { EngineError } from '../../spec/errors.ts';

const maxColumns = 5000;

/** @throws EngineError import_refused */
export function refuseColumns(filePath: string, count: number): void {
  if (count <= maxColumns) return;
  throw new EngineError(
    'import_refused',
    `${filePath}: expected at most ${maxColumns} columns, found ${count > maxColumns + 1 ? count : 'more'}. Export only the columns that you need.`,
  );
}
