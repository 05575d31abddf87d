/** What an import of comps counted, in words: the same lines in the window and on the command line. */
import { counted } from './counted.ts';
import { leastPrice, leastPricePerAcre } from './nominal-price.ts';
import { type StruckCounts, struckSentence, struckTotal } from './suspect-rules.ts';

/** No acre of US land sells for more, the densest blocks of cities included: the price or the acres are a mistake. */
export const mostPricePerAcre = 100_000_000;

/** Why a row is no market price of land, in the words of reports. */
export const leftOutWords = {
  improved: 'built on when it was sold',
  vacancy_unknown: 'nothing tells whether it was built on',
  not_qualified: "not qualified by the county's own code (where it gives codes)",
  nominal_price: `no price, below $${leastPrice}, or below $${leastPricePerAcre} an acre`,
  absurd_price: `over $${mostPricePerAcre / 1e6} million an acre`,
  future_date: 'sold after today',
  off_market: 'off the market',
} as const;

export type LeftOutRow = keyof typeof leftOutWords;

/** The counts of a report that have a line. */
export interface CountedComps {
  readonly linked_by_apn: number;
  readonly linked_by_place: number;
  readonly unlinked: number;
  readonly without_lot_size: number;
  readonly older: number;
  readonly removed: number;
  readonly repeated: number;
  readonly told_again: number;
  readonly derived_replaced: number;
  readonly blank_rows: number;
  readonly left_out: Partial<Readonly<Record<LeftOutRow, number>>>;
  readonly value_problems: { readonly count: number };
  readonly refused: { readonly count: number };
}

interface CountLine {
  readonly count: number;
  readonly words: string;
}
const same = (words: string): [string, string] => [words, words];

const lines: readonly (readonly [count: (report: CountedComps) => number, one: string, many: string])[] = [
  [(report) => report.linked_by_apn, 'linked to its parcel by APN', 'linked to their parcel by APN'],
  [(report) => report.linked_by_place, 'linked to its parcel by place', 'linked to their parcel by place'],
  [(report) => report.unlinked, 'lies on no parcel that is loaded', 'lie on no parcel that is loaded'],
  [(report) => report.without_lot_size, ...same('without acres: listed, but never used for values')],
  [(report) => report.older, 'is older than the stored one', 'are older than the stored ones'],
  [
    (report) => report.removed,
    'stored comp is taken out: by this file it is no market sale of land',
    'stored comps are taken out: by this file they are no market sales of land',
  ],
  [(report) => report.repeated, 'row repeats an id; the later counts', 'rows repeat an id; the later counts'],
  [
    (report) => report.told_again,
    'repeats the sale of another comp in these counties, which counts once',
    'repeat the sale of another comp in these counties, which counts once',
  ],
  [
    (report) => report.derived_replaced,
    'comp derived from deeds gave way to the same sale here',
    'comps derived from deeds gave way to the same sales here',
  ],
  [(report) => report.blank_rows, 'row without a record', 'rows without a record'],
  ...Object.entries(leftOutWords).map(
    ([screen, words]) =>
      [({ left_out: out }: CountedComps) => out[screen as LeftOutRow] ?? 0, ...same(`left out: ${words}`)] as const,
  ),
  [
    (report) => report.value_problems.count,
    'value could not be read and is null',
    'values could not be read and are null',
  ],
  [(report) => report.refused.count, ...same('refused')],
];

/** Counts of 0 have no line. */
export const compImportLines = (report: CountedComps): CountLine[] =>
  lines
    .map(([count, one, many]) => ({ count: count(report), one, many }))
    .filter(({ count }) => count > 0)
    .map(({ count, one, many }) => ({ count, words: count === 1 ? one : many }));

/** A county's sales, each valued from the sales before it. */
export interface TestFigures {
  /** That could be valued. */
  readonly sales: number;
  /** Percent: half of the values are that near to the price. Null: too few sales to say. */
  readonly half_within: number | null;
}

export interface TestedCounty {
  readonly fips: string;
  readonly name: string;
  /** Null: it had no comps. */
  readonly before: TestFigures | null;
  readonly after: TestFigures;
  readonly is_worse: boolean;
}

const percent = (value: number): string => `${Math.round(value)} %`;
const said = ({ sales, half_within: half }: TestFigures): string =>
  half === null
    ? `cannot be tested on ${counted(sales, 'sale', 'sales')}`
    : `half of ${counted(sales, 'sale', 'sales')} within ${percent(half)}`;

/** What an import of comps did to values. */
export interface TestedCounties {
  readonly backtests: readonly TestedCounty[];
  /** Counties whose comps it changed too, but whose values are tested only when they are asked for. */
  readonly untested: number;
  /** Sales of the changed counties that count for no value. Missing in reports older than 0.3. */
  readonly struck?: StruckCounts;
}

interface TestedLine {
  readonly words: string;
  readonly isWorse: boolean;
}

/** What the comps did to the values of their counties: the same sentences in the window and on the command line. */
export const testedLines = ({ backtests, untested, struck = {} }: TestedCounties): TestedLine[] => [
  ...(struckTotal(struck) > 0
    ? [{ words: `${struckSentence(struck)}: Suspect sales lists them, to be kept or struck.`, isWorse: false }]
    : []),
  ...backtests.map(({ name, before, after, is_worse: isWorse }) => ({
    words: isWorse
      ? `VALUES OF ${name.toUpperCase()} GOT WORSE: ${said(after)}, ${percent(before?.half_within ?? 0)} before. Do the new comps hold houses, family transfers or forced sales? Choose the columns that say so as is_land and is_qualified, and import the file again: rows that they leave out are taken away.`
      : `Values of ${name}: ${said(after)}${before === null ? '' : `; before: ${said(before)}`}.`,
    isWorse,
  })),
  ...(untested > 0
    ? [
        {
          words: `Values of ${counted(untested, 'more county', 'more counties')} with changed comps: not tested before and after.`,
          isWorse: false,
        },
      ]
    : []),
];
