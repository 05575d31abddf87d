// code − low ≤ span, unsigned, tests an interval in one comparison (Hacker's Delight, 2nd edition, 4-1). 64 comparisons
// make one word: 16- and 32-bit results are narrowed to bytes first, because one bitmask of 16 bytes costs as much as
// one of four lanes.

/** Also keeps code 0: only where [low, high] cannot be widened to hold it. */
// @ts-ignore: decorator
@inline
const withZero = true;

// @ts-ignore: decorator
@inline
function bytes(codes: usize, low: v128, span: v128, zero: bool): v128 {
  const code = v128.load(codes);
  const within = i8x16.le_u(i8x16.sub(code, low), span);
  return zero ? v128.or(within, i8x16.eq(code, i8x16.splat(0))) : within;
}

// @ts-ignore: decorator
@inline
function shorts(codes: usize, low: v128, span: v128, zero: bool): v128 {
  const code = v128.load(codes);
  const within = i16x8.le_u(i16x8.sub(code, low), span);
  return zero ? v128.or(within, i16x8.eq(code, i16x8.splat(0))) : within;
}

// @ts-ignore: decorator
@inline
function longs(codes: usize, low: v128, span: v128, zero: bool): v128 {
  const code = v128.load(codes);
  const within = i32x4.le_u(i32x4.sub(code, low), span);
  return zero ? v128.or(within, i32x4.eq(code, i32x4.splat(0))) : within;
}

/** The results of 16 rows as bytes. */
// @ts-ignore: decorator
@inline
function sixteen<T>(codes: usize, low: v128, span: v128, zero: bool): u64 {
  if (sizeof<T>() == 1) return i8x16.bitmask(bytes(codes, low, span, zero)) as u64;
  if (sizeof<T>() == 2) {
    return i8x16.bitmask(
      i8x16.narrow_i16x8_s(shorts(codes, low, span, zero), shorts(codes + 16, low, span, zero)),
    ) as u64;
  }
  return i8x16.bitmask(
    i8x16.narrow_i16x8_s(
      i16x8.narrow_i32x4_s(longs(codes, low, span, zero), longs(codes + 16, low, span, zero)),
      i16x8.narrow_i32x4_s(longs(codes + 32, low, span, zero), longs(codes + 48, low, span, zero)),
    ),
  ) as u64;
}

// @ts-ignore: decorator
@inline
function splat<T>(value: u32): v128 {
  return sizeof<T>() == 1 ? i8x16.splat(value as i8) : sizeof<T>() == 2 ? i16x8.splat(value as i16) : i32x4.splat(value);
}

// @ts-ignore: decorator
@inline
function keep<T>(column: usize, bits: usize, words: u32, low: u32, span: u32, flip: u64, zero: bool): void {
  const lows = splat<T>(low);
  const spans = splat<T>(span);
  for (const end = bits + ((words as usize) << 3); bits < end; bits += 8, column += 64 * sizeof<T>()) {
    const word = load<u64>(bits);
    if (word == 0) continue;
    const hits =
      sixteen<T>(column, lows, spans, zero) |
      (sixteen<T>(column + 16 * sizeof<T>(), lows, spans, zero) << 16) |
      ((sixteen<T>(column + 32 * sizeof<T>(), lows, spans, zero) << 32) |
        (sixteen<T>(column + 48 * sizeof<T>(), lows, spans, zero) << 48));
    store<u64>(bits, word & (hits ^ flip));
  }
}

/**
 * Uses one interval wherever widening it can include code 0: downwards from 1, around the end of the width, or by
 * excluding 0 from what `negate` removes. An interval that wraps around the end is still one comparison.
 */
// @ts-ignore: decorator
@inline
function range<T>(column: usize, bits: usize, words: u32, low: u32, high: u32, passUnknown: bool, negate: bool): void {
  const max: u32 = sizeof<T>() == 4 ? u32.MAX_VALUE : sizeof<T>() == 2 ? 0xffff : 0xff;
  if (high > max) high = max;
  if (low > high) {
    if (negate) return;
    if (!passUnknown) return memory.fill(bits, 0, (words as usize) << 3);
    low = 0;
    high = 0;
  } else if (passUnknown) {
    if (negate) {
      if (low == 0) {
        if (high == 0) return;
        low = 1;
      }
    } else if (low == 1) low = 0;
    else if (low > 1 && high == max) high = 0;
    else if (low > 1) return keep<T>(column, bits, words, low, high - low, 0, withZero);
  }
  keep<T>(column, bits, words, low, high - low, negate ? ~(<u64>0) : 0, !withZero);
}

export function range8(
  column: usize,
  bits: usize,
  words: u32,
  low: u32,
  high: u32,
  passUnknown: u32,
  negate: u32,
): void {
  range<u8>(column, bits, words, low, high, passUnknown != 0, negate != 0);
}

export function range16(
  column: usize,
  bits: usize,
  words: u32,
  low: u32,
  high: u32,
  passUnknown: u32,
  negate: u32,
): void {
  range<u16>(column, bits, words, low, high, passUnknown != 0, negate != 0);
}

export function range32(
  column: usize,
  bits: usize,
  words: u32,
  low: u32,
  high: u32,
  passUnknown: u32,
  negate: u32,
): void {
  range<u32>(column, bits, words, low, high, passUnknown != 0, negate != 0);
}
