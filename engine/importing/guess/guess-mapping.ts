/**
 * Proposes a mapping for an unknown file: for each column of the dictionary the source that best fits by name, values
 * and the other columns, with a confidence and reasons. Each source is used once, in the best overall assignment.
 */
import { parcelColumnsByName } from '../../spec/parcel-columns.ts';
import { isTableName, withoutTable } from '../../spec/table-names.ts';
import { ColumnBinder, compileExpression, type Source } from '../mapping/mapping-expression.ts';
import type { Expression } from '../mapping/mapping-schema.ts';
import { withCountries } from './guess-abroad.ts';
import { assignBest } from './guess-assign.ts';
import { shareOfBare } from './guess-bare.ts';
import { type Candidate, type Chosen, isFromTable, type WeighedSource } from './guess-candidates.ts';
import { withDecimalCommas } from './guess-decimals.ts';
import { columnExpression } from './guess-expression.ts';
import { agreementOf, factsOf } from './guess-facts.ts';
import { preferFilled, withFallback } from './guess-fill.ts';
import type { GuessedJoin } from './guess-join.ts';
import { guessByName, whyLeftOut } from './guess-patterns.ts';
import { isUnique } from './guess-questions.ts';
import { type ParcelSample, valuesOf } from './guess-sample.ts';
import { type GuessSource, type SampledColumn, sampledColumns, sourcesOf } from './guess-sources.ts';
import { testValues } from './guess-tests.ts';
import { areaUnitOf, findUnitColumn, namedUnit, someAgreement, unitsExplain } from './guess-units.ts';
import { agreeingValues } from './guess-values.ts';
import { percentWords } from './list-proposal.ts';

export interface GuessedColumn {
  /** Column of the dictionary. */
  readonly column: string;
  /** The source, for display. */
  readonly source: string;
  readonly expression: Expression;
  /** 0 to 1. */
  readonly confidence: number;
  /** In words, the strongest first. */
  readonly reasons: readonly string[];
}

interface LeftColumn {
  readonly name: string;
  /** Why it is not used, if known. */
  readonly reason: string | null;
}

export interface Guess {
  readonly columns: readonly GuessedColumn[];
  /** Considered, but not certain enough. */
  readonly undecided: readonly GuessedColumn[];
  readonly unmapped: readonly LeftColumn[];
  /** Columns that may be the parcel number, the likeliest first. */
  readonly numbers: readonly string[];
  /** Every column with its values. */
  readonly sampled: readonly SampledColumn[];
}

/** Below this confidence nothing is proposed. */
export const leastConfidence = 0.6;
const leastUndecided = 0.35;

interface GuessOptions {
  /** Two-letter state of the county, if known. */
  readonly state: string | null;
  /** ISO day: future dates are unlikely. */
  readonly today?: string;
  /** How tables join. */
  readonly joins?: readonly GuessedJoin[];
}

/** Reads expressions over sampled rows, whose table values are in the order of the tables. */
export function sampleReader({ tableColumns }: ParcelSample): (expression: Expression) => Source {
  const binder = new ColumnBinder();
  for (const name of tableColumns ?? []) binder.tablePosition(name);
  return (expression) => compileExpression(expression, binder);
}

