/** The columns of a list of comps. */
import type { ReactNode } from 'react';
import { formatDate, formatNumber } from '../parts/format.ts';
import { perAcreText } from '../value/value-words.ts';
import { CompMark, statusWords } from './comp-mark.tsx';
import { milesBetween, type Place } from './comps-query.ts';
import type { ListedComp } from './comps-state.ts';

export interface CompColumn {
  readonly id: string;
  readonly label: string;
  readonly isNumber: boolean;
  /** Width in rem, and the column's share of the remaining width. */
  readonly width: readonly [rem: number, share?: number];
  /** The sort key; null comes last in either direction. */
  readonly key: (comp: ListedComp) => number | string | null;
  readonly cell: (comp: ListedComp) => ReactNode;
  /** Hidden first in a narrow table. */
  readonly isForWide?: true;
}

export const pricePerAcre = ({ price, lot_size: acres }: ListedComp): number | null =>
  acres === null || acres <= 0 ? null : price / acres;

const textOr = (text: string, absent: string): ReactNode =>
  text === '' ? <span className="null">{absent}</span> : text;
const numberOr = (value: number | null, digits: number): ReactNode =>
  value === null ? <span className="null">unknown</span> : formatNumber(value, digits);

const statusOrder = { SOLD: 0, PENDING: 1, ACTIVE: 2 } as const;

/** Width for short APNs; longer ones in the rows widen the column. */
export const leastApnRem = 4.75;

const made: readonly CompColumn[] = [
  {
    id: 'status',
    label: 'Status',
    isNumber: false,
    width: [5.5],
    key: ({ status }) => statusOrder[status],
    cell: ({ status }) => (
      <>
        <CompMark status={status} /> {statusWords[status]}
      </>
    ),
  },
  {
    id: 'apn',
    label: 'Comp',
    isNumber: false,
    width: [leastApnRem],
    key: ({ apn }) => apn || null,
    cell: ({ apn }) => <span className="apn">{textOr(apn, 'no APN')}</span>,
  },
  {
    id: 'address',
    label: 'Address',
    isNumber: false,
    width: [5.5, 1],
    key: ({ address, city }) => address || city || null,
    cell: ({ address, city }) => textOr([address, city].filter(Boolean).join(', '), 'no address'),
  },
  {
    id: 'sold_date',
    label: 'Sold',
    isNumber: false,
    width: [6.25],
    key: ({ sold_date: date }) => date,
    cell: ({ sold_date: date }) => (date === null ? <span className="null">not sold</span> : formatDate(date)),
  },
  {
    id: 'acres',
    label: 'Acres',
    isNumber: true,
    width: [5.25],
    key: ({ lot_size: acres }) => acres,
    cell: ({ lot_size: acres }) => numberOr(acres, 2),
  },
  {
    id: 'price',
    label: 'Price, $',
    isNumber: true,
    width: [5.5],
    key: ({ price }) => price,
    cell: ({ price }) => formatNumber(price, 0),
  },
  {
    id: 'per_acre',
    label: '$/ac',
    isNumber: true,
    width: [5.5],
    key: pricePerAcre,
    cell: (comp) => {
      const value = pricePerAcre(comp);
      return value === null ? <span className="null">unknown</span> : perAcreText(value);
    },
  },
  {
    id: 'days',
    label: 'Days',
    isNumber: true,
    width: [4.5],
    isForWide: true,
    key: ({ days_on_market: days }) => days,
    cell: ({ days_on_market: days }) => numberOr(days, 0),
  },
  {
    id: 'source',
    label: 'Source',
    isNumber: false,
    width: [6, 0.8],
    isForWide: true,
    key: ({ source }) => source || null,
    cell: ({ source }) => textOr(source, 'unknown'),
  },
];

const distanceColumn = (center: Place): CompColumn => ({
  id: 'miles',
  label: 'mi',
  isNumber: true,
  width: [3.5],
  key: (comp) => milesBetween(center, comp),
  cell: (comp) => formatNumber(milesBetween(center, comp), 1),
});

/** @param center distances start here; null: no distances */
export function compColumns(center: Place | null): readonly CompColumn[] {
  if (center === null) return made;
  const before = made.findIndex(({ id }) => id === 'acres');
  return made.toSpliced(before, 0, distanceColumn(center));
}

/** Unknown values last in either direction; equal ones stay in the engine's order. */
export function sortedComps(
  rows: readonly ListedComp[],
  column: CompColumn | undefined,
  isDescending: boolean,
): readonly ListedComp[] {
  if (!column) return rows;
  const turn = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [column.key(a), column.key(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (typeof x === 'number' && typeof y === 'number') return turn * (x - y);
    return turn * String(x).localeCompare(String(y), 'en', { numeric: true });
  });
}
