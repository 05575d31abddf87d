/** The comps of a value on a map, around the parcel: those used are ringed. */

import { useMemo } from 'react';
import { CompKey } from '../comps/comp-mark.tsx';
import type { MapComp } from '../comps/comps-map-place.tsx';
import { compsView, highlightComp, openComp } from '../comps/comps-state.ts';
import { CompsMap } from '../map/comps-map.tsx';
import { useStore } from '../state/store.ts';
import type { ShownValue } from './value-words.ts';

export function ValueMap({
  value,
  propertyId,
  center,
}: {
  value: ShownValue;
  propertyId: number;
  center: readonly [number, number] | null;
}) {
  const { highlighted, opened } = useStore(compsView);
  const comps = useMemo(
    () => [
      ...value.left_out.comps.map((comp): MapComp => ({ ...comp, isUsed: false })),
      ...value.used.map((comp): MapComp => ({ ...comp, isUsed: true })),
    ],
    [value],
  );
  return (
    <section className="value-section" aria-labelledby="where-title">
      <div className="section-title">
        <h3 id="where-title">Where they lie</h3>
        <p className="quieter">ringed: used in the value</p>
      </div>
      <div className="value-map">
        <CompsMap
          comps={comps}
          circle={null}
          center={center}
          propertyId={propertyId}
          fips={null}
          selected={opened}
          highlighted={highlighted}
          onSelect={openComp}
          onHighlight={highlightComp}
          onCircle={() => {}}
        />
      </div>
      <CompKey />
    </section>
  );
}
