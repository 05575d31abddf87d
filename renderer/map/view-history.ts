/** Places the map has shown, for Back and Forward of the view. Pure functions. */

export interface View {
  readonly center: readonly [longitude: number, latitude: number];
  readonly zoom: number;
}

export interface ViewHistory {
  /** Oldest first. */
  readonly views: readonly View[];
  /** The one shown; -1: none yet. */
  readonly at: number;
}

export const noViews: ViewHistory = { views: [], at: -1 };

const most = 20;
/** A smaller step leads to no new place: a quarter of a window of 1,024 pixels, and half a zoom. */
const nearPixels = 256;
const nearZoom = 0.5;

/** Maplibre's world is 512 pixels wide at zoom 0. */
const pixelsPerDegree = (zoom: number): number => (512 * 2 ** zoom) / 360;

function isNear(a: View, b: View): boolean {
  const [east, north] = [a.center[0] - b.center[0], a.center[1] - b.center[1]];
  const flat = Math.cos((a.center[1] * Math.PI) / 180);
  // A degree of latitude is drawn longer by 1 ÷ cos than one of longitude.
  const pixels = Math.hypot(east, north / flat) * pixelsPerDegree(Math.max(a.zoom, b.zoom));
  return Math.abs(a.zoom - b.zoom) < nearZoom && pixels < nearPixels;
}

/** The history once the map rests on a view; a view beside the shown one changes nothing. */
export function withView(history: ViewHistory, view: View): ViewHistory {
  const shown = history.views[history.at];
  if (shown && isNear(shown, view)) return history;
  const views = [...history.views.slice(0, history.at + 1), view].slice(-most);
  return { views, at: views.length - 1 };
}

/** The history one place earlier or later; null if there is none. */
export function stepped(history: ViewHistory, by: 1 | -1): ViewHistory | null {
  const at = history.at + by;
  return history.views[at] ? { ...history, at } : null;
}
