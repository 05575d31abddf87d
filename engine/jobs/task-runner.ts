/**
 * Runs every task in a worker process, by the policy of its row in task-kinds.ts. Listed ones are jobs: one at a time in
 * each lane, the others queue; the latest ended jobs are kept with their reports. Where the newest wins, each asker has
 * its own process, which stays for a moment: the next question is often about the same file, and starting a process takes
 * longer than most answers (0.6 s of 0.9).
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { removeLeftovers } from '../exporting/open-folders.ts';
import { EngineError } from '../spec/errors.ts';
import {
  asJobError,
  type HostJob,
  type HostTools,
  hasEnded,
  type JobError,
  type JobProgress,
  type JobStatus,
  landLane,
  type ProgressEvent,
  reportOf,
  withoutAllClear,
} from './job.ts';
import { joinFilesOf } from './task-fields.ts';
import { type TaskInput, type TaskName, taskFor, tasks } from './task-kinds.ts';
import { jobLimits, questionLimits, type TaskLimits, tileLimits } from './task-limits.ts';
import type { code as homeCode } from './tasks/home.ts';
import { Worker, type WorkerOptions } from './worker.ts';

interface TaskRunnerOptions extends WorkerOptions {
  /** What listed tasks need of the open home. */
  readonly opened?: {
    /** The county's name; the code itself if no county has it. */
    readonly countyName: (fips: string) => string;
    /** The note that the job committed; null without one. */
    readonly findNote: (job: string) => unknown;
    /** Called after a job that writes the land file, whether it succeeded or not. */
    readonly onLandWritten: () => void;
  };
}

/** Number of ended jobs that are kept. */
const mostEndedJobs = 20;
/** After this time an idle process of an asker is ended: it holds some 110 MB. */
const idleMilliseconds = 20_000;
/** Most askers at once; each has a process. */
const mostAskers = 4;

type AtOnce = TaskName<'at once'>;
type ReportOf<Name extends TaskName> = Name extends AtOnce ? Awaited<ReturnType<(typeof homeCode)[Name]>> : unknown;

/** @property report of a job that was not completed: what it had committed; null: nothing */
type Ending = Pick<JobStatus, 'state' | 'report'> & { readonly error?: JobError };

interface Job {
  status: JobStatus;
  readonly lane: string;
  readonly work: HostJob['work'];
  readonly stop: AbortController;
  readonly waiters: ((status: JobStatus) => void)[];
}

/** The foreign files that a task reads. */
interface FileInput {
  readonly files?: readonly string[];
  readonly paths?: readonly string[];
  readonly file?: string;
  readonly path?: string;
  readonly join?: string | string[];
}
const filesOf = ({ paths = [], files = paths, file }: FileInput): readonly string[] =>
  file === undefined ? files : [file];
const askedFilesOf = ({ path: asked, join }: FileInput) => (asked === undefined ? [] : [asked, ...joinFilesOf(join)]);

