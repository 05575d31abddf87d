/**
 * Sessions of the app in a browser. `serve` prints a one-time link; opening it sets a cookie that scripts cannot read and
 * other sites cannot send. A restart of the listener ends links, not sessions: an open page goes on by itself.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { KeptSessions } from '../account/stored-sessions.ts';
import { headerValues } from './raw-headers.ts';

/** Long enough to reach the browser, short enough that a link in a terminal's history is worthless. */
const linkMilliseconds = 10 * 60 * 1000;
const maximumSessions = 20;

/** Only digests are stored and compared, so that timing reveals nothing of a secret. */
const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

const newSecret = (): string => randomBytes(32).toString('base64url');

export class AppSessions {
  /** Digest → time when the link ends, in milliseconds. */
  readonly #links = new Map<string, number>();
  readonly #sessions: Set<string>;
  readonly #now: () => number;
  readonly #kept: KeptSessions | null;

  /** @param now milliseconds of a clock; @param kept absent: a restart ends sessions, too */
  constructor(now: () => number, kept: KeptSessions | null = null) {
    this.#now = now;
    this.#kept = kept;
    this.#sessions = new Set(kept?.read());
  }

  /** A secret for one opening. It ends earlier ones: only the latest line in the terminal works. */
  issueLink(): string {
    const secret = newSecret();
    this.#links.clear();
    this.#links.set(digest(secret), this.#now() + linkMilliseconds);
    return secret;
  }

  /** The cookie's value; null if the link is unknown, used or too old. */
  redeem(secret: string): string | null {
    const key = digest(secret);
    const end = this.#links.get(key);
    this.#links.delete(key);
    const isOwn = end !== undefined && this.#now() <= end;
    if (!isOwn && !this.#kept?.takeLink(key)) return null;
    const value = newSecret();
    const oldest = this.#sessions.values().next();
    if (this.#sessions.size >= maximumSessions && !oldest.done) this.#sessions.delete(oldest.value);
    this.#sessions.add(digest(value));
    this.#kept?.write([...this.#sessions]);
    return value;
  }

  /** Whether the request carries a cookie of this listener. */
  has(request: IncomingMessage): boolean {
    const name = cookieName(request.socket.localPort ?? 0);
    const values = headerValues(request, 'cookie')
      .flatMap((header) => header.split(';'))
      .map((part) => part.trim())
      .filter((part) => part.startsWith(`${name}=`))
      .map((part) => part.slice(name.length + 1));
    // Two cookies of one name: another site or program set one of them.
    return values.length === 1 && this.#sessions.has(digest(values[0] ?? ''));
  }
}

/**
 * A one-time address of the listener that another process runs on this home, at this port; null if none does. Proof is
 * that it takes a first link out of the home: another program at the port cannot.
 */
export async function linkOfRunning(kept: KeptSessions, port: number): Promise<string | null> {
  const leave = (): string => {
    const secret = newSecret();
    kept.leaveLink(digest(secret));
    return secret;
  };
  const address = `http://127.0.0.1:${port}/open/`;
  const trial = leave();
  await fetch(`${address}${trial}`, { redirect: 'manual', signal: AbortSignal.timeout(3000) }).catch(() => null);
  return kept.takeLink(digest(trial)) ? null : `${address}${leave()}`;
}

/** Cookies ignore ports: two services on one machine must not overwrite each other's. */
export const cookieName = (port: number): string => `platbook_${port}`;

/** No `Secure`: the listener is plain HTTP on this machine. The cookie ends with the browser session. */
export const sessionCookie = (port: number, value: string): string =>
  `${cookieName(port)}=${value}; Path=/; HttpOnly; SameSite=Strict`;
