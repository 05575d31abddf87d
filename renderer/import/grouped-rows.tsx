/** A group of mapping lines: a title with their number, the lines, and a button for the rest of a long group. */
import { type ReactNode, useState } from 'react';

interface GroupedRowsProps<Row> {
  readonly title: string;
  /** Columns of the table. */
  readonly width: number;
  readonly rows: readonly Row[];
  /** Default: all. */
  readonly shownAtFirst?: number;
  readonly moreWords: (more: number) => string;
  readonly children: (row: Row) => ReactNode;
}

export function GroupedRows<Row>({ title, width, rows, shownAtFirst, moreWords, children }: GroupedRowsProps<Row>) {
  const [isAllShown, showAll] = useState(false);
  const shown = isAllShown ? rows : rows.slice(0, shownAtFirst);
  if (rows.length === 0) return null;
  return (
    <>
      <tr className="group-line">
        <td colSpan={width}>
          {title} <span className="quietest num">{rows.length}</span>
        </td>
      </tr>
      {shown.map(children)}
      {shown.length < rows.length ? (
        <tr>
          <td colSpan={width}>
            <button type="button" className="button quiet" onClick={() => showAll(true)}>
              {moreWords(rows.length - shown.length)}
            </button>
          </td>
        </tr>
      ) : null}
    </>
  );
}
