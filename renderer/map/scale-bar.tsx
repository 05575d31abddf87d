/** Feet or miles above, meters or kilometers below, always both: tape measures have either. */
import { useStore } from '../state/store.ts';
import { mapPresence } from './map-state.ts';
import { scaleSteps } from './units.ts';

const longest = 90;

export function ScaleBar() {
  const { metersPerPixel } = useStore(mapPresence);
  if (metersPerPixel === 0) return null;
  const { feet, meters } = scaleSteps(metersPerPixel, longest);
  const width = Math.max(feet.pixels, meters.pixels);
  return (
    <div className="map-scale num" role="img" aria-label={`Scale: this long is ${feet.words}, or ${meters.words}`}>
      <svg width={width + 2} height={26} aria-hidden="true">
        <path d={`M.75 8v5h${feet.pixels}v-5M.75 18v-5h${meters.pixels}v5`} />
      </svg>
      <span>
        {feet.words}
        <br />
        {meters.words}
      </span>
    </div>
  );
}
