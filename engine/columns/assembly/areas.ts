// The area of a query: its grid, and rows near its boundary decided by their outlines.

/** Far wider than rounding can move a coordinate of degrees (3e-14), and than products of them differ. */
// @ts-ignore: decorator
@inline
const rounding: f64 = 1e-12;

/** The cell of a coordinate, as `classify` computes it. */
// @ts-ignore: decorator
@inline
function cellOf(value: f64, origin: f64, scale: f64, last: f64): u32 {
  return min(max((value - origin) * scale, 0), last) as u32;
}

// @ts-ignore: decorator
@inline
function add(at: usize, more: i32): void {
  store<i32>(at, load<i32>(at) + more);
}

/**
 * Marks the ends of the run of cells that a segment enters in each row, and counts it for each row's list. Of a ring's
 * edge it also notes the crossings with the middles of rows, which include its lower end and exclude its upper end.
 */
function markSegment(
  at: usize,
  isRing: bool,
  originX: f64,
  originY: f64,
  scaleX: f64,
  scaleY: f64,
  side: u32,
  sat: usize,
  turns: usize,
  starts: usize,
): void {
  const isUp = load<f64>(at, 24) >= load<f64>(at, 8);
  const ax = isUp ? load<f64>(at) : load<f64>(at, 16);
  const ay = isUp ? load<f64>(at, 8) : load<f64>(at, 24);
  const bx = isUp ? load<f64>(at, 16) : load<f64>(at);
  const by = isUp ? load<f64>(at, 24) : load<f64>(at, 8);
  const last = (side - 1) as f64;
  const padX = 1e-6 / scaleX + rounding;
  const padY = 1e-6 / scaleY + rounding;
  const lastRow = cellOf(by, originY, scaleY, last);
  for (let row = cellOf(ay, originY, scaleY, last); row <= lastRow; row++) {
    const low = max(ay, originY + (row as f64) / scaleY - padY);
    const high = min(by, originY + ((row + 1) as f64) / scaleY + padY);
    const x0 = by > ay ? ax + ((low - ay) / (by - ay)) * (bx - ax) : ax;
    const x1 = by > ay ? ax + ((high - ay) / (by - ay)) * (bx - ax) : bx;
    const from = cellOf(min(x0, x1) - padX, originX, scaleX, last);
    const to = cellOf(max(x0, x1) + padX, originX, scaleX, last);
    const cells = sat + (((row + 1) * (side + 1) + 1) << 2);
    add(cells + (from << 2), 1);
    if (to + 1 < side) add(cells + ((to + 1) << 2), -1);
    add(starts + (row << 2), 1);
    const middle = originY + ((row as f64) + 0.5) / scaleY;
    if (!isRing || middle < ay || middle >= by) continue;
    const x = ax + ((middle - ay) / (by - ay)) * (bx - ax);
    const column = max((x - originX) * scaleX + 0.5, 0) as u32;
    if (column < side) add(turns + ((row * side + column) << 2), isUp ? 1 : -1);
  }
}

/** Turns the marks into sums and sides, row by row. */
function sweepCells(side: u32, sat: usize, inside: usize, turns: usize): void {
  const stride = (side + 1) << 2;
  for (let row: u32 = 0; row < side; row++) {
    let at = sat + ((row + 1) as usize) * stride + 4;
    let turn = turns + ((row * side) << 2);
    let cell = inside + row * side;
    let inRow: u32 = 0;
    let cover: i32 = 0;
    let winding: i32 = 0;
    for (let column: u32 = 0; column < side; column++, at += 4, turn += 4, cell++) {
      cover += load<i32>(at);
      winding += load<i32>(turn);
      const isBoundary: u32 = cover > 0 ? 1 : 0;
      inRow += isBoundary;
      store<u32>(at, inRow + load<u32>(at - stride));
      store<u8>(cell, winding != 0 ? 1 - isBoundary : 0);
    }
  }
}

