/**
 * The kernels of the column index: loops over the columns of one county, which live in one WebAssembly.Memory.
 * `county-memory.ts` loads them; their source is in `assembly/`.
 *
 * Every argument named after a thing (`bits`, `column`, `order`) is its byte offset in the memory, below 2³² − 2¹⁶;
 * `rows`, `words` and the like are counts. A kernel allocates nothing and reads no byte beyond those described here:
 *
 * - a bitmap is `words` 64-bit little-endian words at a multiple of 8; bit r belongs to row r;
 * - a column is `words` × 64 unsigned codes of 8, 16 or 32 bits at a multiple of 8 (64 is best); code 0 is "unknown",
 *   as are the rows that fill up the last word;
 * - every predicate only clears bits. If the first bitmap came from `fillRows`, the bits past the last row are
 *   therefore zero; a row with a zero bit never affects a result.
 *
 * test/columns/kernels.test.ts compares every kernel, bit by bit, with a naive implementation on plain arrays. "ms"
 * below is WASM against the same loop in plain JavaScript (measured while the engine had both) at 1,000,000 rows, the
 * fastest of many runs on two shared cores of an AMD EPYC; `node test/bench/kernels.ts` repeats the first. Loops that
 * WASM does not run at least 1.5 times as fast are plain JavaScript.
 */

/** A boolean as WebAssembly passes it. */
export type Flag = 0 | 1;

export interface BitmapKernels {
  /**
   * Sets the first `rows` bits, clears the rest of `words` words. Plain JavaScript: memset, 0.002 ms; so are `clear` and
   * `copy`.
   */
  fillRows(bits: number, words: number, rows: number): void;
  clear(bits: number, words: number): void;
  copy(to: number, from: number, words: number): void;
  /** to = to AND from, 128 bits at a time. Both may be the same bitmap, here and below. 0.004 / 0.044 ms. */
  and(to: number, from: number, words: number): void;
  /** to = to AND NOT from */
  andNot(to: number, from: number, words: number): void;
  or(to: number, from: number, words: number): void;
  /** Set bits, by the processor's popcnt. 0.005 / 0.063 ms. */
  count(bits: number, words: number): number;
  /** Bits set in both. 0.008 / 0.087 ms. */
  countAnd(a: number, b: number, words: number): number;
  /**
   * Writes the positions (u32) of the set bits number `skip` … `skip + take − 1`, ascending; returns how many. Skips
   * whole words by their count. 25 after 250,000 of 500,000: 0.013 / 0.079 ms; all 500,000: 0.60 / 1.11 ms.
   */
  select(bits: number, words: number, skip: number, take: number, out: number): number;
  /** Sets the bits at `count` positions (u32, in any order, repeated or not). 100,000 of them: 0.086 / 0.174 ms. */
  setPositions(bits: number, positions: number, count: number): void;
  clearPositions(bits: number, positions: number, count: number): void;
}

