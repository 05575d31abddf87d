/**
 * A connection to PostgreSQL. Only `platbook push`, `platbook pull` and `--land` open one. A lost connection rejects the
 * running query and is remembered for the next one.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import pg from 'pg';
import { EngineError } from '../spec/errors.ts';
import { guardClient, type PasswordAsked } from './guarded-messages.ts';
import { passwordFromFile } from './password-file.ts';
import type { ServerAddress } from './server-address.ts';
import { asServerError } from './server-errors.ts';
import { schemaName } from './server-schema.ts';
import { watchSilence } from './silence.ts';

const usualPatience = 10_000;

/** For one message, which may have 64 MB, as a multiple of the patience for a silent server. */
const messagePatience = 12;

/** Type numbers of pg_type (https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat). */
const oids = { bigint: 20, date: 1082, numeric: 1700, timestamptz: 1184 };

const texts = new Set([oids.date, oids.timestamptz]);

/** Numbers as numbers (ids stay below 2⁵³), days as the texts that they are in land.sqlite. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && (oid === oids.bigint || oid === oids.numeric)) return Number;
    if (format !== 'binary' && texts.has(oid)) return (text: string) => text;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

export type Row = Readonly<Record<string, unknown>>;

export interface ServerAccess {
  readonly password?: string;
  /** Where to look for it, if it is not given (password-file.ts). */
  readonly passwordFile?: string;
  /** Lets a server without TLS have it in clear text or as an MD5 sum, which any program on its port could learn. */
  readonly allowPlainPassword?: boolean;
  /** How long to wait for a server that does not answer, and as long again until it is given up (silence.ts). */
  readonly patienceMilliseconds?: number;
  /** Takes the place of a socket. */
  readonly stream?: () => Duplex;
}

export class ServerConnection {
  readonly address: ServerAddress;
  /** The driver's own, for streams. */
  readonly client: pg.Client;
  readonly #access: ServerAccess;
  readonly #asked: PasswordAsked;
  #lost: unknown = null;

  /** @param config `pipeline`: statements are sent without a wait for answers; it cannot COPY */
  constructor(address: ServerAddress, access: ServerAccess = {}, config: Pick<pg.ClientConfig, 'pipeline'> = {}) {
    const { stream, patienceMilliseconds = usualPatience } = access;
    this.address = address;
    this.#access = access;
    const { host, port, user, database, tls } = address;
    this.client = new pg.Client({
      ...{ host, port, database, types, ...config },
      ...(user !== undefined && { user }),
      // Without one the driver would look for a file itself, and warn of it.
      password: () => this.#password(access) as string,
      ssl: tls === false ? false : { rejectUnauthorized: true, ...tls },
      application_name: 'platbook',
      connectionTimeoutMillis: patienceMilliseconds,
      keepAlive: true,
      ...(stream && { stream }),
    });
    this.#asked = guardClient(this.client, {
      milliseconds: patienceMilliseconds * messagePatience,
      server: address.words,
    });
    // Without a listener a lost connection would end the process.
    this.client.on('error', (error) => {
      this.#lost = error;
    });
  }

  /** Another connection to the same server, not open; null where it has one alone, in this process. */
  beside(): ServerConnection | null {
    return this.#access.stream ? null : new ServerConnection(this.address, this.#access);
  }

  /** @throws EngineError postgis_refused where it would be readable on its way */
  #password({ password, passwordFile, allowPlainPassword }: ServerAccess): string | undefined {
    const asked = this.#asked.inPlain();
    if (asked !== null && this.address.tls === false && !allowPlainPassword)
      throw new EngineError(
        'postgis_refused',
        `The database server asks for the password ${asked}: ${this.address.words}. Without encryption it gets none; let it use scram-sha-256, or say --allow-plain-password.`,
      );
    if (password !== undefined || passwordFile === undefined) return password;
    const { host, port, database } = this.address;
    return passwordFromFile(passwordFile, { host, port, database, user: this.client.user ?? '' });
  }

  /** @throws EngineError postgis_unreachable, postgis_refused, postgis_full */
  async open(): Promise<void> {
    try {
      await this.guard(() => this.client.connect());
      await this.run(
        `SET search_path = ${schemaName}, public; SET datestyle = 'ISO, YMD'; SET timezone = 'UTC'; SET extra_float_digits = 1`,
      );
    } catch (error) {
      // A server that waits for a password would wait a minute.
      await this.close();
      throw error;
    }
  }

  /** Runs work on the connection; its errors come out named, and a silent server is one. */
  async guard<Result>(work: () => Promise<Result>): Promise<Result> {
    const stop = this.#watch();
    try {
      if (this.#lost !== null) throw this.#lost;
      return await work();
    } catch (error) {
      throw asServerError(error, this.address.words);
    } finally {
      stop();
    }
  }

  #watch(): () => void {
    const { stream, patienceMilliseconds: milliseconds = usualPatience } = this.#access;
    // A server in this process cannot be silent, and opening has a limit of its own.
    if (stream || this.#process === null) return () => {};
    let moved = this.#moved;
    return watchSilence({
      milliseconds,
      look: async () => {
        const before = moved;
        moved = this.#moved;
        return moved !== before || this.#isWorking(this.#process as number, milliseconds);
      },
      end: () => this.#break('timeout expired'),
    });
  }

  /** Bytes that came and went. */
  get #moved(): number {
    const { bytesRead, bytesWritten } = this.#stream as Socket;
    return bytesRead + bytesWritten;
  }

  get #stream(): Duplex {
    return (this.client as unknown as { connection: { stream: Duplex } }).connection.stream;
  }

  /** A server that waits for bytes of this connection, while none move, does not. Null: another connection does not answer either. */
  async #isWorking(process: number, milliseconds: number): Promise<boolean | null> {
    const other = new ServerConnection(this.address, this.#access);
    const limit = setTimeout(() => other.#break('timeout expired'), milliseconds);
    try {
      await other.client.connect();
      const { rows } = await other.client.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE pid = $1 AND state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'`,
        [process],
      );
      return rows.length > 0;
    } catch (error) {
      // A server that refuses another connection does answer.
      const named = asServerError(error, '');
      return named instanceof EngineError && named.code === 'postgis_unreachable' ? null : true;
    } finally {
      clearTimeout(limit);
      other.#break();
    }
  }

  /** Its number on the server; null until it is open. */
  get #process(): number | null {
    return (this.client as unknown as { processID: number | null }).processID;
  }

  #break(why?: string): void {
    this.#stream.destroy(why === undefined ? undefined : new Error(why));
  }

  /** Rows of one statement. @throws EngineError postgis_… */
  async rows<Found extends Row = Row>(sql: string, values: readonly unknown[] = []): Promise<Found[]> {
    const { rows } = await this.guard(() => this.client.query<Found>(sql, [...values]));
    return rows;
  }

  /** One or several statements without values. */
  async run(sql: string): Promise<void> {
    await this.guard(() => this.client.query(sql));
  }

  /** Commits what `work` did, or nothing. */
  async transaction<Result>(work: () => Promise<Result>, mode = ''): Promise<Result> {
    await this.run(`BEGIN ${mode}`);
    try {
      const result = await work();
      await this.run('COMMIT');
      return result;
    } catch (error) {
      await this.client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    const { patienceMilliseconds = usualPatience } = this.#access;
    const limit = new AbortController();
    // A silent server does not say that it has ended.
    const silent = after(patienceMilliseconds, undefined, { signal: limit.signal }).then(() => this.#break());
    await Promise.race([this.client.end(), silent]).catch(() => {});
    limit.abort();
  }
}
