/**
 * Fields with an invalid text. Priced buttons wait for them: they would otherwise query something else than the screen
 * shows.
 */
import { useEffect, useId } from 'react';
import { createStore, useStore } from '../state/store.ts';

interface RefusedFields {
  /** Their labels, by field id. */
  readonly labels: Readonly<Record<string, string>>;
  /** Incremented when all fields must show their actual values. */
  readonly turn: number;
}

const refused = createStore<RefusedFields>(null, { labels: {}, turn: 0 });

const wordsOf = ({ labels }: RefusedFields): string | null => {
  const [label] = Object.values(labels);
  return label === undefined ? null : `“${label}” is not valid as typed.`;
};

/** Why nothing may be charged now; null if nothing prevents it. */
export const refusal = (): string | null => wordsOf(refused.get());
export const useRefusal = (): string | null => wordsOf(useStore(refused));

/** Forgets invalid texts, with the filters they were meant for. */
export const forgetRefused = (): void => refused.set(({ turn }) => ({ turn: turn + 1 }));

/** @returns a number that changes when the field must show its actual value */
export function useRefused(label: string, isRefused: boolean): number {
  const id = useId();
  useEffect(() => {
    if (!isRefused) return;
    refused.set(({ labels }) => ({ labels: { ...labels, [id]: label } }));
    return () => refused.set(({ labels: { [id]: _gone, ...labels } }) => ({ labels }));
  }, [id, label, isRefused]);
  return useStore(refused).turn;
}