/** Lists the segments of each row of cells; `starts` holds their numbers, and afterwards where each list begins. */
function listSegments(
  segments: usize,
  count: u32,
  originY: f64,
  scaleY: f64,
  side: u32,
  starts: usize,
  lists: usize,
  most: u32,
): u32 {
  let total: u32 = 0;
  for (let row: u32 = 0; row <= side; row++) {
    total += load<u32>(starts + (row << 2));
    store<u32>(starts + (row << 2), total);
  }
  if (total > most) return 0;
  const last = (side - 1) as f64;
  for (let index = count; index > 0; ) {
    const at = segments + ((--index as usize) << 5);
    const ay = load<f64>(at, 8);
    const by = load<f64>(at, 24);
    const lastRow = cellOf(max(ay, by), originY, scaleY, last);
    for (let row = cellOf(min(ay, by), originY, scaleY, last); row <= lastRow; row++) {
      add(starts + (row << 2), -1);
      store<u32>(lists + (load<u32>(starts + (row << 2)) << 2), index);
    }
  }
  return 1;
}

export function grid(
  segments: usize,
  count: u32,
  rings: u32,
  originX: f64,
  originY: f64,
  scaleX: f64,
  scaleY: f64,
  side: u32,
  sat: usize,
  inside: usize,
  turns: usize,
  starts: usize,
  lists: usize,
  most: u32,
): u32 {
  memory.fill(sat, 0, ((side + 1) * (side + 1)) << 2);
  memory.fill(turns, 0, (side * side) << 2);
  memory.fill(starts, 0, (side + 1) << 2);
  for (let index: u32 = 0; index < count; index++) {
    const at = segments + ((index as usize) << 5);
    markSegment(at, index < rings, originX, originY, scaleX, scaleY, side, sat, turns, starts);
  }
  sweepCells(side, sat, inside, turns);
  return listSegments(segments, count, originY, scaleY, side, starts, lists, most);
}

const outsideArea: u32 = 0;
const insideArea: u32 = 1;
const inDoubt: u32 = 2;

/** The most segments that `decide` compares with an outline; rows near more of them stay in doubt. */
const mostNear: u32 = 32;

/** Whether a point within the area's box is inside, by the edges east of it; `inDoubt` if it may lie on one. */
function sideOfPoint(
  x: f64,
  y: f64,
  segments: usize,
  rings: u32,
  originY: f64,
  scaleY: f64,
  side: u32,
  starts: usize,
  lists: usize,
): u32 {
  const row = cellOf(y, originY, scaleY, (side - 1) as f64);
  const end = lists + (load<u32>(starts + ((row + 1) << 2)) << 2);
  let winding: i32 = 0;
  for (let at = lists + (load<u32>(starts + (row << 2)) << 2); at < end; at += 4) {
    const index = load<u32>(at);
    if (index >= rings) continue;
    const segment = segments + ((index as usize) << 5);
    const ay = load<f64>(segment, 8);
    const by = load<f64>(segment, 24);
    if (ay > y == by > y) continue;
    const ax = load<f64>(segment);
    const dx = load<f64>(segment, 16) - ax;
    const dy = by - ay;
    const left = dx * (y - ay) - dy * (x - ax);
    if (abs(left) <= (abs(dx) + abs(dy)) * rounding) return inDoubt;
    if (left > 0 == by > ay) winding += by > ay ? 1 : -1;
  }
  return winding != 0 ? insideArea : outsideArea;
}

