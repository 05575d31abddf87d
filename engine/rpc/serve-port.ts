/** The engine behind a MessagePort: what the desktop app's window talks to. */
import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine.ts';
import { runRead } from '../reads/index.ts';
import { EngineError } from '../spec/errors.ts';
import type { MessagePortLike, RpcAnswer, RpcError, RpcRequest } from './messages.ts';

/**
 * Answers every request of the port until it closes.
 * @param log called with faults of Platbook itself in a read; those of operations are told by the engine
 */
export function servePort(
  engine: Engine,
  port: MessagePortLike,
  log: (line: { requestId: string; read: string; error: unknown }) => void = () => {},
): void {
  const waiting = new Set<number>();
  const answer = (message: RpcAnswer) => port.postMessage(message);

  const read = (request: Extract<RpcRequest, { kind: 'read' }>): void => {
    waiting.add(request.id);
    // Reads block the loop; one turn lets the cancellations that are already in the queue come first.
    setImmediate(() => {
      if (!waiting.delete(request.id)) return;
      const requestId = randomUUID();
      try {
        answer({ id: request.id, ok: true, data: runRead(engine, request.name, request.input), tokens: 0, requestId });
      } catch (error) {
        if (!(error instanceof EngineError)) log({ requestId, read: request.name, error });
        answer({ id: request.id, ok: false, error: rpcError(error, requestId) });
      }
    });
  };

  const call = async (request: Extract<RpcRequest, { kind: 'call' }>): Promise<void> => {
    const requestId = randomUUID();
    try {
      const caller = { mode: 'app' as const, requestId, idempotencyKey: requireAction(request.action) };
      const { data, tokens } = await engine.callUnchecked(request.name, request.input, caller);
      answer({ id: request.id, ok: true, data, tokens, requestId });
    } catch (error) {
      answer({ id: request.id, ok: false, error: rpcError(error, requestId) });
    }
  };

  port.addEventListener('message', ({ data }) => {
    if (!isRequest(data)) return;
    if (data.kind === 'read') read(data);
    else if (data.kind === 'call') void call(data);
    else waiting.delete(data.id);
  });
  port.addEventListener('close', () => waiting.clear());
  port.start?.();
}

/** Every press of a priced button has its own key, so that a repeat after a lost answer is charged once. */
function requireAction(action: unknown): string {
  if (typeof action === 'string' && /^[\x21-\x7e]{1,128}$/.test(action)) return action;
  throw new EngineError('validation_error', 'Expected an action of 1 to 128 visible ASCII characters with every call.');
}

function isRequest(data: unknown): data is RpcRequest {
  const request = data as Partial<RpcRequest> | null;
  if (typeof request !== 'object' || request === null || !Number.isSafeInteger(request.id)) return false;
  return (
    request.kind === 'cancel' ||
    ((request.kind === 'read' || request.kind === 'call') && typeof request.name === 'string')
  );
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
