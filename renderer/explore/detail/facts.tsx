/** Label and value, line by line; every value can be copied, and what is not known says so. */
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { type ParcelColumn, parcelColumnsByName } from '../../../engine/spec/parcel-columns.ts';
import { copyText } from '../../parts/clipboard.ts';
import { formatColumn } from '../../parts/format.ts';
import type { OpenParcel } from './detail-tabs.tsx';

export const FactGroup = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="facts" aria-label={title}>
    <h3>{title}</h3>
    <dl>{children}</dl>
  </section>
);

export interface FactProps {
  readonly label: string;
  /** Null: not published. */
  readonly value: string | null;
  readonly unit?: string | undefined;
  /** What is copied, where that is not what is shown. */
  readonly copied?: string;
  /** Of the copy button, where the line has no label of its own. */
  readonly name?: string;
  /** Said in place of a value that is null. */
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
export function ColumnFact({ open, name, label }: { open: OpenParcel; name: string; label?: string }) {
  const column: ParcelColumn | undefined = parcelColumnsByName.get(name);
  if (!column) throw new Error(`The dictionary has no ${name}.`);
  const raw = open.parcel[name];
  const shown = formatColumn(column, raw);
  const copied = typeof raw === 'number' || typeof raw === 'string' ? String(raw) : (shown?.text ?? '');
  return <Fact label={label ?? column.label} value={shown?.text ?? null} unit={shown?.unit} copied={copied} />;
}
