/** Tools while drawing an area or measuring: a bar over the map, and the drawing itself. */
import { area, length } from '@turf/turf';
import type { MultiPolygon, Polygon } from 'geojson';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Segments } from '../parts/segments.tsx';
import { useFocusBack } from '../parts/use-focus-back.ts';
import { useRead } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { parseArea, toWkt } from './area-wkt.ts';
import { crossesItself } from './crossing.ts';
import { type Drawing, type DrawnShape, openDrawing } from './drawing.ts';
import { boxOf } from './geometry-box.ts';
import { setMode } from './map-state.ts';
import type { MapTokens } from './map-tokens.ts';
import type { MapLibre } from './open-map.ts';
import { sidesOf } from './sides.ts';
import { formatArea, formatLength, type UnitSystem } from './units.ts';
import { whenStyled } from './when-styled.ts';

interface DrawProps {
  readonly map: MapLibre;
  readonly tokens: MapTokens;
}

/** Draws the area of the filter. @param area WKT of the current one, if any */
export function DrawBar({
  map,
  tokens,
  area: given,
  onArea,
}: DrawProps & { area: string | null; onArea: (wkt: string | null) => void }) {
  const drawing = useRef<Drawing | null>(null);
  const latest = useRef({ given, onArea });
  latest.current = { given, onArea };
  /** The area in the drawing. */
  const drawn = useRef(given);
  useFocusBack(true);
  useEffect(
    () =>
      whenStyled(map, () => {
        const open = openDrawing({
          map,
          tokens,
          onChange: () => {},
          onFinish: (shape) => {
            if (shape.type !== 'Polygon') return;
            drawn.current = toWkt(shape);
            latest.current.onArea(drawn.current);
            open.edit(shape);
          },
        });
        drawing.current = open;
        // A theme change reopens it with the current area.
        drawn.current = latest.current.given;
        showArea(open, drawn.current);
        return () => {
          drawing.current = null;
          open.close();
        };
      }),
    [map, tokens],
  );
  // Undo, a saved search and Clear change it outside the drawing.
  useEffect(() => {
    if (given === drawn.current || !drawing.current) return;
    drawn.current = given;
    showArea(drawing.current, given);
  }, [given]);
  const hasArea = given !== null;
  const isCrossing = useMemo(() => given !== null && crossesItself(parseArea(given)), [given]);
  return (
    <div className="map-float map-bar" role="toolbar" aria-label="Draw an area">
      <span>
        {isCrossing ? 'The line crosses itself: the area inside any of its loops is searched. ' : ''}
        {hasArea
          ? 'Drag a corner to change the area.'
          : 'Click the corners, or press Space under the cross; a double click or Enter ends.'}
      </span>
      {hasArea ? (
        <button type="button" className="button" onClick={() => onArea(null)}>
          Delete
        </button>
      ) : null}
      <button type="button" className="button" onClick={() => setMode('browse')}>
        {hasArea ? 'Done' : 'Cancel'}
      </button>
    </div>
  );
}

/** Makes an area editable by its corners; one of several polygons has to be redrawn. */
function showArea(drawing: Drawing, wkt: string | null): void {
  const standing = wkt === null ? null : parseArea(wkt);
  if (standing?.type === 'Polygon') drawing.edit(standing);
  else drawing.begin('polygon');
}

type Measured = 'distance' | 'area' | 'parcel';

const measures = [
  { value: 'distance', label: 'Distance' },
  { value: 'area', label: 'Area' },
  { value: 'parcel', label: 'Parcel' },
] as const;

/** Measures a line, an area, or the sides of the selected parcel. */
export function MeasureBar({
  map,
  tokens,
  selected,
  onLot,
}: DrawProps & { selected: number | null; onLot: (shape: Polygon | MultiPolygon | null) => void }) {
  const { units } = useStore(settings);
  useFocusBack(true);
  const [what, setWhat] = useState<Measured>('distance');
  const [shape, setShape] = useState<DrawnShape | null>(null);
  useEffect(() => {
    let measured: DrawnShape | null = null;
    const keep = (next: DrawnShape | null) => {
      measured = next;
      setShape(next);
    };
    keep(null);
    if (what === 'parcel') return;
    return whenStyled(map, () => {
      const standing = measured;
      const open = openDrawing({ map, tokens, onChange: keep, onFinish: keep });
      open.begin(what === 'area' ? 'polygon' : 'linestring', standing);
      return () => open.close();
    });
  }, [map, tokens, what]);
  const { data } = useRead(
    'parcel',
    { id: selected ?? 0 },
    { when: what === 'parcel' && selected !== null, isLasting: true },
  );
  const lot =
    what === 'parcel' && selected !== null ? (data?.parcel.shape as Polygon | MultiPolygon | null | undefined) : null;
  useEffect(() => {
    onLot(lot ?? null);
    return () => onLot(null);
  }, [lot, onLot]);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (lot && bar.current) fitBelow(map, lot, bar.current);
  }, [map, lot]);
  return (
    <div ref={bar} className="map-float map-bar" role="toolbar" aria-label="Measure">
      <Segments label="What to measure" value={what} choices={measures} onChange={setWhat} />
      <output className="num" aria-live="polite">
        {what === 'parcel' ? parcelWords(selected, lot ?? null, units) : shapeWords(what, shape, units)}
      </output>
      <button type="button" className="button" onClick={() => setMode('browse')}>
        Done
      </button>
    </div>
  );
}

/** Brings a measured lot out from under the bar, where its sides could not be read. */
function fitBelow(map: MapLibre, lot: Polygon | MultiPolygon, bar: HTMLElement): void {
  const box = boxOf(lot);
  if (!box) return;
  const [west, south, east, north] = box;
  const top = bar.getBoundingClientRect().bottom - map.getContainer().getBoundingClientRect().top;
  const corners = [map.project([west, north]), map.project([east, south])];
  const { clientWidth: width, clientHeight: height } = map.getContainer();
  if (corners.every(({ x, y }) => x >= 0 && x <= width && y >= top && y <= height)) return;
  const padding = { top: top + 24, right: 32, bottom: 24, left: 32 };
  map.fitBounds([west, south, east, north], { padding, maxZoom: 17, duration: 400, linear: true });
}

function shapeWords(what: Measured, shape: DrawnShape | null, units: UnitSystem): string {
  if (!shape)
    return `Click the ${what === 'area' ? 'corners of the area' : 'points of the line'}, or press Space under the cross.`;
  const feature = { type: 'Feature', geometry: shape, properties: {} } as const;
  const around = formatLength(length(feature, { units: 'meters' }), units);
  if (shape.type !== 'Polygon') return around;
  if (crossesItself(shape)) return `The line crosses itself, and has no area; around it ${around}`;
  return `${formatArea(area(feature), units)}, around it ${around}`;
}

function parcelWords(selected: number | null, lot: Polygon | MultiPolygon | null, units: UnitSystem): string {
  if (selected === null) return 'Select a parcel: its sides are measured.';
  if (!lot) return 'The parcel has no shape.';
  const sides = sidesOf(lot);
  const around = sides.reduce((sum, { meters }) => sum + meters, 0);
  return `${formatArea(area(lot), units)}, ${sides.length} sides, around it ${formatLength(around, units)}`;
}
