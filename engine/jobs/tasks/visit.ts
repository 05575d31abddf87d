/** The code of the task that prints a visit: photos are made as large as they are printed, a few at a time. */
import fs from 'node:fs';
import path from 'node:path';
import { strippedJpeg } from '../../exporting/jpeg.ts';
import { writePdf } from '../../exporting/write-pdf.ts';
import { temporaryFolder } from '../../importing/formats/zip/zip-archive.ts';
import { readPhotoFacts } from '../../photos/photo-exif.ts';
import { photoFilePath } from '../../photos/photo-files.ts';
import { tellPhoto } from '../../photos/photo-format.ts';
import { smallPhoto } from '../../photos/small-photo.ts';
import type { DrawnPhoto } from '../../sheet/visit-photo.ts';
import { writeVisitReport } from '../../sheet/visit-report.ts';
import { type Code, type LandTools, onLand } from './on-land.ts';

/** A photo no larger goes in as it is. */
const [mostPixels, mostBytes] = [1400, 220_000];
/** Pixels of a printed photo: 500 dots an inch in a short report, 330 in a long one. */
const [sharp, plain, mostSharp] = [1200, 800, 30];
const quality = 74;

export const code: Code<'visit_report'> = {
  visit_report: onLand(async ({ to, report }, tools) => {
    const folder = temporaryFolder();
    try {
      const photos = await drawable(
        report.photos.map(({ file }) => file),
        folder,
        tools,
      );
      return await writePdf(to, (put) =>
        writeVisitReport(tools.land, report, (at) => photos[at] as DrawnPhoto, { put, madeAt: tools.now() }),
      );
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }),
};

/** Only sizes and paths stay in memory. */
async function drawable(
  names: readonly string[],
  folder: string,
  { home, progress, onStep }: LandTools,
): Promise<DrawnPhoto[]> {
  const side = names.length <= mostSharp ? sharp : plain;
  const found: DrawnPhoto[] = [];
  for (const [at, name] of names.entries()) {
    onStep();
    progress({ phase: 'reading photos', rows: at, total: names.length, rows_per_second: 0 });
    const seen = look(home, name);
    found.push('large' in seen ? await shrunk(seen.large, path.join(folder, `${at}.jpg`), side) : seen);
  }
  return found;
}

const problem = (words: string): DrawnPhoto => ({ problem: words });
const damaged = problem('The picture cannot be drawn: it is damaged, or of a rare kind.');

/** A photo to draw, or the path of one that is larger than it is printed, or no JPEG. */
function look(home: string, name: string): DrawnPhoto | { readonly large: string } {
  const file = photoFilePath(home, name);
  if (!file) return problem('The original is gone from the home; a backup may hold it.');
  const bytes = fs.readFileSync(file);
  const told = tellPhoto(bytes);
  if ('problem' in told) return damaged;
  if (told.kind === 'heic')
    return problem('HEIC: save it as JPEG and add it again. On an iPhone: Settings, Camera, Formats, Most Compatible.');
  if (told.kind === 'png') return { large: file };
  const { orientation } = readPhotoFacts(bytes, 'jpeg');
  const jpeg = strippedJpeg(bytes);
  if (!jpeg) return damaged;
  const { width, height, channels } = jpeg;
  if (jpeg.bytes.length <= mostBytes && Math.max(width, height) <= mostPixels)
    return {
      width,
      height,
      channels,
      orientation,
      bytes: () => strippedJpeg(fs.readFileSync(file))?.bytes ?? new Uint8Array(),
    };
  return { large: file };
}

async function shrunk(file: string, to: string, side: number): Promise<DrawnPhoto> {
  const small = await smallPhoto(file, { side, quality });
  if (!small) return damaged;
  fs.writeFileSync(to, small.bytes, { mode: 0o600 });
  return { ...small, bytes: () => fs.readFileSync(to) };
}
