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

interface StoreOptions<Value> {
  /** Fields that are lost with the window. */
  readonly lost?: readonly (keyof Value & string)[];
  /** Merges with what another window has stored meanwhile; absent: each window has its own, and the last one set is stored. */
  readonly join?: (mine: Value, stored: Value) => Value;
}

/**
 * @param key name in the browser's storage, which stays on this computer; null: lost with the window
 * @param initial values of fields missing from storage
 */
export function createStore<Value extends object>(
  key: string | null,
  initial: Value,
  { lost = [], join }: StoreOptions<Value> = {},
): Store<Value> {
  const stored = (): Value => ({ ...initial, ...(key === null ? {} : readStored<Value>(key)) });
  let value = stored();
  const keptFields = () => Object.fromEntries(Object.entries(value).filter(([name]) => !lost.includes(name as never)));
  let written = JSON.stringify(keptFields());
  const write = () => {
    if (key === null) return;
    const text = JSON.stringify(keptFields());
    // What is lost changes often.
    if (lost.length === 0 || text !== written) writeStored(key, text);
    written = text;
  };
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
      const standing = Object.fromEntries(lost.map((name) => [name, value[name]]));
      const taken = { ...initial, ...fieldsLike(initial, given), ...standing };
      value = join ? join(value, taken) : taken;
      write();
      tell();
    };
    keptStores.set(key.slice(prefix.length), { text: () => readText(key), take, subscribe });
  }
  return {
    get: () => value,
    set: (change) => {
      if (join) value = join(value, stored());
      value = { ...value, ...(typeof change === 'function' ? change(value) : change) };
      write();
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

function writeStored(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // As above.
  }
}
