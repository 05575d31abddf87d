/** The map layers of the sample: what lies under, in and beside its lots. */
import { latitudeOf, longitudeOf } from './fabric.ts';
import { footprintsOf } from './footprints.ts';
import { distanceToBrook, elevationAt, wetnessAt } from './ground.ts';
import { buildRecords } from './index.ts';
import { closedRing, type Land } from './land.ts';
import { distanceToRiver, riverHalfWidth, riverMiddle, settlements, wrenfield } from './layout.ts';
import { brookNames, forestNames, hillNames, pondNames } from './names-of-land.ts';
import { insideGrid } from './network.ts';
import { noise } from './noise.ts';
import type { ParcelRecord } from './parcels.ts';
import { cornerOf, type Field, type Frame, fieldOf, frameOf, nearestCorner, type Patch, patchesOf } from './patches.ts';
import { at, bounds, contains, distance, nearestOnSegment, offsetLine, type Point, signedArea } from './plane.ts';
import type { Random } from './random.ts';
import { buildRoads } from './road-lines.ts';
import { type Flow, flowOver, hollowsOf, streamsOf } from './streams.ts';
import { surveyOf } from './survey.ts';
import { floodplainWidth, wetFrom } from './terrain.ts';
import { uses } from './uses.ts';
import { woodsOf } from './woods.ts';

type Position = [number, number];
type Geometry =
  | { type: 'Point'; coordinates: Position }
  | { type: 'LineString'; coordinates: Position[] }
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] };

export interface LayerFeature {
  readonly properties: Readonly<Record<string, string | number | null>>;
  readonly geometry: Geometry;
}

type SampleLayerName =
  | 'woods'
  | 'wetlands'
  | 'flood'
  | 'public'
  | 'streams'
  | 'water'
  | 'roads'
  | 'buildings'
  | 'places'
  | 'plss';

interface Ground {
  readonly land: Land;
  readonly records: readonly ParcelRecord[];
  /** 25 m over the whole county. */
  readonly frame: Frame;
  /** Meters within the county's edge; below 0 beyond it. */
  readonly inside: Field;
  readonly heights: Field;
  readonly ponds: readonly Pond[];
}

interface Pond {
  readonly name: string;
  readonly patch: Patch;
}

const step = 25;

export function buildMapLayers(): Record<SampleLayerName, LayerFeature[]> {
  const { random, land, records } = buildRecords();
  const outline = land.network.fabric.points(land.network.outline);
  const box = bounds(outline);
  const frame = frameOf(box.minX - 4 * step, box.minY - 4 * step, box.maxX + 4 * step, box.maxY + 4 * step, step);
  const inside = fieldOf(frame, (q) => withinEdge(outline, q));
  const heights = fieldOf(frame, (q) => elevationAt(q));
  const ponds = pondsOf(land, records, flowOver(heights, isRiverAt(frame)), inside);
  const ground = { land, records, frame, inside, heights, ponds };
  return {
    woods: woods(ground),
    wetlands: patchesOf(
      fieldOf(frame, (q, corner) => wetAt(q, inside, corner)),
      4,
      900,
    ).map((patch) => area(patch)),
    flood: floods(ground),
    public: publicLand(ground),
    streams: streams(ground),
    water: water(ground),
    roads: roads(land),
    buildings: buildings(ground, random.fork('footprints')),
    places: [...towns(), ...summits(ground)],
    plss: surveyOf(random.fork('survey'), box),
  };
}

const position = (p: Point, digits: number): Position => [
  Number(longitudeOf(p.x).toFixed(digits)),
  Number(latitudeOf(p.y).toFixed(digits)),
];

/** Five digits are a meter, enough for what has no exact edge; buildings and lots have more. */
const closedPath = (ring: readonly Point[], digits: number): Position[] =>
  [...ring, at(ring, 0)].map((p) => position(p, digits));

const area = (patch: Patch, properties: LayerFeature['properties'] = {}, digits = 5): LayerFeature => ({
  properties,
  geometry: { type: 'Polygon', coordinates: patch.map((ring) => closedPath(ring, digits)) },
});

function withinEdge(outline: readonly Point[], q: Point): number {
  let off = Number.POSITIVE_INFINITY;
  for (let i = 0; i < outline.length; i++) {
    off = Math.min(off, nearestOnSegment(at(outline, i), at(outline, i + 1), q).distance);
  }
  return contains(outline, q) ? off : -off;
}

const isRiver = (q: Point): boolean => Math.abs(q.y - riverMiddle(q.x)) < riverHalfWidth(q.x);

const isRiverAt =
  (frame: Frame) =>
  (corner: number): boolean =>
    isRiver(cornerOf(frame, corner));

/** Wetness as a number of meters, roughly, so that the county's edge cuts it. */
const wetAt = (q: Point, inside: Field, corner: number): number =>
  Math.min(100 * (wetnessAt(q, distanceToRiver(q)) - wetFrom), inside.values[corner] as number);

