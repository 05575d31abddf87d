/** Waypoints, photos and tracks in GPX and KML, read back by GDAL. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { findShelved } from '../../engine/exporting/export-shelf.ts';
import { runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { gdalOrSkip } from '../support/gdal.ts';
import { makeJpeg } from '../support/make-photo.ts';
import { platbook } from '../support/platbook.ts';
import { fixtureEngine, ogrFeatures, pointsOf, scratchFolder } from './export-home.ts';

const hasGdal = gdalOrSkip('field marks read by GDAL');

type Place = readonly [longitude: number, latitude: number];

const spot = (engine: Engine, id: number): Place => {
  const row = engine.land.file.get<{ lon: number; lat: number }>(
    'SELECT point_lon AS lon, point_lat AS lat FROM parcels WHERE property_id = ?',
    id,
  );
  if (!row) throw new Error(`there is no parcel ${id}`);
  return [row.lon, row.lat];
};

/** A waypoint and a photo on parcel 1, one of each far away, a photo without a place, a track of four points over parcel 1. */
async function walkedEngine() {
  const engine = fixtureEngine();
  const [longitude, latitude] = spot(engine, 1);
  await runChange(engine, 'add_waypoint', { longitude, latitude, name: 'Pin <1> & "oak"', note: 'under ñ leaves' });
  await runChange(engine, 'add_waypoint', { longitude: longitude + 3, latitude, name: 'far', accuracy_meters: 4 });
  const photo = (place: Place | undefined, name: string, more = {}) =>
    runChange(engine, 'add_photo', {
      name,
      bytes: makeJpeg({ place, takenAt: '2026:11:25 14:05:30' }).toString('base64'),
      ...more,
    });
  await photo([longitude, latitude], 'near.jpg');
  await photo([longitude + 3, latitude], 'far.jpg');
  await photo(undefined, 'bare.jpg', { property_id: 2 });
  const { data } = await runChange(engine, 'start_track', { name: 'North line' });
  const steps = [0, 0.0001, 0.0002, 0.0003];
  const track: readonly Place[] = steps.map((step) => [Number((longitude + step).toFixed(8)), latitude]);
  await runChange(engine, 'add_track_points', {
    track_id: (data as { track_id: number }).track_id,
    points: track.map(([lon, lat], at) => ({ longitude: lon, latitude: lat, at: `2026-11-25T14:00:0${at}.000Z` })),
  });
  return { engine, here: [longitude, latitude] as Place, track };
}

async function fileOf(engine: Engine, read: 'make_export' | 'make_field_export', input: object) {
  const made = (await runRead(engine, read, input as never)) as { id: string; notes: readonly string[] };
  return { made, file: findShelved(engine.home, made.id)?.path ?? '' };
}

const names = (file: string, layer: string) => ogrFeatures(file, layer).map(({ properties }) => properties.name);

test.runIf(hasGdal)('a GPX of parcels takes their outlines along, and the marks near them', async () => {
  const { engine, here, track } = await walkedEngine();
  const { made, file } = await fileOf(engine, 'make_export', {
    what: { ids: [1, 2] },
    format: 'gpx',
    outlines: true,
    field_marks: true,
  });
  expect(names(file, 'waypoints')).toEqual(['3-12', '000120', 'Pin <1> & "oak"', 'near.jpg']);
  const [, , pin, near] = ogrFeatures(file, 'waypoints');
  expect(pin?.geometry?.coordinates).toEqual(here.map((degrees) => expect.closeTo(degrees, 8)));
  expect(pin?.properties).toMatchObject({ desc: 'under ñ leaves; on 3-12', type: 'waypoint' });
  expect(near?.properties).toMatchObject({ desc: 'photo on 3-12 taken 2026-11-25 14:05:30', type: 'photo' });
  const [first, second, walked] = ogrFeatures(file, 'tracks');
  expect([first, second, walked].map((one) => [one?.properties.name, one?.properties.type])).toEqual([
    ['3-12', 'outline'],
    ['000120', 'outline'],
    ['North line', 'track'],
  ]);
  expect(pointsOf(walked?.geometry ?? null)).toEqual(pointsOf({ type: 'LineString', coordinates: track }));
  expect(ogrFeatures(file, 'track_points').map(({ properties }) => properties.time)).toHaveLength(5 + 5 + 4);
  expect(made.notes).toEqual(['1 of 2 photos have no place, only a parcel, and are left out.']);
});

