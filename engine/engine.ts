/**
 * The engine: the three open files of a home, and the pipeline that runs every call of every door:
 * find operation → plan → scope → rate → parse → replay? → run → price → charge → answer.
 */
import { randomUUID } from 'node:crypto';
import { type Charge, findRepeat, Meter, type Repeat } from './account/meter.ts';
import { readPlan, requirePlan } from './account/plan.ts';
import { type Aliases, aliasesOrAside, renameFields, underGivenNames } from './aliases.ts';
import type { DeletedContact } from './backup/delete-contact.ts';
import { requireHome } from './backup/home-place.ts';
import { setAside } from './backup/set-aside.ts';
import { type Settled, settleHome } from './backup/settle-home.ts';
import { type Answer, type Caller, type CallInput, callerOfPage, limitOf, repeatOf } from './caller.ts';
import { requireKernels } from './columns/county-memory.ts';
import { checkOptions, type EngineOptions, type LogLine } from './engine-options.ts';
import { homeTasks } from './jobs/home-tasks.ts';
import { removeLeft } from './jobs/leftovers.ts';
import type { TaskRunner } from './jobs/task-runner.ts';
import { beginUpkeep } from './jobs/upkeep.ts';
import { allPages } from './land/all-pages.ts';
import type { Answered } from './land/answered.ts';
import type { LandReader } from './land/land-reader.ts';
import { LocalLand } from './land/local-land.ts';
import { unfitNodeSentence } from './node-version.mjs';
import {
  type AnyOperation,
  type InputOf,
  type OperationName,
  type OutputOf,
  operationsByName,
} from './operations/index.ts';
import type { OperationContext } from './operations/operation.ts';
import { liftOptOut } from './people/delete-person.ts';
import { requireUnwanted, type UnwantedContact } from './people/unwanted.ts';
import { type BookHooks, type BookOrder, printBook } from './print-book.ts';
import { makeViewSheet, type ViewSheet, type ViewSheetInput } from './sheet/view-sheet.ts';
import { EngineError, validationError } from './spec/errors.ts';
import type { Envelope } from './spec/paging.ts';
import { findProblems, unknownName } from './spec/validate.ts';
import { type LandKysely, landKysely } from './sql/land-kysely.ts';
import { defaultSeconds, type SqlOptions, SqlQuestions } from './sql/sql-questions.ts';
import { type AccountStore, openAccountStore } from './store/account-store.ts';
import { agreeOnHome } from './store/home-identity.ts';
import { type LandStore, openLandStore } from './store/land-store.ts';
import { openPeopleStore, type PeopleStore } from './store/people-store.ts';
import type { SqlValues } from './store/read-only-file.ts';
import { closeBasemaps } from './tiles/basemaps/list-basemaps.ts';
import { type ExplainedByHand, type ExplainedValue, explainedValue } from './value-explained.ts';

export type { Answer, Caller, EngineOptions, LogLine, SqlValues };

const script: Caller = { mode: 'script' };

type Notice = NonNullable<OperationContext['notice']>;
type Run = (operation: AnyOperation, valid: Record<string, unknown>, notice: Notice) => Answered<unknown>;

export class Engine {
  readonly home: string;
  /** What was put in order at this opening. */
  readonly settled: Settled;
  readonly land: LandStore;
  readonly people: PeopleStore;
  readonly account: AccountStore;
  readonly now: () => Date;
  /** Work in worker processes: imports, enrichments, questions about files, backups, upkeep. */
  readonly jobs: TaskRunner;
  /** The land that operations read. */
  readonly #reader: LandReader;
  readonly #meter: Meter;
  #sql: SqlQuestions | null = null;
  #isClosed = false;
  readonly #endUpkeep: () => void;
  readonly #aliases: Aliases;
  readonly #log: (line: LogLine) => void;

