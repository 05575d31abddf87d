/** Starred parcels with a new owner since an import: the old owner, the new one, and a button to mark them as seen. */
import { UserRoundPen } from 'lucide-react';
import { formatDate } from '../parts/format.ts';
import { EmptyState, ErrorState } from '../parts/states.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { makeChange } from '../work/make-change.ts';
import { openInExplore } from './list-table.tsx';

export function ChangedOwners() {
  const client = useClient();
  const { data, error, refetch } = useRead('changed_owners', {}, { isLasting: true });
  const parcels = data?.parcels ?? [];
  const accept = (ids: readonly number[]) => void makeChange(client, 'accept_owners', { ids });
  return (
    <section className="page" aria-label="Changed owners">
      <header className="page-head">
        <h1>Changed owners</h1>
        <span className="grow" />
        {parcels.length > 1 ? (
          <button type="button" className="button" onClick={() => accept(parcels.map((one) => one.property_id))}>
            I have seen all of them
          </button>
        ) : null}
      </header>
      <div className="scroll">
        {error ? (
          <ErrorState title="The owners could not be read" error={error} onRetry={() => void refetch()} />
        ) : null}
        {data && parcels.length === 0 ? (
          <EmptyState
            icon={<UserRoundPen aria-hidden />}
            title="No starred parcel changed owner"
            text="After each import Platbook compares the owners of starred parcels with those at the time of starring."
          />
        ) : null}
        {parcels.length === 0 ? null : (
          <div className="page-body">
            <table className="plain-table wide">
              <thead>
                <tr>
                  <th>APN</th>
                  <th>Owner when starred</th>
                  <th>Owner now</th>
                  <th>Imported</th>
                  <th>
                    <span className="sr">Seen</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {parcels.map(({ property_id: id, apn, owner_then: then, owner_now: now, imported_at: at }) => (
                  <tr key={id}>
                    <td className="apn">
                      <button type="button" className="link" onClick={() => openInExplore(id)}>
                        {apn || 'no APN'}
                      </button>
                    </td>
                    <td className="quieter">{then}</td>
                    <td>{now}</td>
                    <td className="num">{at === null ? null : formatDate(at)}</td>
                    <td className="n">
                      <button type="button" className="button" onClick={() => accept([id])}>
                        Seen
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </section>
  );
}
