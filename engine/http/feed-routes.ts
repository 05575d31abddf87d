/**
 * Serves `/feeds/<secret>/<name>.csv` to spreadsheets, which cannot send headers: the secret in the address opens this one
 * result alone. LibreOffice sends OPTIONS, HEAD and GET in turn, so the first two are free. Web pages are refused as at
 * the public API.
 */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { type Feed, type FeedFormat, feedFormats, findFeed, noteFeedUse } from '../account/feed-store.ts';
import type { Engine } from '../engine.ts';
import { answerFeed, feedLength, feedTag } from '../feeds/feed-answer.ts';
import { feedMediaTypes, packableFormats } from '../feeds/feed-formats.ts';
import { askedFeed } from '../feeds/feed-parameters.ts';
import { EngineError } from '../spec/errors.ts';
import { errorAnswer, type HttpAnswer, isFault, noContent } from './answer.ts';
import { bytesAsked, parseQuery } from './query-string.ts';
import { headerValues } from './raw-headers.ts';
import { allowHeader, type Exchange, free, MethodError, noticeHeader, type Reply, type Route } from './routes.ts';

const allow = allowHeader(['GET', 'HEAD']);

export function feedRoute(engine: Engine): Route {
  return {
    path: '/feeds/:secret/:name',
    operationName: () => 'feed',
    reply: async (exchange) => {
      if (exchange.request.method === 'OPTIONS') return free(noContent({ Allow: allow }));
      const format = formatOf(exchange.pathValues.name ?? '');
      try {
        return await reply(engine, exchange, format);
      } catch (error) {
        return failed(error, exchange, format);
      }
    },
  };
}

/** The format of an address, by its ending; null for an unknown ending. */
function formatOf(name: string): FeedFormat | null {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return ending in feedMediaTypes ? (ending as FeedFormat) : null;
}

async function reply(engine: Engine, exchange: Exchange, format: FeedFormat | null): Promise<Reply> {
  const { request, requestId, target, pathValues } = exchange;
  const found = findFeed(engine.account, pathValues.secret ?? '');
  if (!found || !format || !feedFormats[found.kind].includes(format)) throw unknownFeed(found);
  const method = request.method ?? '';
  if (method !== 'GET' && method !== 'HEAD') throw new MethodError(method, allow);
  const { feed, notices: told } = askedFeed(engine.land, found, parseQuery(target.query));
  const made = feedTag(engine, feed, format);
  const { tag, encoding, ranges, headers } = formOf(request, format, made);
  noteUse(engine, feed);
  if (isKnown(headerValues(request, 'if-none-match'), tag)) return free({ status: 304, headers, body: '' });
  if (method === 'HEAD') {
    // Packing all of it only for its length would cost as much as sending it.
    const length = encoding['Content-Encoding'] ? null : await feedLength(engine, feed, format, made);
    const known = length === null ? {} : { 'Content-Length': String(length) };
    return free({ status: 200, headers: { ...headers, ...encoding, ...known }, body: '' });
  }
  const { body, tokens, rows, notices } = await answerFeed(engine, feed, format, made, requestId);
  const counted = { 'X-Total-Count': String(rows), ...noticeHeader([...told, ...notices]) };
  const packer = encoding['Content-Encoding'];
  const sent = packer === undefined ? body : await packed(body, packer);
  const whole = { status: 200, headers: { ...headers, ...encoding, ...counted }, body: sent };
  return { answer: partOf(whole, bytesAsked(ranges, sent.length)), tokens };
}

const packers = { zstd: promisify(zlib.zstdCompress), gzip: promisify(zlib.gzip) } as const;

type Encoding = keyof typeof packers;

/**
 * The encoding that Accept-Encoding likes best, zstd before gzip (RFC 9110, 12.5.3).
 * @returns null for none: the body goes as it is
 */
function encodingAsked(accepted: readonly string[]): Encoding | null {
  const quality = new Map<string, number>();
  for (const one of accepted.join(',').toLowerCase().split(',')) {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim());
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=')[1];
    // A quality that is no number names nothing.
    quality.set(name, q === undefined ? 1 : Number(q) || 0);
  }
  const qualityOf = (name: string): number => quality.get(name) ?? quality.get('*') ?? 0;
  const best: Encoding = qualityOf('zstd') >= qualityOf('gzip') ? 'zstd' : 'gzip';
  return qualityOf(best) > 0 && qualityOf(best) >= (quality.get('identity') ?? 0) ? best : null;
}

