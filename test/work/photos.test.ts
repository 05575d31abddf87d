/** Photos: where they belong, what is kept of them, and what is refused. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkHome } from '../../engine/check.ts';
import type { Engine } from '../../engine/engine.ts';
import { readPhotoFacts } from '../../engine/photos/photo-exif.ts';
import { tellPhoto } from '../../engine/photos/photo-format.ts';
import { runRead } from '../../engine/reads/index.ts';
import { mostPhotoBytes } from '../../engine/spec/field-limits.ts';
import { type Changed, runChange } from '../../engine/work/index.ts';
import { gdalOrSkip } from '../support/gdal.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { exifBlock, makeHeic, makeJpeg, makePng } from '../support/make-photo.ts';
import { runs } from '../support/runs.ts';

const hasGdal = gdalOrSkip('photos with a place by GDAL');

const add = (engine: Engine, input: object): Promise<Changed> => runChange(engine, 'add_photo', input);

const given = (bytes: Buffer, name = 'pin.jpg') => ({ bytes: bytes.toString('base64'), name });

const photos = (engine: Engine) => (runRead(engine, 'field_marks', {}) as { photos: readonly object[] }).photos;

const kept = (engine: Engine): string[] => {
  const folder = path.join(engine.home, 'photos');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
};

const lot = (engine: Engine) =>
  engine.land.file.get(
    "SELECT property_id AS id, apn, point_lon AS lon, point_lat AS lat FROM parcels WHERE status = 'current' AND geom IS NOT NULL ORDER BY acres DESC LIMIT 1",
  ) as { id: number; apn: string; lon: number; lat: number };

const problemsOf = (engine: Engine) => checkHome(engine).find(({ name }) => name === 'photos are there');

test('a photo with a place goes to its parcel; the original is kept to the byte, for its user alone', async () => {
  const engine = engineOn(sampleHome());
  const { id, apn, lon, lat } = lot(engine);
  const original = makeJpeg({ place: [lon, lat], takenAt: '2026:11:25 14:05:30', status: 'A' });
  const file = path.join(emptyHome(), 'IMG 0001.JPG');
  fs.writeFileSync(file, original);
  const { data, undo } = await add(engine, { path: file });
  expect(data).toMatchObject({
    name: 'IMG 0001.JPG',
    media_type: 'image/jpeg',
    bytes: original.length,
    place_from: 'photo',
    property_id: id,
    apn,
    taken_at: '2026-11-25T14:05:30',
  });
  const { longitude, latitude } = data as { longitude: number; latitude: number };
  // A hundred thousandth of a second is 0.3 mm.
  expect([longitude - lon, latitude - lat].every((off) => Math.abs(off) < 1e-8)).toBe(true);
  expect(undo?.sentence).toBe(`Added the photo IMG 0001.JPG on ${apn}`);
  const [name = ''] = kept(engine);
  const target = path.join(engine.home, 'photos', name);
  expect(fs.readFileSync(target).equals(original)).toBe(true);
  expect([fs.statSync(target).mode & 0o777, fs.statSync(path.dirname(target)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(photos(engine)).toEqual([data]);
  expect(problemsOf(engine)).toEqual({ name: 'photos are there', ok: true, detail: '1 original' });
});

test('a photo without a place asks for a parcel or a place, and takes either', async () => {
  const engine = engineOn(sampleHome());
  const { id, apn, lon, lat } = lot(engine);
  const bare = given(makeJpeg());
  await expect(add(engine, bare)).rejects.toMatchObject({
    code: 'validation_error',
    details: { place: ['pin.jpg does not say where it was taken; expected property_id or a place'] },
  });
  expect([photos(engine), kept(engine)]).toEqual([[], []]);
  expect((await add(engine, { ...bare, property_id: id })).data).toMatchObject({
    apn,
    longitude: null,
    place_from: null,
  });
  expect((await add(engine, { ...bare, longitude: lon, latitude: lat })).data).toMatchObject({
    apn,
    place_from: 'given',
  });
  expect((await add(engine, { ...bare, longitude: 0, latitude: 0 })).data).toMatchObject({
    apn: null,
    property_id: null,
  });
  // The same bytes are kept once.
  expect(kept(engine)).toHaveLength(1);
  await expect(add(engine, { ...bare, longitude: 1 })).rejects.toThrow();
  await expect(add(engine, { ...bare, property_id: 99_999_999 })).rejects.toThrow();
});

test.each([
  ['no fix', makeJpeg({ place: [-72, 43], status: 'V' })],
  ['zeros', makeJpeg({ place: [0, 0] })],
  ['beyond the pole', makeJpeg({ place: [-72, 95] })],
  ['a PNG', makePng()],
])('%s is no place', (_name, bytes) => {
  const told = tellPhoto(bytes);
  if ('problem' in told) throw new Error(told.problem);
  expect(readPhotoFacts(bytes, told.kind).place).toBeNull();
});

test.skipIf(!hasGdal)('the place that GDAL writes into a photo is read, in the south and the east too', () => {
  const folder = emptyHome();
  for (const [lat, latRef, lon, lonRef, expected] of [
    ['(43) (10) (30.12)', 'N', '(72) (5) (12.34)', 'W', [-72 - 5 / 60 - 12.34 / 3600, 43 + 10 / 60 + 30.12 / 3600]],
    ['(33) (51.5) (0)', 'S', '(151) (12) (0)', 'E', [151.2, -33.858333333]],
  ] as const) {
    const file = path.join(folder, `${latRef}.jpg`);
    const blank = path.join(folder, 'blank.vrt');
    fs.writeFileSync(
      blank,
      '<VRTDataset rasterXSize="40" rasterYSize="30"><VRTRasterBand dataType="Byte" band="1"/></VRTDataset>',
    );
    const facts = {
      GPSLatitude: lat,
      GPSLatitudeRef: latRef,
      GPSLongitude: lon,
      GPSLongitudeRef: lonRef,
      DateTimeOriginal: '2026:11:25 14:05:30',
    };
    const options = Object.entries(facts).flatMap(([name, value]) => ['-mo', `EXIF_${name}=${value}`]);
    execFileSync('gdal_translate', ['-q', '-of', 'JPEG', ...options, blank, file]);
    const bytes = fs.readFileSync(file);
    expect(tellPhoto(bytes)).toEqual({ kind: 'jpeg' });
    const { place, takenAt } = readPhotoFacts(bytes, 'jpeg');
    expect(place?.longitude).toBeCloseTo(expected[0], 5);
    expect(place?.latitude).toBeCloseTo(expected[1], 5);
    expect(takenAt).toBe('2026-11-25T14:05:30');
  }
});

test('a HEIC is read too, even one with a box of length 0', () => {
  const bytes = makeHeic({ place: [-72.5, -43.25], takenAt: '2026:11:25 14:05:30' });
  expect(tellPhoto(bytes)).toEqual({ kind: 'heic' });
  const { place, takenAt } = readPhotoFacts(bytes, 'heic');
  expect(place).toEqual({ longitude: -72.5, latitude: -43.25 });
  expect(takenAt).toBe('2026-11-25T14:05:30');
});

test('damaged facts in a photo are no facts, whatever the bytes, and never an end of the program', () => {
  const block = exifBlock({ place: [-72, 43], takenAt: '2026:11:25 14:05:30' });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(block.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 }),
      (changes) => {
        const bytes = makeHeic({ place: [-72, 43], takenAt: '2026:11:25 14:05:30' });
        const at = bytes.indexOf('Exif');
        for (const [offset, value] of changes) bytes[at + offset] = value;
        const { place, takenAt } = readPhotoFacts(bytes, 'heic');
        if (place) expect(Math.abs(place.longitude) <= 180 && Math.abs(place.latitude) <= 90).toBe(true);
        if (takenAt !== null) expect(Number.isNaN(Date.parse(takenAt))).toBe(false);
      },
    ),
    { numRuns: runs(2_000, 20_000) },
  );
});

test('what is no photo, or an odd one, is refused by its name and leaves nothing', async () => {
  const engine = engineOn(sampleHome());
  const folder = emptyHome();
  const place = { longitude: -100, latitude: 40 };
  const good = makeJpeg();
  const odd: Record<string, Buffer> = {
    'empty.jpg': Buffer.alloc(0),
    'page.jpg': Buffer.from('<!doctype html><script>alert(1)</script>'),
    'drawing.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'cut-off.jpg': good.subarray(0, good.length - 2),
    'header.jpg': good.subarray(0, 10),
    'bomb.jpg': makeJpeg({ width: 65_000, height: 65_000 }),
    'bomb.png': makePng({ width: 2_000_000_000, height: 2_000_000_000 }),
    'claims.jpg': makeJpeg({ width: 14_000, height: 14_000, picture: 1000 }),
    'claims.png': makePng({ width: 14_000, height: 14_000 }),
    'flat.jpg': makeJpeg({ width: 0 }),
    'huge.jpg': Buffer.concat([good, Buffer.alloc(mostPhotoBytes)]),
  };
  for (const [name, bytes] of Object.entries(odd)) {
    const file = path.join(folder, name);
    fs.writeFileSync(file, bytes);
    await expect(add(engine, { path: file, ...place }), name).rejects.toThrow(name);
    await expect(add(engine, { ...given(bytes, name), ...place }), name).rejects.toThrow();
  }
  for (const wrong of [
    { path: 'pin.jpg' },
    { path: path.join(folder, 'missing.jpg') },
    { path: folder },
    { path: path.join(folder, 'flat.jpg'), ...given(good) },
    { bytes: good.toString('base64') },
    { name: 'pin.jpg' },
    { ...given(good), bytes: 'not base64!' },
    {},
  ])
    await expect(add(engine, { ...wrong, ...place }), JSON.stringify(wrong)).rejects.toMatchObject({
      code: 'validation_error',
    });
  // A name never leads anywhere: it is kept as text alone.
  const { data } = await add(engine, { ...given(good, '../../etc/passwd'), ...place });
  expect(data).toMatchObject({ name: 'passwd' });
  expect(kept(engine)).toHaveLength(1);
});

test('undo and redo of a photo leave its original where it is; it goes when nothing needs it any more', async () => {
  const engine = engineOn(sampleHome());
  const { data } = await add(engine, { ...given(makeJpeg()), property_id: 1 });
  const { photo_id: id } = data as { photo_id: number };
  await runChange(engine, 'undo', {});
  expect([photos(engine), kept(engine).length]).toEqual([[], 1]);
  await runChange(engine, 'redo', {});
  await runChange(engine, 'delete_photo', { photo_id: id });
  expect([photos(engine), kept(engine).length]).toEqual([[], 1]);
  await runChange(engine, 'undo', {});
  expect(photos(engine)).toEqual([data]);
  await runChange(engine, 'delete_photo', { photo_id: id });
  // The journal forgets after 200 changes.
  for (let change = 0; change < 200; change++)
    await runChange(engine, change % 2 === 0 ? 'star' : 'unstar', { ids: [5] });
  await add(engine, { ...given(makePng(), 'map.png'), property_id: 1 });
  expect(kept(engine).map((name) => path.extname(name))).toEqual(['.png']);
});

test('check names an original that is gone, and a file that belongs to no photo; a strange file is never removed', async () => {
  const engine = engineOn(sampleHome());
  await add(engine, { ...given(makeJpeg(), 'first.jpg'), property_id: 1 });
  const [name = ''] = kept(engine);
  const stranger = `${'0'.repeat(32)}.jpg`;
  fs.renameSync(path.join(engine.home, 'photos', name), path.join(engine.home, 'photos', stranger));
  const { ok, detail } = problemsOf(engine) ?? {};
  expect(ok).toBe(false);
  expect(detail).toContain('the original of photo 1 (first.jpg)');
  expect(detail).toContain(`photos/${stranger} belongs to no photo`);
  await add(engine, { ...given(makePng(), 'second.png'), property_id: 1 });
  expect(kept(engine)).toContain(stranger);
});
