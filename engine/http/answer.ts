/** Builds HTTP answers: status, own headers, body, and the headers that every answer has. */
import type { Readable } from 'node:stream';
import { asInternalError, EngineError, nonFieldErrors, type WireErrorCode, wireErrors } from '../spec/errors.ts';
import { csvText } from './csv.ts';
import type { RateLimit } from './rate-limit.ts';

export type Format = 'json' | 'csv';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream if the content may not fit into memory. */
  readonly body: string | Buffer | Readable;
}

/** An answer that can be written without a request. */
interface TextAnswer extends HttpAnswer {
  readonly body: string;
}

export const mediaTypes: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

const empty = (status: number, headers: Record<string, string> = {}): HttpAnswer => ({ status, headers, body: '' });

/** 204: answers OPTIONS, and operations without a result. */
export const noContent = (headers?: Record<string, string>): HttpAnswer => empty(204, headers);

export const jsonAnswer = (status: number, data: unknown): HttpAnswer => ({
  status,
  headers: { 'Content-Type': mediaTypes.json },
  body: JSON.stringify(data),
});

/** The error if it has a wire code; internal_error for any other, which says of a full or locked disk what it is, and no text from inside. */
function wireError(error: unknown): EngineError & { readonly code: WireErrorCode } {
  const known = error instanceof EngineError && error.code in wireErrors;
  return (known ? error : asInternalError(error)) as EngineError & { readonly code: WireErrorCode };
}

/** Whether an error is a fault of Platbook, to be logged. */
export const isFault = (error: unknown): boolean => wireError(error).code === 'internal_error';

export function errorAnswer(error: unknown, requestId: string, format: Format = 'json'): TextAnswer {
  const { code, message, details, retryAfterSeconds, limit } = wireError(error);
  const { status } = wireErrors[code];
  const headers: Record<string, string> = { 'Content-Type': mediaTypes[format] };
  if (code === 'rate_limited') headers['Retry-After'] = String(retryAfterSeconds ?? 1);
  // The listener's own limit, in the common headers, did not refuse this call.
  if (limit !== undefined) Object.assign(headers, rateHeaders(limit, 0, retryAfterSeconds ?? 1));
  // RFC 9110 asks for it with every 401.
  if (code === 'unauthorized') headers['WWW-Authenticate'] = 'Bearer realm="platbook"';
  if (format === 'csv') return { status, headers, body: csvText(errorColumns, [{ error: status, code, message }]) };
  const shownDetails = code === 'validation_error' ? { details: details ?? { [nonFieldErrors]: [message] } } : {};
  return {
    status,
    headers,
    body: JSON.stringify({ error: { code, message, request_id: requestId, ...shownDetails } }),
  };
}

const errorColumns = ['error', 'code', 'message'];

const rateHeaders = (limit: number, remaining: number, resetSeconds: number): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(resetSeconds),
});

/** The headers of every answer, errors too. */
export const commonHeaders = (requestId: string, tokens: number, rate: RateLimit): Record<string, string> => ({
  'X-Request-Id': requestId,
  'X-Tokens-Used': String(tokens),
  ...rateHeaders(rate.limit, rate.remaining, rate.resetSeconds),
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});

/** The bytes of an answer without a request object: what arrived was not HTTP. */
export function rawAnswer(answer: TextAnswer, common: Readonly<Record<string, string>>): string {
  const headers = { ...common, ...answer.headers, 'Content-Length': String(Buffer.byteLength(answer.body)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} Refused\r\n${lines.join('')}Connection: close\r\n\r\n${answer.body}`;
}
