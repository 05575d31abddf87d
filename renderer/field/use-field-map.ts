/** The map of Field mode: it keeps the position in the middle of its free part, and the parcel outlined. */
import type { Feature, FeatureCollection } from 'geojson';
import type { GeoJSONSource, MapMouseEvent } from 'maplibre-gl';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { explore } from '../explore/explore-state.ts';
import { countyBox } from '../map/camera.ts';
import { fillByName } from '../map/fills.ts';
import { useDrawnLayers, withoutGround } from '../map/ground-pace.ts';
import { aimSource, trackSource } from '../map/kept-sources.ts';
import type { MapSources } from '../map/map-sources.ts';
import { mapMemory } from '../map/map-state.ts';
import { buildStyle } from '../map/map-style.ts';
import type { MapTokens } from '../map/map-tokens.ts';
import type { MapLibre, StyleSpecification } from '../map/open-map.ts';
import { useGroundPace } from '../map/use-ground-pace.ts';
import { type UsedMap, useMapTokens, useOpenMap } from '../map/use-open-map.ts';
import { usePicked } from '../map/use-picked.ts';
import { usePresence } from '../map/use-presence.ts';
import { whenStyled } from '../map/when-styled.ts';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { type LonLat, lineLength } from './bearing.ts';
import { withWalk } from './field-layers.ts';
import { type Plate, pressedMark } from './field-plates.ts';
import { askWhose, field, openMark } from './field-state.ts';
import type { RunningTrack } from './track.ts';
import type { FieldHere } from './use-field-here.ts';
import { useMarksOnMap } from './use-marks.ts';

const label = 'Map. Arrow keys move it, plus and minus zoom, Enter says whose land is under the cross in the middle.';
/** Lots with their names. */
const nearZoom = 16;

interface UsedFieldMap extends UsedMap {
  readonly card: RefObject<HTMLElement | null>;
  readonly low: RefObject<HTMLDivElement | null>;
}

export function useFieldMap(
  sources: MapSources,
  found: FieldHere,
  track: RunningTrack | null,
  isSaving: boolean,
): UsedFieldMap {
  const tokens = useMapTokens();
  const { plates, data } = useMarksOnMap();
  const style = useFieldStyle(sources, tokens, isSaving, found.parcel !== null, data);
  const { homeKey, filter, selected } = useStore(explore);
  const memory = useStore(mapMemory);
  const county = countyBox(sources, filter);
  const used = useOpenMap({
    label,
    focusName: 'map',
    center: memory.center ?? (county ? [(county[0] + county[2]) / 2, (county[1] + county[3]) / 2] : [-98, 39]),
    zoom: memory.zoom,
    style,
    tokens,
    handlers: { onBox: () => {}, onShiftClick: () => {} },
  });
  const { map } = used;
  const [card, low] = [useRef<HTMLElement>(null), useRef<HTMLDivElement>(null)];
  useFreePart(map, card, low);
  usePresence(map, homeKey);
  useGroundPace(map, sources);
  useCross(map, plates);
  useFollowing(map, found);
  const standing = found.parcel?.property_id ?? selected;
  // Where the card cannot tell, both lots are outlined alike.
  const other = found.parcel?.side === 'unsure' ? (found.parcel.beyond?.property_id ?? null) : null;
  const outlined = useMemo(() => [standing, other].filter((id) => id !== null), [standing, other]);
  usePicked(map, outlined, null, sources.parcels.generation);
  useAimLines(map, found);
  useLine(map, trackSource, track?.line ?? none);
  return { ...used, card, low };
}

const none: readonly LonLat[] = [];

function useFieldStyle(
  sources: MapSources,
  tokens: MapTokens,
  isSaving: boolean,
  isOnCard: boolean,
  marks: FeatureCollection,
): StyleSpecification {
  const layers = useDrawnLayers();
  const { look, photo } = useStore(mapMemory);
  const { units } = useStore(settings);
  return useMemo(() => {
    const spared = isSaving ? withoutGround(layers, ['relief']) : layers;
    const style = buildStyle({
      sources,
      tokens,
      fill: fillByName('acres'),
      limits: [],
      units,
      cellLimits: [],
      dots: null,
      isGrid: false,
      memory: { layers: spared, label: 'named', look, photo },
      marks: [],
      area: null,
      sides: [],
    });
    // The card names the parcel; its label would lie under the position.
    const lettered = style.layers.filter(({ id }) => !isOnCard || !id.startsWith('lot-label-selected'));
    return withWalk({ ...style, layers: lettered }, tokens, marks);
  }, [sources, tokens, layers, look, photo, units, isSaving, isOnCard, marks]);
}

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/**
 * The largest part of the map that neither the card nor what is below covers.
 * @param atRight the top of what is below, at the right of the card
 */