export function guessMapping(sample: ParcelSample, options: GuessOptions): Guess {
  const reader = sampleReader(sample);
  const valuesOfExpression = (expression: Expression) => valuesOf(sample.rows, reader(expression));
  const columns = sampledColumns(sample.columns, valuesOfExpression);
  // Skips columns whose names mean nothing: a file may have hundreds.
  const key = options.joins?.find(({ parcelColumns }) => parcelColumns.length > 1);
  const all = sourcesOf(columns, key?.parcelColumns);
  const unique = new Set(
    columns.filter((column) => !isTableName(column.name) && isUnique(column)).map(({ name }) => name),
  );
  const isNumber = ({ expression }: GuessSource) => typeof expression === 'string' && unique.has(expression);
  const named = all.filter((source) => guessByName(source.words).length > 0 || isNumber(source));
  const plainValues = ({ expression }: GuessSource) =>
    columns.find(({ name }) => name === expression)?.values ?? valuesOfExpression(expression);
  const read = withDecimalCommas(
    named,
    plainValues,
    (source) => agreementOf(plainValues(source), sample.acres)?.isDecimalComma === true,
  );
  const sources = read.map((source): WeighedSource => {
    const values = plainValues(source);
    return { ...source, values, facts: factsOf(values, options.today) };
  });
  const candidates = candidatesOf(sources, sample, { ...options, unique });
  const picked = choose(preferFilled(candidates));
  const taken = new Set(picked.flatMap(({ candidate }) => candidate.source.columns));
  const filled = picked.map((one) => withFallback(one, candidates, taken));
  const chosen = agreeingValues(filled, sample.rows.length);
  const proposals = chosen.map(({ candidate, confidence, reasons }): GuessedColumn & { readonly unit?: string } => {
    const { source, target } = candidate;
    const byUnit = target === 'acres' ? inUnits(source, columns, sample, valuesOfExpression) : null;
    if (byUnit) return { column: target, confidence: Math.max(confidence, byUnit.confidence), ...byUnit.column };
    return {
      column: target,
      source: source.label,
      expression: columnExpression(target, source, agreementOf(source.values, sample.acres)),
      confidence: Math.round(confidence * 100) / 100,
      reasons,
    };
  });
  const sure = proposals.filter(({ confidence }) => confidence >= leastConfidence);
  const columnsProposed = inDictionaryOrder(withCountries(sure, columns));
  const used = new Set(
    chosen
      .filter(({ confidence }) => confidence >= leastConfidence)
      .flatMap(({ candidate }) => candidate.source.columns),
  );
  for (const { unit } of proposals) if (unit !== undefined) used.add(unit);
  const numbers = candidates
    .filter(({ target, source }) => target === 'apn' && typeof source.expression === 'string')
    .toSorted((a, b) => b.confidence - a.confidence)
    .flatMap(({ source }) => source.columns);
  return {
    numbers: [...new Set([...numbers, ...unique])],
    sampled: columns,
    columns: columnsProposed,
    undecided: proposals.filter(({ confidence }) => confidence < leastConfidence && confidence >= leastUndecided),
    unmapped: columns
      .filter(({ name }) => name !== '$id' && !used.has(name))
      .map(({ name, words }) => ({ name, reason: whyLeftOut(words) })),
  };
}

interface AreaInUnits {
  readonly confidence: number;
  readonly column: Pick<GuessedColumn, 'source' | 'expression' | 'reasons'> & { readonly unit: string };
}

/**
 * Uses a column with each row's unit if the mapped areas agree with it better than with one unit for all; without
 * shapes (points), if the numbers themselves do and no name gives one unit.
 */
function inUnits(
  source: WeighedSource,
  columns: readonly SampledColumn[],
  sample: ParcelSample,
  valuesOfExpression: (expression: Expression) => (string | null)[],
): AreaInUnits | null {
  const unit = typeof source.expression === 'string' ? findUnitColumn(columns) : null;
  if (unit === null) return null;
  const expression = { from: source.expression, scaleBy: unit.scaleBy };
  const agreement = agreementOf(valuesOfExpression(expression), sample.acres);
  const plain = agreementOf(source.values, sample.acres);
  const taken = (confidence: number, why: string): AreaInUnits => ({
    confidence,
    column: {
      source: `${source.label}, unit ${unit.name}`,
      expression,
      reasons: [`named ${source.label}`, `${unit.name} says the unit; ${why}`],
      unit: unit.name,
    },
  });
  if (agreement?.acresPerUnit === 1 && agreement.share > (plain?.share ?? 0) && agreement.share >= someAgreement) {
    const share = percentWords(agreement.share);
    return taken(Math.min(0.9, 0.4 + agreement.share / 2), `agrees with the mapped area on ${share} of rows`);
  }
  const isOneUnit = namedUnit(source.words) !== null || (plain?.share ?? 0) >= someAgreement;
  const unitsOfRows = columns.find(({ name }) => name === unit.name)?.values ?? [];
  if (isOneUnit || !unitsExplain(source.values, unitsOfRows, unit)) return null;
  return taken(0, agreement ? 'the mapped areas agree with no unit' : 'no shapes to compare with');
}

const places = new Map([...parcelColumnsByName.keys()].map((name, place) => [name, place]));
const inDictionaryOrder = (columns: readonly GuessedColumn[]): GuessedColumn[] =>
  [...columns].sort((a, b) => (places.get(a.column) ?? 0) - (places.get(b.column) ?? 0));

interface Weighing extends GuessOptions {
  /** Columns with a different value on every row. */
  readonly unique: ReadonlySet<string>;
}

function candidatesOf(sources: readonly WeighedSource[], sample: ParcelSample, options: Weighing): Candidate[] {
  const bare = shareOfBare(sources, options.state, sample.columns);
  return sources.flatMap((source) => {
    const guesses = guessByName(source.words).map(({ target, score }): NamedGuess => {
      const [, part] = /^bare_(.+)$/.exec(target) ?? [];
      if (part === undefined) return { target, score, why: null };
      const place = bare(source);
      return { target: `${place.kind}_${part}`, score: score * place.factor, why: place.reason };
    });
    const isNamed = guesses.some(({ target }) => target === 'apn');
    if (!isNamed && typeof source.expression === 'string' && options.unique.has(source.expression)) {
      const score = options.unique.size === 1 ? onlyUnique : oneOfUnique;
      guesses.push({ target: 'apn', score, why: 'no counter, whatever its name' });
    }
    return guesses.flatMap(({ target, score, why }) => weigh(source, { target, score, why }, sample, options));
  });
}

