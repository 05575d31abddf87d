/**
 * Comps on a map: ● sold ◐ pending ○ active by shape, a circle whose center and edge can be dragged, and a selection
 * shared with the table. Implements `comps/comps-map-place.tsx`.
 */
import { circle as circleAround, destination, distance } from '@turf/turf';
import type { FeatureCollection } from 'geojson';
import type { ExpressionSpecification, LayerSpecification, MapMouseEvent, StyleSpecification } from 'maplibre-gl';
import { useEffect, useMemo, useRef } from 'react';
import type { CompsCircle, CompsMapProps, CompsMap as CompsMapType, MapComp } from '../comps/comps-map-place.tsx';
import { useStore } from '../state/store.ts';
import { type DragEvent, isTouch, onDrag } from './drag.ts';
import { fillByName } from './fills.ts';
import { CompsMapPlace } from './map-places.tsx';
import { type MapSources, useMapSources } from './map-sources.ts';
import { mapMemory } from './map-state.ts';
import { buildStyle } from './map-style.ts';
import type { MapTokens } from './map-tokens.ts';
import type { MapLibre } from './open-map.ts';
import { useMapTokens, useOpenMap } from './use-open-map.ts';
import { usePicked } from './use-picked.ts';

const label = 'Map of the comps. Arrow keys move it, plus and minus zoom; the table has every comp.';

export const CompsMap: CompsMapType = (props) => {
  const sources = useMapSources();
  return sources ? <ShownComps {...props} sources={sources} /> : <CompsMapPlace />;
};

type ShownProps = CompsMapProps & { readonly sources: MapSources };

function ShownComps(props: ShownProps) {
  const { sources, circle, comps, propertyId } = props;
  const tokens = useMapTokens();
  const style = useCompsStyle(props, tokens);
  const [longitude, latitude] = circle
    ? [circle.longitude, circle.latitude]
    : [comps[0]?.longitude ?? -98, comps[0]?.latitude ?? 39];
  const { container, map, failure } = useOpenMap({
    label,
    center: [longitude, latitude],
    zoom: 11,
    style,
    tokens,
    handlers: { onBox: () => {}, onShiftClick: () => {} },
  });
  const held = useCircleHandles(map, props);
  useFit(map, props, held);
  useCompPointer(map, props);
  const subject = useMemo(() => (propertyId === null ? [] : [propertyId]), [propertyId]);
  usePicked(map, subject, null, sources.parcels.generation);
  return (
    <section className="comps-map of-map" aria-label="Where the comps lie">
      {failure ? <p className="map-note">{failure}</p> : <div ref={container} className="map-canvas" />}
      <p className="map-attribution">{sources.outlines.attribution}</p>
    </section>
  );
}

const pointOf = ({ id, status, longitude, latitude, isUsed }: MapComp, chosen: boolean) => ({
  type: 'Feature' as const,
  geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  properties: { id, status, chosen, isUsed },
});

function collection(features: FeatureCollection['features']): FeatureCollection {
  return { type: 'FeatureCollection', features };
}

/** The center, and the point of the edge due east, dragged for the radius. */
function handlesOf({ longitude, latitude, meters }: CompsCircle): { center: [number, number]; edge: [number, number] } {
  const edge = destination([longitude, latitude], meters, 90, { units: 'meters' }).geometry.coordinates;
  return { center: [longitude, latitude], edge: [edge[0] ?? longitude, edge[1] ?? latitude] };
}

