/**
 * Gives the app's window the codes of local errors (full disk, locked file) with status 503, so that it can keep what was
 * typed and try again, and that of a missing file with 404. The public API answers internal_error for them.
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
    // No second try finds a file that is not there.
    return free(jsonAnswer(code === 'file_missing' ? 404 : 503, { error: { code, message, request_id: requestId } }));
  }
}
