// Sets of codes. A set of bytes fits in two registers and is looked up 16 rows at a time by shuffling (the technique of
// W. Muła, "SIMD-ized check which bytes are in a set"); WebAssembly has no gather, so wider codes are looked up one by one.

// @ts-ignore: decorator
@inline
function inSet(codes: usize, lowHalf: v128, highHalf: v128): u64 {
  const code = v128.load(codes);
  const place = v128.and(i16x8.shr_u(code, 3), i8x16.splat(0x1f));
  const bit = i8x16.swizzle(
    i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128),
    v128.and(code, i8x16.splat(7)),
  );
  // an index outside a half, below it too, yields zero
  const entry = v128.or(i8x16.swizzle(lowHalf, place), i8x16.swizzle(highHalf, i8x16.sub(place, i8x16.splat(16))));
  return i8x16.bitmask(i8x16.eq(v128.and(entry, bit), bit)) as u64;
}

/** Half of the set of bytes, 128 codes, as bits. */
function packed(table: usize): v128 {
  let bits = i16x8.splat(0);
  bits = i16x8.replace_lane(bits, 0, nonZero(table) as i16);
  bits = i16x8.replace_lane(bits, 1, nonZero(table + 16) as i16);
  bits = i16x8.replace_lane(bits, 2, nonZero(table + 32) as i16);
  bits = i16x8.replace_lane(bits, 3, nonZero(table + 48) as i16);
  bits = i16x8.replace_lane(bits, 4, nonZero(table + 64) as i16);
  bits = i16x8.replace_lane(bits, 5, nonZero(table + 80) as i16);
  bits = i16x8.replace_lane(bits, 6, nonZero(table + 96) as i16);
  return i16x8.replace_lane(bits, 7, nonZero(table + 112) as i16);
}

// @ts-ignore: decorator
@inline
function nonZero(table: usize): i32 {
  return i8x16.bitmask(i8x16.ne(v128.load(table), i8x16.splat(0)));
}

export function member8(column: usize, bits: usize, words: u32, table: usize): void {
  const low = packed(table);
  const high = packed(table + 128);
  for (const end = bits + ((words as usize) << 3); bits < end; bits += 8, column += 64) {
    const word = load<u64>(bits);
    if (word == 0) continue;
    if (areEqual<u8>(column)) {
      if (load<u8>(entry<u8>(column, table, 0)) == 0) store<u64>(bits, 0);
      continue;
    }
    const hits =
      inSet(column, low, high) |
      (inSet(column + 16, low, high) << 16) |
      ((inSet(column + 32, low, high) << 32) | (inSet(column + 48, low, high) << 48));
    store<u64>(bits, word & hits);
  }
}

/** A row's entry in the table. */
// @ts-ignore: decorator
@inline
function entry<T>(codes: usize, table: usize, row: usize): usize {
  return table + (load<T>(codes + row * sizeof<T>()) as usize);
}

/** The entries of 16 rows, gathered into one register byte by byte: half the time of shifting bits together. */
// @ts-ignore: decorator
@inline
function sixteen<T>(codes: usize, table: usize): u64 {
  let found = i8x16.splat(0);
  found = v128.load_lane<u8>(entry<T>(codes, table, 0), found, 0);
  found = v128.load_lane<u8>(entry<T>(codes, table, 1), found, 1);
  found = v128.load_lane<u8>(entry<T>(codes, table, 2), found, 2);
  found = v128.load_lane<u8>(entry<T>(codes, table, 3), found, 3);
  found = v128.load_lane<u8>(entry<T>(codes, table, 4), found, 4);
  found = v128.load_lane<u8>(entry<T>(codes, table, 5), found, 5);
  found = v128.load_lane<u8>(entry<T>(codes, table, 6), found, 6);
  found = v128.load_lane<u8>(entry<T>(codes, table, 7), found, 7);
  found = v128.load_lane<u8>(entry<T>(codes, table, 8), found, 8);
  found = v128.load_lane<u8>(entry<T>(codes, table, 9), found, 9);
  found = v128.load_lane<u8>(entry<T>(codes, table, 10), found, 10);
  found = v128.load_lane<u8>(entry<T>(codes, table, 11), found, 11);
  found = v128.load_lane<u8>(entry<T>(codes, table, 12), found, 12);
  found = v128.load_lane<u8>(entry<T>(codes, table, 13), found, 13);
  found = v128.load_lane<u8>(entry<T>(codes, table, 14), found, 14);
  found = v128.load_lane<u8>(entry<T>(codes, table, 15), found, 15);
  return i8x16.bitmask(i8x16.ne(found, i8x16.splat(0))) as u64;
}

