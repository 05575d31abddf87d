/** Photos of a home: added, drawn through the engine, killed and resumed, moved, removed; never given away. */
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { addImagery } from '../../engine/imagery/add-imagery.ts';
import { drawTile } from '../../engine/imagery/draw-tile.ts';
import { sharpenImagery } from '../../engine/imagery/sharpen-imagery.ts';
import { runRead } from '../../engine/reads/index.ts';
import { openImagery } from '../../engine/store/imagery-store.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { emptyHome, engineOn, removeHome } from '../support/homes.ts';
import { runs } from '../support/runs.ts';
import { add, addTools, ownFolder } from './photos.ts';

/** West and north of the photo in degrees, and degrees of a pixel. */
const [west, north, cell] = [-71.8, 44.2, 0.000005];

const folder = ownFolder();

/** A photo of one's own with a world file, made by libvips: it needs no GDAL. */
async function photo(name: string, side: number): Promise<string> {
  const data = Buffer.alloc(side * side * 3);
  for (let at = 0; at < side * side; at++) {
    const [x, y] = [at % side, Math.floor(at / side)];
    data.set([60 + (x * 120) / side, 80 + (y * 120) / side, 100], at * 3);
  }
  const file = path.join(folder, name);
  const made = sharp(data, { raw: { width: side, height: side, channels: 3 } });
  await (name.endsWith('.tif') ? made.tiff({ compression: 'lzw', tile: false }) : made.png()).toFile(file);
  const stem = file.slice(0, -path.extname(file).length);
  const ending = name.endsWith('.tif') ? 'tfw' : 'pgw';
  fs.writeFileSync(`${stem}.${ending}`, [cell, 0, 0, -cell, west + cell / 2, north - cell / 2].join('\n'));
  fs.writeFileSync(`${stem}.prj`, 'EPSG:4326');
  return file;
}

