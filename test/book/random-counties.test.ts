/** Labels on random counties, from great farms to town lots: the checker finds none that overlaps or leaves its land. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameBox } from '../../engine/book/book-paper.ts';
import type { Holding } from '../../engine/book/holdings.ts';
import { LabelPlacer, type SeenHolding } from '../../engine/book/place-labels.ts';
import { LabelFont } from '../../engine/exporting/label-font.ts';
import { boundsOfMultiPolygon, type Ring } from '../../engine/geo/geometry.ts';
import { poleOf } from '../../engine/geo/pole.ts';
import { LabelField } from '../../engine/sheet/label-field.ts';
import { runs } from '../support/runs.ts';
import { faultsOf } from './label-checker.ts';

const box = frameBox([612, 792]);
const font = LabelFont.load('condensed');
const words = [
  'ALDER',
  'QUIMBY',
  'MARGARET',
  'O’BRIEN',
  'REVOCABLE',
  'TRUST',
  'LLC',
  'J',
  '&',
  'ÅNGSTRÖM',
  'COUNTY',
  'OF',
];

/** Cuts a quadrilateral again and again, at slanted lines, until pieces are small enough. */
function lotsOf(random: () => number, least: number): Ring[] {
  type Corner = readonly [number, number];
  const lots: Ring[] = [];
  const between = ([ax, ay]: Corner, [bx, by]: Corner, share: number): Corner => [
    ax + (bx - ax) * share,
    ay + (by - ay) * share,
  ];
  const cut = (corners: readonly [Corner, Corner, Corner, Corner], depth: number): void => {
    const [a, b, c, d] = corners;
    const width = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const height = Math.hypot(d[0] - a[0], d[1] - a[1]);
    if (depth === 0 || Math.min(width, height) < least || (depth < 7 && random() < 0.06)) {
      lots.push(Float64Array.from([a, b, c, d, a].flat()));
      return;
    }
    const [one, other] = [0.25 + random() / 2, 0.25 + random() / 2];
    if (width > height) {
      const [top, bottom] = [between(a, b, one), between(d, c, other)];
      cut([a, top, bottom, d], depth - 1);
      cut([top, b, c, bottom], depth - 1);
    } else {
      const [left, right] = [between(a, d, one), between(b, c, other)];
      cut([a, b, right, left], depth - 1);
      cut([left, right, c, d], depth - 1);
    }
  };
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  cut(
    [
      [box.x, box.y],
      [right, box.y],
      [right, bottom],
      [box.x, bottom],
    ],
    10,
  );
  return lots;
}

const nameOf = (random: () => number): string =>
  Array.from({ length: 1 + Math.floor(random() * 5) }, () => words[Math.floor(random() * words.length)]).join(' ');

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('no label overlaps another or leaves its land, and each lot has exactly one name, number or cell', {
  timeout: 600_000,
}, () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 6, max: 60 }), (seed, least) => {
      const random = randomOf(seed);
      const seen = lotsOf(random, least).map((ring, at): SeenHolding => {
        const polygons = [[ring]];
        const pole = poleOf([ring], 0.5);
        const acres = random() < 0.1 ? null : random() ** 4 * 1000;
        const holding: Holding = {
          ...{
            name: nameOf(random),
            alsoNames: random() < 0.1 ? ['ELM RUTH', 'ELM PAUL'] : [],
            kind: 'person',
            acres,
            isMeasured: random() < 0.2,
            parcels: 1,
            hasShape: true,
            polygons,
          },
          ...{ inner: new Float64Array(), isDissolved: true, bounds: boundsOfMultiPolygon(polygons), point: [0, 0] },
        };
        return { at, holding, shape: polygons, seen: polygons, point: [pole.x, pole.y], isHome: random() < 0.9 };
      });
      const placer = new LabelPlacer(new LabelField(box), (text) => font.width(font.shown(text).text));
      const { labels, unnamed } = placer.names(seen);
      const numbered = placer.numbers(unnamed, box);
      expect(seen.length).toBeGreaterThan(4);
      expect(faultsOf(seen, [...labels, ...numbered.labels])).toEqual([]);
      const told = [...labels, ...numbered.labels].map(({ at }) => at).concat(numbered.cells.map(({ at }) => at));
      expect(new Set(told).size).toBe(told.length);
      const homes = seen.filter(({ isHome }) => isHome).map(({ at }) => at);
      expect(homes.filter((at) => !told.includes(at))).toEqual([]);
    }),
    { numRuns: runs(20, 200) },
  );
});
