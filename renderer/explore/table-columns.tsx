/** The available columns of the results: a few made ones first, then every column of the dictionary. */
import type { ReactNode } from 'react';
import { parcelColumns } from '../../engine/spec/parcel-columns.ts';
import { formatColumn, formatNumber } from '../parts/format.ts';
import { RowStar } from '../work/star.tsx';

export type TableRow = Readonly<Record<string, unknown>> & {
  readonly property_id: number;
  readonly has_shape: boolean;
};

export interface TableColumn {
  readonly id: string;
  readonly label: string;
  /** Columns of result_page that the cell needs. */
  readonly reads: readonly string[];
  /** Columns of a file with this column; absent: those it reads. */
  readonly exports?: readonly string[];
  readonly ordering: string | null;
  readonly isNumber: boolean;
  /** Width in rem, and the column's share of the remaining width (none if absent). */
  readonly width: readonly [rem: number, share?: number];
  /** Width below which its texts are too short to read, in rem; absent: the least. */
  readonly wholeRem?: number;
  /** Hidden where the texts of the others would be cut beside it, 1 first. */
  readonly yields?: 1 | 2;
  readonly cell: (row: TableRow) => ReactNode;
}

const text = (row: TableRow, name: string): string => (row[name] as string | null) ?? '';
const numberOr = (row: TableRow, name: string, digits: number): ReactNode =>
  typeof row[name] === 'number' ? formatNumber(row[name], digits) : <span className="null">unknown</span>;
const textOr = (row: TableRow, name: string): ReactNode =>
  text(row, name) === '' ? <span className="null">not published</span> : text(row, name);

/** `118 State Route 118` → `State Route 118`. */
const roadOf = (address: string): string => address.replace(/^\s*\d+[A-Za-z]?(-\d+)?\s+/, '');

/** Width for short APNs; longer ones in the rows widen the column. */
export const leastApnRem = 5;

/** Why the parcel has no lot of its own on the map. */
function ShapeTag({ row }: { row: TableRow }) {
  if (row.has_shape) return null;
  const lot = text(row, 'stacked_on');
  return lot === '' ? (
    <span className="tag warn no-shape">no shape</span>
  ) : (
    <span className="tag no-shape" title={`It lies on lot ${lot}, and shows there on the map.`}>
      stacked
    </span>
  );
}

const made: readonly TableColumn[] = [
  {
    id: 'apn',
    label: 'APN',
    reads: ['apn', 'stacked_on'],
    exports: ['apn'],
    ordering: 'apn',
    isNumber: false,
    width: [leastApnRem],
    cell: (row) => (
      <>
        <RowStar propertyId={row.property_id} />
        <span className="apn">{text(row, 'apn') || 'no APN'}</span>
        <ShapeTag row={row} />
      </>
    ),
  },
  {
    id: 'owner',
    label: 'Owner',
    reads: ['owner_name'],
    ordering: 'owner_name',
    isNumber: false,
    width: [5.2, 2],
    wholeRem: 8,
    cell: (row) => textOr(row, 'owner_name'),
  },
  {
    id: 'effective_acres',
    label: 'Acres',
    reads: ['effective_acres'],
    ordering: 'acres',
    isNumber: true,
    width: [5],
    cell: (row) => numberOr(row, 'effective_acres', 2),
  },
  {
    id: 'market_value',
    label: 'Market value, $',
    reads: ['market_total_value'],
    ordering: 'market_total_value',
    isNumber: true,
    width: [7],
    cell: (row) => numberOr(row, 'market_total_value', 0),
  },
  {
    id: 'price_per_acre',
    label: '$/ac',
    reads: ['market_value_per_acre'],
    ordering: 'market_value_per_acre',
    isNumber: true,
    width: [5],
    cell: (row) => numberOr(row, 'market_value_per_acre', 0),
  },
  {
    id: 'road',
    label: 'Road',
    reads: ['situs_address'],
    ordering: 'situs_address',
    isNumber: false,
    width: [5.5, 1.2],
    wholeRem: 10,
    yields: 1,
    cell: (row) => roadOf(text(row, 'situs_address')) || <span className="null">not published</span>,
  },
  {
    id: 'owner_lives_in',
    label: 'Owner lives in',
    reads: ['mailing_city', 'mailing_state'],
    ordering: 'mailing_city',
    isNumber: false,
    width: [6.05, 1.2],
    yields: 2,
    cell: (row) =>
      [text(row, 'mailing_city'), text(row, 'mailing_state')].filter(Boolean).join(', ') || (
        <span className="null">not published</span>
      ),
  },
];

