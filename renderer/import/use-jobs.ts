/** Follows the engine's jobs while one runs. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { JobStatus } from '../../engine/work/import-answers.ts';
import { useRead } from '../state/client-context.tsx';
import { navigation } from '../state/navigation.ts';
import { toast } from '../state/toasts.ts';
import { refreshPaid } from '../work/paid-reads.ts';
import { toastWords } from './ending-words.ts';

const lookMilliseconds = 600;

/** Shown until the engine has answered. */
const noJobs: readonly JobStatus[] = [];

let queries: QueryClient | null = null;

/** Call it after a job was started or cancelled. */
export const refreshJobs = async (): Promise<void> => {
  await queries?.invalidateQueries({ queryKey: ['jobs'] });
};

export const isUnderWay = ({ state }: Pick<JobStatus, 'state'>): boolean => state === 'queued' || state === 'running';

export function useJobs(): readonly JobStatus[] {
  const { data = noJobs, refetch } = useRead('jobs', {}, { isLasting: true });
  const client = useQueryClient();
  useEffect(() => {
    queries = client;
  }, [client]);
  const isBusy = data.some(isUnderWay);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setInterval(() => void refetch(), lookMilliseconds);
    return () => clearInterval(timer);
  }, [isBusy, refetch]);
  return data;
}

/** Priced list runs: the whole window shows their tokens and findings. */
export const isListRun = ({ kind }: Pick<JobStatus, 'kind'>): boolean => kind.startsWith('list_');

/** A plat book, a page of one, or a visit: it changes nothing. */
export const isPrinting = ({ kind }: Pick<JobStatus, 'kind'>): boolean =>
  kind.startsWith('plat_') || kind === 'visit_report';

const tenths = (progress: JobStatus['progress']): number =>
  progress?.total ? 1 + Math.floor((10 * progress.rows) / progress.total) : 0;

/** Refreshes the window while list runs go on, on any screen. Mounted once, in the status bar. */
export function useFreshDuringRuns(jobs: readonly JobStatus[]): void {
  const client = useQueryClient();
  const done = jobs.reduce((sum, job) => sum + (isListRun(job) ? (job.progress?.rows ?? 0) : 0), 0);
  useEffect(() => {
    if (done > 0) refreshPaid(client);
  }, [done, client]);
  // In tenths: with each the map loads its tiles again.
  const sharp = jobs.reduce((sum, { kind, progress }) => sum + (kind.endsWith('_imagery') ? tenths(progress) : 0), 0);
  useEffect(() => {
    if (sharp > 0) void client.invalidateQueries({ queryKey: ['map_sources'] });
  }, [sharp, client]);
}

/** Repeats all reads after a job that changed the data. Mounted once, in the status bar. */
export function useFreshAfterJobs(jobs: readonly JobStatus[]): void {
  const client = useQueryClient();
  const ended = jobs.filter((job) => !isUnderWay(job) && job.kind !== 'plan_parcels');
  const key = ended.map(({ job_id: id }) => id).join(' ');
  const isAnswered = jobs !== noJobs;
  const before = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is of the jobs
  useEffect(() => {
    if (!isAnswered) return;
    const known = before.current;
    before.current = key;
    // The first answer lists jobs that ended before the window opened.
    if (known === null || known === key) return;
    const knownIds = known.split(' ');
    const fresh = ended.filter(({ job_id: id }) => !knownIds.includes(String(id)));
    if (!fresh.every(isPrinting))
      void client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== 'jobs' });
    const { screen } = navigation.get();
    for (const job of fresh) if (!isQuiet(job) && screen !== screenOf(job)) toast(toastWords(job));
  }, [key, isAnswered, client]);
}

/** Where the window shows how it ends; null: nowhere. */
const screenOf = (job: JobStatus): string | null => (isPrinting(job) ? 'print' : isListRun(job) ? null : 'import');

/** A list run that its own strip pauses or cancels, and sharpening, which begins by itself: no message is needed. */
const isQuiet = (job: JobStatus): boolean =>
  (isListRun(job) && job.state === 'cancelled') || (job.kind === 'sharpen_imagery' && job.state !== 'failed');
