/**
 * The address of a PostgreSQL server, `postgres://user@host:port/database`. It holds no password: process lists and shell
 * histories would show it. Beyond this computer only a checked certificate will do.
 */
import fs from 'node:fs';
import net from 'node:net';
import { EngineError } from '../spec/errors.ts';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** Absent: the user of PGUSER or of the operating system. */
  readonly user?: string;
  readonly database: string;
  /** Whether the server must show a certificate of its host's name, and by which authority; false: a plain connection. */
  readonly tls: { readonly ca?: string } | false;
  /** For messages: without anything secret. */
  readonly words: string;
}

const parameters = ['host', 'sslmode', 'sslrootcert'];
const expected = 'Expected an address like postgres://user@host:5432/database';
const passwordAdvice = 'put the password into the file that PGPASSFILE names (~/.pgpass), or into PGPASSWORD';

/** A message about an address never repeats it: it may hold a password. */
const refuse = (sentence: string): never => {
  throw new EngineError('usage', sentence);
};

const isServerAddress = (text: string): boolean => /^postgres(ql)?:\/\//i.test(text);

function urlOf(text: string): URL {
  if (!isServerAddress(text)) return refuse(`${expected}, found another text.`);
  try {
    // A socket's folder stands in the parameters: there the host may be empty, which no URL of this form may be.
    return new URL(
      text.replace(/^postgres(ql)?:/i, 'postgres:').replace(/^(postgres:\/\/(?:[^/?#@]*@)?)(?=[/?#]|$)/, '$1-'),
    );
  } catch {
    return refuse(`${expected}, found one that cannot be read.`);
  }
}

function decoded(part: string, what: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return refuse(`${expected}, found a ${what} with a wrong % sign.`);
  }
}

const isLoopback = (host: string): boolean =>
  host.startsWith('/') || host === 'localhost' || host === '::1' || (net.isIPv4(host) && host.startsWith('127.'));

function tlsOf(mode: string | null, rootFile: string | null, host: string): ServerAddress['tls'] {
  const isHere = isLoopback(host);
  if (mode !== null && mode !== 'verify-full' && !(isHere && mode === 'disable'))
    return refuse(
      isHere
        ? 'Expected sslmode=verify-full or sslmode=disable.'
        : 'Expected sslmode=verify-full: beyond this computer Platbook speaks only to a server whose certificate it can check.',
    );
  if (isHere && mode !== 'verify-full') return false;
  if (host.startsWith('/')) return refuse('Expected no sslmode with a socket: it has no encryption.');
  if (rootFile === null) return {};
  try {
    return { ca: fs.readFileSync(rootFile, 'utf8') };
  } catch (error) {
    throw new EngineError(
      'file_missing',
      `The certificate of sslrootcert cannot be read: ${rootFile} (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

/** @throws EngineError usage, file_missing */
export function parseServerAddress(text: string): ServerAddress {
  const url = urlOf(text);
  if (url.password !== '' || url.searchParams.has('password'))
    return refuse(`Expected an address without a password: ${passwordAdvice}.`);
  const stray = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (stray !== undefined || url.hash !== '')
    return refuse(`${expected}; after ? only ${parameters.join(', ')} are known.`);
  const named = url.hostname === '-' ? '' : decoded(url.hostname, 'host').replace(/^\[(.*)\]$/, '$1');
  const host = url.searchParams.get('host') ?? named;
  if (host === '') return refuse(`${expected}, found none with a host.`);
  const database = decoded(url.pathname.slice(1), 'database');
  if (database === '' || database.includes('/')) return refuse(`${expected}, found none with a database.`);
  const user = decoded(url.username, 'user');
  const port = url.port === '' ? 5432 : Number(url.port);
  return {
    ...{ host, port, database },
    ...(user !== '' && { user }),
    tls: tlsOf(url.searchParams.get('sslmode'), url.searchParams.get('sslrootcert'), host),
    words: `${database} on ${host}:${port}`,
  };
}
