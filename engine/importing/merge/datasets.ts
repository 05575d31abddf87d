/** What is loaded: datasets with what they hold and lack, and what was done to them. */
import type { LandStore } from '../../store/land-store.ts';
import { listUndoFiles } from '../../store/undo-store.ts';
import { homeOf } from './import-parcels.ts';

export interface DatasetRow {
  readonly dataset_id: number;
  readonly fips: string;
  readonly county_name: string | null;
  readonly state: string | null;
  /** Empty where the county assesses as a whole. */
  readonly jurisdiction: string;
  readonly source_name: string;
  readonly source_date: string;
  readonly imported_at: string;
  /** Parcels that stand now. */
  readonly parcels: number;
  /** Parcels that the last file no longer held. */
  readonly retired: number;
}

/**
 * Every dataset with its parcels, by county and jurisdiction. Counted within two indexes: no parcel is read.
 * @param fips of one county alone
 */
export function listDatasets(land: LandStore, fips: string | null = null): DatasetRow[] {
  return land.file
    .all<DatasetRow & { all_parcels: number }>(
      `SELECT d.dataset_id, d.fips, c.name AS county_name, c.state, d.jurisdiction, d.source_name, d.source_date, d.imported_at,
         (SELECT count(*) FROM parcels INDEXED BY parcels_dataset WHERE dataset_id = d.dataset_id) AS all_parcels,
         (SELECT count(*) FROM parcels INDEXED BY parcels_retired
            WHERE status <> 'current' AND dataset_id = d.dataset_id) AS retired
       FROM datasets d LEFT JOIN counties c ON c.fips = d.fips
       WHERE :fips IS NULL OR d.fips = :fips ORDER BY d.fips, d.jurisdiction`,
      { fips },
    )
    .map(({ all_parcels: all, retired, ...row }) => ({ ...row, parcels: all - retired, retired }));
}

export interface DatasetImport {
  readonly import_id: number;
  readonly dataset_id: number;
  readonly fips: string;
  readonly jurisdiction: string;
  readonly action: 'import' | 'delete';
  readonly source_name: string;
  readonly source_date: string;
  readonly done_at: string;
  /** `new`, `changed`, `retired`, `returned`, `unchanged`, `refused`; of a deletion `removed`. */
  readonly counts: Readonly<Record<string, number>>;
  readonly undone_at: string | null;
  /** Whether it can be taken back now: nothing later stands on it, and what it replaced is kept. */
  readonly can_undo: boolean;
}

/**
 * Whether a row of `imports` is of a dataset, as SQL: of its number, or an import that took its place after a deletion, when
 * it got another number.
 */
export const isOfSameDataset = (dataset: string, fips: string, jurisdiction: string, row = ''): string =>
  `(${row}dataset_id = ${dataset} OR (${row}action = 'import' AND ${row}fips = ${fips}
     AND fold_spaces(${row}jurisdiction) = fold_spaces(${jurisdiction})))`;

/** What was done to datasets, newest first. */
export function listImports(land: LandStore, limit = 50): DatasetImport[] {
  const kept = new Set(listUndoFiles(homeOf(land)));
  return land.file
    .all<Omit<DatasetImport, 'counts' | 'can_undo'> & { counts: string; is_last: number }>(
      `SELECT import_id, dataset_id, fips, jurisdiction, action, source_name, source_date, done_at, counts, undone_at,
         NOT EXISTS (SELECT 1 FROM imports l WHERE l.import_id > i.import_id AND l.undone_at IS NULL
           AND ${isOfSameDataset('i.dataset_id', 'i.fips', 'i.jurisdiction', 'l.')}) AS is_last
       FROM imports i ORDER BY import_id DESC LIMIT ?`,
      limit,
    )
    .map(({ counts, is_last: isLast, ...row }) => ({
      ...row,
      counts: JSON.parse(counts) as Record<string, number>,
      can_undo: isLast === 1 && row.undone_at === null && kept.has(row.import_id),
    }));
}

export interface DatasetLayer {
  readonly layer_id: number;
  readonly kind: string;
  readonly source_name: string;
  readonly source_date: string;
}

export interface DatasetDetail extends DatasetRow {
  /** What the county was completed from. */
  readonly layers: readonly DatasetLayer[];
  /** Per column of the dictionary, of how many parcels the file says it; empty for datasets of an older Platbook. */
  readonly coverage: readonly { readonly column: string; readonly known: number }[];
}

/** The same with layers and coverage. */
export function describeDatasets(land: LandStore): DatasetDetail[] {
  const { file } = land;
  return listDatasets(land).map((row) => {
    const stored = file.get<{ report: string }>('SELECT report FROM datasets WHERE dataset_id = ?', row.dataset_id);
    const { coverage = {} } = JSON.parse(stored?.report || '{}') as { coverage?: Record<string, number> };
    return {
      ...row,
      layers: file.all<DatasetLayer>(
        'SELECT layer_id, kind, source_name, source_date FROM layers WHERE fips = ? ORDER BY kind',
        row.fips,
      ),
      coverage: Object.entries(coverage).map(([column, known]) => ({ column, known })),
    };
  });
}