/** Whether all 64 codes are equal: neighbors often share their city, zoning or school district. */
// @ts-ignore: decorator
@inline
function areEqual<T>(codes: usize): bool {
  const code = load<T>(codes);
  if (load<T>(codes, 63 * sizeof<T>()) != code || load<T>(codes, 31 * sizeof<T>()) != code) return false;
  const first =
    sizeof<T>() == 1 ? i8x16.splat(code as i8) : sizeof<T>() == 2 ? i16x8.splat(code as i16) : i32x4.splat(code as i32);
  let difference = v128.xor(v128.load(codes), first);
  for (let at: usize = 16; at < 64 * sizeof<T>(); at += 16) {
    difference = v128.or(difference, v128.xor(v128.load(codes + at), first));
  }
  return !v128.any_true(difference);
}

/** Up to this many set rows of 64, testing each row alone is faster (measured: 18). */
// @ts-ignore: decorator
@inline
const sparseRows: u64 = 16;

// @ts-ignore: decorator
@inline
function keepMembers<T>(column: usize, bits: usize, words: u32, table: usize): void {
  for (const end = bits + ((words as usize) << 3); bits < end; bits += 8, column += 64 * sizeof<T>()) {
    const word = load<u64>(bits);
    if (word == 0) continue;
    let hits: u64 = 0;
    if (popcnt(word) <= sparseRows) {
      for (let rest = word; rest != 0; rest &= rest - 1) {
        const row = ctz(rest);
        hits |= ((load<u8>(entry<T>(column, table, row as usize)) != 0 ? 1 : 0) as u64) << row;
      }
    } else if (areEqual<T>(column)) {
      if (load<u8>(entry<T>(column, table, 0)) != 0) continue;
    } else {
      hits =
        sixteen<T>(column, table) |
        (sixteen<T>(column + 16 * sizeof<T>(), table) << 16) |
        ((sixteen<T>(column + 32 * sizeof<T>(), table) << 32) | (sixteen<T>(column + 48 * sizeof<T>(), table) << 48));
    }
    store<u64>(bits, word & hits);
  }
}

export function member16(column: usize, bits: usize, words: u32, table: usize): void {
  keepMembers<u16>(column, bits, words, table);
}

export function member32(column: usize, bits: usize, words: u32, table: usize): void {
  keepMembers<u32>(column, bits, words, table);
}

// @ts-ignore: decorator
@inline
function add(counts: usize, code: u32, rows: u32): void {
  const at = counts + ((code as usize) << 2);
  store<u32>(at, load<u32>(at) + rows);
}

// @ts-ignore: decorator
@inline
function addAll<T>(column: usize, bits: usize, words: u32, counts: usize): void {
  for (const end = bits + ((words as usize) << 3); bits < end; bits += 8, column += 64 * sizeof<T>()) {
    const word = load<u64>(bits);
    if (word == 0) continue;
    const rows = popcnt(word) as u32;
    if (rows > 8 && areEqual<T>(column)) {
      add(counts, load<T>(column) as u32, rows);
    } else if (rows == 64) {
      for (let at: usize = 0; at < 64 * sizeof<T>(); at += 4 * sizeof<T>()) {
        add(counts, load<T>(column + at) as u32, 1);
        add(counts, load<T>(column + at, sizeof<T>()) as u32, 1);
        add(counts, load<T>(column + at, 2 * sizeof<T>()) as u32, 1);
        add(counts, load<T>(column + at, 3 * sizeof<T>()) as u32, 1);
      }
    } else {
      for (let rest = word; rest != 0; rest &= rest - 1) {
        add(counts, load<T>(column + (ctz(rest) as usize) * sizeof<T>()) as u32, 1);
      }
    }
  }
}

export function histogram8(column: usize, bits: usize, words: u32, counts: usize): void {
  addAll<u8>(column, bits, words, counts);
}

export function histogram16(column: usize, bits: usize, words: u32, counts: usize): void {
  addAll<u16>(column, bits, words, counts);
}

export function histogram32(column: usize, bits: usize, words: u32, counts: usize): void {
  addAll<u32>(column, bits, words, counts);
}
