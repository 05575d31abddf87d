/**
 * Merges parcels into letters: one row per mailing address, however many parcels its owners have. Addresses are equal if
 * their portfolio key is; addresses without a key (foreign ones) are compared as written. Owners marked Do not mail are
 * left out and counted, and so are parcels that no longer exist, whose owner may have changed.
 */
import { foldSpaces } from '../spec/text-fold.ts';
import { openLandStore } from '../store/land-store.ts';
import type { ExportColumn, ExportValue } from './export-columns.ts';
import type { ExportRow, ExportSource } from './export-source.ts';
import { addressee } from './salutation.ts';

interface MailParcel {
  readonly property_id: number;
  readonly apn: string | null;
  readonly acres: number | null;
  readonly county: string | null;
  readonly owner_name: string | null;
  readonly owner_name_2: string | null;
  readonly mailing_key: string | null;
  readonly mailing_address: string | null;
  readonly mailing_city: string | null;
  readonly mailing_state: string | null;
  readonly mailing_zip: string | null;
}

/** One letter. */
export interface MailRow {
  readonly name: string;
  readonly salutation: string;
  readonly owner: string;
  readonly otherOwners: readonly string[];
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly parcels: number;
  readonly acres: number | null;
  readonly apns: readonly string[];
  readonly counties: readonly string[];
}

/** Numbers of parcels without a letter, by reason. */
interface LeftOut {
  /** Retired by an import, or deleted with their dataset. */
  gone: number;
  doNotMail: number;
  noAddress: number;
  noName: number;
}

interface MailMerge {
  readonly rows: readonly MailRow[];
  /** Number of parcels in the request. */
  readonly parcels: number;
  readonly leftOut: Readonly<LeftOut>;
}

interface MailWish {
  /** Without repeats. */
  readonly ids: readonly number[];
  /** Whether the owner of a parcel must not get a letter. */
  readonly isKeptBack: (parcel: MailParcel) => boolean;
}

const batchRows = 2000;
/** More APNs would fill the page; the column `parcels` has their number. */
const shownApns = 10;

const parcelSql = `SELECT property_id, apn, coalesce(acres, calculated_acres) AS acres, c.name AS county, owner_name, owner_name_2,
  mailing_key, mailing_address, mailing_city, mailing_state, mailing_zip
  FROM parcels p LEFT JOIN counties c ON c.fips = p.fips WHERE property_id IN (SELECT value FROM json_each(?))
  AND p.status = 'current'`;

/** Null if the parcel has no mailing address. */
function keyOf(parcel: MailParcel): string | null {
  if (parcel.mailing_key !== null) return parcel.mailing_key;
  const { mailing_address: street, mailing_city: city, mailing_state: state, mailing_zip: zip } = parcel;
  if (!street || (!city && !zip)) return null;
  return `as written|${foldSpaces([street, city, state, zip].map((part) => part ?? '').join('|'))}`;
}

/** Reads the parcels in one snapshot. Keeps one row per letter in memory. */
export async function mergeMail(home: string, { ids, isKeptBack }: MailWish): Promise<MailMerge> {
  const letters = new Map<string, MailParcel[]>();
  const leftOut = { gone: 0, doNotMail: 0, noAddress: 0, noName: 0 };
  const land = openLandStore(home, () => 0);
  try {
    land.file.exec('BEGIN');
    for (let from = 0; from < ids.length; from += batchRows) {
      const asked = ids.slice(from, from + batchRows);
      const batch = land.file.all<MailParcel>(parcelSql, JSON.stringify(asked));
      leftOut.gone += asked.length - batch.length;
      for (const parcel of batch) sort(parcel, letters, leftOut, isKeptBack);
      await new Promise((resolve) => setImmediate(resolve));
    }
    land.file.exec('COMMIT');
  } finally {
    land.close();
  }
  return { rows: [...letters.values()].map(rowOf).sort(byPlace), parcels: ids.length, leftOut };
}

