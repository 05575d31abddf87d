/** What is loaded, what of it is published, and which imports can be taken back. */
import Type from 'typebox';
import { listWaiting, type Waiting } from '../enrichment/waiting.ts';
import { type DatasetDetail, type DatasetImport, describeDatasets, listImports } from '../importing/datasets.ts';
import { defineRead } from './read.ts';

const text = Type.String();
const whole = Type.Integer({ minimum: 0 });
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export interface LoadedDatasets {
  readonly datasets: DatasetDetail[];
  /** Newest first. */
  readonly imports: DatasetImport[];
  /** Parcels that a layer has not yet said anything of. */
  readonly waiting: Waiting[];
}

export const datasets = defineRead<Record<string, never>, LoadedDatasets>({
  name: 'datasets',
  docs: 'Datasets with source, jurisdiction, date, parcels, layers, parcels that wait for one, and of how many parcels each column is published; imports and deletions, newest first, and which of them can be undone.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object(
    {
      datasets: Type.Array(
        Type.Object({
          dataset_id: whole,
          fips: text,
          county_name: orNull(text),
          state: orNull(text),
          jurisdiction: text,
          source_name: text,
          source_date: text,
          imported_at: text,
          parcels: whole,
          retired: whole,
          layers: Type.Array(Type.Object({ layer_id: whole, kind: text, source_name: text, source_date: text })),
          coverage: Type.Array(Type.Object({ column: text, known: whole })),
        }),
      ),
      imports: Type.Array(
        Type.Object({
          import_id: whole,
          dataset_id: whole,
          fips: text,
          jurisdiction: text,
          action: Type.Union([Type.Literal('import'), Type.Literal('delete')]),
          source_name: text,
          source_date: text,
          done_at: text,
          counts: Type.Record(text, Type.Number()),
          undone_at: orNull(text),
          can_undo: Type.Boolean(),
        }),
      ),
      waiting: Type.Array(
        Type.Object({
          fips: text,
          kind: text,
          parcels: whole,
          needs: Type.Union([Type.Literal('file'), Type.Literal('computing')]),
          file: orNull(text),
          sentence: text,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: (_input, { land }) => ({
    datasets: describeDatasets(land),
    imports: listImports(land),
    waiting: listWaiting(land),
  }),
});