/** Runs beside the event loop. */
const packed = (body: Buffer, encoding: Encoding): Promise<Buffer> => packers[encoding](body);

/** In which form an answer goes, with a tag for each (RFC 9110, 8.8.3). */
interface Form {
  readonly tag: string;
  readonly encoding: { readonly 'Content-Encoding'?: Encoding };
  /** Ranges of the plain bytes that may be answered. */
  readonly ranges: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** @param made the tag of the plain bytes */
function formOf(request: IncomingMessage, format: FeedFormat, made: string): Form {
  const asked = headerValues(request, 'range');
  const isPackable = packableFormats.has(format);
  const encoding = isPackable && asked.length === 0 ? encodingAsked(headerValues(request, 'accept-encoding')) : null;
  const tag = encoding === null ? made : made.replace(/"$/, `-${encoding}"`);
  const ifRange = headerValues(request, 'if-range')[0] ?? made;
  return {
    tag,
    encoding: encoding === null ? {} : { 'Content-Encoding': encoding },
    ranges: ifRange === made ? asked : [],
    headers: {
      'Content-Type': feedMediaTypes[format],
      ETag: tag,
      // A program may keep the answer but revalidates it each time.
      'Cache-Control': 'no-cache',
      ...(isPackable ? { Vary: 'Accept-Encoding' } : {}),
      ...(encoding === null ? { 'Accept-Ranges': 'bytes' } : {}),
    },
  };
}

type WholeAnswer = HttpAnswer & { readonly body: Buffer };

/** RFC 9110, 14: one range of bytes is answered by itself; several are answered by the whole. */
function partOf(whole: WholeAnswer, asked: ReturnType<typeof bytesAsked>): HttpAnswer {
  if (asked === null) return whole;
  const size = whole.body.length;
  if (asked === 'none') {
    return { status: 416, headers: { ...whole.headers, 'Content-Range': `bytes */${size}` }, body: '' };
  }
  const { from, to } = asked;
  const headers = { ...whole.headers, 'Content-Range': `bytes ${from}-${to}/${size}` };
  return { status: 206, headers, body: whole.body.subarray(from, to + 1) };
}

/** A full disk or a locked file must not stop reads; a charge that cannot be written still stops the feed. */
function noteUse(engine: Engine, feed: Feed): void {
  try {
    noteFeedUse(engine.account, feed, engine.now());
  } catch {
    // Only Settings shows the time of the last use.
  }
}

/** If-None-Match (RFC 9110, 13.1.2): a list of tags, weak or strong, or a star. */
const isKnown = (given: readonly string[], tag: string): boolean =>
  given
    .join(',')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === tag || one === '*');

function unknownFeed(feed: Feed | null): EngineError {
  if (!feed) return new EngineError('not_found', 'There is no feed at this address: it may have been revoked.');
  const endings = feedFormats[feed.kind].map((format) => `.${format}`).join(', ');
  return new EngineError('not_found', `This feed has the endings ${endings}.`);
}

/** Answers the error in the requested format, so that a spreadsheet shows it as a row or a cell. */
function failed(error: unknown, { requestId }: Exchange, format: FeedFormat | null): Reply & { error?: unknown } {
  const shape = format === 'csv' ? 'csv' : 'json';
  const answer = errorAnswer(error, requestId, shape);
  const allowed = error instanceof MethodError ? { Allow: error.allow } : {};
  const shown = format === 'txt' ? textOf(answer, error) : answer;
  return { ...free({ ...shown, headers: { ...shown.headers, ...allowed } }), ...(isFault(error) ? { error } : {}) };
}

const textOf = (answer: HttpAnswer, error: unknown): HttpAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'Content-Type': feedMediaTypes.txt },
  body: error instanceof EngineError && !isFault(error) ? error.message : 'Something went wrong inside Platbook.',
});
