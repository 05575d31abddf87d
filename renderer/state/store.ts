/** A value that components watch and that may outlive the window. */
import { useSyncExternalStore } from 'react';

export interface Store<Value> {
  get(): Value;
  set(change: Partial<Value> | ((before: Value) => Partial<Value>)): void;
  subscribe(listener: () => void): () => void;
}

/**
 * @param key name in the browser's storage, which stays on this computer; null: lost with the window
 * @param initial values of fields missing from storage
 * @param join merges with what another window has stored meanwhile; absent: each window has its own value, and the last
 * one set is stored
 */
export function createStore<Value extends object>(
  key: string | null,
  initial: Value,
  join?: (mine: Value, stored: Value) => Value,
): Store<Value> {
  const stored = (): Value => ({ ...initial, ...(key === null ? {} : readStored<Value>(key)) });
  let value = stored();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  if (join) {
    // Not in tests, which have no windows.
    globalThis.addEventListener?.('storage', (event) => {
      if (event.key !== key) return;
      value = join(value, stored());
      tell();
    });
  }
  return {
    get: () => value,
    set: (change) => {
      if (join) value = join(value, stored());
      value = { ...value, ...(typeof change === 'function' ? change(value) : change) };
      if (key !== null) writeStored(key, value);
      tell();
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
    // Without working storage only sizes and filters are forgotten.
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
