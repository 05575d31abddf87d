/** The map of a visit: the parcels, the way walked, and the photos as numbers with the direction that each looked to. */
import { type Box, boxPath, inkOf, type Path, type PdfPage } from '../exporting/pdf-page.ts';
import { type Bounds, boundsOfMultiPolygon, type MultiPolygon, middleOfBounds } from '../geo/geometry.ts';
import { localMetric } from '../geo/local-metric.ts';
import { widenBounds } from '../geo/near-length.ts';
import { grouped } from '../spec/counted.ts';
import { scaleOfMeters, sheetScales } from '../spec/sheet-paper.ts';
import type { VisitReport } from '../spec/visits.ts';
import type { LandStore } from '../store/land-store.ts';
import { chooseLayers } from './choose-layers.ts';
import { drawMap } from './draw-map.ts';
import { type GroundFrame, groundFrame } from './ground-frame.ts';
import { LabelField } from './label-field.ts';
import { badge, beside } from './numbered-lots.ts';
import { linesOnPage } from './page-shapes.ts';
import { drawNorth, drawScaleBar } from './sheet-foot.ts';
import { inks } from './sheet-inks.ts';

const [walkedInk, coneInk, coneEdge] = [inkOf('#8A5A12'), inkOf('#F2D21B'), inkOf('#6B5600')];
/** Photos farther away belong to another visit, and would make the parcels small. */
const nearMeters = 800;
const marginShare = 1.16;
const [coneLength, coneHalfDegrees] = [17, 24];

/** A photo's number on the map, in points of the page. */
interface PlacedPhoto {
  /** From 1. */
  readonly number: number;
  readonly x: number;
  readonly y: number;
  /** Where it was taken, if the number stands beside. */
  readonly from: readonly [number, number] | null;
  readonly direction: number | null;
}

export interface VisitMap {
  readonly frame: GroundFrame;
  readonly placed: readonly PlacedPhoto[];
}

interface Land {
  readonly shapes: readonly MultiPolygon[];
  readonly report: VisitReport;
}

/** The parcels, the photos near them, and a strip around. */
function boundsOf({ shapes, report }: Land): Bounds {
  const all = shapes.map(boundsOfMultiPolygon);
  const parcels = joined(all);
  const near = widenBounds(parcels, nearMeters);
  const photos = report.photos.flatMap(({ longitude: x, latitude: y }): Bounds[] =>
    x === null || y === null || x < near.minX || x > near.maxX || y < near.minY || y > near.maxY
      ? []
      : [{ minX: x, maxX: x, minY: y, maxY: y }],
  );
  return joined([parcels, ...photos]);
}

const joined = (all: readonly Bounds[]): Bounds => ({
  minX: Math.min(...all.map(({ minX }) => minX)),
  maxX: Math.max(...all.map(({ maxX }) => maxX)),
  minY: Math.min(...all.map(({ minY }) => minY)),
  maxY: Math.max(...all.map(({ maxY }) => maxY)),
});

/** The largest usual scale at which all lie in the box, and the numbers that find room. */
export function fitVisitMap(land: Land, box: Box): VisitMap {
  const bounds = boundsOf(land);
  const middle = middleOfBounds(bounds);
  const metric = localMetric(middle[1]);
  const wide = ((bounds.maxX - bounds.minX) * metric.x * marginShare) / box.width;
  const high = ((bounds.maxY - bounds.minY) * metric.y * marginShare) / box.height;
  const least = scaleOfMeters(Math.max(wide, high, 0.001));
  const frame = groundFrame(box, middle, sheetScales.find((one) => one >= least) ?? Math.ceil(least / 1000) * 1000);
  const field = new LabelField(box);
  const placed = land.report.photos.flatMap(({ longitude, latitude, direction }, at): PlacedPhoto[] => {
    if (longitude === null || latitude === null) return [];
    const [x, y] = [frame.x(longitude), frame.y(latitude)];
    const isInside = x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
    const place = isInside ? beside(field, x, y) : null;
    return place ? [{ number: at + 1, x: place.x, y: place.y, from: place.from, direction }] : [];
  });
  return { frame, placed };
}

