/**
 * Leaves relief, then contours, off the map where panning is slow: software that imitates a graphics card needs half a
 * second for a frame with both. They return as soon as the user asks, and stay.
 */
import { useMemo } from 'react';
import { createStore, useStore } from '../state/store.ts';
import { type GroundName, groundNames } from './ground-layers.ts';
import { choiceOf, type MapMemory, mapMemory } from './map-state.ts';
import { overKey } from './photo.ts';

/** Milliseconds; the median frame while the map moves. */
const slowest = 200;
/** Fewer frames say nothing. */
const fewestFrames = 5;

interface GroundPace {
  /** Left off by the map. */
  readonly left: readonly GroundName[];
  /** Asked back by the user: never left off again in this window. */
  readonly wanted: readonly GroundName[];
}

export const groundPace = createStore<GroundPace>(null, { left: [], wanted: [] });

/**
 * What to leave off; null: nothing.
 * @param frames milliseconds between the last frames
 * @param shown the ground on the map
 */
export function groundToLeave(
  frames: readonly number[],
  shown: readonly GroundName[],
  wanted: readonly GroundName[],
): GroundName | null {
  if (frames.length < fewestFrames) return null;
  const median = frames.toSorted((a, b) => a - b)[Math.floor(frames.length / 2)] as number;
  if (median <= slowest) return null;
  return groundNames.find((name) => shown.includes(name) && !wanted.includes(name)) ?? null;
}

export const leaveGround = (name: GroundName): void => groundPace.set(({ left }) => ({ left: [...left, name] }));

/** Ground that was left off. */
export const bringBack = (...names: readonly GroundName[]): void =>
  groundPace.set(({ left, wanted }) => ({
    left: left.filter((one) => !names.includes(one)),
    wanted: [...new Set([...wanted, ...names])],
  }));

/** The choices for the layers without some of the ground; its opacity stays. */
export const withoutGround = (layers: MapMemory['layers'], names: readonly GroundName[]): MapMemory['layers'] => ({
  ...layers,
  ...Object.fromEntries(
    // On the map and over a photo.
    names.flatMap((name) => [name, overKey(name)]).map((key) => [key, { ...choiceOf(layers, key, true), isOn: false }]),
  ),
});

/** What is drawn: the user's choices without what was left off. */
export function useDrawnLayers(): MapMemory['layers'] {
  const { layers } = useStore(mapMemory);
  const { left } = useStore(groundPace);
  return useMemo(() => (left.length === 0 ? layers : withoutGround(layers, left)), [layers, left]);
}

const words = { relief: 'Relief is', contours: 'Contours are' } as const;

/** `Relief and contours are off: …` */
export function leftWords(left: readonly GroundName[]): string {
  const [first] = left;
  const subject = left.length > 1 ? 'Relief and contours are' : words[first ?? 'relief'];
  return `${subject} off: this computer draws the map slowly.`;
}
