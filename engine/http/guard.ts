/**
 * Refuses requests of foreign web pages. The listener is bound to 127.0.0.1, but every page that the user opens can send
 * requests there: through a DNS name pointed at 127.0.0.1 (the Host header shows it), or across origins (Origin and
 * Sec-Fetch-Site show it; without CORS headers the page could not read the answer, but the call would be charged).
 * Programs send neither Origin nor Sec-Fetch-Site.
 */
import type { IncomingMessage } from 'node:http';
import { EngineError } from '../spec/errors.ts';
import { headerValues } from './raw-headers.ts';

const forbidden = (message: string) => new EngineError('forbidden', message);

/** Browsers leave out port 80, and so do clients that follow them. */
const authorities = (port: number): string[] =>
  ['127.0.0.1', 'localhost'].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));

const authoritiesByPort = new Map<number, readonly string[]>();

/** For every route. @throws EngineError forbidden */
export function refuseForeignHosts(request: IncomingMessage): void {
  const port = request.socket.localPort ?? 0;
  const allowed = authoritiesByPort.get(port) ?? authorities(port);
  authoritiesByPort.set(port, allowed);
  const hosts = headerValues(request, 'host');
  if (hosts.length !== 1 || !allowed.includes(hosts[0] ?? '')) {
    throw forbidden(`Expected one Host header, ${allowed.join(' or ')}, found ${shownHeader(hosts)}.`);
  }
  // An absolute target would override the Host header.
  if (!request.url?.startsWith('/') && request.url !== '*') {
    throw forbidden('Expected a request target that begins with "/".');
  }
}

/** For the public API, which no web page may use, not even the app's. @throws EngineError forbidden */
export function refuseWebPages(request: IncomingMessage): void {
  if (headerValues(request, 'origin').length > 0) {
    throw forbidden('Requests of web pages (with an Origin header) are not answered.');
  }
  const site = headerValues(request, 'sec-fetch-site');
  if (site.some((value) => value !== 'none' && value !== 'same-origin') || site.length > 1) {
    throw forbidden(`Requests of other web sites are not answered (Sec-Fetch-Site: ${shownHeader(site)}).`);
  }
}

/**
 * For the private routes, which only pages of this listener may use: the browser sends `same-origin`, or without that
 * header the listener as Origin. `localhost` and `127.0.0.1` are two origins.
 * @param mayBeOpened whether the user may also type the address or use a bookmark
 * @throws EngineError forbidden
 */
export function refuseForeignPages(request: IncomingMessage, mayBeOpened: boolean): void {
  const own = `http://${headerValues(request, 'host')[0] ?? ''}`;
  const origins = headerValues(request, 'origin');
  if (origins.length > 1 || (origins.length === 1 && origins[0] !== own)) {
    throw forbidden(`Expected the Origin ${own}, found ${shownHeader(origins)}.`);
  }
  const site = headerValues(request, 'sec-fetch-site');
  const isOwn = site.length === 1 ? site[0] === 'same-origin' : site.length === 0 && origins.length === 1;
  const isOpened = mayBeOpened && (site.length === 0 || (site.length === 1 && site[0] === 'none'));
  if (!isOwn && !isOpened) {
    throw forbidden(`Only pages of ${own} may ask this (Sec-Fetch-Site: ${shownHeader(site)}).`);
  }
}

const shownHeader = (values: readonly string[]): string =>
  values.length === 0 ? 'none' : values.map((value) => JSON.stringify(value.slice(0, 60))).join(' and ');
