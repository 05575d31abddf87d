/** Fields with a text that cannot be used. What charges waits for them: it would ask for less than stands on the screen. */
import { useEffect, useId } from 'react';
import { createStore, useStore } from '../state/store.ts';

interface RefusedFields {
  /** What they are called, by their own ids. */
  readonly labels: Readonly<Record<string, string>>;
  /** Raised when all fields are to show what is asked. */
  readonly turn: number;
}

const refused = createStore<RefusedFields>(null, { labels: {}, turn: 0 });

const wordsOf = ({ labels }: RefusedFields): string | null => {
  const [label] = Object.values(labels);
  return label === undefined ? null : `“${label}” cannot be used as it is typed.`;
};

/** Why nothing may be charged now; null when nothing is in the way. */
export const refusal = (): string | null => wordsOf(refused.get());
export const useRefusal = (): string | null => wordsOf(useStore(refused));

/** Texts that cannot be used are forgotten, with the filters that they were to be. */
export const forgetRefused = (): void => refused.set(({ turn }) => ({ turn: turn + 1 }));

/** @returns a number that changes when the field is to show what is asked */
export function useRefused(label: string, isRefused: boolean): number {
  const id = useId();
  useEffect(() => {
    if (!isRefused) return;
    refused.set(({ labels }) => ({ labels: { ...labels, [id]: label } }));
    return () => refused.set(({ labels: { [id]: _gone, ...labels } }) => ({ labels }));
  }, [id, label, isRefused]);
  return useStore(refused).turn;
}
