/** The kernels of the column index match a naive implementation on plain arrays, and touch no other byte. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { createMemory, loadKernels } from '../../engine/columns/county-memory.ts';
import type { Flag, Kernels } from '../../engine/columns/kernels.ts';
import { createRandom } from '../sample-maker/random.ts';
import { emptyHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import {
  gridOfRectangles,
  keeps,
  naiveDown,
  naiveGrid,
  naiveHistogram,
  naiveMeeting,
  naiveMeets,
  naiveSide,
  naiveSums,
  type Rectangle,
} from './naive-kernels.ts';
import {
  bitsAt,
  type CodeWidth,
  fillings,
  makeCodes,
  makeSet,
  numbersAt,
  rowCounts,
  WatchedMemory,
} from './watched-memory.ts';

const columnsFolder = path.resolve(import.meta.dirname, '../../engine/columns');
const flags: readonly Flag[] = [0, 1];

const trueRows = (set: readonly boolean[]) => set.flatMap((isSet, row) => (isSet ? [row] : []));

/** Runs a check with every count of rows and every filling of the bitmap. */
function forEachBitmap(
  seed: string,
  check: (memory: WatchedMemory, set: boolean[], random: ReturnType<typeof createRandom>) => void,
  counts = rowCounts,
  base = 0,
): void {
  const random = createRandom(7).fork(seed);
  const memory = new WatchedMemory(512 * 1024, seed, base);
  for (const rows of counts)
    for (const filling of fillings) {
      memory.reset();
      check(memory, makeSet(rows, filling, random), random);
    }
}

type Check = Parameters<typeof forEachBitmap>[1];

const checkBitmaps: Check = (memory, set, random) => {
  const rows = set.length;
  const words = Math.ceil(rows / 64);
  const other = makeSet(rows, random.pick(fillings), random);
  const from = memory.layBits(other);
  const combine = (kernel: (kernels: Kernels, to: number) => void, expected: (a: boolean, b: boolean) => boolean) => {
    const to = memory.layBits(set);
    memory.run(
      (kernels) => kernel(kernels, to),
      bitsAt(
        to,
        set.map((isSet, row) => expected(isSet, other[row] === true)),
      ),
    );
  };
  combine(
    (kernels, to) => kernels.and(to, from, words),
    (a, b) => a && b,
  );
  combine(
    (kernels, to) => kernels.andNot(to, from, words),
    (a, b) => a && !b,
  );
  combine(
    (kernels, to) => kernels.or(to, from, words),
    (a, b) => a || b,
  );
  combine(
    (kernels, to) => kernels.copy(to, from, words),
    (_, b) => b,
  );
  combine(
    (kernels, to) => kernels.clear(to, words),
    () => false,
  );
  combine(
    (kernels, to) => kernels.fillRows(to, words, rows),
    () => true,
  );
  combine(
    (kernels, to) => kernels.andNot(to, to, words),
    () => false,
  );
  const bits = memory.layBits(set);
  expect(memory.run((kernels) => kernels.count(bits, words))).toBe(trueRows(set).length);
  const common = set.filter((isSet, row) => isSet && other[row]).length;
  expect(memory.run((kernels) => kernels.countAnd(bits, from, words))).toBe(common);
};

const checkSelect: Check = (memory, set, random) => {
  const words = Math.ceil(set.length / 64);
  const bits = memory.layBits(set);
  const rows = trueRows(set);
  const out = memory.laySpace((rows.length + 1) * 4);
  for (const skip of [0, 1, 63, 64, random.integer(0, rows.length), rows.length - 1, rows.length, rows.length + 100])
    for (const take of [0, 1, 25, rows.length, 0xffff_ffff]) {
      if (skip < 0) continue;
      const expected = rows.slice(skip, skip + take);
      const found = memory.run((kernels) => kernels.select(bits, words, skip, take, out), numbersAt(out, expected));
      expect(found).toBe(expected.length);
    }
};

const checkPositions: Check = (memory, set, random) => {
  const positions = Array.from({ length: set.length === 0 ? 0 : random.integer(0, 300) }, () =>
    random.integer(0, set.length - 1),
  );
  const at = memory.lay(Uint32Array.from(positions), 4);
  const bits = memory.layBits(set);
  const named = new Set(positions);
  memory.run(
    (kernels) => kernels.setPositions(bits, at, positions.length),
    bitsAt(
      bits,
      set.map((isSet, row) => isSet || named.has(row)),
    ),
  );
  memory.run(
    (kernels) => kernels.clearPositions(bits, at, positions.length),
    bitsAt(
      bits,
      set.map((isSet, row) => isSet && !named.has(row)),
    ),
  );
};

