/** The scope: counties and ZIP codes in one field, as people name a place; and an area as text. */
import { Pentagon } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, useState } from 'react';
import type { FilterRow } from '../../../engine/spec/filters.ts';
import { toggleMode } from '../../map/map-state.ts';
import { Chip } from '../../parts/chip-field.tsx';
import { useCombo } from '../../parts/combo.ts';
import { formatNumber } from '../../parts/format.ts';
import { PopoverButton } from '../../parts/popover-button.tsx';
import { useRead } from '../../state/client-context.tsx';
import { explore, setFields } from '../explore-state.ts';
import type { FilterBody } from '../filter-body.ts';
import { UnmatchedLine, usePanel } from './control-frame.tsx';

/** Filters that share the one field. */
export const placeFilters = ['county', 'counties', 'zips_include'] as const;

const placesOf = (filter: FilterBody): { counties: string[]; zips: string[] } => ({
  counties: [
    ...(filter.county === undefined ? [] : [String(filter.county)]),
    ...((filter.counties as (string | number)[] | undefined) ?? []).map(String),
  ],
  zips: ((filter.zips_include as (string | number)[] | undefined) ?? []).map(String),
});

/** One county is `county`, several are `counties`: as in the API's docs. */
export function setCounties(fips: readonly string[]): void {
  const [first, ...rest] = [...new Set(fips)];
  setFields(
    rest.length === 0 ? { county: first, counties: undefined } : { county: undefined, counties: [first, ...rest] },
  );
}

interface Offer {
  readonly key: string;
  readonly label: string;
  readonly end: string;
  readonly take: () => void;
}

function useOffers(text: string): Offer[] {
  const { filter } = usePanel();
  const { data: home } = useRead('home', {}, { isLasting: true });
  const counties = home?.counties ?? [];
  const { counties: scope, zips: chosenZips } = placesOf(filter);
  const all = { counties: scope.length > 0 ? scope : counties.map(({ fips }) => fips) };
  const { data: zips } = useRead(
    'facet',
    { filter: all, name: 'zips_include', limit: 500 },
    { when: all.counties.length > 0, isLasting: true },
  );
  const part = text.trim().toLowerCase();
  const countyOffers = counties
    .filter(({ fips, name }) => !scope.includes(fips) && `${name} ${fips}`.toLowerCase().includes(part))
    .map(
      ({ fips, name, parcels }): Offer => ({
        key: fips,
        label: `${name} ${fips}`,
        end: `${formatNumber(parcels)} parcels`,
        take: () => setCounties([...scope, fips]),
      }),
    );
  const zipOffers = (zips?.values ?? [])
    .filter(({ value }) => !chosenZips.includes(value) && value.includes(part))
    .slice(0, 12)
    .map(
      ({ value, count }): Offer => ({
        key: `zip ${value}`,
        label: `ZIP ${value}`,
        end: `${formatNumber(count)} parcels`,
        take: () => setFields({ zips_include: [...chosenZips, value] }),
      }),
    );
  return [...countyOffers, ...zipOffers];
}

export function PlaceControl() {
  const { filter } = usePanel();
  const [text, setText] = useState('');
  const offers = useOffers(text);
  const combo = useCombo<Offer>({
    offers,
    canOpen: offers.length > 0,
    onTake: (offer) => {
      offer.take();
      setText('');
    },
  });
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (combo.press(event) || event.key !== 'Backspace' || text !== '') return;
    const { zips, counties } = placesOf(filter);
    if (zips.length > 0) setFields({ zips_include: zips.slice(0, -1) });
    else setCounties(counties.slice(0, -1));
  };
  return (
    <div className="control place-field" data-filter={placeFilters.join(' ')}>
      <div className="field chip-field">
        <PlaceChips filter={filter} />
        <input
          {...combo.inputProps}
          aria-label="Add a county or ZIP"
          placeholder="County, ZIP"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            combo.open();
          }}
          onKeyDown={press}
        />
      </div>
      {combo.isShown ? (
        <div className="menu" {...combo.listProps('Places')}>
          {offers.map((offer, i) => (
            <div key={offer.key} {...combo.optionProps(offer, i)}>
              {offer.label}
              <span className="end num">{offer.end}</span>
            </div>
          ))}
        </div>
      ) : null}
      <UnmatchedLine name="zips_include" />
    </div>
  );
}

function PlaceChips({ filter }: { filter: FilterBody }) {
  const { data: home } = useRead('home', {}, { isLasting: true });
  const { zips, counties } = placesOf(filter);
  const nameOf = (fips: string) => `${home?.counties.find((county) => county.fips === fips)?.name ?? 'County'} ${fips}`;
  return (
    <>
      {counties.map((fips) => (
        <Chip
          key={fips}
          isAccent
          label={nameOf(fips)}
          onRemove={() => setCounties(counties.filter((one) => one !== fips))}
        />
      ))}
      {zips.map((zip) => (
        <Chip
          key={zip}
          isAccent
          label={`ZIP ${zip}`}
          onRemove={() => setFields({ zips_include: zips.filter((one) => one !== zip) })}
        />
      ))}
    </>
  );
}

/** An area, drawn on the map or given as text; both fill the same field. */
export function AreaControl({ row }: { row: FilterRow }) {
  const { filter } = usePanel();
  const given = (filter[row.name] as string | undefined) ?? '';
  const [text, setText] = useState(given);
  return (
    <div className="control" data-filter={row.name} title={row.docs}>
      {given === '' ? null : (
        <div className="line">
          <Chip isAccent label="Area" onRemove={() => setFields({ [row.name]: undefined })} />
        </div>
      )}
      <button type="button" className="button full" onClick={() => toggleMode('draw')}>
        <Pentagon aria-hidden />
        Draw an area
        <kbd>D</kbd>
      </button>
      <PopoverButton
        face={given === '' ? 'Paste a shape' : 'Change the area'}
        button="button quiet full"
        label="Area as text"
        side="right"
        align="start"
        onOpen={() => setText((explore.get().filter[row.name] as string | undefined) ?? '')}
      >
        <label className="control">
          <span className="control-label">Area as WKT, longitude latitude</span>
          <textarea
            className="code-block"
            rows={6}
            spellCheck={false}
            placeholder="POLYGON ((-72.1 43.2, -72.0 43.2, -72.0 43.3, -72.1 43.2))"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <div className="line">
          <span className="grow" />
          <Popover.Close className="button">Cancel</Popover.Close>
          <Popover.Close
            className="button primary"
            onClick={() => setFields({ [row.name]: text.trim() === '' ? undefined : text.trim() })}
          >
            Use this area
          </Popover.Close>
        </div>
      </PopoverButton>
    </div>
  );
}
