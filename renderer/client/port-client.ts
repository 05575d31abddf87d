/** The engine over a MessagePort, for the desktop app. */
import type { MessagePortLike, PhotoBytes, RpcAnswer, RpcRequest } from '../../engine/rpc/messages.ts';
import { ClientError, type EngineClient } from './engine-client.ts';

interface Pending {
  readonly resolve: (answer: Extract<RpcAnswer, { ok: true }>) => void;
  readonly reject: (reason: unknown) => void;
}

type Unnumbered = RpcRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never;

export function portClient(port: MessagePortLike): EngineClient {
  const pending = new Map<number, Pending>();
  let latest = 0;
  let isClosed = false;

  const gone = () =>
    new ClientError(
      'port_closed',
      'The part of Platbook that reads the files has stopped. Nothing was lost; try again.',
    );

  port.addEventListener('message', ({ data }) => {
    const answer = data as RpcAnswer;
    const waiting = pending.get(answer.id);
    if (!waiting) return;
    pending.delete(answer.id);
    if (answer.ok) waiting.resolve(answer);
    else {
      const { code, message, request_id: requestId, details } = answer.error;
      waiting.reject(new ClientError(code, message, { requestId, details: details ?? null }));
    }
  });
  port.addEventListener('close', () => {
    isClosed = true;
    for (const { reject } of pending.values()) reject(gone());
    pending.clear();
  });
  port.start?.();

  const ask = (request: Unnumbered, signal?: AbortSignal): Promise<Extract<RpcAnswer, { ok: true }>> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(gone());
      if (signal?.aborted) return reject(signal.reason);
      latest += 1;
      const id = latest;
      pending.set(id, { resolve, reject });
      signal?.addEventListener('abort', () => {
        if (!pending.delete(id)) return;
        port.postMessage({ id, kind: 'cancel' } satisfies RpcRequest);
        reject(signal.reason);
      });
      port.postMessage({ ...request, id });
    });

  return {
    call: async (name, input, { action }) => {
      const { data, tokens, requestId } = await ask({ kind: 'call', name, input, action });
      return { data: data as never, tokens, requestId };
    },
    read: async (name, input, { signal } = {}) => (await ask({ kind: 'read', name, input }, signal)).data as never,
    change: async (name, input, { signal } = {}) => {
      const { data, undo } = await ask({ kind: 'change', name, input }, signal);
      return { data: data as never, undo: undo ?? null };
    },
    tile: async (source, z, x, y, { signal } = {}) => {
      const { data } = await ask({ kind: 'tile', source, z, x, y }, signal);
      return data === null ? new ArrayBuffer(0) : exactBuffer(data as Uint8Array<ArrayBuffer>);
    },
    photo: async (photo, { signal } = {}) => {
      const { bytes, mediaType } = (await ask({ kind: 'photo', photo }, signal)).data as PhotoBytes;
      return new Blob([bytes], { type: mediaType });
    },
    openSample: () => Promise.reject(new ClientError('not_found', 'The sample county is opened by the app itself.')),
    openHome: () => Promise.reject(new ClientError('not_found', 'Your own home is opened by the app itself.')),
  };
}

/** Only its own bytes: a view may be part of a larger buffer. */
const exactBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer =>
  byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
