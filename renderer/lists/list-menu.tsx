/** Actions on a list and on the selected parcels in it. */

import { Ellipsis, MailCheck } from 'lucide-react';
import { useState } from 'react';
import { replaceFilter } from '../explore/explore-state.ts';
import { plural } from '../parts/format.ts';
import { LaterItem, Menu, MenuCaption, MenuSeparator } from '../parts/menu.tsx';
import { PopoverButton } from '../parts/popover-button.tsx';
import { useClient } from '../state/client-context.tsx';
import { goTo, navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { makeChange } from '../work/make-change.ts';
import { askName } from '../work/name-dialog.tsx';
import { listView } from './list-state.ts';
import { openInExplore } from './list-table.tsx';
import type { List } from './types.ts';

export function ListMenu({ list }: { list: List }) {
  const client = useClient();
  const { selected } = useStore(listView);
  const { list_id: id, name } = list;
  const count = plural(selected.length, 'parcel', 'parcels');
  const last = selected.at(-1);
  const rename = () =>
    askName({
      title: 'Rename the list',
      label: 'Name of the list',
      value: name,
      button: 'Rename',
      done: async (given) => (await makeChange(client, 'rename_list', { list_id: id, name: given })) !== null,
    });
  const remove = async () => {
    if (await makeChange(client, 'remove_members', { list_id: id, ids: selected })) listView.set({ selected: [] });
  };
  return (
    <>
      <MailedOn list={list} />
      <Menu label="More to do with the list" face={<Ellipsis aria-hidden />}>
        {last === undefined ? null : (
          <>
            <MenuCaption>{count} selected</MenuCaption>
            <LaterItem onSelect={() => openInExplore(last)}>Open in Explore</LaterItem>
            <LaterItem onSelect={() => navigation.set({ over: 'tag' })}>Tag</LaterItem>
            <LaterItem onSelect={() => navigation.set({ over: 'add-to-list' })}>Add to another list</LaterItem>
            <LaterItem onSelect={() => void remove()}>Remove from the list</LaterItem>
            <MenuSeparator />
          </>
        )}
        <LaterItem onSelect={() => void showOnMap(client, id)}>Show on the map</LaterItem>
        <LaterItem onSelect={rename}>Rename</LaterItem>
        <LaterItem onSelect={() => void makeChange(client, 'delete_list', { list_id: id })}>Delete the list</LaterItem>
      </Menu>
    </>
  );
}

/** Opens it as a filter in Explore, over the list's counties. */
async function showOnMap(client: ReturnType<typeof useClient>, listId: number): Promise<void> {
  const { counties } = await client.read('home', {});
  replaceFilter({ counties: counties.map(({ fips }) => fips), in_list: [listId] });
  goTo('explore');
}

/** Refuses incompletely typed years such as 0202. */
const firstMailDay = '1900-01-01';

const today = (): string => {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
};

/** Marks letters as sent: to the selected parcels, else to the whole list. */
function MailedOn({ list }: { list: List }) {
  const client = useClient();
  const { selected } = useStore(listView);
  const [isOpen, setOpen] = useState(false);
  const [day, setDay] = useState(today);
  const whom =
    selected.length === 0 ? plural(list.parcels, 'parcel', 'parcels') : plural(selected.length, 'parcel', 'parcels');
  const mark = async (value: string | null) => {
    const ids = selected.length === 0 ? {} : { ids: selected };
    if (await makeChange(client, 'set_mailed_on', { list_id: list.list_id, mailed_on: value, ...ids })) setOpen(false);
  };
  return (
    <PopoverButton
      face={
        <>
          <MailCheck aria-hidden />
          Mailed on
        </>
      }
      button="button at-medium"
      label="Mailed on"
      className="add-columns"
      isOpen={isOpen}
      onOpen={setOpen}
      isDisabled={list.parcels === 0}
    >
      <form
        className="add-column"
        onSubmit={(event) => {
          event.preventDefault();
          if (day !== '') void mark(day);
        }}
      >
        <h3>Letters went to {whom} on</h3>
        <div className="line">
          <label className="field">
            <span className="sr">Day</span>
            <input type="date" min={firstMailDay} value={day} onChange={(event) => setDay(event.target.value)} />
          </label>
          <button type="submit" className="button primary" disabled={day === ''}>
            Mark
          </button>
          <button type="button" className="button quiet" onClick={() => void mark(null)}>
            Not mailed
          </button>
        </div>
      </form>
    </PopoverButton>
  );
}
