/** The list as a request of the public API. */
import type { ApiRequest } from '../state/copy-request.ts';
import type { CompsInput } from './comps-query.ts';

/** Path of the public API; a test compares it with the operation's own. */
export const compsPath = '/api/public/v1/comps/';

/** A list repeats its name: `point=-71.8&point=44.1`. */
const compsQueryString = (input: CompsInput): string =>
  Object.entries({ ...input, page_size: 500 })
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]))
    .map(([name = '', text = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    .join('&');

export const compsRequest = (input: CompsInput): ApiRequest => ({
  path: `${compsPath}?${compsQueryString(input)}`,
  noun: 'comps',
});
