/**
 * `node test/bench/kernels.ts`: every kernel at 1,000,000 rows, the fastest of many runs (disturbances only slow a run
 * down) beside the median, with the bytes that a kernel reads and writes per second against the machine's read speed.
 * Seeded; nothing is asserted. Each run starts from the same bitmap. A name as argument measures only the kernels that
 * begin with it.
 */

import { tableText } from '../../engine/cli/output.ts';
import { createMemory, type KernelMemory, loadKernels } from '../../engine/columns/county-memory.ts';
import type { Kernels } from '../../engine/columns/kernels.ts';
import { hilbertIndex } from '../../engine/geo/hilbert.ts';
import { createRandom, type Random } from '../sample-maker/random.ts';
import { measureBandwidth } from './bandwidth.ts';

const rows = 1_000_000;
const words = Math.ceil(rows / 64);
const gridSide = 64;

class Layout {
  readonly memory: KernelMemory = createMemory(128 * 1024 * 1024);
  #used = 64;

  space(bytes: number): number {
    const at = this.#used;
    this.#used = Math.ceil((at + bytes) / 64) * 64;
    return at;
  }

  lay(data: Uint8Array | Uint16Array | Uint32Array | Float32Array): number {
    const at = this.space(data.byteLength);
    new Uint8Array(this.memory.buffer).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    return at;
  }

  bits(isSet: (row: number) => boolean): number {
    const bytes = new Uint8Array(words * 8);
    for (let row = 0; row < rows; row++) if (isSet(row)) bytes[row >>> 3] = (bytes[row >>> 3] ?? 0) | (1 << (row & 7));
    return this.lay(bytes);
  }
}

/** One line of the table. `bytes` is the minimum that a kernel reads and writes. */
interface Case {
  readonly name: string;
  readonly bytes: number;
  readonly run: (kernels: Kernels) => unknown;
  /** Fills the bitmap that the kernel works on, outside the measured time. */
  readonly from?: number;
}

const bitmapBytes = words * 8;

/** Parcels of a county 0.6 degrees wide along the Hilbert curve: boxes as `boxes` and `classify` want them. */
function layBoxes(layout: Layout, random: Random) {
  const places = Array.from({ length: rows }, () => ({ x: random.between(-97.6, -97), y: random.between(38.4, 39) }))
    .map((place) => ({ ...place, along: hilbertIndex(place.x, place.y) }))
    .sort((a, b) => a.along - b.along);
  const half = 0.0003;
  const rowBoxes = new Float32Array(words * 64 * 4).fill(Number.NaN);
  const wordBoxes = new Float32Array(words * 4);
  for (let array = 0; array < 4; array++) {
    const sign = array % 2 === 0 ? -1 : 1;
    wordBoxes.fill(-sign * Number.POSITIVE_INFINITY, array * words, (array + 1) * words);
    places.forEach(({ x, y }, row) => {
      const value = Math.fround((array < 2 ? x : y) + sign * half);
      rowBoxes[array * words * 64 + row] = value;
      const word = array * words + (row >>> 6);
      wordBoxes[word] = sign < 0 ? Math.min(wordBoxes[word] ?? 0, value) : Math.max(wordBoxes[word] ?? 0, value);
    });
  }
  return { rowBoxes: layout.lay(rowBoxes), wordBoxes: layout.lay(wordBoxes) };
}

/** A circle over the middle 30 % of the county as a grid: the cells its line enters, and those inside. */
function layCircle(layout: Layout) {
  const radius = Math.sqrt(0.3 / Math.PI) * 0.6;
  const cellSide = (2 * radius) / gridSide;
  const inside = new Uint8Array(gridSide * gridSide);
  const sat = new Uint32Array((gridSide + 1) * (gridSide + 1));
  for (let row = 0; row < gridSide; row++)
    for (let column = 0; column < gridSide; column++) {
      const away = (near: boolean) => {
        const side = (cell: number) => {
          const ends = [cell * cellSide - radius, (cell + 1) * cellSide - radius].map(Math.abs);
          return near ? Math.min(...ends) : Math.max(...ends);
        };
        return Math.hypot(side(column), side(row));
      };
      const isBoundary = away(true) <= radius && away(false) >= radius;
      inside[row * gridSide + column] = away(false) < radius ? 1 : 0;
      const above = (row + 1) * (gridSide + 1) + column + 1;
      const sum = (sat[above - 1] ?? 0) + (sat[above - gridSide - 1] ?? 0) - (sat[above - gridSide - 2] ?? 0);
      sat[above] = sum + (isBoundary ? 1 : 0);
    }
  return {
    originX: -97.3 - radius,
    originY: 38.7 - radius,
    scale: 1 / cellSide,
    radius,
    sat: layout.lay(sat),
    inside: layout.lay(inside),
  };
}

