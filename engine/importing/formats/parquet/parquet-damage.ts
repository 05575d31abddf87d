/** Damage of a Parquet file, named: the decoders throw bare RangeErrors and TypeErrors. */
import { EngineError } from '../../../spec/errors.ts';

export const refusal = (filePath: string, problem: string): EngineError =>
  new EngineError('import_refused', `${filePath}: ${problem}.`);

/**
 * Runs decoding work over bytes that may be damaged.
 * @throws EngineError import_refused in place of any error of a decoder; errors of the file system pass
 */
export function guarded<Result>(filePath: string, part: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof EngineError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    const found = error instanceof Error ? error.message : String(error);
    throw new EngineError('import_refused', `${filePath}: damaged Parquet, in ${part}: ${found}.`, { cause: error });
  }
}
