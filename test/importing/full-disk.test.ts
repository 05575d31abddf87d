/** An import when the disk for temporary files, which is not the home's, has too little room. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { planImport } from '../../engine/importing/merge/plan-import.ts';
import { planStatewide } from '../../engine/importing/merge/statewide.ts';
import { estimateSpace } from '../../engine/importing/stage/space-check.ts';
import { temporaryPlace } from '../../engine/store/temporary-disk.ts';
import { undoFolder } from '../../engine/store/undo-store.ts';
import { makeZip } from '../support/make-zip.ts';
import { requireOrSkip } from '../support/require.ts';
import { canMakeDisk, type SmallDisk, smallDisk } from '../support/small-disk.ts';
import { clock, collection, importLots, lot, openLand, wholeLand, writeFile } from './fixtures.ts';

const hasDisks = requireOrSkip('small disks', canMakeDisk(), 'only the superuser of a Linux machine makes them');

/** Bytes of the files that undo imports. */
function undoBytes(home: string): number {
  const folder = undoFolder(home);
  if (!fs.existsSync(folder)) return 0;
  return fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
}

/** Where programs put what they need for a while, until the test is over. */
function smallTemporaryDisk(megabytes: number): SmallDisk {
  const disk = smallDisk(megabytes);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = disk.folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    disk.remove();
  });
  return disk;
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => lot(`${index}`, index % 500, { NOTE: `${index} `.repeat(60) }));
const roomEnough = () => ({ disks: [] });

describe.runIf(hasDisks)('each of three disks that an import writes to', () => {
  const importOf = (...files: string[]) => ({
    ...{ files, fips: '33019', source: 'Test county', homeKind: 'real' as const, anywhere: true, now: clock },
  });
  const statewideOf = (...files: string[]) => ({ ...importOf(...files), countyColumn: 'COUNTY' });

  /** @returns folders of the home, of `undo/` and of temporary files, each a disk of its own */
  function threeDisks(undoMegabytes: number) {
    const land = openLand();
    const home = path.dirname(land.file.path);
    const undo = smallDisk(undoMegabytes);
    fs.symlinkSync(undo.folder, path.join(home, 'undo'));
    onTestFinished(() => {
      fs.rmSync(path.join(home, 'undo'));
      undo.remove();
    });
    const temporary = smallTemporaryDisk(100).folder;
    // SQLite keeps a file for temporary tables there, without a name, until the connection is closed.
    onTestFinished(() => land.close());
    return { land, home, undo: path.join(home, 'undo'), temporary };
  }

  test('is in the dry run with what it needs and has, also of a statewide file', async () => {
    const lots = many(3000).map((each) => ({ ...each, properties: { ...each.properties, COUNTY: '33019' } }));
    const file = writeFile('lots.geojson', collection(lots));
    const { land, home, undo, temporary } = threeDisks(50);
    const { size } = fs.statSync(file);
    const first = await planImport(land, importOf(file));
    expect(first.space.disks).toEqual([
      { folder: home, uses: ['home'], needed: Math.ceil(1.5 * size), free: expect.any(Number) as number },
      { folder: undo, uses: ['undo'], needed: 0, free: 50 * 1024 * 1024 },
      { folder: temporary, uses: ['temporary'], needed: size, free: expect.any(Number) as number },
    ]);
    await importParcels(land, importOf(file));
    // All rows change now, and none of them may take more than was said.
    const newer = lots.map((each) => ({ ...each, properties: { ...each.properties, zoning: 'R1' } }));
    fs.writeFileSync(file, collection(newer));
    const before = undoBytes(home);
    const { space } = await planImport(land, importOf(file));
    const { space: statewide } = await planStatewide(land, statewideOf(file));
    expect(statewide.disks.map(({ needed }) => needed)).toEqual(space.disks.map(({ needed }) => needed));
    const report = await importParcels(land, importOf(file));
    expect(report.changed).toBe(3000);
    const wrote = undoBytes(home) - before;
    const needed = space.disks.find(({ uses }) => uses.includes('undo'))?.needed ?? 0;
    expect(wrote).toBeGreaterThan(3000 * 500);
    expect(wrote).toBeLessThan(needed);
    expect(needed).toBeLessThan(3 * wrote);
  });

  test('asks for the room of the parcels that it can replace: a code of four digits, a small statewide file', async () => {
    const land = openLand();
    const home = path.dirname(land.file.path);
    const lots = many(3000).map((each) => ({ ...each, properties: { ...each.properties, COUNTY: '08023' } }));
    const file = writeFile('lots.geojson', collection(lots));
    await importParcels(land, { ...importOf(file), fips: '08023', anywhere: true });
    const needs = (options: Parameters<typeof estimateSpace>[2]) =>
      estimateSpace(land, home, options).disks.reduce((sum, { needed }) => sum + needed, 0);
    expect(needs({ ...importOf(file), fips: '8023' })).toBe(needs({ ...importOf(file), fips: '08023' }));
    const small = writeFile('small.geojson', collection(lots.slice(0, 2)));
    const statewide = { ...importOf(small), fips: '', countyColumn: 'COUNTY' };
    expect(needs(statewide)).toBeLessThan(needs({ ...importOf(small), fips: '08023' }) / 10);
    expect(needs({ ...importOf(file), fips: '', state: 'CO' })).toBe(needs({ ...importOf(file), fips: '08023' }));
    // In a state without parcels nothing is replaced.
    const { size } = fs.statSync(file);
    expect(needs({ ...importOf(file), fips: '', state: 'NH' })).toBe(Math.ceil(2.5 * size));
  });

  test('is checked for space before anything is read: even the undo file would not fit', async () => {
    const file = writeFile('lots.geojson', collection(many(3000)));
    const { land, undo } = threeDisks(2);
    await importParcels(land, importOf(file));
    const before = wholeLand(land);
    await expect(planImport(land, importOf(file))).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(
        `^This import may need \\d+ MB for a while, and \\d MB are free on the disk of ${undo}, for its undo file\\. Make room there\\. Nothing was changed\\.$`,
      ) as string,
    });
    expect(wholeLand(land)).toEqual(before);
  });

  test('is named as its user knows it, not by the folder of a worker', () => {
    const { folder } = smallTemporaryDisk(1);
    process.env.TMPDIR = path.join(folder, 'platbook-job-abc');
    expect(temporaryPlace()).toBe(folder);
  });
});

