/** Backup and restore: what comes back equals what was saved, and replaced files are never lost. */
import { execFileSync, fork, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { backupHome } from '../../engine/backup/backup-home.ts';
import { isSideFile } from '../../engine/backup/home-files.ts';
import {
  cancelRestore,
  finishPlannedRestore,
  finishRestore,
  plannedRestore,
  prepareRestore,
  restoreHome,
} from '../../engine/backup/restore-home.ts';
import { loadNamedMapping, savedMappingNames, saveMapping } from '../../engine/importing/mapping/saved-mappings.ts';
import { compTarget, contactTarget } from '../../engine/importing/values/mapping-target.ts';
import { packageRoot } from '../../engine/package-root.ts';
import { openAccountStore } from '../../engine/store/account-store.ts';
import { runChange } from '../../engine/work/index.ts';
import { copyOfHome, emptyHome } from '../support/homes.ts';
import { makeZip } from '../support/make-zip.ts';
import { platbook } from '../support/platbook.ts';
import { fullSize, measured, runs } from '../support/runs.ts';
import { bytesOf, contentOf, noon, noteOf, openUntilEnd, workedHome } from './backup-homes.ts';

const whole = { onlyMyWork: false, now: noon };
const work = { onlyMyWork: true, now: noon };

const backupOf = async (home: string, options = whole): Promise<string> => {
  const file = path.join(emptyHome(), 'backup.zip');
  await backupHome(home, file, options);
  return file;
};

describe('a backup', () => {
  test('comes back row by row in an empty folder', async () => {
    const home = await workedHome();
    const file = await backupOf(home);
    const other = path.join(emptyHome(), 'new', 'home');
    const report = await restoreHome(other, file, whole);
    expect(report).toMatchObject({ contents: 'whole', kept_in: null, made_at: noon.toISOString() });
    expect([...report.files].sort()).toEqual(
      ['account.sqlite', 'aliases.json', 'land.sqlite', 'people.sqlite', 'undo'].filter((name) => name !== 'undo'),
    );
    expect(contentOf(other)).toEqual(contentOf(home));
    expect(fs.readdirSync(other).sort()).toEqual(['account.sqlite', 'aliases.json', 'land.sqlite', 'people.sqlite']);
  });

  test.each([whole, work])('brings the kept mappings along, of parcels, contacts and comps', async (options) => {
    const home = await workedHome();
    saveMapping(home, 'my_dealer', { columns: { last_name: 'Surname', phone_1: 'Phone 1' } }, contactTarget);
    const redfin = JSON.parse(
      fs.readFileSync(path.join(packageRoot, 'data', 'profiles', 'comps', 'redfin.json'), 'utf8'),
    );
    saveMapping(home, 'my_sales', redfin, compTarget);
    fs.writeFileSync(path.join(home, 'mappings', 'grafton.json'), '{"of":"parcels"}');
    // Neither ours nor finished.
    fs.writeFileSync(path.join(home, 'mappings', 'comps', 'half.json.new'), '{');
    const mappings = bytesOf(path.join(home, 'mappings'));
    const { 'comps/half.json.new': _half, ...finished } = mappings;
    const standing = copyOfHome(home);
    fs.rmSync(path.join(standing, 'mappings'), { recursive: true });
    await restoreHome(standing, await backupOf(home, options), options);
    expect(bytesOf(path.join(standing, 'mappings'))).toEqual(finished);
    expect(savedMappingNames(standing, contactTarget)).toEqual(['my_dealer']);
    expect(loadNamedMapping(standing, 'my_sales', compTarget)).toEqual(loadNamedMapping(home, 'my_sales', compTarget));
  });

  test('can be opened by any zip program', async () => {
    const file = await backupOf(await workedHome());
    const listed = execFileSync('python3', ['-m', 'zipfile', '-l', file], { encoding: 'utf8' });
    expect(listed).toMatch(/account\.sqlite[\s\S]*people\.sqlite[\s\S]*land\.sqlite[\s\S]*manifest\.json/);
    expect(spawnSync('python3', ['-m', 'zipfile', '-t', file], { encoding: 'utf8' }).stdout).toContain('Done testing');
  });

  test('replaces the file of the same name at the end only, and leaves nothing beside it', async () => {
    const home = await workedHome();
    const folder = emptyHome();
    fs.writeFileSync(path.join(folder, 'b.zip'), 'the one before');
    await backupHome(home, path.join(folder, 'b.zip'), whole);
    expect(fs.readdirSync(folder)).toEqual(['b.zip']);
    expect(fs.readFileSync(path.join(folder, 'b.zip')).subarray(0, 2).toString()).toBe('PK');
  });

  test('of more mappings than anybody keeps comes back with all of them', async () => {
    const home = await workedHome();
    const folder = path.join(home, 'mappings', 'contacts');
    fs.mkdirSync(folder, { recursive: true });
    const names = Array.from({ length: 350 }, (_, i) => `list ${i}.json`);
    for (const name of names) fs.writeFileSync(path.join(folder, name), JSON.stringify({ name }));
    const file = await backupOf(home);
    const other = emptyHome();
    await restoreHome(other, file, whole);
    expect(fs.readdirSync(path.join(other, 'mappings', 'contacts')).sort()).toEqual([...names].sort());
    expect(fs.readFileSync(path.join(other, 'mappings', 'contacts', 'list 333.json'), 'utf8')).toBe(
      '{"name":"list 333.json"}',
    );
  });

  test.each([
    ['too many files', 10_000, 10, /holds more than 10,000 files/],
    ['a file that is no mapping any more', 1, 2 << 20, /mappings\/0\.json in it would be 2,097,152 bytes/],
  ])('that no restore would take is not written, and says why: %s', async (_why, count, bytes, words) => {
    const home = await workedHome();
    fs.mkdirSync(path.join(home, 'mappings'));
    for (let i = 0; i < count; i++) fs.writeFileSync(path.join(home, 'mappings', `${i}.json`), Buffer.alloc(bytes));
    const file = path.join(emptyHome(), 'backup.zip');
    await expect(backupHome(home, file, whole)).rejects.toThrow(words);
    expect(fs.readdirSync(path.dirname(file))).toEqual([]);
  });

  test('that does not fit on the disk leaves what was there, and says so', async () => {
    const home = await workedHome();
    const folder = emptyHome();
    fs.writeFileSync(path.join(folder, 'b.zip'), 'the one before');
    const child = path.join(import.meta.dirname, 'backup-child.ts');
    // A file may grow to 64 blocks of 1 KiB here, as on a disk that fills up meanwhile.
    const run = spawnSync(
      'bash',
      ['-c', `ulimit -f 64; exec "$0" "$@"`, process.execPath, child, home, path.join(folder, 'b.zip')],
      { encoding: 'utf8' },
    );
    expect(run.stdout).toMatch(/^disk_full|^disk_trouble/);
    expect(fs.readdirSync(folder)).toEqual(['b.zip']);
    expect(fs.readFileSync(path.join(folder, 'b.zip'), 'utf8')).toBe('the one before');
    expect(fs.readdirSync(home).filter((name) => !/\.(sqlite|json)$/.test(name))).toEqual([]);
  });

  test('made while others write holds a prefix of the commits', {
    timeout: fullSize(60_000, 600_000),
  }, async () => {
    const home = await workedHome();
    const child = fork(path.join(import.meta.dirname, '..', 'support', 'metering-child.ts'), [home], {
      stdio: 'ignore',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let acknowledged = 0;
    child.on('message', (count) => {
      acknowledged = count as number;
    });
    const seen: number[] = [];
    while (acknowledged < 50) await new Promise((resolve) => setTimeout(resolve, 20));
    const backups = runs(4, 4, 20);
    for (let i = 0; i < backups; i++) {
      const before = acknowledged;
      const file = await backupOf(home);
      const other = path.join(emptyHome(), 'home');
      await restoreHome(other, file, whole);
      const account = openAccountStore(other);
      const rows = account.file.all<{ ledger_id: number; tokens: number; period_total: number }>(
        'SELECT ledger_id, tokens, period_total FROM ledger ORDER BY ledger_id',
      );
      expect(account.file.pragma('integrity_check')).toBe('ok');
      account.close();
      // Each row carries the running total: no row is missing, none is half there.
      expect(rows.map(({ ledger_id: id }) => id)).toEqual(rows.map((_, at) => at + 1));
      expect(rows.at(-1)?.period_total).toBe(rows.reduce((sum, { tokens }) => sum + tokens, 0));
      // One charge was made before the child began.
      expect(rows.length).toBeGreaterThanOrEqual(before + 1);
      seen.push(rows.length);
    }
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(new Set(seen).size).toBeGreaterThan(1);
    measured(`${backups} backups of ${seen[0]} to ${seen.at(-1)} charges, each a committed prefix`);
  });
});

describe('a restore', () => {
  test('moves what stood aside, whole', async () => {
    const home = await workedHome('of the backup');
    const file = await backupOf(home);
    const standing = await workedHome('written later');
    fs.mkdirSync(path.join(standing, 'undo'));
    fs.writeFileSync(path.join(standing, 'undo', 'import-1.sqlite'), 'of another history');
    const before = contentOf(standing);
    const { kept_in: kept } = await restoreHome(standing, file, whole);
    expect(noteOf(standing)).toEqual(['of the backup']);
    expect(path.dirname(kept ?? '')).toBe(standing);
    expect(contentOf(kept ?? '')).toEqual(before);
    expect(fs.existsSync(path.join(standing, 'undo'))).toBe(false);
    expect(fs.readFileSync(path.join(kept ?? '', 'undo', 'import-1.sqlite'), 'utf8')).toBe('of another history');
  });

  test('twice in the same second keeps both', async () => {
    const file = await backupOf(await workedHome('a'));
    const standing = await workedHome('b');
    const first = await restoreHome(standing, file, whole);
    const second = await restoreHome(standing, file, whole);
    expect(second.kept_in).not.toBe(first.kept_in);
    expect([noteOf(first.kept_in ?? ''), noteOf(second.kept_in ?? '')]).toEqual([['b'], ['a']]);
  });

  test('of my work alone leaves parcels and people as they are', async () => {
    const home = await workedHome('of the backup');
    const file = await backupOf(home, work);
    const standing = copyOfHome(home);
    const engine = openUntilEnd(standing);
    await runChange(engine, 'add_note', { property_id: 4, text: 'written later' });
    engine.people.file.run("INSERT INTO contacts (source, first_name, last_name) VALUES ('test', 'JOHN', 'OAKES')");
    engine.close();
    const before = contentOf(standing);
    const report = await restoreHome(standing, file, work);
    expect(report).toMatchObject({ contents: 'my work', files: ['account.sqlite', 'aliases.json'] });
    const after = contentOf(standing);
    expect(after['land.sqlite']).toBe(before['land.sqlite']);
    expect(after['people.sqlite']).toBe(before['people.sqlite']);
    expect(noteOf(standing)).toEqual(['of the backup']);
  });

  test('of my work alone is refused where the numbers are of other parcels', async () => {
    const file = await backupOf(await workedHome());
    const standing = await workedHome();
    const engine = openUntilEnd(standing);
    engine.land.file.run("UPDATE parcel_registry SET apn = 'ANOTHER' WHERE property_id = 3");
    engine.close();
    const before = contentOf(standing);
    // Stars on 3 and 5, a list of 7, 8 and 9.
    await expect(restoreHome(standing, file, work)).rejects.toThrow(/1 of 5 parcels .* 102-3 of county 99001/s);
    expect(contentOf(standing)).toEqual(before);
    await expect(restoreHome(emptyHome(), file, work)).rejects.toThrow(/5 of 5 parcels/);
  });

  test('a whole one is not made of my work', async () => {
    const file = await backupOf(await workedHome(), work);
    const report = await restoreHome(copyOfHome(await workedHome()), file, whole);
    expect(report.contents).toBe('my work');
  });

  test('is refused while another program has the home open, and leaves no plan behind', async () => {
    const file = await backupOf(await workedHome());
    const standing = await workedHome('mine');
    const engine = openUntilEnd(standing);
    await expect(restoreHome(standing, file, whole)).rejects.toMatchObject({ code: 'file_locked' });
    expect(plannedRestore(standing)).toBe(null);
    expect(fs.readdirSync(standing).filter((name) => name.includes('restore'))).toEqual([]);
    await runChange(engine, 'add_note', { property_id: 4, text: 'goes on' });
    engine.close();
    expect(noteOf(standing)).toEqual(['mine', 'goes on']);
  });

  test('replaces a damaged home, and keeps the damaged file', async () => {
    const file = await backupOf(await workedHome('saved'));
    const standing = await workedHome();
    fs.writeFileSync(path.join(standing, 'account.sqlite'), 'no database at all');
    const { kept_in: kept } = await restoreHome(standing, file, whole);
    expect(noteOf(standing)).toEqual(['saved']);
    expect(fs.readFileSync(path.join(kept ?? '', 'account.sqlite'), 'utf8')).toBe('no database at all');
  });

  test('that stops at any rename is finished by the next start', async () => {
    const file = await backupOf(await workedHome('saved'));
    const template = await workedHome('mine');
    const expected = contentOf(template);
    let stops = 0;
    for (let at = 1; ; at++) {
      const home = copyOfHome(template);
      await prepareRestore(home, file, whole);
      const real = fs.renameSync;
      let renames = 0;
      const spy = vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
        if (++renames === at) throw new Error('the power is gone');
        real(from, to);
      });
      let finished = false;
      try {
        finishRestore(home);
        finished = true;
      } catch {
        stops++;
      }
      spy.mockRestore();
      const report = finished ? null : finishPlannedRestore(home);
      expect(noteOf(home)).toEqual(['saved']);
      expect(plannedRestore(home)).toBe(null);
      if (finished) break;
      expect(contentOf(report?.kept_in ?? '')).toEqual(expected);
    }
    // Three databases and aliases.json, each aside and in place.
    expect(stops).toBe(8);
  });

  test('that is planned waits for the start, and can be taken back', async () => {
    const file = await backupOf(await workedHome('saved'));
    const home = await workedHome('mine');
    const engine = openUntilEnd(home);
    const planned = await runChange(engine, 'plan_restore', { file });
    expect(planned.data).toEqual({ made_at: noon.toISOString(), contents: 'whole' });
    expect(plannedRestore(home)).toEqual({ made_at: noon.toISOString(), contents: 'whole' });
    // A command must not do it under a running app.
    expect(finishPlannedRestore(home)).toBe(null);
    expect(cancelRestore(home)).toBe(true);
    await runChange(engine, 'plan_restore', { file });
    engine.close();
    expect(finishPlannedRestore(home)?.files).toContain('land.sqlite');
    expect(noteOf(home)).toEqual(['saved']);
  });
});

describe('a file that is not a backup', () => {
  const cases: [string, () => Promise<Buffer>, RegExp][] = [
    ['a text', async () => Buffer.from('hello'), /not a backup of Platbook, or it is cut off/],
    ['an empty file', async () => Buffer.alloc(0), /not a backup of Platbook, or it is cut off/],
    ['half a backup', async () => halved(fs.readFileSync(await backupOf(await workedHome()))), /cut off/],
    [
      'a zip of other things',
      async () => makeZip([{ name: 'photo.jpg', content: 'x' }]),
      /"photo.jpg", which no backup does/,
    ],
    [
      'a way out of the folder',
      async () => makeZip([{ name: '../account.sqlite', content: 'x' }]),
      /damaged|no backup/,
    ],
    ['one without a manifest', async () => makeZip([{ name: 'account.sqlite', content: 'x' }]), /no manifest/],
    [
      'a manifest of nothing',
      async () => makeZip([{ name: 'manifest.json', content: '{}' }]),
      /manifest has wrong or missing fields/,
    ],
    [
      'one of the future',
      async () => makeZip([{ name: 'manifest.json', content: '{"version":99}' }]),
      /newer Platbook/,
    ],
    [
      'one of the future with files of a kind that is not known yet',
      async () =>
        makeZip([
          { name: 'pictures/barn.jpg', content: Buffer.alloc(2 << 20) },
          { name: 'manifest.json', content: '{"version":99}' },
        ]),
      /newer Platbook/,
    ],
    ['another checksum', async () => withManifest('0'.repeat(64), 'content'), /checksum/],
    [
      'a bomb',
      async () => makeZip([{ name: 'account.sqlite', content: Buffer.alloc(200 << 20) }]),
      /more than a backup may hold/,
    ],
    ['a foreign database', async () => withManifest(null, fs.readFileSync(foreignDatabase())), /another program|not a/],
  ];
  test.each(cases)('is refused: %s', async (_name, make, reason) => {
    const home = await workedHome();
    const file = path.join(emptyHome(), 'bad.zip');
    fs.writeFileSync(file, await make());
    const before = bytesOf(home);
    await expect(restoreHome(home, file, whole)).rejects.toThrow(reason);
    expect(bytesOf(home)).toEqual(before);
  });

  test.each([
    'mappings/others/a.json',
    'mappings/contacts/../../a.json',
    'mappings/contacts/more/a.json',
    'mappings/contacts/.a.json',
    'mappings/comps/a.json/',
    'mappings//a.json',
    '/mappings/a.json',
  ])('is refused for a name that no backup gives: %s', async (name) => {
    expect(isSideFile(name)).toBe(false);
    const home = await workedHome();
    const file = path.join(emptyHome(), 'bad.zip');
    fs.writeFileSync(file, makeZip([{ name, content: '{}' }]));
    await expect(restoreHome(home, file, whole)).rejects.toThrow(/which no backup does|directory is damaged/);
  });

  const halved = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1);

  function foreignDatabase(): string {
    const file = path.join(emptyHome(), 'foreign.sqlite');
    execFileSync('python3', [
      '-c',
      'import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute("create table t(a)"); c.commit()',
      file,
    ]);
    return file;
  }
});

