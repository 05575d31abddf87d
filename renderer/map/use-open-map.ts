/** A maplibre map in a component: opened once, restyled when its style changes, and passed on to the next screen. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useClient } from '../state/client-context.tsx';
import { useShownTheme } from '../state/settings.ts';
import { type MapTokens, readMapTokens } from './map-tokens.ts';
import { type MapLibre, type OpenMap, type OpenMapOptions, openMap, type StyleSpecification } from './open-map.ts';
import { connectTiles } from './tile-protocol.ts';

/** Lets tests find the map; the app does not read it. */
export interface MapElement extends HTMLElement {
  platbookMap?: MapLibre;
}

/** The theme's tokens; reloaded when the theme changes. */
export function useMapTokens(): MapTokens {
  const theme = useShownTheme();
  const [tokens, setTokens] = useState(readMapTokens);
  useEffect(() => {
    void theme;
    setTokens(readMapTokens());
  }, [theme]);
  return tokens;
}

type MapHandlers = Pick<OpenMapOptions, 'onBox' | 'onShiftClick'>;

export interface UsedMap {
  readonly container: RefObject<HTMLDivElement | null>;
  readonly map: MapLibre | null;
  /** Why there is no map; null if there is one. */
  readonly failure: string | null;
  /** The last unreadable tile, in words. */
  readonly fault: string | null;
}

interface UseOpenMapOptions {
  readonly focusName?: string;
  readonly label: string;
  readonly center: readonly [number, number];
  readonly zoom: number;
  /** Null until the sources are known. */
  readonly style: StyleSpecification | null;
  readonly tokens: MapTokens;
  readonly handlers: MapHandlers;
}

export function useOpenMap(options: UseOpenMapOptions): UsedMap {
  const client = useClient();
  const container = useRef<HTMLDivElement>(null);
  const opened = useRef<OpenMap | null>(null);
  const latest = useRef(options);
  latest.current = options;
  const [map, setMap] = useState<MapLibre | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const isReady = options.style !== null;
  const isLeaving = useRef(false);

  // Before the map's own effect, so that it is known when the map closes.
  useEffect(() => {
    isLeaving.current = false;
    return () => {
      isLeaving.current = true;
    };
  }, []);

  useEffect(() => {
    const element = container.current as MapElement | null;
    const { style, tokens, label, center, zoom, focusName } = latest.current;
    if (!isReady || !element || !style) return;
    connectTiles(client);
    try {
      const open = openMap({
        container: element,
        label,
        ...(focusName ? { focusName } : {}),
        center,
        zoom,
        style,
        tokens,
        onBox: (from, to) => latest.current.handlers.onBox(from, to),
        onShiftClick: (event) => latest.current.handlers.onShiftClick(event),
        onError: setFault,
      });
      opened.current = open;
      element.platbookMap = open.map;
      setMap(open.map);
    } catch {
      setFailure('This browser cannot draw the map: it has no WebGL 2. All but the map works.');
      return;
    }
    return () => {
      // Listeners are removed when the screen goes away, otherwise only once the next map exists.
      opened.current?.close(isLeaving.current);
      opened.current = null;
      delete element.platbookMap;
      setMap(null);
    };
  }, [client, isReady]);

  useEffect(() => {
    if (options.style) opened.current?.setStyle(options.style, options.tokens);
  }, [options.style, options.tokens]);

  return { container, map, failure, fault };
}
