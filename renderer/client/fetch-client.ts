/** The engine over the private routes of the listener that served the page. */
import { ClientError, type EngineClient } from './engine-client.ts';

interface WireError {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly details?: Record<string, string[]>;
}

interface Answered {
  readonly body: {
    readonly data?: unknown;
    readonly tokens?: number;
    readonly undo?: { readonly entry: number; readonly sentence: string } | null;
    readonly error?: WireError;
  };
  readonly requestId: string;
}

/** @param base where the routes are; for tests. Empty: the page's own origin */
export function fetchClient(base = '', send: typeof fetch = fetch): EngineClient {
  const post = async (path: string, input: unknown, init: RequestInit = {}): Promise<Answered> => {
    const response = await reach(() =>
      send(`${base}/app/${path}`, {
        ...init,
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...init.headers },
        body: JSON.stringify(input),
      }),
    );
    const requestId = response.headers.get('x-request-id') ?? '';
    const body = (await reach(() => response.json())) as Answered['body'];
    if (body.error) throw clientError(body.error, requestId);
    return { body, requestId };
  };
  const get = async (path: string, signal: AbortSignal | undefined): Promise<Response> => {
    const response = await reach(() => send(`${base}/app/${path}`, signal ? { signal } : {}));
    if (response.ok) return response;
    const { error } = (await reach(() => response.json())) as Answered['body'];
    throw clientError(error ?? noError, response.headers.get('x-request-id') ?? '');
  };
  return {
    call: async (operation, input, { action }) => {
      const { body, requestId } = await post(`call/${operation}`, input, { headers: { 'Idempotency-Key': action } });
      return { data: body.data as never, tokens: body.tokens ?? 0, requestId };
    },
    read: async (name, input, { signal } = {}) =>
      (await post(`read/${name}`, input, signal ? { signal } : {})).body.data as never,
    change: async (name, input, { signal } = {}) => {
      const { body } = await post(`change/${name}`, input, signal ? { signal } : {});
      return { data: body.data as never, undo: body.undo ?? null };
    },
    tile: async (source, z, x, y, { signal } = {}) => {
      const response = await get(`tile/${encodeURIComponent(source)}/${z}/${x}/${y}`, signal);
      return reach(() => response.arrayBuffer());
    },
    photo: async (id, { signal } = {}) => {
      const response = await get(`photo/${id}`, signal);
      return reach(() => response.blob());
    },
    openSample: async () => ((await post('open-sample', {})).body.data as { link: string }).link,
    openHome: async () => ((await post('open-home', {})).body.data as { link: string }).link,
  };
}

const clientError = ({ code, message, details }: WireError, requestId: string): ClientError =>
  new ClientError(code, message, { requestId, details: details ?? null });

const noError: WireError = { code: 'internal_error', message: 'Platbook answered without a reason.', request_id: '' };

/** Passes an abort through; turns everything else that prevents an answer into one error a screen can show. */
async function reach<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ClientError(
      'unreachable',
      'Platbook does not respond: it may have been stopped. Start it again, then try again.',
    );
  }
}
