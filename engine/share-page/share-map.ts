/**
 * The map of a shared page as SVG, which shows without a script: lots, ground and names in whole numbers of a local grid, in the
 * classes that share-style.ts paints. It has its room; what does not fit is left out, the least needed first, and named.
 */
import { xmlText } from '../exporting/xml-text.ts';
import { type Bounds, boundsOfCoordinates, type MultiPolygon, middleOfBounds, unionOfBounds } from '../geo/geometry.ts';
import { localMetric } from '../geo/local-metric.ts';
import { poleOf } from '../geo/pole.ts';
import { thinned } from '../geo/thinned.ts';
import { chooseLayers } from '../sheet/choose-layers.ts';
import { featuresOnPage, type PageFeature } from '../sheet/draw-layers.ts';
import { type GroundFrame, groundFrame } from '../sheet/ground-frame.ts';
import { joinPaths } from '../sheet/layer-names.ts';
import { countLots, readLots } from '../sheet/map-content.ts';
import { polygonsOnPage } from '../sheet/page-shapes.ts';
import { sheetContours } from '../sheet/sheet-ground.ts';
import type { LayerSource } from '../sheet/source-words.ts';
import { scaleOfMeters } from '../spec/sheet-paper.ts';
import type { LandStore } from '../store/land-store.ts';
import { elevationWords } from '../tiles/terrain-source.ts';
import type { SharedParcel } from './share-content.ts';

export interface SharePin {
  readonly number: number;
  readonly longitude: number;
  readonly latitude: number;
}

export interface ShareMap {
  readonly svg: string;
  /** Units of a pixel where no script measures it. */
  readonly unit: number;
  readonly legend: readonly { readonly look: string; readonly title: string }[];
  readonly sources: readonly LayerSource[];
  /** Where the contours come from; empty without them. */
  readonly ground: string;
  readonly notes: readonly string[];
}

/** Points of the frame's side: as fine as a sheet of paper that the ground is drawn for. */
const side = 2000;
/** Bytes of all ground. */
const mostGround = 1_600_000;
const mostNeighbours = 4000;
/** Points that dropped corners lie from the line at most. */
const [groundTolerance, lotTolerance] = [0.35, 0.12];
const mostNames = 80;
const smaller = 4;

type Paths = readonly ArrayLike<number>[];

/** A step of the ground, painted by its class. */
interface Ground {
  readonly look: string;
  readonly title: string;
  readonly path: string;
  /** The greatest goes first where the room is short. */
  readonly dispensable: number;
}

/** Looks of layers, from below; others are drawn as a dashed line. */
const looks: Readonly<Record<string, number>> = {
  woods: 5,
  wetlands: 4,
  public: 4,
  flood: 4,
  water: 1,
  stream: 2,
  plss: 3,
  rail: 3,
  buildings: 6,
};

/** Null: no parcel has a shape or a place. */
export function shareMap(
  land: LandStore,
  parcels: readonly SharedParcel[],
  pins: readonly SharePin[],
): ShareMap | null {
  const box = unionOfBounds(parcels.map(boundsOfParcel));
  if (!box) return null;
  const { frame, units } = frameAround(box);
  const write = pathWriter(units);
  const lots = parcels.map((parcel) => ({
    parcel,
    areas: parcel.polygons ? polygonsOnPage(parcel.polygons, frame) : [],
  }));
  const { layers, sources } = chooseLayers(land);
  const drawn = layers.map((layer) => ({ ...layer, features: featuresOnPage(land, layer.layerId, frame) }));
  const all = [
    neighbours(land, frame, write),
    ...drawn.flatMap(({ look, title, features }) => groundOf(look, title, features, write)),
    ...contours(land, frame, write),
  ];
  const { kept, left } = fitting(all);
  const view = viewOf(box, pins, frame);
  const whole = [0, 0, side, side].map((one) => one * units);
  const labels = lots.flatMap(({ parcel, areas }) => labelOf(parcel, areas, frame, units, parcels.length === 1));
  const names = drawn.flatMap(({ look, features }) => namesOf(look, features, units)).slice(0, mostNames);
  const shapes = lots.map(
    ({ parcel: { number, apn }, areas }) =>
      `<a href="#p${number}" tabindex="-1" data-lot="${number}"><title>${xmlText(apn)}</title><path class="lot" d="${write(areas.flat(), true, 0)}"/></a>`,
  );
  const dots = pins.map(
    ({ number, longitude, latitude }) =>
      `<a href="#f${number}" tabindex="-1"><path class="pin" d="${dotAt(frame.x(longitude) * units, frame.y(latitude) * units)}"/>${text('pin-number', frame.x(longitude) * units, frame.y(latitude) * units, String(number))}</a>`,
  );
  const metric = localMetric(frame.latitude);
  const perMeter = frame.pointsPerMeter * units;
  const place = [frame.longitude, frame.latitude, metric.x * perMeter, metric.y * perMeter, perMeter];
  const svg = `<svg viewBox="${view.map((one) => Math.round(one * units)).join(' ')}" data-whole="${whole.join(' ')}" data-place="${place.map((one) => Number(one.toPrecision(12))).join(' ')}" aria-hidden="true" focusable="false" xmlns="http://www.w3.org/2000/svg">${groundSvg(kept)}<g class="lots">${shapes.join('')}</g><g class="names">${names.join('')}</g><g class="numbers">${labels.join('')}</g><g class="pins">${dots.join('')}</g><g class="here" hidden="hidden"></g></svg>`;
  return {
    svg,
    unit: Math.round((Math.max(view[2] as number, view[3] as number) * units) / 420),
    legend: legendOf(kept, parcels.length, pins.length),
    sources,
    ground: kept.some(({ look }) => look === 'contour bold' || look === 'contour') ? elevationWords(land) : '',
    notes: [
      ...(left.length === 0 ? [] : [`Left off the map, too much for one file: ${[...new Set(left)].join(', ')}.`]),
      ...noShape(parcels),
    ],
  };
}