/** Each row in the postings of up to three of some words, and of words that have none. */
const checkPostings: Check = (memory, set, random) => {
  const rowsOfWords = Array.from({ length: 9 }, () =>
    random.chance(0.2) ? [] : trueRows(makeSet(set.length, 'sparse', random)),
  );
  const starts = [0];
  for (const rows of rowsOfWords) starts.push((starts.at(-1) ?? 0) + rows.length);
  const postings = memory.lay(Uint32Array.from(rowsOfWords.flat()), 4);
  const startsAt = memory.lay(Uint32Array.from(starts), 4);
  const words = Array.from({ length: random.integer(0, 3) }, () => random.integer(0, rowsOfWords.length - 1));
  const wordsAt = memory.lay(Uint32Array.from(words), 4);
  const bits = memory.layBits(set);
  const named = new Set(words.flatMap((word) => rowsOfWords[word] ?? []));
  memory.run(
    (kernels) => kernels.setPostings(bits, postings, startsAt, wordsAt, words.length),
    bitsAt(
      bits,
      set.map((isSet, row) => isSet || named.has(row)),
    ),
  );
};

const checkRange =
  (width: CodeWidth): Check =>
  (memory, set, random) => {
    const max = 2 ** width - 1;
    const codes = makeCodes(set.length, width, random);
    const column = memory.layCodes(codes, width);
    const bits = memory.layBits(set);
    const saved = memory.layBits(set);
    const words = Math.ceil(set.length / 64);
    const random2 = [random.integer(0, max), random.integer(0, max)].sort((a, b) => a - b) as [number, number];
    const bounds: readonly (readonly [number, number])[] = [
      ...([
        [0, 0],
        [1, 1],
        [0, 1],
        [0, max],
        [1, max],
        [2, max],
        [max, max],
        [2, max - 1],
        [5, 3],
      ] as const),
      ...([[2 ** (width - 1), max], [0, 2 ** (width - 1)], [1, 0xffff_ffff], [2, 0xffff_ffff], random2] as const),
      ...([
        [max, 0],
        [0xffff_ffff, 0xffff_ffff],
      ] as const),
    ];
    for (const [low, high] of bounds)
      for (const passUnknown of flags)
        for (const negate of flags) {
          memory.run(
            (kernels) => {
              kernels.copy(bits, saved, words);
              kernels[`range${width}`](column, bits, words, low, high, passUnknown, negate);
            },
            bitsAt(
              bits,
              set.map((isSet, row) => isSet && keeps(codes[row] ?? 0, low, high, passUnknown, negate)),
            ),
          );
        }
  };

/** For 32 bits the codes stay small, because the table has a byte for each. */
const smallCodes = (codes: readonly number[], width: CodeWidth) =>
  width === 32 ? codes.map((code) => code % 90_000) : codes;

/** A byte per code: nothing for most, anything else for the others. */
function randomTable(width: CodeWidth, random: ReturnType<typeof createRandom>): Uint8Array {
  const period = Array.from({ length: 4099 }, () => (random.chance(0.3) ? random.integer(1, 255) : 0));
  return Uint8Array.from({ length: { 8: 256, 16: 65_536, 32: 90_000 }[width] }, (_, code) => period[code % 4099] ?? 0);
}

const checkMember =
  (width: CodeWidth): Check =>
  (memory, set, random) => {
    const codes = smallCodes(makeCodes(set.length, width, random), width);
    const column = memory.layCodes(codes, width);
    const words = Math.ceil(set.length / 64);
    const mixed = randomTable(width, random);
    for (const table of [mixed, mixed.map(() => 0), mixed.map(() => 255)]) {
      const at = memory.lay(table);
      const bits = memory.layBits(set);
      memory.run(
        (kernels) => kernels[`member${width}`](column, bits, words, at),
        bitsAt(
          bits,
          set.map((isSet, row) => isSet && table[codes[row] ?? 0] !== 0),
        ),
      );
    }
  };

const checkHistogram =
  (width: CodeWidth): Check =>
  (memory, set, random) => {
    const codes = smallCodes(makeCodes(set.length, width, random), width).map((code) => code % 5000);
    const column = memory.layCodes(codes, width);
    const bits = memory.layBits(set);
    const before = Array.from({ length: 5000 }, () => random.pick([0, 1, 0xffff]));
    const counts = memory.lay(Uint32Array.from(before));
    memory.run(
      (kernels) => kernels[`histogram${width}`](column, bits, Math.ceil(set.length / 64), counts),
      numbersAt(counts, naiveHistogram(codes, set, before)),
    );
  };

