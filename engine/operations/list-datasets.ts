/** GET datasets/: the loaded datasets with their dates, and which filters have data. */
import Type from 'typebox';
import { count, noInput, orNull, strict } from '../spec/value-schemas.ts';
import { defineOperation, free } from './operation.ts';

const text = (description: string) => Type.String({ description });

/** A dataset as answers and reads show it. */
export const datasetSchema = Type.Object(
  {
    dataset_id: count(),
    fips: text('FIPS code of its county, five digits.'),
    county_name: orNull(Type.String()),
    state: orNull(Type.String()),
    jurisdiction: text('The town, where the county assesses by town; else empty.'),
    source_name: text('Name of the file or files.'),
    source_date: text('Date of the file, YYYY-MM-DD.'),
    imported_at: text('When it was imported, UTC.'),
    parcels: count('Current parcels.'),
    retired: count('Parcels missing from the last file.'),
    layers: Type.Array(
      Type.Object({
        layer_id: count(),
        kind: Type.String(),
        source_name: Type.String(),
        source_date: Type.String(),
      }),
      { description: 'Map layers that filled in columns of the county.' },
    ),
    coverage: Type.Array(Type.Object({ column: Type.String(), known: count() }), {
      description: 'Per column of the file, the number of parcels with a value.',
    }),
  },
  { ...strict, title: 'Dataset' },
);

const output = Type.Object(
  {
    datasets: Type.Array(datasetSchema),
    counties: Type.Array(
      Type.Object(
        {
          fips: text('FIPS code, five digits.'),
          parcels: count('Current parcels.'),
          comps: count('Comparable sales and listings.'),
          filters: Type.Array(Type.Object({ name: Type.String(), known: count() }, strict), {
            description: 'Per filter, the number of parcels with a value in its column now, enrichment included.',
          }),
        },
        strict,
      ),
    ),
  },
  strict,
);

export const listDatasets = defineOperation({
  name: 'list_datasets',
  summary: 'List what is loaded',
  docs: 'The datasets of this computer with their dates and sizes, and for each of their counties which filters have data. A filter whose `known` is 0 matches no parcel there.',
  http: { method: 'GET', path: 'datasets/', status: 200 },
  scope: 'read',
  needsPlan: true,
  ...free,
  input: noInput,
  output,
  table: {
    columns: Object.keys(datasetSchema.properties).filter((name) => name !== 'layers' && name !== 'coverage'),
    rows: ({ datasets }) => datasets.map(({ layers: _layers, coverage: _coverage, ...row }) => row),
    total: ({ datasets }) => datasets.length,
  },
  run: (_input, { land }) => land.datasets(),
  examples: [{ title: 'Everything that is loaded', input: {} }],
});