function noShape(parcels: readonly SharedParcel[]): string[] {
  const without = parcels.filter(({ polygons }) => polygons === null).map(({ apn }) => apn);
  if (without.length === 0) return [];
  return [
    `The county’s file has no shape for ${without.slice(0, 5).join(', ')}${without.length > 5 ? ` and ${without.length - 5} more` : ''}.`,
  ];
}

function boundsOfParcel({ polygons, point }: SharedParcel): Bounds | null {
  if (polygons && polygons.length > 0) return boundsOfCoordinates(polygons.flat());
  return point && { minX: point[0], maxX: point[0], minY: point[1], maxY: point[1] };
}

/** As much ground again around the parcels, at least 200 m; units are a tenth of a meter or finer. */
function frameAround(box: Bounds): { readonly frame: GroundFrame; readonly units: number } {
  const middle = middleOfBounds(box);
  const metric = localMetric(middle[1]);
  const extent = Math.max((box.maxX - box.minX) * metric.x, (box.maxY - box.minY) * metric.y);
  const meters = Math.max(extent * 2.2, extent + 400);
  const frame = groundFrame({ x: 0, y: 0, width: side, height: side }, middle, scaleOfMeters(meters / side));
  return { frame, units: 10 ** Math.min(2, Math.max(1, Math.ceil(Math.log10((10 * meters) / side)))) };
}

/** The parcels and photos with an eighth around them, in points: what shows first. */
function viewOf(box: Bounds, pins: readonly SharePin[], frame: GroundFrame): readonly number[] {
  const corners = [box.minX, box.minY, box.maxX, box.maxY];
  const places = [corners, ...pins.map(({ longitude, latitude }) => [longitude, latitude])].map((degrees) =>
    degrees
      .map((one, at) => (at % 2 === 0 ? frame.x(one) : frame.y(one)))
      .map((one) => Math.min(side, Math.max(0, one))),
  );
  const { minX, minY, maxX, maxY } = boundsOfCoordinates(places);
  const around = Math.max(maxX - minX, maxY - minY) * 0.125 + 40;
  return [minX - around, minY - around, maxX - minX + 2 * around, maxY - minY + 2 * around];
}

type WritePath = (paths: Paths, isClosed: boolean, tolerance: number) => string;

/** `M10 20l3-4…`, in whole units. */
const pathWriter =
  (units: number): WritePath =>
  (paths, isClosed, tolerance) =>
    paths.map((path) => pathOf(thinnedPath(path, tolerance), units) + (isClosed ? 'z' : '')).join('');

const thinnedPath = (path: ArrayLike<number>, tolerance: number): ArrayLike<number> =>
  tolerance > 0 && path.length > 6 ? thinned(Float64Array.from(path), tolerance) : path;

function pathOf(points: ArrayLike<number>, units: number): string {
  const steps: number[] = [];
  let [lastX, lastY] = [0, 0];
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [Math.round((points[at] as number) * units), Math.round((points[at + 1] as number) * units)];
    if (at > 0 && x === lastX && y === lastY) continue;
    steps.push(x - lastX, y - lastY);
    [lastX, lastY] = [x, y];
  }
  const [x, y, ...rest] = steps;
  return `M${x} ${y}l${rest.join(' ').replaceAll(' -', '-') || '0 0'}`;
}

