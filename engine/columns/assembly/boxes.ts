// Bounding boxes. The box of a word usually decides its 64 rows at once, because rows are in Hilbert order.

/** The least f32 that is not below `value`: r ≥ value is equivalent to r ≥ ceil(value) for every f32 r. */
function ceilToFloat(value: f64): f32 {
  const near = value as f32;
  return (near as f64) < value ? next(near, 1) : near;
}

/** The greatest f32 that is not above `value`. */
function floorToFloat(value: f64): f32 {
  const near = value as f32;
  return (near as f64) > value ? next(near, -1) : near;
}

/** The f32 after (+1) or before (−1) a number: floats of one sign are ordered like their bits. */
function next(value: f32, step: i32): f32 {
  if (value == 0) return reinterpret<f32>(step > 0 ? 1 : 0x8000_0001);
  return reinterpret<f32>(reinterpret<i32>(value) + (value > 0 ? step : -step));
}

// @ts-ignore: decorator
@inline
function meets(box: usize, stride: usize, minX: f32, maxX: f32, minY: f32, maxY: f32): u64 {
  return (
    (load<f32>(box) <= maxX ? 1 : 0) &
    (load<f32>(box + stride) >= minX ? 1 : 0) &
    (load<f32>(box + 2 * stride) <= maxY ? 1 : 0) &
    (load<f32>(box + 3 * stride) >= minY ? 1 : 0)
  );
}

// @ts-ignore: decorator
@inline
function fourMeet(box: usize, stride: usize, minX: v128, maxX: v128, minY: v128, maxY: v128): v128 {
  return v128.and(
    v128.and(f32x4.le(v128.load(box), maxX), f32x4.ge(v128.load(box + stride), minX)),
    v128.and(f32x4.le(v128.load(box + 2 * stride), maxY), f32x4.ge(v128.load(box + 3 * stride), minY)),
  );
}

// @ts-ignore: decorator
@inline
function sixteenMeet(box: usize, stride: usize, minX: v128, maxX: v128, minY: v128, maxY: v128): u64 {
  return i8x16.bitmask(
    i8x16.narrow_i16x8_s(
      i16x8.narrow_i32x4_s(
        fourMeet(box, stride, minX, maxX, minY, maxY),
        fourMeet(box + 16, stride, minX, maxX, minY, maxY),
      ),
      i16x8.narrow_i32x4_s(
        fourMeet(box + 32, stride, minX, maxX, minY, maxY),
        fourMeet(box + 48, stride, minX, maxX, minY, maxY),
      ),
    ),
  ) as u64;
}

// @ts-ignore: decorator
@inline
function fourWithin(box: usize, stride: usize, minX: v128, maxX: v128, minY: v128, maxY: v128): v128 {
  return v128.and(
    v128.and(f32x4.ge(v128.load(box), minX), f32x4.le(v128.load(box + stride), maxX)),
    v128.and(f32x4.ge(v128.load(box + 2 * stride), minY), f32x4.le(v128.load(box + 3 * stride), maxY)),
  );
}

/** Up to this many set rows of 64, testing each row alone is faster. */
// @ts-ignore: decorator
@inline
const sparseRows: u64 = 8;

/** The rows of a word whose box lies across the edge of the query's box. */
function keepMeeting(word: u64, rows: usize, stride: usize, minX: f32, maxX: f32, minY: f32, maxY: f32): u64 {
  let hits: u64 = 0;
  if (popcnt(word) <= sparseRows) {
    for (let rest = word; rest != 0; rest &= rest - 1) {
      const row = ctz(rest);
      hits |= meets(rows + ((row as usize) << 2), stride, minX, maxX, minY, maxY) << row;
    }
    return hits;
  }
  const wests = f32x4.splat(minX);
  const easts = f32x4.splat(maxX);
  const souths = f32x4.splat(minY);
  const norths = f32x4.splat(maxY);
  for (let row: u64 = 0; row < 64; row += 16, rows += 64) {
    hits |= sixteenMeet(rows, stride, wests, easts, souths, norths) << row;
  }
  return word & hits;
}

