/** The datasets of a home: what is loaded, from when, with how many parcels, and what its file says. */
import type { LandStore } from '../store/land-store.ts';

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
  /** Current parcels. */
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

interface DatasetLayer {
  readonly layer_id: number;
  readonly kind: string;
  readonly source_name: string;
  readonly source_date: string;
}

export interface DatasetDetail extends DatasetRow {
  /** What the county was completed from. */
  readonly layers: DatasetLayer[];
  /** Per column of the dictionary, of how many parcels the file says it; empty for datasets of an older Platbook. */
  readonly coverage: { column: string; known: number }[];
}

/** The same with layers and coverage. */
export function describeDatasets(land: LandStore): DatasetDetail[] {
  const { file } = land;
  return listDatasets(land).map((row) => {
    const stored = file.get<{ report: string }>('SELECT report FROM datasets WHERE dataset_id = ?', row.dataset_id);
    return {
      ...row,
      layers: file.all<DatasetLayer>(
        "SELECT layer_id, kind, source_name, source_date FROM layers WHERE fips = ? AND kind <> 'other' ORDER BY kind",
        row.fips,
      ),
      coverage: coverageOfReport(stored?.report),
    };
  });
}

export function coverageOfReport(report: string | undefined): DatasetDetail['coverage'] {
  const { coverage = {} } = JSON.parse(report || '{}') as { coverage?: Record<string, number> };
  return Object.entries(coverage).map(([column, known]) => ({ column, known }));
}
