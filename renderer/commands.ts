/**
 * Everything that can be done by key or from the palette: one row each. The palette, the `?` list, the hints on buttons
 * and the keyboard itself are all derived from here.
 */

import type { EngineClient } from './client/engine-client.ts';
import { copyAs, copyForms } from './explore/copy-as.ts';
import { explore, redo, resetFilter, select, showFilter, undo, view } from './explore/explore-state.ts';
import { step } from './explore/use-index-of.ts';
import { screenList } from './screens/screens.tsx';
import { goTo, navigation } from './state/navigation.ts';
import { densities, settings, themes } from './state/settings.ts';
import { toast } from './state/toasts.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: 'Screens' | 'Explore' | 'Parcel' | 'Window';
  /** `mod+k` (Ctrl, or ⌘ on a Mac), `f`, `shift+mod+z`; null: from the palette alone. */
  readonly keys: string | null;
  /** Also while a field is being typed in. */
  readonly isEverywhere?: true;
  readonly run: (client: EngineClient) => void;
}

const focus = (name: string): void => document.querySelector<HTMLElement>(`[data-focus="${name}"]`)?.focus();

/** On Explore, once it is drawn. */
const inExplore = (work: () => void): void => {
  if (navigation.get().screen === 'explore') work();
  else {
    goTo('explore');
    setTimeout(work, 50);
  }
};

const next = <Value>(values: readonly Value[], value: Value): Value =>
  values[(values.indexOf(value) + 1) % values.length] ?? value;

function stepBack(): void {
  if (undo()) toast('Filter change undone', { label: 'Redo', run: redo });
  else toast('Nothing to undo');
}

/** Escape closes what lies on top, one thing at a time. */
function closeTop(): void {
  if (navigation.get().over) navigation.set({ over: null });
  else if (view.get().isPanelOpen) view.set({ isPanelOpen: false });
  else if (explore.get().selected !== null) {
    select(null);
    focus('table');
  }
}

const screenCommands = screenList.map(
  ({ id, title }, i): Command => ({
    id: `screen-${id}`,
    title: `Go to ${title}`,
    group: 'Screens',
    keys: String(i + 1),
    run: () => goTo(id),
  }),
);

const copyCommands = copyForms.map(
  ({ id, label }): Command => ({
    id: `copy-${id}`,
    title: `Copy the search as ${label}`,
    group: 'Explore',
    keys: null,
    run: () => copyAs(id),
  }),
);

export const commands: readonly Command[] = [
  ...screenCommands,
  {
    id: 'palette',
    title: 'Find a command',
    group: 'Window',
    keys: 'mod+k',
    isEverywhere: true,
    run: () => navigation.set({ over: 'palette' }),
  },
  {
    id: 'shortcuts',
    title: 'Show all shortcuts',
    group: 'Window',
    keys: '?',
    run: () => navigation.set({ over: 'shortcuts' }),
  },
  {
    id: 'find',
    title: 'Find an address, APN, owner or place',
    group: 'Explore',
    keys: '/',
    run: () => focus('search'),
  },
  {
    id: 'filters',
    title: 'Go to the filters',
    group: 'Explore',
    keys: 'f',
    run: () => inExplore(() => showFilter('county')),
  },
  { id: 'map', title: 'Go to the map', group: 'Explore', keys: 'm', run: () => inExplore(() => focus('map')) },
  { id: 'table', title: 'Go to the table', group: 'Explore', keys: 't', run: () => inExplore(() => focus('table')) },
  { id: 'reset', title: 'Reset the filters', group: 'Explore', keys: null, run: () => inExplore(resetFilter) },
  { id: 'undo', title: 'Undo', group: 'Explore', keys: 'mod+z', run: stepBack },
  {
    id: 'redo',
    title: 'Redo',
    group: 'Explore',
    keys: 'shift+mod+z',
    run: () => void (redo() || toast('Nothing to redo')),
  },
  { id: 'previous', title: 'Previous parcel', group: 'Parcel', keys: '[', run: (client) => void step(client, -1) },
  { id: 'next', title: 'Next parcel', group: 'Parcel', keys: ']', run: (client) => void step(client, 1) },
  {
    id: 'back',
    title: 'Back: close what is on top',
    group: 'Window',
    keys: 'escape',
    isEverywhere: true,
    run: closeTop,
  },
  ...copyCommands,
  {
    id: 'theme',
    title: 'Change the theme: light, dark, outdoor',
    group: 'Window',
    keys: null,
    run: () => settings.set(({ theme }) => ({ theme: next(themes, theme) })),
  },
  {
    id: 'density',
    title: 'Comfortable or compact rows',
    group: 'Window',
    keys: null,
    run: () => settings.set(({ density }) => ({ density: next(densities, density) })),
  },
  {
    id: 'letters',
    title: 'Switch single-letter shortcuts on or off',
    group: 'Window',
    keys: null,
    run: () => settings.set(({ letters }) => ({ letters: !letters })),
  },
];

export const commandById = (id: string): Command => {
  const found = commands.find((command) => command.id === id);
  if (!found) throw new Error(`There is no command ${id}.`);
  return found;
};
