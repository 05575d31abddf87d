/** Draws the layers beside the lots, each in its look: roads with edges, water, woods, marks of wet ground, names. */

import { type Ink, inkOf, type Paint, type Path, type PdfPage } from '../exporting/pdf-page.ts';
import { boundsOfCoordinates, type MultiPolygon } from '../geo/geometry.ts';
import type { LandStore } from '../store/land-store.ts';
import type { LegendEntry } from './draw-map.ts';
import type { GroundFrame } from './ground-frame.ts';
import type { LabelField } from './label-field.ts';
import { drawNames, joinPaths, type NameStyle } from './layer-names.ts';
import { readFeatures, type SheetFeature } from './map-content.ts';
import { linesOnPage, polygonsOnPage } from './page-shapes.ts';
import { inks, roadEdgeWidth, widthAt, widths } from './sheet-inks.ts';

export interface ShownLayer {
  readonly layerId: number;
  /** A kind of layer, or the look of one that is for the map only. */
  readonly look: string;
  readonly title: string;
  /** `#rrggbb` where it is plain; null: the usual. */
  readonly color: string | null;
}

/** From below: what a look is drawn among. */
type Level = 'below' | 'middle' | 'water' | 'above';

export interface PageFeature extends SheetFeature {
  /** Each with its holes. */
  readonly areas: MultiPolygon;
  readonly paths: readonly Path[];
  /** On the page. */
  readonly place: readonly [number, number] | null;
}

interface Look {
  readonly level: Level;
  readonly draw: (page: PdfPage, features: readonly PageFeature[], frame: GroundFrame) => void;
  /** Its sample in the legend. */
  readonly sample: Omit<LegendEntry, 'title'> & { readonly title?: string };
  /** Whether lots' labels keep off it. */
  readonly isDark?: boolean;
  /** How its names look; absent: it has none. */
  readonly names?: NameStyle;
}

/** An area of one paint. */
function area(level: Level, paint: Paint, names?: Look['names']): Look {
  const draw: Look['draw'] = (page, features) => {
    for (const { areas, paths } of features) {
      for (const rings of areas) page.area(rings, paint);
      if (paint.stroke) page.line(paths, { stroke: paint.stroke, ...(paint.width && { width: paint.width }) });
    }
  };
  return { level, draw, sample: { form: 'area', paints: [paint] }, ...(names && { names }) };
}

/** A dashed line in its own color, else in gray. */
function boundary(color: string | null): Look {
  const paint: Paint = { stroke: color === null ? inks.quiet : inkOf(color), width: 0.8, dash: [4, 2] };
  const draw: Look['draw'] = (page, features) => {
    for (const { areas, paths, place } of features) {
      for (const rings of areas) page.area(rings, paint);
      page.line(paths, paint);
      if (place) page.area([dot(place)], { fill: paint.stroke as Ink });
    }
  };
  const names = { ink: inks.letters, size: 6, priority: 7 };
  return { level: 'above', draw, sample: { form: 'line', paints: [paint] }, names };
}

/** A small diamond. */
const dot = ([x, y]: readonly [number, number]): Path => [x - 1.6, y, x, y - 1.6, x + 1.6, y, x, y + 1.6];

const waterNames = { ink: inks.waterLetters, size: 6.6, isSlanted: true, spacing: 0.12, priority: 3 };
const bandWidth = 4.5;
const band: Paint = { stroke: inks.publicBand, width: bandWidth, opacity: 0.7 };

/** Draws rows of a mark all over the areas. @param step points between marks */
function marked(
  page: PdfPage,
  { areas }: PageFeature,
  step: number,
  mark: (x: number, y: number) => readonly Path[],
  paint: Paint,
): void {
  for (const rings of areas) {
    page.within(rings, () => {
      const { minX, minY, maxX, maxY } = boundsOfCoordinates(rings);
      const marks: Path[] = [];
      // On one grid for the whole page, so that marks of neighbors stand in rows.
      for (let row = Math.floor(minY / step); row * step <= maxY + step; row++) {
        const shift = row % 2 === 0 ? 0 : step / 2;
        for (let column = Math.floor(minX / step) - 1; column * step <= maxX + step; column++) {
          marks.push(...mark(column * step + shift, row * step));
        }
      }
      page.line(marks, paint);
    });
  }
}

