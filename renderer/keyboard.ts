/** Maps keys to commands. */
import type { EngineClient } from './client/engine-client.ts';
import { type Command, commandsHere } from './commands.ts';
import { isDialogOpen, isInLayer } from './state/focus-place.ts';
import { settings } from './state/settings.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** `mod+k` → `Ctrl K`, `⌘ K` on a Mac. */
export function keyWords(keys: string): string {
  const names: Record<string, string> = { mod: isMac ? '⌘' : 'Ctrl', shift: 'Shift', escape: 'Esc' };
  return keys
    .split('+')
    .map((key) => names[key] ?? key.toUpperCase())
    .join(' ');
}

function keysOf(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  const hasModifier = isMac ? event.metaKey : event.ctrlKey;
  // `?` needs Shift to type; beside Ctrl and letters, Shift is part of the shortcut.
  const hasShift = event.shiftKey && (hasModifier || /^[a-z]$/.test(key));
  return `${hasShift ? 'shift+' : ''}${hasModifier ? 'mod+' : ''}${key}`;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio'));

/**
 * Single characters are shortcuts only outside text fields, and only if enabled. In a menu they find one of its lines,
 * and behind a dialog nothing may change.
 */
function mayRun(command: Command, event: KeyboardEvent): boolean {
  if (command.isEverywhere) return true;
  if (isTyping(event.target)) return false;
  if (!command.isOver && (isInLayer(event.target) || isDialogOpen())) return false;
  return command.keys?.includes('mod+') === true || settings.get().letters;
}

/** @returns a function that stops listening */
export function listenForKeys(client: EngineClient): () => void {
  const listen = (event: KeyboardEvent) => {
    // Ctrl on a Mac and the Windows key elsewhere belong to the system.
    const isOfSystem = event.altKey || (isMac ? event.ctrlKey : event.metaKey);
    if (event.defaultPrevented || isOfSystem || event.isComposing) return;
    const keys = keysOf(event);
    const command = commandsHere().find((one) => one.keys === keys);
    if (!command || !mayRun(command, event)) return;
    if (command.id !== 'back') event.preventDefault();
    if (!event.repeat || command.isRepeated) command.run(client);
  };
  addEventListener('keydown', listen);
  return () => removeEventListener('keydown', listen);
}
