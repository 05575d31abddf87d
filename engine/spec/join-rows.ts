/** What becomes of several rows of a joined table that have one key. */
import { EngineError } from './errors.ts';

/** How the rows of one key become one value. */
export const columnChoices = ['first', 'last', 'sum', 'max', 'min', 'count', 'list'] as const;
export type ColumnChoice = (typeof columnChoices)[number];

/** The row that counts, or a choice for each column; of columns that are not named the first row counts. */
export type JoinRows = 'first' | 'last' | Readonly<Record<string, ColumnChoice>>;

export const joinRowsExample = 'LAND_VAL=sum,YEAR_BUILT=max';

const isColumnChoice = (text: string): text is ColumnChoice => (columnChoices as readonly string[]).includes(text);

/** `first`, `last`, or `LAND_VAL=sum,YEAR_BUILT=max`. @throws EngineError usage */
export function parseJoinRows(text: string): JoinRows {
  if (text === 'first' || text === 'last') return text;
  return Object.fromEntries(
    text.split(',').map((part): [string, ColumnChoice] => {
      const at = part.lastIndexOf('=');
      const [column, how] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
      if (at > 0 && column !== '' && isColumnChoice(how)) return [column, how];
      throw new EngineError(
        'usage',
        `Expected first, last, or for columns one of ${columnChoices.join(', ')}, like "${joinRowsExample}", found ${JSON.stringify(part)}.`,
      );
    }),
  );
}

/** As `parseJoinRows` reads it. */
export const joinRowsText = (rows: JoinRows): string =>
  typeof rows === 'string'
    ? rows
    : Object.entries(rows)
        .map(([column, how]) => `${column}=${how}`)
        .join(', ');
