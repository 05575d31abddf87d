/** Paid comp values: the explanation as shown, which can be viewed again free, with its date. */
import type { AccountStore } from '../store/account-store.ts';
import type { ShownValue } from './shown-value.ts';

export interface StoredValue {
  readonly property_id: number;
  /** ISO date-time. */
  readonly valued_at: string;
  readonly explained: ShownValue;
}

/** Stores a parcel's value; replaces the previous one. Undo leaves it: what was paid stays. */
export const keepValue = ({ file }: AccountStore, { property_id: id, valued_at: at, explained }: StoredValue): void =>
  void file.run(
    `INSERT INTO stored_values (property_id, valued_at, explained) VALUES (?, ?, ?)
     ON CONFLICT (property_id) DO UPDATE SET valued_at = excluded.valued_at, explained = excluded.explained`,
    id,
    at,
    JSON.stringify(explained),
  );

interface Row {
  readonly valued_at: string;
  readonly explained: string;
}

/** Null while the parcel has not been valued. */
export function findValue({ file }: AccountStore, propertyId: number): StoredValue | null {
  const row = file.get<Row>('SELECT valued_at, explained FROM stored_values WHERE property_id = ?', propertyId);
  return row
    ? { property_id: propertyId, valued_at: row.valued_at, explained: JSON.parse(row.explained) as ShownValue }
    : null;
}
