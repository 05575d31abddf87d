/**
 * The user's position over the map: a point, the circle of its accuracy, and its location relative to the line. Drawn
 * over the map instead of in its style, which would be compared as a whole every second.
 */
import { Navigation } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { locationSwitch } from '../location/location-switch.ts';
import type { HerePosition } from '../location/position-state.ts';
import { type Here, useHere } from '../location/use-here.ts';
import { whereAmI } from '../location/where-am-i.ts';
import { formatNumber } from '../parts/format.ts';
import { Hint } from '../parts/hint.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import type { MapLibre } from './open-map.ts';
import { metersPerPixel } from './units.ts';

/** Shows nothing while the switch is off. */
export function HereLayer({ map }: { map: MapLibre | null }) {
  const { on } = useStore(locationSwitch);
  return on && map ? <ShownHere map={map} /> : null;
}

function ShownHere({ map }: { map: MapLibre }) {
  const found = useHere();
  return (
    <>
      {found.position ? <HereMark map={map} position={found.position} isOld={found.oldSeconds !== null} /> : null}
      <HereWords here={found} />
    </>
  );
}

interface MarkProps {
  readonly map: MapLibre;
  readonly position: HerePosition;
  readonly isOld: boolean;
  /** Beside the point. */
  readonly children?: ReactNode;
}

export function HereMark({ map, position, isOld, children }: MarkProps) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = () => {
      const element = mark.current;
      if (!element) return;
      const { x, y } = map.project([position.longitude, position.latitude]);
      const radius = position.accuracyMeters / metersPerPixel(position.latitude, map.getZoom());
      element.style.transform = `translate(${x}px, ${y}px)`;
      element.style.setProperty('--here-radius', `${radius}px`);
    };
    place();
    map.on('move', place);
    map.on('resize', place);
    return () => {
      map.off('move', place);
      map.off('resize', place);
    };
  }, [map, position]);
  return (
    <div className="map-here-clip" aria-hidden="true">
      <div ref={mark} className="map-here" data-old={isOld}>
        <i className="map-here-circle" />
        {children}
        <i className="map-here-point" />
      </div>
    </div>
  );
}

/** The engine's limit of accuracy; 100 km say nothing about a place. */
const worstAccuracyMeters = 100_000;

function HereWords({ here: found }: { here: Here }) {
  const { position, problem, oldSeconds } = found;
  const client = useClient();
  return (
    <div className="map-float map-here-words" data-testid="here" data-old={oldSeconds !== null}>
      <Hint text="Where am I: select the parcel here  W">
        <button type="button" className="button icon" aria-label="Where am I" onClick={() => whereAmI(client)}>
          <Navigation aria-hidden />
        </button>
      </Hint>
      <p role="status">
        {problem ? <span className="problem">{problem} </span> : null}
        {oldSeconds === null ? null : <b>Old: {formatNumber(oldSeconds)} s ago. </b>}
        {position ? <AgainstLine position={position} /> : problem ? null : 'Waiting for a position.'}
      </p>
    </div>
  );
}

function AgainstLine({ position: { longitude, latitude, accuracyMeters } }: { position: HerePosition }) {
  const { data, isPlaceholderData } = useRead('position_in_parcel', {
    longitude,
    latitude,
    accuracy_meters: Math.min(accuracyMeters, worstAccuracyMeters),
  });
  // The sentence of the previous position would be shown for this one.
  if (!data || isPlaceholderData) return null;
  const { position } = data;
  if (!position) return <span data-testid="here-sentence">No parcel of this book is near.</span>;
  const name = position.apn || `Parcel ${position.property_id}`;
  return (
    <span data-testid="here-sentence">
      {name}: {position.sentence}
    </span>
  );
}
