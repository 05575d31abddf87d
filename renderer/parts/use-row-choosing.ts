/**
 * Selects one row or several, by mouse and keyboard: a press selects one, Ctrl (⌘) adds or removes, Shift selects all
 * from the start of the last selection, Ctrl+A selects all. For every table of parcels.
 */
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { toast } from '../state/toasts.ts';
import { formatNumber } from './format.ts';
import { placeFor } from './row-keys.ts';

/** A manual selection is stored parcel by parcel. */
const mostChosen = 10_000;

export interface Choice {
  readonly ids: readonly number[];
  /** The one reached last; null: nothing is selected. */
  readonly shown: number | null;
}

interface RowChoosingOptions {
  readonly count: number;
  /** Changes with the row order: earlier indexes are then invalid. */
  readonly order: string;
  /** Index of the shown parcel; null while unknown, −1 if it is not among the rows. */
  readonly index: number | null;
  /** Undefined while the row is loading. */
  readonly idAt: (index: number) => number | undefined;
  /** The rows `first` to `end`, inclusive. */
  readonly readIds: (first: number, end: number) => Promise<readonly number[]>;
  readonly choice: () => Choice;
  readonly choose: (choice: Choice) => void;
  readonly scrollTo: (index: number) => void;
  readonly onEnter: () => void;
}

export interface RowChoosing {
  readonly onPress: (event: MouseEvent, id: number, index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** The row that the last press or key reached; valid until the selection changes elsewhere or the order changes. */
interface Reached {
  readonly shown: number | null;
  readonly order: string;
  readonly index: number;
  /** Start of the range that Shift selects. */
  readonly from: number;
}

export function useRowChoosing(options: RowChoosingOptions): RowChoosing {
  const { count, order, index, idAt, readIds, choice, choose } = options;
  // Target of the last key: the next key may come before that row, or its index, is loaded.
  const last = useRef<Reached | null>(null);
  const reached = (): Reached | null =>
    last.current && last.current.shown === choice().shown && last.current.order === order ? last.current : null;
  const here = (): number => reached()?.index ?? index ?? -1;

  /** Loads missing rows, and selects them unless the selection has changed meanwhile. */
  const chooseRead = (at: Pick<Reached, 'index' | 'from'>, shownOf: (ids: readonly number[]) => number | undefined) => {
    const [first, end] = [Math.min(at.from, at.index), Math.max(at.from, at.index)];
    if (end - first >= mostChosen)
      return toast(`At most ${formatNumber(mostChosen)} can be selected by hand; freeze the search as a list instead.`);
    const waiting: Reached = { ...at, order, shown: choice().shown };
    last.current = waiting;
    const take = (ids: readonly number[]) => {
      const shown = shownOf(ids);
      if (last.current !== waiting || shown === undefined) return;
      last.current = { ...waiting, shown };
      choose({ ids, shown });
    };
    const known = Array.from({ length: end - first + 1 }, (_, i) => idAt(first + i));
    if (known.every((id) => id !== undefined)) take(known);
    else void readIds(first, end).then(take, (error: unknown) => toast(String(error)));
  };

  const chooseStretch = (to: number) => {
    const start = reached()?.from ?? here();
    const from = start < 0 ? to : start;
    chooseRead({ index: to, from }, (ids) => (to < from ? ids[0] : ids.at(-1)));
  };

  const chooseAll = () => {
    const { shown } = choice();
    chooseRead({ index: count - 1, from: 0 }, (ids) => (shown !== null && ids.includes(shown) ? shown : ids[0]));
  };

  const chooseAlso = (id: number, at: number) => {
    const { ids } = choice();
    const after = ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
    choose({ ids: after, shown: after.includes(id) ? id : (after.at(-1) ?? null) });
    last.current = { shown: choice().shown, order, index: at, from: at };
  };

  return {
    onPress: (event, id, at) => {
      if (event.shiftKey) return chooseStretch(at);
      if (event.ctrlKey || event.metaKey) return chooseAlso(id, at);
      last.current = { shown: id, order, index: at, from: at };
      choose({ ids: [id], shown: id });
    },
    onKeyDown: (event) => {
      // Buttons of the heading have keys of their own.
      if (event.target !== event.currentTarget || count === 0) return;
      if (event.key === 'Enter') return options.onEnter();
      if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        return chooseAll();
      }
      const wanted = placeFor(event.key, here(), count);
      if (wanted === null) return;
      event.preventDefault();
      options.scrollTo(wanted);
      if (event.shiftKey) chooseStretch(wanted);
      else chooseRead({ index: wanted, from: wanted }, ([id]) => id);
    },
  };
}
