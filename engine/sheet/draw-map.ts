/**
 * Draws what is seen of the land into a frame of a page: ground, layers, lots, letters, in the order of the screen's map. The
 * parcel sheet and the map sheet share it.
 */

import { boxPath, type Paint, type Path, type PdfPage } from '../exporting/pdf-page.ts';
import type { MultiPolygon } from '../geo/geometry.ts';
import type { LandStore } from '../store/land-store.ts';
import { drawLayers, type ShownLayer } from './draw-layers.ts';
import type { GroundFrame } from './ground-frame.ts';
import { LabelField } from './label-field.ts';
import { placeAlong } from './line-labels.ts';
import { classOf, inkOfStep, type LotFill } from './lot-fill.ts';
import { fitLotLabel, lineHeight } from './lot-labels.ts';
import { readLots, type SheetLot } from './map-content.ts';
import { polygonsOnPage } from './page-shapes.ts';
import { sheetContours, sheetRelief } from './sheet-ground.ts';
import { inks, lotFillOpacity, overPhoto, reliefStrength, widthAt, widths } from './sheet-inks.ts';
import type { SheetPhoto } from './sheet-photo.ts';

export type LotText = 'apn' | 'acres' | 'owner';

export interface MapChoices {
  /** property_ids; null: no search, so that nothing is tinted. */
  readonly matched: ReadonlySet<number> | null;
  readonly selected: ReadonlySet<number>;
  /** Colors of matches; null: one. */
  readonly fill: LotFill | null;
  /** In the order of their lines; an owner's name only if it is among them. */
  readonly texts: readonly LotText[];
  readonly hasRelief: boolean;
  readonly hasContours: boolean;
  readonly layers: readonly ShownLayer[];
  /** Under the lots, in place of their fill; absent: the map is drawn. */
  readonly photo?: SheetPhoto | null;
  /** Draws what lies over the land and under the letters. */
  readonly beforeNames?: () => void;
  /** What a page shows of its own, in place of matches and of the lots' texts. */
  readonly own?: {
    /** Blocks its places before roads are named. */
    readonly reserve: (field: LabelField) => void;
    readonly tint: () => void;
    readonly names: () => void;
  };
}

/** A line of the legend: its sample is a line or an area. */
export interface LegendEntry {
  readonly title: string;
  readonly form: 'line' | 'area' | 'building' | 'heading';
  /** One over the other. */
  readonly paints: readonly Paint[];
}

export interface DrawnMap {
  readonly lots: number;
  /** Lots whose point of view lies in the frame, with all their texts, with some, and without any. */
  readonly labels: { readonly whole: number; readonly part: number; readonly none: number };
  /** Feet between contours; null: none are drawn. */
  readonly contourFeet: number | null;
  readonly hasRelief: boolean;
  readonly legend: readonly LegendEntry[];
}

interface PageLot extends SheetLot {
  /** On the page, a little beyond the frame. */
  readonly shape: MultiPolygon;
}

/** Paths that are drawn together: a longer one is slow in viewers. */
const pathsAtOnce = 200;

