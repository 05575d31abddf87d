/** R8 of docs/reliability.md, "What must hold": hostile requests, byte by byte. Every refusal is in the envelope, nothing is charged, and controls pass. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../engine/account/api-keys.ts';
import { wireErrors } from '../../engine/spec/errors.ts';
import { fixtureFips } from '../support/fixture-home.ts';
import { type RawResponse, type Serving, splitAnswers, startServing } from './client.ts';

let it: Serving;
let revoked: string;
beforeAll(async () => {
  it = await startServing();
  revoked = it.makeKey(['read']);
  revokeKey(it.engine.account, 2, it.engine.now());
});
afterAll(() => it.stop());

const body = JSON.stringify({ county: fixtureFips });

/** `{HOST}`, `{PORT}`, `{KEY}`, `{REVOKED}` are placeholders for the server's own. */
const filled = (text: string): string =>
  text
    .replaceAll('{HOST}', `127.0.0.1:${it.server.port}`)
    .replaceAll('{PORT}', String(it.server.port))
    .replaceAll('{KEY}', it.key)
    .replaceAll('{REVOKED}', revoked);

interface Parts {
  readonly line?: string;
  readonly host?: readonly string[];
  readonly auth?: readonly string[];
  readonly more?: readonly string[];
  readonly length?: readonly string[];
  readonly body?: string;
}

/** A filter request that would be answered, with some of its parts replaced. */
const request = (parts: Parts = {}): string =>
  [
    parts.line ?? 'POST /api/public/v1/properties/filter/ HTTP/1.1',
    ...(parts.host ?? ['Host: {HOST}']),
    ...(parts.auth ?? ['Authorization: Bearer {KEY}']),
    ...(parts.more ?? []),
    ...(parts.length ?? [`Content-Length: ${Buffer.byteLength(parts.body ?? body)}`]),
    '',
    parts.body ?? body,
  ].join('\r\n');

const host = (...values: string[]): Parts => ({ host: values.map((value) => `Host: ${value}`) });
const more = (...lines: string[]): Parts => ({ more: lines });
const auth = (...values: string[]): Parts => ({ auth: values.map((value) => `Authorization: ${value}`) });
const chunked = (chunks: string, ...lines: string[]): Parts => ({
  length: [...lines, 'Transfer-Encoding: chunked'],
  body: chunks,
});
const wholeChunk = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;

function expectEnvelope({ status, head, body: text }: RawResponse): void {
  const { error } = JSON.parse(text);
  expect(Object.hasOwn(wireErrors, error.code)).toBe(true);
  expect(wireErrors[error.code as keyof typeof wireErrors].status).toBe(status);
  expect(head).toMatch(/^x-request-id: [\x21-\x7e]+$/im);
  expect(head).toMatch(new RegExp(`^x-request-id: ${error.request_id}$`, 'im'));
  expect(head).toMatch(/^x-tokens-used: 0$/im);
  expect(head).toMatch(/^x-ratelimit-remaining: \d+$/im);
  expect(head).toMatch(/^content-type: application\/json; charset=utf-8$/im);
  expect(head).not.toMatch(/^access-control-/im);
}

// Java's client sends it with every first request; it is passed over.
const http2Offer = more('Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAAA');

const controls: [string, Parts][] = [
  ['a plain request', {}],
  ['an offer of HTTP/2', http2Offer],
  ['localhost', host('localhost:{PORT}')],
  ['a header name in any case', { host: ['hOST: {HOST}'] }],
  ['Sec-Fetch-Site: none', more('Sec-Fetch-Site: none')],
  ['Sec-Fetch-Site: same-origin', more('Sec-Fetch-Site: same-origin')],
  ['a chunked body', chunked(wholeChunk)],
  ['a chunk extension', chunked(wholeChunk.replace('\r\n', ';a=b\r\n'))],
  ['an expectation that is unknown', more('Expect: the-unexpected')],
  [
    'a method override, which means nothing here',
    more('X-HTTP-Method-Override: DELETE', 'X-Forwarded-Host: evil.example'),
  ],
  ['a cookie, which means nothing here', more('Cookie: key=plat_x')],
  ['a referer', more('Referer: http://evil.example/')],
  ['HTTP/1.0 with a Host', { line: 'POST /api/public/v1/properties/filter/ HTTP/1.0' }],
];