const checkOrders: Check = (memory, set, random) => {
  const order = random.shuffle(set.map((_, row) => row));
  const begins = makeSet(set.length, random.pick(['none', 'all', 'sparse', 'half', 'patchy']), random);
  const orderAt = memory.lay(Uint32Array.from(order), 4);
  const starts = memory.layBits(begins);
  const bits = memory.layBits(set);
  const out = memory.laySpace(set.length * 4);
  const middle = random.integer(0, set.length);
  const spans = [
    [0, set.length],
    [middle, set.length],
    [0, middle],
    [middle, middle],
    [set.length, 0],
  ] as const;
  for (const [from, to] of spans) {
    const entries = Array.from({ length: Math.max(to - from, 0) }, (_, entry) => from + entry);
    const pages = { walk: entries, walkDown: naiveDown(from, to, begins) };
    const rowsOf = (some: readonly number[]) => some.map((entry) => order[entry] ?? -1).filter((row) => set[row]);
    const count = rowsOf(entries).length;
    expect(memory.run((kernels) => kernels.countOrdered(orderAt, from, to, bits))).toBe(count);
    for (const skip of new Set([0, 1, 7, random.integer(0, count), Math.max(count - 1, 0), count]))
      for (const take of [0, 1, 25, 0xffff_ffff]) {
        const upwards = rowsOf(pages.walk).slice(skip, skip + take);
        const up = memory.run((k) => k.walk(orderAt, from, to, bits, skip, take, out), numbersAt(out, upwards));
        expect(up).toBe(upwards.length);
        const downwards = rowsOf(pages.walkDown).slice(skip, skip + take);
        const down = memory.run(
          (k) => k.walkDown(orderAt, starts, from, to, bits, skip, take, out),
          numbersAt(out, downwards),
        );
        expect(down).toBe(downwards.length);
      }
  }
};

/** Boxes of f32 numbers; those of a word lie together, as along a Hilbert curve. */
function makeBoxes(rows: number, random: ReturnType<typeof createRandom>) {
  const centers = Array.from({ length: Math.ceil(rows / 64) }, () => [
    random.between(-98, -96),
    random.between(38, 40),
  ]);
  // one word in ten lies about 0, where the numbers of f32 are far closer together than elsewhere
  const aboutZero = centers.map(() => random.chance(0.1));
  const least = 2 ** -149;
  const side = (row: number, axis: 0 | 1) => {
    if (aboutZero[row >>> 6])
      return random.pick([
        [0, 0],
        [-least, 0],
        [0, least],
        [least, least],
        [-least, -least],
      ] as const);
    const low = (centers[row >>> 6]?.[axis] ?? 0) + random.between(-0.05, 0.05);
    return [Math.fround(low), Math.fround(low + random.pick([0, 0.001, 0.02]))] as const;
  };
  const xs = Array.from({ length: rows }, (_, row) => side(row, 0));
  const ys = Array.from({ length: rows }, (_, row) => side(row, 1));
  const located = Array.from({ length: rows }, () => random.chance(0.95));
  const lists = [xs.map(([x]) => x), xs.map(([, x]) => x), ys.map(([y]) => y), ys.map(([, y]) => y)] as const;
  const pick = (list: readonly number[]) => list.map((value, row) => (located[row] ? value : Number.NaN));
  const boxes = { minX: pick(lists[0]), maxX: pick(lists[1]), minY: pick(lists[2]), maxY: pick(lists[3]) };
  return { boxes, located };
}

function layBoxes(memory: WatchedMemory, boxes: ReturnType<typeof makeBoxes>['boxes'], words: number) {
  const rowsAt = new Float32Array(words * 64 * 4).fill(Number.NaN);
  const wordsAt = new Float32Array(words * 4).fill(Number.NaN);
  [boxes.minX, boxes.maxX, boxes.minY, boxes.maxY].forEach((list, array) => {
    rowsAt.set(list, array * words * 64);
    for (let word = 0; word < words; word++) {
      const values = list.slice(word * 64, word * 64 + 64).filter((value) => !Number.isNaN(value));
      const extreme = array % 2 === 0 ? Math.min(...values) : Math.max(...values);
      wordsAt[array * words + word] = values.length === 0 ? Number.NaN : extreme;
    }
  });
  return { rowBoxes: memory.lay(rowsAt, 4), wordBoxes: memory.lay(wordsAt, 4) };
}