export function drawMap(page: PdfPage, land: LandStore, frame: GroundFrame, choices: MapChoices): DrawnMap {
  const lots = readLots(land.file, frame.bounds).flatMap((lot): PageLot[] => {
    const shape = polygonsOnPage(lot.polygons, frame);
    return shape.length > 0 ? [{ ...lot, shape }] : [];
  });
  const contours = choices.hasContours ? sheetContours(land, frame) : null;
  const relief = choices.hasRelief ? sheetRelief(land, frame) : null;
  const field = new LabelField(frame.box);
  choices.own?.reserve(field);
  const legend: LegendEntry[] = [];
  const layerLegend: LegendEntry[] = [];
  const layers = drawLayers(page, land, frame, choices.layers, field, layerLegend);
  const boundary = [boxPath(frame.box)];
  const photo = choices.photo ?? null;
  const labels = { whole: 0, part: 0, none: 0 };
  const drawFills = () => {
    if (photo) {
      // What holes of the photo show.
      page.layer('Water', () => layers.water());
      page.layer('Roads and buildings', () => layers.above());
      page.layer('Photo', () => drawPhoto(page, photo, boundary));
      return;
    }
    const { matched, fill } = choices;
    if (matched) page.layer('Matches', () => drawMatches(page, lots, matched, fill, legend));
  };
  page.within(boundary, () => {
    page.layer('Ground', () => {
      page.area(boundary, { fill: inks.open });
      layers.below();
    });
    if (choices.own) page.layer('Neighbors', () => choices.own?.tint());
    drawFills();
    if (relief) page.layer('Relief', () => page.picture(relief.picture, relief.box, reliefStrength));
    if (!photo) page.layer('Land', () => layers.middle());
    if (contours) page.layer('Contours', () => drawContours(page, contours, frame, legend));
    if (!photo) page.layer('Water', () => layers.water());
    page.layer('Parcels', () => drawLotLines(page, lots, frame, choices, legend));
    if (!photo) page.layer('Roads and buildings', () => layers.above());
    page.layer('Selected', () => drawSelected(page, lots, choices.selected, legend));
    choices.beforeNames?.();
    page.layer('Names', () => {
      layers.names();
      drawLotTexts(page, lots, field, frame, choices, labels);
      choices.own?.names();
      if (contours) drawContourFeet(page, contours, field);
    });
  });
  return {
    lots: lots.length,
    labels,
    contourFeet: contours?.interval ?? null,
    hasRelief: relief !== null,
    legend: [...legend, ...layerLegend],
  };
}

function drawPhoto(page: PdfPage, { tiles }: SheetPhoto, boundary: readonly Path[]): void {
  for (const { picture, box } of tiles) page.picture(picture, box);
  page.area(boundary, { fill: inks.casing, opacity: overPhoto.lightening });
}

function inPieces(page: PdfPage, lots: readonly PageLot[], paint: Paint): void {
  const paths = lots.flatMap(({ shape }) => shape.flat());
  for (let at = 0; at < paths.length; at += pathsAtOnce) page.area(paths.slice(at, at + pathsAtOnce), paint);
}

function drawMatches(
  page: PdfPage,
  lots: readonly PageLot[],
  matched: ReadonlySet<number>,
  fill: LotFill | null,
  legend: LegendEntry[],
): void {
  const found = lots.filter(({ id }) => matched.has(id));
  const used = new Set<number | null>();
  // One by one: areas drawn together by even-odd would cancel where parcels overlap.
  for (const lot of found) {
    const step = fill === null ? 1 : (classOf(fill, lot.values)?.step ?? null);
    used.add(step);
    if (step !== null) page.area(lot.shape.flat(), { fill: inkOfStep(step), opacity: lotFillOpacity });
  }
  if (found.length === 0) return;
  const sample = (title: string, step: number): LegendEntry => ({
    ...{ title, form: 'area' },
    paints: [{ fill: inkOfStep(step), opacity: lotFillOpacity }],
  });
  if (fill === null) {
    legend.push(sample('matches', 1));
    return;
  }
  legend.push({ title: fill.title, form: 'heading', paints: [] });
  for (const { words, step } of fill.classes) if (used.has(step)) legend.push(sample(words, step));
  if (used.has(null)) {
    legend.push({ title: fill.without, form: 'area', paints: [{ stroke: inks.matchLine, width: 0.6 }] });
  }
}

function drawLotLines(
  page: PdfPage,
  lots: readonly PageLot[],
  frame: GroundFrame,
  { matched, photo }: MapChoices,
  legend: LegendEntry[],
): void {
  const width = photo ? overPhoto.lineWidth : widthAt(frame.zoom, widths.lot);
  const [plain, found] = [
    { stroke: photo ? overPhoto.line : inks.lotLine, width },
    { stroke: photo ? overPhoto.line : inks.matchLine, width: width * 1.3 },
  ];
  if (photo)
    inPieces(page, lots, {
      ...{ stroke: inks.casing, width: width + overPhoto.casingWidth, opacity: overPhoto.casingOpacity },
    });
  inPieces(page, lots, plain);
  if (matched)
    inPieces(
      page,
      lots.filter(({ id }) => matched.has(id)),
      found,
    );
  if (lots.length > 0) legend.push({ title: 'parcel line', form: 'line', paints: [plain] });
}

