/** Headings that sort, free. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useStore } from '../state/store.ts';
import { explore, orderBy } from './explore-state.ts';
import type { TableColumn } from './table-columns.tsx';

type Direction = 'ascending' | 'descending' | 'none';

function directionOf({ ordering: column }: TableColumn, ordering: string | null): Direction {
  if (column === null || ordering === null) return 'none';
  if (ordering === column) return 'ascending';
  return ordering === `-${column}` ? 'descending' : 'none';
}

export function TableHead({ columns }: { columns: readonly TableColumn[] }) {
  const { ordering } = useStore(explore);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the heading of a virtualized grid
    <div role="rowgroup" className="grid-head">
      {/* biome-ignore lint/a11y/useSemanticElements: the heading of a virtualised grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons are focused */}
      <div className="grid-row" role="row" aria-rowindex={1}>
        {columns.map((column) => {
          const direction = directionOf(column, ordering);
          return (
            // biome-ignore lint/a11y/useSemanticElements: as the row
            // biome-ignore lint/a11y/useFocusableInteractive: as the row
            <div key={column.id} role="columnheader" className={column.isNumber ? 'n' : ''} aria-sort={direction}>
              <button type="button" onClick={() => column.ordering && orderBy(column.ordering, column.isNumber)}>
                {direction === 'descending' ? <ArrowDown aria-hidden className="small" /> : null}
                {direction === 'ascending' ? <ArrowUp aria-hidden className="small" /> : null}
                {column.label}
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}
