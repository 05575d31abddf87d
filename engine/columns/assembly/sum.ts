/** Sums 32-bit integers, wrapping; `bytes` is a multiple of 64. */
export function sum(at: usize, bytes: u32): u32 {
  let a = i32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (let end = at + (bytes as usize); at < end; at += 64) {
    a = i32x4.add(a, v128.load(at));
    b = i32x4.add(b, v128.load(at, 16));
    c = i32x4.add(c, v128.load(at, 32));
    d = i32x4.add(d, v128.load(at, 48));
  }
  a = i32x4.add(i32x4.add(a, b), i32x4.add(c, d));
  return i32x4.extract_lane(a, 0) + i32x4.extract_lane(a, 1) + i32x4.extract_lane(a, 2) + i32x4.extract_lane(a, 3);
}
