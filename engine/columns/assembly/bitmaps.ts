// fillRows, clear and copy are the system's memset and memmove: see ../county-memory.ts.

export function and(to: usize, from: usize, words: u32): void {
  const end = to + ((words as usize) << 3);
  for (; end - to >= 32; to += 32, from += 32) {
    v128.store(to, v128.and(v128.load(to), v128.load(from)));
    v128.store(to, v128.and(v128.load(to, 16), v128.load(from, 16)), 16);
  }
  for (; to < end; to += 8, from += 8) store<u64>(to, load<u64>(to) & load<u64>(from));
}

export function andNot(to: usize, from: usize, words: u32): void {
  const end = to + ((words as usize) << 3);
  for (; end - to >= 32; to += 32, from += 32) {
    v128.store(to, v128.andnot(v128.load(to), v128.load(from)));
    v128.store(to, v128.andnot(v128.load(to, 16), v128.load(from, 16)), 16);
  }
  for (; to < end; to += 8, from += 8) store<u64>(to, load<u64>(to) & ~load<u64>(from));
}

export function or(to: usize, from: usize, words: u32): void {
  const end = to + ((words as usize) << 3);
  for (; end - to >= 32; to += 32, from += 32) {
    v128.store(to, v128.or(v128.load(to), v128.load(from)));
    v128.store(to, v128.or(v128.load(to, 16), v128.load(from, 16)), 16);
  }
  for (; to < end; to += 8, from += 8) store<u64>(to, load<u64>(to) | load<u64>(from));
}

export function count(bits: usize, words: u32): u32 {
  const end = bits + ((words as usize) << 3);
  let total: u64 = 0;
  for (; end - bits >= 32; bits += 32) {
    total +=
      popcnt(load<u64>(bits)) + popcnt(load<u64>(bits, 8)) + (popcnt(load<u64>(bits, 16)) + popcnt(load<u64>(bits, 24)));
  }
  for (; bits < end; bits += 8) total += popcnt(load<u64>(bits));
  return total as u32;
}

export function countAnd(a: usize, b: usize, words: u32): u32 {
  const end = a + ((words as usize) << 3);
  let total: u64 = 0;
  for (; end - a >= 32; a += 32, b += 32) {
    total +=
      popcnt(load<u64>(a) & load<u64>(b)) +
      popcnt(load<u64>(a, 8) & load<u64>(b, 8)) +
      (popcnt(load<u64>(a, 16) & load<u64>(b, 16)) + popcnt(load<u64>(a, 24) & load<u64>(b, 24)));
  }
  for (; a < end; a += 8, b += 8) total += popcnt(load<u64>(a) & load<u64>(b));
  return total as u32;
}

export function select(bits: usize, words: u32, skip: u32, take: u32, out: usize): u32 {
  let written: u32 = 0;
  for (let word: u32 = 0; word < words && written < take; word++) {
    let rest = load<u64>(bits + ((word as usize) << 3));
    const here = popcnt(rest) as u32;
    if (here <= skip) {
      skip -= here;
      continue;
    }
    for (; skip > 0; skip--) rest &= rest - 1;
    for (; rest != 0 && written < take; rest &= rest - 1) {
      store<u32>(out + ((written as usize) << 2), (word << 6) + (ctz(rest) as u32));
      written++;
    }
  }
  return written;
}

export function setPositions(bits: usize, positions: usize, count: u32): void {
  for (const end = positions + ((count as usize) << 2); positions < end; positions += 4) {
    const position = load<u32>(positions);
    const at = bits + ((position >> 6) << 3);
    store<u64>(at, load<u64>(at) | (<u64>1 << (position & 63)));
  }
}

export function clearPositions(bits: usize, positions: usize, count: u32): void {
  for (const end = positions + ((count as usize) << 2); positions < end; positions += 4) {
    const position = load<u32>(positions);
    const at = bits + ((position >> 6) << 3);
    store<u64>(at, load<u64>(at) & ~(<u64>1 << (position & 63)));
  }
}
