/** Photos without a place are set on a track by their time; what is not sure is asked, with counts, and never guessed. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { photoWords } from '../../engine/exporting/mark-words.ts';
import { readPhotoFacts } from '../../engine/photos/photo-exif.ts';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { clockWords, parseClock } from '../../engine/spec/clock-words.ts';
import { type ChangeInputOf, type ChangeOutputOf, runChange } from '../../engine/work/index.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { exifBlock, makeHeic, makeJpeg, makePng, type PhotoMake } from '../support/make-photo.ts';
import { platbook } from '../support/platbook.ts';

type Imported = ChangeOutputOf<'import_photos'>;
type Asked = Omit<ChangeInputOf<'import_photos'>, 'photos'>;

/** Numerical Recipes' generator. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random());

const start = Date.parse('2026-11-25T14:00:00.000Z');
const [middleLon, middleLat] = [-72.1, 43.2];
/** Degrees of a meter at 43.2°, of the WGS84 ellipsoid to four places. */
const [lonPerMeter, latPerMeter] = [1 / 81_297, 1 / 111_096];

type Place = readonly [longitude: number, latitude: number];

/** A walker's true place each second: 1.4 m/s, turning slowly; and what a GPS of σ 4 m saw of it, whose error drifts. */
function walk(
  seconds: number,
  seed: number,
  from: Place = [middleLon, middleLat],
): { readonly real: Place[]; readonly seen: Place[] } {
  const random = seeded(seed);
  const [real, seen]: [Place[], Place[]] = [[], []];
  let [x, y, course] = [0, 0, random() * 6.28];
  let [offX, offY] = [4 * normal(random), 4 * normal(random)];
  for (let second = 0; second < seconds; second++) {
    course += 0.08 * normal(random);
    x += 1.4 * Math.cos(course);
    y += 1.4 * Math.sin(course);
    // First-order Gauss-Markov with a time constant of 20 s: σ stays 4 m.
    const keep = Math.exp(-1 / 20);
    offX = keep * offX + 4 * Math.sqrt(1 - keep * keep) * normal(random);
    offY = keep * offY + 4 * Math.sqrt(1 - keep * keep) * normal(random);
    real.push([from[0] + x * lonPerMeter, from[1] + y * latPerMeter]);
    seen.push([from[0] + (x + offX) * lonPerMeter, from[1] + (y + offY) * latPerMeter]);
  }
  return { real, seen };
}

const timeOf = (second: number): string => new Date(start + second * 1000).toISOString();

const trkpt = ([lon, lat]: Place, time: string): string =>
  `<trkpt lat="${lat.toFixed(8)}" lon="${lon.toFixed(8)}"><time>${time}</time></trkpt>`;

async function keepTrack(
  engine: Engine,
  name: string,
  points: readonly Place[],
  at = (second: number) => timeOf(second),
) {
  const body = points.map((point, second) => trkpt(point, at(second))).join('');
  const text = `<gpx version="1.1" creator="x"><trk><name>${name}</name><trkseg>${body}</trkseg></trk></gpx>`;
  await runChange(engine, 'import_field_notes', {
    files: [{ name: 'w.gpx', bytes: Buffer.from(text).toString('base64') }],
  });
}

/** As a camera whose clock is off by so many seconds from UTC writes it. */
const cameraTime = (second: number, offset: number): string =>
  new Date(start + (second + offset) * 1000).toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ');

/** Bytes differ by the size: the same picture is one photo. */
let made = 0;
const photo = (make: PhotoMake): Buffer => makeJpeg({ width: 40, height: 30, picture: 200 + made++, ...make });

async function stage(engine: Engine, name: string, bytes: Buffer): Promise<string> {
  const { data } = await runChange(engine, 'stage_photo', { name, bytes: bytes.toString('base64') });
  return (data as ChangeOutputOf<'stage_photo'>).file;
}

const bring = async (engine: Engine, photos: readonly string[], asked: Asked = {}): Promise<Imported> =>
  (await runChange(engine, 'import_photos', { photos: [...photos], ...asked })).data as Imported;

const marks = (engine: Engine) => (runRead(engine, 'field_marks', {}) as ReadOutputOf<'field_marks'>).photos;

const metersApart = ([ax, ay]: Place, [bx, by]: Place): number =>
  Math.hypot((bx - ax) / lonPerMeter, (by - ay) / latPerMeter);

test('a clock’s offset is read and written as people do', () => {
  expect(['-05:00:12', '+00:00', '−04:30', '13:05'].map(parseClock)).toEqual([-18_012, 0, -16_200, 47_100]);
  expect(['5', '-05:60', '', 'x'].map(parseClock)).toEqual([null, null, null, null]);
  expect([-18_012, 0, 47_100, 36].map(clockWords)).toEqual(['-05:00:12', '+00:00', '+13:05', '+00:00:36']);
});

