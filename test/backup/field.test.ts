/** What was brought back from the field: kept by backups, left out of what is shared, put in order at the opening. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { backupHome } from '../../engine/backup/backup-home.ts';
import { restoreHome } from '../../engine/backup/restore-home.ts';
import { shareLand } from '../../engine/backup/share-land.ts';
import { checkHome } from '../../engine/check.ts';
import { openHomeAtStart } from '../../engine/open-home.ts';
import { runRead } from '../../engine/reads/index.ts';
import { ownMark } from '../../engine/store/owner-mark.ts';
import { runChange } from '../../engine/work/index.ts';
import { emptyHome } from '../support/homes.ts';
import { makeJpeg } from '../support/make-photo.ts';
import { bytesOf, noon, openUntilEnd, workedHome } from './backup-homes.ts';

const place = { longitude: -72.123456, latitude: 43.654321 };

/** A home with a waypoint, a track and a photo, each with a name that nothing else has. */
async function walkedHome(): Promise<string> {
  const home = await workedHome();
  const engine = openUntilEnd(home);
  await runChange(engine, 'add_waypoint', { ...place, name: 'SECRET WAYPOINT', note: 'SECRET NOTE' });
  const { data } = await runChange(engine, 'start_track', { name: 'SECRET TRACK' });
  await runChange(engine, 'add_track_points', {
    track_id: (data as { track_id: number }).track_id,
    points: [{ ...place, at: '2026-11-20T10:00:00Z' }],
  });
  const bytes = makeJpeg({ place: [place.longitude, place.latitude], takenAt: '2026:11:20 10:00:00' });
  await runChange(engine, 'add_photo', { name: 'SECRET.jpg', bytes: bytes.toString('base64') });
  await runChange(engine, 'add_photo', { name: 'PNG', bytes: makeJpeg().toString('base64'), property_id: 3 });
  engine.close();
  return home;
}

const marksIn = (home: string) => {
  const engine = openUntilEnd(home);
  const marks = runRead(engine, 'field_marks', {});
  const check = checkHome(engine);
  engine.close();
  return { marks, isFine: check.every(({ ok }) => ok) };
};

test.each([
  ['whole', { onlyMyWork: false, now: noon }],
  ['of my work', { onlyMyWork: true, now: noon }],
])('a backup %s brings waypoints, tracks and photos back, the originals to the byte', async (_name, options) => {
  const home = await walkedHome();
  const file = path.join(emptyHome(), 'backup.zip');
  const { files } = await backupHome(home, file, options);
  expect(files.filter(({ name }) => name.startsWith('photos/'))).toHaveLength(2);
  const other = options.onlyMyWork ? await workedHome() : path.join(emptyHome(), 'home');
  await restoreHome(other, file, options);
  expect(bytesOf(path.join(other, 'photos'))).toEqual(bytesOf(path.join(home, 'photos')));
  expect(fs.statSync(path.join(other, 'photos')).mode & 0o777).toBe(0o700);
  const restored = marksIn(other);
  expect(restored).toEqual(marksIn(home));
  expect(restored.isFine).toBe(true);
});

test('a copy to share has nothing of them: no name, no place, no picture', async () => {
  const home = await walkedHome();
  const folder = emptyHome();
  await shareLand(home, path.join(folder, 'land.sqlite'));
  expect(fs.readdirSync(folder)).toEqual(['land.sqlite']);
  const shared = fs.readFileSync(path.join(folder, 'land.sqlite'));
  for (const number of [place.longitude, place.latitude]) {
    const [little, big] = [Buffer.alloc(8), Buffer.alloc(8)];
    little.writeDoubleLE(number);
    big.writeDoubleBE(number);
    expect([shared.includes(little), shared.includes(big), shared.includes(String(number))]).toEqual([
      false,
      false,
      false,
    ]);
  }
  for (const text of ['SECRET', 'waypoint', 'track_points', 'photos/']) expect(shared.includes(text), text).toBe(false);
});

test('opening a home removes half-written originals of killed programs, and no others', async () => {
  const home = await walkedHome();
  const folder = path.join(home, 'photos');
  const before = bytesOf(folder);
  const name = `${'a'.repeat(32)}.jpg`;
  const [machine] = ownMark.split('-');
  const [dead, alive] = [`${name}-${machine}-999999999.part`, `${name}-${ownMark}.part`];
  for (const part of [dead, alive]) fs.writeFileSync(path.join(folder, part), 'x');
  const engine = openHomeAtStart({ home, keepsIndexes: false, now: () => noon }, { tell: () => {} });
  expect(Object.keys(bytesOf(folder)).sort()).toEqual([...Object.keys(before), alive].sort());
  engine.close();
});

test('a photos folder that is a link is set aside, and nothing is read or written through it', async () => {
  const home = await walkedHome();
  const elsewhere = emptyHome();
  fs.rmSync(path.join(home, 'photos'), { recursive: true });
  fs.symlinkSync(elsewhere, path.join(home, 'photos'));
  const told: string[] = [];
  const engine = openHomeAtStart({ home, keepsIndexes: false, now: () => noon }, { tell: (one) => told.push(one) });
  expect(told.join()).toContain('photos in this home is a link');
  await runChange(engine, 'add_photo', {
    name: 'b.jpg',
    bytes: makeJpeg({ width: 9 }).toString('base64'),
    property_id: 3,
  });
  expect(fs.readdirSync(elsewhere)).toEqual([]);
  expect(fs.readdirSync(path.join(home, 'photos'))).toHaveLength(1);
  engine.close();
});
