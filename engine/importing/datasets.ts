/** What is loaded. */
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
  /** Parcels that stand now. */
  readonly parcels: number;
  /** Parcels that the last file no longer held. */
  readonly retired: number;
}

/** Every dataset with its parcels, by county and jurisdiction. */
export function listDatasets(land: LandStore): DatasetRow[] {
  return land.file.all<DatasetRow>(
    `SELECT d.dataset_id, d.fips, c.name AS county_name, c.state, d.jurisdiction, d.source_name, d.source_date, d.imported_at,
       count(p.property_id) FILTER (WHERE p.status = 'current') AS parcels,
       count(p.property_id) FILTER (WHERE p.status <> 'current') AS retired
     FROM datasets d
     LEFT JOIN counties c ON c.fips = d.fips
     LEFT JOIN parcels p ON p.dataset_id = d.dataset_id
     GROUP BY d.dataset_id ORDER BY d.fips, d.jurisdiction`,
  );
}