/** Width of a heading with its arrow and padding: one of 24 letters overlapped its neighbor. */
const headRem = (label: string): number => label.length * 0.41 + 2;

/** Columns with one value per row that are not made above. */
const plain: readonly TableColumn[] = parcelColumns
  .filter(
    ({ name, type, origin }) => origin !== 'computed' && type !== 'percents' && name !== 'apn' && name !== 'owner_name',
  )
  .map((column) => {
    const isNumber = ['integer', 'money', 'number', 'percent', 'id'].includes(column.type);
    const unit = column.unit && column.unit !== 'months' ? `, ${column.unit}` : '';
    const label = `${column.label}${isNumber ? unit : ''}`;
    return {
      id: column.name,
      label,
      reads: [column.name],
      ordering: column.name,
      isNumber,
      width: isNumber ? [Math.max(7, headRem(label))] : [Math.max(8, headRem(label)), 1],
      cell: (row) => {
        const shown = formatColumn(column, row[column.name]);
        return shown ? shown.text.replace(/^(−?)\$/, '$1') : <span className="null">not published</span>;
      },
    };
  });

export const tableColumns: readonly TableColumn[] = [...made, ...plain];

/** Column names for an export, in the order of the table. */
export const exportedNames = (columns: readonly TableColumn[]): string[] => [
  ...new Set(columns.flatMap(({ reads, exports = reads }) => exports)),
];

/** The chosen columns that exist, in order; always APN, because it names the row. */
export function chosenColumns(ids: readonly string[]): TableColumn[] {
  const wanted = ids.includes('apn') ? ids : ['apn', ...ids];
  return wanted.flatMap((id) => tableColumns.find((column) => column.id === id) ?? []);
}

/** A row's padding is half a rem. */
export const sumRem = <Column extends Pick<TableColumn, 'id'>>(
  columns: readonly Column[],
  apnRem: number,
  remOf: (column: Column) => number,
): number => columns.reduce((sum, column) => sum + (column.id === 'apn' ? apnRem : remOf(column)), 0.5);

const leastRem = ({ width: [rem] }: TableColumn): number => rem;
const wholeRem = (column: TableColumn): number => column.wholeRem ?? leastRem(column);

/** Hides what yields while texts are cut; if the rest does not fit either, all stay, whole, and the table scrolls. */
export function columnsThatFit(
  columns: readonly TableColumn[],
  apnRem: number,
  tableRem: number,
): readonly TableColumn[] {
  const without = (most: number) => columns.filter(({ yields = 3 }) => yields > most);
  const isCut = (shown: readonly TableColumn[]) => sumRem(shown, apnRem, wholeRem) > tableRem;
  const shown = [columns, without(1)].find((some) => !isCut(some)) ?? without(2);
  if (sumRem(shown, apnRem, leastRem) <= tableRem) return shown;
  return columns.map((column) => {
    const [, ...share] = column.width;
    return { ...column, width: [wholeRem(column), ...share] };
  });
}

/** @param apnRem width of the rows' APNs */
export const gridColumns = (columns: readonly Pick<TableColumn, 'id' | 'width'>[], apnRem: number): string =>
  columns
    .map(({ id, width: [rem, share] }) => {
      if (id === 'apn') return `${apnRem}rem`;
      return share === undefined ? `${rem}rem` : `minmax(${rem}rem, ${share}fr)`;
    })
    .join(' ');