/** Writes the segments that may enter a box, relative to its corner: ax ay bx by, and whether they begin a part there. */
function segmentsNear(
  minX: f64,
  maxX: f64,
  minY: f64,
  maxY: f64,
  segments: usize,
  partStarts: usize,
  originY: f64,
  scaleY: f64,
  side: u32,
  starts: usize,
  lists: usize,
  near: usize,
): u32 {
  const last = (side - 1) as f64;
  const first = cellOf(minY, originY, scaleY, last);
  const final = cellOf(maxY, originY, scaleY, last);
  let count: u32 = 0;
  for (let row = first; row <= final; row++) {
    const end = lists + (load<u32>(starts + ((row + 1) << 2)) << 2);
    for (let at = lists + (load<u32>(starts + (row << 2)) << 2); at < end; at += 4) {
      const index = load<u32>(at);
      const segment = segments + ((index as usize) << 5);
      // Seen in the row before.
      if (row > first && cellOf(min(load<f64>(segment, 8), load<f64>(segment, 24)), originY, scaleY, last) < row) continue;
      const ax = load<f64>(segment) - minX;
      const ay = load<f64>(segment, 8) - minY;
      const bx = load<f64>(segment, 16) - minX;
      const by = load<f64>(segment, 24) - minY;
      const width = maxX - minX;
      const height = maxY - minY;
      if (max(ax, bx) < -rounding || min(ax, bx) > width + rounding) continue;
      if (max(ay, by) < -rounding || min(ay, by) > height + rounding) continue;
      // The extreme corners of the box: north-west and south-east of a rising segment, else the other two.
      const dx = bx - ax;
      const dy = by - ay;
      const isRising = dx > 0 == dy > 0;
      const margin = (abs(dx) + abs(dy)) * rounding;
      const one = dx * ((isRising ? height : 0) - ay) + dy * ax;
      const other = dx * ((isRising ? 0 : height) - ay) - dy * (width - ax);
      if ((one > margin && other > margin) || (one < -margin && other < -margin)) continue;
      if (count == mostNear) return mostNear + 1;
      const to = near + count * 40;
      store<f64>(to, ax);
      store<f64>(to, ay, 8);
      store<f64>(to, bx, 16);
      store<f64>(to, by, 24);
      store<u32>(to, load<u8>(partStarts + index), 32);
      count++;
    }
  }
  return count;
}

/**
 * Whether an edge between rounded corners touches a segment: `insideArea` if it crosses it wherever the corners lie
 * within their rounding, `outsideArea` if it touches it nowhere.
 */
function touch(ax: f64, ay: f64, bx: f64, by: f64, errorX: f64, errorY: f64, segment: usize): u32 {
  const cx = load<f64>(segment);
  const cy = load<f64>(segment, 8);
  const dx = load<f64>(segment, 16);
  const dy = load<f64>(segment, 24);
  if (min(ax, bx) - errorX > max(cx, dx) || max(ax, bx) + errorX < min(cx, dx)) return outsideArea;
  if (min(ay, by) - errorY > max(cy, dy) || max(ay, by) + errorY < min(cy, dy)) return outsideArea;
  const alongX = dx - cx;
  const alongY = dy - cy;
  const margin = abs(alongX) * errorY + abs(alongY) * errorX;
  const a = alongX * (ay - cy) - alongY * (ax - cx);
  const b = alongX * (by - cy) - alongY * (bx - cx);
  if ((a > margin && b > margin) || (a < -margin && b < -margin)) return outsideArea;
  const edgeX = bx - ax;
  const edgeY = by - ay;
  const own = abs(edgeX) * errorY + abs(edgeY) * errorX + 4 * errorX * errorY;
  const c = edgeX * (cy - ay) - edgeY * (cx - ax);
  const d = edgeX * (dy - ay) - edgeY * (dx - ax);
  const marginC = own + 2 * (abs(cy - ay) * errorX + abs(cx - ax) * errorY);
  const marginD = own + 2 * (abs(dy - ay) * errorX + abs(dx - ax) * errorY);
  if ((c > marginC && d > marginD) || (c < -marginC && d < -marginD)) return outsideArea;
  const crosses =
    ((a > margin && b < -margin) || (a < -margin && b > margin)) &&
    ((c > marginC && d < -marginD) || (c < -marginC && d > marginD));
  return crosses ? insideArea : inDoubt;
}

