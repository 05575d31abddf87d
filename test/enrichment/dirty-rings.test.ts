/** 200 rings as no surveyor draws them, through every layer: a number within bounds, or null with a reason. */
import { describe, expect, test } from 'vitest';
import { buildingsOf } from '../../engine/enrichment/buildings.ts';
import { cellSpans } from '../../engine/enrichment/cell-spans.ts';
import { floodZonesOf } from '../../engine/enrichment/flood-zones.ts';
import { LayerIndex, LayerPacker } from '../../engine/enrichment/layer-index.ts';
import type { Finding } from '../../engine/enrichment/layer-kinds.ts';
import { roadsOf } from '../../engine/enrichment/roads.ts';
import { wetlandsOf } from '../../engine/enrichment/wetlands.ts';
import { multiPolygonFromGeoJson } from '../../engine/geo/geojson-geometry.ts';
import type { MultiPolygon } from '../../engine/geo/geometry.ts';
import { boundaryEdges } from '../../engine/geo/near-length.ts';
import { multiPolygonToGeoJson } from '../../engine/geo/spatialite-blob.ts';
import { seededRandom } from '../geo/shapes.ts';
import { atFeet, boxOfFeet, lotOfFeet, type Position, pathOfFeet, ringOfFeet } from './laid-shapes.ts';

type Random = () => number;
const corner = (random: Random): Position => [Math.round(random() * 20) * 10, Math.round(random() * 20) * 10];

const kinds: Record<string, (random: Random) => Position[]> = {
  spikes: (random) => {
    const tip = corner(random);
    return [
      [0, 0],
      [200, 0],
      [200, 200],
      [tip[0], 900],
      [200, 200],
      [0, 200],
      [-900, tip[1]],
      [0, 200],
    ];
  },
  duplicates: (random) => Array.from({ length: 5 }, () => corner(random)).flatMap((place) => [place, place, place]),
  bowTies: (random) => Array.from({ length: 4 + Math.floor(random() * 8) }, () => corner(random)),
  slivers: (random) => [
    [0, 0],
    [200, random() * 1e-7],
    [200, random() * 1e-7],
    [0, random() * 1e-7],
  ],
  noArea: (random) => {
    const there = Array.from({ length: 4 }, () => corner(random));
    return [...there, ...there.toReversed()];
  },
  onePlace: (random) => {
    const place = corner(random);
    return [place, place, place, place];
  },
  twice: () => [
    [0, 0],
    [200, 0],
    [200, 200],
    [0, 200],
    [0, 0],
    [200, 0],
    [200, 200],
    [0, 200],
  ],
  level: (random) => Array.from({ length: 6 }, () => [Math.round(random() * 20) * 10, 100] as const),
  holeBeyond: (random) => Array.from({ length: 6 }, () => corner(random)),
  needles: (random) => Array.from({ length: 40 }, (_, i): Position => [i * 5, i % 2 === 0 ? 0 : random() * 200]),
};

function dirtyParcel(kind: string, random: Random): MultiPolygon {
  const ring = ringOfFeet(...(kinds[kind]?.(random) ?? []));
  return kind === 'holeBeyond' ? [[ring, boxOfFeet(-50, -50, 400, 90)], [ring]] : [[ring]];
}

const packed = (fill: (packer: LayerPacker) => void): LayerIndex => {
  const packer = new LayerPacker();
  fill(packer);
  return new LayerIndex(packer.finish());
};

