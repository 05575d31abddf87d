/**
 * The private routes, for the app in a browser. A one-time link sets a cookie; the cookie opens operations (charged, mode
 * `app`), free reads, changes, tiles and pages. API keys are not accepted here, nor the cookie at the public API.
 */
import type { IncomingMessage } from 'node:http';
import type { Engine } from '../engine.ts';
import { operationsByName } from '../operations/index.ts';
import { apiBase, statusOf } from '../operations/operation.ts';
import { runRead } from '../reads/index.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { mostPhotoBytes } from '../spec/field-limits.ts';
import { getTile } from '../tiles/index.ts';
import { runChange } from '../work/index.ts';
import { keepOutcome } from '../work/store-outcome.ts';
import { type HttpAnswer, jsonAnswer, noContent } from './answer.ts';
import { answerDownload, answerPhoto, answerPrint } from './app-downloads.ts';
import { tellingLocal } from './app-errors.ts';
import { type AppSessions, sessionCookie } from './app-sessions.ts';
import { parseJsonBody, readBody } from './json-body.ts';
import { headerValues, isVisibleText } from './raw-headers.ts';
import { allowHeader, type Exchange, free, type Reply, type Route, requireMethod } from './routes.ts';
import { pageHeaders, type StaticFile } from './static-files.ts';

export interface AppDoor {
  readonly sessions: AppSessions;
  /** Folder of the built pages; if it is missing, the page says how to build it. */
  readonly rendererFolder: string;
  /** Opens the sample county in its own home and listener and returns its link; absent: not offered. */
  readonly openSample?: () => Promise<string>;
  /** For the sample: opens the user's own home, created if missing, and returns its link. */
  readonly openHome?: () => Promise<string>;
}

/** @param files the built pages */
export function appRoutes(engine: Engine, door: AppDoor, files: readonly StaticFile[]): Route[] {
  return [
    linkRoute(door),
    pageRoute(door, files),
    ...files.filter((file) => file.path !== '/index.html').map(fileRoute),
    guarded(door, '/app/call/:operation', (exchange) => callOperation(engine, exchange)),
    guarded(door, '/app/read/:read', (exchange) => answerRead(engine, exchange)),
    guarded(door, '/app/change/:change', (exchange) => makeChange(engine, exchange)),
    guarded(door, '/app/tile/:source/:z/:x/:y', (exchange) => answerTile(engine, exchange), 'GET'),
    guarded(door, '/app/download/:file', async (exchange) => answerDownload(engine, exchange), 'GET'),
    guarded(door, '/app/print/:file', async (exchange) => answerPrint(engine, exchange), 'GET'),
    guarded(door, '/app/photo/:photo', async (exchange) => answerPhoto(engine, exchange), 'GET'),
    guarded(door, '/app/open-sample', () =>
      openOther(door.openSample, 'The sample county cannot be opened from here.'),
    ),
    guarded(door, '/app/open-home', () => openOther(door.openHome, noOwnHome)),
  ];
}

/** @throws EngineError unauthorized without the cookie of the app */
function requireSession({ sessions }: AppDoor, request: IncomingMessage): void {
  if (sessions.has(request)) return;
  throw new EngineError(
    'unauthorized',
    'This window has no session of the running Platbook. Press Enter where Platbook runs: it prints a new link.',
  );
}

const guarded = (
  door: AppDoor,
  path: string,
  reply: (exchange: Exchange) => Promise<Reply>,
  method: 'GET' | 'POST' = 'POST',
): Route => ({
  path,
  door: 'own-pages',
  operationName: () => path,
  reply: async (exchange) => {
    if (exchange.request.method === 'OPTIONS') return free(noContent({ Allow: allowHeader([method]) }));
    requireSession(door, exchange.request);
    requireMethod(exchange.request, [method]);
    return tellingLocal(exchange.requestId, () => reply(exchange));
  },
});

async function callOperation(engine: Engine, { request, requestId, pathValues }: Exchange): Promise<Reply> {
  const body = await readBody(request);
  const idempotencyKey = requireActionKey(request);
  const name = pathValues.operation ?? '';
  const operation = operationsByName.get(name);
  let input: unknown;
  // Called after the checks of plan, scope and rate.
  const parse = () => {
    input = parseJsonBody(request, body, true);
    return input;
  };
  const { data, tokens } = await engine.callUnchecked(name, parse, { mode: 'app', requestId, idempotencyKey });
  keepOutcome(engine, name, input, data);
  const status = operation ? statusOf(operation, data as never) : 200;
  // Always with a body, since the app's client reads one shape.
  return { answer: jsonAnswer(status === 204 ? 200 : status, { data: data ?? null, tokens }), tokens };
}

/** Each press of a priced button has its own idempotency key, so that a repeat after a lost answer is not charged again. */
function requireActionKey(request: IncomingMessage): string {
  const keys = headerValues(request, 'idempotency-key');
  if (keys.length === 1 && isVisibleText(keys[0] ?? '')) return keys[0] ?? '';
  throw validationError({ 'Idempotency-Key': ['expected one, of 1 to 128 visible ASCII characters'] });
}