/** Confidence in a column for its values alone: asked before an import. */
const onlyUnique = 0.72;
const oneOfUnique = 0.55;
const mapFactor = 0.96;
/** Of an address whose text holds its own city or ZIP code. */
const wholeFactor = 0.8;

interface NamedGuess {
  readonly target: string;
  readonly score: number;
  readonly why: string | null;
}

function weigh(
  source: WeighedSource,
  { target, score, why }: NamedGuess,
  sample: ParcelSample,
  { state, joins = [] }: GuessOptions,
): Candidate[] {
  const agreement = target === 'acres' ? agreementOf(source.values, sample.acres) : null;
  const verdict = testValues(target, { facts: source.facts, agreement, state });
  if (verdict.factor === 0) return [];
  let confidence = score * verdict.factor * (source.holds ? wholeFactor : 1);
  // A column named like an area of the shape must agree with it.
  if (agreement !== null && agreement.share >= 0.5)
    confidence = Math.max(confidence, Math.min(0.9, 0.4 + agreement.share / 2));
  const unit = target === 'acres' ? areaUnitOf(source.words, source.facts.median, agreement).reason : null;
  const whole = source.holds ? `holds ${source.holds.map(withoutTable).join(' and ')} too` : null;
  const reasons = [`named ${source.label}`, verdict.reason, whole, why, unit].filter((reason) => reason !== null);
  if (target === 'apn') {
    const byJoin = joiningKey(source, joins);
    confidence = Math.max(confidence, byJoin?.confidence ?? 0);
    if (byJoin) reasons.push(byJoin.reason);
    // A parcel that joins no row still has a number.
    if (isFromTable(source)) confidence *= 0.85;
  }
  // The table comes from the assessor; the map copies it and is older.
  if (joins.length > 0 && target !== 'apn' && !isFromTable(source)) confidence *= mapFactor;
  return [{ source, target, score, confidence, reasons }];
}

/** A key that joins a table for nearly all parcels is their number; one of several columns gives way to a single one. */
function joiningKey({ columns }: WeighedSource, joins: readonly GuessedJoin[]) {
  const join = joins.find(({ parcelColumns, share }) => columns.join() === parcelColumns.join() && share >= 0.9);
  if (!join) return null;
  const reason = `joins the table's ${join.tableColumns.join(' + ')} on ${percentWords(join.share)} of parcels`;
  return { confidence: columns.length === 1 ? 0.95 : 0.92, reason };
}

/** Another source within this margin makes a choice less certain. */
const nearlyEqual = 0.05;
const rivalFactor = 0.88;

/** Identifying columns come first: an account is the parcel's number if there is no other. */
const weightOf = (target: string, confidence: number): number =>
  target === 'apn' && confidence > 0 ? confidence + 1 : confidence;

function choose(candidates: readonly Candidate[]): Chosen[] {
  const targets = [...new Set(candidates.map(({ target }) => target))];
  const sources = [...new Set(candidates.map(({ source }) => source))];
  const byPlace = new Map(
    candidates.map((one) => [`${targets.indexOf(one.target)}/${sources.indexOf(one.source)}`, one]),
  );
  const weights = targets.map((target, row) =>
    sources.map((_, column) => weightOf(target, byPlace.get(`${row}/${column}`)?.confidence ?? 0)),
  );
  const assigned = assignBest(weights);
  const used = new Set(assigned.filter((place) => place !== null));
  return targets.flatMap((target, row): Chosen[] => {
    const column = assigned[row];
    const candidate = column === null ? undefined : byPlace.get(`${row}/${column}`);
    if (!candidate) return [];
    const rival = candidates
      .filter((other) => other.target === target && other !== candidate && !used.has(sources.indexOf(other.source)))
      .filter(
        (other) => candidate.confidence - other.confidence <= nearlyEqual && areRivals(candidate.source, other.source),
      )
      .sort((a, b) => b.confidence - a.confidence)[0];
    if (!rival) return [{ candidate, confidence: candidate.confidence, reasons: candidate.reasons }];
    return [
      {
        candidate,
        confidence: candidate.confidence * rivalFactor,
        reasons: [...candidate.reasons, `${rival.source.label} could be it too`],
      },
    ];
  });
}

/**
 * Excludes the map's copies of table columns, and columns with the same values: it does not matter which of those is
 * taken.
 */
function areRivals(a: WeighedSource, b: WeighedSource): boolean {
  if (isFromTable(a) !== isFromTable(b)) return false;
  return a.values.some((value, row) => value !== (b.values[row] ?? null));
}
