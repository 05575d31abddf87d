/** JPEGs in a PDF: turned as the camera says, their bytes not decoded, without what the camera wrote into them. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { strippedJpeg } from '../../engine/exporting/jpeg.ts';
import { LabelFont } from '../../engine/exporting/label-font.ts';
import { pdfInMemory } from '../../engine/exporting/pdf-file.ts';
import { PdfPage } from '../../engine/exporting/pdf-page.ts';
import { gdalOrSkip } from '../support/gdal.ts';
import { emptyHome } from '../support/homes.ts';
import { makeJpeg } from '../support/make-photo.ts';
import { drawn, jpegOf, pixelAt, pixelsOf, readPpm } from '../support/ppm.ts';
import { requireOrSkip } from '../support/require.ts';

const hasGdal = gdalOrSkip('JPEGs in PDFs');
const canDraw = requireOrSkip(
  'JPEGs in PDFs',
  spawnSync('pdftoppm', ['-v']).error === undefined,
  'pdftoppm is missing',
);

/** Where a pixel of the stored picture lies in the upright one of 80 × 120 (EXIF 2.32, 4.6.4 A): what the reader has to take back. */
const upright: Readonly<Record<number, (x: number, y: number) => readonly [number, number]>> = {
  1: (x, y) => [x, y],
  2: (x, y) => [79 - x, y],
  3: (x, y) => [79 - x, 119 - y],
  4: (x, y) => [x, 119 - y],
  // Row 0 is the left side; column 0 is the top.
  5: (x, y) => [y, x],
  // Row 0 is the right side.
  6: (x, y) => [79 - y, x],
  // Row 0 is the right side; column 0 is the bottom.
  7: (x, y) => [79 - y, 119 - x],
  8: (x, y) => [y, 119 - x],
};

const picture = drawn(64, 48, (x, y) => [x * 3, y * 5, 90]);

const colorOf = (x: number, y: number): readonly number[] =>
  x < 20 && y < 20 ? [250, 0, 0] : x >= 60 && y >= 60 ? [0, 0, 250] : [220, 220, 220];

test.skipIf(!(hasGdal && canDraw))('a photo stands upright in the PDF in each of the eight orientations', () => {
  const folder = emptyHome();
  const page = new PdfPage(LabelFont.load(), [680, 140]);
  for (const [name, placeOf] of Object.entries(upright)) {
    const orientation = Number(name);
    const [width, height] = orientation < 5 ? [80, 120] : [120, 80];
    const jpeg = strippedJpeg(
      jpegOf(
        folder,
        drawn(width, height, (x, y) => colorOf(...placeOf(x, y))),
      ),
    );
    if (!jpeg) throw new Error('no JPEG');
    const picture = { ...jpeg, bytes: () => jpeg.bytes, orientation };
    page.picture(picture, { x: (orientation - 1) * 85, y: 10, width: 80, height: 120 });
  }
  const { file, bytes } = pdfInMemory();
  page.addTo(file, LabelFont.load().embed(file));
  file.finish({ title: 'Turns', madeAt: new Date(0) });
  const target = path.join(folder, 'turns.pdf');
  fs.writeFileSync(target, bytes());
  expect(spawnSync('pdftoppm', ['-r', '72', '-singlefile', target, target], { encoding: 'utf8' }).stderr).toBe('');
  const seen = readPpm(`${target}.ppm`);
  const nameAt = (x: number, y: number): string => {
    const [red, , blue] = pixelAt(seen, x, y);
    return red > 200 && blue < 60 ? 'red' : blue > 200 && red < 60 ? 'blue' : 'gray';
  };
  for (let at = 0; at < 8; at++) {
    const names = [nameAt(at * 85 + 8, 18), nameAt(at * 85 + 70, 110), nameAt(at * 85 + 70, 18)];
    expect([at + 1, ...names]).toEqual([at + 1, 'red', 'blue', 'gray']);
  }
});

test.skipIf(!hasGdal)(
  'what a camera wrote stays out, also a comment and a second picture behind the end; the picture is the same',
  () => {
    const folder = emptyHome();
    for (const progressive of [false, true]) {
      const plain = jpegOf(folder, picture, progressive ? ['-co', 'PROGRESSIVE=ON'] : []);
      const secret = 'Quimby 603-555-0142';
      const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, secret.length + 2]), Buffer.from(secret)]);
      const exif = makeJpeg({ place: [-72, 43], takenAt: '2026:11:25 14:05:30' }).subarray(2, 300);
      const length = exif.readUInt16BE(2) + 2;
      const marked = Buffer.concat([plain.subarray(0, 2), exif.subarray(0, length), comment, plain.subarray(2)]);
      const jpeg = strippedJpeg(Buffer.concat([marked, makeJpeg({ takenAt: '2026:11:25 14:05:30' })]));
      expect(jpeg).toMatchObject({ width: 64, height: 48, channels: 3 });
      const left = Buffer.from(jpeg?.bytes ?? []);
      expect(['Exif', '2026', '603'].filter((word) => left.includes(word))).toEqual([]);
      expect(pixelsOf(folder, left)).toEqual(pixelsOf(folder, plain));
    }
  },
);

test.skipIf(!hasGdal)('a JPEG that is cut off or damaged is none, and never an end of the program', () => {
  const whole = jpegOf(emptyHome(), picture);
  for (let length = 0; length < whole.length; length++) expect(strippedJpeg(whole.subarray(0, length))).toBeNull();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        const jpeg = strippedJpeg(bytes);
        if (jpeg) expect(jpeg.bytes.length).toBeLessThanOrEqual(bytes.length);
      },
    ),
    { numRuns: 2_000 },
  );
});
