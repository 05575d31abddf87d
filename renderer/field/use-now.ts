/** The clock for what a screen shows as time goes by. */
import { useEffect, useState } from 'react';

/** Milliseconds since 1970, as often as asked. */
export function useNow(everyMilliseconds: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMilliseconds);
    return () => clearInterval(timer);
  }, [everyMilliseconds]);
  return now;
}
