/** The library's door to the plat book: a job in a process of its own, with progress and a signal that ends it. */
import path from 'node:path';
import type { BookRequest } from './book/book-fields.ts';
import type { WrittenBook } from './book/write-book.ts';
import { hasEnded, reportOf } from './jobs/job.ts';
import type { TaskInput } from './jobs/task-kinds.ts';
import type { TaskRunner } from './jobs/task-runner.ts';

export interface BookOrder extends BookRequest {
  /** The file. */
  readonly to: string;
}

export interface BookHooks {
  /** Map pages that are drawn, details aside. */
  readonly onProgress?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * @throws EngineError validation_error if there is nothing to print, or far too much; disk_full and the like; import_refused
 *   if the signal ended it. An earlier file stays then, and nothing is left beside it.
 */
export async function printBook(
  jobs: TaskRunner,
  order: BookOrder,
  { onProgress, signal }: BookHooks,
): Promise<WrittenBook> {
  const input = { ...order, to: path.resolve(order.to) } as TaskInput<'plat_book'>;
  const { job_id: id } = jobs.start('plat_book', input);
  const stop = jobs.onChange(({ job_id: of, progress }) => {
    if (of === id && progress) onProgress?.(progress.rows, progress.total ?? 0);
  });
  const cancel = (): void => {
    if (!hasEnded(jobs.get(id))) jobs.cancel(id);
  };
  signal?.addEventListener('abort', cancel);
  if (signal?.aborted) cancel();
  try {
    return reportOf(await jobs.finished(id)) as WrittenBook;
  } finally {
    stop();
    signal?.removeEventListener('abort', cancel);
  }
}
