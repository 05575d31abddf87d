/** Keeps the running track while Field mode is open; leaving it ends the track. */
import { useEffect, useRef } from 'react';
import { trackEverySeconds, trackEverySecondsSaving, trackWriteSeconds } from '../../engine/spec/field-limits.ts';
import type { HerePosition } from '../location/position-state.ts';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { isInField } from './field-state.ts';
import { addPoint, endTrack, forget, type RunningTrack, running, writePoints } from './track.ts';
import { useMarks } from './use-marks.ts';

export function useTrack(position: HerePosition | null, isSaving: boolean): RunningTrack | null {
  const client = useClient();
  const { track } = useStore(running);
  const id = track?.id ?? null;
  useEffect(() => {
    if (position && id !== null) addPoint(position, isSaving ? trackEverySecondsSaving : trackEverySeconds);
  }, [position, id, isSaving]);
  useEffect(() => {
    if (id === null) return;
    const write = () => void writePoints(client);
    const timer = setInterval(write, trackWriteSeconds * 1000);
    // A phone may stop the page as soon as it is hidden.
    const hide = () => document.visibilityState === 'hidden' && write();
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [client, id]);
  useEffect(
    () => () => {
      // The address changes first: a remount in Field mode leaves nothing.
      if (!isInField()) void endTrack(client);
    },
    [client],
  );
  useUndone(id);
  return track;
}

/** Undo takes back the start of a track: it runs no more. */
function useUndone(id: number | null): void {
  const marks = useMarks();
  const seen = useRef<number | null>(null);
  const isThere = id !== null && marks.tracks.some(({ track_id: one }) => one === id);
  useEffect(() => {
    if (isThere) seen.current = id;
    else if (id !== null && seen.current === id) forget(id);
  }, [isThere, id]);
}
