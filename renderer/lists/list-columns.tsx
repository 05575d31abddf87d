/** The columns of a list: owner and size, values and traces, and letters. */

import type { ReactNode } from 'react';
import { figuresWithin } from '../../engine/spec/value-terms.ts';
import { sumRem } from '../explore/table-columns.tsx';
import { formatDate, formatNumber, formatPercent } from '../parts/format.ts';
import { rounded } from '../value/value-words.ts';
import { StarCell } from '../work/star.tsx';
import type { ListRow } from './types.ts';

export interface ListColumn {
  readonly id: string;
  readonly label: string;
  /** Only for screen readers. */
  readonly isQuiet?: true;
  readonly ordering: string | null;
  readonly isNumber: boolean;
  readonly width: readonly [rem: number, share?: number];
  /** Hidden where owners' names would be cut. */
  readonly isForWide?: true;
  /** Names of the cell's columns in an export. */
  readonly exports: readonly string[];
  readonly cell: (row: ListRow) => ReactNode;
}

/** The county's columns that the table reads. */
export const listReads = ['apn', 'owner_name', 'effective_acres'] as const;

const text = (row: ListRow, name: string): string => (row[name] as string | null | undefined) ?? '';

const waiting = (note: string | null): ReactNode => (note === null ? null : <span className="quietest">{note}</span>);

function ownerCell(row: ListRow): ReactNode {
  const name = text(row, 'owner_name');
  return (
    <>
      <span className={name === '' ? 'null' : 'ellipsis'}>{name || 'not published'}</span>
      {row.is_do_not_mail ? <span className="tag bad">Do not mail</span> : null}
      {row.is_gone ? (
        <span className="tag warn ellipsis gone" title="no longer in the county’s file">
          no longer in the county’s file
        </span>
      ) : null}
    </>
  );
}

/** Same format as the parcel's Value tab. */
function range({ low, high }: { low: number; high: number }): string {
  const figures = figuresWithin({ low, high });
  return `${formatNumber(rounded(low, figures), 0)} to ${formatNumber(rounded(high, figures), 0)}`;
}

const firstPhone = (row: ListRow) => row.phones[0];

/** `6035550142` → `(603) 555-0142`. */
const phoneText = (number: string): string => number.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');

/** Unknown gives no permission to call: amber, never drawn as safe. */
function dncCell(row: ListRow): ReactNode {
  const phone = firstPhone(row);
  if (!phone) return null;
  if (phone.dnc === null) return <span className="tag warn">Unknown</span>;
  return phone.dnc ? <span className="tag bad">Yes</span> : <span className="quieter">No</span>;
}

function phoneCell(row: ListRow): ReactNode {
  const phone = firstPhone(row);
  if (!phone) return waiting(row.phone_note);
  const more = row.phones.length - 1;
  return (
    <>
      {phoneText(phone.number)}
      {more > 0 ? <span className="quietest"> +{more}</span> : null}
    </>
  );
}

const star: ListColumn = {
  id: 'star',
  label: 'Star',
  isQuiet: true,
  ordering: null,
  isNumber: false,
  width: [2.25],
  exports: ['starred'],
  cell: (row) => <StarCell propertyId={row.property_id} isOn={row.is_starred} />,
};
/** Width for short APNs; longer ones in the rows widen the column. */
export const leastApnRem = 5.75;

const apn: ListColumn = {
  id: 'apn',
  label: 'APN',
  ordering: 'apn',
  isNumber: false,
  width: [leastApnRem],
  exports: ['apn'],
  cell: (row) => (
    <span className="apn" title={text(row, 'apn') || undefined}>
      {text(row, 'apn') || 'no APN'}
    </span>
  ),
};
const owner: ListColumn = {
  id: 'owner',
  label: 'Owner',
  ordering: 'owner_name',
  isNumber: false,
  width: [10, 2],
  exports: ['owner_name', 'do_not_mail'],
  cell: ownerCell,
};
const acres: ListColumn = {
  id: 'acres',
  label: 'Acres',
  ordering: 'acres',
  isNumber: true,
  width: [5.25],
  exports: ['effective_acres'],
  cell: (row) =>
    typeof row.effective_acres === 'number' ? (
      formatNumber(row.effective_acres, 2)
    ) : (
      <span className="null">unknown</span>
    ),
};
const value: ListColumn = {
  id: 'value',
  label: 'Value, $',
  ordering: 'value',
  isNumber: true,
  // Room for two numbers of seven digits.
  width: [11],
  exports: ['value', 'value_low', 'value_high'],
  cell: (row) => (row.value ? range(row.value) : waiting(shortNote(row.value_note))),
};
const mailed: ListColumn = {
  id: 'mailed',
  label: 'Mailed on',
  ordering: 'mailed_on',
  isNumber: false,
  width: [6.5],
  isForWide: true,
  exports: ['mailed_on'],
  cell: (row) => (row.mailed_on === null ? null : <span className="quieter num">{formatDate(row.mailed_on)}</span>),
};

/** Runs of version 0.1 noted whole sentences, which are too long for a cell; the Value tab has them. */
const shortNote = (note: string | null): string | null => (note !== null && note.length > 24 ? 'no value' : note);

/** Offers are rounded: a letter does not say $84,317. */
const offerOf = (price: number, percent: number): number => Math.round((price * percent) / 100 / 100) * 100;

const offer = (percent: number): ListColumn => ({
  id: 'offer',
  label: `Offer at ${formatPercent(percent)}, $`,
  ordering: 'value',
  isNumber: true,
  width: [8.25],
  exports: ['offer'],
  cell: (row) => (row.value ? formatNumber(offerOf(row.value.price, percent), 0) : null),
});

const phones: readonly ListColumn[] = [
  { id: 'phone', label: 'Phone', ordering: null, isNumber: false, width: [9], exports: ['phone_1'], cell: phoneCell },
  {
    id: 'line',
    label: 'Line',
    ordering: null,
    isNumber: false,
    width: [5],
    isForWide: true,
    exports: ['phone_1_type'],
    cell: (row) =>
      firstPhone(row) ? <span className="quieter">{firstPhone(row)?.line_type ?? 'Unknown'}</span> : null,
  },
  { id: 'dnc', label: 'DNC', ordering: null, isNumber: false, width: [5.25], exports: ['phone_1_dnc'], cell: dncCell },
];

export interface ListLook {
  readonly hasValues: boolean;
  readonly hasPhones: boolean;
  readonly offerPercent: number | null;
  /** Starred parcels are not listed for letters. */
  readonly hasLetters: boolean;
}

export const listColumns = ({ hasValues, hasPhones, offerPercent, hasLetters }: ListLook): readonly ListColumn[] => [
  star,
  apn,
  owner,
  acres,
  ...(hasValues ? [value] : []),
  ...(hasValues && offerPercent !== null ? [offer(offerPercent)] : []),
  ...(hasPhones ? phones : []),
  ...(hasLetters ? [mailed] : []),
];

/** Room for most owners' names. */
const nameRem = 16;

/** The rows' sides are 1.5 rem wider than the result table's. */
export const listColumnsThatFit = (
  columns: readonly ListColumn[],
  apnRem: number,
  tableRem: number,
): readonly ListColumn[] => {
  const needed = sumRem(columns, apnRem, ({ id, width: [rem] }) => (id === 'owner' ? nameRem : rem)) + 1.5;
  return needed <= tableRem ? columns : columns.filter(({ isForWide }) => !isForWide);
};

/** Column names for an export, in the order of the table. */
export const exportedListNames = (columns: readonly ListColumn[]): string[] => [
  ...new Set(columns.flatMap(({ exports }) => exports)),
];
