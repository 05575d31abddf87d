/** Makes the map sheet: what the map shows, as one georeferenced PDF page to scale. */

import { LabelFont } from '../exporting/label-font.ts';
import { pdfInMemory } from '../exporting/pdf-file.ts';
import { boxPath, PdfPage } from '../exporting/pdf-page.ts';
import { metersPerFoot } from '../geo/local-metric.ts';
import type { Declination } from '../geo/magnetic-declination.ts';
import { grouped } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { notASurvey } from '../spec/not-a-survey.ts';
import { mapBox, type PaperName, pageSize, papers, sheetMargin, sheetScales } from '../spec/sheet-paper.ts';
import type { LandStore } from '../store/land-store.ts';
import { elevationWords } from '../tiles/terrain-source.ts';
import { type DrawnMap, drawMap, type MapChoices } from './draw-map.ts';
import { angleWords, ticksBetween } from './graticule.ts';
import { type GroundFrame, georeference, groundFrame } from './ground-frame.ts';
import { countLots, parcelSources } from './map-content.ts';
import { drawLegend, drawNorths, drawNotes, drawScaleBar } from './sheet-foot.ts';
import { inks } from './sheet-inks.ts';
import { type LayerSource, sourceWords } from './source-words.ts';

interface MapSheetOptions extends MapChoices {
  readonly paper: PaperName;
  readonly isLandscape: boolean;
  /** Longitude and latitude. */
  readonly center: readonly [number, number];
  /** 6000 for 1:6,000. */
  readonly scale: number;
  readonly title: string;
  readonly subtitle: string;
  readonly madeAt: Date;
  /** Null: not known. */
  readonly magnetic: Declination | null;
  /** Publisher and ISO date of the layers that are shown. */
  readonly layerSources: readonly LayerSource[];
}

export interface MapSheet {
  readonly pdf: Uint8Array;
  readonly drawn: DrawnMap;
  /** What did not fit. */
  readonly notes: readonly string[];
}

/** More lots on a page are a gray area, and take longer than two seconds. */
const mostLots = 15_000;

/** @throws EngineError validation_error if the frame holds too many lots, with the scale that fits */
export function makeMapSheet(land: LandStore, options: MapSheetOptions): MapSheet {
  const size = pageSize(options.paper, options.isLandscape);
  const frame = groundFrame(mapBox(size), options.center, options.scale);
  requireFewLots(land, frame, options);
  const font = LabelFont.load();
  const page = new PdfPage(font, size);
  const drawn = land.file.snapshot(() =>
    drawMap(page, land, frame, { ...options, beforeNames: () => drawCrosses(page, frame) }),
  );
  drawFrame(page, frame);
  drawHead(page, frame, options, drawn);
  const left = drawFoot(page, frame, land, options, drawn);
  const { file, bytes } = pdfInMemory();
  const catalog = page.addTo(file, font.embed(file), georeference(frame, size[1], options.title));
  file.finish({ title: options.title, madeAt: options.madeAt, catalog });
  return { pdf: bytes(), drawn, notes: [...notesOf(drawn, left), ...[options.photo?.note ?? ''].filter(Boolean)] };
}

function requireFewLots(
  { file }: LandStore,
  { bounds, scale }: GroundFrame,
  { paper, isLandscape, center }: MapSheetOptions,
): void {
  const lots = countLots(file, bounds);
  if (lots <= mostLots) return;
  const fitting = sheetScales
    .filter((one) => one < scale)
    .findLast(
      (one) => countLots(file, groundFrame(mapBox(pageSize(paper, isLandscape)), center, one).bounds) <= mostLots,
    );
  throw new EngineError(
    'validation_error',
    `At 1:${grouped(scale)} the page shows ${grouped(lots)} lots, too many to tell apart (at most ${grouped(mostLots)})${
      fitting === undefined ? '.' : `; 1:${grouped(fitting)} fits.`
    }`,
  );
}

/** Points between two ticks at least. */
const leastTick = 84;

function ticksOf({ box, bounds: { minX, maxX, minY, maxY } }: GroundFrame) {
  const longitudes = ticksBetween(minX, maxX, ((maxX - minX) * leastTick) / box.width);
  return { longitudes, latitudes: ticksBetween(minY, maxY, ((maxY - minY) * leastTick) / box.height) };
}

/** A cross where two ticks meet, for a ruler and a GPS. */
function drawCrosses(page: PdfPage, frame: GroundFrame): void {
  const { longitudes, latitudes } = ticksOf(frame);
  const arm = 3.5;
  const crosses = longitudes.flatMap((longitude) =>
    latitudes.flatMap((latitude) => {
      const [x, y] = [frame.x(longitude), frame.y(latitude)];
      return [
        [x - arm, y, x + arm, y],
        [x, y - arm, x, y + arm],
      ];
    }),
  );
  page.line(crosses, { stroke: inks.frame, width: 0.45, opacity: 0.7 });
}

