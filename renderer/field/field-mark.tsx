/** The user on the map: a point, the circle of its accuracy, and the way he walks. */
import { HereMark } from '../map/here-layer.tsx';
import type { MapLibre } from '../map/open-map.ts';
import type { FieldHere } from './use-field-here.ts';

export const FieldMark = ({ map, found: { position, oldSeconds, heading } }: { map: MapLibre; found: FieldHere }) =>
  position ? (
    <HereMark map={map} position={position} isOld={oldSeconds !== null}>
      {heading ? (
        <i className="field-cone" data-old={heading.isOld} style={{ transform: `rotate(${heading.degrees}deg)` }} />
      ) : null}
    </HereMark>
  ) : null;
