/** The card: on which side of the line the user stands, how far from it, what lies beyond, whose land this is. */
import { LocateOff } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { chooseLocation, locationSwitch } from '../location/location-switch.ts';
import { formatArea, squareMetersPerAcre, type UnitSystem } from '../map/units.ts';
import { formatNumber } from '../parts/format.ts';
import { useRead } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { accuracyWords, compassName, lineLength } from './bearing.ts';
import type { FieldHere, ParcelPosition } from './use-field-here.ts';

interface CardProps {
  readonly ref: RefObject<HTMLElement | null>;
  readonly found: FieldHere;
  /** What of the map cannot be shown; null: nothing. */
  readonly fault: string | null;
}

export function FieldCard({ ref, found, fault }: CardProps) {
  const { on } = useStore(locationSwitch);
  const isOld = found.oldSeconds !== null;
  return (
    <section
      ref={ref}
      className="field-plate field-card"
      aria-label="Where I stand"
      data-testid="field-card"
      data-old={isOld}
    >
      {on ? <Standing found={found} /> : <LocationOff />}
      {fault ? <p className="field-note">Some of the map could not be read: {fault}</p> : null}
    </section>
  );
}

const LocationOff = () => (
  <div className="field-off">
    <p className="line">
      <LocateOff aria-hidden />
      <b>Location is off.</b>
    </p>
    <p>The place stays on this computer and is not kept, unless you keep a waypoint, a photo or a track.</p>
    <button
      type="button"
      className="button primary"
      onClick={() => void chooseLocation({ on: true }).catch((error: Error) => toast(error.message))}
    >
      Switch it on
    </button>
  </div>
);

function Standing({ found: { position, parcel, problem, oldSeconds } }: { found: FieldHere }) {
  const { units } = useStore(settings);
  const trouble = problem ? <p className="field-note problem">{problem}</p> : null;
  if (!position)
    return (
      trouble ?? (
        <p className="field-wait" role="status">
          Waiting for a position.
        </p>
      )
    );
  const gps = `GPS ${accuracyWords(position.accuracyMeters, units)}`;
  return (
    <>
      {trouble}
      {oldSeconds === null ? null : (
        <p className="field-note">
          <b>Old: {formatNumber(oldSeconds)} s ago.</b> You may have moved since.
        </p>
      )}
      {parcel ? (
        <OfParcel parcel={parcel} gps={gps} units={units} />
      ) : (
        <div className="field-head">
          <b role="status">{parcel === null ? 'No parcel of this book is near.' : ''}</b>
          <span className="end num">{gps}</span>
        </div>
      )}
    </>
  );
}

const nameOf = ({ apn, property_id: id }: { apn: string; property_id: number }): string => apn || `Parcel ${id}`;

function OfParcel({ parcel, gps, units }: { parcel: ParcelPosition; gps: string; units: UnitSystem }) {
  const { side, beyond, toward } = parcel;
  const { number, unit } = lineLength(parcel.feet_to_line, units);
  const away = `${number} ${unit}`;
  const way = compassName(toward);
  const words: Record<ParcelPosition['side'], readonly [head: ReactNode, line: string]> = {
    inside: ['Inside', `to the ${way} line`],
    outside: ['Outside', `${way} to its line`],
    unsure: [`Cannot tell: the line is ${away} away, ${gps}`, `the line is ${away} ${way}`],
  };
  const [head, line] = words[side];
  const isUnsure = side === 'unsure';
  // He may stand on either: both are named alike.
  const lots = isUnsure && beyond ? [parcel, beyond] : [parcel];
  return (
    <>
      <div className="field-head">
        <b data-testid="field-side">{head}</b>
        {lots.map((lot) => (
          <b key={lot.property_id} className="field-apn apn">
            {nameOf(lot)}
          </b>
        ))}
        {isUnsure ? null : <span className="end num">{gps}</span>}
      </div>
      <div className="field-distance">
        <p className="field-feet num">
          {number} <small>{unit}</small>
        </p>
        <p>
          <span className="field-way">{line}</span>
          <span>{beyondWords(parcel, beyond)}</span>
        </p>
      </div>
      <p className="sr" role="status">
        {isUnsure ? head : `${head} ${nameOf(parcel)}`}
      </p>
      {lots.map((lot) => (
        <Owner key={lot.property_id} parcel={lot} isNamed={lots.length > 1} />
      ))}
    </>
  );
}

/** A road has no parcel, nor has land that is not loaded: the engine cannot tell them apart. */
function beyondWords({ side }: ParcelPosition, beyond: ParcelPosition['beyond']): string {
  const where = side === 'outside' ? 'here' : 'beyond it';
  if (!beyond) return `${where}: a road, or no parcel of this book`;
  if (side === 'unsure') return `${where} ${nameOf(beyond)}`;
  return `${where}: ${nameOf(beyond)}${beyond.owner_name ? `, ${beyond.owner_name}` : ''}`;
}

interface OwnerProps {
  readonly parcel: Pick<ParcelPosition, 'property_id' | 'apn' | 'owner_name'>;
  readonly isNamed: boolean;
}

function Owner({ parcel, isNamed }: OwnerProps) {
  const { property_id: id, owner_name: owner } = parcel;
  const { units } = useStore(settings);
  const { data } = useRead('parcel', { id }, { isLasting: true });
  const isThis = data?.parcel.property_id === id;
  const acres = isThis ? ((data.parcel.acres ?? data.parcel.calculated_acres) as number | null) : null;
  return (
    <div className="field-owner">
      {isNamed ? <b className="apn">{nameOf(parcel)}</b> : null}
      <span>{owner ?? <span className="null">owner not published</span>}</span>
      {acres === null ? null : <span className="end num">{formatArea(acres * squareMetersPerAcre, units)}</span>}
    </div>
  );
}
