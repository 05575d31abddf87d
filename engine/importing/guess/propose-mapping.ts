/**
 * Proposes how a file maps: by the profile it matches, else by guesses, column by column with a sample before and
 * after, for a person to review, change and save.
 */
import path from 'node:path';
import { EngineError } from '../../spec/errors.ts';
import { type ParcelColumn, parcelColumnsByName } from '../../spec/parcel-columns.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import type { ReadOptions } from '../formats/parcel-source.ts';
import { openTableFile, type TableFile } from '../formats/table-file.ts';
import { loadMapping, type Mapping } from '../mapping/mapping.ts';
import type { MappingRow, Source } from '../mapping/mapping-expression.ts';
import type { Expression } from '../mapping/mapping-schema.ts';
import { converterFor, maxTextLength, textOf } from '../values/convert-value.ts';
import { columnsRead, fitMapping } from './fit-mapping.ts';
import { type GuessedJoin, guessJoin } from './guess-join.ts';
import { type GuessedColumn, guessMapping, leastConfidence, sampleReader } from './guess-mapping.ts';
import { joinSample, type ParcelSample, sampleParcels, tablePrefix } from './guess-sample.ts';
import { findProfile, findProfileWithoutTable, type ProfileScore } from './recognise.ts';

export interface ProposedColumn {
  /** Column of the dictionary. */
  readonly column: string;
  readonly label: string;
  /** The source, for display: `LOCNUMB + LOCNAME`. */
  readonly source: string;
  readonly expression: Expression;
  /** 0 to 1; for a profile, its score. */
  readonly confidence: number;
  readonly reasons: readonly string[];
  /** The first value, as in the file, and its converted form. */
  readonly sample: string | null;
  readonly after: string | null;
}

export interface UnmappedColumn {
  readonly name: string;
  /** Why it is not used, if known. */
  readonly reason: string | null;
  readonly sample: string | null;
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
  /** How the table joins; null without one. */
  readonly join: { readonly parcel: string; readonly table: string; readonly share: number } | null;
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
  readonly joinFile?: string;
  readonly reading?: ReadOptions;
}

/** Columns that identify a parcel: these must be certain before an import continues by itself. */
export const identityColumns: readonly string[] = ['apn'];
export const sureConfidence = 0.9;

/** @throws EngineError like the readers: import_refused, file_missing, file_damaged */
export function proposeMapping(options: ProposeOptions): Proposal {
  const sample = sampleParcels(options.file, options.reading);
  if (sample.rows.length === 0)
    throw new EngineError('import_refused', `${options.file}: expected parcels, found none.`);
  const table = options.joinFile === undefined ? null : openTableFile(options.joinFile);
  const known = { columns: sample.columns, tableColumns: table?.columns ?? null, state: options.state };
  const profile = findProfile(known);
  if (profile) return byProfile(options, sample, table, profile);
  const wanting = findProfileWithoutTable(known);
  const notes = wanting
    ? [
        `The polygons are those of the profile ${wanting.recognition.profile}: give its table with --join to get owners and values.`,
      ]
    : [];
  return byGuess(options, sample, table, notes);
}

function byProfile(
  options: ProposeOptions,
  sample: ParcelSample,
  table: TableFile | null,
  { recognition, score }: ProfileScore,
): Proposal {
  const names = [...sample.columns, ...(table?.columns ?? []).map((name) => tablePrefix + name)];
  const { mapping, left } = fitMapping(loadMapping(recognition.profile), names);
  const joined = table && mapping.join ? joinedSample(sample, table, mapping.join) : null;
  return ofProfile(options, joined?.sample ?? sample, {
    mapping,
    left,
    recognition,
    score,
    share: joined?.share ?? null,
  });
}

function byGuess(
  options: ProposeOptions,
  sample: ParcelSample,
  table: TableFile | null,
  notes: readonly string[],
): Proposal {
  const join = table ? guessJoin(sample, table) : null;
  if (table && join) return ofGuess(options, joinedSample(sample, table, join).sample, join, notes);
  const unjoined = table
    ? [
        `Less than half of the parcels find a row in ${path.basename(table.path)} by any pair of columns; the table's columns are left out.`,
      ]
    : [];
  return ofGuess(options, sample, null, [...notes, ...unjoined]);
}

