/** What lies between and on the parcels: water, buildings, roads by class, railways, and their names. */
import type { Box, PdfPage } from '../exporting/pdf-page.ts';
import { type Bounds, boundsOfCoordinates, boundsOverlap, middleOfBounds } from '../geo/geometry.ts';
import { featuresOnPage, type PageFeature } from '../sheet/draw-layers.ts';
import type { GroundFrame } from '../sheet/ground-frame.ts';
import type { LabelField } from '../sheet/label-field.ts';
import { drawNames, joinPaths } from '../sheet/layer-names.ts';
import type { LandStore } from '../store/land-store.ts';
import { type DrawnLayer, drawnLayers } from '../tiles/stored-layers.ts';
import { bookInks } from './book-inks.ts';
import { DrawnThings, dotPath } from './drawn-things.ts';
import { inBatches } from './in-batches.ts';

const drawn = ['water', 'stream', 'buildings', 'roads', 'rail', 'plss'] as const;
type Look = (typeof drawn)[number];

export type Ground = Readonly<Record<Look, readonly PageFeature[]>>;

const lookOf = ({ kind, look }: DrawnLayer): Look | undefined => drawn.find((one) => one === (look ?? kind));

/** Layers that a book draws where they meet its bounds. */
export const bookLayers = (land: LandStore, bounds: Bounds): DrawnLayer[] =>
  drawnLayers(land).filter((layer) => lookOf(layer) !== undefined && meets(layer, bounds));

function meets({ bounds: [minX, minY, maxX, maxY] }: DrawnLayer, bounds: Bounds): boolean {
  return boundsOverlap({ minX, minY, maxX, maxY }, bounds);
}

export function readGround(
  land: LandStore,
  layers: readonly DrawnLayer[],
  frame: GroundFrame,
  looks: readonly Look[] = drawn,
): Ground {
  const found: Record<Look, PageFeature[]> = { water: [], stream: [], buildings: [], roads: [], rail: [], plss: [] };
  for (const layer of layers) {
    const look = lookOf(layer) as Look;
    if (looks.includes(look) && meets(layer, frame.bounds))
      found[look].push(...featuresOnPage(land, layer.layerId, frame).filter((one) => isSeen(one, frame.box)));
  }
  return found;
}

/** Drawn over the grounds of holdings, so that their lines stay to be seen. @param hasLines shores, and lines of depth */
export function drawWater(page: PdfPage, { water, stream }: Ground, hasLines = true): void {
  for (const { areas } of [...water, ...stream]) {
    for (const rings of areas) page.area(rings, { fill: bookInks.water, isMultiplied: hasLines });
  }
  if (!hasLines) return;
  const shore = { stroke: bookInks.waterLine, width: 0.4 };
  for (const { areas, paths } of [...water, ...stream]) {
    for (const rings of areas) page.area(rings, shore);
    page.line(paths, { ...shore, width: 0.6, roundEnds: true });
  }
}

/** Smaller scales show a building as a dot. */
const dotScale = 16_000;
export const hasDots = (scale: number): boolean => scale > dotScale;

/** Whether it reaches into the frame: shapes are cut a little beyond it. */
function isSeen({ areas, paths, place }: PageFeature, { x, y, width, height }: Box): boolean {
  const frame = { minX: x, minY: y, maxX: x + width, maxY: y + height };
  const points = place ? [place] : [];
  return [...areas.flat(), ...paths, ...points].some((one) => boundsOverlap(boundsOfCoordinates([one]), frame));
}

/** None, or one. */
function middleOf({ areas, place }: PageFeature): (readonly [number, number])[] {
  if (place) return [place];
  const [first] = areas[0] ?? [];
  if (!first) return [];
  return [middleOfBounds(boundsOfCoordinates([first]))];
}

/** What letters keep off: shapes of buildings are pale enough to lie below them. */
export const thingsOf = ({ buildings, stream, roads, rail }: Ground, scale: number): DrawnThings =>
  new DrawnThings(
    hasDots(scale) ? buildings.flatMap(middleOf) : [],
    [...stream, ...roads, ...rail].flatMap(({ paths }) => paths),
  );

export function drawBuildings(page: PdfPage, { buildings }: Ground, scale: number): void {
  const isDots = hasDots(scale);
  const shapes = isDots ? buildings.flatMap(middleOf).map(dotPath) : buildings.flatMap(({ areas }) => areas.flat());
  const fill = isDots ? bookInks.buildingDot : bookInks.building;
  inBatches(shapes, (batch) => page.area(batch, { fill }));
}

/** Widths in points at 1:24,000, from the least to the most important. */
const roadClasses = [
  {
    holds: (name: string | null) => name !== 'normal_road' && name !== 'major_highway',
    width: 1.1,
    ink: bookInks.road,
  },
  { holds: (name: string | null) => name === 'normal_road', width: 1.7, ink: bookInks.road },
  { holds: (name: string | null) => name === 'major_highway', width: 2.3, ink: bookInks.mainRoad },
] as const;
const casing = 0.8;

export function drawRoads(page: PdfPage, { roads, rail }: Pick<Ground, 'roads' | 'rail'>, scale: number): void {
  const wider = Math.min(2.2, Math.max(0.7, Math.sqrt(24_000 / scale)));
  const rows = roadClasses.map(({ holds, width, ink }) => ({
    paths: joinPaths(roads.flatMap((road) => (holds(road.class) ? road.paths : []))),
    width: width * wider,
    ink,
  }));
  for (const { paths, width } of rows) page.line(paths, { stroke: bookInks.roadEdge, width: width + casing });
  for (const { paths, width, ink } of rows) page.line(paths, { stroke: ink, width, roundEnds: true });
  const rails = joinPaths(rail.flatMap(({ paths }) => paths));
  page.line(rails, { stroke: bookInks.rail, width: 0.7 });
  page.line(rails, { stroke: bookInks.rail, width: 2.6, dash: [0.5, 4] });
}

const roadNames = { ink: bookInks.roadLetters, size: 5, priority: 1 };
const waterNames = { ink: bookInks.waterLetters, size: 6, isSlanted: true, spacing: 0.08, priority: 2 };

export function drawGroundNames(page: PdfPage, { roads, water, stream }: Ground, field: LabelField): void {
  drawNames(page, roads, field, roadNames);
  drawNames(page, [...water, ...stream], field, waterNames);
}
