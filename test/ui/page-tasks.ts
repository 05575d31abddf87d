/**
 * How long a page held still, and why: the longest task of its main thread as a person feels it, and how much of a task was
 * the page's own work. The rest is waiting, for the processor or for what draws: without a graphics card WebGL is drawn by
 * software, and a page that asks whether a shader is ready waits for all that was to be drawn before.
 */
import type { Browser, Page } from 'playwright-core';

export interface HeldPage {
  /** The longest task, in milliseconds. */
  readonly felt: number;
  /** The most work that a task did on the processor, in milliseconds. */
  readonly own: number;
  /** All work on the processor, in milliseconds: of the main thread, and of the page's workers. */
  readonly page: number;
  readonly workers: number;
}

export interface WatchedTasks {
  /** Milliseconds of the tasks since the last call. */
  next(): Promise<HeldPage>;
  close(): Promise<void>;
}

/** An event of Chromium's trace; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  /** On the processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export async function watchTasks(browser: Browser, page: Page): Promise<WatchedTasks> {
  const begin = () => browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await begin();
  return {
    next: async () => {
      const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
      await begin();
      return heldIn(traceEvents);
    },
    close: async () => void (await browser.stopTracing()),
  };
}

function heldIn(events: readonly TraceEvent[]): HeldPage {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const tasksOf = (thread: RegExp) => {
    const named = events.filter(({ name, args }) => name === 'thread_name' && thread.test(args?.name ?? ''));
    const threads = new Set(named.map(threadOf));
    return events.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && threads.has(threadOf(event)));
  };
  const main = tasksOf(/^CrRendererMain$/);
  const most = (times: readonly (number | undefined)[]) =>
    times.reduce<number>((longest, time) => Math.max(longest, time ?? 0), 0) / 1000;
  const work = (tasks: readonly TraceEvent[]) => tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
  return {
    felt: most(main.map(({ dur }) => dur)),
    own: most(main.map(({ tdur }) => tdur)),
    page: work(main),
    workers: work(tasksOf(/^DedicatedWorker/)),
  };
}