test.runIf(hasGdal)('the outline in a GPX is that of the parcel, corner by corner', async () => {
  const { engine } = await walkedEngine();
  const { file } = await fileOf(engine, 'make_export', { what: { ids: [1] }, format: 'gpx', outlines: true });
  const [outline] = ogrFeatures(file, 'tracks');
  const shapes = await fileOf(engine, 'make_export', { what: { ids: [1] }, format: 'geojson', title: 'lots' });
  const [parcel] = ogrFeatures(shapes.file, 'lots');
  expect(pointsOf(outline?.geometry ?? null)).toEqual(pointsOf(parcel?.geometry ?? null));
  expect(names(file, 'waypoints')).toEqual(['3-12']);
});

test.runIf(hasGdal)('a KML has the marks in folders of their own, and the parcels as before', async () => {
  const { engine, track } = await walkedEngine();
  const { file } = await fileOf(engine, 'make_export', {
    what: { ids: [1, 2] },
    format: 'kml',
    title: 'Two lots',
    field_marks: true,
  });
  const names = (layer: string) => ogrFeatures(file, layer).map(({ properties }) => properties.Name ?? properties.name);
  expect(names('Two lots')).toEqual(['3-12', '000120']);
  expect(names('Waypoints')).toEqual(['Pin <1> & "oak"']);
  expect(names('Photos')).toEqual(['near.jpg']);
  expect(names('Tracks')).toEqual(['North line']);
  expect(pointsOf(ogrFeatures(file, 'Tracks')[0]?.geometry ?? null)).toEqual(
    pointsOf({ type: 'LineString', coordinates: track }),
  );
});

test.runIf(hasGdal)('field notes hold every mark, and the outlines of the parcels they lie on', async () => {
  const { engine } = await walkedEngine();
  const { made, file } = await fileOf(engine, 'make_field_export', { format: 'gpx' });
  expect(made).toMatchObject({ name: 'field notes.gpx', waypoints: 2, tracks: 1, photos: 3, parcels: 2 });
  expect(names(file, 'waypoints')).toEqual(['3-12', '000120', 'Pin <1> & "oak"', 'far', 'near.jpg', 'far.jpg']);
  expect(names(file, 'tracks')).toEqual(['3-12', '000120', 'North line']);
  // 4 m are 13.1 ft.
  expect(ogrFeatures(file, 'waypoints')[3]?.properties.desc).toBe('GPS ±14 ft');
  expect(fs.readFileSync(file, 'utf8')).toContain('<desc>Boundaries are approximate, not a survey.</desc>');
  const near = await fileOf(engine, 'make_field_export', { format: 'gpx', box: [-72.3, 43, -72, 44] });
  expect(near.made).toMatchObject({ waypoints: 1, tracks: 1, photos: 2 });
  const none = await fileOf(engine, 'make_field_export', { format: 'kml', box: [10, 10, 11, 11] });
  expect(none.made).toMatchObject({ waypoints: 0, tracks: 0, photos: 0, parcels: 0 });
});

test('formats that cannot hold marks or outlines refuse them before anything is written', async () => {
  const { engine } = await walkedEngine();
  const ask = async (more: object) => runRead(engine, 'make_export', { what: { ids: [1] }, ...more });
  await expect(ask({ format: 'csv', field_marks: true })).rejects.toMatchObject({
    details: { field_marks: ['expected one of kml, gpx as format, found csv'] },
  });
  await expect(ask({ format: 'kml', outlines: true })).rejects.toMatchObject({ code: 'validation_error' });
  await expect(async () => runRead(engine, 'make_field_export', { format: 'xlsx' })).rejects.toThrow();
});

test.runIf(hasGdal)('the command writes field notes, and marks beside parcels', async () => {
  const { engine } = await walkedEngine();
  await runChange(engine, 'make_list', { name: 'Two', of: { ids: [1, 2] } });
  engine.close();
  const folder = scratchFolder();
  const run = (...given: string[]) => platbook(engine.home, ...given);
  const notes = path.join(folder, 'notes.kml');
  const told = await run('field-notes', notes, '--json');
  expect(JSON.parse(told.out)).toMatchObject({ waypoints: 2, tracks: 1, photos: 3, parcels: 2, format: 'kml' });
  const lots = path.join(folder, 'lots.gpx');
  expect((await run('export', lots, '--list', 'Two', '--outlines', '--field-marks')).code).toBe(0);
  expect(names(lots, 'tracks')).toEqual(['3-12', '000120', 'North line']);
  expect((await run('field-notes', path.join(folder, 'notes.csv'))).code).toBeGreaterThan(0);
});
