/**
 * Makes photos small, in a thread: pixels alone pass. The picture is decoded into plain pixels, turned upright, and encoded as
 * a new JPEG, so that nothing of what a camera or a program wrote beside it can come along.
 */
import { parentPort } from 'node:worker_threads';
import type { PhotoAnswer, PhotoQuestion, SmallPhoto } from './small-photo.ts';
import { type Gdal, openWith, startGdal } from './start-gdal.ts';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Bytes of a pixel: 1 or 3. */
  readonly depth: number;
  readonly bytes: Uint8Array;
}

const drivers = { jpeg: 'JPEG', png: 'PNG' } as const;

/** @param optionsOf gives the options, by columns, rows and bands. @returns where the result lies */
async function translate(
  gdal: Gdal,
  from: string,
  driver: string,
  to: string,
  optionsOf: (columns: number, rows: number, bands: number) => string[],
): Promise<string> {
  const dataset = openWith(gdal, from, driver, 'raster');
  if (!dataset) throw new Error('it cannot be decoded');
  const told = (name: string) => gdal.Module.ccall(name, 'number', ['number'], [dataset.pointer]);
  try {
    const options = optionsOf(told('GDALGetRasterXSize'), told('GDALGetRasterYSize'), told('GDALGetRasterCount'));
    return (await gdal.gdal_translate(dataset, options, to)).local;
  } finally {
    await gdal.close(dataset);
  }
}

/** `P6 640 480 255` and the pixels (Netpbm, with comments). */
function readPixels(file: Uint8Array): Pixels {
  const head = Buffer.from(file.subarray(0, 512)).toString('latin1');
  const match = /^P([56])\s(?:#.*\n)*(\d+)\s+(\d+)\s+255\s/.exec(head);
  if (!match) throw new Error('expected eight bits a color');
  const [all, kind, width, height] = match as unknown as [string, string, string, string];
  const depth = kind === '6' ? 3 : 1;
  return { width: Number(width), height: Number(height), depth, bytes: file.subarray(all.length) };
}

/** Turned and mirrored as the camera was held (EXIF 2.32, tag 274). */
function upright({ width, height, depth, bytes }: Pixels, orientation: number): Pixels {
  const isTurned = orientation >= 5;
  const [wide, high] = isTurned ? [height, width] : [width, height];
  const turned = new Uint8Array(wide * high * depth);
  const fromRight = [2, 3, 7, 8].includes(orientation);
  const fromBelow = [3, 4, 6, 7].includes(orientation);
  for (let at = 0; at < wide * high; at++) {
    const [x, y] = [at % wide, Math.floor(at / wide)];
    const [u, v] = isTurned ? [y, x] : [x, y];
    const from = ((fromBelow ? height - 1 - v : v) * width + (fromRight ? width - 1 - u : u)) * depth;
    turned.set(bytes.subarray(from, from + depth), at * depth);
  }
  return { width: wide, height: high, depth, bytes: turned };
}

/** Without transparency. */
const bandsOf = (bands: number): string[] => (bands >= 3 ? ['1', '2', '3'] : ['1']).flatMap((band) => ['-b', band]);

/** By the header: colors of a table, or of 16 bits. */
function pngColors(bytes: Uint8Array, bands: number): string[] {
  const [bits, type] = bytes.subarray(24, 26);
  if (type === 3) return ['-expand', 'rgb'];
  return [...bandsOf(bands), ...(bits === 16 ? ['-scale', '0', '65535', '0', '255'] : [])];
}

async function shrink(gdal: Gdal, { bytes, kind, orientation, side, quality }: PhotoQuestion): Promise<SmallPhoto> {
  const { FS } = gdal.Module;
  const places = [`/photo.${kind}`, '/plain.ppm'];
  const [source = '', plain = ''] = places;
  try {
    FS.writeFile(source, bytes);
    const pixels = await translate(gdal, source, drivers[kind], 'pixels', (columns, rows, bands) => {
      const scale = Math.min(1, side / Math.max(columns, rows));
      const size = [columns, rows].map((length) => String(Math.max(1, Math.round(length * scale))));
      const colors = kind === 'png' ? pngColors(bytes, bands) : bandsOf(bands);
      return ['-of', 'PNM', '-ot', 'Byte', ...colors, '-outsize', ...size, '-r', 'average'];
    });
    places.push(pixels);
    const { width, height, depth, bytes: turned } = upright(readPixels(FS.readFile(pixels)), orientation);
    FS.writeFile(plain, Buffer.concat([Buffer.from(`P${depth === 3 ? 6 : 5}\n${width} ${height}\n255\n`), turned]));
    const jpeg = await translate(gdal, plain, 'PNM', 'small', () => ['-of', 'JPEG', '-co', `QUALITY=${quality}`]);
    places.push(jpeg);
    return { bytes: FS.readFile(jpeg), width, height };
  } finally {
    for (const place of places) if (FS.analyzePath(place).exists) FS.unlink(place);
  }
}

const gdal = startGdal({ GDAL_PAM_ENABLED: 'NO' });
parentPort?.on('message', (question: PhotoQuestion) => {
  const answer = async (): Promise<PhotoAnswer> => {
    try {
      return await shrink(await gdal, question);
    } catch (error) {
      return {
        problem: error instanceof Error ? error.message : String((error as { message?: string })?.message ?? error),
      };
    }
  };
  void answer().then((told) => parentPort?.postMessage(told));
});
