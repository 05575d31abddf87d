/**
 * The engine: three files open, and THE pipeline, through which every call from every door goes:
 * find operation → plan → scope → rate → parse → replay? → run → price → charge → answer.
 */
import { createHash, randomUUID } from 'node:crypto';
import os from 'node:os';
import { type Charge, findRepeat, Meter, type Mode, type Repeat } from './account/meter.ts';
import { readPlan, requirePlan } from './account/plan.ts';
import { type Aliases, readAliases, renameFields, underGivenNames } from './aliases.ts';
import { IndexKeeper } from './columns/index-keeper.ts';
import { ErrandRunner } from './jobs/errand-runner.ts';
import { forkWorker } from './jobs/fork-worker.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { QuestionRunner } from './jobs/question-runner.ts';
import type { SpawnWorker } from './jobs/worker-messages.ts';
import { unfitNodeSentence } from './node-version.mjs';
import {
  type AnyOperation,
  type InputOf,
  type OperationName,
  type OutputOf,
  operationsByName,
} from './operations/index.ts';
import type { Scope } from './operations/operation.ts';
import { EngineError, validationError } from './spec/errors.ts';
import type { Envelope } from './spec/paging.ts';
import { findProblems, unknownName } from './spec/validate.ts';
import { type AccountStore, openAccountStore } from './store/account-store.ts';
import { readJobNote } from './store/job-note.ts';
import { type LandStore, openLandStore } from './store/land-store.ts';
import { openPeopleStore, type PeopleStore } from './store/people-store.ts';
import type { SqlValues } from './store/read-only-file.ts';
import { closeBasemaps } from './tiles/basemaps/list-basemaps.ts';
import { type ExplainedValue, explainedValue } from './value-explained.ts';

export type { SqlValues };

export interface EngineOptions {
  /** Folder of the three files; made when it does not exist. */
  readonly home: string;
  /** The wall clock; for tests. */
  readonly now?: () => Date;
  /** A steady clock in milliseconds, for deadlines; for tests. */
  readonly steadyNow?: () => number;
  /** Makes stale column indexes anew in a worker thread (default: true); until then SQL answers. */
  readonly keepsIndexes?: boolean;
  /** Starts a process for an import or an enrichment; without it a fork of Node. */
  readonly spawnWorker?: SpawnWorker;
  /** Called with faults of Platbook itself; never with data of parcels or people. */
  readonly log?: (line: LogLine) => void;
}

export interface LogLine {
  readonly requestId: string;
  readonly operation: string;
  readonly error: unknown;
}

/** Who calls, and how the call is to be charged. */
export interface Caller {
  readonly mode: Mode;
  readonly requestId?: string;
  /** 1 to 128 characters: a repeat with the same key and input within 24 hours runs again uncharged. */
  readonly idempotencyKey?: string;
  readonly keyId?: number;
  /** Absent: everything is allowed (the owner of the machine, in process). */
  readonly scopes?: ReadonlySet<Scope>;
  /** Called once plan and scope are right; throws rate_limited. */
  readonly admit?: () => void;
  /** The address of another page; in-process callers get `?page=N`. */
  readonly pageLink?: (page: number) => string;
}

export interface Answer<Output> {
  readonly data: Output;
  /** Tokens charged for this call. */
  readonly tokens: number;
  readonly requestId: string;
}

export class Engine {
  readonly home: string;
  readonly land: LandStore;
  readonly people: PeopleStore;
  readonly account: AccountStore;
  readonly now: () => Date;
  /** Long work beside the answers: imports, enrichments, priced columns of lists. */
  readonly jobs: JobRunner;
  /** About files, beside the answers too. */
  readonly questions: QuestionRunner;
  /** Of the engine itself, in processes of their own. */
  readonly errands: ErrandRunner;
  readonly #meter: Meter;
  readonly #indexKeeper: IndexKeeper | null = null;
  readonly #aliases: Aliases;
  readonly #log: (line: LogLine) => void;

