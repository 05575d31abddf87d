/** Whether two engines gave the same answer to the same question: the count, and every cell of the page. */
import type { Answer, Cell } from './engines/engine.ts';
import { rowColumns } from './engines/engine.ts';
import type { Question } from './questions.ts';

export interface Disagreement {
  readonly question: string;
  readonly engine: string;
  readonly body: Question['body'];
  readonly page: number;
  readonly difference: string;
}

/** The first difference in words; null: they agree. */
export function findDifference(ours: Answer, theirs: Answer): string | null {
  if (ours.count !== theirs.count) return `count ${theirs.count}, ours ${ours.count}`;
  if (ours.rows.length !== theirs.rows.length) return `${theirs.rows.length} rows, ours ${ours.rows.length}`;
  for (const [i, row] of ours.rows.entries()) {
    const other: readonly Cell[] = theirs.rows[i] ?? [];
    const at = rowColumns.findIndex((_, column) => row[column] !== other[column]);
    if (at >= 0) {
      return `row ${i + 1}, ${rowColumns[at]}: ${JSON.stringify(other[at])}, ours ${JSON.stringify(row[at])}`;
    }
  }
  return null;
}

export function findDisagreements(
  kind: string,
  engine: string,
  questions: readonly Question[],
  ours: readonly Answer[],
  theirs: readonly Answer[],
): Disagreement[] {
  return questions.flatMap(({ body, page }, i) => {
    const [our, their] = [ours[i], theirs[i]];
    const difference = our && their ? findDifference(our, their) : 'no answer';
    return difference === null ? [] : [{ question: kind, engine, body, page, difference }];
  });
}
