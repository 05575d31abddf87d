/**
 * The place of a card: its column, and its index among the cards of that column. The API has one order over all
 * columns; this converts a place in a column to a place in that order, so that the others keep theirs.
 */
interface Placed {
  readonly id: number;
  readonly status: string;
}

export interface Place {
  readonly status: string;
  /** Index among the other cards of the column, from 0. */
  readonly index: number;
}

interface Move {
  readonly id: number;
  readonly status?: string;
  /** Position in the API's order, from 1. */
  readonly position?: number;
}

export const placeOf = (markets: readonly Placed[], id: number): Place | null => {
  const market = markets.find((one) => one.id === id);
  if (!market) return null;
  return { status: market.status, index: inColumn(markets, market.status).findIndex((one) => one.id === id) };
};

export const inColumn = <Market extends Placed>(markets: readonly Market[], status: string): Market[] =>
  markets.filter((market) => market.status === status);

/** The markets with the order and statuses after the card moves to the place. */
export function placed<Market extends Placed>(markets: readonly Market[], id: number, place: Place): Market[] {
  const market = markets.find((one) => one.id === id);
  if (!market) return [...markets];
  const others = markets.filter((one) => one.id !== id);
  const column = inColumn(others, place.status);
  const behind = column[place.index];
  const last = column.at(-1);
  const at = behind
    ? others.indexOf(behind)
    : last
      ? others.indexOf(last) + 1
      : // Alone in its column the card has no neighbor: its position in the order stays.
        markets.indexOf(market);
  return others.toSpliced(at, 0, { ...market, status: place.status });
}

/** The change that moves the card there; null if it is there already. */
export function moveTo(markets: readonly Placed[], id: number, place: Place): Move | null {
  const before = markets.findIndex((market) => market.id === id);
  const market = markets[before];
  if (!market) return null;
  const after = placed(markets, id, place).findIndex((one) => one.id === id);
  const move = {
    id,
    ...(market.status === place.status ? {} : { status: place.status }),
    ...(before === after ? {} : { position: after + 1 }),
  };
  return Object.keys(move).length > 1 ? move : null;
}

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/** The adjacent place; the same at the edge of the board. */
export function stepped(
  markets: readonly Placed[],
  columns: readonly string[],
  at: Place & { id: number },
  arrow: Arrow,
): Place {
  const others = markets.filter(({ id }) => id !== at.id);
  if (arrow === 'ArrowUp' || arrow === 'ArrowDown') {
    const index = at.index + (arrow === 'ArrowUp' ? -1 : 1);
    return { status: at.status, index: Math.max(0, Math.min(inColumn(others, at.status).length, index)) };
  }
  const column = columns.indexOf(at.status) + (arrow === 'ArrowLeft' ? -1 : 1);
  const status = columns[column];
  if (status === undefined) return { status: at.status, index: at.index };
  return { status, index: Math.min(at.index, inColumn(others, status).length) };
}
