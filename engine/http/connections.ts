/** Limits connections and answers those that send no HTTP, send it too slowly, or want another protocol. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { EngineError, nonFieldErrors, validationError } from '../spec/errors.ts';
import { commonHeaders, errorAnswer, rawAnswer } from './answer.ts';
import type { RateLimit } from './rate-limit.ts';

const maximumConnections = 256;
const allBusy = `All ${maximumConnections} connections are at work.`;
export const maximumHeaderBytes = 8192;

/** Limits for slow or silent clients, in milliseconds. */
export const timeouts = {
  headers: 5000,
  request: 10_000,
  /** How often the two above are checked. */
  checking: 250,
  keepAlive: 5000,
  /** A client that reads nothing of its answer for so long is gone. */
  silence: 15_000,
} as const;

export class ConnectionGuard {
  readonly #rate: RateLimit;
  /** The latest answer of each connection, finished or not. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>();
  readonly #open = new Set<Socket>();

  constructor(rate: RateLimit) {
    this.#rate = rate;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#admit(socket));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#answers.set(request.socket, response);
      // Those that asked latest stand last.
      this.#open.delete(request.socket);
      this.#open.add(request.socket);
    });
    const refuseOther = (_request: IncomingMessage, socket: Duplex) => {
      socket.on('error', () => socket.destroy());
      this.#refuseNext(socket, 'expected HTTP/1.1; tunnels and other protocols are not offered');
    };
    server.on('upgrade', refuseOther);
    server.on('connect', refuseOther);
    // A server may ignore an unknown expectation (RFC 9110, 10.1.1); Node would answer a bare 417.
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response);
    });
  }

  /** Beyond the limit the connection that has been idle longest goes, so that no client closes the door by waiting. */
  #admit(socket: Socket): void {
    socket.once('close', () => this.#open.delete(socket));
    if (this.#open.size >= maximumConnections) {
      const idle = [...this.#open].find((one) => this.#answers.get(one)?.writableFinished !== false);
      if (!idle) {
        this.#refuse(socket, new EngineError('rate_limited', allBusy, { retryAfterSeconds: 1 }));
        return;
      }
      this.#open.delete(idle);
      idle.destroy();
    }
    this.#open.add(socket);
  }

  /** Answers bytes that are not HTTP, too many, or too late. */
  refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void {
    // Browsers open connections ahead of need: an answer on a connection that sent nothing would be taken for that of its
    // first request.
    const isSilent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
    if (error.code === 'ECONNRESET' || !socket.writable || isSilent) {
      socket.destroy();
      return;
    }
    this.#refuseNext(socket, reason(error));
  }

  #refuseNext(socket: Duplex, message: string): void {
    const answer = this.#answers.get(socket);
    const refuse = () => this.#refuse(socket, validationError({ [nonFieldErrors]: [message] }));
    if (!answer || (answer.writableFinished && answer.req.complete)) refuse();
    // A whole request before the broken bytes still gets its answer first; before Node's own listener, which closes for a
    // client that has ended …
    else if (answer.req.complete) answer.prependOnceListener('finish', refuse);
    // … and a second answer to a request whose own has begun would be taken for that of the next one.
    else if (answer.headersSent) socket.destroy();
    else refuse();
  }

  #refuse(socket: Duplex, error: EngineError): void {
    const requestId = randomUUID();
    const answer = errorAnswer(error, requestId);
    // Destroyed once written: a socket that is only ended stays open as long as the other side likes.
    socket.end(rawAnswer(answer, commonHeaders(requestId, 0, this.#rate)), () => socket.destroy());
  }
}

function reason({ code }: NodeJS.ErrnoException): string {
  if (code === 'HPE_HEADER_OVERFLOW') return `expected at most ${maximumHeaderBytes} bytes of target and headers`;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return `the request did not arrive in time (headers ${timeouts.headers / 1000} s, all of it ${timeouts.request / 1000} s)`;
  }
  return 'expected a well-formed HTTP/1.1 request';
}
