/** An import when the disk for temporary files, which is not the home's, has too little room. */
import fs from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importParcels } from '../../engine/importing/import-parcels.ts';
import { makeZip } from '../support/make-zip.ts';
import { requireOrSkip } from '../support/require.ts';
import { canMakeDisk, type SmallDisk, smallDisk } from '../support/small-disk.ts';
import { clock, collection, importLots, lot, openLand, wholeLand, writeFile } from './fixtures.ts';

const hasDisks = requireOrSkip('small disks', canMakeDisk(), 'only the superuser of a Linux machine makes them');

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
const roomEnough = () => ({ needed: 0, free: 1 });

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
    const text = lots.map((each) => JSON.stringify({ type: 'Feature', ...each })).join('\n');
    const file = writeFile('lots.geojsonl', text);
    const { folder } = smallTemporaryDisk(2);
    const full = () => importLots(land, lots);
    await expect(full()).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(`The disk is full.*the folder is ${folder}`) as string,
    });
    expect(wholeLand(land)).toEqual(before);
    expect(fs.readdirSync(folder)).toEqual([]);
    // In threads, which give up and leave the work to one.
    const threaded = importParcels(land, {
      ...{ files: [file], fips: '33019', source: 'Test county', homeKind: 'real', now: clock },
      ...{ threads: 2, space: roomEnough },
    });
    await expect(threaded).rejects.toMatchObject({ code: 'disk_full' });
    expect(wholeLand(land)).toEqual(before);
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
