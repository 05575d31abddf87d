/**
 * Every task of a worker process, with its input and policy: *listed* tasks are jobs, which the user sees, cancels, and
 * which queue in their lane; of tasks where the *newest wins*, an asker's newer one stops the older; some are answered *in
 * turn*; others run *at once* and are not shown. task-code.ts has the code. A field with an `x-option` is also an option of the command line, with its
 * description as help.
 */
import path from 'node:path';
import Type, { type TObject } from 'typebox';
import { bookFields } from '../book/book-fields.ts';
import { listKinds } from '../importing/guess/list-proposal.ts';
import { validationError } from '../spec/errors.ts';
import { filesWords } from '../spec/files-words.ts';
import { colorPattern } from '../spec/layer-settings.ts';
import { isMapOnly, layerLooks, layerTitle } from '../spec/layer-titles.ts';
import { findProblems } from '../spec/validate.ts';
import {
  choiceSchema,
  noInput,
  oneOf,
  orNull,
  strict,
  type ValueOf,
  wantedPersonSchema,
  wholeNumberSchema,
} from '../spec/value-schemas.ts';
import { visitReportSchema } from '../spec/visits.ts';
import { landLane } from './job.ts';
import {
  accountsField,
  headerField,
  joinField,
  joinKeyField,
  option,
  optional,
  parcelReadingFields,
  readingFields,
  text,
} from './task-fields.ts';

interface ListedTask<Input, In extends TObject = TObject> {
  readonly docs: string;
  readonly input: In;
  /** Jobs of one lane run one after another. */
  readonly lane: string;
  /** @param county words a FIPS code: `Sullivan County, NH` */
  readonly title: (input: Input, county: (fips: string) => string) => string;
  /** The file that it writes outside of the home: what a killed worker left beside it is removed. */
  readonly writes?: (input: Input) => string;
}

const listed = <In extends TObject>(task: ListedTask<ValueOf<In>, In>) => ({ policy: 'listed' as const, ...task });
/** These change nothing; most read files, some of which are made to do harm. */
const newestWins = <In extends TObject>(docs: string, input: In) => ({ policy: 'newest wins' as const, docs, input });
/** An asker's questions are answered one after another, by a process that stays. */
const inTurn = <In extends TObject>(docs: string, input: In) => ({ policy: 'in turn' as const, docs, input });
const atOnce = <In extends TObject>(docs: string, input: In) => ({ policy: 'at once' as const, docs, input });

const texts = Type.Array(text, { minItems: 1, maxItems: 1000 });
const number = wholeNumberSchema(1, Number.MAX_SAFE_INTEGER);

/** Name of a saved mapping or a profile, path of a mapping file, or the mapping itself. */
const mapping = (value: string, description: string) =>
  Type.Optional(Type.Union([text, Type.Record(Type.String(), Type.Unknown())], { 'x-option': value, description }));

const date = optional('<YYYY-MM-DD>', 'date of the data');

/** Paths on this computer; no file is copied. */
const parcels = Type.Object(
  {
    files: texts,
    county: optional('<fips>', 'county FIPS code; without it, the county where the parcels lie'),
    county_column: optional('<name>', 'statewide files: the column that names the county of each parcel'),
    state: optional('<letters>', 'of a statewide file whose column has names or three digits'),
    mapping: mapping(
      '<file|profile>',
      'how columns map to the parcel dictionary; without it, what "platbook map" proposes',
    ),
    ...joinField,
    ...accountsField,
    ...parcelReadingFields,
    jurisdiction: optional('<name>', 'the town, where several assess within the county'),
    source: optional('<name>', 'who published the files'),
    date,
    replace: Type.Optional(
      Type.Boolean({
        'x-option': '',
        description: 'replace a dataset of the same county and jurisdiction that has another source or newer data',
      }),
    ),
    anywhere: Type.Optional(
      Type.Boolean({
        'x-option': '',
        description:
          'import parcels that lie in another county too: the outlines that Platbook compares with are coarse',
      }),
    ),
    problems: optional('<file>', 'with --dry-run: where to list every problem as CSV'),
  },
  strict,
);
export type ParcelsInput = ValueOf<typeof parcels>;

