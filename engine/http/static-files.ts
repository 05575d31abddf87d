/**
 * Lists the files of the built renderer and the headers of its pages. Only listed files are served, so that no path can
 * lead out of the folder.
 */
import fs from 'node:fs';
import path from 'node:path';

export interface StaticFile {
  /** URL path: `/assets/index-4f1c2a9b.js`. */
  readonly path: string;
  /** Read once: every answer shares its bytes. */
  readonly content: () => Buffer;
  readonly mediaType: string;
  /** Whether the name holds a digest of the content, so that a cached copy stays valid. */
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

/** The files of a folder with a known extension; empty if the folder is missing. */
export function listStaticFiles(folder: string): StaticFile[] {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const mediaType = mediaTypes[path.extname(entry.name)];
    if (!entry.isFile() || mediaType === undefined) return [];
    const file = path.join(entry.parentPath, entry.name);
    const urlPath = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    let bytes: Buffer | null = null;
    const content = (): Buffer => {
      bytes ??= fs.readFileSync(file);
      return bytes;
    };
    return [{ path: urlPath, content, mediaType, isImmutable: urlPath.startsWith('/assets/') }];
  });
}

/**
 * The app's pages may load their own files and call their own listener. Inline scripts and styles, other origins and
 * framing are forbidden. maplibre needs `blob:` workers and images.
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