/** Whether an outline's rings touch the segments near it. */
function boundariesTouch(
  outline: usize,
  end: usize,
  stepX: f64,
  stepY: f64,
  near: usize,
  nearEnd: usize,
): u32 {
  // Half a step, and what rounding adds to it.
  const errorX = stepX * 0.5001 + rounding;
  const errorY = stepY * 0.5001 + rounding;
  let found = outsideArea;
  while (outline < end) {
    const corners: usize = load<u8>(outline++);
    const ringEnd = outline + corners * 2;
    let ax = (load<u8>(ringEnd - 2) as f64) * stepX;
    let ay = (load<u8>(ringEnd - 1) as f64) * stepY;
    for (; outline < ringEnd; outline += 2) {
      const bx = (load<u8>(outline) as f64) * stepX;
      const by = (load<u8>(outline, 1) as f64) * stepY;
      for (let segment = near; segment < nearEnd; segment += 40) {
        const touches = touch(ax, ay, bx, by, errorX, errorY, segment);
        if (touches == insideArea) return insideArea;
        found |= touches;
      }
      ax = bx;
      ay = by;
    }
  }
  return found;
}

export function decide(
  rowBoxes: usize,
  bits: usize,
  unsure: usize,
  words: u32,
  segments: usize,
  partStarts: usize,
  rings: u32,
  originY: f64,
  scaleY: f64,
  side: u32,
  starts: usize,
  lists: usize,
  outlineStarts: usize,
  outlines: usize,
  near: usize,
): void {
  const stride = (words as usize) << 8;
  for (let index: u32 = 0; index < words; index++) {
    const mark = unsure + ((index as usize) << 3);
    let doubted: u64 = 0;
    let kept: u64 = 0;
    const word = load<u64>(mark);
    if (word == 0) continue;
    for (let rest = word; rest != 0; rest &= rest - 1) {
      const bit = ctz(rest);
      const row = ((index as usize) << 6) + (bit as usize);
      const box = rowBoxes + (row << 2);
      const minX = load<f32>(box) as f64;
      const maxX = load<f32>(box + stride) as f64;
      const minY = load<f32>(box + 2 * stride) as f64;
      const maxY = load<f32>(box + 3 * stride) as f64;
      const found = segmentsNear(minX, maxX, minY, maxY, segments, partStarts, originY, scaleY, side, starts, lists, near);
      let place = inDoubt;
      if (found == 0) place = sideOfPoint(minX, minY, segments, rings, originY, scaleY, side, starts, lists);
      else if (found <= mostNear && outlines != 0) {
        const outline = outlines + load<u32>(outlineStarts + (row << 2));
        const end = outlines + load<u32>(outlineStarts + (row << 2), 4);
        const stepX = (maxX - minX) / 255;
        const stepY = (maxY - minY) / 255;
        const nearEnd = near + found * 40;
        if (outline < end) place = boundariesTouch(outline, end, stepX, stepY, near, nearEnd);
        // No boundary touches: each ring lies wholly on one side, and so does each part of the area.
        if (outline < end && place == outsideArea) {
          for (let segment = near; segment < nearEnd; segment += 40) if (load<u32>(segment, 32) != 0) place = inDoubt;
          for (let ring = outline; ring < end && place == outsideArea; ring += 1 + load<u8>(ring) * 2) {
            const x = minX + (load<u8>(ring, 1) as f64) * stepX;
            const y = minY + (load<u8>(ring, 2) as f64) * stepY;
            place = sideOfPoint(x, y, segments, rings, originY, scaleY, side, starts, lists);
          }
        }
      }
      if (place == insideArea) kept |= (1 as u64) << bit;
      else if (place == inDoubt) doubted |= (1 as u64) << bit;
    }
    store<u64>(mark, doubted);
    const at = bits + ((index as usize) << 3);
    store<u64>(at, load<u64>(at) | kept);
  }
}