test.each(controls)('control: %s is answered', async (_name, parts) => {
  const answers = splitAnswers(await it.sendRaw(filled(request(parts))));
  expect(answers.map(({ status }) => status)).toEqual([200]);
  expect(JSON.parse(Buffer.from(answers[0]?.body ?? '', 'latin1').toString('utf8')).count).toBe(50);
  expect(answers[0]?.head).toMatch(/^x-tokens-used: 30$/im);
});

const filterLine = (target: string, method = 'POST') => ({ line: `${method} ${target} HTTP/1.1` });
const path = '/api/public/v1/properties/filter/';

const hostile: Record<string, [string, Parts | string, number][]> = {
  Host: [
    ['none', { host: [] }, 403],
    ['none, HTTP/1.0', { host: [], line: `POST ${path} HTTP/1.0` }, 403],
    ['empty', host(''), 403],
    ['a name', host('evil.example'), 403],
    ['a name with our port', host('evil.example:{PORT}'), 403],
    ['no port', host('127.0.0.1'), 403],
    ['another port', host('127.0.0.1:1'), 403],
    ['a port with a zero before', host('127.0.0.1:0{PORT}'), 403],
    ['a dot at the end', host('localhost.:{PORT}'), 403],
    ['a name that ends so', host('evil.localhost:{PORT}'), 403],
    ['a name that begins so', host('127.0.0.1:{PORT}.evil.example'), 403],
    ['a user part', host('evil.example@{HOST}'), 403],
    ['a path', host('{HOST}/'), 403],
    ['two in one', host('{HOST}, evil.example'), 403],
    ['IPv6', host('[::1]:{PORT}'), 403],
    ['all interfaces', host('0.0.0.0:{PORT}'), 403],
    ['a short address', host('127.1:{PORT}'), 403],
    ['a number', host('2130706433:{PORT}'), 403],
    ['another loopback address', host('127.0.0.2:{PORT}'), 403],
    ['twice, the same', host('{HOST}', '{HOST}'), 403],
    ['twice, ours first', host('{HOST}', 'evil.example'), 403],
    ['twice, ours last', host('evil.example', '{HOST}'), 403],
  ],
  Origin: [
    ['another site', more('Origin: http://evil.example'), 403],
    ['null', more('Origin: null'), 403],
    ['our own', more('Origin: http://{HOST}'), 403],
    ['empty', more('Origin:'), 403],
    ['in capitals', more('ORIGIN: http://evil.example'), 403],
    [
      'a preflight',
      {
        line: `OPTIONS ${path} HTTP/1.1`,
        more: ['Origin: http://evil.example', 'Access-Control-Request-Method: POST'],
      },
      403,
    ],
    [
      'a preflight of a private network',
      { line: `OPTIONS ${path} HTTP/1.1`, more: ['Origin: null', 'Access-Control-Request-Private-Network: true'] },
      403,
    ],
  ],
  'Sec-Fetch-Site': [
    ['cross-site', more('Sec-Fetch-Site: cross-site'), 403],
    ['same-site', more('Sec-Fetch-Site: same-site'), 403],
    ['empty', more('Sec-Fetch-Site:'), 403],
    ['capitals', more('Sec-Fetch-Site: None'), 403],
    ['twice', more('Sec-Fetch-Site: none', 'Sec-Fetch-Site: cross-site'), 403],
    ['twice, the same', more('Sec-Fetch-Site: none', 'Sec-Fetch-Site: none'), 403],
    ['twice, joined', more('Sec-Fetch-Site: none, cross-site'), 403],
  ],
  target: [
    ['another host', filterLine(`http://evil.example${path}`), 403],
    ['our own host, absolute', filterLine(`http://{HOST}${path}`), 403],
    ['without a slash', filterLine('api/public/v1/properties/filter/'), 400],
    ['two slashes', filterLine(`//evil.example${path}`), 404],
    ['upwards', filterLine('/api/public/v1/../v1/properties/filter/'), 404],
    ['upwards, encoded', filterLine('/api/public/v1/%2e%2e/v1/properties/filter/'), 404],
    ['an encoded slash', filterLine('/api/public/v1/properties%2ffilter/'), 404],
    ['a null byte', filterLine('/api/public/v1/properties/filter/%00'), 404],
    ['an asterisk', { line: 'OPTIONS * HTTP/1.1' }, 404],
    ['too long', filterLine(`${path}?x=${'a'.repeat(9000)}`), 400],
    ['bytes above ASCII', filterLine(`${path}\xff\xfe`), 400],
  ],
  Authorization: [
    ['none', { auth: [] }, 401],
    ['empty', auth(''), 401],
    ['Basic', auth('Basic {KEY}'), 401],
    ['no scheme', auth('{KEY}'), 401],
    ['revoked', auth('Bearer {REVOKED}'), 401],
    ['capitals', auth('Bearer PLAT_AAAAAAAA'), 401],
    ['twice, the same', auth('Bearer {KEY}', 'Bearer {KEY}'), 401],
    ['twice, one false', auth('Bearer plat_x', 'Bearer {KEY}'), 401],
    ['a quoted key', auth('Bearer "{KEY}"'), 401],
    ['a tab for the space', auth('Bearer\t{KEY}'), 401],
    [
      'in another header',
      { auth: ['X-Api-Key: {KEY}', 'Proxy-Authorization: Bearer {KEY}', 'Cookie: key={KEY}'] },
      401,
    ],
    ['in the URL', { ...filterLine(`${path}?key={KEY}`), auth: [] }, 401],
    ['a space before the colon', { auth: ['Authorization : Bearer {KEY}'] }, 400],
    ['a null byte', auth('Bearer {KEY}\0'), 400],
    ['SQL', auth("Bearer plat_' OR 1=1 --"), 401],
  ],
  method: [
    ['DELETE', filterLine(path, 'DELETE'), 405],
    ['TRACE', filterLine(path, 'TRACE'), 405],
    ['GET without the filter in q', filterLine(path, 'GET'), 400],
    ['an unknown one', filterLine(path, 'FETCH'), 400],
    ['small letters', filterLine(path, 'post'), 400],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: {HOST}\r\n\r\n', 400],
    ['none', filterLine('', ''), 400],
  ],
  smuggling: [
    ['length and chunks', chunked(wholeChunk, 'Content-Length: 5'), 400],
    ['chunks and length', { length: ['Transfer-Encoding: chunked', 'Content-Length: 5'], body: wholeChunk }, 400],
    ['two lengths', { length: ['Content-Length: 18', 'Content-Length: 0'] }, 400],
    ['two lengths in one', { length: ['Content-Length: 18, 18'] }, 400],
    ['a negative length', { length: ['Content-Length: -1'] }, 400],
    ['a length with a plus', { length: ['Content-Length: +18'] }, 400],
    ['a length in hex', { length: ['Content-Length: 0x12'] }, 400],
    ['a huge length', { length: ['Content-Length: 99999999999999999999'] }, 400],
    ['an unknown encoding', { length: ['Transfer-Encoding: xchunked'], body: wholeChunk }, 400],
    ['chunked not last', { length: ['Transfer-Encoding: chunked, identity'], body: wholeChunk }, 400],
    ['a folded header', { length: ['Transfer-Encoding:', ' chunked'], body: wholeChunk }, 400],
    ['a bad chunk size', chunked('zz\r\n{}\r\n0\r\n\r\n'), 400],
    ['a chunk that is too long', chunked(`2\r\n${body}\r\n0\r\n\r\n`), 400],
    ['a header without a colon', more('Transfer-Encoding chunked'), 400],
    ['a header that begins with a space', { host: [' Host: {HOST}'] }, 400],
    ['a bare CR in a header', more('X: a\rTransfer-Encoding: chunked'), 400],
    ['a bare LF after the line', `POST ${path} HTTP/1.1\nHost: {HOST}\n\n`, 400],
    ['a null byte in a header', more('X: a\0b'), 400],
    ['a body cut off', { length: ['Content-Length: 100'] }, 400],
    ['headers cut off', `POST ${path} HTTP/1.1\r\nHost: {HOST}\r\nContent-`, 400],
    ['too many headers', more(...Array.from({ length: 400 }, (_, n) => `X-${n}: ${'a'.repeat(30)}`)), 400],
  ],
  protocol: [
    [
      'a web socket',
      more('Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 13'),
      400,
    ],
    ['HTTP/2 by upgrade from a stranger', { ...http2Offer, ...host('evil.example') }, 403],
    ['HTTP/2 at once', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['HTTP/0.9, which knows no Host', `GET ${path}\r\n\r\n`, 403],
    ['HTTP/9.9', `GET ${path} HTTP/9.9\r\nHost: {HOST}\r\n\r\n`, 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['noise', '\x00\xff\xfe\x01garbage\r\n\r\n', 400],
    ['a redis command', '*1\r\n$4\r\nPING\r\n', 400],
    ['mail', 'EHLO evil.example\r\n', 400],
  ],
};

test('there are at least forty of them', () => {
  expect(Object.values(hostile).flat().length).toBeGreaterThanOrEqual(40);
});

describe.each(Object.entries(hostile))('%s', (_group, cases) => {
  test.each(cases)('%s', async (_name, parts, status) => {
    const before = it.charged();
    const text = filled(typeof parts === 'string' ? parts : request(parts));
    const answers = splitAnswers(await it.sendRaw(Buffer.from(text, 'latin1')));
    expect(answers.length).toBeGreaterThan(0);
    expect(answers[0]?.status, answers[0]?.body).toBe(status);
    for (const answer of answers) expectEnvelope(answer);
    expect(it.charged()).toBe(before);
  });
});

describe('several requests on one connection', () => {
  test('are answered in their order', async () => {
    const text = filled(
      request() + request({ ...filterLine('/nothing'), auth: [] }) + request(host('evil.example')) + request(),
    );
    expect(splitAnswers(await it.sendRaw(text)).map(({ status }) => status)).toEqual([200, 404, 403, 200]);
  });

  test('a whole one is answered before the broken bytes after it', async () => {
    const before = it.charged();
    const answers = splitAnswers(await it.sendRaw(filled(`${request()}GARBAGE\r\n\r\n`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    if (answers[1]) expectEnvelope(answers[1]);
    expect(it.charged() - before).toBe(30);
  });

  test('a second request hidden in a body is never run', async () => {
    const before = it.charged();
    const hidden = request();
    const answers = splitAnswers(
      await it.sendRaw(filled(request({ ...filterLine('/api/public/v1/usage/', 'GET'), body: filled(hidden) }))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200]);
    expect(it.charged()).toBe(before);
  });

  test('a body that is too large is refused, and the connection goes on', async () => {
    const large = request({ body: ' '.repeat(1024 * 1024 + 1) });
    const answers = splitAnswers(await it.sendRaw(filled(large + request())));
    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
  });
});

test('nothing of it was a fault', () => {
  expect(it.faults).toEqual([]);
  expect(it.lines.filter(({ status }) => status >= 500)).toEqual([]);
});
