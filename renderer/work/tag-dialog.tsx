/** Tags of the selected parcels: type to find a tag or to create one; Enter sets or removes it. */
import { Command as Cmdk } from 'cmdk';
import { Check, Tag } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { NothingListed } from '../frame/nothing-listed.tsx';
import { Overlay } from '../frame/overlay.tsx';
import { plural } from '../parts/format.ts';
import { useClient, useRead } from '../state/client-context.tsx';
import { navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { makeChange } from './make-change.ts';
import { TagChip } from './tag-chip.tsx';
import { targets } from './targets.ts';

type MarkedTag = ReadOutputOf<'marks'>['tags'][number];

export function TagDialog() {
  const { over } = useStore(navigation);
  return over === 'tag' ? <Tags ids={targets()} /> : null;
}

function Tags({ ids }: { ids: readonly number[] }) {
  const client = useClient();
  const { data } = useRead('marks', {}, { isLasting: true });
  const [text, setText] = useState('');
  const tags = data?.tags ?? [];
  const name = text.trim();
  const isNew = name !== '' && !tags.some((tag) => tag.name.toLowerCase() === name.toLowerCase());
  const isOnAll = (tag: MarkedTag) => ids.every((id) => tag.ids.includes(id));
  const toggle = (tag: MarkedTag) =>
    isOnAll(tag)
      ? makeChange(client, 'untag', { tag_id: tag.tag_id, ids })
      : makeChange(client, 'tag', { name: tag.name, ids });
  const make = async () => {
    if (await makeChange(client, 'tag', { name, ids })) setText('');
  };
  return (
    <Overlay name="tag" title={`Tags of ${plural(ids.length, 'parcel', 'parcels')}`} isTitled>
      <Cmdk label="Tags" loop>
        <div className="palette-input">
          <Tag aria-hidden />
          <Cmdk.Input value={text} onValueChange={setText} maxLength={60} placeholder="Find a tag, or name a new one" />
        </div>
        <Cmdk.List className="palette-list" label="Tags">
          {tags.map((tag) => (
            <Cmdk.Item
              key={tag.tag_id}
              className="menu-item"
              value={`tag ${tag.name}`}
              onSelect={() => void toggle(tag)}
            >
              <span className="box">{isOnAll(tag) ? <Check aria-label="is on" className="small" /> : null}</span>
              <TagChip name={tag.name} color={tag.color} />
              <span className="end num">{plural(tag.ids.length, 'parcel', 'parcels')}</span>
            </Cmdk.Item>
          ))}
          {isNew ? (
            <Cmdk.Item className="menu-item" value={`new ${name}`} forceMount onSelect={() => void make()}>
              <span className="box" />
              Make the tag “{name}”
            </Cmdk.Item>
          ) : null}
        </Cmdk.List>
        <NothingListed isEmpty={data?.tags.length === 0 && !isNew}>No tags yet: type a name.</NothingListed>
      </Cmdk>
    </Overlay>
  );
}