function useCompsStyle(props: ShownProps, tokens: MapTokens): StyleSpecification {
  const { sources, comps, circle, center, selected, highlighted } = props;
  const { layers, look, photo } = useStore(mapMemory);
  return useMemo(() => {
    const base = buildStyle({
      dots: null,
      isGrid: false,
      sources,
      tokens,
      fill: fillByName(''),
      limits: [],
      cellLimits: [],
      units: 'ft, ac',
      memory: { layers, label: 'none', look, photo },
      marks: center ? [center] : [],
      area: null,
      sides: [],
      own: compLayers(tokens),
    });
    const points = comps.map((comp) => pointOf(comp, comp.id === selected || comp.id === highlighted));
    const around = circle
      ? [circleAround([circle.longitude, circle.latitude], circle.meters, { units: 'meters', steps: 128 })]
      : [];
    const handles = circle ? Object.values(handlesOf(circle)) : [];
    return {
      ...base,
      sources: {
        ...base.sources,
        'comp-points': { type: 'geojson', data: collection(points) },
        'comp-circle': { type: 'geojson', data: collection(around) },
        'comp-handles': { type: 'geojson', data: { type: 'MultiPoint', coordinates: handles } },
      },
    };
  }, [sources, tokens, layers, look, photo, comps, circle, center, selected, highlighted]);
}

const isStatus = (status: MapComp['status']): ExpressionSpecification => ['==', ['get', 'status'], status];

/** Over a whole county hundreds of comps would hide the towns. */
const smallerFarOut = (far: ExpressionSpecification | number, near: ExpressionSpecification | number) =>
  ['interpolate', ['linear'], ['zoom'], 9, far, 12, near] as ExpressionSpecification;

