/**
 * One maplibre map, set up as all maps of the app are: north is up, nothing is fetched but tiles by the window's client,
 * controls are our own. Its style follows from the state and is given anew as a whole; maplibre changes what differs.
 */
import {
  type FilterSpecification,
  type LngLatBoundsLike,
  type MapBoxZoomEvent,
  Map as MapLibre,
  type PointLike,
  type StyleSpecification,
} from 'maplibre-gl';
import { mapImages } from './map-images.ts';
import type { MapTokens } from './map-tokens.ts';
import { pickedSource } from './picked-layers.ts';

export type { FilterSpecification, MapLibre, StyleSpecification };

export interface OpenMapOptions {
  readonly container: HTMLElement;
  /** By which commands focus it (`data-focus`); absent: by none. */
  readonly focusName?: string;
  /** What a screen reader calls it. */
  readonly label: string;
  readonly center: readonly [number, number];
  readonly zoom: number;
  readonly style: StyleSpecification;
  readonly tokens: MapTokens;
  /** A box drawn with Shift held, or by the box tool. */
  readonly onBox: (from: PointLike, to: PointLike) => void;
  /** A press with Shift held that drew no box. */
  readonly onShiftClick: (event: MouseEvent) => void;
  readonly onError: (message: string) => void;
}

export interface OpenMap {
  readonly map: MapLibre;
  setStyle(style: StyleSpecification, tokens: MapTokens): void;
  close(): void;
}

/** A press and a release that are no further apart are a click. */
const clickPixels = 4;

/** @throws where the browser cannot draw maps (no WebGL 2) */
export function openMap(options: OpenMapOptions): OpenMap {
  const { container, label, center, zoom, onBox, onShiftClick, onError } = options;
  const map = new MapLibre({
    container,
    style: options.style,
    center: [...center],
    zoom,
    minZoom: 2,
    maxZoom: 21,
    maxPitch: 0,
    locale: { 'Map.Title': label },
    attributionControl: false,
    maplibreLogo: false,
    renderWorldCopies: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    refreshExpiredTiles: false,
    clickTolerance: clickPixels,
    fadeDuration: 0,
    boxZoom: {
      boxZoomEnd: (_map, from, to, event) => {
        if (from.dist(to) < clickPixels) onShiftClick(event);
        else onBox(from, to);
      },
    },
  });
  if (options.focusName) map.getCanvas().dataset.focus = options.focusName;
  map.keyboard.disableRotation();
  map.touchZoomRotate.disableRotation();
  let { style, tokens } = options;
  const pixelRatio = Math.ceil(window.devicePixelRatio);
  const giveImages = () => {
    for (const [name, draw] of Object.entries(mapImages)) {
      const image = draw(tokens, pixelRatio);
      if (map.hasImage(name)) map.updateImage(name, image);
      else map.addImage(name, image, { pixelRatio });
    }
  };
  map.setMissingStyleImageResolver(giveImages);
  map.on('boxzoomcancel', ({ originalEvent }: MapBoxZoomEvent) => {
    if (originalEvent instanceof MouseEvent) onShiftClick(originalEvent);
  });
  map.on('error', ({ error }) => onError(error.message));
  let isLoaded = false;
  const apply = () => {
    giveImages();
    map.setStyle(style, { transformStyle: (before, next) => withPicked(before, withDrawing(before, next)) });
  };
  map.once('style.load', () => {
    isLoaded = true;
    if (style !== options.style) apply();
  });
  return {
    map,
    setStyle: (next, nextTokens) => {
      if (next === style) return;
      [style, tokens] = [next, nextTokens];
      if (isLoaded) apply();
    },
    close: () => map.remove(),
  };
}

/** Terra Draw puts sources and layers of its own into the map, which a new style must not take away. */
const isDrawing = (id: string): boolean => id.startsWith('td-');

function withDrawing(before: StyleSpecification | undefined, next: StyleSpecification): StyleSpecification {
  const sources = Object.entries(before?.sources ?? {}).filter(([id]) => isDrawing(id));
  if (sources.length === 0) return next;
  return {
    ...next,
    sources: { ...next.sources, ...Object.fromEntries(sources) },
    layers: [...next.layers, ...(before?.layers ?? []).filter(({ id }) => isDrawing(id))],
  };
}

/** What is outlined is given to its source, not to the style. */
function withPicked(before: StyleSpecification | undefined, next: StyleSpecification): StyleSpecification {
  const picked = before?.sources[pickedSource];
  return picked && next.sources[pickedSource]
    ? { ...next, sources: { ...next.sources, [pickedSource]: picked } }
    : next;
}

/** Brings a box into view. */
export function fitMap(map: MapLibre, bounds: LngLatBoundsLike, maxZoom: number, isAnimated = true): void {
  map.fitBounds(bounds, { padding: 32, maxZoom, animate: isAnimated, duration: 400, linear: true });
  if (!isAnimated) return;
  // A flight ends in what was the middle when it began: where the detail opens meanwhile, the map is narrower since.
  const again = () => fitMap(map, bounds, maxZoom);
  map.once('resize', again);
  map.once('moveend', () => map.off('resize', again));
}
