/** A few connections to one server, opened when they are needed and kept while they work. */
import { type ServerAccess, ServerConnection } from './connect.ts';
import { expectSchema } from './migrate.ts';
import type { ServerAddress } from './server-address.ts';

/** Every one is a process of the server. */
const mostConnections = 4;

export class ServerPool {
  readonly #address: ServerAddress;
  readonly #access: ServerAccess;
  readonly #idle: ServerConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #open = 0;
  #isClosed = false;

  constructor(address: ServerAddress, access: ServerAccess = {}) {
    this.#address = address;
    this.#access = access;
  }

  /** Runs work on a connection of its own. @throws EngineError postgis_… */
  async use<Result>(work: (server: ServerConnection) => Promise<Result>): Promise<Result> {
    const server = await this.#take();
    try {
      return await work(server);
    } finally {
      this.#giveBack(server);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((server) => server.close()));
  }

  async #take(): Promise<ServerConnection> {
    while (this.#idle.length === 0 && this.#open >= mostConnections)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    for (let known = this.#idle.pop(); known; known = this.#idle.pop()) {
      if (!known.isLost) return known;
      this.#forget();
    }
    this.#open++;
    const server = new ServerConnection(this.#address, this.#access);
    try {
      await server.open();
      await expectSchema(server);
      return server;
    } catch (error) {
      void server.close();
      this.#forget();
      throw error;
    }
  }

  /** A lost connection is not kept: the next question opens another. */
  #giveBack(server: ServerConnection): void {
    if (server.isLost || this.#isClosed) {
      void server.close();
      this.#forget();
      return;
    }
    this.#idle.push(server);
    this.#waiting.shift()?.();
  }

  #forget(): void {
    this.#open--;
    this.#waiting.shift()?.();
  }
}
