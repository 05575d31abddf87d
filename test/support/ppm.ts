/** Pictures as PPM, which needs no library; JPEGs of them by GDAL's programs. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue of each, row by row from the top. */
  readonly data: Buffer;
}

export function drawn(width: number, height: number, colorAt: (x: number, y: number) => readonly number[]): Pixels {
  const rows = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => [...colorAt(x, y)]));
  return { width, height, data: Buffer.from(rows.flat(2)) };
}

export const pixelAt = ({ width, data }: Pixels, x: number, y: number): readonly [number, number, number] => {
  const at = 3 * (y * width + x);
  return [data[at] as number, data[at + 1] as number, data[at + 2] as number];
};

/** @param file as pdftoppm and GDAL write it, without comments */
export function readPpm(file: string): Pixels {
  const bytes = fs.readFileSync(file);
  const [head = '', width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 60)) ?? [];
  return { width: Number(width), height: Number(height), data: bytes.subarray(head.length) };
}

function translated(folder: string, bytes: Buffer, from: string, to: string, options: readonly string[]): string {
  const [input, output] = [path.join(folder, `in.${from}`), path.join(folder, `out.${to}`)];
  fs.writeFileSync(input, bytes);
  fs.rmSync(output, { force: true });
  execFileSync('gdal_translate', ['-q', ...options, input, output], { stdio: ['ignore', 'ignore', 'ignore'] });
  return output;
}

/** @param options of gdal_translate, such as `-co PROGRESSIVE=ON` */
export function jpegOf(folder: string, { width, height, data }: Pixels, options: readonly string[] = []): Buffer {
  const ppm = Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), data]);
  return fs.readFileSync(translated(folder, ppm, 'ppm', 'jpg', ['-of', 'JPEG', ...options]));
}

export const pixelsOf = (folder: string, jpeg: Buffer): Pixels =>
  readPpm(translated(folder, jpeg, 'jpg', 'ppm', ['-of', 'PNM']));