export class TaskRunner {
  readonly #options: TaskRunnerOptions;
  readonly #jobs = new Map<number, Job>();
  readonly #listeners = new Set<(status: JobStatus) => void>();
  /** Least recently asked first. */
  readonly #byAsker = new Map<string, Worker>();
  readonly #idle = new WeakMap<Worker, NodeJS.Timeout>();
  readonly #atOnce = new Set<Worker>();
  /** The last question of each asker whose questions are answered in turn. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #lastId = 0;
  #isClosed = false;

  constructor(options: TaskRunnerOptions) {
    this.#options = options;
  }

  /**
   * Queues a listed task.
   * @throws EngineError validation_error
   */
  start<Name extends TaskName<'listed'>>(kind: Name, input: TaskInput<Name>): JobStatus {
    const job = taskFor(kind, input);
    const title = job.title(input as never, this.#options.opened?.countyName ?? String);
    return this.startHost({ kind, title, lane: job.lane, work: (tools) => this.#runWorker(kind, input, tools) });
  }

  /** Queues work of the host. */
  startHost({ kind, title, lane, work }: HostJob): JobStatus {
    if (this.#isClosed) throw new EngineError('internal_error', 'The engine is closed.');
    const status: JobStatus = {
      job_id: ++this.#lastId,
      kind,
      title,
      state: 'queued',
      progress: null,
      queued_at: this.#options.now().toISOString(),
      started_at: null,
      ended_at: null,
      report: null,
      error: null,
    };
    const job: Job = { status, lane, work, stop: new AbortController(), waiters: [] };
    this.#jobs.set(status.job_id, job);
    this.#tell(job, {});
    this.#next(lane);
    return job.status;
  }

  /** Runs a task, in its turn where it is listed, and waits for its report. @throws EngineError the task's error */
  async run<Name extends TaskName<'listed' | 'at once'>>(kind: Name, input: TaskInput<Name>): Promise<ReportOf<Name>> {
    if (tasks[kind].policy === 'at once') return this.begin(kind as AtOnce, input as never).report as never;
    return reportOf(await this.finished(this.start(kind as never, input as never).job_id)) as never;
  }

  /** @throws EngineError validation_error; the report rejects with the task's error */
  begin<Name extends AtOnce>(kind: Name, input: TaskInput<Name>) {
    taskFor(kind, input);
    const worker = new Worker(this.#options);
    this.#atOnce.add(worker);
    void worker.ended.then(() => this.#atOnce.delete(worker));
    const report = worker.do({ kind, input }) as Promise<ReportOf<Name>>;
    return { report, kill: () => worker.kill(), unref: () => worker.unref() };
  }

  /**
   * @param asker one screen of one window: its newer question replaces the older
   * @throws EngineError validation_error, also if a newer question replaced it; the task's own errors
   */
  async ask<Name extends TaskName<'newest wins'>>(
    kind: Name,
    input: TaskInput<Name>,
    asker: string = kind,
  ): Promise<unknown> {
    taskFor(kind, input);
    if (this.#isClosed) throw new EngineError('internal_error', 'The engine is closed.');
    if (this.#byAsker.get(asker)?.isBusy) this.drop(asker);
    const files = askedFilesOf(input as FileInput);
    return this.#asked(kind, input, asker, files.length === 0 ? null : questionLimits(files));
  }

  /**
   * @param isWanted asked when its turn has come: a map that was moved on needs no answer
   * @throws EngineError validation_error, also if it is not wanted any more; import_refused beyond the limits
   */
  async inTurn<Name extends TaskName<'in turn'>>(
    kind: Name,
    input: TaskInput<Name>,
    isWanted: () => boolean = () => true,
  ): Promise<unknown> {
    taskFor(kind, input);
    const before = this.#turns.get(kind);
    const turn = (async () => {
      await before?.catch(() => {});
      if (this.#isClosed || !isWanted()) throw new EngineError('validation_error', 'The question was taken back.');
      return this.#asked(kind, input, kind, tileLimits);
    })();
    this.#turns.set(kind, turn);
    return turn;
  }

  async #asked(kind: TaskName, input: unknown, asker: string, limits: TaskLimits | null): Promise<unknown> {
    const worker = this.#byAsker.get(asker) ?? this.#beginFor(asker);
    this.#byAsker.delete(asker);
    this.#byAsker.set(asker, worker);
    this.#endIdleBeyond(mostAskers);
    clearTimeout(this.#idle.get(worker));
    try {
      return await worker.do({ kind, input, stays: true }, undefined, limits);
    } catch (error) {
      if (error instanceof EngineError) throw error;
      this.#options.log({ requestId: 'question', operation: kind, error });
      throw new EngineError('internal_error');
    } finally {
      if (this.#byAsker.get(asker) === worker && !worker.isBusy)
        this.#idle.set(worker, setTimeout(() => this.#endOf(asker, worker), idleMilliseconds).unref());
    }
  }

  /** Stops the asker's current question, if any; its promise rejects. */
  drop(asker: string): void {
    const worker = this.#byAsker.get(asker);
    if (worker) this.#endOf(asker, worker, new EngineError('validation_error', 'The question was taken back.'));
  }

  /** Number of askers with a process, busy or idle. */
  get askers(): number {
    return this.#byAsker.size;
  }

  /** Newest first. */
  list(): JobStatus[] {
    return [...this.#jobs.values()].map(({ status }) => status).reverse();
  }

  /** @throws EngineError not_found */
  get(jobId: number): JobStatus {
    return this.#find(jobId).status;
  }

  /** Settles once the job is done, failed or cancelled. @throws EngineError not_found */
  finished(jobId: number): Promise<JobStatus> {
    const job = this.#find(jobId);
    if (hasEnded(job.status)) return Promise.resolve(job.status);
    return new Promise((resolve) => job.waiters.push(resolve));
  }

  /**
   * Removes a job from the queue, or kills its worker: the land file keeps only what the job had committed.
   * @throws EngineError not_found, validation_error if it has ended
   */
  cancel(jobId: number): JobStatus {
    const job = this.#find(jobId);
    if (hasEnded(job.status)) {
      throw new EngineError('validation_error', `Job ${jobId} has ended already (${job.status.state}).`);
    }
    if (job.status.state === 'running') job.stop.abort();
    else this.#end(job, { state: 'cancelled', report: null });
    return job.status;
  }

  /** @param listener called with every change of a job. @returns a function that removes the listener */
  onChange(listener: (status: JobStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops everything; listeners are not called any more. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    for (const job of this.#jobs.values()) job.stop.abort();
    for (const asker of [...this.#byAsker.keys()]) this.drop(asker);
    for (const worker of this.#atOnce) worker.kill();
  }

  #beginFor(asker: string): Worker {
    const worker = new Worker(this.#options);
    void worker.ended.then(() => this.#forget(asker, worker));
    return worker;
  }

  #forget(asker: string, worker: Worker): void {
    clearTimeout(this.#idle.get(worker));
    if (this.#byAsker.get(asker) === worker) this.#byAsker.delete(asker);
  }

  #endOf(asker: string, worker: Worker, reason?: Error): void {
    this.#forget(asker, worker);
    worker.kill(reason);
  }

  /** Ends idle processes only. */
  #endIdleBeyond(most: number): void {
    for (const [asker, worker] of this.#byAsker) {
      if (this.#byAsker.size <= most) return;
      if (!worker.isBusy) this.#endOf(asker, worker);
    }
  }

  #find(jobId: number): Job {
    const job = this.#jobs.get(jobId);
    if (job) return job;
    throw new EngineError('not_found', `There is no job ${jobId}.`);
  }

  /** Starts the lane's oldest job if none is running. */
  #next(lane: string): void {
    const ofLane = [...this.#jobs.values()].filter((job) => job.lane === lane);
    const job = ofLane.find(({ status }) => status.state === 'queued');
    if (this.#isClosed || !job || ofLane.some(({ status }) => status.state === 'running')) return;
    this.#tell(job, { state: 'running', started_at: this.#options.now().toISOString() });
    void this.#work(job).then((ending) => this.#end(job, ending));
  }

  async #work(job: Job): Promise<Ending> {
    const { signal } = job.stop;
    let kept: unknown = null;
    try {
      // A listener may have cancelled it when it was reported as started.
      signal.throwIfAborted();
      const report = await job.work({
        signal,
        progress: (event) => this.#progress(job, event),
        keep: (report) => {
          kept = report;
        },
      });
      return { state: 'done', report };
    } catch (error) {
      const isStop = error instanceof Error && error.name === 'AbortError';
      if (signal.aborted && isStop) return { state: 'cancelled', report: kept };
      const failure = this.#failure(job.status.kind, error);
      return { state: 'failed', error: kept === null ? failure : withoutAllClear(failure), report: kept };
    }
  }

  #progress(job: Job, { phase, rows, total, rows_per_second }: ProgressEvent): void {
    if (hasEnded(job.status)) return;
    const isKnown = total !== null && rows_per_second > 0;
    const seconds_left = isKnown ? Math.max(0, Math.round((total - rows) / rows_per_second)) : null;
    const progress: JobProgress = { phase, rows, total, rows_per_second, seconds_left };
    this.#tell(job, { progress });
  }

  #end(job: Job, ending: Ending): void {
    this.#tell(job, { ...ending, ended_at: this.#options.now().toISOString(), progress: null });
    for (const wake of job.waiters.splice(0)) wake(job.status);
    this.#forgetOld();
    this.#next(job.lane);
  }

  #forgetOld(): void {
    const ended = [...this.#jobs.values()].filter(({ status }) => hasEnded(status));
    for (const { status } of ended.slice(0, -mostEndedJobs)) this.#jobs.delete(status.job_id);
  }

  #tell(job: Job, more: Partial<JobStatus>): void {
    job.status = { ...job.status, ...more };
    for (const listener of this.#listeners) listener(job.status);
  }

  async #runWorker(kind: TaskName<'listed'>, input: unknown, { signal, progress, keep }: HostTools): Promise<unknown> {
    const worker = new Worker(this.#options);
    signal.addEventListener('abort', () => worker.kill());
    const task = taskFor(kind, input);
    const job = randomUUID();
    try {
      return await worker.do(
        { kind, input, job },
        (news) => (news.news === 'progress' ? progress(news.progress) : keep(news.report)),
        jobLimits(filesOf(input as FileInput)),
      );
    } catch (error) {
      // If the worker dies right after its commit, only its note reports it.
      const noted = this.#after(kind, () => this.#options.opened?.findNote(job) ?? null);
      if (noted !== null) keep(noted);
      const written = task.writes?.(input as never);
      if (written !== undefined) removeLeftovers(path.dirname(written));
      throw error;
    } finally {
      if (task.lane === landLane) this.#after(kind, () => this.#options.opened?.onLandWritten());
    }
  }

  /** The engine's own steps after a worker has ended; their failure does not change the job's outcome. */
  #after<Result>(operation: string, work: () => Result): Result | null {
    if (this.#isClosed) return null;
    try {
      return work();
    } catch (error) {
      this.#options.log({ requestId: 'job', operation, error });
      return null;
    }
  }

  #failure(operation: string, error: unknown): JobError {
    if (error instanceof EngineError) return asJobError(error);
    this.#options.log({ requestId: 'job', operation, error });
    return asJobError(new EngineError('internal_error'));
  }
}
