/** Runs jobs: one at a time in each lane, the others wait. What has ended is kept for a while, with its report. */
import { randomUUID } from 'node:crypto';
import { EngineError, validationError } from '../spec/errors.ts';
import { findProblems } from '../spec/validate.ts';
import { reportOf, withoutAllClear } from './ended-job.ts';
import {
  type HostJob,
  hasEnded,
  type JobError,
  type JobProgress,
  type JobState,
  type JobStatus,
  type ProgressEvent,
} from './job.ts';
import { findWorkerJob, type WorkerJobInput, type WorkerJobName } from './job-kinds.ts';
import type { SpawnWorker } from './worker-messages.ts';

export interface JobRunnerOptions {
  readonly home: string;
  readonly now: () => Date;
  readonly spawnWorker: SpawnWorker;
  /** How people say a county of this code; the code itself where it is none. */
  readonly countyName: (fips: string) => string;
  /** Threads that work within a worker may use. */
  readonly threads: number;
  /** What a job of this name has noted with its commit; null: nothing. */
  readonly findNote?: (job: string) => unknown;
  /** After a job that writes the land file, however it ended. */
  readonly onLandWritten?: () => void;
  /** Called with faults of Platbook itself. */
  readonly log?: (line: { readonly requestId: string; readonly operation: string; readonly error: unknown }) => void;
}

/** Ended jobs that are kept. */
const keptJobs = 20;

/** How work that runs can be stopped, and when it has ended. */
interface Running {
  readonly stop: () => void;
  readonly ended: Promise<Ending>;
}

type Ending =
  | { readonly state: 'done'; readonly report: unknown }
  /** @property report what was kept all the same, because it was whole when the work ended; null: nothing */
  | { readonly state: 'failed'; readonly error: JobError; readonly report: unknown }
  | { readonly state: 'cancelled'; readonly report: unknown };

const failed = (error: JobError, kept: unknown): Ending => ({
  state: 'failed',
  error: kept === null ? error : withoutAllClear(error),
  report: kept,
});

interface Job {
  status: JobStatus;
  readonly lane: string;
  readonly begin: (progress: (event: ProgressEvent) => void) => Running;
  running: Running | null;
  readonly waiters: ((status: JobStatus) => void)[];
}

