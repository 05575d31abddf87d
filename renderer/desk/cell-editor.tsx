/**
 * Cells edited in place: Enter keeps, Tab keeps and goes to the next cell, Escape leaves as it was. A row is written once,
 * when its last cell is left: written before, it would move to its new day under the hands, and be two changes.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { parseNumber } from '../parts/format.ts';
import { useClient } from '../state/client-context.tsx';
import { focusNow } from '../state/focus-place.ts';
import { useStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { type Cell, cells, type Deal, desk, editCell, together, type Update, updateDeals } from './desk-state.ts';
import { nextWords, parseDay } from './next-date.ts';

interface EditorProps {
  readonly deal: Deal;
  readonly cell: Cell;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly maxLength: number;
  /** @returns null, with a message, for what it cannot be */
  readonly read: (text: string) => Update | null;
}

/** Where a key goes: another cell, null for out of it; undefined: it stays. */
function nextCell({ key, shiftKey }: KeyboardEvent, cell: Cell): Cell | null | undefined {
  if (key === 'Escape' || key === 'Enter') return null;
  const by = shiftKey ? -1 : 1;
  return key === 'Tab' ? cells[(cells.indexOf(cell) + by + cells.length) % cells.length] : undefined;
}

function Editor({ deal: { property_id: id }, cell, label, value, placeholder, maxLength, read }: EditorProps) {
  const client = useClient();
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    input.current?.select();
    // A long text shows its beginning.
    if (input.current) input.current.scrollLeft = 0;
  }, []);
  const kept = () => desk.get().editing?.kept ?? {};
  const typed = (): Update | null => (text.trim() === value.trim() ? {} : read(text.trim()));
  const write = (update: Update) => {
    if (Object.keys(update).length > 0) void updateDeals(client, together(id), update);
  };
  const leave = (to: Cell | null, update: Update) => {
    isDone.current = true;
    // The menu of stages writes by itself.
    const isWritten = to === null || to === 'stage';
    if (isWritten) write(update);
    editCell(id, to, isWritten ? {} : update);
    if (to === null) focusNow('table');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = nextCell(event, cell);
    if (to === undefined) return;
    // The window's own Escape would close what lies below the cell.
    event.stopPropagation();
    if (event.key === 'Tab') event.preventDefault();
    const update = event.key === 'Escape' ? {} : typed();
    if (update) leave(to, { ...kept(), ...update });
  };
  return (
    <input
      ref={input}
      // biome-ignore lint/a11y/noAutofocus: the cell was asked for by a key or a press
      autoFocus
      aria-label={label}
      value={text}
      placeholder={placeholder}
      maxLength={maxLength}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={onKeyDown}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={() => {
        // A press elsewhere keeps what was typed, if it is something.
        if (isDone.current) return;
        isDone.current = true;
        write({ ...kept(), ...typed() });
        if (desk.get().editing?.id === id && desk.get().editing?.cell === cell) desk.set({ editing: null });
      }}
    />
  );
}

interface CellProps {
  readonly deal: Deal;
  readonly children: ReactNode;
}

const isEdited = (editing: ReturnType<typeof desk.get>['editing'], { property_id: id }: Deal, cell: Cell): boolean =>
  editing?.id === id && editing.cell === cell;

export function OfferCell({ deal, children }: CellProps) {
  const { editing } = useStore(desk);
  if (!isEdited(editing, deal, 'offer'))
    return (
      <EditButton deal={deal} cell="offer" label="Edit the offer">
        {children}
      </EditButton>
    );
  return (
    <span className="cell-edit">
      <Editor
        deal={deal}
        cell="offer"
        label="Offer, $"
        value={deal.offer === null ? '' : String(deal.offer)}
        placeholder="none"
        maxLength={20}
        read={(text) => {
          const offer = parseNumber(text);
          if (offer !== null && (offer ?? 0) >= 0) return { offer: offer === undefined ? null : Math.round(offer) };
          toast(`An offer is dollars, like 50,000; found “${text}”.`);
          return null;
        }}
      />
    </span>
  );
}

/** @returns the day, null for none, undefined with a message if it is none */
export function typedDay(text: string, today: string): string | null | undefined {
  const day = parseDay(text, today);
  if (day === undefined) return null;
  if (day !== null) return day;
  toast(`A day is fri, +7, 12/1 or 1 dec; found “${text}”.`);
  return undefined;
}

export function NextCell({ deal, today, children }: CellProps & { readonly today: string }) {
  const { editing } = useStore(desk);
  const [isDay, isWhat] = [isEdited(editing, deal, 'next_on'), isEdited(editing, deal, 'next_what')];
  if (!isDay && !isWhat)
    return (
      <EditButton deal={deal} cell="next_what" label="Edit the next step">
        {children}
      </EditButton>
    );
  const { next_on: day = deal.next_on, next_what: what = deal.next_what } = editing?.kept ?? {};
  return (
    <span className="cell-edit next">
      {isDay ? (
        <Editor
          key="next_on"
          deal={deal}
          cell="next_on"
          label="Day of the next step"
          value={day === null ? '' : nextWords(day, today)}
          placeholder="fri, +7, 12/1"
          maxLength={20}
          read={(text) => {
            const found = typedDay(text, today);
            return found === undefined ? null : { next_on: found };
          }}
        />
      ) : (
        <span className="next-day num" data-due={deal.due}>
          {day === null ? 'no day' : nextWords(day, today)}
        </span>
      )}
      {isWhat ? (
        <Editor
          key="next_what"
          deal={deal}
          cell="next_what"
          label="Next step"
          value={what ?? ''}
          placeholder="call back, send deed"
          maxLength={200}
          read={(text) => ({ next_what: text === '' ? null : text })}
        />
      ) : (
        <span className="next-what">{what ?? ''}</span>
      )}
      <kbd aria-hidden>↵</kbd>
    </span>
  );
}

/** A second press on the chosen row's cell edits it; the first chooses the row. */
const EditButton = ({ deal, cell, label, children }: CellProps & { readonly cell: Cell; readonly label: string }) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: E and Tab do it by keyboard
  // biome-ignore lint/a11y/noStaticElementInteractions: as above
  <span
    className="cell-face"
    title={label}
    onClick={(event) => {
      if (event.shiftKey || event.ctrlKey || event.metaKey || desk.get().selected.at(-1) !== deal.property_id) return;
      event.stopPropagation();
      editCell(deal.property_id, cell);
    }}
  >
    {children}
  </span>
);
