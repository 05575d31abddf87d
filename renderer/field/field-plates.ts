/**
 * Which waypoint or photo was pressed. Maplibre answers from its last placement of letters, which lags behind the map while
 * it follows the user, and behind a mark that was just kept; the plates drawn now lie at their places.
 */
import type { Feature, Point } from 'geojson';
import { type MapTokens, readMapTokens } from '../map/map-tokens.ts';
import type { MapLibre } from '../map/open-map.ts';
import { plateForm, plateTextPixels } from './field-layers.ts';

interface ScreenPoint {
  readonly x: number;
  readonly y: number;
}

interface PressedMark {
  readonly kind: 'waypoint' | 'photo';
  readonly id: number;
}

/** A finger's inaccuracy. */
const slack = 8;
const lineEms = 1.2;
/** The plate's border. */
const edge = 2;

let ruler: CanvasRenderingContext2D | null = null;

/** Width and height of a name as maplibre breaks it. */
function textSize(name: string, pixels: number): readonly [width: number, height: number] {
  ruler ??= document.createElement('canvas').getContext('2d');
  if (ruler) ruler.font = `${pixels}px "${plateForm.font}"`;
  const width = ruler?.measureText(name).width ?? 0;
  const widest = plateForm.maxEms * pixels;
  return [Math.min(width, widest), Math.ceil(width / widest) * lineEms * pixels];
}

/** Whether a press lies on the plate over `at`, or on its tip. */
function isOnPlate(name: string, at: ScreenPoint, pressed: ScreenPoint, tokens: MapTokens): boolean {
  const pixels = plateTextPixels(tokens);
  const [width, height] = textSize(name, pixels);
  const top = at.y - plateForm.raisedEms * pixels - height - plateForm.padY - edge;
  return (
    Math.abs(pressed.x - at.x) <= width / 2 + plateForm.padX + edge + slack &&
    pressed.y >= top - slack &&
    pressed.y <= at.y + slack
  );
}

/** @returns of several plates the one drawn on top: the lowest on the screen; null: none */
export function pressedMark(map: MapLibre, marks: readonly Feature[], pressed: ScreenPoint): PressedMark | null {
  const tokens = readMapTokens();
  let [found, lowest]: [PressedMark | null, number] = [null, -Infinity];
  for (const { geometry, properties } of marks) {
    if (geometry.type !== 'Point') continue;
    const at = map.project((geometry as Point).coordinates as [number, number]);
    if (at.y < lowest || !isOnPlate(String(properties?.name), at, pressed, tokens)) continue;
    [found, lowest] = [{ kind: properties?.kind, id: Number(properties?.mark) }, at.y];
  }
  return found;
}