export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #jobs = new Map<number, Job>();
  readonly #listeners = new Set<(status: JobStatus) => void>();
  #lastId = 0;
  #isClosed = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  /**
   * Queues work for a process of its own.
   * @throws EngineError validation_error
   */
  start<Name extends WorkerJobName>(kind: Name, input: WorkerJobInput<Name>): JobStatus {
    const job = findWorkerJob(kind);
    const problems = findProblems(job.input, input);
    if (problems) throw validationError(problems);
    return this.#add({ kind, title: job.title(input as never, this.#options.countyName), lane: job.lane }, (progress) =>
      this.#runWorker(kind, input, progress),
    );
  }

  /** Queues work of the host. */
  startHost({ kind, title, lane, work }: HostJob): JobStatus {
    return this.#add({ kind, title, lane }, (progress) => {
      const stop = new AbortController();
      let kept: unknown = null;
      const keep = (report: unknown): void => {
        kept = report;
      };
      const ended = work({ signal: stop.signal, progress, keep }).then(
        (report): Ending => ({ state: 'done', report }),
        (error: unknown): Ending =>
          stop.signal.aborted ? { state: 'cancelled', report: kept } : failed(this.#failure(kind, error), kept),
      );
      return { stop: () => stop.abort(), ended };
    });
  }

  /** Starts a job and waits for its report. @throws EngineError as `reportOf` does */
  async run<Name extends WorkerJobName>(kind: Name, input: WorkerJobInput<Name>): Promise<unknown> {
    return reportOf(await this.finished(this.start(kind, input).job_id));
  }

  /** Newest first. */
  list(): JobStatus[] {
    return [...this.#jobs.values()].map(({ status }) => status).reverse();
  }

  /** @throws EngineError not_found */
  get(jobId: number): JobStatus {
    return this.#find(jobId).status;
  }

  /** Settles when the job is done, failed or cancelled. @throws EngineError not_found */
  finished(jobId: number): Promise<JobStatus> {
    const job = this.#find(jobId);
    if (hasEnded(job.status)) return Promise.resolve(job.status);
    return new Promise((resolve) => job.waiters.push(resolve));
  }

  /**
   * Takes a job from the queue, or stops it: a worker is killed, and the land file is as it was but for what was kept.
   * @throws EngineError not_found, validation_error when it has ended
   */
  cancel(jobId: number): JobStatus {
    const job = this.#find(jobId);
    if (hasEnded(job.status)) {
      throw new EngineError('validation_error', `Job ${jobId} has ended already (${job.status.state}).`);
    }
    if (job.running) job.running.stop();
    else this.#end(job, { state: 'cancelled', report: null });
    return job.status;
  }

  /** @param listener told every change of a job. @returns what takes the listener away */
  onChange(listener: (status: JobStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops everything. Nothing is told any more. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    for (const job of this.#jobs.values()) if (!hasEnded(job.status)) job.running?.stop();
  }

  #find(jobId: number): Job {
    const job = this.#jobs.get(jobId);
    if (job) return job;
    throw new EngineError('not_found', `There is no job ${jobId}.`);
  }

  #add(what: { kind: string; title: string; lane: string }, begin: Job['begin']): JobStatus {
    if (this.#isClosed) throw new EngineError('internal_error', 'The engine is closed.');
    const status: JobStatus = {
      job_id: ++this.#lastId,
      kind: what.kind,
      title: what.title,
      state: 'queued',
      progress: null,
      queued_at: this.#options.now().toISOString(),
      started_at: null,
      ended_at: null,
      report: null,
      error: null,
    };
    const job: Job = { status, lane: what.lane, begin, running: null, waiters: [] };
    this.#jobs.set(status.job_id, job);
    this.#tell(job, {});
    this.#next(what.lane);
    return job.status;
  }

  /** Begins the oldest job of the lane, when none of it runs. */
  #next(lane: string): void {
    const ofLane = [...this.#jobs.values()].filter((job) => job.lane === lane);
    const job = ofLane.find(({ status }) => status.state === 'queued');
    if (this.#isClosed || !job || ofLane.some(({ status }) => status.state === 'running')) return;
    this.#tell(job, { state: 'running', started_at: this.#options.now().toISOString() });
    job.running = job.begin((event) => this.#progress(job, event));
    void job.running.ended.then((ending) => this.#end(job, ending));
  }

  #progress(job: Job, { phase, rows, total, rows_per_second }: ProgressEvent): void {
    if (hasEnded(job.status)) return;
    const isKnown = total !== null && rows_per_second > 0;
    const seconds_left = isKnown ? Math.max(0, Math.round((total - rows) / rows_per_second)) : null;
    const progress: JobProgress = { phase, rows, total, rows_per_second, seconds_left };
    this.#tell(job, { progress });
  }

  #end(job: Job, ending: Ending): void {
    const ended_at = this.#options.now().toISOString();
    const more: { state: JobState; report?: unknown; error?: JobError } = ending;
    this.#tell(job, { ...more, ended_at, progress: null });
    for (const wake of job.waiters.splice(0)) wake(job.status);
    this.#forgetOld();
    this.#next(job.lane);
  }

  #forgetOld(): void {
    const ended = [...this.#jobs.values()].filter(({ status }) => hasEnded(status));
    for (const { status } of ended.slice(0, -keptJobs)) this.#jobs.delete(status.job_id);
  }

  #tell(job: Job, more: Partial<JobStatus>): void {
    job.status = { ...job.status, ...more };
    for (const listener of this.#listeners) listener(job.status);
  }

  #runWorker(kind: WorkerJobName, input: unknown, progress: (event: ProgressEvent) => void): Running {
    const { home, now, threads, spawnWorker } = this.#options;
    const order = { kind, input, home, now: now().getTime(), threads, job: randomUUID() };
    let done: { readonly report: unknown } | null = null;
    let error: JobError | null = null;
    let kept: unknown = null;
    let isStopped = false;
    const { promise: ended, resolve } = Promise.withResolvers<Ending>();
    const worker = spawnWorker({
      onNews: (news) => {
        if (news.news === 'progress') progress(news.progress);
        else if (news.news === 'kept') kept = news.report;
        else if (news.news === 'done') done = { report: news.report };
        else error = news.news === 'failed' ? news.error : this.#failure(kind, new Error(news.stack));
      },
      // Only now is its connection closed, and the file free for the next.
      onExit: (lastWords) => {
        if (!this.#isClosed) this.#options.onLandWritten?.();
        if (!done) kept = this.#noteOf(order) ?? kept;
        if (done) resolve({ state: 'done', report: done.report });
        else if (isStopped && !error) resolve({ state: 'cancelled', report: kept });
        else resolve(failed(error ?? this.#failure(kind, new Error(`the worker ended: ${lastWords}`)), kept));
      },
    });
    worker.send(order);
    const stop = (): void => {
      isStopped = true;
      worker.kill();
    };
    return { stop, ended };
  }

  /** A worker that dies right after its commit has told nobody of it. */
  #noteOf({ job, kind }: { readonly job: string; readonly kind: string }): unknown {
    if (this.#isClosed) return null;
    try {
      return this.#options.findNote?.(job) ?? null;
    } catch (error) {
      this.#options.log?.({ requestId: 'job', operation: kind, error });
      return null;
    }
  }

  #failure(operation: string, error: unknown): JobError {
    if (error instanceof EngineError) {
      const { code, message, details } = error;
      return { code, message, ...(details ? { details } : {}) };
    }
    this.#options.log?.({ requestId: 'job', operation, error });
    const { code, message } = new EngineError('internal_error');
    return { code, message };
  }
}
