/**
 * A maplibre map with the app's setup: north is up, only tiles are fetched, through the window's client, and controls
 * are our own. Its style is computed from the state and set as a whole; maplibre applies the differences.
 */
import {
  type FilterSpecification,
  type LngLatBoundsLike,
  type MapBoxZoomEvent,
  Map as MapLibre,
  type PointLike,
  type StyleSpecification,
} from 'maplibre-gl';
import { keptSources } from './kept-sources.ts';
import { mapImages } from './map-images.ts';
import type { MapTokens } from './map-tokens.ts';

export type { FilterSpecification, MapLibre, StyleSpecification };

export interface OpenMapOptions {
  readonly container: HTMLElement;
  /** Focus name for commands (`data-focus`); absent: none. */
  readonly focusName?: string;
  /** Name for screen readers. */
  readonly label: string;
  readonly center: readonly [number, number];
  readonly zoom: number;
  readonly style: StyleSpecification;
  readonly tokens: MapTokens;
  /** A box drawn with Shift held, or with the box tool. */
  readonly onBox: (from: PointLike, to: PointLike) => void;
  /** A Shift-click that drew no box. */
  readonly onShiftClick: (event: MouseEvent) => void;
  readonly onError: (message: string) => void;
}

export interface OpenMap {
  readonly map: MapLibre;
  setStyle(style: StyleSpecification, tokens: MapTokens): void;
  /** @param isSpared keeps the emptied map for the next screen; all of its listeners must be removed */
  close(isSpared: boolean): void;
}

/** A press and release within this distance are a click. */
const clickPixels = 4;

/** A map that can move from screen to screen, with handlers for the current screen. */
interface MovableMap {
  readonly map: MapLibre;
  /** Maplibre's own element. */
  readonly host: HTMLElement;
  handlers: Pick<OpenMapOptions, 'onBox' | 'onShiftClick' | 'onError'>;
}

/**
 * The map of the previous screen. A new one needs a graphics context and compiles its shaders, which blocks the window
 * for some hundred milliseconds; this one has both.
 */
let spare: MovableMap | null = null;

/** @throws if the browser cannot draw maps (no WebGL 2) */
export function openMap(options: OpenMapOptions): OpenMap {
  const movable = movedHere(options) ?? openedHere(options);
  const { map } = movable;
  const canvas = map.getCanvas();
  if (options.focusName) canvas.dataset.focus = options.focusName;
  else delete canvas.dataset.focus;
  let { style, tokens } = options;
  const pixelRatio = Math.ceil(window.devicePixelRatio);
  let given: MapTokens | null = null;
  const giveImages = () => {
    for (const [name, draw] of Object.entries(mapImages)) {
      if (given === tokens && map.hasImage(name)) continue;
      const { stretch, ...image } = draw(tokens, pixelRatio);
      if (map.hasImage(name)) map.updateImage(name, image);
      else map.addImage(name, image, { pixelRatio, ...stretch });
    }
    given = tokens;
  };
  map.setMissingStyleImageResolver(giveImages);
  let isLoaded = false;
  let isRevived = false;
  const apply = () => {
    giveImages();
    map.setStyle(style, {
      // Terra Draw begins again with a revived map, and adds its own itself.
      transformStyle: (before, next) => withKept(before, isRevived ? next : withDrawing(before, next)),
    });
  };
  // Each change of the style fires the event as well.
  const load = () => {
    if (isLoaded) return;
    isLoaded = true;
    if (isRevived || style !== options.style) apply();
    isRevived = false;
  };
  /** Maplibre restores the style of before with the context; until then there is none to change. */
  const lose = () => {
    isLoaded = false;
    isRevived = true;
  };
  map.on('style.load', load);
  map.on('webglcontextlost', lose);
  return {
    map,
    setStyle: (next, nextTokens) => {
      if (next === style) return;
      [style, tokens] = [next, nextTokens];
      if (isLoaded) apply();
    },
    close: (isSpared) => {
      map.off('style.load', load);
      map.off('webglcontextlost', lose);
      if (!isSpared || spare) return map.remove();
      movable.host.remove();
      spare = movable;
      // After its listeners are removed.
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

/** The spare map, without anything of its previous screen; null: there is none. */
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
  map.setMaxPitch(0);
  map.jumpTo({ center: [...center], zoom, padding: { top: 0, right: 0, bottom: 0, left: 0 } });
  map.setStyle(style);
  return movable;
}

/** Restores interactions that drawing, or an unfinished drag, has disabled. */
export function freeHands(map: MapLibre): void {
  map.dragPan.enable();
  map.doubleClickZoom.enable();
  map.getCanvas().style.cursor = '';
}

/** Removing its style removes its sources, their tiles and feature states. */
function empty({ map }: MovableMap): void {
  map.stop();
  map.setStyle(null);
}

/** Lost to the graphics driver, or to the system during sleep. */
const isContextLost = (canvas: HTMLCanvasElement): boolean => canvas.getContext('webgl2')?.isContextLost() !== false;

/** Terra Draw adds its own sources and layers, which a new style must not remove. */
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

/** Outlines and tracks are set on their sources, not in the style. */
function withKept(before: StyleSpecification | undefined, next: StyleSpecification): StyleSpecification {
  const kept = Object.entries(before?.sources ?? {}).filter(([id]) => keptSources.has(id) && next.sources[id]);
  return kept.length === 0 ? next : { ...next, sources: { ...next.sources, ...Object.fromEntries(kept) } };
}

/** Brings a box into view. */
export function fitMap(map: MapLibre, bounds: LngLatBoundsLike, maxZoom: number, isAnimated = true): void {
  map.fitBounds(bounds, { padding: 32, maxZoom, animate: isAnimated, duration: 400, linear: true });
  if (!isAnimated) return;
  // A flight ends at the center computed at its start: if the detail opens meanwhile, the map is narrower.
  const again = () => fitMap(map, bounds, maxZoom);
  map.once('resize', again);
  map.once('moveend', () => map.off('resize', again));
}