function drawFrame(page: PdfPage, frame: GroundFrame): void {
  const { box } = frame;
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  page.area([boxPath(box)], { stroke: inks.frame, width: 0.9 });
  const { longitudes, latitudes } = ticksOf(frame);
  const line = { stroke: inks.frame, width: 0.6 };
  const [outside, inside] = [4, 3];
  for (const longitude of longitudes) {
    const x = frame.x(longitude);
    page.line(
      [
        [x, box.y - outside, x, box.y + inside],
        [x, bottom - inside, x, bottom + outside],
      ],
      line,
    );
    const room = Math.min(x - box.x, right - x) > 24;
    if (room)
      page.text(x, box.y - outside - 2.5, 6.6, angleWords(longitude, ['E', 'W']), { align: 'middle', ink: inks.frame });
  }
  for (const latitude of latitudes) {
    const y = frame.y(latitude);
    page.line(
      [
        [box.x - outside, y, box.x + inside, y],
        [right - inside, y, right + outside, y],
      ],
      line,
    );
    const room = Math.min(y - box.y, bottom - y) > 24;
    if (room)
      page.text(box.x - outside - 2.5, y, 6.6, angleWords(latitude, ['N', 'S']), {
        align: 'middle',
        angle: 90,
        ink: inks.frame,
      });
  }
}

function drawHead(
  page: PdfPage,
  { scale }: GroundFrame,
  { title, subtitle, paper }: MapSheetOptions,
  { contourFeet }: DrawnMap,
): void {
  const [width] = page.size;
  const right = width - sheetMargin;
  const left = mapBox(page.size).x;
  page.text(right, sheetMargin + 12, 9.5, `1:${grouped(scale)} on ${papers[paper].title}`, { align: 'right' });
  const contours =
    contourFeet === null ? '' : `Contours every ${contourFeet} ft, bold ${contourFeet * 5} ft, above the sea`;
  page.text(right, sheetMargin + 25, 8, contours, { align: 'right', ink: inks.quiet });
  page.text(left, sheetMargin + 15, 19, title, { isBold: true, room: right - left - 130 });
  page.text(left, sheetMargin + 29, 9, subtitle, { ink: inks.quiet, room: right - left - 215 });
}

/** @returns how many lines of the legend did not fit */
function drawFoot(
  page: PdfPage,
  frame: GroundFrame,
  land: LandStore,
  options: MapSheetOptions,
  { legend, contourFeet, hasRelief }: DrawnMap,
): number {
  const { box, bounds } = frame;
  const [top, bottom] = [box.y + box.height + 14, page.size[1] - sheetMargin];
  const height = bottom - top;
  const madeOn = options.madeAt.toISOString().slice(0, 10);
  drawNorths(page, frame, { x: box.x + 14, y: top, height: height - 24 }, options.magnetic);
  const barX = box.x + 104;
  drawScaleBar(page, frame, { x: barX, y: top + 10, width: 112 });
  const feet = (points: number) => grouped(Math.round(points / frame.pointsPerMeter / metersPerFoot / 10) * 10);
  const about = [
    `Center ${frame.latitude.toFixed(5)}, ${frame.longitude.toFixed(5)} (WGS 84)`,
    `Page shows ${feet(box.width)} × ${feet(box.height)} ft`,
    'Print at 100 %, not “fit to page”',
  ];
  for (const [at, line] of about.entries()) page.text(barX, top + 42 + at * 8.6, 6.6, line, { ink: inks.quiet });
  const notesWidth = 127;
  const legendX = barX + 128;
  const legendWidth = box.x + box.width - notesWidth - 8 - legendX;
  const left = drawLegend(page, legend, { x: legendX, y: top, width: legendWidth, height });
  const hasGround = contourFeet !== null || hasRelief;
  const sources = sourceWords([
    ...parcelSources(land.file, bounds).map(({ name, date }) => ({ title: 'Parcels', name, date })),
    ...options.layerSources,
  ]);
  if (options.photo) sources.push(`Photo: ${options.photo.source}`);
  if (hasGround) sources.push(...[elevationWords(land)].filter(Boolean));
  drawNotes(
    page,
    [
      { text: sources.length === 0 ? 'No parcels here.' : `${sources.join('. ')}.` },
      { text: notASurvey, isBold: true },
      { text: `Made with Platbook on this computer, ${madeOn}.` },
    ],
    { x: box.x + box.width - notesWidth, y: top, width: notesWidth, height },
  );
  return left;
}

function notesOf({ labels }: DrawnMap, left: number): string[] {
  const notes: string[] = [];
  const few = labels.none + labels.part;
  if (few > 0) {
    notes.push(
      `${grouped(labels.whole)} lots have their whole label, ${grouped(labels.part)} a part of it, ${grouped(labels.none)} none: it does not fit at this scale.`,
    );
  }
  if (left > 0) notes.push(`${left === 1 ? '1 line' : `${left} lines`} of the legend did not fit.`);
  return notes;
}