function floods({ frame, inside }: Ground): LayerFeature[] {
  const beyondBank = (q: Point): number => Math.abs(q.y - riverMiddle(q.x)) - riverHalfWidth(q.x);
  const along = (q: Point): number => floodplainWidth(q.x) - beyondBank(q);
  const beside = (q: Point): number => Math.min(60 - distanceToBrook(q), 4200 - distanceToRiver(q), -along(q));
  const zone = (name: string, depth: (q: Point) => number): LayerFeature[] =>
    patchesOf(
      fieldOf(frame, (q, corner) => Math.min(depth(q), inside.values[corner] as number)),
      3,
      900,
    ).map((patch) => area(patch, { FLD_ZONE: name }));
  return [...zone('AE', along), ...zone('A', beside)];
}

/** Hollows that no road crosses and that lie in no town. */
function pondsOf(land: Land, records: readonly ParcelRecord[], flow: Flow, inside: Field): Pond[] {
  const { heights } = flow;
  const built = new Set<number>();
  for (const road of land.network.roads) {
    for (let i = 0; i + 1 < road.center.length; i++) {
      const [a, b] = [at(road.center, i), at(road.center, i + 1)];
      const pieces = Math.ceil(distance(a, b) / 10);
      for (let k = 0; k <= pieces; k++) {
        const q = { x: a.x + ((b.x - a.x) * k) / pieces, y: a.y + ((b.y - a.y) * k) / pieces };
        const corner = nearestCorner(heights, q);
        for (const near of [0, 1, -1, heights.columns, -heights.columns]) built.add(corner + near);
      }
    }
  }
  for (const { shape, structures } of records) {
    if (structures > 0 && shape.acres < 12) built.add(nearestCorner(heights, shape.middle));
  }
  const clear = hollowsOf(flow, 3).filter(
    ({ corners }) =>
      corners.length > 20 && corners.every((corner) => !built.has(corner) && (inside.values[corner] as number) > 60),
  );
  return clear.slice(0, pondNames.length).flatMap(({ corners, level }, number) => {
    const values = new Float64Array(heights.values.length).fill(-5);
    for (const corner of corners) {
      for (const near of [0, 1, -1, heights.columns, -heights.columns]) {
        values[corner + near] = level - 0.3 - (heights.values[corner + near] as number);
      }
    }
    const [patch] = patchesOf({ ...heights, values }, 3, 5000).sort(
      (a, b) => signedArea(at(b, 0)) - signedArea(at(a, 0)),
    );
    return patch ? [{ name: at(pondNames, number), patch }] : [];
  });
}

/** The river between its banks as the lots know them, and the ponds. */
function water({ inside, ponds }: Ground): LayerFeature[] {
  const middle: Point[] = [];
  for (let x = -16000; x <= 18000; x += 55) middle.push({ x, y: riverMiddle(x) });
  const isInside = (i: number): boolean => {
    const p = middle[i];
    if (!p || p.x < inside.west || p.x > inside.west + (inside.columns - 1) * inside.step) return false;
    return (inside.values[nearestCorner(inside, p)] as number) > -30;
  };
  const half = (i: number): number => riverHalfWidth(at(middle, i).x);
  const kept = (_: Point, i: number): boolean => isInside(i);
  const banks = [offsetLine(middle, half).filter(kept), offsetLine(middle, (i) => -half(i)).filter(kept)] as const;
  const river = [...banks[1], ...banks[0].toReversed()];
  return [
    area([river], { name: 'Sorrel River', class: 'river' }, 6),
    ...ponds.map(({ name, patch }) => area(patch, { name, class: 'pond' })),
  ];
}

/** Small bumps that the heights leave out: over an even slope the eight directions of D8 would run straight. */
const bumps = ({ x, y }: Point): number => 6 * noise(x, y, 130, 41) + 3 * noise(x, y, 60, 42);

/** Bends of a few meters, the same for all streams at a place, so that they still meet. */
const bent = ({ x, y }: Point): Point => ({
  x: x + 16 * noise(x, y, 150, 43) + 7 * noise(x, y, 60, 44),
  y: y + 16 * noise(x, y, 150, 45) + 7 * noise(x, y, 60, 46),
});

function streams({ heights, inside, frame }: Ground): LayerFeature[] {
  const names = [...brookNames];
  const streets = (q: Point): number => (settlements.some((s) => insideGrid(s, q)) ? 90 : 0);
  const rough = fieldOf(frame, (q, corner) => (heights.values[corner] as number) + bumps(q) + streets(q));
  const flow = flowOver(rough, isRiverAt(frame));
  const found = streamsOf(flow, 420_000, () => names.shift() ?? null);
  const isInside = (p: Point): boolean => (inside.values[nearestCorner(frame, p)] as number) > 0;
  return found.flatMap(({ name, order, line }) =>
    runsOf(line, isInside).map((run) => ({
      properties: { name, stream_order: order },
      geometry: { type: 'LineString' as const, coordinates: run.map((p) => position(bent(p), 5)) },
    })),
  );
}