/** A backup whose account.sqlite is this, under this checksum, or the right one. */
async function withManifest(sum: string | null, content: Buffer | string): Promise<Buffer> {
  const { createHash } = await import('node:crypto');
  const sha256 = sum ?? createHash('sha256').update(content).digest('hex');
  const manifest = {
    format: 'platbook-backup',
    version: 1,
    platbook: '0',
    made_at: noon.toISOString(),
    contents: 'my work',
    kind: null,
    files: [{ name: 'account.sqlite', bytes: Buffer.byteLength(content), sha256 }],
    identities: [],
  };
  return makeZip([
    { name: 'account.sqlite', content },
    { name: 'manifest.json', content: JSON.stringify(manifest) },
  ]);
}

describe('the command line', () => {
  test('backs up and restores, and says where the rest is', async () => {
    const home = await workedHome('saved');
    const folder = emptyHome();
    const file = path.join(folder, 'b.zip');
    const made = await platbook(home, 'backup', file);
    expect(made).toMatchObject({ code: 0 });
    expect(made.out).toMatch(/b\.zip: \d+ kB, account\.sqlite .*people\.sqlite .*land\.sqlite/);
    const standing = await workedHome('mine');
    const restored = await platbook(standing, 'restore', file);
    expect(restored.code).toBe(0);
    expect(restored.out).toMatch(
      /^Restored account\.sqlite, people\.sqlite, land\.sqlite, aliases\.json as of 20.*\nThe previous files are kept in .*before-restore-/,
    );
    expect(noteOf(standing)).toEqual(['saved']);
    expect(await platbook(standing, 'restore', path.join(folder, 'none.zip'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/cannot be read \(ENOENT\)/),
    });
    const foreign = path.join(folder, 'foreign.zip');
    fs.writeFileSync(foreign, 'no zip at all');
    expect(await platbook(standing, 'restore', foreign)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/not a backup of Platbook.*Nothing was changed/),
    });
    expect(noteOf(standing)).toEqual(['saved']);
  });
});
