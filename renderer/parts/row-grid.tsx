/**
 * A virtualized table: headings that sort, rows of one height, one focus for all of them. Roles stand in for table
 * elements, since only the rows in view are drawn.
 */
import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  type ComponentProps,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';

interface GridColumn {
  readonly id: string;
  readonly label: string;
  readonly isNumber: boolean;
  /** Its heading is only for screen readers. */
  readonly isQuiet?: true;
}

interface RowScroller {
  readonly scroll: RefObject<HTMLDivElement | null>;
  readonly scroller: Virtualizer<HTMLDivElement, Element>;
  /** In pixels: the token's, scaled with the text. */
  readonly rowHeight: number;
}

/** @param heightOf for rows that are not all alike, by index and the usual height */
export function useRowScroller(count: number, heightOf?: (index: number, usual: number) => number): RowScroller {
  const rowHeight = useRowHeight();
  const scroll = useRef<HTMLDivElement>(null);
  const scroller = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => heightOf?.(index, rowHeight) ?? rowHeight,
    overscan: 12,
    // The heading row covers the top of the list.
    scrollPaddingStart: 32,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the height requires new measures
  useEffect(() => scroller.measure(), [rowHeight]);
  return { scroll, scroller, rowHeight };
}

function useRowHeight(): number {
  const { theme, density } = useStore(settings);
  const [height, setHeight] = useState(32);
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const text = Number.parseFloat(style.fontSize) * 1.5;
    void [theme, density];
    setHeight(Math.max(Number.parseFloat(style.getPropertyValue('--row')) || 32, text));
  }, [theme, density]);
  return height;
}

interface RowGridProps extends RowScroller {
  readonly label: string;
  readonly className?: string;
  /** Where keys and the palette put the focus. */
  readonly place: string;
  /** Widths, as CSS. */
  readonly columns: string;
  readonly count: number;
  readonly hasMany?: true;
  /** Id of the row that the focus is on. */
  readonly active: string | undefined;
  readonly onKeyDown: (event: KeyboardEvent<HTMLDivElement>) => void;
  readonly head: ReactNode;
  readonly children: (item: VirtualItem) => ReactNode;
}

export function RowGrid({ scroll, scroller, rowHeight, place, columns, children, ...props }: RowGridProps) {
  const { label, className = '', count, hasMany, active, onKeyDown, head } = props;
  return (
    <div className="grid-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a virtualized grid renders only some of its rows */}
      <div
        ref={scroll}
        className={`grid ${className}`.trim()}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-multiselectable={hasMany}
        aria-activedescendant={active}
        data-focus={place}
        style={{ '--grid-columns': columns, '--row-height': `${rowHeight}px` } as CSSProperties}
        onKeyDown={onKeyDown}
      >
        {head}
        {/* biome-ignore lint/a11y/useSemanticElements: as the grid */}
        <div className="grid-body" role="rowgroup" style={{ height: scroller.getTotalSize() }}>
          {scroller.getVirtualItems().map(children)}
        </div>
      </div>
    </div>
  );
}

type SortDirection = 'ascending' | 'descending' | 'none';

interface GridHeadProps<Column> {
  readonly columns: readonly Column[];
  /** Null: cannot be sorted by. */
  readonly directionOf: (column: Column) => SortDirection | null;
  readonly onSort: (column: Column) => void;
}

/** Headings; sorting is free. */
export function GridHead<Column extends GridColumn>({ columns, directionOf, onSort }: GridHeadProps<Column>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the heading of a virtualized grid
    <div role="rowgroup" className="grid-head">
      {/* biome-ignore lint/a11y/useSemanticElements: as the rowgroup */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons are focused */}
      <div className="grid-row" role="row" aria-rowindex={1}>
        {columns.map((column) => {
          const { id, label, isNumber, isQuiet } = column;
          const direction = directionOf(column);
          return (
            // biome-ignore lint/a11y/useSemanticElements: as the row
            // biome-ignore lint/a11y/useFocusableInteractive: as the row
            <div key={id} role="columnheader" className={isNumber ? 'n' : ''} aria-sort={direction ?? 'none'}>
              {direction === null ? (
                <span className={isQuiet ? 'sr' : 'head-text'}>{label}</span>
              ) : (
                <button type="button" onClick={() => onSort(column)}>
                  {direction === 'descending' ? <ArrowDown aria-hidden className="small" /> : null}
                  {direction === 'ascending' ? <ArrowUp aria-hidden className="small" /> : null}
                  {label}
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** For columns ordered by `name` or `-name`. */
export const directionIn =
  (ordering: string | null) =>
  ({ ordering: own }: { readonly ordering: string | null }): SortDirection | null => {
    if (own === null) return null;
    if (ordering === own) return 'ascending';
    return ordering === `-${own}` ? 'descending' : 'none';
  };

interface GridRowProps<Column> extends ComponentProps<'div'> {
  readonly columns: readonly Column[];
  readonly index: number;
  readonly top: number;
  readonly cellOf: (column: Column) => ReactNode;
  readonly classOf?: (column: Column) => string;
  readonly titleOf?: (column: Column) => string | undefined;
}

const cellClass = ({ isNumber }: GridColumn): string => (isNumber ? 'n' : 'ellipsis');

export function GridRow<Column extends GridColumn>({
  columns,
  index,
  top,
  cellOf,
  classOf = cellClass,
  titleOf,
  ...row
}: GridRowProps<Column>) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid is focused, and names its row
    // biome-ignore lint/a11y/useSemanticElements: as the grid
    <div
      role="row"
      className="grid-row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${top}px)` }}
      // Shift, and the second press of a double click, would select text.
      onMouseDown={(event) => (event.shiftKey || event.detail > 1) && event.preventDefault()}
      {...row}
    >
      {columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: as the grid
        // biome-ignore lint/a11y/useFocusableInteractive: as the row
        <div key={column.id} role="gridcell" className={classOf(column)} title={titleOf?.(column)}>
          {cellOf(column)}
        </div>
      ))}
    </div>
  );
}
