/**
 * Every command for keys and the palette: one row each. The palette, the `?` list, the hints on buttons and the
 * keyboard derive from this table.
 */

import { printBookOfShown } from './book/open-book.ts';
import type { EngineClient } from './client/engine-client.ts';
import { deskActions } from './desk/desk-commands.ts';
import { closeTopOfDesk } from './desk/desk-state.ts';
import { closeOwner, explore, resetFilter, select, showFilter, view } from './explore/explore-state.ts';
import { searchRequest } from './explore/search-request.ts';
import { step } from './explore/use-index-of.ts';
import { fieldNoteFormats, openExport, saveFieldNotes } from './export/export-state.ts';
import { printChosenSheet, saveChosenSheet } from './export/parcel-sheet.ts';
import { shareChosen } from './export/share-dialog.tsx';
import { fieldActions } from './field/field-actions.ts';
import { closeTopOfField, enterField, follow, isInField, leaveField, toggleSheet } from './field/field-state.ts';
import { openOwnHome, openSampleHome } from './frame/other-home.ts';
import { openImport } from './import/open-import.ts';
import { clearRows, leaveMailing } from './lists/list-state.ts';
import { whereAmI } from './location/where-am-i.ts';
import { mailingActions } from './mailings/mailing-commands.ts';
import { shownMailing } from './mailings/mailing-state.ts';
import { showCounty, showResults, showSelected } from './map/camera.ts';
import { type MapMode, mapPresence, setMode, stepView, toggleMode } from './map/map-state.ts';
import { print } from './map/print-state.ts';
import { unitSystems } from './map/units.ts';
import { isNarrow } from './parts/use-window-width.ts';
import { railScreens, screenList } from './screens/screens.tsx';
import { copyForms, copyRequest } from './state/copy-request.ts';
import { focusNow, focusWhenThere, whenThere } from './state/focus-place.ts';
import { goTo, navigation } from './state/navigation.ts';
import { changeTheme, densities, settings } from './state/settings.ts';
import { toast } from './state/toasts.ts';
import { openTraceDialog } from './trace/trace-dialog-state.ts';
import { closeComp } from './value/open-comp.tsx';
import { leaveWideTab, showComps, showNeighbours, showOwner, showValue } from './value/value-commands.ts';
import { redoLast, undoLast } from './work/make-change.ts';
import { choosingPlace } from './work/targets.ts';
import { listChosen, noteChosen, starChosen, tagChosen } from './work/work-commands.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: 'Screens' | 'Explore' | 'Parcel' | 'Desk' | 'Letters' | 'Field mode' | 'Window';
  /** `mod+k` (Ctrl, or ⌘ on a Mac), `f`, `shift+z`, `shift+mod+z`; null: only in the palette. */
  readonly keys: string | null;
  /** Also while typing in a field, and over menus and dialogs. */
  readonly isEverywhere?: true;
  /** Also in menus and dialogs, which otherwise keep their own keys. */
  readonly isOver?: true;
  /** Repeats while the key is held; without it a held key is one press. */
  readonly isRepeated?: true;
  /** Only on the sample, or only on the user's own data; absent: on both. */
  readonly onlyIn?: 'sample' | 'own';
  /** In Field mode and nowhere else, or there too; absent: not there. */
  readonly field?: 'only' | 'too';
  /** On the Desk, or on a mailing, and nowhere else; there its key has no other meaning. */
  readonly of?: 'desk' | 'mailing';
  readonly run: (client: EngineClient) => void;
}

/** Runs on Explore, once it is drawn. */
const inExplore = (work: () => void): void => {
  goTo('explore');
  whenThere('.explore', work);
};

/** Shows its filters, map and table: closes a wide parcel tab that covers them. */
const besideMap = (work: () => void): void => {
  leaveWideTab();
  goTo('explore');
  whenThere('.explore[data-wide=false]', work);
};

/** Starts or leaves a mode; the map has the keyboard, for the cross and Space. */
const onMap = (mode: MapMode): void =>
  besideMap(() => {
    toggleMode(mode);
    focusWhenThere('map');
  });

