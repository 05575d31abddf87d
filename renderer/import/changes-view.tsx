/** The parcels that an import changed, each with its values before and now. */
import { ArrowLeft, GitCompareArrows } from 'lucide-react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { parcelColumnsByName } from '../../engine/spec/parcel-columns.ts';
import { openInExplore } from '../lists/list-table.tsx';
import { columnLabel, formatColumn, formatDate, formatNumber, plural } from '../parts/format.ts';
import { EmptyState, ErrorState, Skeleton } from '../parts/states.tsx';
import { useLate, useRead } from '../state/client-context.tsx';
import { importing } from './import-state.ts';
import { StepBody } from './parts.tsx';

type Done = ReadOutputOf<'datasets'>['imports'][number];
type Change = ReadOutputOf<'import_changes'>['listed'][number];

export const SeeChanges = ({ importId, label = 'See what changed' }: { importId: number; label?: string }) => (
  <button type="button" className="button quiet" onClick={() => importing.set({ view: 'loaded', changesOf: importId })}>
    <GitCompareArrows aria-hidden className="small" />
    {label}
  </button>
);

export function ChangesView({ done }: { done: Done }) {
  const { data, error, isPending, refetch } = useRead('import_changes', { import_id: done.import_id });
  const isSlow = useLate(isPending);
  return (
    <StepBody label="What an import changed">
      <div className="line wrap problem-head">
        <button type="button" className="button quiet" onClick={() => importing.set({ changesOf: null })}>
          <ArrowLeft aria-hidden className="small" />
          What is loaded
        </button>
        <h2>{done.source_name}</h2>
        <span className="quieter num">
          {formatDate(done.done_at)}, {plural(done.parcels, 'parcel', 'parcels')}
          {data && data.listed.length < data.parcels ? `, the first ${formatNumber(data.listed.length)}` : ''}
        </span>
      </div>
      {error && !data ? (
        <ErrorState title="The changes could not be read" error={error} onRetry={() => void refetch()} />
      ) : null}
      {!data && isSlow ? <Skeleton label="Reading the changes" /> : null}
      {data?.listed.length === 0 ? (
        <EmptyState
          icon={<GitCompareArrows aria-hidden />}
          title="No published value differs"
          text="The parcels were changed again since, or only their calculated values were."
        />
      ) : null}
      {data && data.listed.length > 0 ? <ChangesTable changes={data.listed} /> : null}
    </StepBody>
  );
}

const ChangesTable = ({ changes }: { changes: readonly Change[] }) => (
  <div className="boxed">
    <table className="import-table changes-table stacked">
      <thead>
        <tr>
          <th>APN</th>
          <th>What</th>
          <th>Before and now</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.property_id}>
            <td className="apn">
              {change.what === 'removed' ? (
                change.apn || 'no APN'
              ) : (
                <button type="button" className="link" onClick={() => openInExplore(change.property_id)}>
                  {change.apn || 'no APN'}
                </button>
              )}
            </td>
            <td>{change.what}</td>
            <td className="whole">
              <Values change={change} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Values = ({ change: { values, is_redrawn: isRedrawn } }: { change: Change }) => (
  <>
    {values.map(({ column, before, now }) => (
      <div key={column}>
        <span className="quieter">{columnLabel(column)}</span> {shown(column, before)} →{' '}
        <b className="medium">{shown(column, now)}</b>
      </div>
    ))}
    {isRedrawn ? <div className="quieter">its shape is another</div> : null}
  </>
);

function shown(name: string, value: string | number | null): string {
  const column = parcelColumnsByName.get(name);
  const read = column?.type === 'boolean' && value !== null ? value === 1 : value;
  const found = column ? formatColumn(column, read) : null;
  return found ? [found.text, found.unit].filter(Boolean).join(' ') : 'unknown';
}
