/** Calls the HTTP API without a key, as a spreadsheet would: an answer in the API's form comes from the API. */
import http from 'node:http';
import Type from 'typebox';
import { noInput, strict, type ValueOf } from '../spec/value-schemas.ts';
import { listenerOf } from '../work/listener-control.ts';
import { defineRead } from './read.ts';

const patienceMilliseconds = 3000;

const output = Type.Object({ works: Type.Boolean(), words: Type.String({ description: 'A whole sentence.' }) }, strict);
type ListenerTest = ValueOf<typeof output>;

export const testListener = defineRead({
  name: 'test_listener',
  docs: 'Requests the usage from this window’s HTTP API without a key, and reports whether the answer is right. Free.',
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
    // All our answers carry a request id in a header: another program on this port sends none.
    if (status === 401 && requestId !== undefined)
      return { works: true, words: `The API answers at ${url}: it asked for a key, as it should.` };
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
