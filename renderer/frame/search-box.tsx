/** Address, part of an APN, owner or coordinates; suggestions are free and open the parcel. */
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { explore, select } from '../explore/explore-state.ts';
import { useCombo } from '../parts/combo.ts';
import { useRead, useRested } from '../state/client-context.tsx';
import { goTo, navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';

type Suggestion = ReadOutputOf<'suggest'>['parcels'][number];

const kindWords: Record<Suggestion['kind'], string> = {
  apn: 'APN',
  address: 'address',
  owner: 'owner',
  place: 'at this place',
};

export function SearchBox() {
  const [text, setText] = useState('');
  const { filter } = useStore(explore);
  const asked = useRested(text.trim(), 120);
  const county = typeof filter.county === 'string' ? { county: filter.county } : {};
  const isAsking = asked.length >= 2 && text.trim().length >= 2;
  const { data, isPlaceholderData } = useRead('suggest', { text: asked, ...county }, { when: isAsking });
  const parcels = isAsking ? (data?.parcels ?? []) : [];
  const combo = useCombo<Suggestion>({
    offers: parcels,
    canOpen: isAsking && data !== undefined && !isPlaceholderData,
    onTake: (parcel) => {
      if (navigation.get().screen !== 'explore') goTo('explore');
      select(parcel.property_id);
      combo.close();
    },
  });
  return (
    <search className="search">
      <label className="field">
        <Search aria-hidden />
        <input
          {...combo.inputProps}
          aria-label="Search"
          placeholder="Address, part of an APN, owner or coordinates"
          data-focus="search"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            combo.open();
          }}
          onKeyDown={combo.press}
        />
        <kbd>/</kbd>
      </label>
      {combo.isShown ? (
        <div className="menu" {...combo.listProps('Suggestions')}>
          {parcels.map((parcel, i) => (
            <div key={parcel.property_id} {...combo.optionProps(parcel, i)}>
              <span className="apn">{parcel.apn || 'no APN'}</span>
              <span>{parcel.owner_name ?? 'owner not published'}</span>
              <span className="quietest">{parcel.situs_address}</span>
              <span className="end">{kindWords[parcel.kind]}</span>
            </div>
          ))}
          {parcels.length === 0 ? (
            <p className="menu-caption">
              {data?.place ? 'No parcel lies at this place.' : 'No parcel has this in its address, APN or owner.'}
            </p>
          ) : null}
        </div>
      ) : null}
    </search>
  );
}
