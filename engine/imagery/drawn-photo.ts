/** A photo as tiles are drawn from it: the file's own levels where it is there, and the halved ones that are made. */
import type { SqliteFile } from '../store/sqlite.ts';
import { storedLevel } from './blocks.ts';
import { framedLevel } from './frame.ts';
import { type ImageryFile, isThere, readPath } from './imagery-rows.ts';
import { type OpenPhoto, openPhoto } from './open-photo.ts';
import type { PhotoLevel } from './photo.ts';
import { PhotoGround } from './photo-ground.ts';
import type { Pixels } from './pixels.ts';
import { levelCount, sizeOf, stepsOf } from './pyramid-steps.ts';

export interface DrawnLevel extends PhotoLevel {
  /** Pixels of the photo in one of the level. */
  readonly scale: readonly [across: number, down: number];
  readonly isStriped: boolean;
  /** Unique in the process. */
  readonly key: string;
}

export class DrawnPhoto {
  readonly row: ImageryFile;
  readonly ground: PhotoGround;
  /** Finest first. */
  readonly levels: readonly DrawnLevel[];
  readonly #photo: OpenPhoto | null;

  constructor(home: string, file: SqliteFile, row: ImageryFile) {
    this.row = row;
    this.ground = new PhotoGround(row.place, row.width, row.height, row.path);
    this.#photo = openIfThere(home, row);
    const levels = [...this.#own(), ...stored(file, row)].map((level) => ({
      ...level,
      scale: [row.width / level.width, row.height / level.height] as const,
    }));
    // Of two of one size the stored one is faster.
    const bySize = new Map(levels.map((level) => [level.width, level]));
    this.levels = [...bySize.values()].sort((one, other) => other.width - one.width);
  }

  #own(): Omit<DrawnLevel, 'scale'>[] {
    const { file_id: id, fingerprint, frame } = this.row;
    const isStriped = this.#photo?.finest.layout.isStriped ?? false;
    return (this.#photo?.levels ?? []).map((level, at) => ({
      ...framedLevel(level, frame),
      ...{ isStriped, key: `${id}/${fingerprint}/own${at}` },
    }));
  }

  close(): void {
    this.#photo?.close();
  }
}

function openIfThere(home: string, row: ImageryFile): OpenPhoto | null {
  if (!isThere(home, row)) return null;
  const photo = openPhoto(readPath(home, row));
  if (row.stretch) photo.stretch(row.stretch);
  return photo;
}

/** The levels of which all rows are made. */
function stored(file: SqliteFile, row: ImageryFile): Omit<DrawnLevel, 'scale'>[] {
  const base = { width: row.base_width, height: row.base_height };
  const missing = new Set<number>();
  let at = 0;
  for (const { level } of stepsOf(base, row.first_level)) if (at++ >= row.done) missing.add(level);
  const count = levelCount(base);
  return Array.from({ length: count + 1 }, (_, level) => level)
    .filter((level) => level >= row.first_level && !missing.has(level))
    .map((level) => ({
      ...storedLevel(file, row.file_id, level, sizeOf(base, level)),
      ...{ isStriped: false, key: `${row.file_id}/${row.fingerprint}/kept${level}` },
    }));
}

const mostBytes = 96 * 1024 * 1024;

/** The latest blocks, unpacked. */
export class BlockCache {
  readonly #blocks = new Map<string, Pixels | null>();
  #bytes = 0;

  readonly reader =
    (level: DrawnLevel) =>
    async (column: number, row: number): Promise<Pixels | null> => {
      const key = `${level.key}/${column}/${row}`;
      const known = this.#blocks.get(key);
      if (known !== undefined) {
        this.#blocks.delete(key);
        this.#blocks.set(key, known);
        return known;
      }
      const pixels = await level.read(column, row);
      this.#blocks.set(key, pixels);
      this.#bytes += pixels?.data.length ?? 0;
      for (const [old, block] of this.#blocks) {
        if (this.#bytes <= mostBytes || old === key) break;
        this.#blocks.delete(old);
        this.#bytes -= block?.data.length ?? 0;
      }
      return pixels;
    };
}
