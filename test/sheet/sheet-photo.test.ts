/** Photos on paper: the tiles stand in the file as they are, under black lines between white edges. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { PDFDict, PDFDocument, PDFName, type PDFRawStream } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { findShelved } from '../../engine/exporting/export-shelf.ts';
import { runRead } from '../../engine/reads/index.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { mapSources } from '../../engine/tiles/map-sources.ts';
import { gdalOrSkip } from '../support/gdal.ts';
import { copyOfHome, emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { writePhotoBase } from '../support/photo-base.ts';
import { requireOrSkip } from '../support/require.ts';
import { readPage } from './pdf-reading.ts';

const available =
  gdalOrSkip('tiles of a photo') &&
  requireOrSkip('poppler', fs.existsSync('/usr/bin/pdftoppm'), 'it draws the sheet (poppler-utils)');
const view = { longitude: -71.82, latitude: 44.1, scale: 6000 };

function photographed() {
  const home = copyOfHome(sampleHome());
  const { longitude, latitude } = view;
  writePhotoBase(
    home,
    'alder',
    [longitude - 0.02, latitude - 0.015, longitude + 0.02, latitude + 0.015],
    'summer',
    1024,
  );
  return engineOn(home);
}

async function picturesOf(pdf: Uint8Array) {
  const document = await PDFDocument.load(pdf);
  const pictures = document.getPage(0).node.Resources()?.lookup(PDFName.of('XObject'), PDFDict);
  return (pictures?.keys() ?? []).map((key) => pictures?.lookup(key) as PDFRawStream);
}

describe.runIf(available)('a sheet over a photo', () => {
  test('has the tiles of the file unchanged, black lines on white edges, and no fill', async () => {
    const engine = photographed();
    const { pdf, notes } = await engine.mapSheet({ ...view, photo: 'base-alder', layers: [] });
    expect(pdf.length).toBeLessThan(3_000_000);
    const pictures = await picturesOf(pdf);
    expect(pictures.length).toBeGreaterThan(0);
    for (const { dict } of pictures) expect(dict.lookup(PDFName.of('Filter'))).toBe(PDFName.of('DCTDecode'));
    const zoom = mapSources(engine.home, engine.land).bases[0]?.maxzoom as number;
    const tile = await getTile(engine, 'base-alder', zoom, ...tileOf(view.longitude, view.latitude, zoom));
    expect(pictures.some(({ contents }) => Buffer.from(contents).equals(tile ?? Buffer.alloc(1)))).toBe(true);
    const { paths, layers } = await readPage(pdf);
    expect(layers).toContain('Photo');
    expect(layers).not.toContain('Matches');
    expect(paths.filter(({ stroke }) => stroke === '0 0 0').length).toBeGreaterThan(0);
    expect(notes.join(' ')).not.toContain('photo');
    // Drawn by another program: the photo is there, lightened, under the whole frame.
    const folder = emptyHome();
    fs.writeFileSync(path.join(folder, 'sheet.pdf'), pdf);
    execFileSync('pdftoppm', ['-r', '36', path.join(folder, 'sheet.pdf'), path.join(folder, 'sheet')]);
    const drawn = fs.readFileSync(
      path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith('.ppm')) ?? ''),
    );
    const pixels = drawn.subarray(drawn.length - 306 * 396 * 3);
    // In the middle of the page two thirds of the pixels are green, brown or blue, not the paper's open ground.
    let colored = 0;
    for (let row = 100; row < 250; row++)
      for (let column = 60; column < 240; column++) {
        const [red = 0, green = 0, blue = 0] = pixels.subarray((row * 306 + column) * 3, (row * 306 + column) * 3 + 3);
        if (Math.max(red, green, blue) < 225) colored++;
      }
    expect(colored / (150 * 180)).toBeGreaterThan(0.66);
  });

  test('of one parcel has it too, with its source', async () => {
    const engine = photographed();
    const id = engine.land.file.get<{ id: number }>(
      `SELECT property_id AS id FROM parcels WHERE status = 'current' AND geom IS NOT NULL
       ORDER BY abs(point_lon - ?) + abs(point_lat - ?) LIMIT 1`,
      ...[view.longitude, view.latitude],
    )?.id as number;
    const { id: file } = (await runRead(engine, 'parcel_sheet', { id, photo: 'base-alder' })) as { id: string };
    const pdf = fs.readFileSync(findShelved(engine.home, file)?.path ?? '');
    expect((await picturesOf(pdf)).length).toBeGreaterThan(0);
    expect((await readPage(pdf)).layers).toContain('Photo');
  });

  test('names the photos of the home where it has none of the name', async () => {
    const engine = photographed();
    await expect(engine.mapSheet({ ...view, photo: 'base-other' })).rejects.toThrow(/there are base-alder/);
    const far = await engine.mapSheet({ ...view, longitude: -71.7, latitude: 44.12, photo: 'base-alder' });
    expect(far.notes.join(' ')).toContain('shows nothing of this page');
    expect(await picturesOf(far.pdf)).toEqual([]);
  });
});

/** Column and row of a place in the Web Mercator grid. */
function tileOf(longitude: number, latitude: number, zoom: number): [number, number] {
  const radians = (latitude * Math.PI) / 180;
  const share = (1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2;
  return [Math.floor(((longitude + 180) / 360) * 2 ** zoom), Math.floor(share * 2 ** zoom)];
}