async function answerRead(engine: Engine, { request, pathValues }: Exchange): Promise<Reply> {
  const body = await readBody(request);
  const input = parseJsonBody(request, body, true);
  await requireListener(request);
  return free(jsonAnswer(200, { data: await runRead(engine, pathValues.read ?? '', input) }));
}

async function makeChange(engine: Engine, { request, pathValues: { change = '' } }: Exchange): Promise<Reply> {
  const body = await readBody(request, change === 'add_photo' || change === 'stage_photo' ? photoBodyBytes : undefined);
  return free(jsonAnswer(200, await runChange(engine, change, parseJsonBody(request, body, true))));
}

/** A photo in base64, and its name. */
const photoBodyBytes = Math.ceil((mostPhotoBytes * 4) / 3) + 64 * 1024;

/** Not cached: tiles change with the data, and the map keeps its own. */
async function answerTile(engine: Engine, { request, pathValues }: Exchange): Promise<Reply> {
  const { source = '', z, x, y } = pathValues;
  await requireListener(request);
  const tile = await getTile(
    engine,
    source,
    tileNumber(z),
    tileNumber(x),
    tileNumber(y),
    () => !request.socket.destroyed,
  );
  const headers = { 'Content-Type': 'application/x-protobuf', 'Cache-Control': 'no-store' };
  return free({ status: 200, headers, body: Buffer.from(tile ?? []) });
}

/** NaN for anything but plain digits; getTile then throws. */
const tileNumber = (text: string | undefined): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN);

/** Reads and tiles block the event loop. After a turn, one that the window has given up has a closed connection. */
async function requireListener({ socket }: IncomingMessage): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (socket.destroyed || socket.readableEnded)
    throw new EngineError('validation_error', 'The question was taken back.');
}

const noOwnHome =
  'This window does not know where your own data is to be: start Platbook with --home and a folder for it.';

async function openOther(open: (() => Promise<string>) | undefined, refusal: string): Promise<Reply> {
  if (!open) throw new EngineError('not_found', refusal);
  return free(jsonAnswer(200, { data: { link: await open() } }));
}

/** Reachable from any page: the secret proves the user. Sets the cookie and redirects, so that the address bar loses the secret. */
function linkRoute({ sessions }: AppDoor): Route {
  return {
    path: '/open/:secret',
    door: 'anyone',
    operationName: () => 'open',
    reply: async ({ request, pathValues }) => {
      // HEAD would use up the link.
      requireMethod(request, ['GET']);
      const value = sessions.redeem(pathValues.secret ?? '');
      if (value === null) return free(htmlAnswer(403, usedLinkPage));
      const cookie = sessionCookie(request.socket.localPort ?? 0, value);
      return free({ status: 303, headers: { Location: '/', 'Set-Cookie': cookie, ...pageHeaders }, body: '' });
    },
  };
}

function pageRoute(door: AppDoor, files: readonly StaticFile[]): Route {
  const index = files.find((file) => file.path === '/index.html');
  return {
    path: '/',
    // Other pages may link here (the sample's does); without the cookie it shows no data.
    door: 'anyone',
    operationName: () => 'page',
    reply: async ({ request }) => {
      requireMethod(request, ['GET', 'HEAD']);
      if (!door.sessions.has(request)) return free(htmlAnswer(401, noSessionPage));
      if (!index) return free(htmlAnswer(503, notBuiltPage));
      return free({ ...fileAnswer(index), headers: { ...fileAnswer(index).headers, 'Cache-Control': 'no-cache' } });
    },
  };
}

/** The built files hold nothing of the home, so they need no cookie. */
const fileRoute = (file: StaticFile): Route => ({
  path: file.path,
  door: 'openable',
  operationName: () => 'file',
  reply: async ({ request }) => {
    requireMethod(request, ['GET', 'HEAD']);
    return free(fileAnswer(file));
  },
});

const fileAnswer = ({ content, mediaType, isImmutable }: StaticFile): HttpAnswer => ({
  status: 200,
  headers: {
    'Content-Type': mediaType,
    ...pageHeaders,
    ...(isImmutable ? { 'Cache-Control': 'public, max-age=31536000, immutable' } : {}),
  },
  body: content(),
});

const htmlAnswer = (status: number, body: string): HttpAnswer => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders },
  body,
});

const page = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Platbook</title><h1>${title}</h1><p>${text}</p></html>\n`;

const noSessionPage = page(
  'Platbook is running',
  `It holds land-parcel data on this computer. Open the app with the link that it printed at its start. Press Enter in that window
for a new link.</p><p>Spreadsheets and programs use ${apiBase} with a key ("platbook keys create");
<a href="/docs">/docs</a> shows how,
<a href="${apiBase}openapi.json">openapi.json</a> describes it for programs.`,
);
const usedLinkPage = page(
  'This link has been used, or is too old',
  'Press Enter in the window where Platbook runs: it prints a new one.',
);
const notBuiltPage = page('The app is not built', 'Run "npm run build:renderer" in the project, then start again.');
