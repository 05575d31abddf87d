/** Serves the engine over a MessagePort, to the desktop app's window. */
import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine.ts';
import { readPhotoFile } from '../photos/photo-files.ts';
import { runRead } from '../reads/index.ts';
import { EngineError } from '../spec/errors.ts';
import { getTile } from '../tiles/index.ts';
import { runChange } from '../work/index.ts';
import { keepOutcome } from '../work/store-outcome.ts';
import type { MessagePortLike, RpcAnswer, RpcError, RpcRequest } from './messages.ts';

/**
 * Answers every request of the port until it closes.
 * @param log receives faults of Platbook itself in a read, change or tile; the engine logs those of operations
 */
export function servePort(
  engine: Engine,
  port: MessagePortLike,
  log: (line: { requestId: string; request: string; error: unknown }) => void = () => {},
): void {
  const waiting = new Set<number>();
  const answer = (message: RpcAnswer) => port.postMessage(message);

  const answerFree = async (id: number, request: string, work: () => unknown): Promise<void> => {
    const requestId = randomUUID();
    try {
      answer({ id, ok: true, data: await work(), tokens: 0, requestId });
    } catch (error) {
      if (!(error instanceof EngineError)) log({ requestId, request, error });
      answer({ id, ok: false, error: rpcError(error, requestId) });
    }
  };

  /** Reads and tiles block the event loop; waiting one turn lets queued cancellations come first. */
  const whenStillWanted = (id: number, request: string, work: () => unknown): void => {
    waiting.add(id);
    setImmediate(() => {
      if (waiting.delete(id)) void answerFree(id, request, work);
    });
  };

  const change = async ({ id, name, input }: Extract<RpcRequest, { kind: 'change' }>): Promise<void> => {
    const requestId = randomUUID();
    try {
      answer({ id, ok: true, ...(await runChange(engine, name, input)), tokens: 0, requestId });
    } catch (error) {
      if (!(error instanceof EngineError)) log({ requestId, request: name, error });
      answer({ id, ok: false, error: rpcError(error, requestId) });
    }
  };

  const call = async (request: Extract<RpcRequest, { kind: 'call' }>): Promise<void> => {
    const requestId = randomUUID();
    try {
      const caller = { mode: 'app' as const, requestId, idempotencyKey: requireAction(request.action) };
      const { data, tokens } = await engine.callUnchecked(request.name, request.input, caller);
      keepOutcome(engine, request.name, request.input, data);
      answer({ id: request.id, ok: true, data, tokens, requestId });
    } catch (error) {
      answer({ id: request.id, ok: false, error: rpcError(error, requestId) });
    }
  };

  port.addEventListener('message', ({ data }) => {
    if (!isRequest(data)) return;
    if (data.kind === 'cancel') waiting.delete(data.id);
    else if (data.kind === 'call') void call(data);
    else if (data.kind === 'change') void change(data);
    else if (data.kind === 'read') whenStillWanted(data.id, data.name, () => runRead(engine, data.name, data.input));
    else if (data.kind === 'photo')
      whenStillWanted(data.id, 'photo', () => readPhotoFile(engine.home, engine.account, data.photo));
    else whenStillWanted(data.id, data.source, () => getTile(engine, data.source, data.z, data.x, data.y));
  });
  port.addEventListener('close', () => waiting.clear());
  port.start?.();
}

/** Each press of a priced button has its own idempotency key, so that a repeat after a lost answer is not charged again. */
function requireAction(action: unknown): string {
  if (typeof action === 'string' && /^[\x21-\x7e]{1,128}$/.test(action)) return action;
  throw new EngineError('validation_error', 'Expected an action of 1 to 128 visible ASCII characters with every call.');
}

function isRequest(data: unknown): data is RpcRequest {
  const request = data as Partial<RpcRequest> | null;
  if (typeof request !== 'object' || request === null || !Number.isSafeInteger(request.id)) return false;
  if (request.kind === 'cancel') return true;
  if (request.kind === 'tile') return typeof request.source === 'string';
  if (request.kind === 'photo') return Number.isSafeInteger(request.photo);
  const isNamed = request.kind === 'read' || request.kind === 'call' || request.kind === 'change';
  return isNamed && typeof request.name === 'string';
}

function rpcError(error: unknown, requestId: string): RpcError {
  const known = error instanceof EngineError ? error : new EngineError('internal_error');
  return {
    code: known.code,
    message: known.message,
    request_id: requestId,
    ...(known.details ? { details: known.details } : {}),
  };
}
