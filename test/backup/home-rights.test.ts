/** Who may read a home: its user alone, in files that are made, and in those that older versions made. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { backupHome } from '../../engine/backup/backup-home.ts';
import { makeDailyCopy } from '../../engine/backup/daily-copies.ts';
import { prepareRestore } from '../../engine/backup/restore-home.ts';
import { checkHome } from '../../engine/check.ts';
import { openEngine } from '../../engine/engine.ts';
import { openHomeAtStart } from '../../engine/open-home.ts';
import { runRead } from '../../engine/reads/index.ts';
import { ownMark } from '../../engine/store/owner-mark.ts';
import { runChange } from '../../engine/work/index.ts';
import { emptyHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';
import { noon, openUntilEnd, workedHome } from './backup-homes.ts';

/** Names below a folder, and the folder itself as '.', that others may read, write or enter. */
const openBelow = (folder: string): string[] =>
  ['.', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })]
    .filter((name) => (fs.lstatSync(path.join(folder, name)).mode & 0o077) !== 0)
    .sort();

const rightsTest = 'closed to other users of this computer';

describe.skipIf(process.platform === 'win32')('other users of the computer', () => {
  test('read nothing of a new home: databases with their logs, copies, lists, mappings, exports', async () => {
    const home = path.join(emptyHome(), 'above', 'home');
    const engine = openUntilEnd(home);
    makeDailyCopy(home, engine.account, noon);
    await runChange(engine, 'save_mapping', { name: 'mine', mapping: { columns: { apn: 'PIN' } } });
    await runRead(engine, 'make_backup', {});
    const names = fs.readdirSync(home, { recursive: true, encoding: 'utf8' });
    expect(names).toEqual(
      expect.arrayContaining([
        'account.sqlite-wal',
        'account.sqlite-shm',
        'people.sqlite',
        path.join('mappings', 'mine.json'),
        path.join('backups', 'account-2026-11-20.sqlite'),
        expect.stringMatching(/^exports.*\.zip$/),
      ]),
    );
    expect(openBelow(home)).toEqual([]);
    expect(checkHome(engine).find(({ name }) => name === rightsTest)).toMatchObject({ ok: true });
  });

  test('read no backup, no copy to share and no export, wherever it is written', async () => {
    const home = await workedHome();
    const folder = emptyHome();
    await backupHome(home, path.join(folder, 'b.zip'), { onlyMyWork: false, now: noon });
    await platbook(home, 'share', path.join(folder, 'land.sqlite'));
    await platbook(home, 'export', path.join(folder, 'parcels.csv'), '--format', 'csv', '--list', 'Letters');
    await platbook(home, 'lake', path.join(folder, 'lake'));
    await platbook(home, 'field-notes', path.join(folder, 'walk.gpx'));
    expect(fs.readdirSync(folder).sort()).toEqual(['b.zip', 'lake', 'land.sqlite', 'parcels.csv', 'walk.gpx']);
    expect(openBelow(folder)).toEqual([]);
  });

  test('read nothing of a planned restore', async () => {
    const file = path.join(emptyHome(), 'b.zip');
    await backupHome(await workedHome(), file, { onlyMyWork: false, now: noon });
    const home = path.join(emptyHome(), 'home');
    await prepareRestore(home, file, { onlyMyWork: false, now: noon });
    expect(openBelow(home)).toEqual([]);
  });

  test('are closed out of a home of an older version when it is opened; it is said once', async () => {
    const home = await workedHome();
    fs.mkdirSync(path.join(home, 'backups'), { mode: 0o755 });
    fs.writeFileSync(path.join(home, 'backups', 'account-2026-11-01.sqlite'), 'x', { mode: 0o644 });
    for (const name of fs.readdirSync(home)) if (name.includes('.')) fs.chmodSync(path.join(home, name), 0o644);
    fs.chmodSync(home, 0o755);
    const told: string[] = [];
    const open = () => openHomeAtStart({ home, keepsIndexes: false }, { tell: (sentence) => told.push(sentence) });
    open().close();
    expect(told).toEqual([expect.stringMatching(/could read 7 files and folders of this home\. Now only you can\./)]);
    expect(openBelow(home)).toEqual([]);
    open().close();
    expect(told).toHaveLength(1);
  });

  test('keep their rights to what is not of Platbook, and to a folder that holds such', async () => {
    const home = await workedHome();
    fs.writeFileSync(path.join(home, 'index.html'), 'mine', { mode: 0o644 });
    fs.chmodSync(home, 0o755);
    fs.chmodSync(path.join(home, 'people.sqlite'), 0o644);
    openUntilEnd(home);
    expect(openBelow(home)).toEqual(['.', 'index.html']);
  });

  test('are reported by check if they can still read', async () => {
    const home = await workedHome();
    const engine = openUntilEnd(home);
    fs.chmodSync(path.join(home, 'people.sqlite'), 0o640);
    expect(checkHome(engine).find(({ name }) => name === rightsTest)).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/^1 file or folder, among them .*people\.sqlite/),
    });
  });
});

describe('what a killed program left', () => {
  const nothingLeft = (home: string) => {
    const engine = openEngine({ home, keepsIndexes: false });
    onTestFinished(() => engine.close());
    return checkHome(engine).find(({ name }) => name === 'nothing is left of killed programs');
  };

  test('goes when the home is opened, and check names it; what others use stays', async () => {
    const home = await workedHome();
    // Programs that other tests kill just now leave folders in the common place of temporary files.
    vi.stubEnv('TMPDIR', emptyHome());
    onTestFinished(() => void vi.unstubAllEnvs());
    const put = (name: string) => {
      fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
      fs.writeFileSync(path.join(home, name), 'x');
    };
    put('restore-20261120-110000.tmp/people.sqlite');
    put('undo/import-7.sqlite');
    put('undo/import-8.part-journal');
    put('undo/my own.txt');
    // No system has a process of this number.
    const deadMark = ownMark.replace(/-\d+$/, '-99999999');
    const [dead = '', alive = ''] = [deadMark, ownMark].map((mark) =>
      fs.mkdtempSync(path.join(os.tmpdir(), `platbook-job-${mark}-`)),
    );
    expect(nothingLeft(home)).toEqual({
      name: 'nothing is left of killed programs',
      ok: true,
      detail: `no half-written files; removed at this opening: restore-20261120-110000.tmp, undo/import-7.sqlite, undo/import-8.part-journal, ${dead}`,
    });
    expect(fs.readdirSync(path.join(home, 'undo'))).toEqual(['my own.txt']);
    expect(fs.existsSync(alive)).toBe(true);
    expect(nothingLeft(home)?.detail).toBe('no half-written files');
  });

  test('undo files of an import that another program runs just now stay', async () => {
    const home = await workedHome();
    const other = openUntilEnd(home);
    fs.mkdirSync(path.join(home, 'undo'), { mode: 0o700 });
    fs.writeFileSync(path.join(home, 'undo', 'import-7.sqlite'), 'x', { mode: 0o600 });
    other.land.file.exec('BEGIN IMMEDIATE');
    expect(nothingLeft(home)).toMatchObject({ ok: true, detail: 'no half-written files' });
    expect(fs.readdirSync(path.join(home, 'undo'))).toEqual(['import-7.sqlite']);
    other.land.file.exec('ROLLBACK');
    expect(nothingLeft(home)?.detail).toMatch(/removed at this opening: undo\/import-7\.sqlite/);
  });
});
