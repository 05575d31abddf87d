/** Serves the windows' own scheme: only the built pages. Data uses the MessagePort. */
import { pageHeaders, type StaticFile } from '../engine/http/static-files.ts';
import { homeOf } from './app-scheme.ts';

const textHeaders = {
  'Content-Type': 'text/plain; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  ...pageHeaders,
};

const refuse = (status: number, text: string, more: Record<string, string> = {}): Response =>
  new Response(text, { status, headers: { ...textHeaders, ...more } });

/**
 * @param files the only servable files: every other path is not found
 * @returns an answer for any request; it never throws
 */
export function schemeHandler(files: readonly StaticFile[]): (request: Request) => Response {
  const byPath = new Map(files.map((file) => [file.path === '/index.html' ? '/' : file.path, file]));
  return ({ url, method }) => {
    if (homeOf(url) === null) return refuse(404, 'There is no such home.');
    if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'Files are only read.', { Allow: 'GET, HEAD' });
    const file = byPath.get(new URL(url).pathname);
    if (!file) return refuse(404, 'There is nothing at this path.');
    return method === 'HEAD' ? new Response(null, { headers: headersOf(file) }) : contentOf(file);
  };
}

const headersOf = ({ mediaType }: StaticFile): Record<string, string> => ({
  'Content-Type': mediaType,
  'X-Content-Type-Options': 'nosniff',
  ...pageHeaders,
});

/** A file may have disappeared since the start: an update removed the app while it ran. */
function contentOf(file: StaticFile): Response {
  try {
    return new Response(new Uint8Array(file.content()), { headers: headersOf(file) });
  } catch {
    return refuse(500, 'The file cannot be read. Close Platbook and start it again.');
  }
}