function drawSelected(
  page: PdfPage,
  lots: readonly PageLot[],
  selected: ReadonlySet<number>,
  legend: LegendEntry[],
): void {
  const chosen = lots.filter(({ id }) => selected.has(id));
  if (chosen.length === 0) return;
  const paints: readonly Paint[] = [
    { stroke: inks.casing, width: 4 },
    { stroke: inks.selected, width: 2 },
  ];
  for (const paint of paints) inPieces(page, chosen, paint);
  legend.unshift({ title: selected.size === 1 ? 'this parcel' : 'selected parcels', form: 'line', paints });
}

type Contours = NonNullable<ReturnType<typeof sheetContours>>;

function drawContours(
  page: PdfPage,
  { lines, interval }: Contours,
  { zoom }: GroundFrame,
  legend: LegendEntry[],
): void {
  const bold: Paint = { stroke: inks.contourBold, width: widthAt(zoom, widths.contourBold) };
  const plain: Paint = { stroke: inks.contour, width: widthAt(zoom, widths.contour) };
  page.line(
    lines.flatMap(({ isBold, path }) => (isBold ? [] : [path])),
    plain,
  );
  page.line(
    lines.flatMap(({ isBold, path }) => (isBold ? [path] : [])),
    bold,
  );
  legend.push({ title: `contour, ${interval * 5} ft`, form: 'line', paints: [bold] });
  legend.push({ title: `contour, ${interval} ft`, form: 'line', paints: [plain] });
}

const [contourSize, contourSpacing] = [5.6, 260];

function drawContourFeet(page: PdfPage, { lines }: Contours, field: LabelField): void {
  for (const { feet, isBold, path } of lines) {
    if (!isBold) continue;
    const text = `${feet.toLocaleString('en-US')} ft`;
    const size = { width: page.width(text, contourSize) + 2, height: contourSize, spacing: contourSpacing };
    for (const { x, y, angle } of placeAlong(path, field, size)) {
      page.text(x, y, contourSize, text, {
        ...{ angle, align: 'middle', isCentered: true, ink: inks.contourLetters, halo: inks.halo },
      });
    }
  }
}

function drawLotTexts(
  page: PdfPage,
  lots: readonly PageLot[],
  field: LabelField,
  frame: GroundFrame,
  { texts, selected }: MapChoices,
  counts: { whole: number; part: number; none: number },
): void {
  if (texts.length === 0) return;
  // The selected first, then large lots: their labels are looked for.
  const ordered = lots.toSorted(
    (a, b) => Number(selected.has(b.id)) - Number(selected.has(a.id)) || (b.acres ?? 0) - (a.acres ?? 0) || a.id - b.id,
  );
  for (const lot of ordered) {
    const seen = polygonsOnPage(lot.polygons, frame, 0);
    const wanted = texts.flatMap((name) => textOf(lot, name) ?? []);
    if (seen.length === 0 || wanted.length === 0) continue;
    const label = fitLotLabel(page, field, seen, wanted);
    counts[label === null ? 'none' : label.texts === wanted.length ? 'whole' : 'part']++;
    if (!label) continue;
    const [step, isBold] = [label.size * lineHeight, selected.has(lot.id)];
    for (const [at, line] of label.lines.entries()) {
      const y = label.y + (at - (label.lines.length - 1) / 2) * step;
      const style = { align: 'middle', isCentered: true, ink: inks.letters, halo: inks.halo, isBold } as const;
      page.text(label.x, y, label.size, line, style);
    }
  }
}

function textOf({ apn, acres, owner }: SheetLot, name: LotText): string | null {
  if (name === 'apn') return apn || null;
  if (name === 'owner') return owner || null;
  return acres === null
    ? null
    : `${acres.toLocaleString('en-US', { maximumFractionDigits: acres < 10 ? 2 : 1 })}\u00a0ac`;
}
