// Words of a column: those that hold a part, and the rows of words.
import { setPositions } from './bitmaps';

export function holding(
  bytes: usize,
  starts: usize,
  places: usize,
  words: usize,
  from: u32,
  to: u32,
  part: usize,
  length: u32,
  offset: u32,
  out: usize,
): u32 {
  let found: u32 = 0;
  let latest: u32 = 0xffffffff;
  for (let place = (from as usize) << 2; place < (to as usize) << 2; place += 4) {
    const word = load<u32>(words + place);
    const start = starts + ((word as usize) << 2);
    // Where the part would begin, and end before the word's last byte, its separator.
    const at = load<u32>(places + place);
    if (word == latest || at < load<u32>(start) + offset || at - offset + length >= load<u32>(start, 4)) continue;
    const first = bytes + ((at - offset) as usize);
    let same: u32 = 0;
    while (same < length && load<u8>(first + same) == load<u8>(part + same)) same++;
    if (same < length) continue;
    store<u32>(out + ((found as usize) << 2), word);
    latest = word;
    found++;
  }
  return found;
}

export function setPostings(bits: usize, postings: usize, starts: usize, words: usize, count: u32): void {
  for (const end = words + ((count as usize) << 2); words < end; words += 4) {
    const start = starts + ((load<u32>(words) as usize) << 2);
    const from = load<u32>(start);
    setPositions(bits, postings + ((from as usize) << 2), load<u32>(start, 4) - from);
  }
}
