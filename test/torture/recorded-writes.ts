/**
 * What a program wrote, as strace saw it, and what a disk may hold of it after a power cut: everything up to the last sync
 * of a file, and of what came later any part, torn at sectors. A name is as uncertain until its folder is synced.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { createRandom } from '../sample-maker/random.ts';

type Random = ReturnType<typeof createRandom>;

export type DiskEvent =
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly length: number }
  | { readonly kind: 'sync' | 'create' | 'remove'; readonly file: string }
  /** Whatever was printed by then. */
  | { readonly kind: 'printed'; readonly text: string };

const sectorBytes = 512;
const calls = 'openat,write,pwrite64,fsync,fdatasync,ftruncate,unlink';

export const hasStrace = (): boolean => spawnSync('strace', ['-o', os.devNull, '--', 'true']).status === 0;

const bytesOf = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex');
const textOf = (text: string): string => bytesOf(text).toString();

/**
 * Runs Node with these arguments to its end.
 * @param folder empty; left to the caller to remove
 * @returns the events of its main thread, where all of SQLite runs
 */
export function recordWrites(folder: string, ...args: string[]): DiskEvent[] {
  const trace = path.join(folder, 'trace');
  // Bytes as hexadecimal digits, longer than any page, and paths behind descriptors.
  const options = ['-ff', '--seccomp-bpf', '-o', trace, '-y', '-xx', '-s', '100000', '-e', `trace=${calls}`];
  execFileSync('strace', [...options, '--', process.execPath, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  // A file for each thread; that of the main one is the longest by far.
  const [main = ''] = fs
    .readdirSync(folder)
    .map((name) => path.join(folder, name))
    .sort((a, b) => fs.statSync(b).size - fs.statSync(a).size);
  return fs.readFileSync(main, 'latin1').split('\n').flatMap(eventOf);
}

/** A line as `name(descriptor<path>, "bytes", …) = result`, every text in hexadecimal digits. */
function eventOf(line: string): DiskEvent[] {
  const call = line.slice(0, line.indexOf('('));
  const texts = line.split('"').map((part, at) => (at % 2 === 1 ? part : ''));
  const name = textOf(texts[1] ?? '');
  const file = textOf(line.slice(line.indexOf('<') + 1, line.indexOf('>')));
  const last = Number(/(\d+)\) += \d+$/.exec(line.slice(-60))?.[1]);
  if (/ = -1 /.test(line.slice(-80))) return [];
  switch (call) {
    case 'openat':
      return line.includes('O_CREAT') ? [{ kind: 'create', file: name }] : [];
    case 'unlink':
      return [{ kind: 'remove', file: name }];
    case 'fsync':
    case 'fdatasync':
      return [{ kind: 'sync', file }];
    case 'ftruncate':
      return [{ kind: 'truncate', file, length: last }];
    case 'pwrite64':
      return [{ kind: 'write', file, at: last, bytes: bytesOf(texts[1] ?? '') }];
    default:
      return line.startsWith('write(1<') ? [{ kind: 'printed', text: name }] : [];
  }
}

type Change = Extract<DiskEvent, { kind: 'write' | 'truncate' }>;

/** Bytes of a file, which grow in place. */
class Image {
  #bytes: Buffer;
  #length: number;

  constructor(bytes: Buffer) {
    this.#bytes = Buffer.from(bytes);
    this.#length = bytes.length;
  }

  get content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @param isLanded asked for each sector of a write, and for a truncation */
  apply(change: Change, isLanded: () => boolean): void {
    if (change.kind === 'truncate') {
      if (isLanded()) this.#resize(change.length);
      return;
    }
    const { at, bytes } = change;
    for (let from = 0, to = 0; from < bytes.length; from = to) {
      to = Math.min(bytes.length, from + sectorBytes - ((at + from) % sectorBytes));
      if (!isLanded()) continue;
      if (this.#length < at + to) this.#resize(at + to);
      bytes.copy(this.#bytes, at + from, from, to);
    }
  }

  /** What a file grows by is zeros. */
  #resize(length: number): void {
    if (length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * length);
    this.#bytes.fill(0, Math.min(length, this.#length), Math.max(length, this.#length));
    this.#length = length;
  }
}

interface FileState {
  /** Synced. */
  readonly kept: Image;
  pending: Change[];
  /** Whether the name is there, for programs, and on the disk. */
  isThere: boolean;
  isNamed: boolean;
}

/** What the disk certainly holds, event by event. */
export class DiskModel {
  readonly #folder: string;
  readonly #files = new Map<string, FileState>();
  /** All that was printed so far. */
  printed = '';

  /** @param before a copy of the folder from before the first event; `names` are the files that are followed */
  constructor(folder: string, before: string, names: readonly string[]) {
    this.#folder = folder;
    for (const name of names) {
      const file = path.join(before, name);
      const isThere = fs.existsSync(file);
      const kept = new Image(isThere ? fs.readFileSync(file) : Buffer.alloc(0));
      this.#files.set(path.join(folder, name), { kept, pending: [], isThere, isNamed: isThere });
    }
  }

  take(event: DiskEvent): void {
    if (event.kind === 'printed') {
      this.printed += event.text;
      return;
    }
    if (event.kind === 'sync' && event.file === this.#folder) {
      for (const state of this.#files.values()) state.isNamed = state.isThere;
    }
    const state = this.#files.get(event.file);
    if (!state) return;
    if (event.kind === 'write' || event.kind === 'truncate') state.pending.push(event);
    else if (event.kind === 'sync') {
      for (const change of state.pending) state.kept.apply(change, () => true);
      state.pending = [];
    } else state.isThere = event.kind === 'create';
  }

  /** Writes into `folder` what a power cut now may leave: each change whole, missing or torn, by chance. */
  cut(folder: string, random: Random): void {
    for (const [file, { kept, pending, isThere, isNamed }] of this.#files) {
      const to = path.join(folder, path.basename(file));
      fs.rmSync(to, { force: true });
      if (!(random.next() < 0.5 ? isThere : isNamed)) continue;
      const left = new Image(kept.content);
      for (const change of pending) {
        const luck = random.next();
        left.apply(change, () => (luck < 0.7 ? luck < 0.4 : random.next() < 0.5));
      }
      fs.writeFileSync(to, left.content);
    }
  }
}
