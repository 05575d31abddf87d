/** Watches the position while its component is mounted and the switch is on. */
import { useEffect, useState } from 'react';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { locationSwitch } from './location-switch.ts';
import { askedMilliseconds, type HerePosition, here, oldMilliseconds, watchHere } from './position-state.ts';
import { showHere } from './where-am-i.ts';

export interface Here {
  readonly position: HerePosition | null;
  readonly problem: string | null;
  /** Age of the position in whole seconds; null while it is fresh. */
  readonly oldSeconds: number | null;
}

export function useHere(): Here {
  const client = useClient();
  const { on, source, place } = useStore(locationSwitch);
  const { position, problem, askedAt } = useStore(here);
  const [now, setNow] = useState(() => performance.now());
  // biome-ignore lint/correctness/useExhaustiveDependencies: another receiver is another watch
  useEffect(() => (on ? watchHere() : undefined), [on, source, place]);
  useEffect(() => {
    if (!position) return;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, [position]);
  useEffect(() => {
    if (!position || askedAt === null) return;
    if (position.cameAt - askedAt < askedMilliseconds) void showHere(client, position);
    else here.set({ askedAt: null });
  }, [client, position, askedAt]);
  const age = position ? now - position.cameAt : 0;
  return { position, problem, oldSeconds: age >= oldMilliseconds ? Math.floor(age / 1000) : null };
}
