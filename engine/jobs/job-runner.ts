/** Runs jobs, one at a time in each lane; the others queue. Keeps the latest ended jobs with their reports. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { removeLeftovers } from '../exporting/open-folders.ts';
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
  landLane,
  type ProgressEvent,
} from './job.ts';
import { findWorkerJob, type WorkerJobInput, type WorkerJobName } from './job-kinds.ts';
import { checkInput } from './task-kind.ts';
import { jobLimits } from './task-limits.ts';
import { Worker, type WorkerOptions } from './worker.ts';

interface JobRunnerOptions extends WorkerOptions {
  /** The county's name; the code itself if no county has it. */
  readonly countyName: (fips: string) => string;
  /** The note that the job committed; null without one. */
  readonly findNote: (job: string) => unknown;
  /** Called after a job that writes the land file, whether it succeeded or not. */
  readonly onLandWritten: () => void;
}

/** Number of ended jobs that are kept. */
const keptJobs = 20;

/** @property report of a job that was not completed: what it had committed; null: nothing */
type Ending = Pick<JobStatus, 'state' | 'report'> & { readonly error?: JobError };

interface Job {
  status: JobStatus;
  readonly lane: string;
  readonly work: HostJob['work'];
  readonly stop: AbortController;
  readonly waiters: ((status: JobStatus) => void)[];
}

/** The foreign files that a job reads. */
interface FileInput {
  readonly files?: readonly string[];
  readonly file?: string;
}
const filesOf = ({ files = [], file }: FileInput): readonly string[] => (file === undefined ? files : [file]);

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
   * Queues work for a separate process.
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
      return await worker.do(
        { as: 'job', kind, input, job },
        (news) => (news.news === 'progress' ? progress(news.progress) : keep(news.report)),
        jobLimits(filesOf(input as FileInput)),
      );
    } catch (error) {
      // If the worker dies right after its commit, only its note reports it.
      const noted = this.#after(kind, () => this.#options.findNote(job));
      if (noted !== null) keep(noted);
      const written = findWorkerJob(kind).writes?.(input as never);
      if (written !== undefined) removeLeftovers(path.dirname(written));
      throw error;
    } finally {
      if (findWorkerJob(kind).lane === landLane) this.#after(kind, () => this.#options.onLandWritten());
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
