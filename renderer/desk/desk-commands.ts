/** The Desk's own keys: they act on the chosen deals, and have no other meaning there. */
import type { EngineClient } from '../client/engine-client.ts';
import { focusNow, focusWhenThere } from '../state/focus-place.ts';
import { goTo } from '../state/navigation.ts';
import { toast } from '../state/toasts.ts';
import { askName } from '../work/name-dialog.tsx';
import { typedDay } from './cell-editor.tsx';
import { type Cell, chooseDeals, desk, editCell, showPart, updateDeals } from './desk-state.ts';
import { localDay } from './next-date.ts';

/** @returns null, with a message, while none is chosen */
function chosen(verb: string): readonly number[] | null {
  const { selected } = desk.get();
  if (selected.length > 0) return selected;
  toast(`Choose a deal to ${verb}: arrow keys, or a press on its row`);
  return null;
}

/** The table edits in place; the board and a phone have no cells, and ask. */
const hasCells = (): boolean => document.querySelector('.desk-grid:not(.phone)') !== null;

const dealCount = (ids: readonly number[]): string => (ids.length === 1 ? 'the deal' : `${ids.length} deals`);

export function askCall(client: EngineClient, ids: readonly number[]): void {
  askName({
    title: `Log a call on ${dealCount(ids)}`,
    label: 'What was said: wants 62,000',
    value: '',
    button: 'Log call',
    done: async (detail) => (await updateDeals(client, ids, { log: { what: 'call', detail } })) !== null,
  });
}

function askDay(client: EngineClient, ids: readonly number[]): void {
  askName({
    title: `Next date of ${dealCount(ids)}`,
    label: 'fri, +7, 12/1 or 1 dec',
    value: '',
    button: 'Set',
    done: async (text) => {
      const day = typedDay(text, localDay());
      return day !== undefined && (await updateDeals(client, ids, { next_on: day })) !== null;
    },
  });
}

function askStep(client: EngineClient, ids: readonly number[]): void {
  askName({
    title: `Next step of ${dealCount(ids)}`,
    label: 'call back, send deed',
    value: '',
    button: 'Set',
    done: async (text) => (await updateDeals(client, ids, { next_what: text })) !== null,
  });
}

const editOr = (cell: Cell, verb: string, ask: (client: EngineClient, ids: readonly number[]) => void) =>
  function edit(client: EngineClient): void {
    const ids = chosen(verb);
    const last = ids?.at(-1);
    if (!ids || last === undefined) return;
    if (hasCells()) editCell(last, cell);
    else ask(client, ids);
  };

/** The menu of the card, where there are no cells. */
function moveChosen(): void {
  const last = chosen('move it on')?.at(-1);
  if (last === undefined) return;
  if (!hasCells()) desk.set({ isCardOpen: true });
  editCell(last, 'stage');
}

function noteChosen(): void {
  if (!chosen('write its note')) return;
  desk.set({ isCardOpen: true });
  focusWhenThere('deal-note');
}

function callChosen(client: EngineClient): void {
  const ids = chosen('log a call');
  if (ids) askCall(client, ids);
}

/** As the arrow does in the table, or on the chosen card of the board; with Shift the chosen ones stay chosen. */
function pressInTable(key: string, shiftKey = false): void {
  const place = focusNow('table') ?? document.querySelector<HTMLElement>('.deal[aria-current]');
  place?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
}

function untick(): void {
  const { selected } = desk.get();
  if (selected.length > 1) chooseDeals({ ids: selected.slice(-1), shown: selected.at(-1) ?? null });
  else pressInTable('ArrowDown', true);
}

export function switchBoard(): void {
  showPart({ isBoard: !desk.get().isBoard });
}

export const findParcelToAdd = (): void => {
  goTo('explore');
  focusWhenThere('search');
  toast('Find the parcel; “Move on” below it puts it on the desk.');
};

export const deskActions: readonly {
  readonly id: string;
  readonly title: string;
  readonly keys: string;
  readonly isRepeated?: true;
  readonly run: (client: EngineClient) => void;
}[] = [
  {
    id: 'edit',
    title: 'Edit the next step; Tab goes to the next cell',
    keys: 'e',
    run: editOr('next_what', 'edit it', askStep),
  },
  { id: 'stage', title: 'Move on: the stage, then its first letter', keys: 'm', run: moveChosen },
  { id: 'day', title: 'Next date: fri, +7, 12/1', keys: 'd', run: editOr('next_on', 'set its next date', askDay) },
  { id: 'call', title: 'Log a call', keys: 'l', run: callChosen },
  { id: 'note', title: 'Write the note of the deal', keys: 'n', run: noteChosen },
  { id: 'tick', title: 'Choose also the next deal, or only the last', keys: 'x', run: untick },
  { id: 'next', title: 'Next deal', keys: 'j', isRepeated: true, run: () => pressInTable('ArrowDown') },
  { id: 'previous', title: 'Previous deal', keys: 'k', isRepeated: true, run: () => pressInTable('ArrowUp') },
  { id: 'board', title: 'Table or board', keys: 'b', run: switchBoard },
];
