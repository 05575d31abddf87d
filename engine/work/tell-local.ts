/**
 * Errors of local files (a full disk, a file that is not a backup) have codes that never travel over the public API,
 * where they would be faults of Platbook. A screen has to show their sentences, so this turns them into refusals.
 */
import { EngineError, localErrors } from '../spec/errors.ts';

/** @throws EngineError validation_error instead of a local one */
export async function tellLocal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineError && error.code in localErrors)
      throw new EngineError('validation_error', error.message, { cause: error });
    throw error;
  }
}
