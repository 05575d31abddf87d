/** The running track: its points wait here until they are written, so that a killed program loses no more. */

import { mostPointsAtOnce, trackEveryMeters, trackEverySeconds } from '../../engine/spec/field-limits.ts';
import type { ChangeInputOf } from '../../engine/work/index.ts';
import { ClientError, type EngineClient } from '../client/engine-client.ts';
import { fieldNoteFormats, saveFieldNotes } from '../export/export-state.ts';
import type { HerePosition } from '../location/position-state.ts';
import { formatLength } from '../map/units.ts';
import { settings } from '../state/settings.ts';
import { createStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { makeChange, refreshWork } from '../work/make-change.ts';
import { type LonLat, metersBetween } from './bearing.ts';

type TrackPoint = ChangeInputOf<'add_track_points'>['points'][number];

export interface RunningTrack {
  readonly id: number;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** As drawn. */
  readonly line: readonly LonLat[];
  readonly meters: number;
  readonly last: TrackPoint | null;
  /** Not written yet. */
  readonly waiting: readonly TrackPoint[];
}

interface Running {
  readonly track: RunningTrack | null;
  /** The track that this window ended last: kept marks say so only once they are read again. */
  readonly ended: number | null;
  readonly isStarting: boolean;
}

export const running = createStore<Running>(null, { track: null, ended: null, isStarting: false });

/** @param everySeconds a standing user gets a point this often */
function isNextPoint(last: TrackPoint | null, next: TrackPoint, everySeconds: number = trackEverySeconds): boolean {
  if (!last) return true;
  return (
    metersBetween(last, next) >= trackEveryMeters || Date.parse(next.at) - Date.parse(last.at) >= everySeconds * 1000
  );
}

/** @param now milliseconds since 1970, where the receiver tells no time */
const pointOf = (position: HerePosition, now: number): TrackPoint => ({
  longitude: position.longitude,
  latitude: position.latitude,
  at: position.at ?? new Date(now).toISOString(),
  accuracy_meters: position.accuracyMeters,
  course: position.course,
  speed: position.speed,
});

function withPoint(track: RunningTrack, point: TrackPoint, everySeconds?: number): RunningTrack {
  if (!isNextPoint(track.last, point, everySeconds)) return track;
  const before = track.line.at(-1);
  return {
    ...track,
    line: [...track.line, { longitude: point.longitude, latitude: point.latitude }],
    meters: track.meters + (before ? metersBetween(before, point) : 0),
    last: point,
    waiting: [...track.waiting, point],
  };
}

export function addPoint(position: HerePosition, everySeconds?: number): void {
  running.set(({ track }) => ({ track: track && withPoint(track, pointOf(position, Date.now()), everySeconds) }));
}

let writing: Promise<void> = Promise.resolve();

/** Writes what waits; what cannot be written now waits on. @returns whether nothing waits any more */
export function writePoints(client: EngineClient): Promise<boolean> {
  const written = writing.then(() => writeWaiting(client));
  writing = written.then(() => {});
  return written;
}

async function writeWaiting(client: EngineClient): Promise<boolean> {
  const { track } = running.get();
  if (!track || track.waiting.length === 0) return true;
  const points = track.waiting.slice(0, mostPointsAtOnce);
  try {
    await client.change('add_track_points', { track_id: track.id, points });
  } catch (error) {
    // Its start was undone, here or in another window.
    if (error instanceof ClientError && error.code === 'not_found') forget(track.id);
    return false;
  }
  running.set(({ track: now }) => ({
    track: now && now.id === track.id ? { ...now, waiting: now.waiting.slice(points.length) } : now,
  }));
  return points.length === track.waiting.length || writeWaiting(client);
}

export const forget = (id: number): void => running.set(({ track }) => ({ track: track?.id === id ? null : track }));

export const goOn = (track: Pick<RunningTrack, 'id' | 'name' | 'startedAt' | 'line' | 'meters'>): void =>
  running.set({ track: { ...track, last: null, waiting: [] } });

async function startTrack(client: EngineClient): Promise<void> {
  if (running.get().isStarting) return;
  running.set({ isStarting: true });
  const started = await makeChange(client, 'start_track', {});
  if (started) {
    const { track_id: id, name, started_at: at } = started.data;
    goOn({ id, name, startedAt: Date.parse(at), line: [], meters: 0 });
  }
  running.set({ isStarting: false });
}

export async function endTrack(client: EngineClient): Promise<void> {
  const { track } = running.get();
  if (!track) return;
  if (!(await writePoints(client))) {
    if (running.get().track) toast(`“${track.name}” cannot be ended: its last points are not written yet.`);
    return;
  }
  await endTrackById(client, track.id, track.name, track.meters);
}

export async function endTrackById(client: EngineClient, id: number, name: string, meters: number): Promise<void> {
  try {
    await client.change('end_track', { track_id: id });
    forget(id);
    running.set({ ended: id });
    toast(
      `Ended “${name}”: ${formatLength(meters, settings.get().units)}`,
      ...fieldNoteFormats.map((format) => ({
        label: `Save ${format.toUpperCase()}`,
        run: () => void saveFieldNotes(client, format),
      })),
    );
    await refreshWork();
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

export function toggleTrack(client: EngineClient): void {
  void (running.get().track ? endTrack(client) : startTrack(client));
}