export function boxes(
  rowBoxes: usize,
  wordBoxes: usize,
  located: usize,
  bits: usize,
  words: u32,
  minX: f64,
  maxX: f64,
  minY: f64,
  maxY: f64,
): void {
  const west = ceilToFloat(minX);
  const east = floorToFloat(maxX);
  const south = ceilToFloat(minY);
  const north = floorToFloat(maxY);
  const wests = f32x4.splat(west);
  const easts = f32x4.splat(east);
  const souths = f32x4.splat(south);
  const norths = f32x4.splat(north);
  const rowStride = (words as usize) << 8;
  const stride = (words as usize) << 2;
  for (let index: u32 = 0; index < words; index += 4) {
    const box = wordBoxes + ((index as usize) << 2);
    const at = bits + ((index as usize) << 3);
    const place = located + ((index as usize) << 3);
    const here = min(words - index, 4);
    let some: i32 = 0;
    let whole: i32 = 0;
    if (here == 4) {
      some = i32x4.bitmask(fourMeet(box, stride, wests, easts, souths, norths));
      whole = i32x4.bitmask(fourWithin(box, stride, wests, easts, souths, norths));
      if (some == 0 || (some & whole) == 15) {
        const stays = i32x4.splat(some == 0 ? 0 : -1);
        v128.store(at, v128.and(stays, v128.and(v128.load(at), v128.load(place))));
        v128.store(at, v128.and(stays, v128.and(v128.load(at, 16), v128.load(place, 16))), 16);
        continue;
      }
    } else {
      for (let one: u32 = 0; one < here; one++) {
        const alone = box + ((one as usize) << 2);
        some |= (meets(alone, stride, west, east, south, north) as i32) << one;
      }
    }
    for (let one: u32 = 0; one < here; one++) {
      const offset = (one as usize) << 3;
      let word = load<u64>(at + offset) & load<u64>(place + offset);
      if (((some >> one) & 1) == 0) word = 0;
      else if (word != 0 && ((whole >> one) & 1) == 0) {
        word = keepMeeting(word, rowBoxes + (((index + one) as usize) << 8), rowStride, west, east, south, north);
      }
      store<u64>(at + offset, word);
    }
  }
}

/** The cells of four coordinates. */
// @ts-ignore: decorator
@inline
function cells(values: v128, origin: v128, scale: v128, last: v128): v128 {
  const low = f64x2.mul(f64x2.sub(f64x2.promote_low_f32x4(values), origin), scale);
  const upper = f64x2.promote_low_f32x4(v128.shuffle<i64>(values, values, 1, 1));
  const high = f64x2.mul(f64x2.sub(upper, origin), scale);
  // these conversions saturate, and NaN is 0
  const both = v128.shuffle<i64>(i32x4.trunc_sat_f64x2_s_zero(low), i32x4.trunc_sat_f64x2_s_zero(high), 0, 2);
  return i32x4.min_s(i32x4.max_s(both, i32x4.splat(0)), last);
}

// @ts-ignore: decorator
@inline
function entered(sat: usize, a: i32, b: i32, c: i32, d: i32): u32 {
  return load<u32>(sat + (a << 2)) - load<u32>(sat + (b << 2)) - load<u32>(sat + (c << 2)) + load<u32>(sat + (d << 2));
}

/** One box: bit 0 means inside, bit 4 unsure. */
// @ts-ignore: decorator
@inline
function sideOf(sat: usize, inside: usize, a: i32, b: i32, c: i32, d: i32, cell: i32): u32 {
  const isUnsure: u32 = entered(sat, a, b, c, d) != 0 ? 1 : 0;
  return (isUnsure << 4) | (((load<u8>(inside + cell) as u32) & 1) & ~isUnsure);
}