/** Full dot, open ring, or half (a ring with its own image): shapes distinguish them. */
function compLayers(tokens: MapTokens): LayerSpecification[] {
  const byStatus = (sold: string | number, other: string | number): ExpressionSpecification => [
    'case',
    isStatus('SOLD'),
    sold,
    other,
  ];
  return [
    {
      id: 'comp-circle-line',
      type: 'line',
      source: 'comp-circle',
      paint: { 'line-color': tokens.select, 'line-width': 2, 'line-dasharray': [4, 2] },
    },
    {
      id: 'comp-handle',
      type: 'circle',
      source: 'comp-handles',
      paint: {
        'circle-radius': tokens.isOutdoor ? 10 : 7,
        'circle-color': tokens.selectCasing,
        'circle-stroke-color': tokens.select,
        'circle-stroke-width': 3,
      },
    },
    {
      id: 'comp-used',
      type: 'circle',
      source: 'comp-points',
      filter: ['==', ['get', 'isUsed'], true],
      paint: {
        'circle-radius': 9,
        'circle-color': tokens.selectCasing,
        'circle-stroke-color': tokens.comp,
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'comp-chosen',
      type: 'circle',
      source: 'comp-points',
      filter: ['==', ['get', 'chosen'], true],
      paint: {
        'circle-radius': 11,
        'circle-color': tokens.selectCasing,
        'circle-stroke-color': tokens.select,
        'circle-stroke-width': 3,
      },
    },
    {
      id: 'comp-dot',
      type: 'circle',
      source: 'comp-points',
      paint: {
        'circle-radius': smallerFarOut(byStatus(3.5, 2.8), byStatus(5, 4)),
        'circle-color': byStatus(tokens.comp, tokens.lot),
        // An edge separates a dot from those below it.
        'circle-stroke-color': byStatus(tokens.selectCasing, tokens.comp),
        'circle-stroke-width': byStatus(1, 2),
      },
    },
    {
      id: 'comp-half',
      type: 'symbol',
      source: 'comp-points',
      filter: isStatus('PENDING'),
      layout: {
        'icon-image': 'half',
        'icon-size': smallerFarOut(0.7, 1),
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
      },
    },
  ];
}

/** Fits the circle, else all comps, else the county, whenever it changes; not during a drag. */
function useFit(map: MapLibre | null, props: ShownProps, held: React.RefObject<Handle | null>): void {
  const { circle, center, comps, fips, sources } = props;
  const key = circle
    ? `${circle.longitude} ${circle.latitude} ${circle.meters}`
    : `${fips} ${comps.length} ${comps[0]?.id ?? center}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for circle and comps
  useEffect(() => {
    if (!map || held.current) return;
    const county = sources.counties.find((one) => one.fips === fips)?.bounds ?? null;
    const box = circle ? boxOfCircle(circle) : (boxOfPlaces(comps, center) ?? county);
    if (box)
      map.fitBounds([...box] as Bounds, {
        padding: 24,
        animate: false,
        maxZoom: comps.length > 0 || circle ? 15 : 13.5,
      });
  }, [map, key]);
}

type Bounds = [west: number, south: number, east: number, north: number];

function boxOfCircle({ longitude, latitude, meters }: CompsCircle): Bounds {
  const to = (bearing: number) =>
    destination([longitude, latitude], meters, bearing, { units: 'meters' }).geometry.coordinates;
  return [to(-90)[0] as number, to(180)[1] as number, to(90)[0] as number, to(0)[1] as number];
}

function boxOfPlaces(comps: readonly MapComp[], center: CompsMapProps['center']): Bounds | null {
  const places = [...(center ? [center] : []), ...comps.map((comp) => [comp.longitude, comp.latitude] as const)];
  if (places.length === 0) return null;
  const [x, y] = [places.map(([longitude]) => longitude), places.map(([, latitude]) => latitude)];
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
}

function useCompPointer(map: MapLibre | null, props: ShownProps): void {
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (!map) return;
    const at = ({ point: { x, y } }: MapMouseEvent): string | null => {
      if (!map.getLayer('comp-dot')) return null;
      const [found] = map.queryRenderedFeatures(
        [
          [x - 4, y - 4],
          [x + 4, y + 4],
        ],
        { layers: ['comp-dot'] },
      );
      return (found?.properties.id as string | undefined) ?? null;
    };
    const click = (event: MapMouseEvent) => latest.current.onSelect(at(event));
    const move = (event: MapMouseEvent) => {
      const id = at(event);
      if (id !== latest.current.highlighted) latest.current.onHighlight(id);
    };
    const leave = () => latest.current.onHighlight(null);
    map.on('click', click);
    map.on('mousemove', move);
    map.on('mouseout', leave);
    return () => {
      map.off('click', click);
      map.off('mousemove', move);
      map.off('mouseout', leave);
    };
  }, [map]);
}

const shortestMeters = 100;
/** How far from a handle a press takes it. */
const mousePixels = 12;
const fingerPixels = 24;
type Handle = 'center' | 'edge';

/** Drags the edge for the radius, and the center unless a parcel fixes it. */
function useCircleHandles(map: MapLibre | null, props: ShownProps): React.RefObject<Handle | null> {
  const held = useRef<Handle | null>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (!map) return;
    const handleAt = (event: DragEvent): Handle | null => {
      const { circle, propertyId } = latest.current;
      if (!circle) return null;
      const { center, edge } = handlesOf(circle);
      const reach = isTouch(event) ? fingerPixels : mousePixels;
      const isNear = (place: [number, number]) => map.project(place).dist(event.point) <= reach;
      if (isNear(edge)) return 'edge';
      return propertyId === null && isNear(center) ? 'center' : null;
    };
    const press = (event: DragEvent) => {
      held.current = handleAt(event);
      if (held.current) event.preventDefault();
    };
    const move = (event: DragEvent) => {
      const { circle, onCircle } = latest.current;
      if (!held.current || !circle) {
        map.getCanvas().style.cursor = handleAt(event) ? 'move' : '';
        return;
      }
      onCircle(moved(circle, held.current, event.lngLat));
    };
    const release = () => {
      held.current = null;
    };
    return onDrag(map, { press, move, release, drop: release });
  }, [map]);
  return held;
}

function moved(circle: CompsCircle, held: Handle, { lng, lat }: { lng: number; lat: number }): CompsCircle {
  if (held === 'center') return { ...circle, longitude: lng, latitude: lat };
  const meters = distance([circle.longitude, circle.latitude], [lng, lat], { units: 'meters' });
  return { ...circle, meters: Math.max(shortestMeters, Math.round(meters)) };
}