const wetPaint: Paint = { stroke: inks.wet, width: 0.55 };
/** A tuft over its water line. */
const tuft = (x: number, y: number): readonly Path[] => [
  [x - 4, y, x + 4, y],
  [x, y - 1, x, y - 4.2],
  [x - 2, y - 1, x - 2.8, y - 3.4],
  [x + 2, y - 1, x + 2.8, y - 3.4],
];
const wetlands: Look = {
  level: 'middle',
  draw: (page, features) => {
    for (const feature of features) marked(page, feature, 15, tuft, wetPaint);
  },
  sample: { form: 'area', paints: [{ stroke: inks.wet, width: 0.5, dash: [1.5, 2] }] },
};

const floodPaint: Paint = { stroke: inks.waterLine, width: 0.45 };
const flood: Look = {
  level: 'water',
  draw: (page, features) => {
    for (const feature of features) {
      marked(page, feature, 6, (x, y) => [[x - 3, y + 3, x + 3, y - 3]], floodPaint);
      for (const rings of feature.areas) page.area(rings, { ...floodPaint, dash: [3, 2] });
    }
  },
  sample: { form: 'area', paints: [{ ...floodPaint, dash: [3, 2] }] },
};

const streamPaint = (zoom: number): Paint => ({
  stroke: inks.waterLine,
  width: widthAt(zoom, widths.water) * 1.3,
  roundEnds: true,
});
const stream: Look = {
  level: 'water',
  draw: (page, features, { zoom }) => {
    for (const { areas, paths } of features) {
      for (const rings of areas) page.area(rings, { fill: inks.water, ...streamPaint(zoom) });
      page.line(paths, streamPaint(zoom));
    }
  },
  sample: { form: 'line', paints: [{ stroke: inks.waterLine, width: 1.2 }] },
  names: { ...waterNames, size: 6.2, priority: 5 },
};

const publicLand: Look = {
  level: 'middle',
  draw: (page, features) => {
    for (const { areas } of features) {
      // Only the inner half of the band shows.
      for (const rings of areas) page.within(rings, () => page.area(rings, { ...band, width: 2 * bandWidth }));
    }
  },
  sample: { form: 'line', paints: [band] },
  names: { ink: inks.publicLetters, size: 7, spacing: 0.08, priority: 2 },
};

/** From the least to the most important: the later lies over the earlier. */
const roadClasses = [
  {
    isClass: (name: string | null) => name !== 'normal_road' && name !== 'major_highway',
    width: widths.localRoad,
    fill: inks.road,
  },
  { isClass: (name: string | null) => name === 'normal_road', width: widths.normalRoad, fill: inks.road },
  { isClass: (name: string | null) => name === 'major_highway', width: widths.mainRoad, fill: inks.mainRoad },
] as const;

const roads: Look = {
  level: 'above',
  draw: (page, features, { zoom }) => {
    const rows = roadClasses.map(({ isClass, width, fill }) => ({
      paths: joinPaths(features.flatMap((feature) => (isClass(feature.class) ? feature.paths : []))),
      width: widthAt(zoom, width),
      fill,
    }));
    for (const { paths, width } of rows) page.line(paths, { stroke: inks.roadEdge, width: width + roadEdgeWidth });
    for (const { paths, width, fill } of rows) page.line(paths, { stroke: fill, width, roundEnds: true });
  },
  sample: {
    title: 'road',
    form: 'line',
    paints: [
      { stroke: inks.roadEdge, width: 4.6 },
      { stroke: inks.road, width: 3.2 },
    ],
  },
  names: { ink: inks.letters, size: 6.6, priority: 4 },
};

const railPaints: readonly Paint[] = [
  { stroke: inks.quiet, width: 0.9 },
  { stroke: inks.quiet, width: 3.2, dash: [0.6, 5] },
];
const rail: Look = {
  level: 'above',
  draw: (page, features) => {
    for (const paint of railPaints) page.line(joinPaths(features.flatMap(({ paths }) => paths)), paint);
  },
  sample: { form: 'line', paints: railPaints },
  names: { ink: inks.quiet, size: 6, priority: 6 },
};

