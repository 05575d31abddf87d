/**
 * Serves `/feeds/<secret>/<name>.csv` to spreadsheets, which cannot send headers: the secret in the address opens this one
 * result alone. LibreOffice sends OPTIONS, HEAD and GET in turn, so the first two are free. Web pages are refused as at
 * the public API.
 */
import { type Feed, type FeedFormat, feedFormats, findFeed, noteFeedUse } from '../account/feed-store.ts';
import type { Engine } from '../engine.ts';
import { answerFeed, feedLength, feedTag } from '../feeds/feed-answer.ts';
import { feedMediaTypes } from '../feeds/feed-formats.ts';
import { getPropertyAiCompValue } from '../operations/get-property-ai-comp-value.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { findProblems } from '../spec/validate.ts';
import { errorAnswer, type HttpAnswer, isFault, noContent } from './answer.ts';
import { bytesAsked, parseQuery, repeatedWords } from './query-string.ts';
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
  const feed = withParameters(found, parseQuery(target.query));
  const tag = feedTag(engine, feed, format);
  // `no-cache`: a program may keep the answer but revalidates it each time.
  const headers = {
    'Content-Type': feedMediaTypes[format],
    ETag: tag,
    'Cache-Control': 'no-cache',
    'Accept-Ranges': 'bytes',
  };
  noteUse(engine, feed);
  if (isKnown(headerValues(request, 'if-none-match'), tag)) return free({ status: 304, headers, body: '' });
  if (method === 'HEAD') {
    const length = await feedLength(engine, feed, format, tag);
    const known = length === null ? {} : { 'Content-Length': String(length) };
    return free({ status: 200, headers: { ...headers, ...known }, body: '' });
  }
  const { body, tokens, rows, notices } = await answerFeed(engine, feed, format, tag, requestId);
  const told = { 'X-Total-Count': String(rows), ...noticeHeader(notices) };
  const whole = { status: 200, headers: { ...headers, ...told }, body };
  const ifRange = headerValues(request, 'if-range')[0] ?? tag;
  const range = ifRange === tag ? headerValues(request, 'range') : [];
  return { answer: partOf(whole, bytesAsked(range, body.length)), tokens };
}

/**
 * The feed that an address with parameters means: those of a value without a parcel of its own take `id`, others none.
 * @throws EngineError validation_error
 */
function withParameters(feed: Feed, query: ReadonlyMap<string, readonly string[]>): Feed {
  const takesId = feed.kind === 'value' && feed.input.id === undefined;
  const unknown = [...query.keys()].filter((name) => !takesId || name !== 'id');
  if (unknown.length > 0) {
    const takes = takesId ? 'id, the number of a parcel' : 'no parameters';
    throw validationError(
      Object.fromEntries(unknown.map((name) => [name, [`unknown parameter; this feed takes ${takes}`]])),
    );
  }
  if (!takesId) return feed;
  const given = query.get('id') ?? [];
  const [text = ''] = given;
  if (given.length > 1) throw validationError({ id: [repeatedWords(given.length)] });
  const id = /^\d{1,16}$/.test(text) ? Number(text) : text;
  const problems = findProblems(getPropertyAiCompValue.input, { id });
  if (problems) throw validationError(problems);
  return { ...feed, input: { ...feed.input, id } };
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