function bitmapCases(layout: Layout, random: Random, full: number, half: number, bits: number, out: number): Case[] {
  const positions = layout.lay(Uint32Array.from({ length: 100_000 }, () => random.integer(0, rows - 1)));
  return [
    { name: 'fillRows', bytes: bitmapBytes, run: (k) => k.fillRows(bits, words, rows) },
    { name: 'clear', bytes: bitmapBytes, run: (k) => k.clear(bits, words) },
    { name: 'copy', bytes: 2 * bitmapBytes, run: (k) => k.copy(bits, half, words) },
    { name: 'and', bytes: 3 * bitmapBytes, run: (k) => k.and(bits, half, words), from: full },
    { name: 'andNot', bytes: 3 * bitmapBytes, run: (k) => k.andNot(bits, half, words), from: full },
    { name: 'or', bytes: 3 * bitmapBytes, run: (k) => k.or(bits, half, words), from: full },
    { name: 'count', bytes: bitmapBytes, run: (k) => k.count(half, words) },
    { name: 'countAnd', bytes: 2 * bitmapBytes, run: (k) => k.countAnd(half, full, words) },
    { name: 'select 25 after 250,000', bytes: bitmapBytes / 2, run: (k) => k.select(half, words, 250_000, 25, out) },
    { name: 'select all 500,000', bytes: bitmapBytes + 2e6, run: (k) => k.select(half, words, 0, rows, out) },
    { name: 'setPositions of 100,000', bytes: 4e5, run: (k) => k.setPositions(bits, positions, 100_000), from: half },
    {
      name: 'clearPositions of 100,000',
      bytes: 4e5,
      run: (k) => k.clearPositions(bits, positions, 100_000),
      from: half,
    },
  ];
}

function layCodes(layout: Layout, width: 8 | 16 | 32, code: (row: number) => number): number {
  const codes = new { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array }[width](words * 64);
  for (let row = 0; row < rows; row++) codes[row] = code(row);
  return layout.lay(codes);
}

function columnCases(layout: Layout, random: Random, full: number, half: number, bits: number): Case[] {
  const table = layout.lay(Uint8Array.from({ length: 65_536 }, () => (random.chance(0.3) ? 1 : 0)));
  const counts = layout.space(65_536 * 4);
  const cases = ([8, 16, 32] as const).map((width): Case[] => {
    const top = width === 8 ? 255 : 60_000;
    const column = layCodes(layout, width, () => random.integer(0, top));
    // a place like a ZIP code: the same for some thousand neighbours
    const place = layCodes(layout, width, (row) => 1 + Math.floor(row / 4567));
    const bytes = (rows * width) / 8 + 2 * bitmapBytes;
    const [low, high] = [top * 0.3, top * 0.6].map(Math.floor) as [number, number];
    return [
      {
        name: `range${width}`,
        bytes,
        run: (k) => k[`range${width}`](column, bits, words, low, high, 0, 0),
        from: full,
      },
      {
        name: `range${width} or unknown`,
        bytes,
        run: (k) => k[`range${width}`](column, bits, words, low, high, 1, 0),
        from: full,
      },
      {
        name: `range${width}, half set`,
        bytes,
        run: (k) => k[`range${width}`](column, bits, words, low, high, 0, 0),
        from: half,
      },
      { name: `member${width}`, bytes, run: (k) => k[`member${width}`](column, bits, words, table), from: full },
      { name: `member${width}, places`, bytes, run: (k) => k[`member${width}`](place, bits, words, table), from: full },
      { name: `histogram${width}`, bytes, run: (k) => k[`histogram${width}`](column, half, words, counts) },
      { name: `histogram${width}, places`, bytes, run: (k) => k[`histogram${width}`](place, half, words, counts) },
    ];
  });
  return cases.flat();
}