/** Four boxes: the low four bits mean inside, the next four unsure. */
// @ts-ignore: decorator
@inline
function sidesOf(
  minX: v128,
  maxX: v128,
  minY: v128,
  maxY: v128,
  originX: v128,
  originY: v128,
  scaleX: v128,
  scaleY: v128,
  lastColumn: v128,
  lastRow: v128,
  width: v128,
  sat: usize,
  inside: usize,
): u32 {
  const one = i32x4.splat(1);
  const left = cells(minX, originX, scaleX, lastColumn);
  const right = i32x4.add(cells(maxX, originX, scaleX, lastColumn), one);
  const bottom = cells(minY, originY, scaleY, lastRow);
  const lower = i32x4.mul(bottom, width);
  const upper = i32x4.mul(i32x4.add(cells(maxY, originY, scaleY, lastRow), one), width);
  const a = i32x4.add(upper, right);
  const b = i32x4.add(upper, left);
  const c = i32x4.add(lower, right);
  const d = i32x4.add(lower, left);
  // a row of cells is one shorter than a row of sums
  const cell = i32x4.sub(d, bottom);
  return (
    sideOf(
        sat,
        inside,
        i32x4.extract_lane(a, 0),
        i32x4.extract_lane(b, 0),
        i32x4.extract_lane(c, 0),
        i32x4.extract_lane(d, 0),
        i32x4.extract_lane(cell, 0),
      ) |
    (sideOf(
        sat,
        inside,
        i32x4.extract_lane(a, 1),
        i32x4.extract_lane(b, 1),
        i32x4.extract_lane(c, 1),
        i32x4.extract_lane(d, 1),
        i32x4.extract_lane(cell, 1),
      ) << 1) |
    (sideOf(
        sat,
        inside,
        i32x4.extract_lane(a, 2),
        i32x4.extract_lane(b, 2),
        i32x4.extract_lane(c, 2),
        i32x4.extract_lane(d, 2),
        i32x4.extract_lane(cell, 2),
      ) << 2) |
    (sideOf(
        sat,
        inside,
        i32x4.extract_lane(a, 3),
        i32x4.extract_lane(b, 3),
        i32x4.extract_lane(c, 3),
        i32x4.extract_lane(d, 3),
        i32x4.extract_lane(cell, 3),
      ) << 3)
  );
}

export function classify(
  rowBoxes: usize,
  wordBoxes: usize,
  bits: usize,
  unsure: usize,
  words: u32,
  gridOriginX: f64,
  gridOriginY: f64,
  gridScaleX: f64,
  gridScaleY: f64,
  columns: u32,
  rows: u32,
  sat: usize,
  inside: usize,
): void {
  const originX = f64x2.splat(gridOriginX);
  const originY = f64x2.splat(gridOriginY);
  const scaleX = f64x2.splat(gridScaleX);
  const scaleY = f64x2.splat(gridScaleY);
  const lastColumn = i32x4.splat(columns - 1);
  const lastRow = i32x4.splat(rows - 1);
  const width = i32x4.splat(columns + 1);
  const stride = (words as usize) << 2;
  const rowStride = (words as usize) << 8;
  for (let index: u32 = 0; index < words; ) {
    const box = wordBoxes + ((index as usize) << 2);
    const first = bits + ((index as usize) << 3);
    const here: u32 = words - index >= 4 ? 4 : 1;
    const isEmpty = here == 1 ? load<u64>(first) == 0 : !v128.any_true(v128.or(v128.load(first), v128.load(first, 16)));
    if (isEmpty) {
      index += here;
      continue;
    }
    // one word alone fills all four lanes
    const sides = sidesOf(
      here == 4 ? v128.load(box) : v128.load32_splat(box),
      here == 4 ? v128.load(box + stride) : v128.load32_splat(box + stride),
      here == 4 ? v128.load(box + 2 * stride) : v128.load32_splat(box + 2 * stride),
      here == 4 ? v128.load(box + 3 * stride) : v128.load32_splat(box + 3 * stride),
      originX,
      originY,
      scaleX,
      scaleY,
      lastColumn,
      lastRow,
      width,
      sat,
      inside,
    );
    for (let one: u32 = 0; one < here; one++) {
      const at = first + ((one as usize) << 3);
      const word = load<u64>(at);
      if (word == 0 || ((sides >> one) & 1) == 1) continue;
      let kept: u64 = 0;
      let moved: u64 = 0;
      if (((sides >> one) & 16) != 0) {
        let row = rowBoxes + (((index + one) as usize) << 8);
        for (let four: u64 = 0; four < 64; four += 4, row += 16) {
          if (((word >> four) & 15) == 0) continue;
          const decided = sidesOf(
            v128.load(row),
            v128.load(row + rowStride),
            v128.load(row + 2 * rowStride),
            v128.load(row + 3 * rowStride),
            originX,
      originY,
      scaleX,
      scaleY,
      lastColumn,
      lastRow,
      width,
      sat,
      inside,
          ) as u64;
          kept |= (decided & 15) << four;
          moved |= (decided >> 4) << four;
        }
      }
      store<u64>(at, word & kept);
      moved &= word;
      if (moved != 0) {
        const mark = unsure + (((index + one) as usize) << 3);
        store<u64>(mark, load<u64>(mark) | moved);
      }
    }
    index += here;
  }
}
