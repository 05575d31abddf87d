/**
 * Who may talk to the listener at all. It is bound to 127.0.0.1, but every web page that the user opens can send
 * requests there too: by a DNS name that was pointed at 127.0.0.1 (the Host header gives it away), or across origins
 * (Origin and Sec-Fetch-Site give it away; without CORS headers the page could not read the answer, but a charge
 * would stand). Programs send neither Origin nor Sec-Fetch-Site.
 */
import type { IncomingMessage } from 'node:http';
import { EngineError } from '../spec/errors.ts';
import { headerValues } from './raw-headers.ts';

const forbidden = (message: string) => new EngineError('forbidden', message);

/** Browsers leave out port 80, and so do clients that follow them. */
const authorities = (port: number): string[] =>
  ['127.0.0.1', 'localhost'].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));

/** @throws EngineError forbidden */
export function refuseStrangers(request: IncomingMessage): void {
  const allowed = authorities(request.socket.localPort ?? 0);
  const hosts = headerValues(request, 'host');
  if (hosts.length !== 1 || !allowed.includes(hosts[0] ?? '')) {
    throw forbidden(`Expected one Host header, ${allowed.join(' or ')}, found ${shownHeader(hosts)}.`);
  }
  // An absolute target would name a host of its own, over the header's head.
  if (!request.url?.startsWith('/') && request.url !== '*') {
    throw forbidden('Expected a request target that begins with "/".');
  }
  if (headerValues(request, 'origin').length > 0) {
    throw forbidden('Requests of web pages (with an Origin header) are not answered.');
  }
  const site = headerValues(request, 'sec-fetch-site');
  if (site.some((value) => value !== 'none' && value !== 'same-origin') || site.length > 1) {
    throw forbidden(`Requests of other web sites are not answered (Sec-Fetch-Site: ${shownHeader(site)}).`);
  }
}

const shownHeader = (values: readonly string[]): string =>
  values.length === 0 ? 'none' : values.map((value) => JSON.stringify(value.slice(0, 60))).join(' and ');
