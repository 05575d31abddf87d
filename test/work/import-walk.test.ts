/** Walks of other apps come into the field notes once, with their parcels; a file of Platbook's comes back equal. */
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { findShelved } from '../../engine/exporting/export-shelf.ts';
import { marksForFile } from '../../engine/query/field-marks.ts';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { mostWaypoints } from '../../engine/spec/field-limits.ts';
import { type ChangeOutputOf, runChange } from '../../engine/work/index.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { makeJpeg } from '../support/make-photo.ts';
import { platbook } from '../support/platbook.ts';
import { runs } from '../support/runs.ts';

type Outcome = ChangeOutputOf<'import_field_notes'>;

const bring = async (engine: Engine, ...files: { name: string; text: string | Buffer }[]): Promise<Outcome> =>
  (
    await runChange(engine, 'import_field_notes', {
      files: files.map(({ name, text }) => ({ name, bytes: Buffer.from(text).toString('base64') })),
    })
  ).data as Outcome;

const gpx = (body: string) => ({ name: 'walk.gpx', text: `<gpx version="1.1" creator="x">${body}</gpx>` });

const lot = (engine: Engine, order = 'DESC') =>
  engine.land.file.get<{ id: number; apn: string; lon: number; lat: number }>(
    `SELECT property_id AS id, apn, point_lon AS lon, point_lat AS lat FROM parcels WHERE status = 'current' AND geom IS NOT NULL AND acres > 1 ORDER BY acres ${order} LIMIT 1`,
  ) as { id: number; apn: string; lon: number; lat: number };

/** All that a file can hold of the field notes. */
const notesOf = (engine: Engine) => {
  const { waypoints, tracks } = marksForFile(engine, {});
  return {
    waypoints: waypoints.map(({ waypoint_id: _id, property_id: _parcel, apn: _apn, ...one }) => one),
    tracks: tracks.map(({ segments, ...one }) => ({
      ...one,
      segments: segments.map((points) => points.map((at) => ({ ...at, segment: undefined }))),
    })),
  };
};

test('a walk comes in with names, notes, times, elevations, symbols, segments and its parcels', async () => {
  const engine = engineOn(sampleHome(), { now: () => new Date('2026-11-29T10:00:00Z') });
  const { id, apn, lon, lat } = lot(engine);
  const found = await bring(
    engine,
    gpx(
      `<wpt lat="${lat}" lon="${lon}"><ele>31.255</ele><time>2026-11-25T14:02:11Z</time><name>Pin</name><desc>iron</desc><sym>Flag</sym><extensions><c>red</c></extensions></wpt><wpt lat="0" lon="0"/>
       <trk><name>North</name><trkseg><trkpt lat="${lat}" lon="${lon}"><time>2026-11-25T14:00:00Z</time></trkpt><trkpt lat="${lat}" lon="${lon + 0.00001}"><time>2026-11-25T14:00:00Z</time></trkpt></trkseg><trkseg><trkpt lat="0" lon="1"/></trkseg></trk>`,
    ),
  );
  expect(found).toMatchObject({ waypoints: 2, tracks: 1, points: 3, already: 0, parcel_count: 1, left_out: [] });
  expect(found.parcels).toEqual([{ property_id: id, apn, waypoints: 1, tracks: 1 }]);
  expect(found.box).toEqual([lon, 0, 1, lat].map((degree) => expect.closeTo(degree, 8)));
  const { waypoints, tracks } = runRead(engine, 'field_marks', {}) as ReadOutputOf<'field_marks'>;
  expect(waypoints).toMatchObject([
    {
      name: 'Pin',
      note: 'iron',
      elevation_m: 31.26,
      symbol: 'Flag',
      extras: 'c: red',
      made_at: '2026-11-25T14:02:11.000Z',
      property_id: id,
    },
    // The file says no time: it was kept now.
    { name: 'Waypoint 2', made_at: '2026-11-29T10:00:00.000Z', property_id: null },
  ]);
  // Points of the same second are kept, and the gap between segments is no way that was walked.
  expect(tracks).toMatchObject([{ name: 'North', points: 3, feet: 3, ended_at: '2026-11-25T14:00:00.000Z' }]);
});

