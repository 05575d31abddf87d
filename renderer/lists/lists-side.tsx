/** The left pane: live searches with current counts, frozen lists, and the permanent lists. */
import { List as ListIcon, Mail, MailX, Plus, Search as SearchIcon, Star, UserRoundPen } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Mailings } from '../mailings/mailing-state.ts';
import { formatDate, formatNumber, plural } from '../parts/format.ts';
import { IconButton } from '../parts/hint.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { makeChange } from '../work/make-change.ts';
import { askName } from '../work/name-dialog.tsx';
import { isSameList, type Shown, showList } from './list-state.ts';
import type { Lists, Search, Searches } from './types.ts';

interface SideProps {
  readonly searches: Searches;
  readonly lists: Lists;
  readonly mailings: Mailings;
  readonly open: Shown | null;
}

export function ListsSide({ searches, lists, mailings, open }: SideProps) {
  const orphans = mailings.filter(({ list_name: name }) => name === null);
  return (
    <nav className="pane lists-side" aria-label="Lists">
      <div className="pane-head">
        <h2>Lists</h2>
        <span className="grow" />
        <NewList starred={lists.starred} />
      </div>
      <div className="scroll">
        <Group title="Live searches" empty="None saved yet.">
          {searches.map((search) => (
            <SearchItem key={search.search_id} search={search} open={open} />
          ))}
        </Group>
        <Group title="Lists" empty="None yet.">
          {lists.lists.map(({ list_id: id, name, parcels }) => (
            <div key={id}>
              <Item icon={<ListIcon aria-hidden />} to={{ kind: 'list', id }} open={open} count={parcels}>
                {name}
              </Item>
              <MailingItems mailings={mailings.filter(({ list_id: of }) => of === id)} open={open} />
            </div>
          ))}
        </Group>
        {orphans.length > 0 ? (
          <Group title="Mailings of deleted lists">
            <MailingItems mailings={orphans} open={open} />
          </Group>
        ) : null}
        <Group title="Always kept">
          <Item icon={<Star aria-hidden />} to={{ kind: 'starred' }} open={open} count={lists.starred}>
            Starred
          </Item>
          <Item icon={<MailX aria-hidden />} to={{ kind: 'do_not_mail' }} open={open} count={lists.do_not_mail}>
            Do not mail
          </Item>
        </Group>
        <OwnersChanged />
      </div>
    </nav>
  );
}

/** Below their list, newest first; the count is of letters, once they are written. */
const MailingItems = ({ mailings, open }: { mailings: Mailings; open: Shown | null }) => (
  <div className="side-mailings">
    {mailings.map(({ mailing_id: id, list_id: list, name, written_on: written, figures }) => (
      <Item
        key={id}
        icon={<Mail aria-hidden />}
        to={{ kind: 'mailing', id, list }}
        open={open}
        count={written === null ? null : figures.letters}
      >
        {name}
      </Item>
    ))}
  </div>
);

function Group({ title, empty, children }: { title: string; empty?: string; children: ReactNode }) {
  const isEmpty = Array.isArray(children) && children.length === 0;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {isEmpty ? <p className="side-empty">{empty}</p> : children}
    </section>
  );
}

interface ItemProps {
  readonly icon: ReactNode;
  readonly to: Shown;
  readonly open: Shown | null;
  readonly count: number | null;
  readonly children: string;
}

function Item({ icon, to, open, count, children }: ItemProps) {
  const isOpen = open !== null && isSameList(to, open);
  return (
    <button
      type="button"
      className="side-item"
      aria-current={isOpen ? 'page' : undefined}
      title={children}
      onClick={() => showList(to)}
    >
      {icon}
      <span className="grow ellipsis">{children}</span>
      <span className="num">{count === null ? '' : formatNumber(count)}</span>
    </button>
  );
}

/** The current matches; a search that can no longer run (its tag is gone) shows no number. */
function SearchItem({ search, open }: { search: Search; open: Shown | null }) {
  const { data } = useRead('count_properties', { filter: search.filter });
  return (
    <Item
      icon={<SearchIcon aria-hidden />}
      to={{ kind: 'search', id: search.search_id }}
      open={open}
      count={data?.count ?? null}
    >
      {search.name}
    </Item>
  );
}

/** A new list starts with parcels: with the starred ones here, with those of a search or a selection in Explore. */
function NewList({ starred }: { starred: number }) {
  const client = useClient();
  const make = async (name: string): Promise<boolean> => {
    const { starred: ids } = await client.read('marks', {});
    const made = await makeChange(client, 'make_list', { name, of: { ids } });
    if (made) showList({ kind: 'list', id: made.data.list_id });
    return made !== null;
  };
  return (
    <IconButton
      label={
        starred === 0 ? 'New list: star parcels first, or add them from Explore' : 'New list of the starred parcels'
      }
      disabled={starred === 0}
      onPress={() =>
        askName({
          title: 'New list of the starred parcels',
          label: 'Name of the list',
          value: '',
          button: 'Make',
          done: make,
        })
      }
    >
      <Plus aria-hidden />
    </IconButton>
  );
}

function OwnersChanged() {
  const { data } = useRead('changed_owners', {}, { isLasting: true });
  const parcels = data?.parcels ?? [];
  if (parcels.length === 0) return null;
  const imported = parcels.reduce<string>(
    (latest, { imported_at: at }) => ((at ?? '') > latest ? (at ?? '') : latest),
    '',
  );
  return (
    <div className="side-note">
      <UserRoundPen aria-hidden />
      <span>
        {plural(parcels.length, 'starred parcel', 'starred parcels')} changed owner
        {imported === '' ? '' : ` with the import of ${formatDate(imported)}`}.{' '}
        <button type="button" className="link" onClick={() => showList({ kind: 'changed' })}>
          Show {parcels.length === 1 ? 'it' : 'them'}
        </button>
      </span>
    </div>
  );
}