const checkBoxes: Check = (memory, set, random) => {
  const words = Math.ceil(set.length / 64);
  const { boxes, located } = makeBoxes(set.length, random);
  const { rowBoxes, wordBoxes } = layBoxes(memory, boxes, words);
  const locatedAt = memory.layBits(located);
  const row = random.integer(0, Math.max(set.length - 1, 0));
  const edge = (list: readonly number[]) => (Number.isNaN(list[row] ?? Number.NaN) ? 39 : (list[row] ?? 39));
  const [east, south] = [edge(boxes.maxX), edge(boxes.minY)];
  const queries: readonly (readonly [number, number, number, number])[] = [
    [-180, 180, -90, 90],
    [-97.3, -96.9, 38.6, 39.1],
    [-97.0000001, -96.9999999, 38, 40],
    [0, 5e-324, -5e-324, 0],
    [5e-324, 180, -90, 90],
    [-180, 180, -90, -5e-324],
    // touching, and missing by the least that an f64 can miss
    [east, east + 1, 0, south],
    [east + Math.abs(east) * Number.EPSILON, 180, -90, 90],
    [-180, 180, -90, south - Math.abs(south) * Number.EPSILON],
  ];
  for (const query of queries) {
    const bits = memory.layBits(set);
    memory.run(
      (kernels) => kernels.boxes(rowBoxes, wordBoxes, locatedAt, bits, words, ...query),
      bitsAt(
        bits,
        set.map((isSet, index) => isSet && located[index] === true && naiveMeets(boxes, index, ...query)),
      ),
    );
  }
};

const checkClassify: Check = (memory, set, random) => {
  const words = Math.ceil(set.length / 64);
  const { boxes, located } = makeBoxes(set.length, random);
  const { rowBoxes, wordBoxes } = layBoxes(memory, boxes, words);
  const asked = set.map((isSet, row) => isSet && located[row] === true);
  for (const [columns, rows, share] of [
    [1, 1, 0.5],
    [3, 2, 0.3],
    [16, 16, 0],
    [16, 16, 0.1],
    [40, 30, 0.02],
  ] as const) {
    const grid = naiveGrid(columns, rows, share, () => random.next());
    const sat = memory.lay(Uint32Array.from(naiveSums(grid)), 4);
    const inside = memory.lay(Uint8Array.from(grid.inside, Number), 1);
    const bits = memory.layBits(asked);
    const marked = makeSet(set.length, 'sparse', random);
    const unsure = memory.layBits(marked);
    const { originX, originY, scaleX, scaleY } = grid;
    const sides = asked.map((isAsked, row) => (isAsked ? naiveSide(grid, boxes, row) : 'outside'));
    memory.run(
      (kernels) =>
        kernels.classify(
          ...([rowBoxes, wordBoxes, bits, unsure, words, originX, originY, scaleX, scaleY, columns, rows] as const),
          ...([sat, inside] as const),
        ),
      bitsAt(
        bits,
        sides.map((side) => side === 'inside'),
      ),
      bitsAt(
        unsure,
        sides.map((side, row) => side === 'unsure' || marked[row] === true),
      ),
    );
  }
};

/** The edges of a rectangle as segments, counterclockwise, or clockwise for a hole. */
function edgesOf([west, south, east, north]: Rectangle, isHole: boolean): number[] {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ] as const;
  const edges = corners.map((from, i) => [...from, ...(corners[(i + 1) % 4] as (typeof corners)[number])]);
  return edges.flatMap(([ax = 0, ay = 0, bx = 0, by = 0]) => (isHole ? [bx, by, ax, ay] : [ax, ay, bx, by]));
}

