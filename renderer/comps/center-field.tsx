/** The center of the circle: the parcel open in Explore, or typed coordinates. */
import { LocateFixed } from 'lucide-react';
import { useEffect, useState } from 'react';
import { explore } from '../explore/explore-state.ts';
import { useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { type Place, placeText, readPlace } from './comps-query.ts';

const same = (a: Place | null, b: Place | null): boolean =>
  a?.latitude === b?.latitude && a?.longitude === b?.longitude;

export function CenterField({ center, onChange }: { center: Place | null; onChange: (center: Place | null) => void }) {
  const [text, setText] = useState(center ? placeText(center) : '');
  const typed = readPlace(text);
  const isWrong = text.trim() !== '' && typed === null;
  // Follows changes from elsewhere (a parcel, the map), but never changes text being typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the center shows that the change came from elsewhere
  useEffect(() => {
    if (center && !same(center, readPlace(text))) setText(placeText(center));
  }, [center]);
  return (
    <>
      <label className="field" data-invalid={isWrong}>
        <input
          aria-label="Center: latitude, longitude"
          aria-invalid={isWrong}
          autoComplete="off"
          spellCheck={false}
          placeholder="Latitude, longitude"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            const place = readPlace(event.target.value);
            if (place && !same(place, center)) onChange(place);
            if (event.target.value.trim() === '') onChange(null);
          }}
        />
      </label>
      {isWrong ? <p className="problem">Latitude first, then longitude: 44.1027, −71.8316</p> : null}
      {center?.name ? <p className="control-label">{center.name}</p> : null}
      <FromParcel center={center} onChange={onChange} />
    </>
  );
}

function FromParcel({ center, onChange }: { center: Place | null; onChange: (center: Place) => void }) {
  const { selected } = useStore(explore);
  const { data } = useRead('parcel', { id: selected ?? 1 }, { when: selected !== null, isLasting: true });
  const point = (selected === null ? null : (data?.parcel.point as [number, number] | null | undefined)) ?? null;
  if (!data || point === null) return null;
  const place = {
    longitude: point[0],
    latitude: point[1],
    name: `parcel ${data.parcel.apn || data.parcel.property_id}`,
  };
  if (same(place, center)) return null;
  return (
    <button type="button" className="button full" onClick={() => onChange(place)}>
      <LocateFixed aria-hidden />
      Around {place.name}
    </button>
  );
}