function freePart({ width, height }: DOMRect, card: Box, low: Box, atRight: number): Box {
  const parts: readonly Box[] = [
    { left: 0, top: card.bottom, right: width, bottom: low.top },
    { left: card.right, top: 0, right: width, bottom: atRight },
    { left: 0, top: card.bottom, right: low.left, bottom: height },
  ];
  const areaOf = ({ left, top, right, bottom }: Box) => Math.max(0, right - left) * Math.max(0, bottom - top);
  return parts.reduce((best, part) => (areaOf(part) > areaOf(best) ? part : best));
}

/** The map's middle is that of its free part, so that nothing covers the position. */
function useFreePart(
  map: MapLibre | null,
  card: RefObject<HTMLElement | null>,
  low: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const [above, below] = [card.current, low.current];
    if (!map || !above || !below) return;
    const measure = () => {
      const window = map.getContainer().getBoundingClientRect();
      const [card, low] = [above.getBoundingClientRect(), below.getBoundingClientRect()];
      const state = below.querySelector('.field-state')?.getBoundingClientRect();
      const { left, top, right, bottom } = freePart(window, card, low, state?.height ? state.top : low.top);
      // A card that is higher than the window, with large text, leaves no free part.
      const within = (pixels: number) => Math.max(0, pixels);
      map.setPadding({
        left: within(left),
        top: within(top),
        right: within(window.width - right),
        bottom: within(window.height - bottom),
      });
      const style = map.getContainer().closest<HTMLElement>('.field-mode')?.style;
      style?.setProperty('--free-middle', `${(top + bottom) / 2}px`);
      style?.setProperty('--free-center', `${(left + right) / 2}px`);
    };
    const observer = new ResizeObserver(measure);
    for (const one of [above, below, map.getContainer()]) observer.observe(one);
    measure();
    return () => observer.disconnect();
  }, [map, card, low]);
}

function useCross(map: MapLibre | null, plates: readonly Plate[]): void {
  const latest = useRef(plates);
  latest.current = plates;
  useEffect(() => {
    if (!map) return;
    const canvas = map.getCanvas();
    const tell = () => {
      const { lng, lat } = map.getCenter();
      field.set({ cross: { longitude: lng, latitude: lat } });
    };
    const roam = () => field.set({ isFollowing: false });
    const press = (event: KeyboardEvent) => {
      if (event.key.startsWith('Arrow')) roam();
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      const { lng, lat } = map.getCenter();
      askWhose({ longitude: lng, latitude: lat });
    };
    const click = ({ point, lngLat }: MapMouseEvent) => {
      const mark = pressedMark(map, latest.current, point);
      if (mark) openMark(mark.kind, mark.id);
      else askWhose({ longitude: lngLat.lng, latitude: lngLat.lat });
    };
    map.on('moveend', tell);
    map.on('dragstart', roam);
    map.on('click', click);
    canvas.addEventListener('keydown', press);
    tell();
    return () => {
      map.off('moveend', tell);
      map.off('dragstart', roam);
      map.off('click', click);
      canvas.removeEventListener('keydown', press);
    };
  }, [map]);
}

/** Share of the free part's smaller side; without it, every step would redraw the whole map. */
const strayShare = 0.2;

function useFollowing(map: MapLibre | null, { position }: FieldHere): void {
  const { isFollowing, aim } = useStore(field);
  const hasBegun = useRef(false);
  const latest = useRef({ position, isFollowing });
  latest.current = { position, isFollowing };
  useEffect(() => {
    if (!map) {
      hasBegun.current = false;
      return;
    }
    if (!position || !isFollowing) return;
    if (hasBegun.current) return followStrayed(map, position);
    hasBegun.current = true;
    map.jumpTo({ center: pairOf(position), zoom: Math.max(map.getZoom(), nearZoom) });
  }, [map, position, isFollowing]);
  // A new size of the card or a sheet cuts a move short.
  useEffect(() => {
    if (!map) return;
    const moved = () => {
      const { position: now, isFollowing: isMeant } = latest.current;
      if (now && isMeant && hasBegun.current && !map.isMoving()) followStrayed(map, now);
    };
    map.on('moveend', moved);
    return () => void map.off('moveend', moved);
  }, [map]);
  // Asked for by the button: at once, however near.
  useEffect(() => {
    const { position: now } = latest.current;
    if (map && isFollowing && now && hasBegun.current) map.easeTo({ center: pairOf(now), duration: 400 });
  }, [map, isFollowing]);
  useEffect(() => {
    const { position: now, isFollowing: isMeant } = latest.current;
    if (map && aim && now && isMeant && hasBegun.current) seeAim(map, now, aim);
  }, [map, aim]);
}

