/**
 * The plates of waypoints and photos, and which mark was pressed. Maplibre answers from its last placement of letters,
 * which lags behind the map while it follows the user, and behind a mark that was just kept; the plates drawn now lie at
 * their places.
 */
import { plateEdge } from '../map/map-images.ts';
import { readMapTokens } from '../map/map-tokens.ts';
import type { MapLibre } from '../map/open-map.ts';
import { type LonLat, metersBetween } from './bearing.ts';
import { plateForm, plateRaised, plateTextPixels, signPixels } from './field-layers.ts';

interface ScreenPoint {
  readonly x: number;
  readonly y: number;
}

export interface Mark extends LonLat {
  readonly kind: 'waypoint' | 'photo';
  readonly id: number;
  readonly name: string;
}

/** Over the place of its first mark, a name below the other. */
export interface Plate extends LonLat {
  readonly marks: readonly Mark[];
}

/** Less than the accuracy of receivers. */
const onePlaceMeters = 3;

/** Marks at one place share a plate: their names would lie on each other. */
export function platesOf(marks: readonly Mark[]): readonly Plate[] {
  const plates: (LonLat & { readonly marks: Mark[] })[] = [];
  for (const mark of marks) {
    const plate = plates.find((one) => metersBetween(one, mark) < onePlaceMeters);
    if (plate) plate.marks.push(mark);
    else plates.push({ longitude: mark.longitude, latitude: mark.latitude, marks: [mark] });
  }
  return plates;
}

/** A finger's inaccuracy. */
const slack = 8;
const lineEms = 1.2;

let ruler: CanvasRenderingContext2D | null = null;

/** Width and height of a name as maplibre breaks it. */
function textSize(name: string, pixels: number): readonly [width: number, height: number] {
  ruler ??= document.createElement('canvas').getContext('2d');
  if (ruler) ruler.font = `${pixels}px "${plateForm.font}"`;
  const width = signPixels + (ruler?.measureText(name).width ?? 0);
  const widest = plateForm.maxEms * pixels;
  return [Math.min(width, widest), Math.ceil(width / widest) * lineEms * pixels];
}

/** The mark whose name was pressed on a plate over `at`; a press on the tip means the lowest. Null: beside the plate. */
function markOn(marks: readonly Mark[], at: ScreenPoint, pressed: ScreenPoint, pixels: number): Mark | null {
  const sizes = marks.map(({ name }) => textSize(name, pixels));
  const width = Math.max(...sizes.map(([wide]) => wide));
  if (Math.abs(pressed.x - at.x) > width / 2 + plateForm.padX + plateEdge.border + slack || pressed.y > at.y + slack)
    return null;
  let top = at.y - plateRaised;
  for (let i = marks.length - 1; i >= 0; i--) {
    top -= sizes[i]?.[1] ?? 0;
    const reach = i === 0 ? plateForm.padY + plateEdge.border + slack : 0;
    if (pressed.y >= top - reach) return marks[i] ?? null;
  }
  return null;
}

/** @returns of several plates a mark of the one drawn on top: the lowest on the screen; null: none */
export function pressedMark(map: MapLibre, plates: readonly Plate[], pressed: ScreenPoint): Mark | null {
  const pixels = plateTextPixels(readMapTokens());
  let [found, lowest]: [Mark | null, number] = [null, -Infinity];
  for (const { longitude, latitude, marks } of plates) {
    const at = map.project([longitude, latitude]);
    const mark = at.y < lowest ? null : markOn(marks, at, pressed, pixels);
    if (mark) [found, lowest] = [mark, at.y];
  }
  return found;
}
