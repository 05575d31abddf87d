/**
 * What windows remember lives in the home, because the browser's storage is one of a port: another port or browser shows
 * the same theme, filter, paid searches and place of the map. The storage is a copy of it, read before the engine answers.
 */
import { longestMemory, type WindowMemory, windowMemories } from '../../engine/spec/window-memory.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { contact } from './contact.ts';
import { keptStores, readText } from './store.ts';
import { toast } from './toasts.ts';

/** Moving a map or a slider changes much in a second. */
const restMilliseconds = 500;

const retryMilliseconds = 3000;

const writerKey = 'platbook.browser';

/** Tells this browser's storage from others: what it kept last, it has at least as new. */
function writerId(): string {
  const known = readText(writerKey);
  if (known !== null) return known;
  const made = crypto.randomUUID();
  try {
    localStorage.setItem(writerKey, made);
  } catch {
    // Without storage every window takes what the home has.
  }
  return made;
}

/**
 * Takes what another browser has kept, and keeps what changes from here on. Without an answer of the engine the window
 * shows what this browser remembers.
 * @param patient waits for an engine that has stopped
 */
export async function rememberInHome(engine: EngineClient, patient: EngineClient): Promise<void> {
  const writer = writerId();
  try {
    const kept = new Map((await engine.read('window_memory', {})).map((row) => [row.name, row]));
    for (const name of windowMemories) {
      const row = kept.get(name);
      const own = keptStores.get(name)?.text() ?? null;
      if (row && (row.writer !== writer || own === null)) takeFrom(name, row.value);
      else if (own !== null && own !== row?.value) void keep(patient, writer, name);
    }
  } catch {
    // Banners say that the engine does not answer.
  }
  for (const name of windowMemories) followStore(patient, writer, name);
  retryLater(patient, writer);
}

/** By the clock, not when the engine comes back, since a change may be lost just then; one after the other. */
function retryLater(client: EngineClient, writer: string): void {
  setTimeout(async () => {
    if (contact.get().state === 'here') for (const name of [...unkept]) await keep(client, writer, name);
    retryLater(client, writer);
  }, retryMilliseconds);
}

/** Changed, and not yet known to be in the home. */
const unkept = new Set<WindowMemory>();

/** Kept by this browser alone, which is said once for each. */
const tooLong = new Set<WindowMemory>();
const tooLongWords = `More than ${longestMemory.toLocaleString('en-US')} characters to remember, such as a long filter: this browser keeps them, other windows do not show them.`;

function takeFrom(name: WindowMemory, text: string): void {
  try {
    keptStores.get(name)?.take(JSON.parse(text));
  } catch {
    // Not JSON: another program wrote it.
  }
}

function followStore(client: EngineClient, writer: string, name: WindowMemory): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const store = keptStores.get(name);
  let before = store?.text();
  store?.subscribe(() => {
    const text = store.text();
    if (text === before) return;
    before = text;
    clearTimeout(timer);
    timer = setTimeout(() => void keep(client, writer, name), restMilliseconds);
  });
}

/** If it cannot be written, the browser alone remembers; banners say why nothing can be. */
async function keep(client: EngineClient, writer: string, name: WindowMemory): Promise<void> {
  const value = keptStores.get(name)?.text() ?? null;
  if (value === null) return;
  if (value.length > longestMemory) {
    unkept.delete(name);
    if (!tooLong.has(name)) toast(tooLongWords);
    tooLong.add(name);
    return;
  }
  tooLong.delete(name);
  unkept.add(name);
  await client.change('keep_window_memory', { name, writer, value }).then(
    () => keptStores.get(name)?.text() === value && unkept.delete(name),
    () => {},
  );
}
