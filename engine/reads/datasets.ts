/** The loaded datasets, their published columns, and which imports can be undone. */
import Type from 'typebox';
import { listWaiting, type Waiting } from '../enrichment/waiting.ts';
import { listImports } from '../importing/merge/datasets.ts';
import { datasetSchema } from '../operations/list-datasets.ts';
import { listComps, listLayers } from '../query/completions.ts';
import { describeDatasets } from '../query/datasets.ts';
import { count, noInput, oneOf, orNull, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const text = Type.String();

export const datasets = defineRead({
  name: 'datasets',
  docs: 'Datasets with source, jurisdiction, date, parcels, layers, parcels that wait for one, and the number of parcels with each column; imports and deletions, newest first, and which of them can be undone; loaded layers, and lists of comps.',
  input: noInput,
  output: Type.Object(
    {
      datasets: Type.Array(datasetSchema),
      imports: Type.Array(
        Type.Object({
          import_id: count(),
          dataset_id: count(),
          fips: text,
          jurisdiction: text,
          action: oneOf(['import', 'delete']),
          source_name: text,
          source_date: text,
          done_at: text,
          counts: Type.Record(text, Type.Number()),
          undone_at: orNull(text),
          parcels: count('What it changed, and undoing or redoing it would.'),
          can_undo: Type.Boolean(),
          can_redo: Type.Boolean(),
        }),
      ),
      layers: Type.Array(
        Type.Object(
          { fips: text, kind: text, title: text, source_name: text, done_at: text, features: count() },
          strict,
        ),
      ),
      comps: Type.Array(Type.Object({ fips: text, source: text, comps: count() }, strict)),
      waiting: Type.Array(
        Type.Object({
          fips: text,
          kind: Type.Unsafe<Waiting['kind']>(text),
          parcels: count(),
          needs: oneOf(['file', 'computing']),
          file: orNull(text),
          sentence: text,
        }),
      ),
    },
    strict,
  ),
  run: (_input, { land }) => ({
    datasets: describeDatasets(land),
    imports: listImports(land),
    layers: listLayers(land),
    comps: listComps(land),
    waiting: listWaiting(land),
  }),
});