/** Pixels around the place where the user goes, for its plate. */
const aimMargin = 60;
/** Farther out the lines of the lots say no more. */
const farZoom = 14;

/** Shows where the user goes, if that is not too far away. */
function seeAim(map: MapLibre, position: LonLat, aim: LonLat): void {
  const [from, to] = [map.project(pairOf(position)), map.project(pairOf(aim))];
  const { width, height } = freeSize(map);
  const share = Math.max(
    Math.abs(to.x - from.x) / Math.max(1, width / 2 - aimMargin),
    Math.abs(to.y - from.y) / Math.max(1, height / 2 - aimMargin),
  );
  const zoom = map.getZoom() - Math.log2(share);
  // At once: the card of the way, which comes now, would cut a move short.
  if (share > 1 && zoom >= farZoom) map.jumpTo({ center: pairOf(position), zoom });
}

function freeSize(map: MapLibre): Readonly<Record<'width' | 'height', number>> {
  const { top = 0, bottom = 0, left = 0, right = 0 } = map.getPadding();
  const { width, height } = map.getContainer().getBoundingClientRect();
  return { width: width - left - right, height: height - top - bottom };
}

function followStrayed(map: MapLibre, position: LonLat): void {
  const center = pairOf(position);
  const [at, middle] = [map.project(center), map.project(map.getCenter())];
  const { width, height } = freeSize(map);
  const stray = Math.hypot(at.x - middle.x, at.y - middle.y);
  if (stray > strayShare * Math.min(width, height)) map.easeTo({ center, duration: 400 });
}

const pairOf = ({ longitude, latitude }: LonLat): [number, number] => [longitude, latitude];

function useData(map: MapLibre | null, source: string, data: FeatureCollection): void {
  useEffect(() => {
    if (map) return whenStyled(map, () => void map.getSource<GeoJSONSource>(source)?.setData(data));
  }, [map, source, data]);
}

function useLine(map: MapLibre | null, source: string, points: readonly LonLat[]): void {
  const data = useMemo(
    (): FeatureCollection => ({
      type: 'FeatureCollection',
      features: points.length < 2 ? [] : [lineOf(points, {})],
    }),
    [points],
  );
  useData(map, source, data);
}

const lineOf = (points: readonly LonLat[], properties: Record<string, unknown>): Feature => ({
  type: 'Feature',
  geometry: { type: 'LineString', coordinates: points.map(pairOf) },
  properties,
});

const middleOf = (a: LonLat, b: LonLat): LonLat => ({
  longitude: (a.longitude + b.longitude) / 2,
  latitude: (a.latitude + b.latitude) / 2,
});

/** @param offset of the letters' middle, in ems to the right and down */
const wordsAt = (at: LonLat, words: string, offset: readonly [number, number]): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: pairOf(at) },
  properties: { words, offset },
});

/** Beside the middle of a shorter line its length would lie on the position. */
const shortestWithWords = 80;

/** The length of the line: below its middle, or beyond the end of a short one, on the side away from the position. */
function lengthWords(map: MapLibre | null, from: LonLat, to: LonLat, words: string): Feature {
  const [a, b] = map ? [map.project(pairOf(from)), map.project(pairOf(to))] : [];
  const [x, y] = a && b ? [b.x - a.x, b.y - a.y] : [0, 0];
  const pixels = Math.hypot(x, y);
  if (pixels >= shortestWithWords) return wordsAt(middleOf(from, to), words, [0, 1.1]);
  return wordsAt(to, words, pixels < 1 ? [0, 2.2] : [(3.2 * x) / pixels, (2.2 * y) / pixels]);
}

/** To the parcel's line, with its length; and to where the user goes. */
function useAimLines(map: MapLibre | null, { position, parcel }: FieldHere): void {
  const { aim } = useStore(field);
  const { units } = useStore(settings);
  const data = useMemo((): FeatureCollection => {
    const { number, unit } = lineLength(parcel?.feet_to_line ?? 0, units);
    const toLine =
      position && parcel
        ? [
            lineOf([position, parcel.line_point], { kind: 'line' }),
            lengthWords(map, position, parcel.line_point, `${number} ${unit}`),
          ]
        : [];
    const toAim = position && aim ? [lineOf([position, aim], { kind: 'go' })] : [];
    return { type: 'FeatureCollection', features: [...toAim, ...toLine] };
  }, [map, position, parcel, aim, units]);
  useData(map, aimSource, data);
}
