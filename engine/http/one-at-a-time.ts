/**
 * Answers the requests of a connection one after another. Node hands out pipelined requests as fast as they come, up to a
 * thousand of one read, so without this each would have its answer made and kept until the client takes it.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The limits hold for all connections together. */
export interface WaitingLimits {
  /** Requests that wait for an earlier one of their connection. Beyond it the connection that sends another is closed. */
  readonly requests: number;
  /**
   * Bytes of answers that clients have not taken. Beyond it the connection whose answer waits longest is closed: a client
   * that reads takes its answer within milliseconds.
   */
  readonly bytes: number;
}

const waitingLimits: WaitingLimits = { requests: 4096, bytes: 128 * 1024 * 1024 };

/** A connection with more is not read further until it has fewer. */
const waitingPerConnection = 32;

/**
 * Requests of waiting lines that begin in one turn of the loop: between two turns new clients are heard, who else would
 * wait for the ends of all lines.
 */
const perTurn = 8;

type Waiting = readonly [IncomingMessage, ServerResponse];

export class OneAtATime {
  readonly #limits: WaitingLimits;
  /** Of connections with a request in work: the requests behind it. */
  readonly #lines = new Map<Socket, Waiting[]>();
  /** Connections with an answer that is not out, the longest first. */
  readonly #sending = new Set<Socket>();
  /** Connections whose next request may begin. */
  readonly #ready: Socket[] = [];
  #waiting = 0;

  constructor(limits: WaitingLimits = waitingLimits) {
    this.#limits = limits;
  }

  /** @param answer gets one request of each connection; the next once the response is closed */
  listener(answer: RequestListener): RequestListener {
    const begin = ([request, response]: Waiting): void => {
      response.once('close', () => later(request.socket));
      answer(request, response);
    };
    const next = (socket: Socket): void => {
      this.#sending.delete(socket);
      const line = this.#lines.get(socket);
      const first = socket.writable ? line?.shift() : undefined;
      if (!first) {
        this.#forget(socket);
        return;
      }
      this.#waiting--;
      if (line?.length === waitingPerConnection - 1) socket.resume();
      begin(first);
    };
    const turn = (): void => {
      for (const socket of this.#ready.splice(0, perTurn)) next(socket);
      if (this.#ready.length > 0) setImmediate(turn);
    };
    const later = (socket: Socket): void => {
      if (this.#ready.push(socket) === 1) setImmediate(turn);
    };
    return (request, response) => {
      const { socket } = request;
      const line = this.#lines.get(socket);
      if (line) this.#lineUp(socket, line, [request, response]);
      else {
        this.#lines.set(socket, []);
        begin([request, response]);
      }
    };
  }

  /** A response of requests that wait is not closed with its connection, so the connection itself is watched. */
  watch(server: Server): void {
    server.on('connection', (socket) => socket.once('close', () => this.#forget(socket)));
  }

  /** To be called once an answer is written, whether or not the client takes it. */
  sent({ socket, writableFinished }: ServerResponse): void {
    if (!socket || writableFinished) return;
    this.#sending.delete(socket);
    this.#sending.add(socket);
    let bytes = 0;
    for (const one of this.#sending) bytes += one.writableLength;
    for (const one of this.#sending) {
      if (bytes <= this.#limits.bytes || one === socket) return;
      bytes -= one.writableLength;
      one.destroy();
    }
  }

  #lineUp(socket: Socket, line: Waiting[], waiting: Waiting): void {
    if (this.#waiting >= this.#limits.requests) {
      socket.destroy();
      return;
    }
    this.#waiting++;
    if (line.push(waiting) >= waitingPerConnection) socket.pause();
  }

  #forget(socket: Socket): void {
    this.#waiting -= this.#lines.get(socket)?.length ?? 0;
    this.#lines.delete(socket);
    this.#sending.delete(socket);
  }
}
