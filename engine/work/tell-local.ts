/**
 * What goes wrong with files of this computer (a full disk, a file that is no backup) has codes that never travel over the
 * public API, where they would be faults of Platbook. A screen has to show their sentences: here they become refusals.
 */
import { EngineError, localErrors } from '../spec/errors.ts';

/** @throws EngineError validation_error in place of a local one */
export async function tellLocal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineError && error.code in localErrors)
      throw new EngineError('validation_error', error.message, { cause: error });
    throw error;
  }
}