test('twice imported is once, two equal marks of one file are two, and undo takes all files back', async () => {
  const engine = engineOn(sampleHome());
  const file = gpx(
    '<wpt lat="1" lon="1"><name>a</name></wpt><wpt lat="1" lon="1"><name>a</name></wpt><trk><trkseg><trkpt lat="1" lon="1"/></trkseg></trk>',
  );
  expect(await bring(engine, file, file, gpx('<wpt lat="2" lon="2"/>'))).toMatchObject({
    waypoints: 3,
    tracks: 1,
    already: 3,
  });
  const before = notesOf(engine);
  expect(await bring(engine, file)).toMatchObject({ waypoints: 0, tracks: 0, already: 3 });
  expect(notesOf(engine)).toEqual(before);
  await runChange(engine, 'rename_waypoint', { waypoint_id: 1, name: 'renamed' });
  expect(await bring(engine, file)).toMatchObject({ waypoints: 0, tracks: 0, already: 3 });
  await runChange(engine, 'undo', {});
  expect((await runChange(engine, 'undo', {})).data).toMatchObject({
    sentence: 'Brought in 3 waypoints and 1 track of 1 point from 3 files',
  });
  expect(notesOf(engine)).toEqual({ waypoints: [], tracks: [] });
  await runChange(engine, 'redo', {});
  expect(notesOf(engine)).toEqual(before);
  await runChange(engine, 'delete_waypoint', { waypoint_id: 1 });
  expect(await bring(engine, file)).toMatchObject({ waypoints: 1, tracks: 0, already: 2 });
});

test('one bad file of several, or too many waypoints, and nothing comes in', async () => {
  const engine = engineOn(sampleHome());
  await expect(bring(engine, gpx('<wpt lat="1" lon="1"/>'), { name: 'bad.gpx', text: '<gpx><wpt' })).rejects.toThrow(
    'bad.gpx: damaged GPX',
  );
  engine.account.file.run(
    `INSERT INTO waypoints (name, longitude, latitude, made_at)
     WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT 'w', 0, 0, '' FROM n`,
    mostWaypoints,
  );
  await expect(bring(engine, gpx('<wpt lat="1" lon="1"/>'))).rejects.toMatchObject({
    details: { waypoints: ['with these there would be 10,001, of at most 10,000'] },
  });
  await expect(runChange(engine, 'import_field_notes', { files: [{ path: 'walk.gpx' }] })).rejects.toThrow();
  await expect(runChange(engine, 'import_field_notes', { files: [{ path: '/dev/zero' }] })).rejects.toThrow(
    'pipe or a device',
  );
  expect(engine.account.file.column('SELECT count(*) FROM waypoints')).toEqual([mostWaypoints]);
});

const text = fc
  .string({ unit: fc.constantFrom(...'aZ 09-;:"\'<>&ñ北🌲\n'), minLength: 1, maxLength: 20 })
  .map((some) => `N${some.trim()}.`);
