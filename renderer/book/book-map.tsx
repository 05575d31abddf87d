/** The map with the pages of the book on it; a click chooses the page to look at. */
import type { FeatureCollection } from 'geojson';
import type { LayerSpecification, MapMouseEvent, StyleSpecification } from 'maplibre-gl';
import { useEffect, useMemo, useRef } from 'react';
import { fillByName } from '../map/fills.ts';
import { type MapSources, useMapSources } from '../map/map-sources.ts';
import { mapMemory } from '../map/map-state.ts';
import { buildStyle } from '../map/map-style.ts';
import type { MapTokens } from '../map/map-tokens.ts';
import type { MapLibre } from '../map/open-map.ts';
import { useMapTokens, useOpenMap } from '../map/use-open-map.ts';
import { useStore } from '../state/store.ts';
import type { BookPlan } from './use-book-plan.ts';

interface BookMapProps extends Pick<BookPlan, 'frames' | 'land'> {
  /** The page to look at; null: none. */
  readonly shown: string | null;
  readonly onShow: (name: string) => void;
}

export function BookMap(props: BookMapProps) {
  const sources = useMapSources();
  return sources ? (
    <PagesOnMap {...props} sources={sources} />
  ) : (
    <section className="book-map" aria-label="Map of the pages" />
  );
}

const label = 'Map of the pages. Arrow keys move it, plus and minus zoom; a click chooses the page to look at.';

function PagesOnMap({ frames, land, shown, onShow, sources }: BookMapProps & { readonly sources: MapSources }) {
  const tokens = useMapTokens();
  const style = usePagesStyle(sources, tokens, { frames, land, shown });
  const box = boxOf(frames);
  const { container, map, failure } = useOpenMap({
    ...{ label, style, tokens },
    center: box ? [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2] : [-98, 39],
    zoom: 9,
    handlers: { onBox: () => {}, onShiftClick: () => {} },
  });
  useFit(map, box);
  useClick(map, onShow);
  return (
    <section className="book-map of-map" aria-label="Map of the pages">
      {failure ? <p className="map-note">{failure}</p> : <div ref={container} className="map-canvas" />}
      <p className="map-attribution">{sources.outlines.attribution}</p>
    </section>
  );
}

function pagesOf(frames: BookMapProps['frames'], shown: string | null): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: frames.map(({ name, bounds: [west, south, east, north] }) => ({
      type: 'Feature',
      properties: { name, isShown: name === shown },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [west, south],
            [east, south],
            [east, north],
            [west, north],
            [west, south],
          ],
        ],
      },
    })),
  };
}

function usePagesStyle(
  sources: MapSources,
  tokens: MapTokens,
  { frames, land, shown }: Omit<BookMapProps, 'onShow'>,
): StyleSpecification {
  const { layers } = useStore(mapMemory);
  const base = useMemo(
    () =>
      buildStyle({
        ...{ sources, tokens, dots: null, isGrid: false, fill: fillByName('') },
        ...{ limits: [], cellLimits: [], units: 'ft, ac', marks: [], area: null, sides: [] },
        memory: { layers, label: 'none' },
      }),
    [sources, tokens, layers],
  );
  const points = useMemo(() => placesOf(land), [land]);
  return useMemo(
    () => ({
      ...base,
      sources: {
        ...base.sources,
        'book-land': { type: 'geojson', data: { type: 'MultiPoint', coordinates: points } },
        pages: { type: 'geojson', data: pagesOf(frames, shown) },
      },
      layers: lettersLast([...base.layers, ...pageLayers(tokens)]),
    }),
    [base, tokens, points, frames, shown],
  );
}

const placesOf = (land: BookPlan['land']): [number, number][] =>
  Array.from({ length: land.length / 2 }, (_, at) => [land[2 * at] as number, land[2 * at + 1] as number]);

/** A page's line cuts no name of the ground. */
const lettersLast = (layers: readonly LayerSpecification[]): LayerSpecification[] => [
  ...layers.filter(({ type }) => type !== 'symbol'),
  ...layers.filter(({ type }) => type === 'symbol'),
];

const pageLayers = (tokens: MapTokens): LayerSpecification[] => [
  {
    id: 'book-land',
    type: 'circle',
    source: 'book-land',
    // Nearer, the lots themselves are drawn.
    maxzoom: 13,
    paint: {
      'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 8, 1, 13, 3],
      'circle-color': tokens.comp,
      'circle-opacity': 0.55,
    },
  },
  {
    id: 'page-fill',
    type: 'fill',
    source: 'pages',
    paint: { 'fill-color': tokens.select, 'fill-opacity': ['case', ['get', 'isShown'], 0.18, 0] },
  },
  {
    id: 'page-casing',
    type: 'line',
    source: 'pages',
    paint: { 'line-color': tokens.selectCasing, 'line-width': 4, 'line-opacity': 0.7 },
  },
  {
    id: 'page-line',
    type: 'line',
    source: 'pages',
    paint: { 'line-color': tokens.select, 'line-width': ['case', ['get', 'isShown'], 3, 1.5] },
  },
  {
    id: 'page-name',
    type: 'symbol',
    source: 'pages',
    layout: {
      'text-field': ['get', 'name'],
      'text-font': ['Inter Variable'],
      'text-size': 13 * (tokens.rem / 16),
      'text-padding': 1,
    },
    paint: { 'text-color': tokens.text, 'text-halo-color': tokens.selectCasing, 'text-halo-width': 2 },
  },
];

type Box = readonly [west: number, south: number, east: number, north: number];

function boxOf(frames: BookMapProps['frames']): Box | null {
  if (frames.length === 0) return null;
  return frames
    .map(({ bounds }) => bounds)
    .reduce((all, one) => [
      Math.min(all[0], one[0]),
      Math.min(all[1], one[1]),
      Math.max(all[2], one[2]),
      Math.max(all[3], one[3]),
    ]);
}

/** All pages, whenever they are others, and as the map's size changes until the user moves it. */
function useFit(map: MapLibre | null, box: Box | null): void {
  const key = box?.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the box
  useEffect(() => {
    if (!map || !box) return;
    const showAll = () => void map.fitBounds([...box], { padding: 32, animate: false, maxZoom: 15 });
    const keep = ({ originalEvent }: { originalEvent?: unknown }) => {
      if (originalEvent) map.off('resize', showAll);
    };
    showAll();
    map.on('resize', showAll);
    map.on('movestart', keep);
    return () => {
      map.off('resize', showAll);
      map.off('movestart', keep);
    };
  }, [map, key]);
}

function useClick(map: MapLibre | null, onShow: (name: string) => void): void {
  const latest = useRef(onShow);
  latest.current = onShow;
  useEffect(() => {
    if (!map) return;
    const click = ({ point }: MapMouseEvent): void => {
      if (!map.getLayer('page-fill')) return;
      const [found] = map.queryRenderedFeatures(point, { layers: ['page-fill'] });
      if (found) latest.current(String(found.properties.name));
    };
    map.on('click', click);
    return () => void map.off('click', click);
  }, [map]);
}
