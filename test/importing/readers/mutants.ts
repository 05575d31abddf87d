/** Ways to damage a file, by name. Each gives other bytes than the whole file's. */
import fs from 'node:fs';
import path from 'node:path';

export type Mutate = (bytes: Buffer) => Buffer;

const changed =
  (work: (bytes: Buffer) => void): Mutate =>
  (bytes) => {
    const copy = Buffer.from(bytes);
    work(copy);
    return copy;
  };

export const cutTo =
  (share: number): Mutate =>
  (bytes) =>
    bytes.subarray(0, Math.floor(bytes.length * share));
export const cutBy =
  (count: number): Mutate =>
  (bytes) =>
    bytes.subarray(0, bytes.length - count);
export const grownBy =
  (count: number): Mutate =>
  (bytes) =>
    Buffer.concat([bytes, Buffer.alloc(count, 0x41)]);
export const zeroed = (from: number, to: number): Mutate =>
  changed((bytes) => bytes.fill(0, Math.floor(bytes.length * from), Math.floor(bytes.length * to)));
export const flippedAt = (share: number, bit = 0x10): Mutate =>
  changed((bytes) => {
    const at = Math.floor((bytes.length - 1) * share);
    bytes[at] = (bytes[at] as number) ^ bit;
  });
export const int32At = (offset: number, value: number, isBig = false): Mutate =>
  changed((bytes) => (isBig ? bytes.writeInt32BE(value, offset) : bytes.writeInt32LE(value, offset)));
export const replaced =
  (from: string, to: string): Mutate =>
  (bytes) =>
    Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1');

/** A random number generator with a seed (mulberry32), so that a failure can be had again. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The file damaged in `folder`, under a name that says how. */
export function writeMutant(folder: string, whole: string, name: string, mutate: Mutate): string {
  const target = path.join(folder, `${name.replace(/[^\w.-]+/g, '_')}${path.extname(whole)}`);
  fs.writeFileSync(target, mutate(fs.readFileSync(whole)));
  return target;
}
