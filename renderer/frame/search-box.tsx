/** Address, part of an APN, owner, coordinates or a section; suggestions are free and open the parcel. */
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { explore, select, setFields } from '../explore/explore-state.ts';
import { showBounds, showPlace } from '../map/map-state.ts';
import { formatPlace } from '../map/units.ts';
import { useCombo } from '../parts/combo.ts';
import { useRead, useRested } from '../state/client-context.tsx';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';

type Suggestion = ReadOutputOf<'suggest'>['parcels'][number];

type SurveyPlace = ReadOutputOf<'suggest'>['survey'][number];

/** A parcel, the place itself for typed coordinates, or a section to look at or to filter by. */
type Offer =
  | Suggestion
  | (NonNullable<ReadOutputOf<'suggest'>['place']> & { readonly isMeant: boolean })
  | { readonly look: SurveyPlace }
  | { readonly keep: SurveyPlace };

const nothing: ReadOutputOf<'suggest'> = { parcels: [], place: null, meant: null, survey: [] };

const kindWords: Record<Suggestion['kind'], string> = {
  apn: 'APN',
  address: 'address',
  owner: 'owner',
  place: 'at this place',
};

interface Suggested {
  readonly parcels: readonly Suggestion[];
  readonly place: ReadOutputOf<'suggest'>['place'];
  readonly meant: ReadOutputOf<'suggest'>['meant'];
  readonly survey: readonly SurveyPlace[];
  /** Offers suggestions for the current text only: Enter would take one for an older text. */
  readonly isAnswered: boolean;
  /** The county of the filter, if the parcels lie in other counties of the home. */
  readonly notIn: string | null;
  readonly countyOf: (fips: string) => string | undefined;
}

/** Searches the county of the filter first, then all others of the home. */
function useSuggested(typed: string): Suggested {
  const { filter } = useStore(explore);
  const { data: home } = useRead('home', {}, { isLasting: true });
  const text = typed.replace(/\s+/g, ' ').trim();
  const asked = useRested(text, 120);
  const isAsking = asked.length >= 2 && text.length >= 2;
  const county = typeof filter.county === 'string' ? { county: filter.county } : {};
  const here = useRead('suggest', { text: asked, ...county }, { when: isAsking });
  const counties = home?.counties ?? [];
  const countyOf = (fips: unknown) => counties.find((one) => one.fips === fips)?.name;
  const isNoneHere =
    isAsking && !here.isPlaceholderData && here.data?.parcels.length === 0 && here.data.survey.length === 0;
  const isElsewhere = isNoneHere && counties.length > 1 && countyOf(filter.county) !== undefined;
  const elsewhere = useRead('suggest', { text: asked }, { when: isElsewhere });
  const { data, isPlaceholderData } = isElsewhere ? elsewhere : here;
  return {
    ...((isAsking && data) || nothing),
    isAnswered: isAsking && asked === text && data !== undefined && !isPlaceholderData,
    notIn: isElsewhere ? (countyOf(filter.county) ?? null) : null,
    countyOf,
  };
}

export function SearchBox() {
  const [text, setText] = useState('');
  const suggested = useSuggested(text);
  const { parcels, place, meant, survey } = suggested;
  const places: Offer[] = [
    ...(meant ? [{ ...meant, isMeant: true }] : []),
    ...(place ? [{ ...place, isMeant: false }] : []),
    ...survey.flatMap((one) => [{ look: one }, ...(one.plss === null ? [] : [{ keep: one }])]),
  ];
  const combo = useCombo<Offer>({
    offers: [...parcels, ...places],
    canOpen: suggested.isAnswered,
    onTake: (offer) => {
      goTo('explore');
      if ('property_id' in offer) select(offer.property_id);
      else if ('look' in offer) showBounds(offer.look.bounds);
      else if ('keep' in offer) setFields({ county: offer.keep.fips, plss: offer.keep.plss });
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
          placeholder="Address, part of an APN, owner, section or coordinates"
          data-focus="search"
          maxLength={200}
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
          <Caption {...suggested} />
          {parcels.map((parcel, i) => (
            <div key={parcel.property_id} {...combo.optionProps(parcel, i)}>
              <span className="apn">{parcel.apn || 'no APN'}</span>
              <span>{parcel.owner_name ?? 'owner not published'}</span>
              <span className="quietest">{parcel.situs_address}</span>
              <span className="end">
                {suggested.notIn === null ? kindWords[parcel.kind] : suggested.countyOf(parcel.fips)}
              </span>
            </div>
          ))}
          {places.map((offer, i) => (
            <div key={placeWords(offer)} {...combo.optionProps(offer, parcels.length + i)}>
              <span>{placeWords(offer)}</span>
              <span className="end">{'keep' in offer ? 'filter' : 'place'}</span>
            </div>
          ))}
        </div>
      ) : null}
    </search>
  );
}

function placeWords(offer: Offer): string {
  if ('look' in offer) return `Show ${offer.look.name} on the map`;
  if ('keep' in offer) return `Only parcels mostly in ${offer.keep.plss}`;
  if ('property_id' in offer) return '';
  const at = formatPlace(offer.longitude, offer.latitude);
  return offer.isMeant ? `Did you mean ${at}?` : `Show ${at} on the map`;
}

function Caption({ parcels, place, meant, survey, notIn }: Suggested) {
  const none = meant
    ? 'The latitude comes first, and longitudes in the United States are negative.'
    : place
      ? 'There is no parcel at this place.'
      : 'No address, APN or owner contains this.';
  const words =
    parcels.length === 0 ? (survey.length > 0 ? null : none) : notIn === null ? null : `Not in ${notIn}, but elsewhere`;
  return words === null ? null : <p className="menu-caption">{words}</p>;
}
