/** A keeper of the states of lots, as long as its map is there. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { MatchKeeper, type MatchQuestions } from './match-keeper.ts';
import type { MapLibre } from './open-map.ts';
import type { LotState } from './parcel-layers.ts';

export interface Kept {
  /** Whether all that is in view is that of the question as it stands. */
  readonly isSettled: boolean;
  /** Why it could not be told; null while it can. */
  readonly fault: string | null;
}

export interface Keeping extends Kept {
  /** Asks what another question names, of a map that is there; null: nothing is asked, and nothing shown. */
  readonly ask: (generation: string, question: string, questions: MatchQuestions | null) => void;
}

/**
 * @param stateOf the same function every time: what a lot is given for its number
 * @param onCells the same function every time: the counts of the grid in view
 */
export function useKeeper(
  map: MapLibre | null,
  stateOf: (number: number) => LotState,
  onCells: (counts: readonly number[]) => void,
): Keeping {
  const keeper = useRef<MatchKeeper | null>(null);
  const asked = useRef<string | null>(null);
  const [isSettled, setSettled] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    if (!map) return;
    const listener = {
      onCells,
      onSettled: setSettled,
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
    const key = `${generation} ${question}`;
    // The keeper would not ask it again, and so never tell that it is settled.
    if (key === asked.current) return;
    asked.current = key;
    setFault(null);
    setSettled(questions === null);
    keeper.current?.ask(generation, question, questions);
  }, []);
  return { isSettled, fault, ask };
}
