/** A frozen list, or the starred parcels: title, addable columns, runs, table. */
import { MailPlus, Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { ExportMenu, type ExportMenuProps } from '../export/export-menu.tsx';
import { MailMenu } from '../export/mail-menu.tsx';
import { beginLetters } from '../mailings/mailing-state.ts';
import { formatDate, formatNumber, plural } from '../parts/format.ts';
import { EmptyState } from '../parts/states.tsx';
import { useClient } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { AddColumns } from './add-columns.tsx';
import { exportedListNames, type ListColumn, type ListLook, listColumns } from './list-columns.tsx';
import { ListMenu } from './list-menu.tsx';
import { listView } from './list-state.ts';
import { ListTable, type ListTableProps } from './list-table.tsx';
import { RunStrips } from './run-strips.tsx';
import type { List } from './types.ts';

export function ListView({ list }: { list: List }) {
  const { list_id: id, name, made_at: at, parcels } = list;
  const look: ListLook = {
    hasValues: list.has_values || list.offer_percent !== null,
    hasPhones: list.has_phones,
    offerPercent: list.offer_percent,
    hasLetters: true,
  };
  const columns = listColumns(look);
  const client = useClient();
  return (
    <ListPage
      title={name}
      about={`made ${formatDate(at)}, ${plural(parcels, 'parcel', 'parcels')}`}
      actions={
        <>
          <button
            type="button"
            className="button"
            disabled={parcels === 0}
            onClick={() => void beginLetters(client, list)}
          >
            <MailPlus aria-hidden />
            Write letters
          </button>
          <AddColumns list={list} />
          {parcels > 0 ? <TakeAlong of={{ list_id: id }} name={name} count={parcels} columns={columns} /> : null}
          <ListMenu list={list} />
        </>
      }
      count={parcels}
      hasPhones={look.hasPhones}
    >
      <RunStrips listId={id} />
      {parcels === 0 ? (
        <EmptyState title="The list is empty" text="Select parcels in Explore and add them with “Add to list”.">
          <button type="button" className="button primary" onClick={() => goTo('explore')}>
            Go to Explore
          </button>
        </EmptyState>
      ) : (
        <ListTable label={name} of={{ list_id: id }} count={parcels} columns={columns} />
      )}
    </ListPage>
  );
}

const starredColumns = listColumns({ hasValues: true, hasPhones: false, offerPercent: null, hasLetters: false });

interface TakeAlongProps {
  readonly of: ListTableProps['of'];
  readonly name: string;
  readonly count: number;
  readonly columns: readonly ListColumn[];
}

/** Exports what the table shows, in its order; only the selected parcels if there are any, like “Mailed on”. */
function TakeAlong({ of, name, count, columns }: TakeAlongProps) {
  const { selected, ordering } = useStore(listView);
  const tableColumns = exportedListNames(columns);
  const taken: ExportMenuProps =
    selected.length === 0
      ? { what: { ...of, ordering }, parcels: count, tableColumns }
      : {
          what: { ...of, ordering, ids: selected },
          parcels: selected.length,
          selectedOf: count,
          title: `${name} selected`,
          tableColumns,
        };
  return (
    <>
      <MailMenu {...taken} />
      <ExportMenu {...taken} />
    </>
  );
}

export const StarredView = ({ count }: { count: number }) => (
  <ListPage
    title="Starred"
    about={plural(count, 'parcel', 'parcels')}
    count={count}
    hasPhones={false}
    actions={
      count > 0 ? <TakeAlong of={{ starred: true }} name="starred" count={count} columns={starredColumns} /> : null
    }
  >
    {count === 0 ? (
      <EmptyState
        icon={<Star aria-hidden />}
        title="No parcel is starred"
        text="S stars the parcel that is selected in Explore. Platbook watches starred parcels: when an import brings a new owner, it appears here."
      />
    ) : (
      <ListTable label="Starred parcels" of={{ starred: true }} count={count} columns={starredColumns} />
    )}
  </ListPage>
);

interface ListPageProps {
  readonly title: string;
  readonly about: string;
  readonly actions?: ReactNode;
  readonly count: number;
  readonly hasPhones: boolean;
  readonly children: ReactNode;
}

function ListPage({ title, about, actions, count, hasPhones, children }: ListPageProps) {
  const { selected } = useStore(listView);
  return (
    <section className="page" aria-label={title}>
      <header className="page-head list-head">
        <h1 className="ellipsis" title={title}>
          {title}
        </h1>
        <span className="quieter num nowrap at-medium">{about}</span>
        <span className="grow" />
        {actions}
      </header>
      {children}
      <footer className="list-foot">
        {hasPhones ? (
          <span className="quieter">
            DNC <b>Unknown</b> is not safe to call: these numbers came without a do-not-call record.
          </span>
        ) : null}
        <span className="grow" />
        <span className="quieter num nowrap" aria-live="polite">
          {formatNumber(selected.length)} of {formatNumber(count)} selected
        </span>
      </footer>
    </section>
  );
}
