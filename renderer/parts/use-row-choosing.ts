/**
 * One row or several, by mouse and by keyboard: a press chooses one, Ctrl (⌘) adds or takes out, Shift chooses all from
 * where the last choice began, Ctrl+A chooses all. For every table of parcels.
 */
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { toast } from '../state/toasts.ts';
import { formatNumber } from './format.ts';
import { placeFor } from './row-keys.ts';

/** What is chosen by hand is remembered parcel by parcel. */
const mostChosen = 10_000;

export interface Choice {
  readonly ids: readonly number[];
  /** The one that was reached last; null: none is chosen. */
  readonly shown: number | null;
}

export interface RowChoosingOptions {
  readonly count: number;
  /** Changes with the order of the rows: then places mean nothing any more. */
  readonly order: string;
  /** Where the shown parcel stands; null while that is not known, −1 where it is not among the rows. */
  readonly index: number | null;
  /** Undefined while the row is on its way. */
  readonly idAt: (index: number) => number | undefined;
  /** The rows `first` to `end`, both included. */
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

/** What the last press or key has reached, good for as long as nothing else chooses and the order stays. */
interface Reached {
  readonly shown: number | null;
  readonly order: string;
  readonly index: number;
  /** Where a stretch begins that Shift chooses. */
  readonly from: number;
}

export function useRowChoosing(options: RowChoosingOptions): RowChoosing {
  const { count, order, index, idAt, readIds, choice, choose } = options;
  // Where the last key went: the next one may come before that row, or the answer to where it stands.
  const last = useRef<Reached | null>(null);
  const reached = (): Reached | null =>
    last.current && last.current.shown === choice().shown && last.current.order === order ? last.current : null;
  const here = (): number => reached()?.index ?? index ?? -1;

  /** Reads what is not there, and chooses it unless another choice was made meanwhile. */
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
