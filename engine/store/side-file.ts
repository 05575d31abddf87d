/** A derived file beside the land file, opened once it is there; another program may remove or replace it. */
import fs from 'node:fs';
import type { SqliteFile } from './sqlite.ts';

export class SideFile {
  readonly #pathIn: (home: string) => string;
  readonly #open: (home: string) => SqliteFile;
  #file: SqliteFile | null = null;
  /** The number of the file, by which a replaced one is known. */
  #node: number | null = null;

  constructor(pathIn: (home: string) => string, open: (home: string) => SqliteFile) {
    this.#pathIn = pathIn;
    this.#open = open;
  }

  /** Null without. @throws EngineError file_damaged and others */
  in(home: string): SqliteFile | null {
    const found = fs.statSync(this.#pathIn(home), { throwIfNoEntry: false })?.ino ?? null;
    if (this.#file !== null && found !== this.#node) this.close();
    if (this.#file === null && found !== null) this.#file = this.#open(home);
    this.#node = found;
    return this.#file;
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }
}