describe.runIf(hasDisks)('an import with a small disk for temporary files', () => {
  test('is refused before anything is read, and names the folder', async () => {
    const land = openLand();
    const file = writeFile('lots.geojson', collection(many(5000)));
    const before = wholeLand(land);
    const { folder } = smallTemporaryDisk(1);
    const refused = importParcels(land, {
      ...{ files: [file], fips: '33019', source: 'Test county', homeKind: 'real', now: clock },
    });
    await expect(refused).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(`the folder is ${folder}`) as string,
    });
    expect(wholeLand(land)).toEqual(before);
  });

  test('that fills it all the same says which disk is full, and changes nothing', async () => {
    const land = openLand();
    const lots = many(20_000);
    await importLots(land, lots.slice(0, 5));
    const before = wholeLand(land);
    const { folder } = smallTemporaryDisk(2);
    const full = () => importLots(land, lots);
    await expect(full()).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(`The disk is full.*the folder is ${folder}`) as string,
    });
    expect(wholeLand(land)).toEqual(before);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test('does not unpack an archive there, and says where there is no room', async () => {
    const land = openLand();
    const zip = writeFile('lots.zip', makeZip([{ name: 'lots.geojson', content: collection(many(8000)) }]));
    const { folder } = smallTemporaryDisk(4);
    const refused = importParcels(land, {
      ...{ files: [zip], fips: '33019', source: 'Test county', homeKind: 'real', now: clock, space: roomEnough },
    });
    await expect(refused).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(`too little room.*${folder}`) as string,
    });
  });
});
