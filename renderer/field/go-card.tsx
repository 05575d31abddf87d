/** Where the user goes: which way, and how far. */
import { X } from 'lucide-react';
import { formatLength } from '../map/units.ts';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { bearingTo, bearingWords, metersBetween, turnWords } from './bearing.ts';
import { aimAt, field } from './field-state.ts';
import type { FieldHere } from './use-field-here.ts';

export function GoCard({ found: { position, heading, north, oldSeconds } }: { found: FieldHere }) {
  const { aim } = useStore(field);
  const { units } = useStore(settings);
  if (!aim) return null;
  const leave = (
    <button type="button" className="field-plain" aria-label={`Stop going to ${aim.name}`} onClick={() => aimAt(null)}>
      <X aria-hidden />
    </button>
  );
  if (!position)
    return (
      <div className="field-plate field-go">
        <p>{aim.name}: waiting for a position.</p>
        {leave}
      </div>
    );
  const walked = heading && !heading.isOld ? heading.degrees : null;
  const meters = metersBetween(position, aim);
  const bearing = bearingTo(position, aim);
  const isThere = meters <= position.accuracyMeters;
  const way = isThere
    ? 'you are there, as far as the GPS can tell'
    : walked !== null
      ? turnWords(bearing, walked)
      : `${bearingWords(north.shown(bearing))}, ${north.words}`;
  // Turned as the user walks; on the map's north while he stands.
  const turn = walked === null ? bearing : bearing - walked;
  return (
    <div className="field-plate field-go" data-old={oldSeconds !== null} data-testid="field-go">
      <svg viewBox="-24 -24 48 48" aria-hidden="true">
        <circle r="22" />
        <path d="M0-17 12 13 0 7-12 13Z" style={{ transform: `rotate(${turn}deg)` }} />
      </svg>
      <p className="field-far num">
        {formatLength(meters, units)} · {bearingWords(north.shown(bearing))}
      </p>
      <p className="field-turn">
        {aim.name}: {way}
      </p>
      {leave}
    </div>
  );
}
