/** Names of layers' features: along lines of one name, in the middle of areas, beside points; numbers of routes on shields. */
import { boxPath, type Ink, type Path, type PdfPage } from '../exporting/pdf-page.ts';
import { labelRoom } from '../tiles/label-room.ts';
import { joined } from '../tiles/named-lines.ts';
import type { PageFeature } from './draw-layers.ts';
import type { LabelField } from './label-field.ts';
import { placeAlong } from './line-labels.ts';
import { inks } from './sheet-inks.ts';

export interface NameStyle {
  readonly ink: Ink;
  readonly size: number;
  readonly isSlanted?: boolean;
  readonly spacing?: number;
  /** The least first: where two names meet, it stays. */
  readonly priority: number;
}

/** Coordinates are joined to a hundredth of a point, as they are written. */
const steps = 100;

/** Paths that meet at their ends become one. */
export const joinPaths = (paths: readonly Path[]): Path[] =>
  joined(paths.map((path) => Int32Array.from(path, (value) => Math.round(value * steps)))).map((line) =>
    Float64Array.from(line, (value) => value / steps),
  );

/** Points between two names, or two shields, of one line or lake. */
const nameSpacing = 240;

type Place = readonly [x: number, y: number];

export function drawNames(page: PdfPage, features: readonly PageFeature[], field: LabelField, style: NameStyle): void {
  const stands = new Map<string, Place[]>();
  for (const feature of features) {
    const { place, name } = feature;
    if (place) drawPointName(page, feature, place, field, style);
    else if (name) stands.set(name, drawAreaName(page, name, feature, field, style, stands.get(name) ?? []));
  }
  for (const [route, paths] of byText(features, 'route')) drawShields(page, route, joinPaths(paths), field);
  const { size, spacing = 0 } = style;
  for (const [name, paths] of byText(features, 'name')) {
    const room = { width: page.width(name, size, spacing) + 4, height: size, spacing: nameSpacing };
    for (const line of joinPaths(paths)) {
      for (const { x, y, angle } of placeAlong(line, field, room)) drawText(page, x, y, name, { ...style, angle });
    }
  }
}

function byText(features: readonly PageFeature[], text: 'name' | 'route'): Map<string, Path[]> {
  const found = new Map<string, Path[]>();
  for (const feature of features) {
    const words = feature[text];
    if (words && feature.paths.length > 0) found.set(words, [...(found.get(words) ?? []), ...feature.paths]);
  }
  return found;
}

function drawText(
  page: PdfPage,
  x: number,
  y: number,
  text: string,
  style: NameStyle & { readonly angle?: number },
): void {
  const { size, priority: _, ...look } = style;
  page.text(x, y, size, text, { ...look, align: 'middle', isCentered: true, halo: inks.halo });
}

/**
 * In the largest of its parts that is seen, if that is about as wide as the name and this does not stand near: lakes come
 * in parts.
 * @param stands where it stands
 * @returns where it stands now
 */
function drawAreaName(
  page: PdfPage,
  name: string,
  { areas }: PageFeature,
  field: LabelField,
  style: NameStyle,
  stands: Place[],
): Place[] {
  if (areas.length === 0) return stands;
  const { longitude: x, latitude: y, width: room } = labelRoom(areas, null, null);
  const width = page.width(name, style.size, style.spacing);
  const isNear = stands.some(([nearX, nearY]) => Math.hypot(x - nearX, y - nearY) < nameSpacing);
  if (width > room * 1.3 || isNear) return stands;
  if (!field.takes({ x, y, width, height: style.size, angle: 0 }, true)) return stands;
  drawText(page, x, y, name, style);
  return [...stands, [x, y]];
}

/** Towns are larger and stand on their point; other names stand above it, a summit with its height. */
function drawPointName(
  page: PdfPage,
  { name, class: kind, feet }: PageFeature,
  [x, y]: readonly [number, number],
  field: LabelField,
  style: NameStyle,
): void {
  if (!name) return;
  const isTown = kind === 'town' || kind === 'village';
  const size = kind === 'town' ? 10 : kind === 'village' ? 8.5 : style.size;
  const text = feet === null ? name : `${name} ${feet.toLocaleString('en-US')} ft`;
  const middle = isTown ? y : y - size * 0.5 - 3.4;
  const box = { x, y: middle, width: page.width(text, size), height: size, angle: 0 };
  if (field.takes(box, true)) drawText(page, x, middle, text, { ...style, size });
}

const shieldSize = 5.4;

function drawShields(page: PdfPage, route: string, lines: readonly Path[], field: LabelField): void {
  const width = page.width(route, shieldSize) + 5;
  const height = shieldSize + 3;
  for (const line of lines) {
    for (const { x, y } of placeAlong(line, field, { width, height, spacing: nameSpacing })) {
      const box = boxPath({ x: x - width / 2, y: y - height / 2, width, height });
      page.area([box], { fill: inks.casing, stroke: inks.quiet, width: 0.6 });
      page.text(x, y, shieldSize, route, { align: 'middle', isCentered: true, ink: inks.letters });
    }
  }
}
