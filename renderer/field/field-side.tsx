/** At the right: compass and Done, then what moves the map. */
import { Layers, LocateFixed, Minus, Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Heading } from '../location/heading.ts';
import type { MapLibre } from '../map/open-map.ts';
import { useStore } from '../state/store.ts';
import { compassLetters } from './bearing.ts';
import { field, follow, leaveField, toggleSheet } from './field-state.ts';
import type { FieldHere } from './use-field-here.ts';
import type { North } from './use-north.ts';

export function FieldSide({ map, found: { heading, north } }: { map: MapLibre | null; found: FieldHere }) {
  const { isFollowing, sheet } = useStore(field);
  return (
    <div className="field-side">
      <div className="field-ends">
        {heading ? <Compass heading={heading} north={north} /> : null}
        <button type="button" className="field-plate field-done" onClick={() => leaveField()}>
          <X aria-hidden />
          <span>Done</span>
        </button>
      </div>
      <div className="field-tools" role="toolbar" aria-label="The map" aria-orientation="vertical">
        <Tool label="Follow my position" isOn={isFollowing} onPress={follow}>
          <LocateFixed aria-hidden />
        </Tool>
        <Tool label="Layers" isOn={sheet === 'layers'} onPress={() => toggleSheet('layers')}>
          <Layers aria-hidden />
        </Tool>
        <Tool isZoom label="Zoom in" onPress={() => map?.zoomTo(Math.round(map.getZoom() + 1))}>
          <Plus aria-hidden />
        </Tool>
        <Tool isZoom label="Zoom out" onPress={() => map?.zoomTo(Math.round(map.getZoom() - 1))}>
          <Minus aria-hidden />
        </Tool>
      </div>
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  /** Absent: nothing that is on or off. */
  readonly isOn?: boolean;
  readonly isZoom?: true;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

const Tool = ({ label, isOn, isZoom, onPress, children }: ToolProps) => (
  <button
    type="button"
    className={`field-plate field-tool ${isZoom ? 'field-zoom' : ''}`}
    aria-label={label}
    aria-pressed={isOn}
    onClick={onPress}
  >
    {children}
  </button>
);

/** As a compass in the hand: the needle shows north, the words which way the user walks. */
function Compass({ heading: { degrees: course, isOld }, north }: { heading: Heading; north: North }) {
  const degrees = north.shown(course);
  const words = `${Math.round(degrees) % 360}°`;
  return (
    <div
      className="field-plate field-compass"
      data-old={isOld}
      role="img"
      aria-label={`${isOld ? 'Last walked' : 'Walking'} ${words} ${compassLetters(degrees)}, ${north.words}`}
    >
      <svg viewBox="-24 -24 48 48" aria-hidden="true">
        <circle r="22" />
        <path d="M0-18-4-24H4Z" />
        <g style={{ transform: `rotate(${-degrees}deg)` }}>
          <path className="north" d="M0-18 6 0H-6Z" />
          <path className="south" d="M0 18 6 0H-6Z" />
        </g>
      </svg>
      <span className="num">
        {words}
        <br />
        {compassLetters(degrees)}
        {north.words === 'magnetic' ? <small> mag</small> : null}
      </span>
    </div>
  );
}
