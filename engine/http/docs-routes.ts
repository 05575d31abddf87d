/**
 * The page `/docs` with its files, the index of the API and what describes it, and Try it: the operations once more, for
 * pages of this listener, which the public API refuses. A key opens them as it does the API; the app's cookie does not.
 */
import fs from 'node:fs';
import path from 'node:path';
import { docsPage } from '../docs/docs-page.ts';
import { docsScript } from '../docs/docs-script.ts';
import { docsStyle } from '../docs/docs-style.ts';
import { operations } from '../operations/index.ts';
import { apiBase } from '../operations/operation.ts';
import { packageRoot, packageVersion } from '../package-root.ts';
import { mediaTypes, noContent } from './answer.ts';
import { buildOpenApi } from './openapi.ts';
import { allowHeader, fixedRoute, free, type Route, requireMethod } from './routes.ts';
import { pageHeaders, type StaticFile } from './static-files.ts';

const tryBase = '/docs/try/';

/** Version, where it is described, and each operation; its addresses are paths, as the port is chosen at start. */
const apiIndex = (): object => ({
  name: 'Platbook',
  version: packageVersion,
  docs: '/docs',
  openapi: `${apiBase}openapi.json`,
  operations: operations.map(({ name, summary, http: { method, path: below }, scope, priceDocs }) => ({
    name,
    summary,
    method,
    path: `${apiBase}${below}`,
    scope,
    price: priceDocs,
  })),
});

/** They hold nothing of the home, so they need no key. */
function descriptions(): Route[] {
  const document = JSON.stringify(buildOpenApi(packageVersion));
  return [
    fixedRoute(apiBase, mediaTypes.json, JSON.stringify(apiIndex())),
    ...[apiBase, '/'].map((base) => fixedRoute(`${base}openapi.json`, mediaTypes.json, document)),
  ];
}

function pageFile(at: string, type: string, body: (address: string) => string | Buffer): Route {
  const allow = allowHeader(['GET', 'HEAD']);
  return {
    path: at,
    door: 'openable',
    operationName: () => 'docs',
    reply: ({ request }) => {
      if (request.method === 'OPTIONS') return free(noContent({ Allow: allow }));
      requireMethod(request, ['GET', 'HEAD']);
      const headers = { 'Content-Type': type, ...pageHeaders, 'Cache-Control': 'no-cache' };
      // The guard has compared the Host with the listener's own names.
      return free({ status: 200, headers, body: body(`http://${request.headers.host}`) });
    },
  };
}

/** The same route under another address; its pages link to the API itself. */
const tried = (route: Route): Route => ({
  ...route,
  path: tryBase + route.path.slice(apiBase.length),
  door: 'own-pages',
  reply: (exchange) => {
    const { path: asked, query } = exchange.target;
    return route.reply({ ...exchange, target: { path: apiBase + asked.slice(tryBase.length), query } });
  },
});

/** The app's Inter if its pages are here, else the letters of our PDFs. */
function inter(files: readonly StaticFile[]): Buffer {
  const built = files.find((file) => /\/inter-latin-wght-normal[^/]*\.woff2$/.test(file.path));
  return built?.content() ?? fs.readFileSync(path.join(packageRoot, 'data', 'fonts', 'inter-labels.ttf'));
}

/** @param api the routes of the operations */
export function docsRoutes(api: readonly Route[], files: readonly StaticFile[]): Route[] {
  /** By address: the listener has two names. */
  const pages = new Map<string, string>();
  const page = (address: string): string => {
    const text = pages.get(address) ?? docsPage(address, packageVersion);
    pages.set(address, text);
    return text;
  };
  return [
    ...descriptions(),
    pageFile('/docs', 'text/html; charset=utf-8', page),
    pageFile('/docs/page.css', 'text/css; charset=utf-8', () => docsStyle),
    pageFile('/docs/page.js', 'text/javascript; charset=utf-8', () => docsScript(tryBase)),
    pageFile('/docs/inter', 'font/woff2', () => inter(files)),
    ...api.map(tried),
  ];
}
