/** What a dataset of a county says of itself: the same columns in land.sqlite and on a server. */
export const datasetFacts = ['source_name', 'source_date', 'imported_at', 'mapping', 'report'] as const;

export interface DatasetRow extends Readonly<Record<(typeof datasetFacts)[number], string>> {
  readonly dataset_id: number;
  readonly jurisdiction: string;
}
