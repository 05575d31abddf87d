/** Throttles work: runs it at most once per interval, always including the last request. */
export interface Later {
  readonly ask: () => void;
  readonly stop: () => void;
}

export function throttled(work: () => void, milliseconds: number): Later {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    ask: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        work();
      }, milliseconds);
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