/** @param hasNumbers false: photos are dots, since another page numbers them */
export function drawVisitMap(
  page: PdfPage,
  land: LandStore,
  { frame, placed }: VisitMap,
  report: VisitReport,
  hasNumbers: boolean,
): void {
  const { box } = frame;
  drawMap(page, land, frame, {
    ...chooseLayers(land),
    ...{ matched: null, fill: null, selected: new Set(report.parcels), texts: ['apn'] },
    own: {
      reserve: (field) => {
        for (const { x, y } of hasNumbers ? placed : []) field.block({ x: x - 7, y: y - 7, width: 14, height: 14 });
      },
      tint: () => {},
      names: () => {
        if (hasNumbers) for (const one of placed) drawNumbered(page, one);
        else drawDots(page, frame, report);
      },
    },
    beforeNames: () => page.layer('Walked', () => drawWalk(page, frame, report)),
  });
  page.area([boxPath(box)], { stroke: inks.frame, width: 0.9 });
}

function drawWalk(page: PdfPage, frame: GroundFrame, { tracks }: VisitReport): void {
  const lines = tracks.flatMap((line) => linesOnPage(line, frame));
  page.line(lines, { stroke: inks.casing, width: 2.6, opacity: 0.7 });
  page.line(lines, { stroke: walkedInk, width: 1.3, dash: [4, 2.4] });
}

const circle = (x: number, y: number, radius: number): Path =>
  Array.from({ length: 20 }, (_, at) => (at * Math.PI) / 10).flatMap((angle) => [
    x + radius * Math.cos(angle),
    y + radius * Math.sin(angle),
  ]);

function drawDots(page: PdfPage, { x, y }: GroundFrame, { photos }: VisitReport): void {
  const dots = photos.flatMap(({ longitude, latitude }) =>
    longitude === null || latitude === null ? [] : [circle(x(longitude), y(latitude), 1.7)],
  );
  for (const dot of dots) page.area([dot], { fill: inks.halo, stroke: inks.frame, width: 0.8 });
}

function drawNumbered(page: PdfPage, { number, x, y, from, direction }: PlacedPhoto): void {
  const [footX, footY] = from ?? [x, y];
  if (direction !== null)
    page.area([cone(footX, footY, direction)], { fill: coneInk, stroke: coneEdge, width: 0.5, opacity: 0.92 });
  if (from) {
    page.line([[footX, footY, x, y]], { stroke: inks.frame, width: 0.6 });
    page.area([circle(footX, footY, 1.5)], { fill: inks.frame });
  }
  badge(page, x, y, 'across', String(number));
}

/** A sector that opens to where the camera looked. */
function cone(x: number, y: number, degrees: number): Path {
  const steps = [-1, -0.5, 0, 0.5, 1];
  const tips = steps.flatMap((step) => {
    const angle = ((degrees + step * coneHalfDegrees) * Math.PI) / 180;
    return [x + coneLength * Math.sin(angle), y - coneLength * Math.cos(angle)];
  });
  return [x, y, ...tips];
}

/** North, scale and what the signs mean, in a line below the map. */
export function drawVisitFurniture(page: PdfPage, { frame }: VisitMap, report: VisitReport): void {
  const { x, width, y: top, height } = frame.box;
  const y = top + height + 8;
  drawNorth(page, x + 6, y + 7);
  drawScaleBar(page, frame, { x: x + 24, y: y + 9, width: 84 });
  const entries: [words: string, draw: (left: number) => void][] = [
    [
      'parcel',
      (left) =>
        page.area([boxPath({ x: left, y: y + 8, width: 13, height: 8 })], { stroke: inks.selected, width: 1.6 }),
    ],
  ];
  if (report.tracks.length > 0)
    entries.push([
      `walked, ${milesWords(report.feet)}`,
      (left) => page.line([[left, y + 12, left + 13, y + 12]], { stroke: walkedInk, width: 1.3, dash: [4, 2.4] }),
    ]);
  if (report.photos.some(({ longitude }) => longitude !== null))
    entries.push(['photo, looking', (left) => badge(page, left + 6, y + 12, 'across', '1')]);
  let right = x + width;
  for (const [words, draw] of entries.toReversed()) {
    right -= page.width(words, 7.2);
    page.text(right, y + 12, 7.2, words, { isCentered: true });
    right -= 17;
    draw(right);
    right -= 9;
  }
  page.text(right, y + 12, 7.2, `1 : ${grouped(Math.round(frame.scale))}`, { align: 'right', isCentered: true });
}

const feetPerMile = 5280;

const milesWords = (feet: number): string =>
  feet < feetPerMile / 10 ? `${grouped(Math.round(feet))} ft` : `${(feet / feetPerMile).toFixed(1)} mi`;
