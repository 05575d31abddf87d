/**
 * Label and value, line by line; every value can be copied, and an unknown one says so. Tables define the sections'
 * lines.
 */
import { Copy } from 'lucide-react';
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { type ParcelColumn, parcelColumnsByName } from '../../../engine/spec/parcel-columns.ts';
import { copyText } from '../../parts/clipboard.ts';
import { formatColumn } from '../../parts/format.ts';
import type { ColumnName, OpenParcel } from './detail-tabs.tsx';

/** Its copy buttons are one stop of Tab; arrow keys go from one to the next. */
export function FactGroup({ title, children }: { title: string; children: ReactNode }) {
  const group = useRef<HTMLDListElement>(null);
  const buttons = () => [...(group.current?.querySelectorAll<HTMLButtonElement>('.copy') ?? [])];
  const stopAt = (stop: Element | undefined) => {
    for (const button of buttons()) button.tabIndex = button === stop ? 0 : -1;
  };
  // The first one, until another has had the focus; a new parcel may lack that one.
  useEffect(() => {
    if (!buttons().some(({ tabIndex }) => tabIndex === 0)) stopAt(buttons()[0]);
  });
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = buttons().indexOf(event.target as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    buttons()[at + step]?.focus();
  };
  return (
    <section className="facts" aria-label={title}>
      <h3>{title}</h3>
      <dl ref={group} onKeyDown={press} onFocus={({ target }) => target.matches('.copy') && stopAt(target)}>
        {children}
      </dl>
    </section>
  );
}

interface FactProps {
  readonly label: string;
  /** Null: not published. */
  readonly value: string | null;
  readonly unit?: string | undefined;
  /** The copied text, if not the value itself. */
  readonly copied?: string;
  /** Names the copy button of a line without a label. */
  readonly name?: string;
  /** Shown in place of a null value. */
  readonly absent?: string;
  readonly children?: ReactNode;
}

export const Fact = ({ label, value, unit, copied, name = label, absent = 'not published', children }: FactProps) => (
  <div className="fact">
    <dt>{label}</dt>
    <dd>
      {value === null ? <span className="null">{absent}</span> : value}
      {value !== null && unit ? <span className="unit"> {unit}</span> : null}
      {children}
      {value === null ? null : (
        <button
          type="button"
          className="copy"
          tabIndex={-1}
          aria-label={`Copy ${name}`}
          onClick={() => copyText(copied ?? value, `${name} copied`)}
        >
          <Copy aria-hidden className="small" />
        </button>
      )}
    </dd>
  </div>
);

/** A column of the dictionary under its own label, or a shorter one. */
export function ColumnFact({ open, name, label }: { open: OpenParcel; name: ColumnName; label?: string }) {
  const column = known(name);
  const raw = open.parcel[name];
  const shown = formatColumn(column, raw);
  const copied = typeof raw === 'number' || typeof raw === 'string' ? String(raw) : (shown?.text ?? '');
  return <Fact label={label ?? column.label} value={shown?.text ?? null} unit={shown?.unit} copied={copied} />;
}

/** @throws Error for a name missing from the dictionary */
function known(name: string): ParcelColumn {
  const column = parcelColumnsByName.get(name);
  if (!column) throw new Error(`The dictionary has no ${name}.`);
  return column;
}

/** A line of a section. The tab's "Also published" leaves out the `columns` that a line shows. */
export interface Line {
  readonly columns: readonly string[];
  readonly show: (open: OpenParcel) => ReactNode;
}

export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
}

export const SectionFacts = ({ section: { title, lines }, open }: { section: Section; open: OpenParcel }) => (
  <FactGroup title={title}>
    {lines.map(({ columns, show }) => (
      <Fragment key={columns.join()}>{show(open)}</Fragment>
    ))}
  </FactGroup>
);

export const columnLine = (name: ColumnName, label?: string): Line => ({
  columns: [name],
  show: (open) => <ColumnFact open={open} name={name} {...(label === undefined ? {} : { label })} />,
});

/** `columnLine` for a column that most counties do not publish: no line without a value. */
export const publishedLine = (name: ColumnName): Line => {
  const { columns, show } = columnLine(name);
  return { columns, show: (open) => (open.parcel[name] === null ? null : show(open)) };
};

/** One fact from several columns; `fact` gets their values in the same order. Null: no line. */
export const madeLine = <Values extends readonly unknown[]>(
  columns: { readonly [Place in keyof Values]: ColumnName },
  fact: (...values: Values) => FactProps | null,
): Line => ({
  columns: columns.map((name) => known(name).name),
  show: ({ parcel }) => {
    const made = fact(...(columns.map((name) => parcel[name]) as unknown as Values));
    return made ? <Fact {...made} /> : null;
  },
});
