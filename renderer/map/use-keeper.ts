/** A keeper of lot states, for as long as its map exists. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { MatchKeeper, type MatchQuestions } from './match-keeper.ts';
import type { MapLibre } from './open-map.ts';
import type { LotState } from './parcel-layers.ts';

export interface Kept {
  /** Whether everything visible answers the current query. */
  readonly isSettled: boolean;
  /** Why it failed; null if it did not. */
  readonly fault: string | null;
}

interface Keeping {
  readonly fault: string | null;
  /** Whether everything visible answers this query; false until it is asked, which is after the window is drawn. */
  readonly isSettledFor: (generation: string, question: string) => boolean;
  /** Starts a query on an existing map; null: nothing is queried or shown. */
  readonly ask: (generation: string, question: string, questions: MatchQuestions | null) => void;
}

const keyOf = (generation: string, question: string): string => `${generation} ${question}`;

/**
 * @param stateOf a stable function: the state of a lot for its number
 * @param onCells a stable function: receives the counts of the visible grid
 */
export function useKeeper(
  map: MapLibre | null,
  stateOf: (number: number) => LotState,
  onCells: (counts: readonly number[]) => void,
): Keeping {
  const keeper = useRef<MatchKeeper | null>(null);
  const asked = useRef<string | null>(null);
  const [settledKey, setSettledKey] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    if (!map) return;
    const listener = {
      onCells,
      onSettled: (isSettled: boolean) => setSettledKey(isSettled ? asked.current : null),
      onError: (error: unknown) => setFault(error instanceof Error ? error.message : String(error)),
    };
    const kept = new MatchKeeper(map, listener, stateOf);
    keeper.current = kept;
    asked.current = null;
    return () => {
      keeper.current = null;
      kept.close();
    };
  }, [map, stateOf, onCells]);
  const ask = useCallback((generation: string, question: string, questions: MatchQuestions | null) => {
    const key = keyOf(generation, question);
    // The keeper would not repeat it, and so never report that it is settled.
    if (key === asked.current) return;
    asked.current = key;
    setFault(null);
    setSettledKey(questions === null ? key : null);
    keeper.current?.ask(generation, question, questions);
  }, []);
  const isSettledFor = (generation: string, question: string) => settledKey === keyOf(generation, question);
  return { isSettledFor, fault, ask };
}
