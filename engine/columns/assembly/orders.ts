// Pages of a sorted list. Eight entries at a time become a small mask without a branch, far cheaper than an
// unpredictable branch per entry.

/** Entries left to skip, and positions written. Globals, because `walkEntries` returns both. */
let toSkip: u32 = 0;
let written: u32 = 0;

// @ts-ignore: decorator
@inline
function bitOf(bits: usize, position: u32): u32 {
  return ((load<u8>(bits + (position >> 3)) as u32) >> (position & 7)) & 1;
}

// @ts-ignore: decorator
@inline
function eightBits(entries: usize, bits: usize): u32 {
  return (
    bitOf(bits, load<u32>(entries)) |
    (bitOf(bits, load<u32>(entries, 4)) << 1) |
    ((bitOf(bits, load<u32>(entries, 8)) << 2) | (bitOf(bits, load<u32>(entries, 12)) << 3)) |
    ((bitOf(bits, load<u32>(entries, 16)) << 4) |
      (bitOf(bits, load<u32>(entries, 20)) << 5) |
      ((bitOf(bits, load<u32>(entries, 24)) << 6) | (bitOf(bits, load<u32>(entries, 28)) << 7)))
  );
}

/** Writes the set entries of a mask, after those still to be skipped. */
// @ts-ignore: decorator
@inline
function take(mask: u32, entries: usize, limit: u32, out: usize): void {
  for (; mask != 0 && written < limit; mask &= mask - 1) {
    if (toSkip > 0) toSkip--;
    else {
      store<u32>(out + ((written as usize) << 2), load<u32>(entries + ((ctz(mask) as usize) << 2)));
      written++;
    }
  }
}

function walkEntries(order: usize, from: u32, to: u32, bits: usize, limit: u32, out: usize): void {
  let entries = order + ((from as usize) << 2);
  const end = order + ((to as usize) << 2);
  for (; end - entries >= 32 && written < limit; entries += 32) {
    const mask = eightBits(entries, bits);
    const here = popcnt(mask);
    if (here <= toSkip) toSkip -= here;
    else take(mask, entries, limit, out);
  }
  for (; entries < end && written < limit; entries += 4) take(bitOf(bits, load<u32>(entries)), entries, limit, out);
}

export function countOrdered(order: usize, from: u32, to: u32, bits: usize): u32 {
  if (from >= to) return 0;
  let entries = order + ((from as usize) << 2);
  const end = order + ((to as usize) << 2);
  let found: u32 = 0;
  for (; end - entries >= 32; entries += 32) found += popcnt(eightBits(entries, bits));
  for (; entries < end; entries += 4) found += bitOf(bits, load<u32>(entries));
  return found;
}

export function walk(order: usize, from: u32, to: u32, bits: usize, skip: u32, take: u32, out: usize): u32 {
  toSkip = skip;
  written = 0;
  if (from < to) walkEntries(order, from, to, bits, take, out);
  return written;
}

/** The set bits of `starts` in the word of entry `below` − 1 that belong to entries from … below − 1. */
// @ts-ignore: decorator
@inline
function startsIn(starts: usize, from: u32, below: u32): u64 {
  const word = (below - 1) >> 6;
  let found = load<u64>(starts + ((word as usize) << 3)) & (~(<u64>0) >> (63 - ((below - 1) & 63)));
  if (word == from >> 6) found &= ~(<u64>0) << (from & 63);
  return found;
}

/** The entry where the value of entry `below` − 1 begins. */
function beginOf(starts: usize, from: u32, below: u32): u32 {
  while (below > from) {
    const found = startsIn(starts, from, below);
    const word = ((below - 1) >> 6) << 6;
    if (found != 0) return word + 63 - (clz(found) as u32);
    if (word <= from) return from;
    below = word;
  }
  return from;
}

/**
 * Walks down in chunks that end where a value ends: the values that begin in one word of `starts`, counted together, so
 * that skipping many rows costs no more than upwards. Only the chunk that is taken from is walked value by value.
 */
export function walkDown(
  order: usize,
  starts: usize,
  from: u32,
  to: u32,
  bits: usize,
  skip: u32,
  take: u32,
  out: usize,
): u32 {
  toSkip = skip;
  written = 0;
  for (let end = to; end > from && written < take; ) {
    const found = startsIn(starts, from, end);
    const begin = found != 0 ? (((end - 1) >> 6) << 6) + (ctz(found) as u32) : beginOf(starts, from, end);
    const here = countOrdered(order, begin, end, bits);
    if (here <= toSkip) toSkip -= here;
    else {
      for (let last = end; last > begin && written < take; ) {
        const first = beginOf(starts, begin, last);
        walkEntries(order, first, last, bits, take, out);
        last = first;
      }
    }
    end = begin;
  }
  return written;
}
