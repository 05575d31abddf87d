/** Go to: the selected parcel, a waypoint, or coordinates. */
import { useLayoutEffect, useRef } from 'react';
import { explore } from '../explore/explore-state.ts';
import { PlaceForm } from '../map/place-form.tsx';
import { formatLength, formatPlace } from '../map/units.ts';
import { useRead } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { metersBetween } from './bearing.ts';
import { type Aim, aimAt, field, openMark } from './field-state.ts';
import type { SheetProps } from './sheets.tsx';
import { useMarks } from './use-marks.ts';

/** More would be a list to search, not to press. */
const mostListed = 20;

interface Listed extends Aim {
  readonly key: string;
  readonly meters: number | null;
  /** Null: a parcel. */
  readonly waypoint: number | null;
}

export function GoSheet({ found: { position } }: SheetProps) {
  const { units } = useStore(settings);
  const selected = useSelectedAim();
  const { waypoints } = useMarks();
  const far = (to: { longitude: number; latitude: number }) => (position ? metersBetween(position, to) : null);
  const nearest = waypoints
    .map(
      ({ waypoint_id: id, name, longitude, latitude }): Listed => ({
        key: `waypoint ${id}`,
        name,
        longitude,
        latitude,
        meters: far({ longitude, latitude }),
        waypoint: id,
      }),
    )
    .sort((a, b) => (a.meters ?? 0) - (b.meters ?? 0));
  const listed: Listed[] = [
    ...(selected ? [{ ...selected, key: 'selected', meters: far(selected), waypoint: null }] : []),
    ...nearest.slice(0, mostListed),
  ];
  const places = useRef<HTMLUListElement>(null);
  const hasPlaces = listed.length > 0;
  // A waypoint kept a moment ago comes after the sheet: it takes the keyboard from the empty field below.
  useLayoutEffect(() => {
    const { activeElement: active } = document;
    const isWaiting = active?.closest('.field-sheet') && (!(active instanceof HTMLInputElement) || active.value === '');
    if (hasPlaces && isWaiting) places.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, [hasPlaces]);
  return (
    <>
      <StopGoing />
      {hasPlaces ? (
        <ul ref={places} className="field-list" aria-label="Places">
          {listed.map(({ key, name, meters, waypoint, longitude, latitude }, i) => (
            <li key={key}>
              <button
                type="button"
                className="button grow"
                data-first={i === 0 ? true : undefined}
                onClick={() => aimAt({ name, longitude, latitude })}
              >
                <span className="grow">{waypoint === null ? `${name}, the selected parcel` : name}</span>
                {meters === null ? null : <span className="num">{formatLength(meters, units)}</span>}
              </button>
              {waypoint === null ? null : (
                <button
                  type="button"
                  className="button"
                  aria-label={`Edit ${name}`}
                  onClick={() => openMark('waypoint', waypoint)}
                >
                  …
                </button>
              )}
            </li>
          ))}
        </ul>
      ) : null}
      {nearest.length > mostListed ? <p>{nearest.length - mostListed} farther waypoints are on the map.</p> : null}
      <PlaceForm
        className="field-form"
        onPlace={(longitude, latitude) => aimAt({ name: formatPlace(longitude, latitude), longitude, latitude })}
      />
    </>
  );
}

/** First, so that G and Enter stop what they began. */
function StopGoing() {
  const { aim } = useStore(field);
  return aim ? (
    <button type="button" className="button" data-first onClick={() => aimAt(null)}>
      Stop going to {aim.name}
    </button>
  ) : null;
}

function useSelectedAim(): Aim | null {
  const { selected } = useStore(explore);
  const { data } = useRead('parcel', { id: selected ?? 0 }, { when: selected !== null, isLasting: true });
  if (selected === null || data?.parcel.property_id !== selected) return null;
  const [longitude, latitude] = (data.parcel.point as readonly [number, number] | null) ?? [];
  if (longitude === undefined || latitude === undefined) return null;
  return { name: String(data.parcel.apn || `Parcel ${selected}`), longitude, latitude };
}
