/** Serves files of the home to the browser, with the window's cookie: exports (`GET /app/download/<id>`, `GET /app/print/<id>`) and photos (`GET /app/photo/<id>`). */
import fs from 'node:fs';
import type { Engine } from '../engine.ts';
import { findShelved, type ShelvedFile } from '../exporting/export-shelf.ts';
import { readPhotoFile } from '../photos/photo-files.ts';
import { EngineError } from '../spec/errors.ts';
import { type Exchange, free, type Reply } from './routes.ts';

/** @throws EngineError not_found */
function getShelved({ home }: Engine, { pathValues }: Exchange): ShelvedFile {
  const found = findShelved(home, pathValues.file ?? '');
  if (found) return found;
  throw new EngineError('not_found', 'This file is gone: exports are kept for a day. Export it again.');
}

/** @throws EngineError not_found */
export function answerDownload(engine: Engine, exchange: Exchange): Reply {
  const found = getShelved(engine, exchange);
  return free({ status: 200, headers: headersOf(found), body: fs.createReadStream(found.path) });
}

/**
 * A PDF to show in a tab: `GET /app/print/<id>`. Other types are never shown: an HTML page would have this listener's
 * origin.
 * @throws EngineError not_found
 */
export function answerPrint(engine: Engine, exchange: Exchange): Reply {
  const found = getShelved(engine, exchange);
  if (found.mediaType !== 'application/pdf')
    throw new EngineError('not_found', 'Only a PDF can be opened for printing.');
  const headers = { ...headersOf(found), ...shownHeaders };
  return free({ status: 200, headers, body: fs.createReadStream(found.path) });
}

/** No `sandbox`: it would block the browser's PDF viewer. */
const shownHeaders = {
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'",
};

/** Whatever the file holds, it never runs as a page of this listener. */
const inertHeaders = { 'Content-Security-Policy': "default-src 'none'; sandbox" };

/** The name twice, in ASCII for old programs and exact (RFC 6266). */
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
    ...inertHeaders,
  };
}

/** A photo's original. Its type is that of its bytes, so it is a picture or nothing. @throws EngineError not_found */
export function answerPhoto({ home, account }: Engine, { pathValues }: Exchange): Reply {
  const id = /^\d{1,15}$/.test(pathValues.photo ?? '') ? Number(pathValues.photo) : 0;
  const { bytes, mediaType } = readPhotoFile(home, account, id);
  return free({
    status: 200,
    headers: { 'Content-Type': mediaType, 'Cross-Origin-Resource-Policy': 'same-origin', ...inertHeaders },
    body: bytes,
  });
}
