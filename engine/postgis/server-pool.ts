/** A few connections to one server, opened when they are needed and kept while they work. */
import { EngineError } from '../spec/errors.ts';
import { type ServerAccess, ServerConnection } from './connect.ts';
import { expectSchema } from './migrate.ts';
import type { ServerAddress } from './server-address.ts';

/** Every one is a process of the server. */
const mostConnections = 4;

/** An error of the question, not of the connection. */
const isOfQuestion = ({ code }: EngineError): boolean => code === 'validation_error' || code === 'not_found';

/** The server can have ended a connection while it was idle. */
const answers = (server: ServerConnection): Promise<boolean> =>
  server.run('SELECT 1').then(
    () => true,
    () => false,
  );

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

  /** How many connections work. */
  get inUse(): number {
    return this.#open - this.#idle.length;
  }

  /** Runs work on a connection of its own. @throws EngineError postgis_… */
  async use<Result>(work: (server: ServerConnection) => Promise<Result>): Promise<Result> {
    const server = await this.#take();
    try {
      const result = await work(server);
      this.#giveBack(server);
      return result;
    } catch (error) {
      if (error instanceof EngineError && isOfQuestion(error)) this.#giveBack(server);
      else this.#drop(server);
      throw error;
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
      if (await answers(known)) return known;
      this.#drop(known);
    }
    this.#open++;
    const server = new ServerConnection(this.#address, this.#access, { pipeline: true });
    try {
      await server.open();
      await expectSchema(server);
      return server;
    } catch (error) {
      this.#drop(server);
      throw error;
    }
  }

  #giveBack(server: ServerConnection): void {
    if (this.#isClosed) {
      this.#drop(server);
      return;
    }
    this.#idle.push(server);
    this.#waiting.shift()?.();
  }

  #drop(server: ServerConnection): void {
    void server.close();
    this.#open--;
    this.#waiting.shift()?.();
  }
}
