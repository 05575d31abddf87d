/**
 * Proposes how a file maps: by the profile it matches, else by guesses, column by column with a sample before and
 * after, for a person to review, change and save.
 */
import path from 'node:path';
import { EngineError } from '../../spec/errors.ts';
import type { JoinRows } from '../../spec/join-rows.ts';
import { type ParcelColumn, parcelColumnsByName } from '../../spec/parcel-columns.ts';
import { isTableName, joinsOf, tablePrefix, withoutTable } from '../../spec/table-names.ts';
import type { ReadOptions } from '../formats/parcel-source.ts';
import { openTableFile, type TableFile } from '../formats/table-file.ts';
import { withJoinRows } from '../mapping/join-rows.ts';
import { loadMapping, type Mapping } from '../mapping/mapping.ts';
import type { MappingRow, Source } from '../mapping/mapping-expression.ts';
import type { Expression, MappingJoin } from '../mapping/mapping-schema.ts';
import { keySource } from '../mapping/row-mapper.ts';
import { converterFor, textOf } from '../values/convert-value.ts';
import { columnsRead, fitMapping } from './fit-mapping.ts';
import { type GuessedJoin, guessJoin } from './guess-join.ts';
import { type GuessedColumn, guessMapping, sampleReader } from './guess-mapping.ts';
import { askForNumber, askForRows, askForTwins, type Question } from './guess-questions.ts';
import { joinSample, type ParcelSample, sampleParcels } from './guess-sample.ts';
import { namedJoin } from './named-join.ts';
import { findProfile, findProfileWithoutTable, type ProfileScore } from './recognise.ts';

export interface ProposedColumn extends ColumnSample {
  /** Column of the dictionary. */
  readonly column: string;
  readonly label: string;
  /** The source, for display: `LOCNUMB + LOCNAME`. */
  readonly source: string;
  readonly expression: Expression;
  /** 0 to 1; for a profile, its score. */
  readonly confidence: number;
  readonly reasons: readonly string[];
}

export interface UnmappedColumn {
  readonly name: string;
  /** Why it is not used, if known. */
  readonly reason: string | null;
  readonly sample: string | null;
}

export interface ProposedJoin {
  /** Name of the table's file. */
  readonly file: string;
  /** The key's columns, for display. */
  readonly parcel: string;
  readonly table: string;
  /** Share of the sampled parcels that find a row. */
  readonly share: number;
  /** Sampled parcels that find several rows which differ: an import is refused until it is said which counts. */
  readonly several: number;
}

export interface Proposal {
  readonly file: string;
  /** The profile that the file matches; null: guessed. */
  readonly profile: {
    readonly name: string;
    readonly title: string;
    readonly score: number;
    readonly document: string;
  } | null;
  /** Null if nothing is certain enough. */
  readonly mapping: Mapping | null;
  readonly columns: readonly ProposedColumn[];
  /** Considered, but below the confidence needed. */
  readonly undecided: readonly ProposedColumn[];
  /** Columns without a target; stored unchanged and shown with the parcel. */
  readonly unmapped: readonly UnmappedColumn[];
  /** How each table joins that does. */
  readonly joins: readonly ProposedJoin[];
  /** What a person has to decide before an import. */
  readonly questions: readonly Question[];
  /** Hints and next steps, in whole sentences. */
  readonly notes: readonly string[];
  /** Whether an import may use it without asking. */
  readonly isSure: boolean;
}

export interface ProposeOptions {
  readonly file: string;
  /** Two-letter state of the county; null if unknown. */
  readonly state: string | null;
  /** ISO day: future dates are unlikely. */
  readonly today?: string;
  readonly joinFiles?: readonly string[];
  /** What becomes of several rows of one key. */
  readonly joinRows?: JoinRows;
  /** How each table is joined; absent: guessed. */
  readonly joins?: readonly MappingJoin[];
  /** Columns of each table's key, as `namedJoin` reads them. */
  readonly joinKeys?: readonly string[];
  readonly reading?: ReadOptions;
}

/** Columns that identify a parcel: these must be certain before an import continues by itself. */
export const identityColumns: readonly string[] = ['apn'];
const sureConfidence = 0.9;