/** Parcels that fill their boxes; their sides lie off those of the area by more than rounding moves a corner. */
const checkArea: Check = (memory, set, random) => {
  const [side, outer, hole] = [16, [1.5, 0.5, 14.5, 12.5], [5.5, 4.5, 9.5, 9.5]] as const;
  const words = Math.ceil(set.length / 64);
  const low = () => random.integer(0, 100) / 8 + 1 / 16;
  const parcels = set.map((): Rectangle => {
    const [west, south] = random.chance(0.05) ? [1 / 16, 1 / 16] : [low(), low()];
    const size = () => (random.chance(0.05) ? 15 : random.pick([1, 8, 24]) / 8);
    return [west, south, west + size(), south + size()];
  });
  const list = (at: number) => parcels.map((parcel) => parcel[at] as number);
  const { rowBoxes } = layBoxes(memory, { minX: list(0), minY: list(1), maxX: list(2), maxY: list(3) }, words);
  const segments = [...edgesOf(outer, false), ...edgesOf(hole, true)];
  const at = memory.lay(Float64Array.from(segments));
  const starts = [...Array(4).keys()].map((part) => (part === 0 ? 1 : 0));
  const partStarts = memory.lay(Uint8Array.from([...starts, 0, 0, 0, 0]));
  const grid = gridOfRectangles(side, outer, hole);
  const rowsOfEdge = Array.from({ length: 8 }, (_, edge) => [1, 3].map((y) => Math.floor(segments[edge * 4 + y] ?? 0)));
  const lists = Array.from({ length: side }, (_, row) =>
    [...rowsOfEdge.keys()].filter((edge) => {
      const ys = rowsOfEdge[edge] ?? [];
      return row >= Math.min(...ys) && row <= Math.max(...ys);
    }),
  );
  const begins = [...lists.keys(), side].map((row) => lists.slice(0, row).flat().length);
  const [sums, inside] = [memory.laySpace((side + 1) ** 2 * 4), memory.laySpace(side * side)];
  const [turns, startsAt] = [memory.laySpare(side * side * 4), memory.laySpace((side + 1) * 4)];
  const listsAt = memory.laySpace(lists.flat().length * 4);
  for (const most of [lists.flat().length, lists.flat().length - 1]) {
    const isListed = memory.run(
      (kernels) => kernels.grid(at, 8, 8, 0, 0, 1, 1, side, sums, inside, turns, startsAt, listsAt, most),
      numbersAt(sums, naiveSums(grid)),
      { at: inside, data: Uint8Array.from(grid.inside, Number) },
      // What is not listed leaves where the lists end.
      numbersAt(startsAt, most < lists.flat().length ? [...begins.slice(1), begins.at(-1) ?? 0] : begins),
      numbersAt(listsAt, lists.flat()),
    );
    expect(isListed).toBe(most < lists.flat().length ? 0 : 1);
    if (isListed === 0) return;
    const near = memory.laySpare(1280);
    const hasOutline = set.map(() => random.chance(0.8));
    let total = 0;
    const ends = hasOutline.map((has) => {
      total += has ? 9 : 0;
      return has ? total - 9 : total;
    });
    const padded = Array.from({ length: words * 64 + 1 }, (_, row) => ends[row] ?? total);
    const outlineStarts = memory.lay(Uint32Array.from(padded));
    const outline = [4, 0, 0, 255, 0, 255, 255, 0, 255];
    const outlines = memory.lay(Uint8Array.from(Array.from({ length: total }, (_, byte) => outline[byte % 9] ?? 0)));
    for (const [outlinesAt, isLoaded] of [
      [outlines, true],
      [0, false],
    ] as const) {
      const before = set.map((isSet) => !isSet && random.chance(0.1));
      const [bits, unsure] = [memory.layBits(before), memory.layBits(set)];
      const meeting = parcels.map((parcel, row) =>
        naiveMeeting(parcel, outer, hole, isLoaded && hasOutline[row] === true),
      );
      memory.run(
        (kernels) =>
          kernels.decide(
            ...([rowBoxes, bits, unsure, words, at, partStarts, 8, 0, 1, side, startsAt, listsAt] as const),
            ...([outlineStarts, outlinesAt, near] as const),
          ),
        bitsAt(
          bits,
          set.map((isSet, row) => before[row] === true || (isSet && meeting[row] === true)),
        ),
        bitsAt(
          unsure,
          set.map((isSet, row) => isSet && meeting[row] === null),
        ),
      );
    }
  }
};

const checkSum: Check = (memory, set, random) => {
  const values = Array.from({ length: Math.ceil(set.length / 16) * 16 }, () => random.integer(0, 0xffff_ffff));
  const at = memory.lay(Uint32Array.from(values));
  const expected = Number(
    BigInt.asIntN(
      32,
      values.reduce((sum, value) => sum + BigInt(value), 0n),
    ),
  );
  expect(memory.run((kernels) => kernels.sum(at, values.length * 4))).toBe(expected);
};