function groundOf(look: string, title: string, features: readonly PageFeature[], write: WritePath): Ground[] {
  if (look === 'place') return [];
  if (look === 'roads') return roadsOf(features, write);
  const isKnown = look in looks;
  const closed = write(
    features.flatMap(({ areas }) => areas.flat()),
    true,
    groundTolerance,
  );
  const open = write(
    features.flatMap(({ paths }) => paths),
    false,
    groundTolerance,
  );
  const shown = { title: title.toLowerCase(), dispensable: looks[look] ?? 4 };
  const lines = look === 'stream' || look === 'rail' || look === 'plss' ? look : look === 'water' ? 'stream' : 'border';
  return [
    { ...shown, look: isKnown ? look : 'border', path: closed },
    { ...shown, look: lines, path: open },
  ];
}

const roadLooks = [
  {
    look: 'local',
    isClass: (name: string | null) => name !== 'normal_road' && name !== 'major_highway',
    dispensable: 2,
  },
  { look: 'normal', isClass: (name: string | null) => name === 'normal_road', dispensable: 0 },
  { look: 'main', isClass: (name: string | null) => name === 'major_highway', dispensable: 0 },
] as const;

const roadsOf = (features: readonly PageFeature[], write: WritePath): Ground[] =>
  roadLooks.map(({ look, isClass, dispensable }) => ({
    ...{ look: `road ${look}`, title: 'road', dispensable },
    path: write(
      joinPaths(features.flatMap((feature) => (isClass(feature.class) ? feature.paths : []))),
      false,
      groundTolerance,
    ),
  }));

/** Outlines alone: whose they are stays here. */
function neighbours(land: LandStore, frame: GroundFrame, write: WritePath): Ground {
  const lots = countLots(land.file, frame.bounds) > mostNeighbours ? [] : readLots(land.file, frame.bounds);
  const rings = lots.flatMap(({ polygons }) => polygonsOnPage(polygons, frame).flat());
  return { look: 'near', title: 'other lots', path: write(rings, true, lotTolerance), dispensable: 3 };
}

/** Drawn for a quarter of the size, so that lines stay apart on a phone. */
function contours(land: LandStore, frame: GroundFrame, write: WritePath): Ground[] {
  const small = groundFrame(
    { x: 0, y: 0, width: side / smaller, height: side / smaller },
    [frame.longitude, frame.latitude],
    frame.scale * smaller,
  );
  const found = sheetContours(land, small);
  if (!found) return [];
  return [false, true].map((isBold) => ({
    look: isBold ? 'contour bold' : 'contour',
    title: `contours every ${found.interval} ft`,
    path: write(
      found.lines
        .filter((line) => line.isBold === isBold)
        .map(({ path }) => Float64Array.from(path, (one) => one * smaller)),
      false,
      groundTolerance,
    ),
    dispensable: isBold ? 7 : 8,
  }));
}

/** Leaves out what is most dispensable until the rest fits. */
function fitting(all: readonly Ground[]): { readonly kept: readonly Ground[]; readonly left: readonly string[] } {
  let kept = all.filter(({ path }) => path !== '');
  const left: string[] = [];
  const sum = () => kept.reduce((bytes, { path }) => bytes + path.length, 0);
  while (sum() > mostGround) {
    const most = Math.max(...kept.map(({ dispensable }) => dispensable));
    left.push(...kept.filter(({ dispensable }) => dispensable === most).map(({ title }) => title));
    kept = kept.filter(({ dispensable }) => dispensable < most);
  }
  return { kept, left };
}

/** From below; roads twice, their edges first. */
const order = [
  ...['near', 'woods', 'public', 'wetlands', 'flood', 'water', 'stream', 'contour', 'contour bold', 'buildings'],
  ...['road local', 'road normal', 'road main', 'rail', 'plss', 'border'],
];

function groundSvg(kept: readonly Ground[]): string {
  const sorted = [...kept].sort((a, b) => order.indexOf(a.look) - order.indexOf(b.look));
  const isRoad = ({ look }: Ground) => look.startsWith('road ');
  const drawn = (some: readonly Ground[]) =>
    some.map(({ look, path }) => `<path class="${look}" d="${path}"/>`).join('');
  const roads = sorted.filter(isRoad);
  const edges = roads.map(({ look, path }, at) => `<path id="r${at}" class="${look} edge" d="${path}"/>`).join('');
  const fills = roads.map(({ look }, at) => `<use href="#r${at}" class="${look} over"/>`).join('');
  return `<g class="ground">${drawn(sorted.filter((one) => !isRoad(one) && one.look !== 'border'))}${edges}${fills}${drawn(sorted.filter(({ look }) => look === 'border'))}</g>`;
}

