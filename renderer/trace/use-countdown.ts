/** Remaining whole seconds of a wait, by the monotonic clock. */
import { useEffect, useState } from 'react';

/** @param since changes when a new wait begins. @param onEnd called once at its end */
export function useCountdown(seconds: number, since: number, onEnd: () => void): number {
  const [left, setLeft] = useState(seconds);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `since` is a new wait, and the end may be any function
  useEffect(() => {
    setLeft(seconds);
    if (seconds <= 0) return;
    const end = performance.now() + seconds * 1000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      setLeft(rest);
      if (rest > 0) return;
      clearInterval(timer);
      onEnd();
    }, 250);
    return () => clearInterval(timer);
  }, [seconds, since]);
  return left;
}
