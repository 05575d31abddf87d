/**
 * The window is the owner's: it is told what is wrong with the files of this computer (a full disk, a lock that another
 * program holds) by its name, so that it can keep what was typed and try again. Over the public API these are faults.
 */
import { EngineError, localErrors } from '../spec/errors.ts';
import { jsonAnswer } from './answer.ts';
import { free, type Reply } from './routes.ts';

export async function tellingLocal(requestId: string, reply: () => Promise<Reply>): Promise<Reply> {
  try {
    return await reply();
  } catch (error) {
    if (!(error instanceof EngineError) || !(error.code in localErrors)) throw error;
    const { code, message } = error;
    return free(jsonAnswer(503, { error: { code, message, request_id: requestId } }));
  }
}
