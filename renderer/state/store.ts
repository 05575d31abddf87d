/** A value that components watch and that may outlive the window. */
import { useSyncExternalStore } from 'react';

export interface Store<Value> {
  get(): Value;
  set(change: Partial<Value> | ((before: Value) => Partial<Value>)): void;
  subscribe(listener: () => void): () => void;
}

/**
 * @param key name in the browser's storage, which stays on this computer; null: forgotten with the window
 * @param initial what holds for fields that storage does not have
 */
export function createStore<Value extends object>(key: string | null, initial: Value): Store<Value> {
  let value = { ...initial, ...(key === null ? {} : readStored<Value>(key)) };
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (change) => {
      value = { ...value, ...(typeof change === 'function' ? change(value) : change) };
      if (key !== null) writeStored(key, value);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useStore = <Value>(store: Store<Value>): Value => useSyncExternalStore(store.subscribe, store.get);

function readStored<Value>(key: string): Partial<Value> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Value>;
  } catch {
    // Storage that is switched off or damaged costs the memory of sizes and filters, nothing else.
    return {};
  }
}

function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // As above.
  }
}
