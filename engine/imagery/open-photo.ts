/** Opens a photo of one's own: its levels with their masks, its place, and the words for what is not read. */
import fs from 'node:fs';
import path from 'node:path';
import { lookAtFile, readHead } from '../importing/formats/bytes/byte-window.ts';
import { TiffDirectories } from '../importing/formats/tiff/tiff-directory.ts';
import { EngineError } from '../spec/errors.ts';
import { maskedLevel } from './masked-level.ts';
import type { PhotoLevel, Stretch } from './photo.ts';
import { TiffImage } from './tiff-image.ts';
import { translateCommand } from './tiff-layout.ts';

export interface OpenPhoto {
  readonly width: number;
  readonly height: number;
  /** Finest first, each with its width as a share of the photo's. */
  readonly levels: readonly PhotoLevel[];
  readonly finest: TiffImage;
  readonly tiff: TiffDirectories;
  /** `YYYY-MM-DD`, if its own tag says it. */
  readonly date: string | null;
  /** How values of 16 bit are drawn; for all levels. */
  stretch(stretch: Stretch): void;
  close(): void;
}

export type PhotoKind = 'tiff' | 'picture' | 'tiles';

const refusedKinds: readonly (readonly [name: string, is: (head: Buffer, ending: string) => boolean])[] = [
  [
    'JPEG 2000',
    (head, ending) =>
      head.toString('latin1', 4, 8) === 'jP  ' || head.readUInt32BE(0) === 0xff4fff51 || ending === '.jp2',
  ],
  ['MrSID', (head, ending) => head.toString('latin1', 0, 4) === 'msid' || ending === '.sid'],
  ['ECW', (_head, ending) => ending === '.ecw'],
];

/** @throws EngineError import_refused for other files, by name */
export function photoKind(filePath: string): PhotoKind {
  const start = readHead(filePath, 16);
  const head = Buffer.concat([start, Buffer.alloc(16 - start.length)]);
  const ending = path.extname(filePath).toLowerCase();
  if (['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].includes(head.toString('latin1', 0, 4))) return 'tiff';
  if (head.readUIntBE(0, 3) === 0xffd8ff || head.readUInt32BE(0) === 0x89504e47) return 'picture';
  if (ending === '.mbtiles' || ending === '.pmtiles') return 'tiles';
  const kind = refusedKinds.find(([, is]) => is(head, ending))?.[0];
  const advice =
    kind === 'MrSID' || kind === 'ECW'
      ? `The county often has the same photo as GeoTIFF; where GDAL reads ${kind}, write it again: ${translateCommand(filePath)}`
      : `Write it again: ${translateCommand(filePath)}`;
  throw new EngineError(
    'import_refused',
    kind === undefined
      ? `${filePath}: expected a photo (GeoTIFF, or JPG or PNG with a world file) or tiles (MBTiles, PMTiles), found something else. ${advice}`
      : `${filePath}: Platbook does not read ${kind}. ${advice}`,
  );
}

/** One band of signed or broken numbers. */
export function isHeights(filePath: string): boolean {
  const tiff = new TiffDirectories(filePath);
  try {
    const [tags] = tiff.all;
    const [bits, samples, format] = [258, 277, 339].map((tag) => tags?.number(tag, 1) ?? 1) as [number, number, number];
    return samples === 1 && bits >= 16 && (format !== 1 || bits > 16);
  } finally {
    tiff.close();
  }
}

const dateTag = 306;

/** @throws EngineError import_refused, file_missing */
export function openPhoto(filePath: string): OpenPhoto {
  lookAtFile(filePath);
  const opened: TiffDirectories[] = [];
  const open = (each: string): TiffDirectories => {
    const tiff = new TiffDirectories(each);
    opened.push(tiff);
    return tiff;
  };
  const close = () => {
    for (const tiff of opened.splice(0)) tiff.close();
  };
  try {
    const tiff = open(filePath);
    const [tags] = tiff.all;
    if (tags === undefined) throw tiff.damaged('it has no directory');
    const images = imagesOf(tiff);
    const [finest] = images;
    if (finest === undefined || finest.layout.isMask) throw tiff.damaged('its first directory is no photo');
    const others = [`${filePath}.ovr`, `${filePath}.msk`].map((each) => (isFile(each) ? imagesOf(open(each)) : []));
    const [outer = [], outerMasks = []] = others;
    const all = [...images, ...outer];
    const masks = [...all.filter(({ layout }) => layout.isMask), ...outerMasks];
    const levels = all
      .filter((image, at) => !image.layout.isMask && (at === 0 || isCopyOf(image, finest)))
      .sort((one, other) => other.width - one.width)
      .filter((image, at, sorted) => at === 0 || image.width < (sorted[at - 1] as TiffImage).width);
    return {
      ...{ width: finest.width, height: finest.height, finest, tiff, close },
      levels: levels.map((image) =>
        maskedLevel(
          image,
          masks.find((mask) => mask.width === image.width && mask.height === image.height),
        ),
      ),
      date: dateIn(tags.text(dateTag)),
      stretch: (stretch) => {
        for (const image of levels) image.stretch(stretch);
      },
    };
  } catch (error) {
    close();
    throw error instanceof EngineError
      ? error
      : new EngineError(
          'import_refused',
          `${filePath}: the TIFF is damaged (${(error as Error).message}). Download it again.`,
          { cause: error },
        );
  }
}

const imagesOf = (tiff: TiffDirectories): TiffImage[] => tiff.all.map((tags) => new TiffImage(tiff, tags));

/** A smaller copy has the photo's shape and bands; other pictures in the file are pages. */
const isCopyOf = ({ width, height, layout }: TiffImage, finest: TiffImage): boolean =>
  width < finest.width &&
  layout.samples === finest.layout.samples &&
  layout.bits === finest.layout.bits &&
  Math.abs(width / finest.width - height / finest.height) < 2 / Math.min(width, height);

function isFile(filePath: string): boolean {
  return fs.statSync(filePath, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** `2024:05:18 …` of the tag, or eight digits in a name, as NAIP has them. */
export function dateIn(text: string): string | null {
  const [, year, month, day] =
    /(?<!\d)((?:19|20)\d\d)[:-]?(0[1-9]|1[0-2])[:-]?(0[1-9]|[12]\d|3[01])(?!\d)/.exec(text) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}
