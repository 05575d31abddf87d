/**
 * The targets of a mapping: the columns of parcels, of comps or of contacts. One grammar and one validator serve all.
 */
import { type CompColumn, compColumns } from '../../comps/comp-columns.ts';
import { importColumns, type ParcelColumn } from '../../spec/parcel-columns.ts';
import { type ContactColumn, contactColumns, contactsOfEarlierForm } from './contact-fields.ts';

/** What the grammar needs to know of a target column. */
export interface TargetColumn extends Omit<CompColumn, 'type'> {
  readonly type: ParcelColumn['type'] | CompColumn['type'] | ContactColumn['type'];
}

export interface MappingTarget {
  readonly kind: 'parcels' | 'comps' | 'contacts';
  readonly columns: readonly TargetColumn[];
  /** Whether a mapping may join a table and define a row's identity. */
  readonly joins: boolean;
  /** How messages name its columns, with the first ones as examples. */
  readonly dictionary: string;
  /** How messages name the file. */
  readonly file: string;
  /** Converts a mapping of an earlier version to the current form; returns others unchanged. */
  readonly earlier?: (value: unknown, name: string) => unknown;
}

export const parcelTarget: MappingTarget = {
  kind: 'parcels',
  columns: importColumns,
  joins: true,
  dictionary: 'the dictionary (apn, owner_name, acres …)',
  file: 'the parcel file',
};

export const compTarget: MappingTarget = {
  kind: 'comps',
  columns: compColumns,
  joins: false,
  dictionary: 'the dictionary of comps (price, lot_size, sold_date …)',
  file: 'the file',
};

export const contactTarget: MappingTarget = {
  kind: 'contacts',
  columns: contactColumns,
  joins: false,
  dictionary: 'the dictionary of contacts (last_name, zip, phone_1 …)',
  file: 'the file',
  earlier: contactsOfEarlierForm,
};

export const mappingTargets: { readonly [Kind in MappingTarget['kind']]: MappingTarget } = {
  parcels: parcelTarget,
  comps: compTarget,
  contacts: contactTarget,
};
