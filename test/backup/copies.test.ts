/** Daily copies, the copy to share, and where a home had better not lie. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { keepDailyCopies, listDailyCopies, makeDailyCopy } from '../../engine/backup/daily-copies.ts';
import { isNetworkFolder, refuseNetworkFolder, syncedBy, syncWarning } from '../../engine/backup/home-place.ts';
import { shareLand } from '../../engine/backup/share-land.ts';
import { openAccountStore } from '../../engine/store/account-store.ts';
import { openLandStore } from '../../engine/store/land-store.ts';
import { gdalOrSkip } from '../support/gdal.ts';
import { emptyHome } from '../support/homes.ts';
import { openUntilEnd, workedHome } from './backup-homes.ts';

const day = (number: number): Date => new Date(Date.UTC(2026, 10, number, 9));

describe('daily copies of account.sqlite', () => {
  test('are one a day, the last seven', async () => {
    const home = await workedHome('kept');
    const engine = openUntilEnd(home);
    for (let number = 1; number <= 9; number++) {
      expect(makeDailyCopy(home, engine.account, day(number))).toBe(`account-2026-11-0${number}.sqlite`);
      expect(makeDailyCopy(home, engine.account, day(number))).toBe(null);
    }
    expect(listDailyCopies(home).map((copy) => copy.day)).toEqual(
      [9, 8, 7, 6, 5, 4, 3].map((number) => `2026-11-0${number}`),
    );
    const folder = emptyHome();
    fs.copyFileSync(path.join(home, 'backups', 'account-2026-11-03.sqlite'), path.join(folder, 'account.sqlite'));
    const copy = openAccountStore(folder);
    expect(copy.file.column('SELECT text FROM notes')).toEqual(['kept']);
    copy.close();
  });

  test('are made at the start, and a failure is reported and stops nothing', async () => {
    const home = await workedHome();
    const engine = openUntilEnd(home);
    const told: unknown[] = [];
    fs.writeFileSync(path.join(home, 'backups'), 'a file where the folder should be');
    keepDailyCopies(engine, (error) => told.push(error))();
    expect(told).toHaveLength(1);
    fs.rmSync(path.join(home, 'backups'));
    keepDailyCopies(engine, (error) => told.push(error))();
    expect(told).toHaveLength(1);
    expect(listDailyCopies(home)).toHaveLength(1);
  });
});

describe('a copy to share', () => {
  test('has the parcels and nothing of people, work or imports', async () => {
    const home = await workedHome('SECRET NOTE');
    const engine = openUntilEnd(home);
    engine.land.file.run('UPDATE datasets SET report = \'{"files":["/home/somebody/SECRET.zip"]}\'');
    engine.people.file.run("INSERT INTO contacts (source, first_name, last_name) VALUES ('test', 'SECRET', 'PERSON')");
    const folder = emptyHome();
    const file = path.join(folder, 'land.sqlite');
    const report = await shareLand(home, file);
    expect(report).toMatchObject({ file, parcels: 50 });
    expect(fs.readdirSync(folder)).toEqual(['land.sqlite']);
    expect(fs.readFileSync(file).includes('SECRET')).toBe(false);
    const land = openLandStore(folder, () => 0);
    expect(land.parcelCount).toBe(50);
    land.close();
  });

  test('wants the name that QGIS wants', async () => {
    const home = await workedHome();
    await expect(shareLand(home, path.join(emptyHome(), 'land.db'))).rejects.toThrow(/ends in \.sqlite/);
  });

  test.runIf(gdalOrSkip('the copy to share'))('is a layer for GDAL', async () => {
    const { execFileSync } = await import('node:child_process');
    const file = path.join(emptyHome(), 'land.sqlite');
    await shareLand(await workedHome(), file);
    expect(execFileSync('ogrinfo', ['-so', file, 'parcels'], { encoding: 'utf8' })).toContain('Feature Count: 51');
  });
});

describe('where a home lies', () => {
  test.each([
    ['C:\\Users\\a\\OneDrive\\Platbook', 'OneDrive'],
    ['C:\\Users\\a\\OneDrive - Company\\Platbook', 'OneDrive'],
    ['/home/a/Dropbox/platbook', 'Dropbox'],
    ['/Users/a/Library/Mobile Documents/com~apple~CloudDocs/Platbook', 'iCloud Drive'],
    ['/Users/a/Library/CloudStorage/GoogleDrive-a@b.c/My Drive/Platbook', 'Google Drive'],
    ['/home/a/.local/share/platbook', null],
    ['/home/a/dropboxes/platbook', null],
  ])('%s is copied by %s', (folder, name) => {
    expect(syncedBy(folder)).toBe(name);
    expect(syncWarning(folder) === null).toBe(name === null);
  });

  test('a network folder is refused, a folder of this computer is not', () => {
    expect(isNetworkFolder('\\\\server\\share\\platbook', 'win32')).toBe(true);
    expect(isNetworkFolder('C:\\Platbook', 'win32')).toBe(false);
    expect(isNetworkFolder(emptyHome())).toBe(false);
    expect(() => refuseNetworkFolder('\\\\server\\share\\platbook', 'win32')).toThrow(
      /Copy the folder to this computer/,
    );
  });
});
