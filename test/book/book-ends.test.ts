/** `platbook book` that ends early or finds no room: the earlier file stays, nothing lies beside it, and the reason is said. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyOfHome, emptyHome, sampleHome } from '../support/homes.ts';
import { ended, platbook, platbookRunning } from '../support/platbook.ts';
import { requireOrSkip } from '../support/require.ts';
import { measured } from '../support/runs.ts';
import { canMakeDisk, smallDisk } from '../support/small-disk.ts';

const hasDisks = requireOrSkip('small disks', canMakeDisk(), 'only the superuser of a Linux machine makes them');
const isLinux = process.platform === 'linux';

/** Whether a file can be protected from its own user. */
function canProtect(): boolean {
  if (!isLinux) return false;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-protected-'));
  const file = path.join(folder, 'file');
  fs.writeFileSync(file, '');
  const can = spawnSync('chattr', ['+i', file]).status === 0;
  if (can) spawnSync('chattr', ['-i', file]);
  fs.rmSync(folder, { recursive: true });
  return can;
}
const hasProtection = requireOrSkip(
  'protected files',
  canProtect(),
  'only the superuser of a Linux machine protects them',
);

/** A folder with a book of before. */
function folderWithBook(): { readonly folder: string; readonly file: string } {
  const folder = emptyHome();
  const file = path.join(folder, 'county.pdf');
  fs.writeFileSync(file, 'the old book');
  return { folder, file };
}

const oldBookIn = (folder: string) => {
  expect(fs.readdirSync(folder)).toEqual(['county.pdf']);
  expect(fs.readFileSync(path.join(folder, 'county.pdf'), 'utf8')).toBe('the old book');
};

/** A book of the sample under way: some of it is on the disk. */
async function bookUnderWay() {
  const { folder, file } = folderWithBook();
  const running = platbookRunning(copyOfHome(sampleHome()), 'book', file);
  onTestFinished(() => void running.child.kill('SIGKILL'));
  const growing = () =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => path.basename(name) === 'whole')
      .reduce((sum, name) => sum + (fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  await expect.poll(growing, { timeout: 90_000, interval: 5 }).toBeGreaterThan(100_000);
  return { ...running, folder, file };
}

describe('a book', { timeout: 180_000 }, () => {
  test('that is interrupted leaves the earlier file alone', async () => {
    const { child, finished, folder } = await bookUnderWay();
    const from = performance.now();
    child.kill('SIGINT');
    expect(await finished).toEqual({ code: 130, out: '', err: 'platbook: Cancelled; nothing was changed.' });
    const seconds = (performance.now() - from) / 1000;
    measured(`${seconds.toFixed(2)} s from Ctrl+C to the end of the command`, ['1 s', seconds <= 1]);
    oldBookIn(folder);
  });

  test.runIf(isLinux)(
    'whose processes are killed leaves the earlier file, and the next one removes what lies beside it',
    async () => {
      const { child, folder, file } = await bookUnderWay();
      const gone = ended(child);
      const workers = fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
      for (const pid of [child.pid as number, ...workers.map(Number)]) process.kill(pid, 'SIGKILL');
      await gone;
      expect(fs.readFileSync(file, 'utf8')).toBe('the old book');
      expect(fs.readdirSync(folder).filter((name) => name.endsWith('.pdf'))).toEqual(['county.pdf']);
      const next = await platbook(
        copyOfHome(sampleHome()),
        'book',
        file,
        '--filter',
        '{"county":"99001","acres_min":200}',
      );
      expect(next.code).toBe(0);
      expect(fs.readdirSync(folder)).toEqual(['county.pdf']);
      expect(fs.readFileSync(file).subarray(-6).toString()).toBe('%%EOF\n');
    },
  );

  test.runIf(hasDisks)('that does not fit on its disk', async () => {
    const disk = smallDisk(1);
    onTestFinished(disk.remove);
    fs.writeFileSync(path.join(disk.folder, 'county.pdf'), 'the old book');
    const { code, out, err } = await platbook(copyOfHome(sampleHome()), 'book', path.join(disk.folder, 'county.pdf'));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe('platbook: The disk is full: county.pdf was not written, and nothing of it was left behind.');
    oldBookIn(disk.folder);
  });

  test.runIf(hasProtection)('over a file that is protected names the file', async () => {
    const { folder, file } = folderWithBook();
    spawnSync('chattr', ['+i', file]);
    try {
      const { code, err } = await platbook(
        copyOfHome(sampleHome()),
        'book',
        file,
        '--filter',
        '{"county":"99001","acres_min":200}',
      );
      expect({ code, err }).toEqual({
        code: 1,
        err: 'platbook: county.pdf cannot be replaced (EPERM): it is protected, or open in another program. It stays as it was.',
      });
      oldBookIn(folder);
    } finally {
      spawnSync('chattr', ['-i', file]);
    }
  });
});
