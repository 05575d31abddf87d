/**
 * Who may use the app in a browser: whoever opens a one-time link that was printed where the service was started. The
 * link sets a cookie that scripts cannot read and other sites cannot send. Both live in memory: a restart ends them.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { headerValues } from './raw-headers.ts';

/** Long enough to walk to the browser, short enough that a link in a terminal's history is worth nothing. */
const linkMilliseconds = 10 * 60 * 1000;
const maximumSessions = 20;

/** Only digests are kept, and looked up by equality of digests: how long that takes tells nothing of a secret. */
const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

const newSecret = (): string => randomBytes(32).toString('base64url');

export class AppSessions {
  /** Digest → the moment when the link ends. */
  readonly #links = new Map<string, number>();
  readonly #sessions = new Set<string>();
  readonly #now: () => number;

  /** @param now milliseconds of a clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A secret for one opening. A new one ends those before it: the latest line in the terminal is the one that works. */
  issueLink(): string {
    const secret = newSecret();
    this.#links.clear();
    this.#links.set(digest(secret), this.#now() + linkMilliseconds);
    return secret;
  }

  /** The cookie's value; null for a link that is unknown, used or too old. */
  redeem(secret: string): string | null {
    const key = digest(secret);
    const end = this.#links.get(key);
    this.#links.delete(key);
    if (end === undefined || this.#now() > end) return null;
    const value = newSecret();
    const oldest = this.#sessions.values().next();
    if (this.#sessions.size >= maximumSessions && !oldest.done) this.#sessions.delete(oldest.value);
    this.#sessions.add(digest(value));
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
    // Two of one name: one of them was put there by somebody else.
    return values.length === 1 && this.#sessions.has(digest(values[0] ?? ''));
  }
}

/** Cookies do not know ports: two services on one machine must not take each other's. */
export const cookieName = (port: number): string => `platbook_${port}`;

/** No Secure: the listener is plain HTTP on the machine itself. Ends with the browser. */
export const sessionCookie = (port: number, value: string): string =>
  `${cookieName(port)}=${value}; Path=/; HttpOnly; SameSite=Strict`;
