/**
 * What comes from a server, guarded before the driver reads it: no message is collected beyond a limit or waited for
 * without end, and a password goes nowhere unencrypted. A program that took the server's port could else fill the memory
 * or learn the password.
 */
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { EngineError } from '../spec/errors.ts';

/** Of one message, a row or an error. Postgres allows a gigabyte; the largest parcel of a real county has 2 MB. */
export const maxMessageBytes = 64 * 1024 * 1024;

/** A type of one byte, then a length that counts itself (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
const headerBytes = 5;

export interface MessageLimits {
  /** For one message, from its first byte. */
  readonly milliseconds: number;
  /** For errors: the words of the address. */
  readonly server: string;
}

/** Where among its messages a stream stands. */
class Framing {
  readonly #header = Buffer.alloc(headerBytes);
  /** Bytes of the header that are there, and of the body that are not. */
  #known = 0;
  #awaited = 0;
  /** Whether a message has begun and not ended. */
  get isWithin(): boolean {
    return this.#known > 0;
  }
  /** How many messages have ended. */
  ended = 0;

  /** @returns the size of a message beyond the limit, as its header claims it; null: there is none */
  take(bytes: Buffer): number | null {
    for (let at = 0; at < bytes.length; ) {
      const isHeader = this.#known < headerBytes;
      if (isHeader) {
        this.#header[this.#known++] = bytes[at++] as number;
        if (this.#known < headerBytes) continue;
        this.#awaited = this.#header.readUInt32BE(1) - 4;
        if (this.#awaited < 0 || this.#awaited > maxMessageBytes) return this.#awaited;
      } else {
        const taken = Math.min(this.#awaited, bytes.length - at);
        this.#awaited -= taken;
        at += taken;
      }
      if (this.#awaited === 0) {
        this.#known = 0;
        this.ended++;
      }
    }
    return null;
  }
}

/** Destroys the stream with an EngineError as soon as a message goes beyond a limit. Call it before the driver listens. */
export function limitMessages(stream: Duplex, { milliseconds, server }: MessageLimits): void {
  const framing = new Framing();
  let [timer, ended]: [NodeJS.Timeout | undefined, number] = [undefined, 0];
  const refuse = (words: string) =>
    stream.destroy(new EngineError('postgis_refused', `The database server ${words}: ${server}.`));
  const late = () => refuse('sends a message that does not end in time');
  stream.on('close', () => clearTimeout(timer));
  stream.on('data', (bytes: Buffer) => {
    const size = framing.take(bytes);
    if (size !== null)
      return refuse(
        `sends a message of ${size.toLocaleString('en-US')} bytes, more than the ${maxMessageBytes / 1024 / 1024} MB that one may have`,
      );
    if (timer && framing.isWithin && framing.ended === ended) return;
    clearTimeout(timer);
    ended = framing.ended;
    timer = framing.isWithin ? setTimeout(late, milliseconds).unref() : undefined;
  });
}

/** The driver's connection, as far as it is guarded here. */
interface DriverConnection {
  on(event: string, listener: () => void): void;
  attachListeners(stream: Duplex): void;
}

export interface PasswordAsked {
  /** What the server wants to see of the password: itself, or a sum that is as good as itself. Null: neither. */
  readonly inPlain: () => string | null;
}

/** Call it before the client connects. */
export function guardClient(client: pg.Client, limits: MessageLimits): PasswordAsked {
  const { connection } = client as unknown as { connection: DriverConnection };
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    limitMessages(stream, limits);
    attach(stream);
  };
  let asked: string | null = null;
  // Before the driver's own listeners, which ask for the password.
  connection.on('authenticationCleartextPassword', () => {
    asked = 'in clear text';
  });
  connection.on('authenticationMD5Password', () => {
    asked = 'as an MD5 sum';
  });
  return { inPlain: () => asked };
}