  constructor(options: EngineOptions) {
    this.home = options.home;
    this.now = options.now ?? (() => new Date());
    this.#log = options.log ?? (() => {});
    this.#aliases = readAliases(options.home);
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
    this.#meter = new Meter(this.account, this.now);
    const { home, spawnWorker = forkWorker } = options;
    this.questions = new QuestionRunner({ home, now: this.now, spawnWorker, log: this.#log });
    this.jobs = new JobRunner({
      home,
      now: this.now,
      spawnWorker,
      threads: os.availableParallelism(),
      countyName: (fips) => countyWords(this.land, fips),
      findNote: (job) => readJobNote(this.land.file, job) ?? readJobNote(this.people.file, job),
      // What a killed writer left in the log is folded away, or it would lie beside the file until the next start.
      onLandWritten: () => this.land.file.checkpoint(),
      log: this.#log,
    });
    this.errands = new ErrandRunner({ home, now: this.now, spawnWorker });
    if (options.keepsIndexes ?? true) {
      this.#indexKeeper = new IndexKeeper(() => this.errands.begin('index_stale', null));
      this.land.onStaleIndex = this.#indexKeeper.wake;
    }
  }

  /**
   * Runs an operation by its name and charges it.
   * @throws EngineError with a code of spec/errors.ts; a fault of Platbook itself comes as internal_error
   */
  async call<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    caller: Caller = { mode: 'script' },
  ): Promise<Answer<OutputOf<Name>>> {
    return (await this.callUnchecked(name, input, caller)) as Answer<OutputOf<Name>>;
  }

  /**
   * The same for a door whose names and inputs come from outside.
   * @param input or a function that gives it, called once plan, scope and rate are right: the HTTP door must not speak
   *   of a body before
   */
  callUnchecked(name: string, input: unknown, caller: Caller): Promise<Answer<unknown>> {
    return this.#answer(name, input, caller, (operation, valid) => this.#run(operation, valid, caller));
  }

  /**
   * Every result of a list in one answer, of one snapshot and for one charge: the whole result is paid for, or nothing is.
   * @throws EngineError as `call` does
   */
  async whole<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    caller: Caller = { mode: 'script' },
  ): Promise<Answer<OutputOf<Name>>> {
    const runAll = (operation: AnyOperation, valid: Record<string, unknown>): unknown => {
      if (!operation.pages) throw new EngineError('validation_error', `${name} is no list with pages`);
      const results: unknown[] = [];
      for (let page = 1; ; page++) {
        const onePage = { ...valid, page, page_size: operation.pages.maximum };
        const data = this.#run(operation, onePage, caller) as Envelope<unknown>;
        results.push(...data.results);
        if (data.next === null) return { ...data, previous: null, results };
      }
    };
    return (await this.#answer(name, input, caller, runAll)) as Answer<OutputOf<Name>>;
  }

  async #answer(
    name: string,
    input: unknown,
    caller: Caller,
    run: (operation: AnyOperation, valid: Record<string, unknown>) => unknown,
  ): Promise<Answer<unknown>> {
    const requestId = caller.requestId ?? randomUUID();
    try {
      const operation = getOperation(name);
      this.#admit(operation, caller);
      const valid = this.#parse(operation, typeof input === 'function' ? input() : input);
      const repeat = repeatOf(operation, valid, caller);
      this.#refuseOtherInput(repeat);
      operation.limit?.take(this.account, this.now);
      const data = run(operation, valid);
      const tokens = await this.#charge(operation, data, { ...caller, requestId }, repeat);
      return { data, tokens, requestId };
    } catch (error) {
      // A full disk or a locked file keeps its name in process; over HTTP it is an internal_error as well.
      if (error instanceof EngineError) throw error;
      this.#log({ requestId, operation: name, error });
      throw new EngineError('internal_error', undefined, { cause: error });
    }
  }

