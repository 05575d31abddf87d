/** Finds the API key of a request in its Authorization header; never in the URL, which histories and logs keep. */
import type { IncomingMessage } from 'node:http';
import { type ApiKey, findKey, noteKeyUse } from '../account/api-keys.ts';
import type { Engine } from '../engine.ts';
import { EngineError } from '../spec/errors.ts';
import { headerValues } from './raw-headers.ts';

/** The scheme in any case (RFC 9110), the key exactly. */
const bearer = /^Bearer +(plat_[A-Za-z0-9_-]{1,100})$/i;

/** @throws EngineError unauthorized */
export function authenticate(engine: Engine, request: IncomingMessage): ApiKey {
  const given = headerValues(request, 'authorization');
  // Two headers are refused: a proxy and this server might each read a different one.
  const text = given.length === 1 ? bearer.exec(given[0] ?? '')?.[1] : undefined;
  const key = text?.startsWith('plat_') ? findKey(engine.account, text) : null;
  if (!key) throw new EngineError('unauthorized', reason(given.length, text !== undefined));
  try {
    noteKeyUse(engine.account, key, engine.now());
  } catch {
    // A full disk or a locked file must not stop reads; a charge that cannot be written still stops the call.
  }
  return key;
}

function reason(count: number, hasForm: boolean): string {
  if (count === 0) return 'The API key is missing. Send the header "Authorization: Bearer plat_…".';
  if (count > 1) return `Expected one Authorization header, found ${count}.`;
  return hasForm
    ? 'The API key is not valid: unknown or revoked.'
    : 'Expected the header "Authorization: Bearer plat_…", found another form.';
}
