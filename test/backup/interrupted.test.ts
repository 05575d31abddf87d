/** Commands interrupted while they write: no data of people or parcels stays beside their output. */
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { backupHome } from '../../engine/backup/backup-home.ts';
import { plannedRestore, prepareRestore } from '../../engine/backup/restore-home.ts';
import { openPeopleStore } from '../../engine/store/people-store.ts';
import { emptyHome } from '../support/homes.ts';
import { makeZip } from '../support/make-zip.ts';
import { platbookRunning } from '../support/platbook.ts';
import { noon, workedHome } from './backup-homes.ts';

const whole = { onlyMyWork: false, now: noon };
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 60_000, interval: 2 });

/** So much that a backup takes longer than it takes to see it at work. */
async function largeHome(): Promise<string> {
  const home = await workedHome();
  const people = openPeopleStore(home);
  people.file.run('UPDATE contacts SET address = hex(randomblob(30000000))');
  people.close();
  return home;
}

/** A backup that was stopped on its way, as one that waits for a slow disk; its temporary folder is there. */
async function endlessBackup(home: string, folder: string) {
  const before = fs.readdirSync(folder);
  const command = platbookRunning(home, 'backup', path.join(folder, 'b.zip'));
  onTestFinished(() => void command.child.kill('SIGKILL'));
  const added = () => fs.readdirSync(folder).filter((name) => !before.includes(name));
  await eventually(added).toEqual([expect.stringMatching(/^\.platbook-.*\.tmp$/)]);
  command.child.kill('SIGSTOP');
  const temporary = path.join(folder, added()[0] ?? '');
  expect(fs.existsSync(temporary)).toBe(true);
  return { ...command, temporary };
}

describe('an interrupted command', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('leaves nothing behind: a backup and %s', async (signal, code) => {
    const home = await largeHome();
    const folder = emptyHome();
    fs.writeFileSync(path.join(folder, 'b.zip'), 'the one before');
    const { child, finished } = await endlessBackup(home, folder);
    child.kill(signal);
    child.kill('SIGCONT');
    await eventually(() => fs.readdirSync(folder)).toEqual(['b.zip']);
    expect(await finished).toMatchObject({ code, err: expect.stringMatching(/Interrupted/) });
    expect(fs.readdirSync(folder)).toEqual(['b.zip']);
    expect(fs.readFileSync(path.join(folder, 'b.zip'), 'utf8')).toBe('the one before');
  });

  test('leaves nothing behind: a restore', async () => {
    const content = randomBytes(100 << 20);
    const manifest = {
      format: 'platbook-backup',
      version: 1,
      platbook: '0',
      made_at: noon.toISOString(),
      contents: 'my work',
      kind: null,
      files: [
        { name: 'account.sqlite', bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') },
      ],
      identities: [],
    };
    const file = path.join(emptyHome(), 'b.zip');
    const entries = [
      { name: 'account.sqlite', content, isStored: true },
      { name: 'manifest.json', content: JSON.stringify(manifest) },
    ];
    fs.writeFileSync(file, makeZip(entries));
    const home = await workedHome();
    const before = fs.readdirSync(home);
    const { child, finished } = platbookRunning(home, 'restore', file);
    await eventually(() => fs.readdirSync(home).some((name) => name.startsWith('restore-'))).toBe(true);
    child.kill('SIGTERM');
    expect(await finished).toMatchObject({ code: 143 });
    expect(fs.readdirSync(home)).toEqual(before);
  });
});

describe('what a process that was killed has left', () => {
  test('goes with the next file that is written there; what another one still writes stays', async () => {
    const home = await largeHome();
    const folder = emptyHome();
    const killed = await endlessBackup(home, folder);
    killed.child.kill('SIGKILL');
    await killed.finished;
    const alive = await endlessBackup(home, folder);
    // Named as in earlier versions; no process has this number.
    const old = path.join(folder, '.platbook-99999999-1.tmp');
    fs.mkdirSync(old);
    const own = path.join(folder, '.platbook-notes.tmp');
    fs.mkdirSync(own);
    await backupHome(await workedHome(), path.join(folder, 'c.zip'), whole);
    expect(fs.existsSync(killed.temporary)).toBe(false);
    expect(fs.existsSync(old)).toBe(false);
    expect(fs.existsSync(alive.temporary)).toBe(true);
    expect(fs.existsSync(own)).toBe(true);
  });

  test('goes with the next restore, except what is planned', async () => {
    const file = path.join(emptyHome(), 'b.zip');
    await backupHome(await workedHome('saved'), file, whole);
    const home = await workedHome('mine');
    const left = path.join(home, 'restore-20260101-000000.tmp');
    fs.mkdirSync(left);
    fs.writeFileSync(path.join(left, 'people.sqlite'), 'somebody');
    const { from } = await prepareRestore(home, file, whole);
    expect(fs.existsSync(left)).toBe(false);
    expect(fs.existsSync(path.join(home, from, 'people.sqlite'))).toBe(true);
    const next = await prepareRestore(home, file, whole);
    expect(fs.readdirSync(home).filter((name) => name.startsWith('restore-'))).toEqual([next.from]);
    expect(plannedRestore(home)).not.toBe(null);
  });
});
