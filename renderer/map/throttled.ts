/** Work that is asked for often and done at most once in so many milliseconds, the last time included. */
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