/** @throws EngineError like the readers: import_refused, file_missing, file_damaged */
export function proposeMapping(options: ProposeOptions): Proposal {
  const sample = sampleParcels(options.file, options.reading);
  if (sample.rows.length === 0)
    throw new EngineError('import_refused', `${options.file}: expected parcels, found none.`);
  const tables = (options.joinFiles ?? []).map((file) => openTableFile(file, options.reading));
  const leftOut = tables.flatMap(({ path: file, leftOut: words }) =>
    words ? [`Not read of ${path.basename(file)}: ${words}.`] : [],
  );
  const proposal = proposed(options, sample, tables);
  const questions = [...proposal.questions, ...rowsQuestions(options, proposal, sample.rows.length)];
  return {
    ...proposal,
    questions,
    isSure: proposal.isSure && questions.length === 0,
    notes: [...proposal.notes, ...leftOut],
  };
}

const isAmount = (column: string): boolean => parcelColumnsByName.get(column)?.type === 'money';

/** An import with such rows is refused until it is said which counts. */
function rowsQuestions({ joinRows }: ProposeOptions, { joins, columns }: Proposal, of: number): Question[] {
  const join = joins.find(({ several }) => several > 0);
  if (!join || joinRows) return [];
  const amounts = columns
    .filter(({ column, expression }) => isAmount(column) && typeof expression === 'string' && isTableName(expression))
    .map(({ expression }) => withoutTable(String(expression)));
  return [askForRows({ file: join.file, parcels: join.several, of, amounts })];
}

function proposed(options: ProposeOptions, sample: ParcelSample, tables: readonly TableFile[]): Proposal {
  const [table] = tables;
  const known = { columns: sample.columns, tableColumns: table?.columns ?? null, state: options.state };
  const profile = findProfile(known);
  // A profile knows one table, and its key.
  if (profile && tables.length < 2 && !options.joinKeys) return byProfile(options, sample, table ?? null, profile);
  const wanting = findProfileWithoutTable(known);
  const notes = wanting
    ? [
        `The polygons are those of the profile ${wanting.recognition.profile}: give its table (--join) to get owners and values.`,
      ]
    : [];
  return byGuess(options, sample, tables, notes);
}

function byProfile(
  options: ProposeOptions,
  sample: ParcelSample,
  table: TableFile | null,
  { recognition, score }: ProfileScore,
): Proposal {
  const names = [...sample.columns, ...(table?.columns ?? []).map((name) => tablePrefix(0) + name)];
  const { mapping: fitted, left } = fitMapping(loadMapping(recognition.profile), names);
  const mapping = options.joinRows ? withJoinRows(fitted, options.joinRows) : fitted;
  const joined = joinTables(sample, table === null ? [] : [table], joinsOf(mapping));
  return ofProfile(options, joined.sample, { mapping, left, recognition, score, joins: joined.joins });
}

function byGuess(
  options: ProposeOptions,
  sample: ParcelSample,
  tables: readonly TableFile[],
  notes: readonly string[],
): Proposal {
  const guessed = tables.map((table, place) => ({
    table,
    join: joinOf(options, sample, table, place),
  }));
  const joining = guessed.flatMap(({ table, join }) => (join ? [{ table, join }] : []));
  const unjoined = guessed.flatMap(({ table, join }) =>
    join
      ? []
      : [
          `Less than half of the parcels find a row in ${path.basename(table.path)} by any one column of each, nor by several that both call parts of a parcel number (MAP, LOT); the table's columns are left out. If several columns together are the key, name them all beside the mapping. From the command line: --join-key "MAP+LOT=MBL".`,
        ],
  );
  // The columns of a table are named by its place among all: one that does not join leaves the others' names alone.
  if (joining.length < tables.length) {
    const others = joining.map(({ table }) => path.basename(table.path)).join(', ');
    const waiting = others === '' ? [] : [`Until then the columns of ${others} are left out too.`];
    return ofGuess(options, { sample, joins: [] }, [], [...notes, ...unjoined, ...waiting]);
  }
  const joins = joining.map(({ join }) => ({ ...join, ...(options.joinRows && { rows: options.joinRows }) }));
  return ofGuess(options, joinTables(sample, tables, joins), joins, notes);
}

