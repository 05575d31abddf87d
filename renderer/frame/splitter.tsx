/** A divider between two panes: dragged, moved by arrow keys, reset by a double click. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

interface SplitterProps {
  readonly label: string;
  /** Props of the divider itself. */
  readonly orientation: 'vertical' | 'horizontal';
  /** Pixels for vertical dividers, percent of the height for horizontal ones. */
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  /** The pane after the divider grows. */
  readonly isFromEnd?: boolean;
  readonly onChange: (value: number) => void;
  readonly onReset: () => void;
}

const keyStep = { vertical: 16, horizontal: 5 } as const;

export function Splitter({ label, orientation, value, minimum, maximum, isFromEnd, onChange, onReset }: SplitterProps) {
  const start = useRef<{ at: number; value: number; full: number } | null>(null);
  const isVertical = orientation === 'vertical';
  const sign = isFromEnd ? -1 : 1;
  const move = (to: number) => onChange(Math.round(Math.max(minimum, Math.min(maximum, to))));
  const down = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    const full = event.currentTarget.parentElement?.clientHeight ?? 1;
    start.current = { at: isVertical ? event.clientX : event.clientY, value, full };
  };
  const drag = (event: PointerEvent) => {
    if (!start.current) return;
    const by = (isVertical ? event.clientX : event.clientY) - start.current.at;
    move(start.current.value + sign * (isVertical ? by : (100 * by) / start.current.full));
  };
  const press = (event: KeyboardEvent) => {
    const [less, more] = isVertical ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const by = event.key === more ? sign : event.key === less ? -sign : 0;
    if (by === 0) return;
    event.preventDefault();
    move(value + by * keyStep[orientation]);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be moved; this is the window splitter pattern
    <div
      className="splitter"
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={Math.round(value)}
      aria-valuemin={minimum}
      aria-valuemax={maximum}
      onPointerDown={down}
      onPointerMove={drag}
      onPointerUp={() => {
        start.current = null;
      }}
      onDoubleClick={onReset}
      onKeyDown={press}
    />
  );
}