describe('dirty rings', () => {
  const random = seededRandom(2026);
  const parcels = Array.from({ length: 200 }, (_, index) => {
    const kind = Object.keys(kinds)[index % 10] ?? '';
    return { kind, parcel: dirtyParcel(kind, random) };
  });
  // features as dirty as the parcels, and one clean
  const polygons = packed((packer) => {
    packer.addPolygons(lotOfFeet(-20, -20, 120, 120), 0);
    for (const { parcel } of parcels.slice(0, 30)) packer.addPolygons(parcel, 1);
  });
  const roads = packed((packer) => {
    packer.addLines([pathOfFeet([-1000, 0], [1000, 0], [1000, 0], [50, 50], [50, 50])], 2);
  });
  const buildings = packed((packer) => {
    for (const { parcel } of parcels.slice(0, 30)) packer.addAsPoint(parcel, 0);
  });

  const isPercent = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 100;
  const isKnown = ({ values, reason }: Finding, fits: (values: readonly unknown[]) => boolean) =>
    reason === null ? fits(values) : values.every((value) => value === null);

  test('give wetlands and flood zones a share from 0 to 100, or null with a reason', () => {
    for (const { kind, parcel } of parcels) {
      const wet = wetlandsOf(parcel, polygons);
      expect(
        isKnown(wet, ([percent]) => isPercent(percent)),
        `${kind} ${JSON.stringify(wet)}`,
      ).toBe(true);
      const flood = floodZonesOf(parcel, polygons, ['A', 'AE'], false);
      expect(
        isKnown(flood, ([percent, type]) => isPercent(percent) && typeof type === 'string'),
        `${kind} ${JSON.stringify(flood)}`,
      ).toBe(true);
    }
  });

  test('that enclose nothing are unknown, and the others known', () => {
    const reasons = new Map<string, Set<string | null>>();
    for (const { kind, parcel } of parcels) {
      const known = reasons.get(kind) ?? new Set();
      reasons.set(kind, known.add(wetlandsOf(parcel, polygons).reason));
    }
    const nothing = new Set(['the parcel encloses no area']);
    expect(reasons.get('noArea')).toEqual(nothing);
    expect(reasons.get('onePlace')).toEqual(nothing);
    expect(reasons.get('level')).toEqual(nothing);
    for (const kind of ['spikes', 'twice', 'needles', 'bowTies']) expect(reasons.get(kind)).toEqual(new Set([null]));
  });

  test('have no more frontage than boundary', () => {
    for (const { kind, parcel } of parcels) {
      const { values } = roadsOf(parcel, roads, 50);
      const edges = boundaryEdges(parcel);
      const most = lengthInFeet(edges) * 1.001 + 0.1;
      for (const feet of values.slice(0, 4)) {
        expect(typeof feet === 'number' && feet >= 0 && feet <= most, `${kind} ${feet} of ${most}`).toBe(true);
      }
    }
  });

  test('hold a whole number of buildings and of cells', () => {
    for (const { parcel } of parcels) {
      const [count] = buildingsOf(parcel, buildings).values;
      expect(Number.isInteger(count) && (count as number) <= 30).toBe(true);
      let cells = 0;
      const inFeet = parcel.map((rings) => rings.map(feetOf));
      cellSpans(inFeet, -1000, 1000, (_, from, to) => {
        expect(to).toBeGreaterThan(from);
        cells += to - from;
      });
      // the box of all of them is 1,100 by 900 feet
      expect(cells <= 2e6).toBe(true);
    }
  });

  test('survive the readers’ checks without a crash', () => {
    for (const { parcel } of parcels) {
      const found = multiPolygonFromGeoJson(multiPolygonToGeoJson(parcel));
      expect(found.ok).toBe(true);
    }
  });
});

const [originX, originY] = atFeet([0, 0]);
const [footX, footY] = atFeet([1, 1]).map((value, index) => value - (index === 0 ? originX : originY)) as [
  number,
  number,
];

const feetOf = (ring: Float64Array): Float64Array =>
  ring.map((value, index) => (index % 2 === 0 ? (value - originX) / footX : (value - originY) / footY));

function lengthInFeet(edges: Float64Array): number {
  let feet = 0;
  for (let at = 0; at < edges.length; at += 4) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = edges.subarray(at, at + 4);
    feet += Math.hypot((bx - ax) / footX, (by - ay) / footY);
  }
  return feet;
}