function sort(
  parcel: MailParcel,
  letters: Map<string, MailParcel[]>,
  leftOut: LeftOut,
  isKeptBack: (parcel: MailParcel) => boolean,
): void {
  const key = keyOf(parcel);
  if (isKeptBack(parcel)) leftOut.doNotMail++;
  else if (!parcel.owner_name?.trim()) leftOut.noName++;
  else if (key === null) leftOut.noAddress++;
  else letters.set(key, [...(letters.get(key) ?? []), parcel]);
}

/** Sorted mail is cheaper: by ZIP, then by name. */
const byPlace = (a: MailRow, b: MailRow): number =>
  compareText(a.zip, b.zip) || compareText(a.name, b.name) || compareText(a.address, b.address);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function rowOf(parcels: readonly MailParcel[]): MailRow {
  const owners = new Map<string, MailParcel[]>();
  for (const parcel of parcels) {
    const name = foldSpaces(parcel.owner_name ?? '');
    owners.set(name, [...(owners.get(name) ?? []), parcel]);
  }
  // The owner of most parcels at the address gets the letter.
  const [main = [], ...others] = [...owners.values()].sort((a, b) => b.length - a.length);
  const first = main[0] as MailParcel;
  const { name, salutation } = addressee(first.owner_name ?? '');
  const known = parcels.flatMap(({ acres }) => (acres === null ? [] : [acres]));
  return {
    name,
    salutation,
    owner: first.owner_name ?? '',
    otherOwners: others.map(([one]) => one?.owner_name ?? ''),
    address: first.mailing_address ?? '',
    city: first.mailing_city ?? '',
    state: first.mailing_state ?? '',
    zip: first.mailing_zip ?? '',
    parcels: parcels.length,
    acres: known.length === 0 ? null : Math.round(known.reduce((sum, acres) => sum + acres, 0) * 100) / 100,
    apns: parcels.flatMap(({ apn }) => apn || []).slice(0, shownApns),
    counties: [...new Set(parcels.flatMap(({ county }) => county ?? []))],
  };
}

const column = (name: string, label: string, docs: string, kind: ExportColumn['kind'] = 'text'): ExportColumn => ({
  name,
  label,
  docs,
  kind,
});

interface MailField {
  readonly column: ExportColumn;
  readonly value: (row: MailRow) => ExportValue;
}

const fields: readonly MailField[] = [
  { column: column('salutation', 'Salutation', 'How the letter begins.'), value: (row) => row.salutation },
  { column: column('addressee', 'Addressee', 'First line of the envelope.'), value: (row) => row.name },
  { column: column('mailing_address', 'Mailing address', 'Street or box.'), value: (row) => row.address },
  { column: column('mailing_city', 'Mailing city', 'City.'), value: (row) => row.city },
  { column: column('mailing_state', 'Mailing state', 'State.'), value: (row) => row.state },
  { column: column('mailing_zip', 'Mailing ZIP', 'ZIP or postal code.'), value: (row) => row.zip },
  {
    column: column('parcels', 'Parcels', 'How many of the parcels are at this address.', 'integer'),
    value: (row) => row.parcels,
  },
  {
    column: column('acres', 'Acres', 'All of them together, where they are known.', 'number'),
    value: (row) => row.acres,
  },
  {
    column: column('apns', 'APNs', `The first ${shownApns} of them.`),
    value: (row) => row.apns.join('; '),
  },
  { column: column('county_name', 'County', 'Where the parcels are.'), value: (row) => row.counties.join('; ') },
  { column: column('owner_name', 'Owner', 'As the assessor writes it.'), value: (row) => row.owner },
  {
    column: column('other_owners', 'Other owners', 'Other names at the same address, as the assessor writes them.'),
    value: (row) => row.otherOwners.join('; '),
  },
];

/** The letters as a table for CSV and XLSX. */
export function mailSource(merge: MailMerge, title: string, madeAt: Date): ExportSource {
  const { rows } = merge;
  return {
    title,
    columns: fields.map((field) => field.column),
    count: rows.length,
    madeAt,
    sources: [],
    async *batches() {
      for (let from = 0; from < rows.length; from += batchRows) {
        yield rows.slice(from, from + batchRows).map(
          (row, i): ExportRow => ({
            id: from + i + 1,
            values: fields.map(({ value }) => value(row)),
            shape: null,
            point: null,
            name: row.name,
          }),
        );
      }
    },
    close: () => {},
  };
}