/** Opens them, or closes them again. */
const openLayers = (): void => {
  if (isInField()) toggleSheet('layers');
  else if (mapPresence.get().isLayersOpen) mapPresence.set({ isLayersOpen: false });
  else besideMap(() => mapPresence.set({ isLayersOpen: true }));
};

const lookBack = (by: 1 | -1): void =>
  besideMap(() => {
    if (!stepView(by)) toast(by < 0 ? 'This is the first view of the map.' : 'This is the last view of the map.');
  });

/** The previous or next parcel; in a list the row, since only its table knows the order. */
function walk(client: EngineClient, by: 1 | -1): void {
  if (['lists', 'desk'].includes(navigation.get().screen)) {
    const key = by > 0 ? 'ArrowDown' : 'ArrowUp';
    focusNow('table')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  } else inExplore(() => void step(client, by));
}

/** If a parcel tab covers the table, brings back the table's menu first. */
const exportListed = (): void =>
  document.querySelector('.explore[data-wide=true]') ? besideMap(openExport) : openExport();

const next = <Value>(values: readonly Value[], value: Value): Value =>
  values[(values.indexOf(value) + 1) % values.length] ?? value;

/** Escape closes the topmost thing, one at a time. */
function closeTop(): void {
  if (navigation.get().over) navigation.set({ over: null });
  else if (isInField()) closeTopOfField();
  else if (clearRows() || leaveMailing() || closeTopOfDesk()) return;
  else if (navigation.get().screen === 'explore') closeTopOfExplore();
  else if (choosingPlace() === 'explore') leaveChoice();
}

function closeTopOfExplore(): void {
  if (mapPresence.get().mode !== 'browse') setMode('browse');
  else if (isNarrow() && view.get().isPanelOpen) view.set({ isPanelOpen: false });
  else if (closeOwner()) focusNow('detail');
  else if (closeComp()) return;
  else if (leaveWideTab()) focusNow('detail');
  else leaveChoice();
}

function leaveChoice(): void {
  if (explore.get().selectedMany.length > 0) explore.set({ selectedMany: [] });
  else if (explore.get().selected !== null) {
    select(null);
    focusNow('table');
  }
}

const screenCommands = [...railScreens, ...screenList.filter(({ within }) => within)].map(
  ({ id, title, within }, i): Command => ({
    id: `screen-${id}`,
    title: `Go to ${title}`,
    group: 'Screens',
    keys: within ? null : String(i + 1),
    run: () => goTo(id),
  }),
);

const fieldCommands = fieldActions.map(
  ({ id, title, key, run }): Command => ({ id, title, group: 'Field mode', keys: key, field: 'only', run }),
);

const deskCommands = deskActions.map(
  (action): Command => ({ ...action, id: `desk-${action.id}`, group: 'Desk', of: 'desk' }),
);

const mailingCommands = mailingActions.map(
  (action): Command => ({ ...action, id: `mailing-${action.id}`, group: 'Letters', of: 'mailing' }),
);