const point = {
  longitude: fc.integer({ min: -18e9, max: 18e9 }).map((value) => value / 1e8),
  latitude: fc.integer({ min: -9e9, max: 9e9 }).map((value) => value / 1e8),
  elevation: fc.option(fc.integer({ min: -1000, max: 500_000 }).map((value) => value / 100)),
  time: fc.option(fc.integer({ min: 1e12, max: 2e12 }).map((at) => new Date(at).toISOString())),
};
const waypoint = fc.record({
  ...point,
  name: text.map((name) => name.replaceAll('\n', ' ')),
  note: fc.option(text),
  symbol: fc.option(fc.constantFrom('Flag, Blue', 'tree')),
  color: fc.option(text),
});
const track = fc.record({
  name: text.map((name) => name.replaceAll('\n', ' ')),
  note: fc.option(text),
  segments: fc.array(fc.array(fc.record({ ...point, hr: fc.option(fc.nat(200)) }), { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 3,
  }),
});

const xml = (some: string) => some.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const tag = (name: string, value: string | number | null) =>
  value === null ? '' : `<${name}>${xml(String(value))}</${name}>`;

test.each(['gpx', 'kml'])('a %s that Platbook wrote comes back equal', async (format) => {
  const ours = engineOn(sampleHome());
  const { lon, lat } = lot(ours);
  const [waypoints = []] = fc.sample(fc.array(waypoint, { minLength: 5, maxLength: 30 }), { numRuns: 1, seed: 4 });
  const tracks = fc.sample(track, { numRuns: runs(20, 200), seed: 9 });
  await bring(
    ours,
    gpx(
      `${waypoints.map((one) => `<wpt lat="${one.latitude}" lon="${one.longitude}">${tag('ele', one.elevation)}${tag('time', one.time)}${tag('name', one.name)}${tag('desc', one.note)}${tag('sym', one.symbol)}<extensions>${tag('color', one.color)}</extensions></wpt>`).join('')}${tracks
        .map(
          (one) =>
            `<trk>${tag('name', one.name)}${tag('desc', one.note)}${one.segments.map((points) => `<trkseg>${points.map((at) => `<trkpt lat="${at.latitude}" lon="${at.longitude}">${tag('ele', at.elevation)}${tag('time', at.time)}<extensions>${tag('hr', at.hr)}</extensions></trkpt>`).join('')}</trkseg>`).join('')}</trk>`,
        )
        .join('')}`,
    ),
  );
  // Marks that Platbook made itself, on a parcel, and a photo.
  await runChange(ours, 'add_waypoint', {
    longitude: lon,
    latitude: lat,
    name: 'Own',
    note: 'a; b',
    accuracy_meters: 3.5,
  });
  await runChange(ours, 'add_photo', { name: 'p.jpg', bytes: makeJpeg({ place: [lon, lat] }).toString('base64') });
  const { data } = await runChange(ours, 'start_track', { name: 'Recorded' });
  await runChange(ours, 'add_track_points', {
    track_id: (data as { track_id: number }).track_id,
    points: [{ longitude: lon, latitude: lat, at: '2026-11-25T14:00:00.123Z', accuracy_meters: 2, speed: 1 }],
  });
  const made = (await runRead(ours, 'make_field_export', { format })) as { id: string };
  const file = { name: `notes.${format}`, text: fs.readFileSync(findShelved(ours.home, made.id)?.path ?? '') };

  const theirs = engineOn(sampleHome());
  const found = await bring(theirs, file);
  expect(notesOf(theirs)).toEqual(notesOf(ours));
  expect(found.left_out.map(({ what }) => what).join()).toMatch(/photos.*parcels|parcels.*photos/);
  // In its own home all of it is there already.
  expect(await bring(ours, file)).toMatchObject({
    waypoints: 0,
    tracks: 0,
    already: waypoints.length + tracks.length + 2,
  });
});

test('the parcels that a track crosses are those that any of its segments touches', async () => {
  const engine = engineOn(sampleHome());
  const boxes = engine.land.file.all<{ id: number; xmin: number; ymin: number; xmax: number; ymax: number }>(
    'SELECT pkid AS id, xmin, ymin, xmax, ymax FROM idx_parcels_geom LIMIT 400',
  );
  const [first, last] = [boxes[0], boxes.at(-1)] as [(typeof boxes)[0], (typeof boxes)[0]];
  const ends = [
    [first.xmin, first.ymin],
    [last.xmax, last.ymax],
  ] as const;
  // An own walk of small steps along the line, each asked by the read of the window, finds no parcel that the answer lacks.
  const steps = Array.from({ length: 400 }, (_, at) =>
    ends[0].map((from, axis) => from + ((ends[1][axis] ?? 0) - from) * (at / 399)),
  );
  const found = await bring(
    engine,
    gpx(`<trk><trkseg>${ends.map(([x, y]) => `<trkpt lat="${y}" lon="${x}"/>`).join('')}</trkseg></trk>`),
  );
  const ids = new Set(found.parcels.map(({ property_id: id }) => id));
  const stepped = steps.flatMap(([longitude = 0, latitude = 0]) => {
    const at = runRead(engine, 'parcel_at', { longitude, latitude }) as { property_id: number } | null;
    return at ? [at.property_id] : [];
  });
  expect(new Set(stepped).size).toBeGreaterThan(3);
  for (const id of stepped) expect(ids.has(id), String(id)).toBe(true);
  expect(found.parcel_count).toBe(ids.size);
});

test('the command says what came in and what did not', async () => {
  const { home } = engineOn(sampleHome());
  const folder = emptyHome();
  const [good, table] = [path.join(folder, 'walk.gpx'), path.join(folder, 'points.csv')];
  fs.writeFileSync(good, gpx('<wpt lat="91" lon="1"/><wpt lat="1" lon="1"/>').text);
  fs.writeFileSync(table, 'Name,Latitude,Longitude\nGate,2,2\n');
  const first = await platbook(home, 'field-notes', 'import', good, table);
  expect(first).toMatchObject({
    code: 0,
    out: '2 waypoints, 0 tracks of 0 points; 0 were here already; on 0 parcels\n  left out: 1 points without a place on the globe',
  });
  const again = await platbook(home, 'field-notes', 'import', good, table, '--json');
  expect(JSON.parse(again.out)).toMatchObject({ waypoints: 0, already: 2 });
  const out = path.join(folder, 'out.gpx');
  expect((await platbook(home, 'field-notes', out)).out).toContain('waypoints 2');
  expect((await platbook(home, 'field-notes', 'import', path.join(folder, 'none.gpx'))).err).toContain('none.gpx');
});