const reading = { path: text, ...parcelReadingFields };
const choices = Type.Optional(
  Type.Record(Type.String(), Type.String({ maxLength: 1000 }), {
    description: 'Heading of a field, an empty text for none; what is left out is guessed.',
  }),
);
const joins = Type.Optional(
  Type.Array(Type.Unknown(), {
    description:
      'How each table is joined, as in a mapping; without them it is guessed, by one column of each or by the parts of a parcel number.',
  }),
);
const proposing = {
  ...reading,
  county: Type.Optional(
    Type.String({
      'x-option': '<fips>',
      pattern: '^[0-9]{4,5}$',
      description: 'county FIPS code: its state helps to tell columns apart',
    }),
  ),
  ...joinField,
  ...joinKeyField,
};

/** imagery.sqlite has one writer at a time. */
const imageryLane = 'imagery.sqlite';

const file = Type.String({ minLength: 1, description: 'Its whole path.' });
const copying = Type.Object({ file, only_my_work: Type.Boolean() }, strict);

export const tasks = {
  import_parcels: listed({
    docs: 'Imports a county’s parcels; reports what was new, changed, retired, unchanged, refused.',
    input: parcels,
    lane: landLane,
    title: ({ files, county }, name) =>
      `Import ${filesWords(files)}${county === undefined ? '' : ` into ${name(county)}`}`,
  }),
  plan_parcels: listed({
    docs: 'The dry run of an import of parcels: the same report, with sample rows and every problem; changes nothing.',
    input: parcels,
    // It writes nothing, but must not read a county while that is being replaced.
    lane: landLane,
    title: ({ files, county }, name) =>
      `Dry run of ${filesWords(files)}${county === undefined ? '' : ` for ${name(county)}`}`,
  }),
  import_comps: listed({
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
        ...headerField,
      },
      strict,
    ),
    lane: landLane,
    title: ({ files }) => `Import comps of ${filesWords(files)}`,
  }),
  import_contacts: listed({
    docs: 'Imports a list of contacts for skip trace into people.sqlite.',
    input: Type.Object(
      {
        file: text,
        source: optional('<name>', 'where the records come from'),
        mapping: mapping(
          '<name|file>',
          'which column is what: one that was kept, or a JSON file; without it, what "platbook map --as contacts" proposes',
        ),
        ...headerField,
      },
      strict,
    ),
    lane: 'people.sqlite',
    title: ({ file }) => `Import contacts of ${filesWords([file])}`,
  }),
  derive_comps: listed({
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
  enrich: listed({
    docs: 'Completes the parcels of a county from a layer: roads, wetlands, flood, buildings, slope, schools, zips; or keeps a layer that is only drawn: other.',
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
        anyway: Type.Optional(
          Type.Boolean({
            'x-option': '',
            description: 'use the file though it looks like another kind, or hardly any of its classes is known',
          }),
        ),
        class_column: optional(
          '<column>',
          'for roads, flood, wetlands, schools, zips: the column of the class, zone or name (default: the usual ones)',
        ),
        classes: optional(
          '<values>',
          'for roads: what its values are, like "II=main, V=local, VI=none" (highway, main, local, none)',
        ),
        look: Type.Optional(
          choiceSchema(layerLooks, {
            ...{ 'x-option': '<look>' },
            description: `for other: how it is drawn, ${layerLooks.join(', ')} (default: as its columns tell)`,
          }),
        ),
        name_field: optional('<column>', 'for other and roads: the column of the names (default: the usual ones)'),
        color: Type.Optional(
          Type.String({
            pattern: colorPattern,
            'x-expected': 'a color like "#8a5a2b"',
            'x-option': '<#rrggbb>',
            description: 'for other: its color where it is plain',
          }),
        ),
        title: optional('<title>', 'for other: its name on the map, one in the county (default: that of the file)'),
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
    title: ({ kind, file, county }, name) =>
      isMapOnly(kind)
        ? `Draw ${filesWords([file])} in ${name(county)}`
        : `Complete ${name(county)}: ${layerTitle(kind)} of ${filesWords([file])}`,
  }),
  enrich_again: listed({
    docs: 'Completes parcels that are new or redrawn since, from the layers that are kept.',
    input: Type.Object({ county: text }, strict),
    lane: landLane,
    title: ({ county }) => `Complete ${county} from its layers`,
  }),
  undo_import: listed({
    docs: 'Puts a county back as it was before an import, or redoes an import that was undone.',
    input: Type.Object(
      {
        import_id: Type.Optional(
          wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, {
            description: 'Needed, unless `redo`: then absent means the one that was undone last.',
          }),
        ),
        redo: Type.Optional(Type.Boolean({ description: 'Redo it.' })),
      },
      strict,
    ),
    lane: landLane,
    title: ({ import_id: id, redo }) =>
      `${redo ? 'Redo' : 'Undo'} ${id === undefined ? 'the latest import' : `import ${id}`}`,
  }),
  delete_dataset: listed({
    docs: 'Removes the parcels of a dataset; can be undone.',
    input: Type.Object({ dataset_id: number }, strict),
    lane: landLane,
    title: ({ dataset_id: id }) => `Delete dataset ${id}`,
  }),
  plat_book: listed({
    docs: 'Prints a plat book: maps of holdings with names, details of crowded parts, lists and an index, as one georeferenced PDF. Free.',
    input: Type.Object({ to: text, ...bookFields }, strict),
    // It reads one snapshot, beside an import.
    lane: 'plat book',
    title: ({ to }) => `Print ${path.basename(to)}`,
    writes: ({ to }) => to,
  }),
  plat_page: listed({
    docs: 'One map page of a plat book with its details, as the book will have it. Free.',
    input: Type.Object({ to: text, page: text, ...bookFields }, strict),
    // Beside a book that is being made.
    lane: 'plat page',
    title: ({ page }) => `Print page ${page}`,
    writes: ({ to }) => to,
  }),
  add_imagery: listed({
    docs: 'Adds photos of the air to the map, as one layer, then makes their coarser levels. Photos of a layer that is there already join it.',
    input: Type.Object(
      {
        paths: texts,
        name: optional('<name>', 'name of the layer (default: that of the first file or folder)'),
        flown: date,
        credit: optional('<name>', 'who published the photos'),
        crs: optional('<code>', 'coordinate system, like EPSG:26919, where the photos do not say it'),
        copy: Type.Optional(
          Type.Boolean({
            'x-option': '',
            description: 'keep a copy in the home; without it the photos stay where they are',
          }),
        ),
      },
      strict,
    ),
    lane: imageryLane,
    title: ({ paths, name }) => `Add photos ${name ?? filesWords(paths)}`,
  }),
  sharpen_imagery: listed({
    docs: 'Makes the coarser levels of photos that a cancel or a kill left unfinished.',
    input: noInput,
    lane: imageryLane,
    title: () => 'Sharpen photos',
  }),
  imagery_tile: inTurn(
    'One tile of the photos of a layer.',
    Type.Object({ id: number, z: Type.Integer(), x: Type.Integer(), y: Type.Integer() }, strict),
  ),
  imagery_kind: inTurn(
    'Whether a file is a photo of the air, heights or tiles.',
    Type.Object({ path: text, crs: Type.Optional(text) }, strict),
  ),
  visit_report: listed({
    docs: 'Prints the report of a visit: map, form, photos, signature; with abutters and sources where they are ticked. Free.',
    input: Type.Object({ to: text, report: visitReportSchema }, strict),
    lane: 'visit report',
    title: ({ to }) => `Print ${path.basename(to)}`,
    writes: ({ to }) => to,
  }),
  look_file: newestWins(
    'The content of a file on this computer: layers, columns with samples, coordinate system, place. Reads headers and the first rows. A layer may hold lines too.',
    Type.Object(
      {
        ...reading,
        purpose: Type.Optional(
          oneOf(['parcels', 'layer'], { description: 'What it is to become; without it parcels.' }),
        ),
      },
      strict,
    ),
  ),
  propose_mapping: newestWins(
    'For a file on this computer: its profile, else a guess for each column of the dictionary, with confidence, reasons, a sample before and after, and the mapping itself. Reads the first rows.',
    Type.Object({ ...proposing, choices, joins }, strict),
  ),
  choose_mapping: newestWins(
    'The mapping of an import that names none: none is needed, or one is sure enough, or a person has to decide.',
    Type.Object({ ...proposing, choices }, strict),
  ),
  preview_mapping: newestWins(
    'The first rows of a file under a mapping: a sample before and after for each column, and the first row as it will be kept.',
    Type.Object({ ...reading, mapping: Type.Record(Type.String(), Type.Unknown()), ...joinField }, strict),
  ),
  propose_list: newestWins(
    'For a file of contacts or comps: the heading that each field is read from and why, the mapping itself, what is missing, and the first rows as they will be kept. `choices` name headings that replace guesses.',
    Type.Object(
      {
        path: text,
        as: oneOf(listKinds),
        kept: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 4096,
            description: 'Name of a mapping that was kept: in place of guesses, where it is there and fits.',
          }),
        ),
        choices,
        ...headerField,
      },
      strict,
    ),
  ),
  plan_book: newestWins(
    'The map pages of a plat book as they will be, with about how many pages in all, bytes and seconds it takes, and the share of holdings that get a number instead of a name.',
    Type.Object(bookFields, strict),
  ),
  index_stale: atOnce('Indexes the stale counties of the home; reports their FIPS codes.', noInput),
  find_neighbours: atOnce(
    'Finds the neighbors of all parcels of counties whose shapes changed; reports their FIPS codes.',
    noInput,
  ),
  keep_markets: atOnce(
    'Trains the market models that do not fit their comps, then tests those that are not tested; reports their FIPS codes.',
    noInput,
  ),
  keep_owners: atOnce(
    'Works out whose parcels are one owner’s, where parcels or verdicts changed; reports the FIPS codes of what was stale.',
    noInput,
  ),
  backup: atOnce('Writes a backup of the home, or of the user’s work alone.', copying),
  prepare_restore: atOnce('Checks a backup and puts it ready for the next start.', copying),
  delete_contact: atOnce(
    'Deletes a person from the contact records and keeps later lists from bringing the person back.',
    Type.Object({ person: orNull(wantedPersonSchema), phone: orNull(Type.String()) }, strict),
  ),
  share: atOnce('Writes a copy of land.sqlite to give away.', Type.Object({ file }, strict)),
} as const;

type Tasks = typeof tasks;
type Policy = Tasks[keyof Tasks]['policy'];
export type TaskName<Of extends Policy = Policy> = {
  [Name in keyof Tasks]: Tasks[Name]['policy'] extends Of ? Name : never;
}[keyof Tasks];
export type TaskInput<Name extends TaskName> = ValueOf<Tasks[Name]['input']>;

/** @returns the task, without the types of its input. @throws EngineError validation_error */
export function taskFor(name: TaskName<'listed'>, input: unknown): ListedTask<never>;
export function taskFor(name: TaskName, input: unknown): unknown;
export function taskFor(name: TaskName, input: unknown): unknown {
  const problems = findProblems(tasks[name].input, input);
  if (problems) throw validationError(problems);
  return tasks[name];
}
