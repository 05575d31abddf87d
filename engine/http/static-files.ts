/**
 * The built renderer. Every file is known by name before the first request: what is not in the list does not exist, so
 * that no path can lead anywhere else.
 */
import fs from 'node:fs';
import path from 'node:path';

export interface StaticFile {
  /** As in a URL: `/assets/index-4f1c2a9b.js`. */
  readonly path: string;
  readonly file: string;
  readonly mediaType: string;
  /** The name holds a digest of the content, so that a copy never grows old. */
  readonly isImmutable: boolean;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

/** The files of a folder, those of unknown kinds left out; empty when there is no such folder. */
export function listStaticFiles(folder: string): StaticFile[] {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const mediaType = mediaTypes[path.extname(entry.name)];
    if (!entry.isFile() || mediaType === undefined) return [];
    const file = path.join(entry.parentPath, entry.name);
    const urlPath = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    return [{ path: urlPath, file, mediaType, isImmutable: urlPath.startsWith('/assets/') }];
  });
}

/**
 * What the app's pages may do: load their own files and ask their own listener. No script or style stands in the page,
 * none comes from elsewhere, and nothing may frame it. `blob:` workers and images are how maplibre draws.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'geolocation=(self), camera=(), microphone=(), usb=(), payment=()',
};