  constructor(options: EngineOptions) {
    this.home = options.home;
    this.now = options.now ?? (() => new Date());
    this.#log = options.log ?? (() => {});
    const settled = settleHome(options.home, this.now());
    const { aliases, sentences } = aliasesOrAside(options.home, (name) => setAside(options.home, name, this.now()));
    this.#aliases = aliases;
    const opened: { close(): void }[] = [];
    const keep = <Store extends { close(): void }>(store: Store): Store => {
      opened.push(store);
      return store;
    };
    try {
      this.land = keep(openLandStore(options.home, options.steadyNow ?? (() => performance.now())));
      this.people = keep(openPeopleStore(options.home));
      this.account = keep(openAccountStore(options.home));
    } catch (error) {
      for (const store of opened) store.close();
      throw error;
    }
    this.#reader = options.land ?? new LocalLand(this.land);
    agreeOnHome([this.land.file, this.people.file, this.account.file], randomUUID());
    this.settled = {
      sentences: [...settled.sentences, ...sentences],
      removed: [...settled.removed, ...removeLeft(this.land, options.home)],
    };
    this.#meter = new Meter(this.account, this.now);
    const { home, now, land, people } = this;
    this.jobs = homeTasks({ home, now, land, people, log: this.#log, spawnWorker: options.spawnWorker });
    this.#endUpkeep = beginUpkeep(this.land, this.jobs, options);
  }

  /**
   * Runs an operation and charges it.
   * @example const { data, tokens } = await engine.call('filter_properties', { county: '99001', acres_min: 5 });
   * @throws EngineError with a code of spec/errors.ts; internal_error for a fault of Platbook itself
   */
  async call<Name extends OperationName>(
    name: Name,
    ...[input, caller = script]: CallInput<Name>
  ): Promise<Answer<OutputOf<Name>>> {
    return (await this.callUnchecked(name, input ?? {}, caller)) as Answer<OutputOf<Name>>;
  }

  /**
   * As `call`, for a door whose names and inputs come from outside.
   * @example const { data } = await engine.callUnchecked('get_property', JSON.parse('{"id":2}'), { mode: 'script' });
   * @param input the input, or a function that returns it. The function is called after the checks of plan, scope and
   *   rate: the HTTP door must not report a bad body to a caller who fails them.
   */
  callUnchecked(name: string, input: unknown, caller: Caller): Promise<Answer<unknown>> {
    return this.#answer(name, input, caller, (operation, valid, notice) =>
      this.#run(operation, valid, caller, this.#reader, notice),
    );
  }

  /**
   * All results of a list in one answer, from one snapshot and for one charge: all of it is charged, or nothing.
   * @example const { data } = await engine.whole('filter_properties', { county: '99001', acres_min: 100 });
   * @throws EngineError as `call` does
   */
  async whole<Name extends OperationName>(
    name: Name,
    ...[input, caller = script]: CallInput<Name>
  ): Promise<Answer<OutputOf<Name>>> {
    const runAll: Run = (operation, valid, notice) => {
      const { pages } = operation;
      if (!pages) throw new EngineError('validation_error', `${name} has no pages`);
      return allPages(this.#reader, (land, page) =>
        this.#run(operation, { ...valid, page, page_size: pages.maximum }, caller, land, notice),
      );
    };
    return (await this.#answer(name, input ?? {}, caller, runAll)) as Answer<OutputOf<Name>>;
  }

  async #answer(name: string, input: unknown, caller: Caller, run: Run): Promise<Answer<unknown>> {
    const requestId = caller.requestId ?? randomUUID();
    try {
      this.#requireOpen();
      const operation = getOperation(name);
      this.#admit(operation, caller);
      const valid = this.#parse(operation, typeof input === 'function' ? input() : input);
      const repeat = repeatOf(operation, valid, caller);
      this.#refuseOtherInput(repeat);
      limitOf(operation, caller)?.take(this.account, this.now);
      const notices = new Set<string>();
      const ran = run(operation, valid, (...sentences) => {
        for (const sentence of sentences) notices.add(sentence);
      });
      const data = ran instanceof Promise ? await this.#whileOpen(ran) : ran;
      const told = [...notices];
      caller.prepare?.(data, told);
      const tokens = caller.isFree ? 0 : await this.#charge(operation, data, { ...caller, requestId }, repeat);
      return { data, tokens, requestId, notices: told };
    } catch (error) {
      // In process a full disk or a locked file keeps its code; the HTTP door answers internal_error for it.
      if (error instanceof EngineError) throw error;
      this.#log({ requestId, operation: name, error });
      throw new EngineError('internal_error', undefined, { cause: error });
    }
  }

  /**
   * Iterates over all results of a list for one charge (if the price is per row, each row is charged once). Repeating the
   * iteration with the same idempotency key costs nothing on any page.
   * @example for await (const { apn } of engine.each('filter_properties', { county: '99001', acres_min: 100 })) console.log(apn);
   * @throws EngineError as `call` does, when the iteration begins
   */
  async *each<Name extends OperationName>(
    name: Name,
    ...[input, caller = script]: CallInput<Name>
  ): AsyncGenerator<OutputOf<Name> extends { results: (infer Result)[] } ? Result : never> {
    const operation = getOperation(name);
    if (!operation.pages) throw new EngineError('validation_error', `${name} has no pages`);
    for (let page = 1; ; page++) {
      // Large pages by default: each page repeats the scan.
      const onePage = { page_size: operation.pages.maximum, ...(input as object), page } as InputOf<Name>;
      const isCharged = page === 1 || operation.chargedPerRow === true;
      const data = isCharged
        ? (await this.callUnchecked(name, onePage, callerOfPage(caller, page))).data
        : await this.#run(operation, this.#parse(operation, onePage), caller, this.#reader);
      const { results, next } = data as Envelope<unknown>;
      yield* results as never[];
      if (next === null) return;
    }
  }

  /**
   * The comp value of a parcel with every comp used and left out, and the county's backtest. Charged as
   * `get_property_ai_comp_value`.
   * @param asOf a past day, for a value from nothing later (default: today)
   * @param byHand ids of comps that are pinned and struck: the value with them stands beside the one without, in `forced`, at no further charge
   * @example const { data } = await engine.explainCompValue(2);
   * @throws EngineError as `call` does; not_found without a comp value
   */
  async explainCompValue(
    id: number,
    caller: Caller = script,
    asOf?: string,
    byHand?: ExplainedByHand,
  ): Promise<Answer<ExplainedValue>> {
    if (!(this.#reader instanceof LocalLand))
      throw new EngineError('usage', 'A value is explained from the land of a home: pull the county into one.');
    const answer = await this.call('get_property_ai_comp_value', { id, ...(asOf && { as_of: asOf }) }, caller);
    return { ...answer, data: explainedValue(this.land, id, this.now(), asOf, byHand) };
  }

  /**
   * Rows of one SELECT on land.sqlite; free, not metered, read-only. `SELECT name, sql FROM sqlite_schema` lists the tables;
   * they may change between versions, operations do not.
   * @example const rows = engine.sql<{ apn: string }>('SELECT apn FROM parcels WHERE fips = ? LIMIT 3', ['99001']);
   * @param values by position or by name
   * @param options seconds: the time limit, 10 by default; a process of its own answers and is stopped then
   * @throws EngineError validation_error if the SQL is wrong, writes, holds several statements, or takes too long
   */
  sql<Row extends object = Record<string, unknown>>(
    text: string,
    values: SqlValues = [],
    { seconds = defaultSeconds }: SqlOptions = {},
  ): Row[] {
    this.#requireOpen();
    this.#sql ??= new SqlQuestions(this.home);
    return this.#sql.rows(text, values, seconds) as Row[];
  }

  /**
   * Kysely over parcels, comps, datasets and counties of land.sqlite: `sql` with the types of data/DICTIONARY.md.
   * @example const rows = await engine.kysely().selectFrom('parcels').select(['apn', 'acres']).where('fips', '=', '99001').limit(3).execute();
   * @param options as `sql` takes them
   * @returns a read-only Kysely; a query that writes throws as `sql` does, as does one of a closed engine
   */
  kysely(options: SqlOptions = {}): LandKysely {
    return landKysely((text, values) => this.sql(text, values, options));
  }

  /**
   * A plat book as one georeferenced PDF, made in a process of its own; free.
   * @example const { pages } = await engine.book({ to: 'book.pdf', counties: ['99001'], names: false });
   * @throws EngineError as `printBook` does
   */
  readonly book = (order: BookOrder, hooks: BookHooks = {}) => printBook(this.jobs, order, hooks);
  /**
   * One page of the map as a georeferenced PDF, to scale. Free. Owners are named only if `labels` holds `owner`.
   * @example const { pdf, notes } = await engine.mapSheet({ longitude: -71.8, latitude: 44.1, scale: 12000 });
   * @throws EngineError validation_error, also where no parcel lies on the page, or too many
   */
  mapSheet(view: ViewSheetInput): Promise<ViewSheet> {
    this.#requireOpen();
    return makeViewSheet(this, view);
  }

  /**
   * Deletes a person from the contact records of the home, with what traces found, and keeps later lists from bringing the
   * person back. It cannot be undone. Runs in a worker: it rewrites the file, so that no byte is left.
   * @example const deleted = await engine.deleteContact({ phone: '(603) 555-0142' });
   * @throws EngineError validation_error; disk_full, file_locked: nothing was deleted then
   */
  async deleteContact(unwanted: UnwantedContact): Promise<DeletedContact> {
    this.#requireOpen();
    return this.jobs.run('delete_contact', requireUnwanted(unwanted));
  }

  /**
   * Takes a person or a number off the opt-out list, with all that the same deletion put on it. Deleted records do not come
   * back; lists that are imported from now on may bring them.
   * @example const gone = engine.allowContact({ phone: '(603) 555-0142' });
   * @returns how many entries of the list are gone
   * @throws EngineError validation_error
   */
  allowContact(unwanted: UnwantedContact): number {
    this.#requireOpen();
    return liftOptOut(this.people, requireUnwanted(unwanted));
  }

  /**
   * The highest price, in tokens, that a call can have.
   * @example const tokens = engine.quote('get_property_ai_comp_value', { id: 2 });
   */
  quote<Name extends OperationName>(name: Name, input: InputOf<Name>): number {
    const operation = getOperation(name);
    return operation.quote(this.#parse(operation, input) as never);
  }

  /**
   * Ends the engine's processes and closes its files; a second time it does nothing.
   * @example engine.close();
   */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#endUpkeep();
    this.#sql?.close();
    this.jobs.close();
    closeBasemaps(this.home);
    this.#meter.flush();
    this.land.close();
    this.people.close();
    this.account.close();
  }

  /** @throws EngineError closed, if the engine was closed meanwhile: nothing is charged */
  #whileOpen<Result>(answer: Promise<Result>): Promise<Result> {
    return answer.finally(() => this.#requireOpen());
  }

  /** @throws EngineError closed */
  #requireOpen(): void {
    if (this.#isClosed) throw new EngineError('closed');
  }

  #admit(operation: AnyOperation, caller: Caller): void {
    if (operation.needsPlan) requirePlan(readPlan(this.account));
    if (caller.scopes && operation.scope !== null && !caller.scopes.has(operation.scope)) {
      throw new EngineError('forbidden', `This key lacks the scope "${operation.scope}" that ${operation.name} needs.`);
    }
    caller.admit?.();
    limitOf(operation, caller)?.refuseWhenFull(this.account, this.now);
  }

  #parse(operation: AnyOperation, input: unknown): Record<string, unknown> {
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
    const named =
      isObject && operation.takesFilters ? renameFields(input as Record<string, unknown>, this.#aliases) : input;
    const problems = findProblems(operation.input, named);
    if (problems) throw validationError(underGivenNames(problems, input, this.#aliases));
    return named as Record<string, unknown>;
  }

  #run(
    operation: AnyOperation,
    input: Record<string, unknown>,
    caller: Caller,
    land: LandReader,
    notice?: Notice,
  ): Answered<unknown> {
    const { pageLink = (page: number) => `?page=${page}`, hint } = caller;
    const { account, people, now } = this;
    const context: OperationContext = { land, account, people, now, pageLink, hint, ...(notice ? { notice } : {}) };
    return operation.run(input as never, context as never);
  }

  /** Refuses a key used for another input before any work is done; the meter decides again. */
  #refuseOtherInput(repeat: Repeat | null): void {
    const standing = repeat ? findRepeat(this.account, repeat, this.now()) : null;
    if (standing && 'error' in standing) throw standing.error;
  }

  #charge(
    operation: AnyOperation,
    data: unknown,
    caller: Caller & { readonly requestId: string },
    repeat: Repeat | null,
  ): Promise<number> | 0 {
    const tokens = operation.price(data as never);
    if (operation.meteringKey === null || (tokens === 0 && repeat === null)) return 0;
    const charge: Charge = {
      callId: randomUUID(),
      requestId: caller.requestId,
      endpoint: this.#aliases.metering.get(operation.meteringKey) ?? operation.meteringKey,
      mode: caller.mode,
      tokens,
      keyId: caller.keyId ?? null,
      repeat,
    };
    return this.#meter.charge(charge);
  }
}

function getOperation(name: string): AnyOperation {
  const operation = operationsByName.get(name);
  if (operation) return operation;
  throw unknownName('operation', name, [...operationsByName.keys()]);
}

/** @throws EngineError validation_error for missing or misspelt options; home_missing, unless `create` is true; unfit_node, unfit_processor, or a file_… error about one of its files, which stays unchanged */
export function openEngine(options: EngineOptions): Engine {
  const unfit = unfitNodeSentence(process.versions.node);
  if (unfit) throw new EngineError('unfit_node', unfit);
  requireKernels();
  checkOptions(options);
  if (!options.create) requireHome(options.home, 'openEngine({ home, create: true }) makes one.');
  return new Engine(options);
}