const copyCommands = copyForms.map(
  (form): Command => ({
    id: `copy-${form.id}`,
    title: `Copy the search as ${form.label}`,
    group: 'Explore',
    keys: null,
    run: (client) => void copyRequest(client, form, searchRequest()),
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
    field: 'too',
    run: () => navigation.set({ over: 'palette' }),
  },
  {
    id: 'shortcuts',
    title: 'Show all shortcuts',
    group: 'Window',
    keys: '?',
    field: 'too',
    run: () => navigation.set({ over: 'shortcuts' }),
  },
  {
    id: 'find',
    title: 'Find an address, APN, owner or place',
    group: 'Explore',
    keys: '/',
    run: () => focusNow('search'),
  },
  {
    id: 'filters',
    title: 'Go to the filters',
    group: 'Explore',
    keys: 'f',
    run: () => besideMap(() => showFilter('county')),
  },
  { id: 'map', title: 'Go to the map', group: 'Explore', keys: 'm', run: () => besideMap(() => focusWhenThere('map')) },
  {
    id: 'draw',
    title: 'Draw an area on the map',
    group: 'Explore',
    keys: 'd',
    run: () => onMap('draw'),
  },
  {
    id: 'measure',
    title: 'Measure on the map',
    group: 'Explore',
    keys: 'l',
    run: () => onMap('measure'),
  },
  {
    id: 'units',
    title: 'Change the units of the map',
    group: 'Explore',
    keys: 'u',
    field: 'too',
    run: () => {
      settings.set(({ units }) => ({ units: next(unitSystems, units) }));
      toast(`The map measures in ${settings.get().units}`);
    },
  },
  {
    id: 'zoom-parcel',
    title: 'Zoom to the parcel',
    group: 'Explore',
    keys: 'z',
    run: (client) => besideMap(() => showSelected(client)),
  },
  {
    id: 'zoom-results',
    title: 'Zoom to the results',
    group: 'Explore',
    keys: 'shift+z',
    run: (client) => besideMap(() => void showResults(client)),
  },
  {
    id: 'zoom-county',
    title: 'Zoom to the county',
    group: 'Explore',
    keys: null,
    run: (client) => besideMap(() => void showCounty(client)),
  },
  { id: 'view-back', title: 'Back to the view before', group: 'Explore', keys: 'b', run: () => lookBack(-1) },
  { id: 'view-forward', title: 'Forward to the next view', group: 'Explore', keys: 'shift+b', run: () => lookBack(1) },
  {
    id: 'tilt',
    title: 'Tilt the map, or look straight down again',
    group: 'Explore',
    keys: null,
    run: () => besideMap(() => mapPresence.set(({ isTilted }) => ({ isTilted: !isTilted }))),
  },
  {
    id: 'layers',
    title: 'Layers of the map: photo, lines, names',
    group: 'Explore',
    keys: 'y',
    isOver: true,
    field: 'too',
    run: openLayers,
  },
  {
    id: 'print-view',
    title: 'Print this view of the map',
    group: 'Explore',
    keys: null,
    run: () => besideMap(() => print.set({ isOpen: true })),
  },
  {
    id: 'print-book',
    title: 'Print a plat book of what is shown',
    group: 'Window',
    keys: null,
    run: printBookOfShown,
  },
  { id: 'where-am-i', title: 'Where am I: select the parcel here', group: 'Explore', keys: 'w', run: whereAmI },
  {
    id: 'field',
    title: 'Field mode: the map fills the window',
    group: 'Window',
    // F alone goes to the filters, all day long; Field mode is entered once a walk.
    keys: 'shift+f',
    run: enterField,
  },
  ...deskCommands,
  ...mailingCommands,
  ...fieldCommands,
  {
    id: 'field-here',
    title: 'Follow my position',
    group: 'Field mode',
    keys: 'h',
    field: 'only',
    run: follow,
  },
  {
    id: 'field-map',
    title: 'Go to the map: arrows move it, plus and minus zoom',
    group: 'Field mode',
    keys: 'm',
    field: 'only',
    run: () => focusWhenThere('map'),
  },
  {
    id: 'field-north',
    title: 'Bearings: true or magnetic',
    group: 'Field mode',
    keys: null,
    field: 'only',
    run: () => {
      settings.set(({ north }) => ({ north: north === 'true' ? 'magnetic' : 'true' }));
      toast(`Bearings are ${settings.get().north}.`);
    },
  },
  {
    id: 'field-leave',
    title: 'Leave Field mode',
    group: 'Field mode',
    keys: 'shift+f',
    field: 'only',
    run: () => leaveField(),
  },
  {
    id: 'table',
    title: 'Go to the table',
    group: 'Explore',
    keys: 't',
    run: () => besideMap(() => focusWhenThere('table')),
  },
  { id: 'export', title: 'Export the listed parcels', group: 'Explore', keys: 'mod+e', run: exportListed },
  { id: 'import', title: 'Import a file', group: 'Window', keys: 'mod+i', run: openImport },
  { id: 'reset', title: 'Reset the filters', group: 'Explore', keys: null, run: () => inExplore(resetFilter) },
  {
    id: 'undo',
    title: 'Undo',
    group: 'Window',
    keys: 'mod+z',
    isOver: true,
    isRepeated: true,
    field: 'too',
    run: undoLast,
  },
  {
    id: 'redo',
    title: 'Redo',
    group: 'Window',
    keys: 'shift+mod+z',
    isOver: true,
    isRepeated: true,
    field: 'too',
    run: redoLast,
  },
  {
    id: 'previous',
    title: 'Previous parcel',
    group: 'Parcel',
    keys: '[',
    isRepeated: true,
    run: (client) => walk(client, -1),
  },
  {
    id: 'next',
    title: 'Next parcel',
    group: 'Parcel',
    keys: ']',
    isRepeated: true,
    run: (client) => walk(client, 1),
  },
  { id: 'neighbours', title: 'Neighbours of the parcel', group: 'Parcel', keys: 'a', run: showNeighbours },
  { id: 'owner', title: 'Owner of the parcel: all land of one owner', group: 'Parcel', keys: 'o', run: showOwner },
  { id: 'value', title: 'Value of the parcel', group: 'Parcel', keys: 'v', run: showValue },
  { id: 'comps', title: 'Comps around the parcel', group: 'Parcel', keys: 'c', run: showComps },
  { id: 'star', title: 'Star or unstar the parcel', group: 'Parcel', keys: 's', run: starChosen },
  { id: 'note', title: 'Write a note on the parcel', group: 'Parcel', keys: 'n', run: noteChosen },
  { id: 'tag', title: 'Tag the parcel', group: 'Parcel', keys: 'g', run: tagChosen },
  { id: 'add-to-list', title: 'Add the parcel to a list', group: 'Parcel', keys: null, run: listChosen },
  { id: 'save-sheet', title: 'Save the parcel sheet (PDF)', group: 'Parcel', keys: null, run: saveChosenSheet },
  {
    id: 'share-page',
    title: 'Save a page of the parcels to send (HTML)',
    group: 'Parcel',
    keys: null,
    run: shareChosen,
  },
  { id: 'print-sheet', title: 'Print the parcel sheet', group: 'Parcel', keys: 'mod+p', run: printChosenSheet },
  {
    id: 'trace',
    title: 'Skip trace a name and address',
    group: 'Parcel',
    keys: null,
    run: () => openTraceDialog(null),
  },
  {
    id: 'back',
    title: 'Back: close what is on top',
    group: 'Window',
    keys: 'escape',
    isEverywhere: true,
    field: 'too',
    run: closeTop,
  },
  ...copyCommands,
  ...fieldNoteFormats.map(
    (format): Command => ({
      id: `field-notes-${format}`,
      title: `Save waypoints, photos’ places and tracks as ${format.toUpperCase()}`,
      group: 'Explore',
      keys: null,
      field: 'too',
      run: (client) => void saveFieldNotes(client, format),
    }),
  ),
  {
    id: 'own-home',
    title: 'Open my own data',
    group: 'Window',
    keys: null,
    onlyIn: 'sample',
    run: (client) => void openOwnHome(client, 'explore'),
  },
  {
    id: 'sample-home',
    title: 'Open the sample county (not real people)',
    group: 'Window',
    keys: null,
    onlyIn: 'own',
    run: (client) => void openSampleHome(client),
  },
  {
    id: 'theme',
    title: 'Change the theme: light, dark, outdoor',
    group: 'Window',
    keys: null,
    field: 'too',
    run: changeTheme,
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
    field: 'too',
    run: () => settings.set(({ letters }) => ({ letters: !letters })),
  },
];

function partHere(): Command['of'] {
  const { screen } = navigation.get();
  if (screen === 'desk') return 'desk';
  return screen === 'lists' && shownMailing() !== null ? 'mailing' : undefined;
}

/**
 * Those of the screen: Field mode has its own keys, and what it lacks stays behind it. On the Desk and on a mailing its
 * keys are its own; the commands that have them elsewhere are in the palette.
 */
export function commandsHere(): readonly Command[] {
  const here = partHere();
  const own = new Set(commands.filter(({ of }) => of !== undefined && of === here).map(({ keys }) => keys));
  return commands
    .filter(({ field }) => (isInField() ? field !== undefined : field !== 'only'))
    .filter(({ of }) => of === undefined || of === here)
    .map((one) => (one.of === undefined && own.has(one.keys) ? { ...one, keys: null } : one));
}

export const commandById = (id: string): Command => {
  const found = commands.find((command) => command.id === id);
  if (!found) throw new Error(`There is no command ${id}.`);
  return found;
};
