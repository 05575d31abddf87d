/**
 * Every kind of job that runs in a worker process: its input, its words, its lane. What it does stands in job-work.ts. A
 * field with an `x-option` is an option of the command line too, with the description as its help.
 */
import path from 'node:path';
import Type, { type TObject } from 'typebox';
import { strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import { landLane } from './job.ts';
import { joinField, option, optional, readingFields, type TaskInput, type TaskKind, text } from './task-kind.ts';

export interface WorkerJobKind<Input, In extends TObject = TObject> extends TaskKind<In> {
  readonly lane: string;
  /** @param county how a FIPS code is said: `Sullivan County, NH` */
  readonly title: (input: Input, county: (fips: string) => string) => string;
}

const defineJob = <In extends TObject>(kind: WorkerJobKind<ValueOf<In>, In>) => kind;

const texts = Type.Array(text, { minItems: 1, maxItems: 1000 });
const number = wholeNumberSchema(1, Number.MAX_SAFE_INTEGER);

/** The name of one that is kept or of a profile, the path of a mapping file, or the mapping itself. */
const mapping = (value: string, description: string) =>
  Type.Optional(Type.Union([text, Type.Record(Type.String(), Type.Unknown())], { 'x-option': value, description }));

const date = optional('<YYYY-MM-DD>', 'date of the data');

/** Paths are of this computer; nothing is copied. */
const parcels = Type.Object(
  {
    files: texts,
    county: optional('<fips>', 'county FIPS code'),
    county_column: optional('<name>', 'statewide files: the column that names the county of each parcel'),
    state: optional('<letters>', 'of a statewide file whose column has names or three digits'),
    mapping: mapping(
      '<file|profile>',
      'how columns map to the parcel dictionary; without it, what "platbook map" proposes',
    ),
    ...joinField,
    ...readingFields,
    jurisdiction: optional('<name>', 'the town, where several assess within the county'),
    source: optional('<name>', 'who published the files'),
    date,
    replace: Type.Optional(
      Type.Boolean({
        'x-option': '',
        description: 'replace a dataset of the same county and jurisdiction that has another source',
      }),
    ),
    problems: optional('<file>', 'with --dry-run: where to list every problem as CSV'),
  },
  strict,
);
export type ParcelsInput = ValueOf<typeof parcels>;

const namesOf = (files: readonly string[]): string => files.map((file) => path.basename(file)).join(', ');

export const workerJobs = {
  import_parcels: defineJob({
    docs: 'Imports a county’s parcels; reports what was new, changed, retired, unchanged, refused.',
    input: parcels,
    lane: landLane,
    title: ({ files, county }, name) =>
      `Import ${namesOf(files)}${county === undefined ? '' : ` into ${name(county)}`}`,
  }),
  plan_parcels: defineJob({
    docs: 'The dry run of an import of parcels: the same report, with sample rows and every problem; changes nothing.',
    input: parcels,
    // It writes nothing, but would answer from a county that is being replaced.
    lane: landLane,
    title: ({ files, county }, name) =>
      `Dry run of ${namesOf(files)}${county === undefined ? '' : ` for ${name(county)}`}`,
  }),
  import_comps: defineJob({
    docs: 'Imports listings and sales; the same source id again is an update.',
    input: Type.Object(
      {
        files: texts,
        county: optional('<fips>', 'county of rows that name none'),
        mapping: mapping(
          '<name|file>',
          'how columns map to the fields of a comp: one that was kept, a profile like "redfin", or a file; without it, what "platbook map --as comps" proposes',
        ),
        source: optional('<name>', 'where rows come from that do not say it'),
        date: optional('<YYYY-MM-DD>', 'day on which the listings stood as the file says'),
      },
      strict,
    ),
    lane: landLane,
    title: ({ files }) => `Import comps of ${namesOf(files)}`,
  }),
  import_contacts: defineJob({
    docs: 'Imports a list of contacts for skip trace into people.sqlite.',
    input: Type.Object(
      {
        file: text,
        source: optional('<name>', 'where the records come from'),
        mapping: mapping(
          '<name|file>',
          'which column is what: one that was kept, or a JSON file; without it, what "platbook map --as contacts" proposes',
        ),
      },
      strict,
    ),
    lane: 'people.sqlite',
    title: ({ file }) => `Import contacts of ${namesOf([file])}`,
  }),
  derive_comps: defineJob({
    docs: 'Makes comps from the parcels’ own recorded sales, in place of those made before.',
    input: Type.Object(
      {
        county: text,
        qualified_codes: Type.Optional(
          Type.Array(text, {
            ...{ minItems: 1, maxItems: 1000, 'x-option': '--qualified <codes>' },
            description: 'comma-separated sale price codes that mean an ordinary sale',
          }),
        ),
      },
      strict,
    ),
    lane: landLane,
    title: ({ county }, name) => `Comps from the recorded sales of ${name(county)}`,
  }),
  enrich: defineJob({
    docs: 'Completes the parcels of a county from a layer: roads, wetlands, flood, buildings, slope, schools, zips.',
    input: Type.Object(
      {
        kind: text,
        file: text,
        county: option('<fips>', 'county FIPS code'),
        ...readingFields,
        coverage: Type.Optional(
          Type.Literal('county', {
            'x-option': '<where>',
            description: 'the layer is complete for the whole county, not only around its features',
          }),
        ),
        source: optional('<name>', 'who published the file'),
        date,
        settings: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            'x-option': '<json>',
            description: 'settings, like {"reachFeet": 60, "valueColumn": "NAME"}',
          }),
        ),
      },
      strict,
    ),
    lane: landLane,
    title: ({ kind, file, county }, name) => `Complete ${name(county)} from ${kind} of ${namesOf([file])}`,
  }),
  enrich_again: defineJob({
    docs: 'Completes parcels that are new or redrawn since, from the layers that are kept.',
    input: Type.Object({ county: text }, strict),
    lane: landLane,
    title: ({ county }) => `Complete ${county} from its layers`,
  }),
  undo_import: defineJob({
    docs: 'Puts a county back as it was before an import.',
    input: Type.Object(
      {
        import_id: Type.Optional(
          wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, { description: 'Absent: the latest that can be undone.' }),
        ),
      },
      strict,
    ),
    lane: landLane,
    title: ({ import_id: id }) => (id === undefined ? 'Undo the latest import' : `Undo import ${id}`),
  }),
  delete_dataset: defineJob({
    docs: 'Removes the parcels of a dataset; can be undone.',
    input: Type.Object({ dataset_id: number }, strict),
    lane: landLane,
    title: ({ dataset_id: id }) => `Delete dataset ${id}`,
  }),
} as const;

export type WorkerJobName = keyof typeof workerJobs;
export type WorkerJobInput<Name extends WorkerJobName> = TaskInput<typeof workerJobs, Name>;

export const findWorkerJob = (name: WorkerJobName): WorkerJobKind<never> =>
  workerJobs[name] as unknown as WorkerJobKind<never>;