const checks: Readonly<Record<string, Check>> = {
  'bitmaps are filled, combined and counted': checkBitmaps,
  'positions of set bits are selected': checkSelect,
  'bits at positions are set and cleared': checkPositions,
  'the rows of words are set': checkPostings,
  'a range of 8-bit codes is kept': checkRange(8),
  'a range of 16-bit codes is kept': checkRange(16),
  'a range of 32-bit codes is kept': checkRange(32),
  'a set of 8-bit codes is kept': checkMember(8),
  'a set of 16-bit codes is kept': checkMember(16),
  'a set of 32-bit codes is kept': checkMember(32),
  '8-bit codes are counted': checkHistogram(8),
  '16-bit codes are counted': checkHistogram(16),
  '32-bit codes are counted': checkHistogram(32),
  'a sorted list is walked up and down': checkOrders,
  'boxes that meet a box are kept': checkBoxes,
  'boxes are classified by a grid': checkClassify,
  'an area becomes a grid, and decides parcels by their outlines': checkArea,
  'memory is summed': checkSum,
};

describe('the kernels do what they mean on plain arrays', () => {
  for (const [name, check] of Object.entries(checks)) test(name, () => forEachBitmap(name, check));
});

/** Address space of 3 GiB, of which a page is real once it is written; some machines refuse to promise so much. */
const above2GiB = 2 ** 31 + 2 ** 29;
function hasRoom(): boolean {
  try {
    return createMemory(above2GiB) !== undefined;
  } catch {
    return false;
  }
}

describe.runIf(requireOrSkip('3 GiB of address space', hasRoom(), 'offsets above 2 GiB are not tested'))(
  'offsets above 2 GiB are not taken for negative ones',
  () => {
    for (const [name, check] of Object.entries(checks))
      test(name, () => forEachBitmap(name, check, [65, 1000], above2GiB));
  },
);

describe('the module', () => {
  test('is what building the sources gives, byte for byte', async () => {
    const committed = fs.readFileSync(path.join(columnsFolder, 'kernels.wasm'));
    const built = path.join(emptyHome(), 'kernels.wasm');
    execFileSync(process.execPath, [path.join(columnsFolder, '..', 'bin', 'build-kernels.mjs'), built]);
    expect(Buffer.compare(committed, fs.readFileSync(built))).toBe(0);
  });

  test('holds every kernel but those that gain nothing', () => {
    const native = (kernel: unknown) => /\[native code\]/.test(String(kernel));
    const kernels = Object.entries(loadKernels(createMemory(65_536)));
    const plain = kernels.filter(([, kernel]) => !native(kernel));
    expect(plain.map(([name]) => name).sort()).toEqual(['clear', 'copy', 'fillRows']);
    expect(kernels.length).toBe(30);
  });

  test('keeps to a memory that grows', () => {
    const memory = createMemory(65_536);
    const kernels = loadKernels(memory);
    memory.grow(4);
    kernels.fillRows(200_000, 2, 70);
    expect(kernels.count(200_000, 2)).toBe(70);
    expect([...new Uint8Array(memory.buffer, 200_008, 2)]).toEqual([0b11_1111, 0]);
  });

  test('runs in a worker thread', async () => {
    const file = (name: string) => JSON.stringify(path.join(columnsFolder, name));
    const worker = new Worker(
      `import(${file('county-memory.ts')}).then(
        ({ createMemory, loadKernels }) => {
          const kernels = loadKernels(createMemory(65536));
          kernels.fillRows(0, 2, 100);
          require('node:worker_threads').parentPort.postMessage(kernels.count(0, 2));
        });`,
      { eval: true },
    );
    const answer = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    await worker.terminate();
    expect(answer).toBe(100);
  });

  const canRefuse = requireOrSkip(
    'an x64 processor',
    process.arch === 'x64',
    'only there can Node be told to lack SIMD',
  );
  test.runIf(canRefuse)(
    'where WebAssembly has no SIMD no home is opened, and the error says what is needed and found',
    () => {
      const home = path.join(emptyHome(), 'home');
      const script = `
      const { openEngine } = await import(${JSON.stringify(path.join(columnsFolder, '../index.ts'))});
      try {
        openEngine({ home: ${JSON.stringify(home)}, create: true });
      } catch (error) {
        console.log(JSON.stringify([error.code, error.message]));
      }`;
      const options = ['--no-enable-sse4-1', '--input-type=module', '--eval', script];
      const { stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
      expect(stderr).toBe('');
      const [code, message] = JSON.parse(stdout) as [string, string];
      expect(code).toBe('unfit_processor');
      expect(message).toMatch(/needs WebAssembly SIMD .*SSE 4\.1.*, found .+ \(x64\), which refuses it: .+/);
      expect(fs.existsSync(home)).toBe(false);
    },
  );
});
