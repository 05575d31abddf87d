/** Errors of PostgreSQL and of the connection to it as named errors. No message repeats a value of a row or a password. */
import { EngineError, type ErrorCode } from '../spec/errors.ts';

interface ServerFault {
  readonly code?: unknown;
  readonly message?: unknown;
}

type Meaning = readonly [code: ErrorCode, words: string];

/** By SQLSTATE, or by its class of two characters (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const byState: Readonly<Record<string, Meaning>> = {
  '28': ['postgis_refused', 'refuses this user or password'],
  '3D000': ['postgis_refused', 'has no such database'],
  '42501': ['postgis_rights', 'does not let this role do that'],
  '3F000': ['postgis_schema', 'has no tables of Platbook here; "platbook push" makes them'],
  '42P01': ['postgis_schema', 'lacks a table of Platbook; "platbook push" makes them'],
  '42703': ['postgis_schema', 'lacks a column of Platbook; another program changed its tables'],
  '42883': ['postgis_schema', 'lacks a function of PostGIS or Platbook'],
  '25006': ['postgis_rights', 'is read-only'],
  '53100': ['postgis_full', 'has no room left on its disk'],
  '53200': ['postgis_full', 'has no memory left'],
  '53300': ['postgis_full', 'has no connection left'],
  '53': ['postgis_full', 'has no room left'],
  '54': ['postgis_full', 'reached a limit of its own'],
  '55P03': ['postgis_busy', 'has a lock of another program on these tables'],
  '40': ['postgis_busy', 'gave way to another program that writes the same rows'],
  '57': ['postgis_unreachable', 'is shutting down or was told to stop'],
  '58': ['postgis_full', 'cannot read or write its files'],
  '08': ['postgis_unreachable', 'broke the connection'],
};

/** By the code of the socket or of TLS. */
const byCode: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: ['postgis_unreachable', 'does not answer: nothing listens there'],
  ENOTFOUND: ['postgis_unreachable', 'is not known by that name'],
  EAI_AGAIN: ['postgis_unreachable', 'cannot be looked up: there is no network, or no name server'],
  ETIMEDOUT: ['postgis_unreachable', 'does not answer in time'],
  EHOSTUNREACH: ['postgis_unreachable', 'cannot be reached'],
  ENETUNREACH: ['postgis_unreachable', 'cannot be reached: there is no network'],
  ECONNRESET: ['postgis_unreachable', 'broke the connection'],
  EPIPE: ['postgis_unreachable', 'broke the connection'],
  ENOENT: ['postgis_unreachable', 'has no socket there'],
  EACCES: ['postgis_refused', 'has a socket that this user may not open'],
};

const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/;

/** Sentences of the driver, which have no code. */
const bySentence: readonly (readonly [RegExp, Meaning])[] = [
  [/timeout expired|timed out/i, ['postgis_unreachable', 'does not answer in time']],
  [
    /password must be a (non-empty )?string|no password/i,
    ['postgis_refused', 'wants a password: put it into the file that PGPASSFILE names, or into PGPASSWORD'],
  ],
  [/does not support SSL/i, ['postgis_refused', 'offers no encryption']],
  [/establishing an SSL connection/i, ['postgis_refused', 'offers no encryption that can be checked']],
  [/certificate|altname/i, ['postgis_refused', 'shows a certificate that does not fit its name or authority']],
  [/terminated|closed|not queryable|ended/i, ['postgis_unreachable', 'broke the connection']],
];

function meaningOf({ code, message }: ServerFault): Meaning | null {
  if (typeof code === 'string') {
    const found = byState[code] ?? byCode[code] ?? byState[code.slice(0, 2)];
    if (found && (byState[code] || byCode[code] || code.length === 5)) return found;
    if (tlsCodes.test(code)) return ['postgis_refused', 'shows a certificate that does not fit its name or authority'];
  }
  if (typeof message !== 'string') return null;
  return bySentence.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}

/** @param server the words of its address */
export function asServerError(error: unknown, server: string): unknown {
  if (error instanceof EngineError) return error;
  const fault = (error instanceof AggregateError ? error.errors[0] : error) as ServerFault;
  const meaning = meaningOf(fault);
  if (meaning === null) return error;
  const [code, words] = meaning;
  const state = typeof fault.code === 'string' ? ` (${fault.code})` : '';
  return new EngineError(code, `The database server ${words}: ${server}${state}.`);
}
