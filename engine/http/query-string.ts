/** Parses query strings strictly: what does not decode is an error. Order and repeats are kept for page links. */
import { nonFieldErrors, validationError } from '../spec/errors.ts';

/** More than any operation takes; each unknown name costs a search for similar ones. */
const maximumParameters = 200;

export interface Target {
  /** As sent, still percent-encoded. */
  readonly path: string;
  readonly query: string;
}

export function splitTarget(url: string): Target {
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

/**
 * Values by name, in the order sent.
 * @throws EngineError validation_error
 */
export function parseQuery(query: string): Map<string, string[]> {
  const parts = query.split('&').filter((part) => part !== '');
  if (parts.length > maximumParameters) {
    throw validationError({
      [nonFieldErrors]: [`expected at most ${maximumParameters} query parameters, found ${parts.length}`],
    });
  }
  const values = new Map<string, string[]>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals), part);
    const value = equals === -1 ? '' : decode(part.slice(equals + 1), part);
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return values;
}

export const repeatedWords = (times: number): string => `expected once, found ${times} times`;

/**
 * The bytes that a Range header asks for, first and last.
 * @returns null: the whole is to be sent (no range, several, or another unit); `none`: there are no such bytes
 */
export function bytesAsked(
  range: readonly string[],
  size: number,
): { readonly from: number; readonly to: number } | 'none' | null {
  const found = range.length === 1 ? /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range[0] ?? '') : null;
  const [, first = '', last = ''] = found ?? [];
  if (first === '' && last === '') return null;
  // `-500`: the last 500 bytes.
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < from) return null;
  return from > to ? 'none' : { from, to };
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    const shown = part.length > 60 ? `${part.slice(0, 60)}…` : part;
    throw validationError({
      [nonFieldErrors]: [`expected a query string in percent-encoded UTF-8, found ${JSON.stringify(shown)}`],
    });
  }
}

/** URL of another page of the same request: all parameters stay in order, repeated ones too; only `page` changes. */
export function pageUrl(origin: string, { path, query }: Target, page: number): string {
  const parameters = new URLSearchParams(query);
  parameters.set('page', String(page));
  return `${origin}${path.endsWith('/') ? path : `${path}/`}?${parameters}`;
}