const text = (look: string, x: number, y: number, words: string, more = ''): string =>
  `<text class="${look}" x="${Math.round(x)}" y="${Math.round(y)}"${more}>${xmlText(words)}</text>`;

/** A point that a round line end makes a dot of, whatever the zoom. */
const dotAt = (x: number, y: number): string => `M${Math.round(x)} ${Math.round(y)}h0`;

function labelOf(
  { number, apn, point }: SharedParcel,
  areas: MultiPolygon,
  frame: GroundFrame,
  units: number,
  isOnly: boolean,
): string[] {
  const poles = areas.map((rings) => poleOf(rings, 1)).sort((a, b) => b.radius - a.radius);
  const best = poles[0] ?? (point && { x: frame.x(point[0]), y: frame.y(point[1]), radius: 0 });
  if (!best) return [];
  const words = isOnly ? apn : String(number);
  const room = ` data-of="${number}" data-room="${Math.round(best.radius * units)}"`;
  return [text('number', best.x * units, best.y * units, words, isOnly ? room : `${room} data-apn="${xmlText(apn)}"`)];
}

const named: Readonly<Record<string, string>> = {
  roads: 'road-name',
  water: 'water-name',
  stream: 'water-name',
  place: 'place',
};

/** Along the longest stretch of each name, in the middle of each water. */
function namesOf(look: string, features: readonly PageFeature[], units: number): string[] {
  const style = named[look];
  if (!style) return [];
  const byName = Map.groupBy(
    features.filter(({ name }) => name),
    ({ name }) => name as string,
  );
  return [...byName].flatMap(([name, some]) => {
    const spot = spotOf(some);
    if (!spot) return [];
    const [x, y, angle] = spot;
    const turn =
      angle === 0 ? '' : ` transform="rotate(${angle.toFixed(1)} ${Math.round(x * units)} ${Math.round(y * units)})"`;
    return [text(style, x * units, y * units, name, turn)];
  });
}

type Spot = readonly [x: number, y: number, degrees: number];

function spotOf(features: readonly PageFeature[]): Spot | null {
  const place = features.find((one) => one.place)?.place;
  if (place) return [place[0], place[1], 0];
  const line = joinPaths(features.flatMap(({ paths }) => paths)).sort((a, b) => b.length - a.length)[0];
  if (line && line.length >= 4) return alongMiddle(Float64Array.from(line));
  const pole = features
    .flatMap(({ areas }) => areas)
    .map((rings) => poleOf(rings, 2))
    .sort((a, b) => b.radius - a.radius)[0];
  return pole && pole.radius > 0 ? [pole.x, pole.y, 0] : null;
}

/** The middle vertex that is in the frame, turned so that it is read from below. */
function alongMiddle(line: Float64Array): Spot | null {
  const isIn = (at: number) => [line[at], line[at + 1]].every((one) => (one as number) > 0 && (one as number) < side);
  const inside = Array.from({ length: line.length / 2 - 1 }, (_, at) => 2 * at).filter(
    (at) => isIn(at) && isIn(at + 2),
  );
  const at = inside[inside.length >> 1];
  if (at === undefined) return null;
  const [ax, ay, bx, by] = line.subarray(at, at + 4) as unknown as [number, number, number, number];
  const angle = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
  return [(ax + bx) / 2, (ay + by) / 2, angle > 90 ? angle - 180 : angle < -90 ? angle + 180 : angle];
}

function legendOf(kept: readonly Ground[], parcels: number, pins: number): ShareMap['legend'] {
  const ground = kept
    .filter(({ look }) => look !== 'road local' && look !== 'road main' && look !== 'contour bold')
    .map(({ look, title }) => ({ look, title }));
  const roads = kept.some(({ look }) => look.startsWith('road ')) ? [{ look: 'road normal', title: 'road' }] : [];
  const all = [
    { look: 'lot', title: parcels === 1 ? 'this parcel' : 'these parcels' },
    ...(pins > 0 ? [{ look: 'pin', title: 'photo' }] : []),
    ...ground.filter(({ look }) => !look.startsWith('road ')),
    ...roads,
  ];
  return [...new Map(all.map((one) => [one.title, one])).values()];
}