test('what a camera writes of time, place, direction and itself is read, and nothing odd', () => {
  const make = {
    takenAt: '2026:11:25 09:05:30',
    offset: '-05:00',
    heading: [204.5, 'M'],
    camera: ['Canon', 'Canon EOS R7'],
    fixedAt: '2026-11-25T14:05:28Z',
    orientation: 6,
    place: [-72, 43],
  } as const;
  for (const facts of [readPhotoFacts(makeJpeg(make), 'jpeg'), readPhotoFacts(makeHeic(make), 'heic')])
    expect(facts).toMatchObject({
      ...{ takenAt: '2026-11-25T09:05:30', offsetMinutes: -300, heading: 204.5, isMagnetic: true },
      ...{ camera: 'Canon EOS R7', fixedAt: '2026-11-25T14:05:28.000Z', orientation: 6 },
    });
  const bare = readPhotoFacts(makeJpeg({ takenAt: '2026:11:25 09:05:30', offset: '+25:00' }), 'jpeg');
  expect(bare).toMatchObject({ offsetMinutes: null, heading: null, camera: null, fixedAt: null, orientation: 1 });
  expect(exifBlock(make).length).toBeLessThan(1000);
});

test.each([
  ['a clock that is given', {}, (): Asked => ({ clocks: [{ seconds: -18_012 }] })],
  ['a photo of a clock', {}, (): Asked => ({ known: [{ photo: 'IMG_0.JPG', at: timeOf(60) }] })],
  ['a zone that the camera writes', { offset: '-05:00' }, (): Asked => ({})],
] as const)(
  'of 300 photos on tracks of a point a second, 95 % lie within 15 m of where they were taken, by %s',
  async (how, make, askedOf) => {
    const offset = how.startsWith('a zone') ? -18_000 : -18_012;
    let [near, all, told] = [0, 0, 0];
    for (const seed of [1, 2, 3]) {
      const engine = engineOn(sampleHome());
      const { real, seen } = walk(3600, seed);
      await keepTrack(engine, 'North', seen);
      const random = seeded(seed + 100);
      const seconds = [60, ...Array.from({ length: 99 }, () => 1 + random() * 3597)];
      const files: string[] = [];
      for (const [at, second] of seconds.entries())
        files.push(
          await stage(
            engine,
            `IMG_${at}.JPG`,
            photo({ takenAt: cameraTime(second, offset), camera: ['Nikon', 'D5600'], ...make }),
          ),
        );
      const found = await bring(engine, files, askedOf());
      expect(found).toMatchObject({ added: 100, by_time: 100, own_place: 0, asked: [], left: [] });
      for (const [at, one] of marks(engine).entries()) {
        const second = seconds[at] as number;
        const [a, b] = [real[Math.floor(second)], real[Math.floor(second) + 1]] as [Place, Place];
        const share = second % 1;
        const off = metersApart(
          [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share],
          [one.longitude as number, one.latitude as number],
        );
        all++;
        if (off <= 15) near++;
        if (off <= (one.place_error_m ?? 0)) told++;
      }
    }
    // With σ 4 m a side, 99.9 % of fixes lie within 15 m (Rayleigh: exp(−15²/32) = 0.09 %); the clock adds a meter or two.
    expect(near / all).toBeGreaterThanOrEqual(0.95);
    // What is said of the error holds for as many.
    expect(told / all).toBeGreaterThanOrEqual(0.95);
  },
);

test('a clock is solved from photos that have a place and a time, or from one whose place is told', async () => {
  let [near, all] = [0, 0];
  for (const seed of [11, 12, 13]) {
    const engine = engineOn(sampleHome());
    const { real, seen } = walk(2400, seed);
    await keepTrack(engine, 'South', seen);
    const offset = -14_400 + 95;
    const camera = ['Ricoh', 'WG-80'] as const;
    const at = (second: number, place?: Place) => photo({ takenAt: cameraTime(second, offset), camera, place });
    const files: string[] = [];
    for (const second of [200, 900, 1500]) {
      const [lon, lat] = seen[second] as Place;
      files.push(await stage(engine, `P${second}.JPG`, at(second, [lon, lat])));
    }
    const seconds = Array.from({ length: 60 }, (_, n) => 30 + n * 39);
    for (const second of seconds) files.push(await stage(engine, `Q${second}.JPG`, at(second)));
    const found = await bring(engine, files);
    expect(found).toMatchObject({ added: 63, by_time: 60, own_place: 3, asked: [], clocks: [{ from: 'places' }] });
    for (const [n, one] of marks(engine).slice(3).entries()) {
      all++;
      if (metersApart(real[seconds[n] as number] as Place, [one.longitude as number, one.latitude as number]) <= 15)
        near++;
    }
  }
  expect(near / all).toBeGreaterThanOrEqual(0.95);
});