/** The stretches of a line whose points are all inside. */
function runsOf(line: readonly Point[], isInside: (p: Point) => boolean): Point[][] {
  const runs: Point[][] = [[]];
  for (const p of line) {
    if (isInside(p)) runs.at(-1)?.push(p);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 1);
}

function woods({ frame, records, ponds }: Ground): LayerFeature[] {
  const wet = new Set<number>();
  for (const { patch } of ponds) {
    const ring = at(patch, 0);
    const box = bounds(ring);
    for (let x = box.minX; x <= box.maxX; x += step) {
      for (let y = box.minY; y <= box.maxY; y += step) {
        if (contains(ring, { x, y })) wet.add(nearestCorner(frame, { x, y }));
      }
    }
  }
  const isOpen = (corner: number): boolean => wet.has(corner) || isRiver(cornerOf(frame, corner));
  return woodsOf(frame, records, isOpen).map((patch) => area(patch));
}

function publicLand({ land, records }: Ground): LayerFeature[] {
  return records.flatMap(({ use, shape, owner, geometry }) => {
    if (use !== uses.forest || !geometry) return [];
    const isState = owner?.name.includes('STATE') ?? false;
    const region = shape.middle.y > 2000 ? 0 : shape.middle.x > 0 ? 1 : 2;
    const name = isState ? at(forestNames, region) : `${shape.settlement.name} Town Forest`;
    const polygons = shape.parts.map((rings) => rings.map((ring) => closedRing(land.network, ring)));
    return [
      {
        properties: { name },
        geometry:
          polygons.length === 1
            ? { type: 'Polygon' as const, coordinates: at(polygons, 0) }
            : { type: 'MultiPolygon' as const, coordinates: polygons },
      },
    ];
  });
}

/** With the columns of the Census Bureau's roads. */
const roadClasses = { major_highway: 'S1100', normal_road: 'S1200', local_road: 'S1400' } as const;

const roads = (land: Land): LayerFeature[] =>
  buildRoads(land.network).map(({ name, class: roadClass, line }) => ({
    properties: { FULLNAME: name, MTFCC: roadClasses[roadClass] },
    geometry: {
      type: 'LineString',
      coordinates: line.map(([x, y]): Position => [Number(x.toFixed(6)), Number(y.toFixed(6))]),
    },
  }));

function buildings({ land, records, inside, ponds }: Ground, random: Random): LayerFeature[] {
  const boxes = ponds.map(({ patch }) => ({ ring: at(patch, 0), box: bounds(at(patch, 0)) }));
  const isWet = (q: Point): boolean =>
    isRiver(q) ||
    wetnessAt(q, distanceToRiver(q)) > wetFrom ||
    (inside.values[nearestCorner(inside, q)] as number) < 5 ||
    boxes.some(
      ({ ring, box }) => q.x >= box.minX && q.x <= box.maxX && q.y >= box.minY && q.y <= box.maxY && contains(ring, q),
    );
  return records.flatMap((record, number) => {
    const { parts } = record.shape;
    if (record.structures === 0 || parts.length === 0) return [];
    const polygons = parts.map((rings) => rings.map((ring) => land.network.fabric.points(ring)));
    const [rings] = polygons.toSorted((a, b) => signedArea(at(b, 0)) - signedArea(at(a, 0)));
    return footprintsOf(record, rings ?? [], isWet, random.fork(number)).map((ring) => area([ring], {}, 6));
  });
}

const towns = (): LayerFeature[] =>
  settlements.map((s) => ({
    properties: { name: s.name, class: s === wrenfield ? 'town' : 'village', feet: null },
    geometry: { type: 'Point', coordinates: position(s.center, 5) },
  }));

/** The highest place within a kilometer and a half. */
function summits({ heights, inside }: Ground): LayerFeature[] {
  const reach = 60;
  const { columns, rows, values } = heights;
  const found: { corner: number; feet: number }[] = [];
  for (let row = reach; row < rows - reach; row++) {
    for (let column = reach; column < columns - reach; column++) {
      const corner = row * columns + column;
      if ((inside.values[corner] as number) < 250 || !isHighest(heights, corner, reach)) continue;
      found.push({ corner, feet: Math.round(values[corner] as number) });
    }
  }
  found.sort((a, b) => b.feet - a.feet || a.corner - b.corner);
  return found.slice(0, hillNames.length).map(({ corner, feet }, number) => ({
    properties: { name: at(hillNames, number), class: 'summit', feet },
    geometry: { type: 'Point', coordinates: position(cornerOf(heights, corner), 5) },
  }));
}

function isHighest({ columns, values }: Field, corner: number, reach: number): boolean {
  const own = values[corner] as number;
  // Most corners fail beside themselves.
  for (const near of [1, -1, columns, -columns]) if ((values[corner + near] as number) > own) return false;
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) {
      if (dx * dx + dy * dy > reach * reach) continue;
      if ((values[corner + dy * columns + dx] as number) > own) return false;
    }
  }
  return true;
}
