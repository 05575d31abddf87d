/** A value that components watch and that may outlive the window. */
import { useSyncExternalStore } from 'react';

export interface Store<Value> {
  get(): Value;
  set(change: Partial<Value> | ((before: Value) => Partial<Value>)): void;
  subscribe(listener: () => void): () => void;
}

/** A store that outlives the window, by its name without `platbook.`. */
interface KeptStore {
  /** As stored in this browser; null: nothing is. */
  text(): string | null;
  /** Takes what the home has; fields of another kind stay as they are. */
  take(value: unknown): void;
  subscribe(listener: () => void): () => void;
}

export const keptStores = new Map<string, KeptStore>();
const prefix = 'platbook.';

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
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  if (key !== null) {
    const take = (given: unknown) => {
      const taken = { ...initial, ...fieldsLike(initial, given) };
      value = join ? join(value, taken) : taken;
      writeStored(key, value);
      tell();
    };
    keptStores.set(key.slice(prefix.length), { text: () => readText(key), take, subscribe });
  }
  return {
    get: () => value,
    set: (change) => {
      if (join) value = join(value, stored());
      value = { ...value, ...(typeof change === 'function' ? change(value) : change) };
      if (key !== null) writeStored(key, value);
      tell();
    },
    subscribe,
  };
}

export const useStore = <Value>(store: Store<Value>): Value => useSyncExternalStore(store.subscribe, store.get);

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

/** The fields that are of the same kind as the initial ones, of which null may become anything. */
function fieldsLike<Value extends object>(initial: Value, given: unknown): Partial<Value> {
  if (kindOf(given) !== 'object' || given === null) return {};
  const first = initial as Readonly<Record<string, unknown>>;
  const isLike = ([name, value]: [string, unknown]) =>
    Object.hasOwn(first, name) && (first[name] === null || kindOf(value) === kindOf(first[name]));
  return Object.fromEntries(Object.entries(given as object).filter(isLike)) as Partial<Value>;
}

export function readText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

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