test('a job adds a photo; the map lists it, draws it, renames it, and takes it away', { timeout: 60_000 }, async () => {
  const engine = engineOn(emptyHome());
  const file = await photo('one.tif', 1400);
  const { data: job } = await runChange(engine, 'add_imagery', {
    paths: [file],
    name: 'Town',
    flown: '2024-05-18',
    credit: 'County',
  });
  const { report } = await engine.jobs.finished((job as { job_id: number }).job_id);
  expect(report).toMatchObject({ name: 'Town', files: 1, refused: [] });
  const [base] = runRead(engine, 'map_sources', {}).bases;
  expect(base).toMatchObject({
    ...{ source: 'photo-1', type: 'raster', title: 'Town', tile_size: 512, attribution: 'Flown 2024-05-18 · County' },
    photo: { id: 1, flown: '2024-05-18', credit: 'County', files: 1, state: 1, missing: [] },
  });
  expect(base?.bounds?.map((each) => each.toFixed(4))).toEqual(['-71.8000', '44.1930', '-71.7930', '44.2000']);
  const z = base?.maxzoom ?? 0;
  const [x, y] = placeOf(west + 700 * cell, north - 700 * cell, z);
  const tile = Buffer.from((await getTile(engine, 'photo-1', z, x, y)) ?? []);
  expect(tile.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  expect(await sharp(tile).metadata()).toMatchObject({ width: 512, height: 512 });
  // Beside the photo, and beyond its zooms.
  expect(await getTile(engine, 'photo-1', z, x + 9, y)).toBeNull();
  expect(await getTile(engine, 'photo-1', 0, 0, 0)).toBeNull();
  const { undo } = await runChange(engine, 'change_imagery', { id: 1, name: 'Village' });
  expect(undo?.sentence).toBe('Changed Town');
  fs.renameSync(file, `${file}.moved`);
  expect(runRead(engine, 'map_sources', {}).bases[0]).toMatchObject({
    title: 'Village',
    photo: { missing: ['one.tif'] },
  });
  const [x0, y0] = placeOf(west + 700 * cell, north - 700 * cell, z - 2);
  expect(await getTile(engine, 'photo-1', z - 2, x0, y0)).not.toBeNull();
  await runChange(engine, 'remove_imagery', { id: 1 });
  expect(runRead(engine, 'map_sources', {}).bases).toEqual([]);
  await expect(getTile(engine, 'photo-1', z, x, y)).rejects.toMatchObject({ code: 'not_found' });
  removeHome(engine);
});

const placeOf = (longitude: number, latitude: number, z: number): [number, number] => {
  const radians = (latitude * Math.PI) / 180;
  return [
    Math.floor((longitude / 360 + 0.5) * 2 ** z),
    Math.floor((0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * 2 ** z),
  ];
};

function blocksOf(home: string) {
  const store = openImagery(home);
  try {
    return store.all('SELECT level, row, column, hex(jpeg) AS jpeg FROM imagery_blocks ORDER BY 1, 2, 3');
  } finally {
    store.close();
  }
}

test('levels that are killed at any step go on there, and are the same', { timeout: 120_000 }, async () => {
  const file = await photo('killed.tif', 2100);
  const whole = emptyHome();
  await add(whole, { paths: [file] });
  const wanted = blocksOf(whole);
  expect(wanted.length).toBeGreaterThan(5);
  for (let kill = 1; kill <= 4; kill++) {
    const home = emptyHome();
    let left = kill;
    const onStep = () => {
      if (left-- === 1) throw new Error('killed');
    };
    await expect(addImagery(home, { paths: [file] }, { ...addTools, onStep })).rejects.toThrow('killed');
    expect(blocksOf(home).length).toBeLessThan(wanted.length);
    const { id } = await add(home, { paths: [file] });
    expect(id).toBe(1);
    expect(blocksOf(home)).toEqual(wanted);
  }
});

test('a program that stays open sharpens by itself what was left; of a photo that is gone nothing is awaited', {
  timeout: 60_000,
}, async () => {
  const file = await photo('left.tif', 2100);
  const home = emptyHome();
  const onStep = () => {
    throw new Error('killed');
  };
  await expect(addImagery(home, { paths: [file] }, { ...addTools, onStep })).rejects.toThrow('killed');
  const state = (engine: Engine) => runRead(engine, 'map_sources', {}).bases[0]?.photo?.state;
  const short = openEngine({ home, create: true });
  expect(state(short)).toBeLessThan(1);
  expect(short.jobs.list()).toEqual([]);
  fs.renameSync(file, `${file}.away`);
  expect(state(short)).toBe(1);
  short.close();
  expect(jobsOf(home)).toEqual([]);
  fs.renameSync(`${file}.away`, file);
  const engine = openEngine({ home, keepsMarkets: true });
  const [job] = engine.jobs.list();
  expect(job?.kind).toBe('sharpen_imagery');
  expect((await engine.jobs.finished(job?.job_id ?? 0)).report).toEqual({ refused: [] });
  expect(state(engine)).toBe(1);
  removeHome(engine);
});

function jobsOf(home: string) {
  const engine = openEngine({ home, keepsMarkets: true });
  try {
    return engine.jobs.list();
  } finally {
    engine.close();
  }
}

test('two programs that sharpen one photo end with the blocks of one', { timeout: 60_000 }, async () => {
  const file = await photo('twice.tif', 2100);
  const [home, whole] = [emptyHome(), emptyHome()];
  await add(whole, { paths: [file] });
  const onStep = () => {
    throw new Error('killed');
  };
  await expect(addImagery(home, { paths: [file] }, { ...addTools, onStep })).rejects.toThrow('killed');
  const ends = await Promise.all(
    [1, 2].map(async () => {
      const store = openImagery(home);
      const seen: number[] = [];
      try {
        await sharpenImagery(home, store, { ...addTools, progress: ({ rows }) => seen.push(rows) });
      } finally {
        store.close();
      }
      return seen;
    }),
  );
  // Neither sets the other back.
  for (const seen of ends) expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  expect(blocksOf(home)).toEqual(blocksOf(whole));
});

test('a photo that was replaced under its name is looked at again, a JPG too', { timeout: 60_000 }, async () => {
  for (const name of ['flown.tif', 'flown.png']) {
    const home = emptyHome();
    const file = await photo(name, 600);
    const { id } = await add(home, { paths: [file] });
    await photo(name, 900);
    fs.utimesSync(file, new Date('2030-01-01T00:01:00Z'), new Date('2030-01-01T00:01:00Z'));
    expect(await add(home, { paths: [file] })).toMatchObject({ id, files: 1, refused: [] });
    const store = openImagery(home);
    expect(store.column('SELECT width FROM imagery_files')).toEqual([900]);
    expect(store.column('SELECT DISTINCT file_id FROM imagery_blocks')).toEqual(
      store.column('SELECT file_id FROM imagery_files'),
    );
    store.close();
    if (name.endsWith('.png')) expect(fs.readdirSync(path.join(home, 'imagery'))).toHaveLength(1);
  }
});

test('a copy in the home is drawn when the photo is gone, and removed with it', { timeout: 60_000 }, async () => {
  const home = emptyHome();
  const file = await photo('copied.png', 600);
  const { id } = await add(home, { paths: [file], copy: true });
  fs.rmSync(file);
  const [x, y] = placeOf(west + 300 * cell, north - 300 * cell, 18);
  expect(await drawTile(home, id, { z: 18, x, y })).not.toBeNull();
  expect(fs.readdirSync(path.join(home, 'imagery'))).toHaveLength(1);
  const engine = openEngine({ home, create: true });
  await runChange(engine, 'remove_imagery', { id });
  engine.close();
  expect(fs.readdirSync(path.join(home, 'imagery'))).toEqual([]);
});

test('links in a folder are not followed', async () => {
  const inside = path.join(folder, 'inside');
  fs.mkdirSync(inside);
  const file = await photo('outside.tif', 64);
  fs.symlinkSync(file, path.join(inside, 'link.tif'));
  await expect(add(emptyHome(), { paths: [inside] })).rejects.toMatchObject({ code: 'import_refused' });
});

test('a copy to share and a backup hold no photo', { timeout: 60_000 }, async () => {
  const engine = engineOn(emptyHome());
  const file = await photo('private.tif', 700);
  await engine.jobs.run('add_imagery', { paths: [file], name: 'Nobody else’s' });
  const shared = path.join(folder, 'shared.sqlite');
  await engine.jobs.run('share', { file: shared });
  const saved = path.join(folder, 'saved.platbook');
  await engine.jobs.run('backup', { file: saved, only_my_work: false });
  for (const each of [shared, saved]) {
    const bytes = fs.readFileSync(each);
    for (const word of ['imagery', 'private.tif', 'Nobody else’s']) expect(bytes.includes(word)).toBe(false);
  }
  removeHome(engine);
});

test('mutated photos are read or refused, with no crash and no more than their limits', {
  timeout: 600_000,
}, async () => {
  const whole = fs.readFileSync(await photo('mutant.tif', 300));
  const file = path.join(folder, 'mutated.tif');
  fs.copyFileSync(path.join(folder, 'mutant.tfw'), path.join(folder, 'mutated.tfw'));
  fs.copyFileSync(path.join(folder, 'mutant.prj'), path.join(folder, 'mutated.prj'));
  const home = emptyHome();
  let [seed, refused] = [1, 0];
  const chance = (most: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * most);
  };
  const directory = whole.readUInt32LE(4);
  const before = process.memoryUsage().rss;
  for (let each = 0; each < runs(200, 1000); each++) {
    const bytes = Buffer.from(whole);
    // Half of the changes in the directory, where sizes and places stand.
    for (let change = 0; change <= chance(4); change++)
      bytes[chance(2) === 0 ? chance(bytes.length) : Math.min(bytes.length - 1, directory + chance(220))] = chance(256);
    fs.writeFileSync(file, chance(10) === 0 ? bytes.subarray(0, chance(bytes.length)) : bytes);
    const began = performance.now();
    const error = await add(home, { paths: [file] }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error !== null) {
      expect(error, `mutant ${each}`).toMatchObject({ code: 'import_refused' });
      refused++;
    }
    expect(performance.now() - began).toBeLessThan(20_000);
    const store = openImagery(home);
    store.exec('DELETE FROM imagery');
    store.close();
  }
  expect(refused).toBeGreaterThan(20);
  expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 * 1024);
});