function joinOf({ joins, joinKeys }: ProposeOptions, sample: ParcelSample, table: TableFile, place: number) {
  const key = joinKeys?.[place];
  if (key !== undefined) return namedJoin(key, sample, table, place);
  return saidJoin(joins?.[place]) ?? guessJoin(sample, table, place);
}

/** Nobody has counted what it finds: it makes no column surer to be the parcel number. */
const saidJoin = (join: MappingJoin | undefined): GuessedJoin | null =>
  join ? { ...join, parcelColumns: [], tableColumns: [], share: 0, isIdentity: false } : null;

interface JoinedTables {
  readonly sample: ParcelSample;
  readonly joins: readonly ProposedJoin[];
}

/** Joins tables one after the other, as an import does. */
export function joinTables(
  sample: ParcelSample,
  tables: readonly TableFile[],
  joins: readonly MappingJoin[],
): JoinedTables {
  let joined = sample;
  const described = joins.flatMap((join, place): ProposedJoin[] => {
    const table = tables[place];
    if (!table) return [];
    const names = table.columns.map((name) => tablePrefix(place) + name);
    const read = sampleReader({ ...joined, tableColumns: [...(joined.tableColumns ?? []), ...names] });
    const keys = { parcelKey: keySource(read(join.parcel)), tableKey: keySource(read(join.table)), rows: join.rows };
    const made = joinSample(joined, table, keys, place);
    joined = made.sample;
    const share = made.found / sample.rows.length;
    return [{ file: path.basename(table.path), ...describeJoin(join), share, several: made.several }];
  });
  return { sample: joined, joins: described };
}

interface FittedProfile {
  readonly mapping: Mapping;
  readonly left: readonly string[];
  readonly recognition: { readonly profile: string; readonly document: string; readonly version: string };
  readonly score: number;
  readonly joins: readonly ProposedJoin[];
}

function ofProfile({ file }: ProposeOptions, sample: ParcelSample, fitted: FittedProfile): Proposal {
  const { mapping, left, recognition, score, joins } = fitted;
  const document = `${recognition.document}, ${recognition.version}`;
  const columns = Object.entries(mapping.columns).map(
    ([column, expression]): GuessedColumn => ({
      column,
      source: columnsRead(expression).join(' + ') || 'constant',
      expression,
      confidence: Math.round(score * 100) / 100,
      reasons: [`profile ${recognition.profile} (${document})`],
    }),
  );
  const used = new Set(columns.flatMap(({ expression }) => columnsRead(expression)).map((name) => name.toLowerCase()));
  const notes = left.length === 0 ? [] : [`The file lacks what the profile reads for ${left.join(', ')}.`];
  const before = withSamples(columns, sample);
  return {
    file,
    profile: {
      name: recognition.profile,
      title: mapping.title ?? recognition.profile,
      score: Math.round(score * 100) / 100,
      document,
    },
    mapping,
    columns: before,
    undecided: [],
    unmapped: unmappedOf(
      sample,
      sample.columns.filter((name) => !used.has(name.toLowerCase())).map((name) => ({ name, reason: null })),
    ),
    joins,
    questions: [],
    notes,
    isSure: identityColumns.every((name) => name in mapping.columns) && score >= sureConfidence,
  };
}

const describeJoin = ({ parcel, table }: MappingJoin) => ({
  parcel: keyWords(parcel),
  table: keyWords(table),
});

const keyWords = (key: Expression): string =>
  columnsRead(key)
    .map(withoutTable)
    .join(typeof key === 'object' && key.from !== undefined ? ' or ' : ' + ');