const keyOf =
  (source: Source) =>
  (row: MappingRow): string | null => {
    const text = textOf(source(row));
    return text === null || text.length > maxTextLength ? null : foldSpaces(text) || null;
  };

export function joinedSample(
  sample: ParcelSample,
  table: TableFile,
  join: { readonly parcel: Expression; readonly table: Expression },
): { sample: ParcelSample; share: number } {
  const read = sampleReader({ ...sample, tableColumns: table.columns });
  const joined = joinSample(sample, table, { parcel: keyOf(read(join.parcel)), table: keyOf(read(join.table)) });
  return { sample: joined, share: joined.rows.filter((row) => row.table !== null).length / joined.rows.length };
}

interface FittedProfile {
  readonly mapping: Mapping;
  readonly left: readonly string[];
  readonly recognition: { readonly profile: string; readonly document: string; readonly version: string };
  readonly score: number;
  readonly share: number | null;
}

function ofProfile({ file }: ProposeOptions, sample: ParcelSample, fitted: FittedProfile): Proposal {
  const { mapping, left, recognition, score, share } = fitted;
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
    join: mapping.join && share !== null ? { ...describeJoin(mapping.join), share } : null,
    notes,
    isSure: identityColumns.every((name) => name in mapping.columns) && score >= sureConfidence,
  };
}

const describeJoin = ({ parcel, table }: { readonly parcel: Expression; readonly table: Expression }) => ({
  parcel: columnsRead(parcel).join(' or '),
  table: columnsRead(table)
    .join(' or ')
    .replace(/^table\./, ''),
});

function ofGuess(
  options: ProposeOptions,
  sample: ParcelSample,
  join: GuessedJoin | null,
  notes: readonly string[],
): Proposal {
  const guess = guessMapping(sample, {
    state: options.state,
    join,
    ...(options.today ? { today: options.today } : {}),
  });
  const columns = withSamples(guess.columns, sample);
  const isKnown = (name: string, least: number) =>
    guess.columns.some(({ column, confidence }) => column === name && confidence >= least);
  const readsTable = guess.columns.some(({ expression }) =>
    columnsRead(expression).some((name) => name.startsWith('table.')),
  );
  return {
    file: options.file,
    profile: null,
    mapping: columns.length === 0 ? null : mappingOf(options, guess.columns, readsTable ? join : null),
    columns,
    undecided: withSamples(guess.undecided, sample),
    unmapped: unmappedOf(sample, guess.unmapped),
    join: join && { parcel: join.parcelColumn, table: join.tableColumn, share: join.share },
    notes: [
      ...notes,
      ...(isKnown('apn', leastConfidence)
        ? []
        : ['No column is sure enough to be the parcel number (apn): name it yourself.']),
    ],
    isSure: identityColumns.every((name) => isKnown(name, sureConfidence)),
  };
}

function mappingOf({ file }: ProposeOptions, columns: readonly GuessedColumn[], join: GuessedJoin | null): Mapping {
  return {
    name: 'guessed',
    title: `Guessed from ${path.basename(file)}`,
    note: columns
      .map(({ column, confidence }) => `${column} ${confidence.toFixed(2)}`)
      .join(', ')
      .slice(0, 5000),
    ...(join?.isIdentity && typeof join.parcel !== 'string' ? { identity: join.parcel } : {}),
    ...(join ? { join: { parcel: join.parcel, table: join.table } } : {}),
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
    return { ...guessed, label: column.label, ...firstSaying(column, guessed.expression, sample, read) };
  });
}

/** The first row with a converted value, else the first with any: before and after. */
export function firstSaying(
  column: ParcelColumn,
  expression: Expression,
  { rows }: ParcelSample,
  read: (expression: Expression) => Source,
): { sample: string | null; after: string | null } {
  const source = read(expression);
  const written = columnsRead(expression).map((name) => read(name));
  const convert = converterFor(column, typeof expression === 'string' ? {} : expression);
  const before = (row: MappingRow) => {
    const texts = written.map((one) => textOf(one(row))).filter((text) => text !== null);
    return cut([...new Set(texts)].join(' | '));
  };
  let unread: MappingRow | null = null;
  for (const row of rows) {
    const value = source(row);
    if (textOf(value) === null) continue;
    const after = convert(value, { reason: null });
    if (after !== null) return { sample: before(row), after: cut(String(after)) };
    unread ??= row;
  }
  return { sample: unread === null ? null : before(unread), after: null };
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
