/** The number field being typed in: until its number is complete, no error is shown and the map keeps its colors. */
import { useRef } from 'react';
import { createStore, useStore } from '../state/store.ts';

/** Longer than between two keystrokes. */
const restMilliseconds = 700;

const typing = createStore<{ readonly field: string | null }>(null, { field: null });
let timer: ReturnType<typeof setTimeout> | undefined;

/** @param field its id; null: typing has ended */
export function typeIn(field: string | null): void {
  clearTimeout(timer);
  if (field !== null) timer = setTimeout(() => typing.set({ field: null }), restMilliseconds);
  if (typing.get().field !== field) typing.set({ field });
}

export const useTypedField = (): string | null => useStore(typing).field;

/** The value, or the last one before `isHeld`. */
export function useHeld<Value>(value: Value, isHeld: boolean): Value {
  const last = useRef(value);
  if (!isHeld) last.current = value;
  return last.current;
}