const buildings: Look = {
  isDark: true,
  ...area('above', { fill: inks.building }),
  sample: { title: 'building', form: 'building', paints: [{ fill: inks.building }] },
};

/** A triangle for a summit, nothing but its name for a town. */
const places: Look = {
  level: 'above',
  draw: (page, features) => {
    for (const { class: kind, place } of features) {
      if (place === null || kind === 'town' || kind === 'village') continue;
      const [x, y] = place;
      const mark = kind === 'summit' ? [x - 2.4, y + 2, x, y - 2.4, x + 2.4, y + 2] : dot(place);
      page.area([mark], { fill: inks.contourLetters });
    }
  },
  sample: { title: 'summit, place', form: 'building', paints: [{ fill: inks.contourLetters }] },
  names: { ink: inks.letters, size: 7, priority: 1 },
};

/** Townships bold, sections thin with their numbers, as the map draws them. */
const township: Paint = { stroke: inks.survey, width: 1.4 };
const section: Paint = { stroke: inks.survey, width: 0.5 };
const survey: Look = {
  level: 'above',
  draw: (page, features) => {
    // Townships last, over the lines of their sections.
    const isTownship = ({ class: place }: PageFeature) => place?.startsWith('T') ?? false;
    for (const { areas } of features.filter((one) => !isTownship(one)))
      for (const rings of areas) page.area(rings, section);
    for (const { areas } of features.filter(isTownship)) for (const rings of areas) page.area(rings, township);
  },
  sample: { title: 'township, section', form: 'line', paints: [township] },
  names: { ink: inks.survey, size: 8, priority: 5 },
};

/** By kind of layer, and by look where a layer is only drawn; others get a dashed line. */
const looks: Readonly<Record<string, Look>> = {
  woods: area('below', { fill: inks.woods }),
  wetlands,
  public: publicLand,
  flood,
  stream,
  water: area('water', { fill: inks.water, stroke: inks.waterLine, width: 0.7 }, waterNames),
  roads,
  rail,
  buildings,
  plss: survey,
  place: places,
};

/** What a layer has near the frame, on the page. */
export const featuresOnPage = (land: LandStore, layerId: number, frame: GroundFrame): PageFeature[] =>
  readFeatures(land, layerId, frame.bounds).map((feature) => ({
    ...feature,
    areas: polygonsOnPage(feature.polygons, frame),
    paths: feature.lines.flatMap((line) => linesOnPage(line, frame)),
    place: feature.point && [frame.x(feature.point[0]), frame.y(feature.point[1])],
  }));

/** @param legend gets an entry for each layer that has something in the frame */
export function drawLayers(
  page: PdfPage,
  land: LandStore,
  frame: GroundFrame,
  shown: readonly ShownLayer[],
  field: LabelField,
  legend: LegendEntry[],
) {
  const layers = shown.map(({ layerId, look, title, color }) => ({
    ...{ title, look: looks[look] ?? boundary(color) },
    features: featuresOnPage(land, layerId, frame),
  }));
  for (const { look, title, features } of layers) {
    const isSeen = features.some(({ areas, paths, place }) => areas.length + paths.length > 0 || place !== null);
    if (look.isDark) for (const feature of features) addDark(field, feature);
    if (isSeen) legend.push({ ...look.sample, title: look.sample.title ?? title.toLowerCase() });
  }
  const draw = (level: Level) => () => {
    for (const { look, features } of layers) if (look.level === level) look.draw(page, features, frame);
  };
  return {
    below: draw('below'),
    middle: draw('middle'),
    water: draw('water'),
    above: draw('above'),
    names: () => {
      const named = layers.flatMap(({ look: { names }, features }) => (names ? [{ names, features }] : []));
      for (const { names, features } of named.sort((a, b) => a.names.priority - b.names.priority)) {
        drawNames(page, features, field, names);
      }
    },
  };
}

function addDark(field: LabelField, { areas }: PageFeature): void {
  for (const [exterior] of areas) {
    const { minX, minY, maxX, maxY } = boundsOfCoordinates(exterior ? [exterior] : []);
    field.addDark({ x: minX, y: minY, width: maxX - minX, height: maxY - minY });
  }
}
