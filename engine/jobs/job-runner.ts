/** Runs jobs: one at a time in each lane, the others wait. What has ended is kept for a while, with its report. */
import { randomUUID } from 'node:crypto';
import { EngineError } from '../spec/errors.ts';
import { reportOf, withoutAllClear } from './ended-job.ts';
import {
  asJobError,
  type HostJob,
  type HostTools,
  hasEnded,
  type JobError,
  type JobProgress,
  type JobStatus,
  type ProgressEvent,
} from './job.ts';
import { findWorkerJob, type WorkerJobInput, type WorkerJobName } from './job-kinds.ts';
import { checkInput } from './task-kind.ts';
import { Worker, type WorkerOptions } from './worker.ts';

export interface JobRunnerOptions extends WorkerOptions {
  /** How people say a county of this code; the code itself where it is none. */
  readonly countyName: (fips: string) => string;
  /** What a job of this name has noted with its commit; null: nothing. */
  readonly findNote: (job: string) => unknown;
  /** After a job that writes the land file, however it ended. */
  readonly onLandWritten: () => void;
}

/** Ended jobs that are kept. */
const keptJobs = 20;

/** @property report where it is not done, what was whole by then and is kept; null: nothing */
type Ending = Pick<JobStatus, 'state' | 'report'> & { readonly error?: JobError };

interface Job {
  status: JobStatus;
  readonly lane: string;
  readonly work: HostJob['work'];
  readonly stop: AbortController;
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
    checkInput(job, input);
    const title = job.title(input as never, this.#options.countyName);
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
    if (job.status.state === 'running') job.stop.abort();
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
    for (const job of this.#jobs.values()) job.stop.abort();
  }

  #find(jobId: number): Job {
    const job = this.#jobs.get(jobId);
    if (job) return job;
    throw new EngineError('not_found', `There is no job ${jobId}.`);
  }

  /** Begins the oldest job of the lane, when none of it runs. */
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
      // A listener may have cancelled it as soon as it heard of its begin.
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
    for (const { status } of ended.slice(0, -keptJobs)) this.#jobs.delete(status.job_id);
  }

  #tell(job: Job, more: Partial<JobStatus>): void {
    job.status = { ...job.status, ...more };
    for (const listener of this.#listeners) listener(job.status);
  }

  async #runWorker(kind: WorkerJobName, input: unknown, { signal, progress, keep }: HostTools): Promise<unknown> {
    const worker = new Worker(this.#options);
    signal.addEventListener('abort', () => worker.kill());
    const job = randomUUID();
    try {
      return await worker.do({ as: 'job', kind, input, job }, (news) =>
        news.news === 'progress' ? progress(news.progress) : keep(news.report),
      );
    } catch (error) {
      // A worker that dies right after its commit has told of it in its note alone.
      const noted = this.#after(kind, () => this.#options.findNote(job));
      if (noted !== null) keep(noted);
      throw error;
    } finally {
      this.#after(kind, () => this.#options.onLandWritten());
    }
  }

  /** What the engine does itself when a worker has ended; a fault in it does not change how the job ended. */
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
