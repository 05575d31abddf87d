/** Photos that are kept in the home: copies that the user asked for, and JPGs and PNGs, which cannot be read in parts. */
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { EngineError } from '../spec/errors.ts';
import { imageryFolder } from '../store/imagery-store.ts';
import { keptName } from './imagery-rows.ts';
import { mostSide } from './photo.ts';

/** libvips packs a picture of this size in half a minute. */
const mostPixels = 1_000_000_000;

const folderIn = (home: string): string => {
  const folder = path.join(home, imageryFolder);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
};

/** @param fingerprint names it, so that a photo is kept once. @returns its name in the folder */
export async function keepPicture(home: string, filePath: string, fingerprint: string): Promise<string> {
  const picture = sharp(filePath, { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'error' });
  const name = `${keptName(fingerprint)}.tif`;
  await kept(home, name, async (temporary) => {
    const { width = 0, height = 0, hasAlpha, channels = 3 } = await picture.metadata();
    if (width * height > mostPixels || Math.max(width, height) > mostSide) throw tooLarge(filePath, width, height);
    const tiled = { tile: true, tileWidth: 512, tileHeight: 512, pyramid: true, bigtiff: true } as const;
    const colors = channels === 4 && !hasAlpha ? picture.toColourspace('srgb') : picture;
    await colors
      .tiff({
        ...tiled,
        ...(hasAlpha ? { compression: 'deflate', predictor: 'horizontal' } : { compression: 'jpeg', quality: 92 }),
      })
      .toFile(temporary);
  });
  return name;
}

/** @returns the name of the copy in the folder */
export async function keepCopy(home: string, filePath: string, fingerprint: string): Promise<string> {
  const name = `${keptName(fingerprint)}${path.extname(filePath).toLowerCase()}`;
  await kept(home, name, (temporary) => fs.promises.copyFile(filePath, temporary));
  for (const ending of ['.ovr', '.msk'])
    if (fs.existsSync(filePath + ending))
      await kept(home, name + ending, (temporary) => fs.promises.copyFile(filePath + ending, temporary));
  return name;
}

/** Whole or not at all. */
async function kept(home: string, name: string, write: (temporary: string) => Promise<unknown>): Promise<void> {
  const folder = folderIn(home);
  const target = path.join(folder, name);
  if (fs.existsSync(target)) return;
  const temporary = path.join(folder, `.${name}.${process.pid}.part`);
  try {
    await write(temporary);
    fs.chmodSync(temporary, 0o600);
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT' || /no space left/i.test(message))
      throw new EngineError('disk_full', 'The disk is full: the photo was not kept.', { cause: error });
    throw error instanceof EngineError
      ? error
      : new EngineError('import_refused', `${name}: the photo is damaged (${message.split('\n')[0]}).`, {
          cause: error,
        });
  }
}

const tooLarge = (filePath: string, width: number, height: number): EngineError =>
  new EngineError(
    'import_refused',
    `${filePath}: expected a JPG or PNG of at most ${mostPixels.toLocaleString('en-US')} pixels, found ${width} by ${height}. Make a GeoTIFF of it (gdal_translate).`,
  );
