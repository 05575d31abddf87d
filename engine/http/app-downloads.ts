/** Files that the app has made, for the browser to save: `GET /app/download/<id>`, with the cookie of the window. */
import fs from 'node:fs';
import type { Engine } from '../engine.ts';
import { findShelved, type ShelvedFile } from '../exporting/export-shelf.ts';
import { EngineError } from '../spec/errors.ts';
import { type Exchange, free, type Reply } from './routes.ts';

/** @throws EngineError not_found */
function getShelved({ home }: Engine, { pathValues }: Exchange): ShelvedFile {
  const found = findShelved(home, pathValues.file ?? '');
  if (found) return found;
  throw new EngineError('not_found', 'This file is no longer here: exports are kept for a day. Make it once more.');
}

/** @throws EngineError not_found */
export function answerDownload(engine: Engine, exchange: Exchange): Reply {
  const found = getShelved(engine, exchange);
  return free({ status: 200, headers: headersOf(found), body: fs.createReadStream(found.path) });
}

/**
 * A PDF to be shown in a tab instead of being saved: `GET /app/print/<id>`. Nothing else is ever shown: a page would be one
 * of this listener.
 * @throws EngineError not_found
 */
export function answerPrint(engine: Engine, exchange: Exchange): Reply {
  const found = getShelved(engine, exchange);
  if (found.mediaType !== 'application/pdf')
    throw new EngineError('not_found', 'Only a PDF can be opened to be printed.');
  const headers = { ...headersOf(found), ...shownHeaders };
  return free({ status: 200, headers, body: fs.createReadStream(found.path) });
}

/** A sandbox would keep the browser's own viewer out. */
const shownHeaders = {
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'",
};

/** The name twice: for every program in ASCII, and as it is (RFC 6266). */
function headersOf({ name, bytes, mediaType }: ShelvedFile): Record<string, string> {
  const plain = name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\]/g, '');
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    'Content-Type': mediaType,
    'Content-Length': String(bytes),
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${exact}`,
    // Whatever it holds, it is no page of this listener.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
}
