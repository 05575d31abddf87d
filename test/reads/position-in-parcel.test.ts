/** Where the nearest line is and what lies across it, against turf and Karney's geodesics. */
import * as turf from '@turf/turf';
import geodesic from 'geographiclib-geodesic';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { blobToGeoJson } from '../../engine/geo/spatialite-blob.ts';
import type { ParcelPosition } from '../../engine/query/parcel-position.ts';
import { runRead } from '../../engine/reads/index.ts';
import { openHomeCopy, removeHome, sampleHome } from '../support/homes.ts';

const { WGS84 } = geodesic.Geodesic;

interface Lot {
  readonly id: number;
  readonly shape: ReturnType<typeof turf.multiPolygon>;
  readonly line: ReturnType<typeof turf.multiLineString>;
  readonly box: ReturnType<typeof turf.bbox>;
}

let engine: Engine;
let lots: readonly Lot[] = [];

beforeAll(() => {
  engine = openHomeCopy(sampleHome());
  lots = engine.land.file
    .all<{ id: number; geom: Uint8Array }>(
      "SELECT property_id AS id, geom FROM parcels WHERE geom IS NOT NULL AND status = 'current' ORDER BY property_id",
    )
    .map(({ id, geom }) => {
      const { coordinates } = blobToGeoJson(geom);
      const shape = turf.multiPolygon(coordinates);
      return { id, shape, line: turf.multiLineString(coordinates.flat()), box: turf.bbox(shape) };
    });
});
afterAll(() => removeHome(engine));

const lotsAt = (at: readonly [number, number]): Lot[] =>
  lots.filter(
    ({ box: [west, south, east, north], shape }) =>
      at[0] >= west &&
      at[0] <= east &&
      at[1] >= south &&
      at[1] <= north &&
      turf.booleanPointInPolygon([at[0], at[1]], shape),
  );

const positionAt = ([longitude, latitude]: readonly [number, number], more = {}): ParcelPosition | null =>
  (
    runRead(engine, 'position_in_parcel', { longitude, latitude, accuracy_meters: 3, ...more }) as {
      position: ParcelPosition | null;
    }
  ).position;

const turned = (a: number, b: number): number => Math.abs(((a - b + 540) % 360) - 180);

test('the nearest point lies on the line, in the direction and at the distance that are said', () => {
  for (const lot of lots.slice(0, 150)) {
    const [longitude = 0, latitude = 0] = turf.pointOnFeature(lot.shape).geometry.coordinates;
    const position = positionAt([longitude, latitude], { id: lot.id });
    if (!position) throw new Error(`parcel ${lot.id} is not found on itself`);
    const { longitude: lineX, latitude: lineY } = position.line_point;
    const gap = Math.min(
      ...turf
        .flatten(lot.line)
        .features.map((part) => turf.pointToLineDistance([lineX, lineY], part, { units: 'meters' })),
    );
    // Turf's lines are great circles: a mile of one lies up to 6 cm beside the straight line in degrees.
    expect(gap, `parcel ${lot.id}`).toBeLessThan(0.1);
    const { s12: meters = 0, azi1: azimuth = 0 } = WGS84.Inverse(latitude, longitude, lineY, lineX);
    expect(Math.abs(meters / 0.3048 - 0.5 - position.feet_to_line), `parcel ${lot.id}`).toBeLessThan(0.6);
    if (meters > 2) expect(turned(azimuth, position.toward), `parcel ${lot.id}`).toBeLessThan(0.2);
  }
});

/** A step inside of the middle of each edge of the outer ring. */
function besideEdges({ shape }: Lot): (readonly [number, number])[] {
  const ring = shape.geometry.coordinates[0]?.[0] ?? [];
  return ring.slice(1, 7).flatMap(([bx = 0, by = 0], at) => {
    const [ax = 0, ay = 0] = ring[at] ?? [];
    const { azi1 = 0 } = WGS84.Inverse(ay, ax, by, bx);
    const sides = [90, -90].map((turn) => WGS84.Direct((ay + by) / 2, (ax + bx) / 2, azi1 + turn, 4));
    return sides
      .map(({ lon2 = 0, lat2 = 0 }) => [lon2, lat2] as const)
      .filter((place) => turf.booleanPointInPolygon([...place], shape));
  });
}

test('beyond is the lot across the line, from inside and from outside, and null where a road runs', () => {
  const seen = { lot: 0, nothing: 0, outside: 0 };
  const look = (lot: Lot, inside: ParcelPosition): void => {
    const { latitude, longitude } = inside.line_point;
    const across = (meters: number): readonly [number, number] => {
      const { lat2 = 0, lon2 = 0 } = WGS84.Direct(latitude, longitude, inside.toward, meters);
      return [lon2, lat2];
    };
    const found = lotsAt(across(1)).filter(({ id }) => id !== lot.id);
    if (found.length === 0) {
      // In a gap between two lots, or back in the lot itself, the oracle says nothing.
      if (![0.3, 2, 3, 4].every((meters) => lotsAt(across(meters)).length === 0)) return;
      expect(inside.beyond, `parcel ${lot.id}`).toBeNull();
      seen.nothing += 1;
      return;
    }
    expect(found.map(({ id }) => id)).toContain(inside.beyond?.property_id);
    seen.lot += 1;
    // Seen from the other side, what lies across the line from the lot is the same.
    const outside = positionAt(across(4), { id: lot.id });
    if (outside?.side !== 'outside' || turned(outside.toward, inside.toward + 180) > 1) return;
    expect(found.map(({ id }) => id)).toContain(outside.beyond?.property_id);
    seen.outside += 1;
  };
  for (const lot of lots.slice(0, 150)) {
    for (const place of besideEdges(lot)) {
      const inside = positionAt(place, { id: lot.id });
      if (inside?.side === 'inside') look(lot, inside);
    }
  }
  expect(Math.min(seen.lot, seen.nothing, seen.outside), JSON.stringify(seen)).toBeGreaterThan(10);
});

test('on the line itself both ways are tried', () => {
  const inner = lots.find((lot) => {
    const [longitude = 0, latitude = 0] = turf.pointOnFeature(lot.shape).geometry.coordinates;
    return positionAt([longitude, latitude], { id: lot.id })?.beyond;
  });
  if (!inner) throw new Error('the sample has no two neighbors');
  const [longitude = 0, latitude = 0] = turf.pointOnFeature(inner.shape).geometry.coordinates;
  const inside = positionAt([longitude, latitude], { id: inner.id });
  const { longitude: x = 0, latitude: y = 0 } = inside?.line_point ?? {};
  const onLine = positionAt([x, y], { id: inner.id });
  expect(onLine).toMatchObject({ side: 'unsure', feet_to_line: 0, beyond: inside?.beyond });
  expect(onLine?.sentence).toBe('Cannot tell: the line is 0 ft away, GPS ±10 ft');
});
