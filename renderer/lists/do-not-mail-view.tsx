/** Do not mail: owners who must not get letters from any list. */
import { MailX } from 'lucide-react';
import { formatDate } from '../parts/format.ts';
import { EmptyState, ErrorState } from '../parts/states.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { makeChange } from '../work/make-change.ts';
import { askName } from '../work/name-dialog.tsx';

const reach = (byAddress: boolean, byOwner: boolean): string =>
  byAddress && byOwner ? 'this name, and this address' : byAddress ? 'this address' : 'this name, at any address';

export function DoNotMailView() {
  const client = useClient();
  const { data, error, refetch } = useRead('do_not_mail', {}, { isLasting: true });
  const add = () =>
    askName({
      title: 'Never mail a name',
      label: 'Owner as the county writes it',
      value: '',
      button: 'Add',
      done: async (name) => (await makeChange(client, 'do_not_mail_add', { owner_name: name })) !== null,
    });
  return (
    <section className="page" aria-label="Do not mail">
      <header className="page-head">
        <h1>Do not mail</h1>
        <span className="quieter at-medium">left out of every mail merge; stays when a list is deleted</span>
        <span className="grow" />
        <button type="button" className="button" onClick={add}>
          <MailX aria-hidden />
          Add a name
        </button>
      </header>
      <div className="scroll">
        {error ? (
          <ErrorState title="The entries could not be read" error={error} onRetry={() => void refetch()} />
        ) : null}
        {data?.length === 0 ? (
          <EmptyState
            icon={<MailX aria-hidden />}
            title="No owner has asked to be left out"
            text="Add an owner from the Notes tab of a parcel, by mailing address or by name, or a name here."
          />
        ) : null}
        {data && data.length > 0 ? (
          <div className="page-body">
            <table className="plain-table wide stacked">
              <thead>
                <tr>
                  <th>Owner</th>
                  <th>Address</th>
                  <th>Kept back</th>
                  <th>Since</th>
                  <th>
                    <span className="sr">Take off</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((entry) => (
                  <tr key={entry.do_not_mail_id}>
                    <td>{entry.owner_name ?? <span className="null">not published</span>}</td>
                    <td className="quieter">{entry.address}</td>
                    <td>{reach(entry.by_address, entry.by_owner)}</td>
                    <td className="num">{formatDate(entry.added_at)}</td>
                    <td className="n">
                      <button
                        type="button"
                        className="button"
                        onClick={() =>
                          void makeChange(client, 'do_not_mail_remove', { do_not_mail_id: entry.do_not_mail_id })
                        }
                      >
                        Take off
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : null}
      </div>
    </section>
  );
}