function orderCases(layout: Layout, random: Random, half: number, out: number): Case[] {
  const order = layout.lay(Uint32Array.from(random.shuffle(Array.from({ length: rows }, (_, row) => row))));
  const starts = layout.bits(() => random.chance(0.5));
  const page = (skip: number) => 8 * skip;
  return [
    { name: 'walk to page 1,000', bytes: page(25_000), run: (k) => k.walk(order, 0, rows, half, 25_000, 25, out) },
    { name: 'walk to page 18,000', bytes: page(450_000), run: (k) => k.walk(order, 0, rows, half, 450_000, 25, out) },
    {
      name: 'walkDown to page 1,000',
      bytes: page(25_000),
      run: (k) => k.walkDown(order, starts, 0, rows, half, 25_000, 25, out),
    },
    {
      name: 'walkDown to page 18,000',
      bytes: page(450_000),
      run: (k) => k.walkDown(order, starts, 0, rows, half, 450_000, 25, out),
    },
    { name: 'countOrdered of 4,096', bytes: 4 * 4096, run: (k) => k.countOrdered(order, 500_000, 504_096, half) },
  ];
}

function boxCases(layout: Layout, random: Random, full: number, bits: number): Case[] {
  const { rowBoxes, wordBoxes } = layBoxes(layout, random);
  const circle = layCircle(layout);
  const sparse = layout.bits(() => random.chance(0.05));
  const unsure = layout.space(bitmapBytes);
  const boxes = (k: Kernels, radius: number) =>
    k.boxes(rowBoxes, wordBoxes, full, bits, words, -97.3 - radius, -97.3 + radius, 38.7 - radius, 38.7 + radius);
  const classify = (k: Kernels) =>
    k.classify(
      ...([
        rowBoxes,
        wordBoxes,
        bits,
        unsure,
        words,
        circle.originX,
        circle.originY,
        circle.scale,
        circle.scale,
      ] as const),
      ...([gridSide, gridSide, circle.sat, circle.inside] as const),
    );
  const bytes = 16 * words + 3 * bitmapBytes;
  return [
    { name: 'boxes, 1 % of the county', bytes, run: (k) => boxes(k, 0.03), from: full },
    { name: 'boxes, 38 % of the county', bytes, run: (k) => boxes(k, circle.radius), from: full },
    { name: 'classify, all rows', bytes, run: classify, from: full },
    { name: 'classify, 5 % of the rows', bytes, run: classify, from: sparse },
  ];
}

function measure(kernels: Kernels, { run, from }: Case, bits: number, runs: number): { best: number; median: number } {
  const times: number[] = [];
  for (let i = 0; i < runs + 20; i++) {
    if (from !== undefined) kernels.copy(bits, from, words);
    const began = performance.now();
    run(kernels);
    if (i >= 20) times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return { best: times[0] ?? Number.NaN, median: times[runs >> 1] ?? Number.NaN };
}

function main(): void {
  const random = createRandom(11);
  const layout = new Layout();
  const full = layout.bits(() => true);
  const half = layout.bits(() => random.chance(0.5));
  const [bits, out] = [layout.space(bitmapBytes), layout.space(rows * 4)];
  const cases = [
    ...bitmapCases(layout, random, full, half, bits, out),
    ...columnCases(layout, random, full, half, bits),
    ...orderCases(layout, random, half, out),
    ...boxCases(layout, random, full, bits),
  ].filter(({ name }) => name.startsWith(process.argv[2] ?? ''));
  const kernels = loadKernels(layout.memory);
  const bandwidth = measureBandwidth();
  console.log(`memory is read at ${(bandwidth / 1e9).toFixed(1)} GB/s`);
  const columns = ['kernel', 'ms', 'median', 'GB/s', 'of bandwidth'];
  const figures = cases.map((one) => {
    const { best, median } = measure(kernels, one, bits, 201);
    const speed = one.bytes / (best / 1000);
    const values = [best.toFixed(4), median.toFixed(4), (speed / 1e9).toFixed(1)];
    const cells = [one.name, ...values, `${Math.round((speed / bandwidth) * 100)} %`];
    return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
  });
  console.log(tableText(columns, figures));
}

main();
