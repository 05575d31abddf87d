/** Adds the selected parcels to a list: an existing one, or a new one. */
import { Command as Cmdk } from 'cmdk';
import { ListPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { NothingListed } from '../frame/nothing-listed.tsx';
import { Overlay } from '../frame/overlay.tsx';
import { plural } from '../parts/format.ts';
import { useClient, useRead } from '../state/client-context.tsx';
import { navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { makeChange } from './make-change.ts';
import { targets } from './targets.ts';

export function ListDialog() {
  const { over } = useStore(navigation);
  return over === 'add-to-list' ? <Lists ids={targets()} /> : null;
}

function Lists({ ids }: { ids: readonly number[] }) {
  const client = useClient();
  const { data } = useRead('lists', {}, { isLasting: true });
  const [text, setText] = useState('');
  const name = text.trim();
  const isBusy = useRef(false);
  /** A second Enter must not make a second list. */
  const once = async (make: () => Promise<unknown>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    const isDone = (await make()) !== null;
    isBusy.current = false;
    // Another dialog may be open by then, if it took long.
    if (isDone && navigation.get().over === 'add-to-list') navigation.set({ over: null });
  };
  return (
    <Overlay name="add-to-list" title={`Add ${plural(ids.length, 'parcel', 'parcels')} to a list`} isTitled>
      <Cmdk label="Lists" loop>
        <div className="palette-input">
          <ListPlus aria-hidden />
          <Cmdk.Input
            value={text}
            onValueChange={setText}
            maxLength={120}
            placeholder="Find a list, or name a new one"
          />
        </div>
        <Cmdk.List className="palette-list" label="Lists">
          {(data?.lists ?? []).map((list) => (
            <Cmdk.Item
              key={list.list_id}
              className="menu-item"
              value={`list ${list.name} ${list.list_id}`}
              onSelect={() =>
                void once(() => makeChange(client, 'add_members', { list_id: list.list_id, of: { ids } }))
              }
            >
              {list.name}
              <span className="end num">{plural(list.parcels, 'parcel', 'parcels')}</span>
            </Cmdk.Item>
          ))}
          {name === '' ? null : (
            <Cmdk.Item
              className="menu-item"
              value={`new ${name}`}
              forceMount
              onSelect={() => void once(() => makeChange(client, 'make_list', { name, of: { ids } }))}
            >
              Make the list “{name}”
            </Cmdk.Item>
          )}
        </Cmdk.List>
        <NothingListed isEmpty={data?.lists.length === 0 && name === ''}>No lists yet: type a name.</NothingListed>
      </Cmdk>
    </Overlay>
  );
}