  /**
   * Every result of a list, over all its pages, for one charge; where the price is per row, each row once. With an
   * idempotency key a repeated iteration is uncharged on every page.
   * @throws EngineError as `call` does, when the iteration begins
   */
  async *each<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    caller: Caller = { mode: 'script' },
  ): AsyncGenerator<OutputOf<Name> extends { results: (infer Result)[] } ? Result : never> {
    const operation = getOperation(name);
    if (!operation.pages) throw new EngineError('validation_error', `${name} is no list with pages`);
    for (let page = 1; ; page++) {
      // Large pages by default: each one scans anew.
      const onePage = { page_size: operation.pages.maximum, ...(input as object), page } as InputOf<Name>;
      const isCharged = page === 1 || operation.chargedPerRow === true;
      const data = isCharged
        ? (await this.call(name, onePage, callerOfPage(caller, page))).data
        : this.#run(operation, this.#parse(operation, onePage), caller);
      const { results, next } = data as Envelope<unknown>;
      yield* results as never[];
      if (next === null) return;
    }
  }

  /**
   * The comp value with every comp used and left out, and how such values did in the county. Costs what
   * `get_property_ai_comp_value` costs, through the same pipeline.
   */
  async explainCompValue(id: number, caller: Caller = { mode: 'script' }): Promise<Answer<ExplainedValue>> {
    const { tokens, requestId } = await this.call('get_property_ai_comp_value', { id }, caller);
    return { data: explainedValue(this.land, id, this.now()), tokens, requestId };
  }

  /**
   * Rows of a question in SQL to land.sqlite, for the curious: free, not metered, and unable to write. Its tables are those
   * of the file itself (`SELECT name, sql FROM sqlite_schema`); they may change from version to version, operations do not.
   * @param values by position or by name
   * @throws EngineError validation_error for SQL that is wrong, writes, or is several statements
   */
  sql<Row extends object = Record<string, unknown>>(text: string, values?: SqlValues): Row[] {
    return this.land.readOnly.rows(text, values) as Row[];
  }

  /** The most that a call can cost. */
  quote<Name extends OperationName>(name: Name, input: InputOf<Name>): number {
    const operation = getOperation(name);
    return operation.quote(this.#parse(operation, input) as never);
  }

  close(): void {
    this.questions.close();
    this.jobs.close();
    closeBasemaps(this.home);
    this.#meter.flush();
    this.#indexKeeper?.close();
    this.errands.close();
    this.land.close();
    this.people.close();
    this.account.close();
  }

  #admit(operation: AnyOperation, caller: Caller): void {
    if (operation.needsPlan) requirePlan(readPlan(this.account));
    if (caller.scopes && operation.scope !== null && !caller.scopes.has(operation.scope)) {
      throw new EngineError('forbidden', `This key lacks the scope "${operation.scope}" that ${operation.name} needs.`);
    }
    caller.admit?.();
    operation.limit?.refuseWhenFull(this.account, this.now);
  }

  #parse(operation: AnyOperation, input: unknown): Record<string, unknown> {
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
    const named =
      isObject && operation.takesFilters ? renameFields(input as Record<string, unknown>, this.#aliases) : input;
    const problems = findProblems(operation.input, named);
    if (problems) throw validationError(underGivenNames(problems, input, this.#aliases));
    return named as Record<string, unknown>;
  }

  #run(operation: AnyOperation, input: Record<string, unknown>, caller: Caller): unknown {
    const pageLink = caller.pageLink ?? ((page: number) => `?page=${page}`);
    const { land, account, people, now } = this;
    return operation.run(input as never, { land, account, people, now, pageLink } as never);
  }

  /** Before running, so that a key that stands for another input costs no work; the meter decides again. */
  #refuseOtherInput(repeat: Repeat | null): void {
    const standing = repeat ? findRepeat(this.account, repeat, this.now()) : null;
    if (standing && 'error' in standing) throw standing.error;
  }

  async #charge(
    operation: AnyOperation,
    data: unknown,
    caller: Caller & { readonly requestId: string },
    repeat: Repeat | null,
  ): Promise<number> {
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

/**
 * A key stands for one input, and so for one page: the others have keys made from it. Its hash, because a key may have all
 * 128 characters already, and because no key of the caller's own is to look like it.
 */
function callerOfPage(caller: Caller, page: number): Caller {
  const { idempotencyKey: key } = caller;
  if (key === undefined || page === 1) return caller;
  return { ...caller, idempotencyKey: `page ${page} of ${createHash('sha256').update(key).digest('hex')}` };
}

function getOperation(name: string): AnyOperation {
  const operation = operationsByName.get(name);
  if (operation) return operation;
  throw unknownName('operation', name, [...operationsByName.keys()]);
}

function repeatOf(operation: AnyOperation, input: Record<string, unknown>, caller: Caller): Repeat | null {
  const key = caller.idempotencyKey;
  if (key === undefined || operation.meteringKey === null) return null;
  const ordered = Object.keys(input)
    .sort()
    .map((field) => [field, input[field]]);
  return {
    key,
    operation: operation.name,
    inputHash: createHash('sha256').update(JSON.stringify(ordered)).digest('hex'),
  };
}

/**
 * Opens a home.
 * @throws EngineError unfit_node, or a named error about one of its files, which is then left as it was
 */
export function openEngine(options: EngineOptions): Engine {
  const unfit = unfitNodeSentence(process.versions.node);
  if (unfit) throw new EngineError('unfit_node', unfit);
  return new Engine(options);
}

/** `Sullivan County, NH`; never a code where there is a name. */
function countyWords(land: LandStore, fips: string): string {
  const county = land.county(fips.padStart(5, '0'));
  return county ? `${county.name}, ${county.state}` : fips;
}