interface ColumnKernels {
  /**
   * Keeps the rows whose code lies in [low, high]; with `negate` the others. With `passUnknown` code 0 is kept in
   * either case. low > high is the empty range; a bound beyond the width is allowed.
   *
   * (code − low) ≤ (high − low), unsigned, is one comparison (H. S. Warren, Hacker's Delight, 2nd edition, 4-1), 16
   * rows to a bitmask. Words without a set row are skipped; testing single rows of the others gains nothing while the
   * column comes from memory (measured for 1 to 32 rows of 64). 8 bits 0.036 / 1.9 ms, 16 bits 0.058 / 2.0 ms, 32 bits
   * 0.094 / 2.0 ms.
   */
  range8(column: number, bits: number, words: number, low: number, high: number, passUnknown: Flag, negate: Flag): void;
  range16(
    column: number,
    bits: number,
    words: number,
    low: number,
    high: number,
    passUnknown: Flag,
    negate: Flag,
  ): void;
  range32(
    column: number,
    bits: number,
    words: number,
    low: number,
    high: number,
    passUnknown: Flag,
    negate: Flag,
  ): void;
  /**
   * Keeps the rows whose code is in the set `table`: the byte at `table` + code is 0 for a code outside it. The table
   * must cover every code of the column, cleared rows included; that of `member8` always has 256 bytes.
   *
   * Bytes, not bits: gathering them into a register took half the time of shifting bits together. A word of one
   * repeated code, usual for places along the Hilbert curve, is one look-up; a set of 8-bit codes is held in two
   * registers and looked up by shuffling (W. Muła, "SIMD-ized check which bytes are in a set", 2018). Random codes: 8
   * bits 0.14 / 6.2 ms, 16 bits 0.38 / 9.6 ms, 32 bits 0.42 / 10.9 ms. Places: 0.04, 0.08 and 0.13 / 3 ms.
   */
  member8(column: number, bits: number, words: number, table: number): void;
  member16(column: number, bits: number, words: number, table: number): void;
  member32(column: number, bits: number, words: number, table: number): void;
  /**
   * Adds 1 to the u32 at `counts` + 4 × code for every set row; a word of one repeated code is one addition. Half the
   * rows, random codes: 0.47 to 0.56 / 1.3 ms; places 0.05 to 0.13 / 1.3 ms.
   */
  histogram8(column: number, bits: number, words: number, counts: number): void;
  histogram16(column: number, bits: number, words: number, counts: number): void;
  histogram32(column: number, bits: number, words: number, counts: number): void;
}

interface OrderKernels {
  /**
   * `order` holds u32 positions of rows by value. Walks its entries from `from` up to `to` (exclusive), skips `skip`
   * set rows and writes the next `take` positions to `out`; returns how many it wrote. Eight entries become a mask
   * without a branch. Half the rows set, 25 after 25,000: 0.059 / 0.30 ms; after 450,000: 0.73 / 6.8 ms.
   */
  walk(order: number, from: number, to: number, bits: number, skip: number, take: number, out: number): number;
  /**
   * The same with the greatest value first, while rows of equal value stay in ascending position. Bit i of the bitmap
   * `starts` is set where entry i begins a new value; `from` counts as a beginning and `to` as an end of one.
   * 25 after 25,000: 0.045 / 0.81 ms.
   */
  walkDown(
    order: number,
    starts: number,
    from: number,
    to: number,
    bits: number,
    skip: number,
    take: number,
    out: number,
  ): number;
  /** Counts the entries from `from` up to `to` (exclusive) whose rows are set. 4,096 of them: 0.003 / 0.029 ms. */
  countOrdered(order: number, from: number, to: number, bits: number): number;
}

interface BoxKernels {
  /**
   * Keeps the rows whose box meets the query's box, edges included; also removes rows not set in `located`. `rowBoxes`:
   * four consecutive f32 arrays, minX, maxX, minY, maxY, each of `words` × 64 entries, rounded outwards. `wordBoxes`:
   * the same four of `words` entries, each around the located rows of one word, so that most words are decided whole
   * (rows in Hilbert order make them tight; the idea of the packed Hilbert R-tree, I. Kamel and C. Faloutsos, "On
   * packing R-trees", 1993). The query's box is compared in f64, not rounded. A box of NaN meets nothing. A box over 1
   * % of a county: 0.018 / 0.21 ms, over 38 %: 0.030 / 0.34 ms.
   */
  boxes(
    rowBoxes: number,
    wordBoxes: number,
    located: number,
    bits: number,
    words: number,
    minX: number,
    maxX: number,
    minY: number,
    maxY: number,
  ): void;
  /**
   * Decides the set rows by a grid of `columns` × `rows` cells over the query's box. Rows must be located. The cell of
   * x is min(columns − 1, max(0, floor((x − originX) × scaleX))), that of y likewise; the code that makes the grid must
   * use exactly these formulas (scale: cells per unit), so that a boundary point within a box always falls into a cell
   * of the box, also beyond the grid. `sat`: u32, (columns + 1) × (rows + 1), entry (r, c) = how many of the cells in
   * rows < r and columns < c the query's boundary enters. `inside`: a byte per cell, row by row, 1 where a cell without
   * boundary lies inside.
   *
   * A row whose cells hold no boundary lies on one side of it: inside its bit stays, outside it is cleared. The bit of
   * any other row moves from `bits` to `unsure`, whose other bits do not change. Words first, then four rows at a time;
   * summed-area tables are F. Crow's (SIGGRAPH 1984). A circle over 30 % of a county by 64 × 64 cells, all rows set:
   * 1.1 / 5.7 ms; 5 % of them: 0.34 / 0.87 ms.
   */
  classify(
    rowBoxes: number,
    wordBoxes: number,
    bits: number,
    unsure: number,
    words: number,
    originX: number,
    originY: number,
    scaleX: number,
    scaleY: number,
    columns: number,
    rows: number,
    sat: number,
    inside: number,
  ): void;
}

