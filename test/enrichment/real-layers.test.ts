/**
 * Every parcel of Three Forks and Williamsburg against SpatiaLite: percentages, counts, lengths and names within half a
 * percent or 0.01 of what GEOS says. Exceptions are listed with their reasons.
 */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { buildingsOf, squareFeetPerAcre } from '../../engine/enrichment/buildings.ts';
import { floodZonesOf } from '../../engine/enrichment/flood-zones.ts';
import { findLandlocked } from '../../engine/enrichment/landlocked.ts';
import { LayerIndex, LayerPacker } from '../../engine/enrichment/layer-index.ts';
import { placeOf } from '../../engine/enrichment/places.ts';
import { roadClassifier } from '../../engine/enrichment/road-classes.ts';
import { roadsOf } from '../../engine/enrichment/roads.ts';
import { wetlandsOf } from '../../engine/enrichment/wetlands.ts';
import { acresOfMultiPolygon } from '../../engine/geo/area.ts';
import { multiPolygonFromGeoJson } from '../../engine/geo/geojson-geometry.ts';
import { linesFromGeoJson } from '../../engine/geo/geojson-lines.ts';
import {
  type Bounds,
  boundsOfMultiPolygon,
  boundsOverlap,
  type MultiPolygon,
  type Ring,
} from '../../engine/geo/geometry.ts';
import { metersPerFoot } from '../../engine/geo/local-metric.ts';
import { widenBounds } from '../../engine/geo/near-length.ts';
import { pointOnSurface } from '../../engine/geo/point-on-surface.ts';
import { encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { encodeMultiLine } from '../../engine/geo/spatialite-lines.ts';
import { roadClasses } from '../../engine/spec/road-words.ts';
import { realDataOrSkip, sharedData } from '../support/shared-data.ts';
import { equalArea, isClose, openSpatialite, type Spatialite } from './spatialite.ts';
import { threeForksRoads } from './three-forks.ts';

const spatialite = realDataOrSkip('real layers') ? openSpatialite() : null;
/**
 * Metres at Three Forks, true to 1e-7: in its UTM zone 50 feet are 50.02, and of a boundary that runs nearly beside a road, at
 * just that distance, feet are won or lost by it.
 */
const atThreeForks =
  "32612, NULL, 'EPSG:4326', '+proj=tmerc +lat_0=45.89 +lon_0=-111.55 +k=1 +datum=WGS84 +units=m +no_defs +type=crs'";

interface RawFeature {
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
}

const readRaw = (...names: string[]): RawFeature[] =>
  (JSON.parse(fs.readFileSync(path.join(sharedData() ?? '', ...names), 'utf8')) as { features: RawFeature[] }).features;

function shapeOf({ geometry }: RawFeature): MultiPolygon | null {
  const found = multiPolygonFromGeoJson(geometry);
  return found.ok ? found.polygons : null;
}

const readShapes = (...names: string[]): MultiPolygon[] =>
  readRaw(...names)
    .map(shapeOf)
    .filter((shape) => shape !== null);

function packed<Item>(items: readonly Item[], add: (packer: LayerPacker, item: Item, index: number) => void) {
  const packer = new LayerPacker();
  for (const [index, item] of items.entries()) add(packer, item, index);
  return new LayerIndex(packer.finish());
}

/** Between two corners of a line or ring. */
interface Stretch {
  readonly bounds: Bounds;
  readonly heading: number;
  /** In Three Forks' metres. */
  readonly geom: Buffer;
}

const stretchesOf = (oracle: Spatialite, lines: readonly Ring[]): Stretch[] =>
  lines
    .flatMap((line) => Array.from({ length: line.length / 2 - 1 }, (_, at) => line.slice(2 * at, 2 * at + 4)))
    .filter(([ax, ay, bx, by]) => ax !== bx || ay !== by)
    .map((piece) => ({
      bounds: boundsOfMultiPolygon([[piece]]),
      heading: headingOf(piece),
      geom: oracle.value<Buffer>(`SELECT ST_Transform(?, ${atThreeForks})`, encodeMultiLine([piece])),
    }));

/** Degrees from the east, whichever way the line goes. */
const headingOf = ([ax = 0, ay = 0, bx = 0, by = 0]: Ring): number => {
  const shrink = Math.cos((((ay + by) / 2) * Math.PI) / 180);
  return ((Math.atan2(by - ay, (bx - ax) * shrink) * 180) / Math.PI + 180) % 180;
};

const degreesBetween = (one: number, other: number): number => {
  const turn = Math.abs(one - other);
  return Math.min(turn, 180 - turn);
};

interface Projected {
  readonly bounds: Bounds;
  readonly geom: Buffer;
}

/** Features near a box, clipped to a parcel and united: the union of a county would take minutes. */
function shareOf(oracle: Spatialite, parcel: MultiPolygon, features: readonly Projected[]): number {
  const shape = oracle.project(parcel, equalArea);
  const box = boundsOfMultiPolygon(parcel);
  let united: Buffer | null = null;
  for (const { bounds, geom } of features) {
    if (!boundsOverlap(bounds, box)) continue;
    const both = oracle.value<Buffer | null>('SELECT ST_Intersection(?, ?)', shape, geom);
    if (both) united = united ? oracle.value<Buffer>('SELECT ST_Union(?, ?)', united, both) : both;
  }
  const covered = united ? (oracle.value<number | null>('SELECT ST_Area(?)', united) ?? 0) : 0;
  return (100 * covered) / oracle.value<number>('SELECT ST_Area(?)', shape);
}

const project = (oracle: Spatialite, shapes: readonly MultiPolygon[]): Projected[] =>
  shapes.map((shape) => ({ bounds: boundsOfMultiPolygon(shape), geom: oracle.project(shape, equalArea) }));

describe.runIf(spatialite)('real layers', () => {
  const oracle = spatialite as Spatialite;
  afterAll(() => oracle.close());

  test('wetlands cover of each of Williamsburg’s parcels what GEOS says', () => {
    const wetlands = readShapes('williamsburg_va', 'wetlands.geojson');
    const parcels = readShapes('williamsburg_va', 'parcels.geojson');
    const layer = packed(wetlands, (packer, shape) => packer.addPolygons(shape, 0));
    const features = project(oracle, wetlands);
    const differences: string[] = [];
    let wet = 0;
    for (const [index, parcel] of parcels.entries()) {
      const [ours] = wetlandsOf(parcel, layer).values;
      const theirs = shareOf(oracle, parcel, features);
      if (theirs > 0.01) wet++;
      if (!isClose(Number(ours), theirs)) differences.push(`parcel ${index}: ${ours} and ${theirs}`);
    }
    expect(parcels.length).toBe(4463);
    expect(wet).toBeGreaterThan(200);
    expect(differences).toEqual([]);
  });

  test('flood zones cover of each of Three Forks’ parcels what GEOS says, zone by zone', () => {
    const raw = readRaw('three_forks_mt', 'fema_flood_zones.geojson');
    const zoneOf = raw.map(({ properties }) => String(properties.FLD_ZONE));
    const zones = [...new Set(zoneOf)];
    const shapes = raw.map((feature) => shapeOf(feature) as MultiPolygon);
    const layer = packed(shapes, (packer, shape, index) =>
      packer.addPolygons(shape, zones.indexOf(zoneOf[index] ?? '')),
    );
    const features = project(oracle, shapes);
    const ofZone = zones.map((zone) => features.filter((_, index) => zoneOf[index] === zone));
    const differences: string[] = [];
    let flooded = 0;
    const parcels = readShapes('three_forks_mt', 'parcels.geojson');
    for (const [index, parcel] of parcels.entries()) {
      const [percent, type] = floodZonesOf(parcel, layer, zones, false).values;
      const theirs = shareOf(oracle, parcel, features);
      flooded += theirs > 0 ? 1 : 0;
      if (!isClose(Number(percent), theirs)) differences.push(`parcel ${index}: ${percent} and ${theirs}`);
      const shares = ofZone.map((list) => shareOf(oracle, parcel, list));
      const largest = theirs < 0.005 ? 'X' : zones[shares.indexOf(Math.max(...shares))];
      if (type !== largest) differences.push(`parcel ${index}: ${type}, expected ${largest} of ${shares.join(', ')}`);
    }
    expect(parcels.length).toBe(1830);
    expect(flooded).toBeGreaterThan(1200);
    expect(differences).toEqual([]);
  });

  test('buildings and school districts are found in the parcels that GEOS finds', () => {
    const footprints = readShapes('three_forks_mt', 'buildings.geojson').filter(
      (shape) => acresOfMultiPolygon(shape) * squareFeetPerAcre >= 200,
    );
    const buildings = packed(footprints, (packer, shape) => packer.addAsPoint(shape, 0));
    const points = footprints.map(pointOnSurface);
    const raw = readRaw('three_forks_mt', 'schooldistricts.geojson');
    const names = raw.map(({ properties }) => String(properties.elementary));
    const districts = raw.map((feature) => shapeOf(feature) as MultiPolygon);
    const schools = packed(districts, (packer, shape, index) => packer.addPolygons(shape, index));
    const holds = 'SELECT ST_Contains(?, MakePoint(?, ?, 4326))';
    const differences: string[] = [];
    let counted = 0;
    for (const [index, parcel] of readShapes('three_forks_mt', 'parcels.geojson').entries()) {
      const valid = oracle.value<Buffer>('SELECT ST_MakeValid(?)', encodeMultiPolygon(parcel));
      const box = boundsOfMultiPolygon(parcel);
      const near = points.filter(([x, y]) => boundsOverlap(box, { minX: x, minY: y, maxX: x, maxY: y }));
      const theirs = near.filter((point) => oracle.value<number>(holds, valid, ...point) === 1).length;
      const [ours] = buildingsOf(parcel, buildings).values;
      counted += theirs;
      if (ours !== theirs) differences.push(`parcel ${index}: ${ours} and ${theirs} buildings`);
      const point = pointOnSurface(parcel);
      const district = districts.findIndex(
        (shape) => oracle.value<number>(holds, encodeMultiPolygon(shape), ...point) === 1,
      );
      const [name] = placeOf('schools', point, schools, names).values;
      if (name !== (names[district] ?? null)) differences.push(`parcel ${index}: ${name} and ${names[district]}`);
    }
    expect(counted).toBeGreaterThan(1000);
    expect(differences).toEqual([]);
  });

  test('footprints have the areas that GEOS measures', () => {
    for (const shape of readShapes('three_forks_mt', 'buildings.geojson')) {
      const theirs = oracle.value<number>('SELECT ST_Area(?)', oracle.project(shape, equalArea)) / metersPerFoot ** 2;
      expect(isClose(acresOfMultiPolygon(shape) * squareFeetPerAcre, theirs)).toBe(true);
    }
  });

  test('the frontage of each of Three Forks’ parcels is that of GEOS’s buffers along which it runs, class by class', () => {
    const classOf = roadClassifier(threeForksRoads);
    const roads = readRaw('three_forks_mt', 'roads.geojson').map(({ geometry, properties }) => {
      const found = linesFromGeoJson(geometry);
      const name = classOf(properties.roadtype);
      return { lines: found.ok ? found.lines : [], place: name ? roadClasses.indexOf(name) : -1 };
    });
    const used = roads.filter(({ place }) => place >= 0);
    const layer = packed(used, (packer, { lines, place }) => packer.addLines(lines, place));
    const reach = 50 * metersPerFoot;
    const segments = used.flatMap(({ lines, place }) =>
      stretchesOf(oracle, lines).map((stretch) => ({
        ...stretch,
        place,
        bounds: widenBounds(stretch.bounds, 2 * reach),
      })),
    );
    type Wanted = (segment: (typeof segments)[number], edge: Stretch) => boolean;
    const feetOf = (edge: Stretch, isWanted: Wanted): number => {
      const near = segments.filter((segment) => boundsOverlap(segment.bounds, edge.bounds) && isWanted(segment, edge));
      if (near.length === 0) return 0;
      const all = near.map(({ geom }) => geom).reduce((a, b) => oracle.value<Buffer>('SELECT ST_Collect(?, ?)', a, b));
      // 64 segments to the quarter: 1 mm short between them
      const length = 'SELECT ST_Length(ST_Intersection(?, ST_Buffer(?, ?, 64)))';
      return (oracle.value<number | null>(length, edge.geom, all, reach) ?? 0) / metersPerFoot;
    };
    const sum = (edges: readonly Stretch[], isWanted: Wanted) =>
      edges.reduce((feet, edge) => feet + feetOf(edge, isWanted), 0);
    const frontages = (edges: readonly Stretch[], isWanted: Wanted) => [
      sum(edges, isWanted),
      ...roadClasses.map((_, wanted) =>
        sum(edges, (segment, edge) => segment.place === wanted && isWanted(segment, edge)),
      ),
    ];
    const differences: string[] = [];
    let [fronting, atDeadEnds] = [0, 0];
    for (const [index, parcel] of readShapes('three_forks_mt', 'parcels.geojson').entries()) {
      const edges = stretchesOf(oracle, parcel.flat());
      const along = frontages(edges, (segment, edge) => degreesBetween(segment.heading, edge.heading) <= 45);
      const theirs = along[0] === 0 ? frontages(edges, () => true) : along;
      const ours = roadsOf(parcel, layer, 50).values.slice(0, 4).map(Number);
      if (theirs[0] !== 0) along[0] === 0 ? atDeadEnds++ : fronting++;
      // stored to a tenth of a foot: 0.05 of rounding
      const isFar = ours.some((feet, place) => Math.abs(feet - (theirs[place] ?? 0)) > Math.max(0.06, 0.005 * feet));
      if (isFar) differences.push(`parcel ${index}: ${ours.join(', ')} and ${theirs.join(', ')}`);
    }
    expect(fronting).toBeGreaterThan(900);
    expect(atDeadEnds).toBeGreaterThan(10);
    expect(differences).toEqual([]);
  });

  test('the landlocked of Three Forks share no boundary with its road parcels, the others without frontage do', () => {
    const classOf = roadClassifier(threeForksRoads);
    const roads = readRaw('three_forks_mt', 'roads.geojson')
      .filter(({ properties }) => classOf(properties.roadtype))
      .map(({ geometry }) => linesFromGeoJson(geometry));
    const layer = packed(roads, (packer, found) => packer.addLines(found.ok ? found.lines : [], 2));
    const parcels = readShapes('three_forks_mt', 'parcels.geojson');
    const findings = parcels.map((parcel) => roadsOf(parcel, layer, 50));
    const places = parcels.map((_, place) => place);
    const roadPlaces = places.filter((place) => findings[place]?.isRoad);
    const candidates = places.filter((place) => findings[place]?.values[0] === 0);
    const settings = { sharedWithinFeet: 2, sharedLengthFeet: 10 };
    const shapeAt = (place: number) => parcels[place] ?? null;
    const landlocked = findLandlocked({ settings, roads: roadPlaces, candidates, shapeOf: shapeAt });
    const boundaryOf = (parcel: MultiPolygon): Buffer =>
      oracle.value(`SELECT ST_Boundary(ST_Transform(ST_MakeValid(?), ${atThreeForks}))`, encodeMultiPolygon(parcel));
    const streets = roadPlaces.map((place) => {
      const street = parcels[place] as MultiPolygon;
      return { bounds: widenBounds(boundsOfMultiPolygon(street), 1), boundary: boundaryOf(street) };
    });
    const differences: string[] = [];
    for (const place of candidates) {
      const parcel = parcels[place] as MultiPolygon;
      const near = streets.filter(({ bounds }) => boundsOverlap(bounds, boundsOfMultiPolygon(parcel)));
      const all = near
        .map(({ boundary }) => boundary)
        .reduce<Buffer | null>((a, b) => (a ? oracle.value<Buffer>('SELECT ST_Collect(?, ?)', a, b) : b), null);
      const length = 'SELECT ST_Length(ST_Intersection(?, ST_Buffer(?, ?, 64)))';
      const meters = all && oracle.value<number | null>(length, boundaryOf(parcel), all, 2 * metersPerFoot);
      const feet = (meters ?? 0) / metersPerFoot;
      if (landlocked.has(place) !== feet < 10) differences.push(`parcel ${place}: ${feet} feet shared`);
    }
    expect(roadPlaces.length).toBeGreaterThan(0);
    expect(candidates.length).toBeGreaterThan(500);
    expect(differences).toEqual([]);
  });
});
