/** What a dataset of a county says of itself: the same columns in land.sqlite and on a server. */
import type { SqliteFile } from './sqlite.ts';

export const datasetFacts = ['source_name', 'source_date', 'imported_at', 'mapping', 'report'] as const;

export interface DatasetRow extends Readonly<Record<(typeof datasetFacts)[number], string>> {
  readonly dataset_id: number;
  readonly jurisdiction: string;
}

/** SQL that replaces the facts of a dataset that stands. */
export const replaceFactsSql = `DO UPDATE SET ${datasetFacts.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** In land.sqlite. A dataset that stands keeps its county and jurisdiction. */
export function writeDatasetRow(file: SqliteFile, fips: string, row: DatasetRow): void {
  file.run(
    `INSERT INTO datasets (dataset_id, fips, jurisdiction, ${datasetFacts.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (dataset_id) ${replaceFactsSql}`,
    ...[row.dataset_id, fips, row.jurisdiction, ...datasetFacts.map((name) => row[name])],
  );
}
