/** One receiver for all pages that watch: it is read only while a page watches and the switch is on. */
import type { LocationChoice, PositionNews } from '../bridge.ts';
import { gpsdAddress, serialDevice } from './location-choice.ts';
import type { PositionSource } from './position.ts';
import { gpsdSource, playbackSource, serialSource } from './sources.ts';

/** Retries after this time: an unplugged receiver comes back when plugged in again. */
const againMilliseconds = 5000;

/** Null if the page itself asks the system. @throws Error for an invalid place */
function openSource({ source, place }: LocationChoice): PositionSource | null {
  if (source === 'serial') return serialSource(serialDevice(place));
  if (source === 'gpsd') return gpsdSource(gpsdAddress(place));
  return source === 'file' ? playbackSource(place) : null;
}

export interface PositionWatch {
  /** @param page number of its webContents */
  start(page: number): void;
  stop(page: number): void;
  /** Closes the old source after the user has chosen another. */
  choose(): void;
}

interface PositionWatchOptions {
  readonly choice: () => LocationChoice;
  readonly tell: (page: number, news: PositionNews) => void;
  readonly open?: (choice: LocationChoice) => PositionSource | null;
  readonly againMilliseconds?: number;
}

export function openPositionWatch(options: PositionWatchOptions): PositionWatch {
  const { choice, tell, open = openSource, againMilliseconds: pause = againMilliseconds } = options;
  const pages = new Set<number>();
  let stopSource: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;

  const tellAll = (news: PositionNews): void => {
    for (const page of pages) tell(page, news);
  };
  const close = (): void => {
    clearTimeout(timer);
    stopSource?.();
    stopSource = null;
  };
  const begin = (): void => {
    const chosen = choice();
    if (stopSource || pages.size === 0 || !chosen.on) return;
    const source = open(chosen);
    if (!source) return;
    // A source that ends while it starts must not count as running.
    let isOver = false;
    const stop = source.start(
      (position) => tellAll({ position, problem: null }),
      (problem) => {
        isOver = true;
        stopSource = null;
        tellAll({ position: null, problem });
        // A recording ends; a receiver is retried.
        if (chosen.source !== 'file') timer = setTimeout(begin, pause);
      },
    );
    if (!isOver) stopSource = stop;
  };

  return {
    start: (page) => {
      pages.add(page);
      begin();
    },
    stop: (page) => {
      pages.delete(page);
      if (pages.size === 0) close();
    },
    choose: () => {
      close();
      begin();
    },
  };
}