function ofGuess(
  options: ProposeOptions,
  { sample, joins: described }: JoinedTables,
  joins: readonly GuessedJoin[],
  notes: readonly string[],
): Proposal {
  const guess = guessMapping(sample, {
    state: options.state,
    joins,
    ...(options.today ? { today: options.today } : {}),
  });
  const columns = withSamples(guess.columns, sample);
  const isKnown = (name: string, least: number) =>
    guess.columns.some(({ column, confidence }) => column === name && confidence >= least);
  const isJoined = (a: string, b: string) =>
    guess.columns.some(({ expression }) => [a, b].every((name) => columnsRead(expression).includes(name)));
  const questions = [
    ...(isKnown('apn', sureConfidence) ? [] : [askForNumber(guess.sampled, guess.numbers)]),
    ...askForTwins(guess.sampled, isJoined).filter(({ about }) => about !== 'apn'),
  ];
  const readsTable = guess.columns.some(({ expression }) => columnsRead(expression).some(isTableName));
  return {
    file: options.file,
    profile: null,
    mapping: columns.length === 0 ? null : mappingOf(options, guess.columns, readsTable ? joins : []),
    columns,
    undecided: withSamples(guess.undecided, sample),
    unmapped: unmappedOf(sample, guess.unmapped),
    joins: described,
    questions,
    notes,
    isSure: questions.length === 0,
  };
}

function mappingOf(
  { file }: ProposeOptions,
  columns: readonly GuessedColumn[],
  joins: readonly GuessedJoin[],
): Mapping {
  const [join] = joins;
  const plain = joins.map(({ parcel, table, rows }) => ({ parcel, table, ...(rows && { rows }) }));
  return {
    name: 'guessed',
    title: `Guessed from ${path.basename(file)}`,
    note: columns
      .map(({ column, confidence }) => `${column} ${confidence.toFixed(2)}`)
      .join(', ')
      .slice(0, 5000),
    ...(join?.isIdentity && typeof join.parcel !== 'string' ? { identity: join.parcel } : {}),
    ...(join ? { join: plain.length === 1 ? (plain[0] as MappingJoin) : plain } : {}),
    columns: Object.fromEntries(columns.map(({ column, expression }) => [column, expression])),
  };
}

const maxShown = 60;
const cut = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text);

function withSamples(columns: readonly GuessedColumn[], sample: ParcelSample): ProposedColumn[] {
  const read = sampleReader(sample);
  return columns.map((guessed) => {
    const column = parcelColumnsByName.get(guessed.column);
    if (!column) throw new Error(`no column ${guessed.column}`);
    return { ...guessed, label: column.label, ...sampleColumn(column, guessed.expression, sample, read) };
  });
}

export interface ColumnSample {
  /** The first value, as in the file, and its converted form. */
  readonly sample: string | null;
  readonly after: string | null;
  /** Share of the sampled rows with a value, 0 to 1. */
  readonly filled: number;
  /** Up to three different values, converted. */
  readonly samples: readonly string[];
}

const samplesShown = 3;

/** How many rows have a value; the first row with a converted one, else the first with any: before and after. */
export function sampleColumn(
  column: ParcelColumn,
  expression: Expression,
  { rows }: ParcelSample,
  read: (expression: Expression) => Source,
): ColumnSample {
  const source = read(expression);
  const written = columnsRead(expression).map((name) => read(name));
  const convert = converterFor(column, typeof expression === 'string' ? {} : expression);
  const before = (row: MappingRow | undefined) => {
    if (row === undefined) return null;
    const texts = written.map((one) => textOf(one(row))).filter((text) => text !== null);
    return cut([...new Set(texts)].join(' | '));
  };
  const converted = rows.map((row) => convert(source(row), { reason: null }));
  const samples = new Set<string>();
  for (const value of converted) if (value !== null && samples.size < samplesShown) samples.add(cut(String(value)));
  const first = converted.findIndex((value) => value !== null);
  const shown = first === -1 ? rows.find((row) => textOf(source(row)) !== null) : rows[first];
  return {
    sample: before(shown),
    after: [...samples][0] ?? null,
    filled: converted.filter((value) => value !== null).length / Math.max(rows.length, 1),
    samples: [...samples],
  };
}

function unmappedOf(sample: ParcelSample, names: readonly { name: string; reason: string | null }[]): UnmappedColumn[] {
  const read = sampleReader(sample);
  return names
    .filter(({ name }) => name !== '$id')
    .map(({ name, reason }) => {
      const source = read(name);
      const found = sample.rows.map((row) => textOf(source(row))).find((text) => text !== null);
      return { name, reason, sample: found === undefined ? null : cut(found) };
    });
}
