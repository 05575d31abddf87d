/** Knocks at the HTTP API as a spreadsheet would, without a key: whoever answers as the API does is the API. */
import http from 'node:http';
import Type from 'typebox';
import { noInput, strict, type ValueOf } from '../spec/value-schemas.ts';
import { defineAnswer } from './answers/answer.ts';
import { listenerOf } from './listener-control.ts';

const patienceMilliseconds = 3000;

const output = Type.Object({ works: Type.Boolean(), words: Type.String({ description: 'A whole sentence.' }) }, strict);
type ListenerTest = ValueOf<typeof output>;

export const testListener = defineAnswer({
  name: 'test_listener',
  docs: 'Asks the HTTP API of this window for the usage without a key, and tells whether it answered as it must. Free.',
  input: noInput,
  output,
  run: async (_input, engine) => {
    const { url } = listenerOf(engine).state();
    return url === null ? { works: false, words: 'The API is off.' } : knock(url);
  },
});

async function knock(url: string): Promise<ListenerTest> {
  try {
    const { status, requestId } = await ask(`${url}/api/public/v1/usage/`);
    // The request id is a header of every answer of ours: another program on this port has none.
    if (status === 401 && requestId !== undefined)
      return { works: true, words: `The API answers at ${url}: it asked for a key, as it must.` };
    return { works: false, words: `Something else answers at ${url} (status ${status}).` };
  } catch (error) {
    return { works: false, words: `Nothing answers at ${url}: ${(error as Error).message}.` };
  }
}

const ask = (url: string): Promise<{ status: number; requestId: string | string[] | undefined }> =>
  new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false, timeout: patienceMilliseconds }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, requestId: response.headers['x-request-id'] });
    });
    request.on('timeout', () => request.destroy(new Error('no answer within three seconds')));
    request.on('error', reject);
  });
