/** The quality of guesses: how much of the proposals is right, and how much of the possible is found. */
import { type Guess, guessMapping } from '../../../engine/importing/guess/guess-mapping.ts';
import type { ParcelSample } from '../../../engine/importing/guess/guess-sample.ts';
import type { OddSchema } from './odd-schemas.ts';
import { syntheticParcels } from './synthetic-county.ts';

export interface Score {
  /** Proposals with at least the requested confidence, and how many of them are right. */
  proposed: number;
  right: number;
  /** Columns of the dictionary that the file has, and how many of them are rightly proposed. */
  there: number;
  found: number;
  readonly wrong: string[];
  readonly missed: string[];
}

export const newScore = (): Score => ({ proposed: 0, right: 0, there: 0, found: 0, wrong: [], missed: [] });

export const sureEnough = 0.8;

export type Truth = OddSchema['truth'];

const isRight = (truth: Truth, column: string, source: string): boolean => {
  const expected = truth[column];
  return expected !== undefined && (typeof expected === 'string' ? [expected] : expected).includes(source);
};

/** Adds one guess to a score; one below the confidence counts as found, not as proposed. */
export function addScore(score: Score, name: string, { columns }: Guess, truth: Truth): void {
  for (const { column, source, confidence } of columns) {
    if (confidence < sureEnough) continue;
    score.proposed++;
    if (isRight(truth, column, source)) score.right++;
    else score.wrong.push(`${name}: ${column} from ${source} (${confidence})`);
  }
  for (const column of Object.keys(truth)) {
    score.there++;
    if (columns.some((one) => one.column === column && isRight(truth, column, one.source))) score.found++;
    else score.missed.push(`${name}: ${column}`);
  }
}

export const precision = ({ proposed, right }: Score): number => right / proposed;
export const recall = ({ there, found }: Score): number => found / there;

const rowsOfSchema = 150;

/** The parcels of a schema as the sample of a file. */
export function sampleOf(
  { columns, state, zip }: Pick<OddSchema, 'columns' | 'state' | 'zip'>,
  seed: number,
): ParcelSample {
  const parcels = syntheticParcels(rowsOfSchema, seed, { state, zip });
  return {
    columns: Object.keys(columns),
    rows: parcels.map(({ fields }) => ({
      properties: Object.fromEntries(Object.entries(columns).map(([name, field]) => [name, fields[field] ?? null])),
      id: undefined,
      table: null,
    })),
    acres: parcels.map(({ acres }) => acres),
    tableColumns: null,
  };
}

export const guessOf = (schema: OddSchema, seed: number): Guess =>
  guessMapping(sampleOf(schema, seed), { state: schema.state });
