/** Address, part of an APN, owner or coordinates; suggestions are free and open the parcel. */
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { explore, select } from '../explore/explore-state.ts';
import { showPlace } from '../map/map-state.ts';
import { formatPlace } from '../map/units.ts';
import { useCombo } from '../parts/combo.ts';
import { useRead, useRested } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';

type Suggestion = ReadOutputOf<'suggest'>['parcels'][number];

/** A parcel, or the place itself where coordinates were typed. */
type Offer = Suggestion | NonNullable<ReadOutputOf<'suggest'>['place']>;

const nothing: Pick<ReadOutputOf<'suggest'>, 'parcels' | 'place'> = { parcels: [], place: null };

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
  const { parcels, place } = (isAsking && data) || nothing;
  const combo = useCombo<Offer>({
    offers: place ? [...parcels, place] : parcels,
    // Of the text before the last keystroke nothing is offered: Enter would take it.
    canOpen: isAsking && asked === text.trim() && data !== undefined && !isPlaceholderData,
    onTake: (offer) => {
      goTo('explore');
      if ('property_id' in offer) select(offer.property_id);
      else showPlace(offer.longitude, offer.latitude);
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
          {place ? (
            <div {...combo.optionProps(place, parcels.length)}>
              <span>Show {formatPlace(place.longitude, place.latitude)} on the map</span>
              <span className="end">place</span>
            </div>
          ) : null}
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
