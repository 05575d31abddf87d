import { describe, expect, test } from 'vitest';
import { bytesWords, freeWords } from '../../engine/spec/bytes-words.ts';

describe('bytes in words', () => {
  test.each([
    [0, '0 kB', '0 kB'],
    [1, '1 kB', '0 kB'],
    [23_500, '24 kB', '23 kB'],
    [999_001, '1 MB', '999 kB'],
    [20_000_001, '21 MB', '20 MB'],
    [999_000_001, '1 GB', '999 MB'],
    [1_310_000_000, '1.4 GB', '1.3 GB'],
    [9_950_000_000, '10 GB', '9.9 GB'],
    [1_234_000_000_001, '1,235 GB', '1,234 GB'],
  ])('%d: a file takes %s, a disk has %s left', (bytes, file, disk) => {
    expect([bytesWords(bytes), freeWords(bytes)]).toEqual([file, disk]);
  });
});
