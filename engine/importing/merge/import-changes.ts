/** What the latest import of a dataset did to its parcels, each with its values before and now. */
import { parcelColumns } from '../../spec/parcel-columns.ts';
import type { LandStore } from '../../store/land-store.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import { parcelsChangedBy } from './datasets.ts';
import { homeOf } from './import-parcels.ts';
import { findImport, openUndo } from './undo-import.ts';

export const parcelFates = ['changed', 'retired', 'returned', 'removed', 'new'] as const;
export type ParcelFate = (typeof parcelFates)[number];

type Value = string | number | null;

interface ChangedValue {
  readonly column: string;
  readonly before: Value;
  readonly now: Value;
}

export interface ParcelChange {
  readonly property_id: number;
  readonly apn: string;
  readonly what: ParcelFate;
  readonly values: readonly ChangedValue[];
  readonly is_redrawn: boolean;
}

export interface ImportChanges {
  /** What the import counted as changed; more than is listed if the limit was reached. */
  readonly parcels: number;
  readonly listed: readonly ParcelChange[];
}

const mostListed = 500;
/** Rows whose values were only recalculated are passed over. */
const mostRead = 20_000;

/** Values that a county publishes; shapes are compared as bytes. */
const compared = parcelColumns
  .filter(({ origin, type }) => origin === 'published' && type !== 'shape' && type !== 'point' && type !== 'percents')
  .map(({ name }) => name);

type Row = Readonly<Record<string, Value>>;
type StoredRow = Row & { readonly property_id: number; readonly geom: Uint8Array | null };

/** @throws EngineError not_found, import_refused if it was undone, a later one builds on it, or its undo file is gone */
export function importChanges(land: LandStore, importId: number): ImportChanges {
  return land.file.snapshot(() => {
    const row = findImport(land, importId);
    const undo = openUndo(homeOf(land), row, 'import');
    try {
      const replaced = replacedParcels(land.file, undo);
      const added = addedParcels(land.file, undo, mostListed - replaced.length);
      const parcels = parcelsChangedBy(JSON.parse(row.counts) as Record<string, number>);
      return { parcels, listed: [...replaced, ...added.sort(byFateAndApn)] };
    } finally {
      undo.close();
    }
  });
}

function replacedParcels(file: SqliteFile, undo: SqliteFile): ParcelChange[] {
  const changes: ParcelChange[] = [];
  const before = undo.iterate<{ property_id: number; row: string; geom: Uint8Array | null }>(
    `SELECT property_id, row, geom FROM parcels ORDER BY property_id LIMIT ${mostRead}`,
  );
  for (const { property_id: id, row, geom } of before) {
    const now = file.get<StoredRow>('SELECT * FROM parcels WHERE property_id = ?', id);
    const change = changeOf(JSON.parse(row) as Row, geom, now, () => computedColumns(file, id));
    if (change) changes.push({ property_id: id, ...change });
    if (changes.length === mostListed) break;
  }
  return changes.sort(byFateAndApn);
}

const byFateAndApn = (a: ParcelChange, b: ParcelChange): number =>
  parcelFates.indexOf(a.what) - parcelFates.indexOf(b.what) || (a.apn < b.apn ? -1 : 1);

function changeOf(
  before: Row,
  geom: Uint8Array | null,
  now: StoredRow | undefined,
  computed: () => ReadonlySet<string>,
): Omit<ParcelChange, 'property_id'> | null {
  const apn = String(now?.apn ?? before.apn ?? '');
  if (!now) return { apn, what: 'removed', values: [], is_redrawn: false };
  const differing = compared.filter((column) => (before[column] ?? null) !== (now[column] ?? null));
  const ofLayers = differing.length > 0 ? computed() : null;
  const values = differing
    .filter((column) => !ofLayers?.has(column))
    .map((column) => ({ column, before: before[column] ?? null, now: now[column] ?? null }));
  const isRedrawn = Buffer.compare(geom ?? noBytes, now.geom ?? noBytes) !== 0;
  const [was, is] = [before.status, now.status];
  if (was === is && values.length === 0 && !isRedrawn) return null;
  const what = was === is ? 'changed' : is === 'retired' ? 'retired' : 'returned';
  return { apn, what, values, is_redrawn: isRedrawn };
}

const noBytes = new Uint8Array();

/** Columns that layers compute for a parcel: they may have been computed again since. */
const computedColumns = (file: SqliteFile, id: number): ReadonlySet<string> =>
  new Set(file.column<string>('SELECT key FROM computed_values, json_each("values") WHERE property_id = ?', id));

const addedParcels = (file: SqliteFile, undo: SqliteFile, most: number): ParcelChange[] =>
  undo.column<number>('SELECT property_id FROM added ORDER BY property_id LIMIT ?', Math.max(0, most)).flatMap((id) => {
    const row = file.get<{ apn: string | null }>('SELECT apn FROM parcels WHERE property_id = ?', id);
    return row ? [{ property_id: id, apn: row.apn ?? '', what: 'new', values: [], is_redrawn: false }] : [];
  });