interface AreaKernels {
  /**
   * Makes the grid of `side` × `side` cells for `classify` from the area's `segments`: four f64 each, ax ay bx by, of
   * which the first `rings` are edges of rings, exteriors counterclockwise and holes clockwise. Every cell a segment
   * enters counts as boundary, and those within rounding of it. A cell without boundary is inside where the winding
   * number of its middle is not 0: a crossing within a cell makes it a boundary cell, so rounding cannot put one on the
   * wrong side of another cell's middle.
   *
   * Also lists the segments of each row of cells, for `decide`: `starts` (u32, side + 1) tells where each row's list
   * begins in `lists` (u32, at most `most`). Returns 1, or 0 if they are more: `lists` then holds nothing. `turns`: side ×
   * side u32 of room.
   */
  grid(
    segments: number,
    count: number,
    rings: number,
    originX: number,
    originY: number,
    scaleX: number,
    scaleY: number,
    side: number,
    sat: number,
    inside: number,
    turns: number,
    starts: number,
    lists: number,
    most: number,
  ): number;
  /**
   * Decides the rows of `unsure` wherever rounding cannot change the answer: those that meet the area move to `bits`,
   * those that do not are cleared, those in doubt stay. Segments and lists are those of `grid`; `partStarts` holds a byte
   * per segment, 1 where one begins a part of the area that could lie within a parcel.
   *
   * A row whose box no segment enters lies where its corner lies. Any other's outline is compared (rows of
   * `outlines` from `outlineStarts`, u32, words × 64 + 1; see OutlineBuilder; an `outlines` of 0 has none): corners are
   * known to half of 1/255 of its box, and every orientation counts only beyond what that can change. `near`: 1,280 bytes
   * of room.
   */
  decide(
    rowBoxes: number,
    bits: number,
    unsure: number,
    words: number,
    segments: number,
    partStarts: number,
    rings: number,
    originY: number,
    scaleY: number,
    side: number,
    starts: number,
    lists: number,
    outlineStarts: number,
    outlines: number,
    near: number,
  ): void;
}

/** Loops of a few hundred turns, which in JavaScript stay slow until a process has asked for words some fifty times. */
interface WordKernels {
  /**
   * Writes the words (u32) that hold a part of `length` bytes at any place, each once; returns how many. `words` and
   * `places` (u32) list from `from` to `to` where one run of the part's bytes may stand, `offset` bytes after the part's
   * first: the word, ascending, and the byte. `starts` (u32) says where each word begins in `bytes`, and one past the last;
   * a separator ends each.
   */
  holding(
    bytes: number,
    starts: number,
    places: number,
    words: number,
    from: number,
    to: number,
    part: number,
    length: number,
    offset: number,
    out: number,
  ): number;
  /** Sets the rows of `count` words (u32): those of word w are the `postings` from `starts`[w] to `starts`[w + 1]. */
  setPostings(bits: number, postings: number, starts: number, words: number, count: number): void;
}

export interface Kernels extends BitmapKernels, ColumnKernels, OrderKernels, BoxKernels, AreaKernels, WordKernels {
  /** The signed sum, modulo 2³², of the u32 in `bytes` bytes (a multiple of 64): measures memory speed in benches. */
  sum(at: number, bytes: number): number;
}
