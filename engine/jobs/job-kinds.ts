/** Every kind of job that runs in a worker process: its input, its words, its lane. What it does stands in job-work.ts. */
import path from 'node:path';
import Type, { type TObject } from 'typebox';
import { landLane } from './job.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1, maxLength: 4000 });
const texts = Type.Array(text, { minItems: 1, maxItems: 1000 });
const number = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const optionalText = Type.Optional(text);
const mappingSchema = Type.Optional(Type.Union([text, Type.Record(Type.String(), Type.Unknown())]));

/** Paths are of this computer; nothing is copied. */
export interface ParcelsInput {
  readonly files: readonly string[];
  /** FIPS code; of the parcels whose row names no county, where `county_column` is given. */
  readonly county?: string;
  /** A profile's name, the path of a mapping file, or the mapping itself. */
  readonly mapping?: string | Readonly<Record<string, unknown>>;
  /** Path of an assessor table. */
  readonly join?: string;
  readonly layer?: string;
  readonly crs?: string;
  readonly jurisdiction?: string;
  readonly source?: string;
  /** ISO date of the data. */
  readonly date?: string;
  readonly replace?: boolean;
  /** Statewide files: the column that names the county of a row, by FIPS code or name. */
  readonly county_column?: string;
  /** Two letters: the state of a statewide file whose column has names or three digits. */
  readonly state?: string;
  /** Where the dry run writes its list of problems; without it into the home. */
  readonly problems?: string;
}

export interface CompsInput {
  readonly files: readonly string[];
  readonly county?: string;
  /** Name of one that is kept or of a profile, the path of its file, or the mapping itself. */
  readonly mapping?: string | Readonly<Record<string, unknown>>;
  readonly source?: string;
  readonly date?: string;
}

export interface ContactsInput {
  readonly file: string;
  readonly source?: string;
  /** Name of one that is kept, the path of its file, or the mapping itself. */
  readonly mapping?: string | Readonly<Record<string, unknown>>;
}

export interface EnrichInput {
  readonly kind: string;
  readonly file: string;
  readonly county: string;
  readonly layer?: string;
  readonly crs?: string;
  readonly coverage?: 'county';
  readonly source?: string;
  readonly date?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface WorkerJobInputs {
  import_parcels: ParcelsInput;
  /** The dry run: what `import_parcels` would do. */
  plan_parcels: ParcelsInput;
  import_comps: CompsInput;
  import_contacts: ContactsInput;
  derive_comps: { readonly county: string; readonly qualified_codes?: readonly string[] };
  enrich: EnrichInput;
  enrich_again: { readonly county: string };
  /** Without `import_id` the latest that can be undone. */
  undo_import: { readonly import_id?: number };
  delete_dataset: { readonly dataset_id: number };
}

export type WorkerJobName = keyof WorkerJobInputs;
export type WorkerJobInput<Name extends WorkerJobName> = WorkerJobInputs[Name];

export interface WorkerJobKind<Input> {
  readonly docs: string;
  readonly input: TObject;
  readonly lane: string;
  /** @param county how a FIPS code is said: `Sullivan County, NH` */
  readonly title: (input: Input, county: (fips: string) => string) => string;
}

const parcelsSchema = Type.Object(
  {
    files: texts,
    county: optionalText,
    mapping: mappingSchema,
    join: optionalText,
    layer: optionalText,
    crs: optionalText,
    jurisdiction: optionalText,
    source: optionalText,
    date: optionalText,
    replace: Type.Optional(Type.Boolean()),
    county_column: optionalText,
    state: optionalText,
    problems: optionalText,
  },
  strict,
);

const namesOf = (files: readonly string[]): string => files.map((file) => path.basename(file)).join(', ');

export const workerJobs: { readonly [Name in WorkerJobName]: WorkerJobKind<WorkerJobInputs[Name]> } = {
  import_parcels: {
    docs: 'Imports a county’s parcels; reports what was new, changed, retired, unchanged, refused.',
    input: parcelsSchema,
    lane: landLane,
    title: ({ files, county }, name) =>
      `Import ${namesOf(files)}${county === undefined ? '' : ` into ${name(county)}`}`,
  },
  plan_parcels: {
    docs: 'The dry run of an import of parcels: the same report, with sample rows and every problem; changes nothing.',
    input: parcelsSchema,
    // It writes nothing, but would answer from a county that is being replaced.
    lane: landLane,
    title: ({ files, county }, name) =>
      `Dry run of ${namesOf(files)}${county === undefined ? '' : ` for ${name(county)}`}`,
  },
  import_comps: {
    docs: 'Imports listings and sales; the same source id again is an update.',
    input: Type.Object(
      { files: texts, county: optionalText, mapping: mappingSchema, source: optionalText, date: optionalText },
      strict,
    ),
    lane: landLane,
    title: ({ files }) => `Import comps of ${namesOf(files)}`,
  },
  import_contacts: {
    docs: 'Imports a list of contacts for skip trace into people.sqlite.',
    input: Type.Object({ file: text, source: optionalText, mapping: mappingSchema }, strict),
    lane: 'people.sqlite',
    title: ({ file }) => `Import contacts of ${namesOf([file])}`,
  },
  derive_comps: {
    docs: 'Makes comps from the parcels’ own recorded sales, in place of those made before.',
    input: Type.Object({ county: text, qualified_codes: Type.Optional(texts) }, strict),
    lane: landLane,
    title: ({ county }, name) => `Comps from the recorded sales of ${name(county)}`,
  },
  enrich: {
    docs: 'Completes the parcels of a county from a layer: roads, wetlands, flood, buildings, slope, schools, zips.',
    input: Type.Object(
      {
        kind: text,
        file: text,
        county: text,
        layer: optionalText,
        crs: optionalText,
        coverage: Type.Optional(Type.Literal('county')),
        source: optionalText,
        date: optionalText,
        settings: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      },
      strict,
    ),
    lane: landLane,
    title: ({ kind, file, county }, name) => `Complete ${name(county)} from ${kind} of ${namesOf([file])}`,
  },
  enrich_again: {
    docs: 'Completes parcels that are new or redrawn since, from the layers that are kept.',
    input: Type.Object({ county: text }, strict),
    lane: landLane,
    title: ({ county }) => `Complete ${county} from its layers`,
  },
  undo_import: {
    docs: 'Puts a county back as it was before an import.',
    input: Type.Object({ import_id: Type.Optional(number) }, strict),
    lane: landLane,
    title: ({ import_id: id }) => (id === undefined ? 'Undo the latest import' : `Undo import ${id}`),
  },
  delete_dataset: {
    docs: 'Removes the parcels of a dataset; can be undone.',
    input: Type.Object({ dataset_id: number }, strict),
    lane: landLane,
    title: ({ dataset_id: id }) => `Delete dataset ${id}`,
  },
};

export const findWorkerJob = (name: WorkerJobName): WorkerJobKind<never> =>
  workerJobs[name] as unknown as WorkerJobKind<never>;
