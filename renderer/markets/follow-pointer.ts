/** A card that follows the pointer, from the press to the drop. */
import type { PointerEvent } from 'react';
import type { Place } from './placing.ts';

interface Followed {
  readonly move: (place: Place) => void;
  readonly drop: (place: Place) => void;
  readonly giveUp: () => void;
}

/** After this many pixels a press becomes a drag. */
const dragPixels = 4;

/** Listens on the window: the pressed card becomes a new element when it changes its column. */
export function followPointer(start: PointerEvent, id: number, { move, drop, giveUp }: Followed): void {
  let place: Place | null = null;
  const isFar = (event: globalThis.PointerEvent) =>
    Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) >= dragPixels;
  const onMove = (event: globalThis.PointerEvent) => {
    if (!place && !isFar(event)) return;
    event.preventDefault();
    document.body.dataset.dragging = 'true';
    scrollAtEdge(event.clientX, event.clientY);
    const next = placeAt(event.clientX, event.clientY, id);
    if (!next || (place?.status === next.status && place.index === next.index)) return;
    place = next;
    move(next);
  };
  const end = () => {
    delete document.body.dataset.dragging;
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', onUp);
    removeEventListener('pointercancel', onCancel);
    removeEventListener('keydown', onKey, true);
  };
  const onUp = () => {
    end();
    if (place) drop(place);
  };
  const onCancel = () => {
    end();
    if (place) giveUp();
  };
  const onKey = (event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', onUp);
  addEventListener('pointercancel', onCancel);
  addEventListener('keydown', onKey, true);
}

/** The column under the pointer, and the card before which the held card would go. */
function placeAt(x: number, y: number, id: number): Place | null {
  const columns = [...document.querySelectorAll<HTMLElement>('[data-column]')];
  const column = columns.find((one) => {
    const { left, right } = one.getBoundingClientRect();
    return x >= left && x < right;
  });
  if (!column) return null;
  const cards = [...column.querySelectorAll<HTMLElement>('[data-market]')].filter(
    (card) => card.dataset.market !== String(id),
  );
  const before = cards.findIndex((card) => {
    const { top, height } = card.getBoundingClientRect();
    return y < top + height / 2;
  });
  return { status: column.dataset.column ?? '', index: before < 0 ? cards.length : before };
}

/** Scrolls a board larger than the window when a card is held at its edge. */
function scrollAtEdge(x: number, y: number): void {
  const board = document.querySelector('.market-board');
  if (!board) return;
  const { left, right, top, bottom } = board.getBoundingClientRect();
  const edge = 40;
  const by = (low: number, value: number, high: number) => (value < low + edge ? -12 : value > high - edge ? 12 : 0);
  board.scrollBy(by(left, x, right), by(top, y, bottom));
}
