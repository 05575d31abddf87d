/** Waypoints and tracks: what is kept, what an undo takes back, and what the map gets. */
import { destination, lineString, pointToLineDistance } from '@turf/turf';
import { expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { type ReadInputOf, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { mostTrackPoints } from '../../engine/spec/field-limits.ts';
import { type ChangeInputOf, type ChangeName, runChange } from '../../engine/work/index.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

const change = async <Name extends ChangeName>(engine: Engine, name: Name, input: ChangeInputOf<Name>) =>
  (await runChange(engine, name, input)).data as Record<string, unknown>;

const marks = (engine: Engine, where: ReadInputOf<'field_marks'> = {}) =>
  runRead(engine, 'field_marks', where) as ReadOutputOf<'field_marks'>;

const lot = (engine: Engine) =>
  engine.land.file.get<{ id: number; apn: string; lon: number; lat: number }>(
    "SELECT property_id AS id, apn, point_lon AS lon, point_lat AS lat FROM parcels WHERE status = 'current' AND geom IS NOT NULL ORDER BY acres DESC LIMIT 1",
  ) as { id: number; apn: string; lon: number; lat: number };

const undo = (engine: Engine) => runChange(engine, 'undo', {});

const start = Date.parse('2026-11-25T14:00:00.000Z');

type Point = ChangeInputOf<'add_track_points'>['points'][number];

/** A walk of so many points, a second and 1.4 m apart, to the east. */
const walk = (from: readonly [number, number], count: number, first = 0): Point[] =>
  Array.from({ length: count }, (_, step) => {
    const [longitude = 0, latitude = 0] = destination([...from], 1.4 * (first + step), 90, { units: 'meters' }).geometry
      .coordinates;
    return { longitude, latitude, at: new Date(start + 1000 * (first + step)).toISOString(), speed: 1.4, course: 90 };
  });

test('a waypoint has a name, its parcel and its accuracy, and may be renamed and deleted', async () => {
  const engine = engineOn(sampleHome());
  const { id, apn, lon, lat } = lot(engine);
  const first = await change(engine, 'add_waypoint', { longitude: lon, latitude: lat, accuracy_meters: 3.999 });
  expect(first).toMatchObject({ name: 'Waypoint 1', property_id: id, apn, accuracy_meters: 4, note: null });
  const atSea = await runChange(engine, 'add_waypoint', { longitude: 0, latitude: 0, name: ' Buoy ' });
  expect(atSea).toMatchObject({
    data: { name: 'Buoy', property_id: null, apn: null },
    undo: { sentence: 'Set “Buoy”' },
  });
  await change(engine, 'rename_waypoint', { waypoint_id: 1, name: 'Iron pin', note: 'under leaves' });
  expect(marks(engine).waypoints.map(({ name, note }) => [name, note])).toEqual([
    ['Iron pin', 'under leaves'],
    ['Buoy', null],
  ]);
  await change(engine, 'delete_waypoint', { waypoint_id: 1 });
  await expect(change(engine, 'delete_waypoint', { waypoint_id: 1 })).rejects.toThrow('There is no waypoint 1');
  await undo(engine);
  expect(marks(engine).waypoints).toHaveLength(2);
});

test('a track grows batch by batch; one that is sent again adds nothing', async () => {
  const engine = engineOn(sampleHome());
  const { lon, lat } = lot(engine);
  const { track_id: id } = (await change(engine, 'start_track', {})) as { track_id: number };
  expect(await change(engine, 'add_track_points', { track_id: id, points: walk([lon, lat], 10) })).toEqual({
    track_id: id,
    points: 10,
  });
  const more = walk([lon, lat], 10, 5);
  for (let round = 0; round < 2; round++)
    expect(await change(engine, 'add_track_points', { track_id: id, points: more })).toMatchObject({ points: 15 });
  const [track] = marks(engine).tracks;
  // 14 steps of 1.4 m: 19.6 m are 64.3 ft. A straight line needs its ends alone.
  expect(track).toMatchObject({ name: 'Track 1', points: 15, feet: 64, ended_at: null });
  expect(track?.lines.map((line) => line.length)).toEqual([2]);
  const ended = await change(engine, 'end_track', { track_id: id });
  expect(await change(engine, 'end_track', { track_id: id })).toEqual(ended);
  expect(marks(engine).tracks[0]?.ended_at).toBe(ended.ended_at);
});

test('undo takes back the whole track, redo brings it again with its points', async () => {
  const engine = engineOn(sampleHome());
  const { track_id: id } = (await change(engine, 'start_track', { name: 'North line' })) as { track_id: number };
  await change(engine, 'add_track_points', { track_id: id, points: walk([-100, 40], 3) });
  await change(engine, 'add_track_points', { track_id: id, points: walk([-100, 40], 3, 3) });
  await change(engine, 'end_track', { track_id: id });
  const whole = marks(engine).tracks;
  expect((await undo(engine)).data).toMatchObject({ sentence: 'Started “North line”' });
  expect(marks(engine).tracks).toEqual([]);
  await expect(change(engine, 'add_track_points', { track_id: id, points: walk([-100, 40], 1, 9) })).rejects.toThrow(
    'its start was undone',
  );
  await runChange(engine, 'redo', {});
  expect(marks(engine).tracks).toEqual(whole);
  await change(engine, 'delete_track', { track_id: id });
  await undo(engine);
  expect(marks(engine).tracks).toEqual(whole);
});

test('the points of a track that no undo brings back are removed', async () => {
  const engine = engineOn(sampleHome());
  const points = () => engine.account.file.column<number>('SELECT count(*) FROM track_points')[0];
  const { track_id: id } = (await change(engine, 'start_track', {})) as { track_id: number };
  await change(engine, 'add_track_points', { track_id: id, points: walk([-100, 40], 3) });
  await undo(engine);
  // Still to be redone.
  expect(points()).toBe(3);
  await change(engine, 'star', { ids: [1] });
  await change(engine, 'start_track', {});
  expect(points()).toBe(0);
});

test('a thinned track stays within a meter of every point that was kept', async () => {
  const engine = engineOn(sampleHome());
  const { track_id: id } = (await change(engine, 'start_track', {})) as { track_id: number };
  // A spiral, a point each few meters.
  const points = Array.from({ length: 900 }, (_, step): Point => {
    const [longitude = 0, latitude = 0] = destination([-100, 40], 3 + step / 3, step * 2, { units: 'meters' }).geometry
      .coordinates;
    return { longitude, latitude, at: new Date(start + 5000 * step).toISOString() };
  });
  await change(engine, 'add_track_points', { track_id: id, points });
  const line = marks(engine).tracks[0]?.lines[0] ?? [];
  expect(line.length).toBeLessThan(400);
  const drawn = lineString(line.map((place) => [...place]));
  for (const { longitude, latitude } of points)
    expect(pointToLineDistance([longitude, latitude], drawn, { units: 'meters' })).toBeLessThan(1.02);
});

test('marks are found by box and by county', async () => {
  const engine = engineOn(sampleHome());
  const { lon, lat } = lot(engine);
  await change(engine, 'add_waypoint', { longitude: lon, latitude: lat, name: 'here' });
  await change(engine, 'add_waypoint', { longitude: lon + 20, latitude: lat, name: 'far' });
  const { track_id: id } = (await change(engine, 'start_track', {})) as { track_id: number };
  await change(engine, 'add_track_points', { track_id: id, points: walk([lon, lat], 10) });
  await change(engine, 'start_track', { name: 'without points' });
  const names = (where: ReadInputOf<'field_marks'>) =>
    [...marks(engine, where).waypoints, ...marks(engine, where).tracks].map(({ name }) => name);
  expect(names({})).toEqual(['here', 'far', 'Track 1', 'without points']);
  expect(names({ county: '99001' })).toEqual(['here', 'Track 1']);
  expect(names({ county: '33019' })).toEqual([]);
  expect(names({ box: [lon + 19, lat - 1, lon + 21, lat + 1] })).toEqual(['far']);
});

test('odd points and endless tracks are refused, and write nothing', async () => {
  const engine = engineOn(sampleHome());
  const { track_id: id } = (await change(engine, 'start_track', {})) as { track_id: number };
  const [point] = walk([-100, 40], 1) as [Point];
  for (const wrong of [
    { ...point, at: '2026-13-45T14:00:00Z' },
    { ...point, at: 'yesterday' },
    { ...point, longitude: 181 },
    { ...point, course: 400 },
    { ...point, altitude: 3 },
  ])
    await expect(
      change(engine, 'add_track_points', { track_id: id, points: [point, wrong] }),
      JSON.stringify(wrong),
    ).rejects.toMatchObject({ code: 'validation_error' });
  expect(marks(engine).tracks[0]?.points).toBe(0);
  engine.account.file.run(
    `INSERT INTO track_points (track_id, at, longitude, latitude)
     WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT ?, i, -100, 40 FROM n`,
    mostTrackPoints,
    id,
  );
  await expect(change(engine, 'add_track_points', { track_id: id, points: [point] })).rejects.toMatchObject({
    details: { points: ['a track holds at most 100,000 points: start another'] },
  });
  expect(engine.account.file.column('SELECT count(*) FROM track_points')).toEqual([mostTrackPoints]);
});