test('a photo that is named must be one; the last word on it counts; a folder is read without what lies beside its photos', async () => {
  const engine = engineOn(sampleHome());
  await keepTrack(engine, 'One', walk(600, 5).seen);
  const at = (second: number) => photo({ takenAt: cameraTime(second, 77), camera: ['Ricoh', 'WG-80'] });
  const files = [await stage(engine, 'A.JPG', at(100)), await stage(engine, 'A.JPG', at(200))];
  const plan = (photos: readonly string[], known: Asked['known']) =>
    runRead(engine, 'plan_photos', { photos: [...photos], known }) as ReadOutputOf<'plan_photos'>;
  expect(() => plan(files, [{ photo: 'A.JPG', at: timeOf(100) }])).toThrow(
    expect.objectContaining({ details: { known: [expect.stringContaining('2 photos are called')] } }),
  );
  const [first = ''] = files;
  const corrected = plan(files, [
    { photo: first, at: timeOf(500) },
    { photo: first, at: timeOf(100) },
  ]);
  expect(corrected).toMatchObject({ by_time: 2, clocks: [{ seconds: 77, from: 'clock' }] });
  const folder = emptyHome();
  fs.mkdirSync(path.join(folder, 'Walk 30.11', 'x.jpg'), { recursive: true });
  for (const name of ['b.jpg', '._b.jpg', '.DS_Store', 'Walk 30.11/a.JPG'])
    fs.writeFileSync(path.join(folder, name), '');
  expect(runRead(engine, 'photos_in', { path: folder })).toEqual({
    files: ['Walk 30.11/a.JPG', 'b.jpg'].map((name) => path.join(folder, name)),
  });
});

test('nothing is guessed: no clock, outside, in a gap, two tracks at once, no time; each is said with its count', async () => {
  const engine = engineOn(sampleHome());
  const { seen } = walk(600, 5);
  const other = walk(300, 6, [middleLon + 0.01, middleLat]);
  await keepTrack(engine, 'One', seen.slice(0, 300));
  // Half of the second walk lies in the first one's time, two kilometers off; then comes a gap of 121 s.
  await keepTrack(engine, 'Two', [...other.seen.slice(0, 30), ...other.seen.slice(30, 60)], (n) =>
    timeOf(n < 30 ? 270 + n : 270 + n + 121),
  );
  const at = (second: number, make: PhotoMake = {}) =>
    photo({ takenAt: cameraTime(second, -18_000), offset: '-05:00', ...make });
  const staged: [string, Buffer][] = [
    ['sure.jpg', at(100)],
    ['before.jpg', at(-30)],
    ['both.jpg', at(280)],
    ['gap.jpg', at(350)],
    ['sent.png', makePng()],
    ['clockless.jpg', photo({ takenAt: cameraTime(100, -18_000), camera: ['Nikon', 'D5600'] })],
  ];
  const files: string[] = [];
  for (const [name, bytes] of staged) files.push(await stage(engine, name, bytes));
  const found = await bring(engine, files);
  expect(found).toMatchObject({ added: 1, by_time: 1, on_parcel: 0 });
  expect(Object.fromEntries(found.left.map(({ why, names }) => [why, names]))).toEqual({
    outside: ['before.jpg'],
    gap: ['gap.jpg'],
    ambiguous: ['both.jpg'],
    'no time': ['sent.png'],
    clock: ['clockless.jpg'],
  });
  expect(found.asked).toMatchObject([{ camera: 'Nikon D5600', why: 'nothing', count: 1, last_seconds: null }]);
  // The track is named: no longer two.
  const [one] = (runRead(engine, 'field_marks', {}) as ReadOutputOf<'field_marks'>).tracks;
  expect(await bring(engine, [files[2] as string], { tracks: [one?.track_id as number] })).toMatchObject({
    by_time: 1,
  });
  expect(
    await bring(engine, files.slice(0, 1).concat(files[5] as string), {
      clocks: [{ camera: 'Nikon D5600', seconds: -18_000 }],
    }).catch((error: Error) => error.message),
  ).toMatch(/staged/);
  expect(
    await bring(engine, [files[5] as string], { clocks: [{ camera: 'Nikon D5600', seconds: -18_000 }] }),
  ).toMatchObject({ by_time: 1 });
  // What the clock was off is offered next time, and not taken.
  const next = await stage(engine, 'next.jpg', photo({ takenAt: cameraTime(90, -18_000), camera: ['Nikon', 'D5600'] }));
  expect(runRead(engine, 'plan_photos', { photos: [next] })).toMatchObject({
    by_time: 0,
    asked: [{ last_seconds: -18_000 }],
  });
});

