/** What a guess leaves uncertain, as plain questions with two or three candidates each. */
import { parcelColumnsByName } from '../../spec/parcel-columns.ts';
import { converterFor, parseNumber } from '../values/convert-value.ts';
import { parcelTarget } from '../values/mapping-target.ts';
import { factsOf } from './guess-facts.ts';
import { guessByName, whyLeftOut } from './guess-patterns.ts';
import type { SampledColumn } from './guess-sources.ts';
import { testValues } from './guess-tests.ts';

export interface QuestionChoice {
  /** The answer: a column of the file, an empty text for none; for `rows` as `--join-rows` reads it. */
  readonly value: string;
  readonly label: string;
  /** Share of the rows that were read, 0 to 1; null: does not apply. */
  readonly filled: number | null;
  /** Up to three values of the file. */
  readonly samples: readonly string[];
  /** What it would do, in a sentence. */
  readonly effect: string;
}

export interface Question {
  /** The column of the dictionary that it decides; `rows`: what becomes of several rows of a joined table. */
  readonly about: string;
  readonly text: string;
  readonly choices: readonly QuestionChoice[];
}

const mostCandidates = 3;
const samplesShown = 3;
const longestSample = 40;

type Values = readonly (string | null)[];

const filledOf = (values: Values): number =>
  values.filter((value) => value !== null).length / Math.max(values.length, 1);

const samplesOf = (values: Values): string[] =>
  [...new Set(values.filter((value) => value !== null))]
    .slice(0, samplesShown)
    .map((text) => text.slice(0, longestSample));

const choiceOf = ({ name, values }: SampledColumn, effect: string): QuestionChoice => ({
  value: name,
  label: name,
  filled: filledOf(values),
  samples: samplesOf(values),
  effect,
});

/** Counters and areas in a few rows look unique too: `1, 2, 3`, in whatever order. */
function isCounter(texts: readonly string[]): boolean {
  const numbers = texts.map(parseNumber);
  if (!numbers.every(Number.isInteger)) return false;
  return Math.max(...numbers) - Math.min(...numbers) < 1.05 * texts.length + 2;
}

const isMachineId = (text: string): boolean => /^\{?[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}/i.test(text);
const longestNumber = 40;
/** What a name may mean, if the values fit. */
const leastScore = 0.6;

/**
 * Whether a column tells parcels apart, whatever its name: filled, different on every row, shaped like a number of a
 * parcel; no counter, amount, date or identifier of a program.
 */
export function isUnique({ words, values }: SampledColumn): boolean {
  const texts = values.filter((value) => value !== null);
  const different = new Set(texts);
  if (texts.length < 3 || texts.length < 0.9 * values.length || different.size < 0.99 * texts.length) return false;
  if (whyLeftOut(words) !== null || isCounter(texts) || texts.every(isMachineId)) return false;
  const facts = factsOf(values);
  const isOther = guessByName(words).some(
    ({ target, score }) =>
      target !== 'apn' &&
      score >= leastScore &&
      testValues(target.replace(/^bare/, 'situs'), { facts, agreement: null, state: null }).factor >= leastScore,
  );
  const isMeasure = facts.numbers >= 0.9 && facts.integers < 0.9;
  return (
    !isOther && !isMeasure && facts.identifiers >= 0.9 && facts.meanLength <= longestNumber && facts.withSpaces < 0.5
  );
}

/** @param likely names of columns that may be the parcel number, the likeliest first */
export function askForNumber(columns: readonly SampledColumn[], likely: readonly string[]): Question {
  const candidates = likely.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const choices = candidates.slice(0, mostCandidates).map((column) => {
    const [rows, different] = [column.values.length, new Set(column.values.filter((value) => value !== null)).size];
    const effect = `Parcels are known by it, also in the next file: ${different.toLocaleString('en-US')} different numbers on ${rows.toLocaleString('en-US')} rows.`;
    return choiceOf(column, effect);
  });
  const none: QuestionChoice = {
    value: '',
    label: 'None of them',
    filled: null,
    samples: [],
    effect: 'Parcels are known by their shape alone, and have no number to search by.',
  };
  return { about: 'apn', text: 'Which column is the parcel number?', choices: [...choices, none] };
}

const leastDifferent = 0.05;

/**
 * For columns of one name, which readers tell apart by number (OWNER, OWNER_1): whose values are meant.
 * @param isJoined whether one source reads both, as lines of one address
 */
export function askForTwins(
  columns: readonly SampledColumn[],
  isJoined: (a: string, b: string) => boolean,
): Question[] {
  const asked = new Set<string>();
  const guessOf = ({ words }: SampledColumn) => guessByName(words).toSorted((a, b) => b.score - a.score)[0];
  return columns.flatMap((first): Question[] => {
    const guess = guessOf(first);
    const column = parcelColumnsByName.get(guess?.target ?? '');
    // A second owner's column is no second column of one name.
    const isTwin = (one: SampledColumn) => (guessOf(one)?.target ?? guess?.target) === guess?.target;
    const twins = [1, 2].flatMap((at) => columns.find(({ name }) => name === `${first.name}_${at}`) ?? []);
    const others = twins.filter(
      (twin) => isTwin(twin) && !isJoined(first.name, twin.name) && areDifferent(first.values, twin.values),
    );
    if (others.length === 0 || !column || (guess?.score ?? 0) < leastScore || asked.has(column.name)) return [];
    asked.add(column.name);
    const choices = [first, ...others].map((one) => {
      const read = readable(column.name, one.values);
      return choiceOf(
        one,
        `It becomes “${column.label}”, readable on ${Math.round(100 * read)} % of rows; the others are shown with the parcel.`,
      );
    });
    return [
      {
        about: column.name,
        text: `${choices.length} columns of the file have the name ${first.name}. Which one is “${column.label}”?`,
        choices,
      },
    ];
  });
}

function areDifferent(one: Values, other: Values): boolean {
  const both = one.flatMap((text, row) =>
    text !== null && (other[row] ?? null) !== null ? [text !== other[row]] : [],
  );
  return both.filter(Boolean).length > leastDifferent * Math.max(both.length, 1);
}

function readable(target: string, values: Values): number {
  const column = parcelTarget.columns.find(({ name }) => name === target);
  if (!column) return 0;
  const convert = converterFor(column, {});
  return values.filter((value) => convert(value, { reason: null }) !== null).length / Math.max(values.length, 1);
}

interface SeveralRows {
  readonly file: string;
  readonly parcels: number;
  readonly of: number;
  /** Amounts of the table that are read. */
  readonly amounts: readonly string[];
}

/** For a table with several rows for one parcel: which counts. */
export function askForRows({ file, parcels, of, amounts }: SeveralRows): Question {
  const choice = (value: string, label: string, effect: string): QuestionChoice => ({
    ...{ value, label, effect },
    ...{ filled: null, samples: [] },
  });
  const sum = amounts.map((name) => `${name}=sum`).join(',');
  return {
    about: 'rows',
    text: `${parcels.toLocaleString('en-US')} of the ${of.toLocaleString('en-US')} parcels read find several rows in ${file} that differ, like units of one building. Which counts?`,
    choices: [
      ...(sum === ''
        ? []
        : [
            choice(
              sum,
              'Add up the amounts',
              `${amounts.join(' and ')} of all rows are added up; everything else is of the first row.`,
            ),
          ]),
      choice(
        'first',
        'The first row',
        'Owner, address and values are those of the first row; the others are not used.',
      ),
      choice('last', 'The last row', 'Owner, address and values are those of the last row; the others are not used.'),
    ],
  };
}
