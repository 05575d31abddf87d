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
  /** @param isSpared the map, without what it shows, may serve the next screen; all of its listeners are to be taken off */
  close(isSpared: boolean): void;
}

/** A press and a release that are no further apart are a click. */
const clickPixels = 4;

/** A map as maplibre opens it, which can move from screen to screen, and whose handlers are of the screen it is on. */
interface MovableMap {
  readonly map: MapLibre;
  /** Maplibre's own element. */
  readonly host: HTMLElement;
  handlers: Pick<OpenMapOptions, 'onBox' | 'onShiftClick' | 'onError'>;
}

/**
 * The map of the screen before. A new one needs a graphics context and compiles its shaders anew, which holds the window for
 * some hundred milliseconds; this one has both.
 */
let spare: MovableMap | null = null;

/** @throws where the browser cannot draw maps (no WebGL 2) */
export function openMap(options: OpenMapOptions): OpenMap {
  const movable = movedHere(options) ?? openedHere(options);
  const { map } = movable;
  const canvas = map.getCanvas();
  if (options.focusName) canvas.dataset.focus = options.focusName;
  else delete canvas.dataset.focus;
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
  let isLoaded = false;
  const apply = () => {
    giveImages();
    map.setStyle(style, { transformStyle: (before, next) => withPicked(before, withDrawing(before, next)) });
  };
  const load = () => {
    isLoaded = true;
    if (style !== options.style) apply();
  };
  map.once('style.load', load);
  return {
    map,
    setStyle: (next, nextTokens) => {
      if (next === style) return;
      [style, tokens] = [next, nextTokens];
      if (isLoaded) apply();
    },
    close: (isSpared) => {
      map.off('style.load', load);
      if (!isSpared || spare) return map.remove();
      movable.host.remove();
      spare = movable;
      // Once those who listened have let go.
      setTimeout(() => spare === movable && empty(movable));
    },
  };
}

function openedHere({ container, label, center, zoom, style, ...handlers }: OpenMapOptions): MovableMap {
  const host = document.createElement('div');
  host.className = 'map-host';
  container.append(host);
  const map = new MapLibre({
    container: host,
    style,
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
        if (from.dist(to) < clickPixels) movable.handlers.onShiftClick(event);
        else movable.handlers.onBox(from, to);
      },
    },
  });
  const movable: MovableMap = { map, host, handlers };
  map.keyboard.disableRotation();
  map.touchZoomRotate.disableRotation();
  map.on('boxzoomcancel', ({ originalEvent }: MapBoxZoomEvent) => {
    if (originalEvent instanceof MouseEvent) movable.handlers.onShiftClick(originalEvent);
  });
  map.on('error', ({ error }) => movable.handlers.onError(error.message));
  return movable;
}

/** The spare map, with nothing left of the screen it was on; null: there is none. */
function movedHere({ container, label, center, zoom, style, ...handlers }: OpenMapOptions): MovableMap | null {
  const movable = spare;
  if (!movable) return null;
  spare = null;
  const { map, host } = movable;
  const canvas = map.getCanvas();
  if (isContextLost(canvas)) {
    map.remove();
    return null;
  }
  movable.handlers = handlers;
  empty(movable);
  canvas.setAttribute('aria-label', label);
  freeHands(map);
  container.append(host);
  map.resize();
  map.jumpTo({ center: [...center], zoom });
  map.setStyle(style);
  return movable;
}

/** Gives back what drawing, or a drag that was not ended, has taken from the map. */
export function freeHands(map: MapLibre): void {
  map.dragPan.enable();
  map.doubleClickZoom.enable();
  map.getCanvas().style.cursor = '';
}

/** Its sources, their tiles and the states of their features go with its style. */
function empty({ map }: MovableMap): void {
  map.stop();
  map.setStyle(null);
}

/** By the graphics driver, or by the system while the computer slept. */
const isContextLost = (canvas: HTMLCanvasElement): boolean => canvas.getContext('webgl2')?.isContextLost() !== false;

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