test('a place that the walk passed twice, or stood at, tells no clock', async () => {
  const engine = engineOn(sampleHome());
  const out = walk(400, 7).seen;
  await keepTrack(engine, 'There and back', [...out, ...out.toReversed()]);
  const [lon, lat] = out[200] as Place;
  const file = await stage(engine, 'a.jpg', photo({ takenAt: cameraTime(200, 0), place: [lon, lat] }));
  const bare = await stage(engine, 'b.jpg', photo({ takenAt: cameraTime(210, 0) }));
  expect(await bring(engine, [file, bare])).toMatchObject({ own_place: 1, by_time: 0, asked: [{ why: 'several' }] });
  const still = engineOn(sampleHome());
  await keepTrack(
    still,
    'Lunch',
    Array.from({ length: 900 }, () => [lon, lat] as const),
  );
  const known = await stage(still, 'c.jpg', photo({ takenAt: cameraTime(200, 0) }));
  expect(await bring(still, [known], { known: [{ photo: 'c.jpg', longitude: lon, latitude: lat }] })).toMatchObject({
    asked: [{ why: 'still' }],
  });
});

test('500 photos of a folder have one undo; the files stay, direction and camera are kept, again brings nothing', async () => {
  const home = engineOn(sampleHome()).home;
  const engine = engineOn(home);
  const { seen } = walk(1200, 8);
  await keepTrack(engine, 'Walk', seen);
  const files: string[] = [];
  const name = (n: number): string => `IMG_${n}.JPG`;
  for (let n = 0; n < 500; n++) {
    const make = { takenAt: cameraTime(10 + 2 * n, -18_000), offset: '-05:00', heading: [n % 360, 'T'] } as const;
    files.push(await stage(engine, name(n), photo(make)));
  }
  const before = marks(engine).length;
  const { data, undo } = await runChange(engine, 'import_photos', { photos: files });
  expect(data).toMatchObject({ added: 500, by_time: 500 });
  expect(undo?.sentence).toBe('Added 500 photos by time');
  const kept = marks(engine);
  expect(kept.slice(0, 3).map(({ heading, heading_is_magnetic: magnetic }) => [heading, magnetic])).toEqual([
    [0, false],
    [1, false],
    [2, false],
  ]);
  expect(photoWords(kept[0] as never)).toMatch(/placed by time, ± \d+ m$/);
  await runChange(engine, 'undo', {});
  expect(marks(engine)).toHaveLength(before);
  await runChange(engine, 'redo', {});
  expect(marks(engine)).toEqual(kept);
  expect(fs.readdirSync(path.join(engine.home, 'photos'))).toHaveLength(500);
  expect(await stage(engine, name(0), fs.readFileSync(path.join(engine.home, 'photos', files[0] as string)))).toBe(
    files[0],
  );
  expect(await bring(engine, [files[0] as string])).toMatchObject({ added: 0, left: [{ why: 'here', count: 1 }] });
});

test('the command takes a folder, says what waits for a clock and how to tell it, then places all', async () => {
  const engine = engineOn(sampleHome());
  const { home } = engine;
  await keepTrack(engine, 'Walk', walk(600, 9).seen);
  engine.close();
  const folder = emptyHome();
  fs.mkdirSync(path.join(folder, '100NIKON'));
  for (const second of [50, 150, 250])
    fs.writeFileSync(
      path.join(folder, '100NIKON', `DSC_${second}.JPG`),
      photo({ takenAt: cameraTime(second, -17_990), camera: ['Nikon', 'D5600'] }),
    );
  fs.writeFileSync(path.join(folder, 'broken.jpg'), 'no photo');
  fs.writeFileSync(path.join(folder, 'readme.txt'), 'no photo');
  const hashes = () =>
    fs
      .readdirSync(path.join(folder, '100NIKON'))
      .map((one) => fs.readFileSync(path.join(folder, '100NIKON', one)).toString('base64'));
  const before = hashes();
  const first = await platbook(home, 'photos', 'import', folder);
  expect(first.out).toMatch(/^0 photos added/);
  expect(first.out).toMatch(/3 of Nikon D5600 wait for its clock/);
  expect(first.out).toMatch(/left out: broken\.jpg cannot be kept/);
  const second = await platbook(home, 'photos', 'import', folder, '--clock', '-04:59:50', '--json');
  expect(JSON.parse(second.out)).toMatchObject({
    added: 3,
    by_time: 3,
    clocks: [{ seconds: -17_990, from: 'given' }],
  });
  expect(hashes()).toEqual(before);
});
