/** A home that comes from a stranger: nothing outside it is read, written or removed, and it opens or says why not. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { backupHome } from '../../engine/backup/backup-home.ts';
import { homeFiles } from '../../engine/backup/home-files.ts';
import { refuseInUse } from '../../engine/backup/in-use.ts';
import { plannedRestore, prepareRestore } from '../../engine/backup/restore-home.ts';
import { openEngine } from '../../engine/engine.ts';
import { loadNamedMapping, savedMappingNames } from '../../engine/importing/mapping/saved-mappings.ts';
import { openHomeAtStart } from '../../engine/open-home.ts';
import { runRead } from '../../engine/reads/index.ts';
import { openForeignSqlite } from '../../engine/store/foreign-sqlite.ts';
import { openTerrain, removeTerrain } from '../../engine/store/terrain-store.ts';
import { writeUndoFile } from '../../engine/store/undo-store.ts';
import { listBasemaps } from '../../engine/tiles/basemaps/list-basemaps.ts';
import { emptyHome } from '../support/homes.ts';
import { makeZip } from '../support/make-zip.ts';
import { platbook } from '../support/platbook.ts';
import { bytesOf, noon, workedHome } from './backup-homes.ts';

/** A home in a separate folder, so that other files can lie beside it. */
function homeBeside(): { home: string; beside: string } {
  const beside = emptyHome();
  const home = path.join(beside, 'home');
  openEngine({ home, create: true, keepsIndexes: false }).close();
  return { home, beside };
}

/** Opens the home as a program does. @returns the sentences for the user */
function open(home: string): string[] {
  const told: string[] = [];
  openHomeAtStart({ home, keepsIndexes: false, now: () => noon }, { tell: (sentence) => told.push(sentence) }).close();
  return told;
}

const put = (home: string, name: string, content: unknown): void => {
  fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true, mode: 0o700 });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  fs.writeFileSync(path.join(home, name), text, { mode: 0o600 });
};

const fifo = (home: string, name: string): void => {
  fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
  execFileSync('mkfifo', [path.join(home, name)]);
};

const plan = {
  from: 'restore-20261120-110000.tmp',
  aside: 'before-restore-20261120-110000',
  made_at: '2026-11-20T10:00:00.000Z',
  contents: 'whole',
  names: ['aliases.json'],
};

describe('a restore.json that Platbook did not write', () => {
  test.each([
    ['a folder beside the home as what was unpacked', { ...plan, from: '../victim' }, 'from'],
    ['a folder beside the home for what is replaced', { ...plan, aside: '../victim' }, 'aside'],
    ['a file beside the home', { ...plan, names: ['../outside.sh'] }, 'names'],
    ['a file behind two steps', { ...plan, names: ['mappings/../../outside.sh'] }, 'names'],
    ['an absolute path', { ...plan, names: ['/etc/passwd'] }, 'names'],
    ['the home itself', { ...plan, from: '.' }, 'from'],
    ['a file that no home has', { ...plan, names: ['own notes.txt'] }, 'names'],
    ['a folder that is not there', { ...plan, from: 'restore-20261120-110001.tmp' }, 'from'],
    ['nothing', {}, 'from'],
    ['one member more', { ...plan, run: 'rm' }, 'run'],
    ['null', 'null', 'expected a JSON object'],
    ['a list', '[]', 'expected a JSON object'],
    ['no JSON', 'x', 'not JSON'],
  ])('%s: named and set aside, nothing moves, the home opens', (_what, content, named) => {
    const { home, beside } = homeBeside();
    put(beside, 'victim/a.txt', 'mine');
    put(beside, 'outside.sh', 'mine');
    put(home, `${plan.from}/aliases.json`, '{}');
    put(home, 'outside.sh', 'of the stranger');
    put(home, 'own notes.txt', 'mine');
    put(home, 'restore.json', content);
    expect(plannedRestore(home)).toBe(null);
    expect(open(home)).toContainEqual(expect.stringMatching(new RegExp(`^restore.json .*${named}.* set-aside-`)));
    expect(fs.readFileSync(path.join(beside, 'victim', 'a.txt'), 'utf8')).toBe('mine');
    expect(fs.readFileSync(path.join(beside, 'outside.sh'), 'utf8')).toBe('mine');
    expect(fs.readFileSync(path.join(home, 'own notes.txt'), 'utf8')).toBe('mine');
    expect(fs.existsSync(path.join(home, 'restore.json'))).toBe(false);
    expect(fs.existsSync(path.join(home, 'set-aside-20261120-120000', 'restore.json'))).toBe(true);
    expect(open(home)).toEqual([]);
  });

  test('links in what was unpacked, and in the place of it, are not followed', () => {
    const { home, beside } = homeBeside();
    put(beside, 'victim/x.json', 'mine');
    put(home, `${plan.from}/note`, '');
    fs.symlinkSync(path.join(beside, 'victim'), path.join(home, plan.from, 'mappings'));
    put(home, 'restore.json', { ...plan, names: ['mappings/x.json'] });
    expect(plannedRestore(home)).toBe(null);
    expect(open(home)).toContainEqual(expect.stringMatching(/^restore.json .*mappings\/x.json lies behind a link/));
    fs.symlinkSync(path.join(beside, 'victim'), path.join(home, 'mappings'));
    put(home, `${plan.from}/mappings/x.json`, '{}');
    put(home, 'restore.json', { ...plan, names: ['mappings/x.json'] });
    expect(open(home)).toHaveLength(2);
    expect(bytesOf(path.join(beside, 'victim'))).toEqual({ 'x.json': Buffer.from('mine').toString('base64') });
  });

  test('a plan of Platbook itself is carried out, with a mapping in a folder', async () => {
    const saved = await workedHome();
    put(saved, 'mappings/mine.json', '{"name":"mine","columns":{}}');
    const file = path.join(emptyHome(), 'b.zip');
    await backupHome(saved, file, { onlyMyWork: false, now: noon });
    const { home } = homeBeside();
    await prepareRestore(home, file, { onlyMyWork: false, now: noon });
    expect(plannedRestore(home)).toEqual({ made_at: noon.toISOString(), contents: 'whole' });
    expect(open(home)).toContainEqual(expect.stringMatching(/^Restored the backup of 2026-11-20/));
    expect(fs.existsSync(path.join(home, 'mappings', 'mine.json'))).toBe(true);
  });

  test('writing a plan does not write through a link under its name', async () => {
    const file = path.join(emptyHome(), 'b.zip');
    await backupHome(await workedHome(), file, { onlyMyWork: false, now: noon });
    const { home, beside } = homeBeside();
    put(beside, 'victim.txt', 'mine');
    fs.symlinkSync(path.join(beside, 'victim.txt'), path.join(home, 'restore.json.part'));
    await prepareRestore(home, file, { onlyMyWork: false, now: noon });
    expect(fs.readFileSync(path.join(beside, 'victim.txt'), 'utf8')).toBe('mine');
  });
});

describe('links and pipes in a home', () => {
  test.each(['undo', 'backups', 'exports', 'reports', 'mappings', 'mappings/comps'])(
    'the folder %s as a link: it moves aside, and what it leads to stays as it is',
    (name) => {
      const { home, beside } = homeBeside();
      const victim = path.join(beside, 'victim');
      put(beside, 'victim/keep.txt', 'mine');
      put(beside, `victim/${'0'.repeat(32)}/x.csv`, 'mine');
      const before = bytesOf(victim);
      fs.utimesSync(path.join(victim, '0'.repeat(32)), 0, 0);
      fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true, mode: 0o700 });
      fs.symlinkSync(victim, path.join(home, name));
      expect(open(home)).toEqual([
        `${name} in this home is a link to another place, which Platbook does not use; it lies in set-aside-20261120-120000 now.`,
      ]);
      expect(bytesOf(victim)).toEqual(before);
      expect(open(home)).toEqual([]);
    },
  );

  test('a link as the list of problems is not written through', async () => {
    const { home, beside } = homeBeside();
    put(beside, 'victim.txt', 'mine');
    put(home, 'reports/note', '');
    fs.symlinkSync(path.join(beside, 'victim.txt'), path.join(home, 'reports', 'problems.csv'));
    expect(open(home)).toHaveLength(1);
    const engine = openEngine({ home, keepsIndexes: false });
    onTestFinished(() => engine.close());
    await expect(async () => runRead(engine, 'save_problems', {})).rejects.toThrow(/no list of problems/);
  });

  test.each(['land.sqlite', 'people.sqlite', 'account.sqlite'])(
    '%s as a link is refused by name, and the file it leads to is not changed',
    (name) => {
      const other = homeBeside();
      const before = bytesOf(other.home);
      const { home } = homeBeside();
      fs.rmSync(path.join(home, name));
      fs.symlinkSync(path.join(other.home, name), path.join(home, name));
      expect(() => open(home)).toThrow(
        expect.objectContaining({ code: 'file_suspicious', message: expect.stringMatching(`${name} is a link`) }),
      );
      expect(bytesOf(other.home)).toEqual(before);
    },
  );

  test.each(['land.sqlite', 'people.sqlite-wal', 'land.sqlite-journal', 'account.sqlite-shm'])(
    '%s as a pipe is refused by name, and does not hold the program up',
    (name) => {
      const { home } = homeBeside();
      fs.rmSync(path.join(home, name), { force: true });
      fifo(home, name);
      expect(() => open(home)).toThrow(
        expect.objectContaining({ code: 'file_suspicious', message: expect.stringMatching(`${name} is a pipe`) }),
      );
    },
  );

  test.each(['a link', 'a pipe'])(
    'terrain.sqlite as %s: the home opens, and no heights are read or written',
    (kind) => {
      const other = homeBeside();
      openTerrain(other.home).close();
      const before = bytesOf(other.home);
      const { home } = homeBeside();
      if (kind === 'a pipe') fifo(home, 'terrain.sqlite');
      else fs.symlinkSync(path.join(other.home, 'terrain.sqlite'), path.join(home, 'terrain.sqlite'));
      expect(open(home)).toEqual([]);
      expect(() => openTerrain(home)).toThrow(
        expect.objectContaining({ code: 'file_suspicious', message: expect.stringContaining(kind) }),
      );
      expect(bytesOf(other.home)).toEqual(before);
    },
  );

  test.each(['restore.json', 'aliases.json', 'mappings/mine.json', 'undo/import-1.sqlite', 'exports'])(
    '%s as a pipe moves aside, and the home opens',
    (name) => {
      const { home } = homeBeside();
      fifo(home, name);
      expect(open(home).join(' ')).toMatch(new RegExp(`${name}.* a pipe`));
      expect(open(home)).toEqual([]);
    },
  );

  test('a kept mapping that is a link or a pipe is none, and no backup takes what it leads to', async () => {
    const home = await workedHome();
    put(home, 'mappings/mine.json', '{"name":"mine","columns":{}}');
    put(path.dirname(home), 'secret.json', '{"password":"x"}');
    onTestFinished(() => fs.rmSync(path.join(path.dirname(home), 'secret.json')));
    fs.symlinkSync(path.join(path.dirname(home), 'secret.json'), path.join(home, 'mappings', 'linked.json'));
    fifo(home, 'mappings/endless.json');
    expect(savedMappingNames(home)).toEqual(['mine']);
    expect(() => loadNamedMapping(home, 'linked')).toThrow();
    const { files } = await backupHome(home, path.join(emptyHome(), 'b.zip'), { onlyMyWork: true, now: noon });
    expect(files.map(({ name }) => name)).toEqual(['account.sqlite', 'aliases.json', 'mappings/mine.json']);
  });

  test('a base map that is a link is named with the reason', () => {
    const { home, beside } = homeBeside();
    put(beside, 'other.mbtiles', 'SQLite format 3');
    fs.mkdirSync(path.join(home, 'basemaps'));
    fs.symlinkSync(path.join(beside, 'other.mbtiles'), path.join(home, 'basemaps', 'a.mbtiles'));
    fifo(home, 'basemaps/b.pmtiles');
    expect(listBasemaps(home).refused).toEqual([
      { file: 'a.mbtiles', reason: expect.stringMatching(/^It is a link to another place/) },
      { file: 'b.pmtiles', reason: expect.stringMatching(/^It is a pipe/) },
    ]);
  });
});

describe('hard links in a home', () => {
  /** A file of the user beside the home, readable by others, and the home's name for it. */
  function linked(home: string, beside: string, name: string): () => void {
    const victim = path.join(beside, 'profile.sh');
    fs.writeFileSync(victim, 'export PATH=/usr/bin; echo hello\n', { mode: 0o644 });
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true, mode: 0o700 });
    fs.rmSync(path.join(home, name), { force: true });
    fs.linkSync(victim, path.join(home, name));
    return () => {
      expect(fs.readFileSync(victim, 'utf8')).toBe('export PATH=/usr/bin; echo hello\n');
      expect(fs.statSync(victim).mode & 0o777).toBe(0o644);
    };
  }

  test.each(
    ['land', 'people', 'account'].flatMap((of) => ['', '-wal', '-shm', '-journal'].map((end) => `${of}.sqlite${end}`)),
  )('%s is refused by name at every door, and the file it shares stays as it is', async (name) => {
    const { home, beside } = homeBeside();
    const expectUnchanged = linked(home, beside, name);
    const refused = expect.objectContaining({
      code: 'file_suspicious',
      message: expect.stringMatching(`${name} is a file that has a second name elsewhere`),
    });
    expect(() => open(home)).toThrow(refused);
    expectUnchanged();
    expect(() => openEngine({ home, keepsIndexes: false })).toThrow(refused);
    const store = homeFiles.find((each) => name.startsWith(each.name));
    expect(() => store?.open(home)).toThrow(refused);
    expect(() => refuseInUse(path.join(home, store?.name ?? ''))).toThrow(refused);
    expectUnchanged();
    for (const command of ['check', 'datasets']) {
      const { code, err } = await platbook(home, command);
      expect(err).toContain('has a second name elsewhere');
      expect(code).not.toBe(0);
    }
    expectUnchanged();
  });

  test.each([
    'aliases.json',
    'restore.json',
    'restore.json.part',
    'mappings/mine.json',
    'mappings/comps/mine.json',
    'photos/0.jpg',
    'undo/import-1.sqlite',
    'undo/import-1.sqlite-wal',
    'undo/redo-1.sqlite-shm',
    'backups/a.zip',
    'exports/0/x.csv',
    'reports/problems.csv',
    'before-restore-20261120-110000/people.sqlite-wal',
  ])('%s moves aside, and the file it shares stays as it is', (name) => {
    const { home, beside } = homeBeside();
    const expectUnchanged = linked(home, beside, name);
    expect(open(home).join(' ')).toMatch(/hard link|second name/);
    expectUnchanged();
    expect(fs.existsSync(path.join(home, name))).toBe(false);
    expect(open(home)).toEqual([]);
  });

  test.each(['', '-wal', '-shm', '-journal'])('terrain.sqlite%s: no heights are read or written', (ending) => {
    const { home, beside } = homeBeside();
    if (ending !== '') openTerrain(home).close();
    const expectUnchanged = linked(home, beside, `terrain.sqlite${ending}`);
    expect(open(home)).toEqual([]);
    expect(() => openTerrain(home)).toThrow(/second name elsewhere/);
    expectUnchanged();
  });

  test.each(['a.mbtiles', 'a.mbtiles-wal', 'a.mbtiles-shm', 'a.mbtiles-journal'])(
    'basemaps/%s: the base map is refused with the reason',
    (name) => {
      const { home, beside } = homeBeside();
      fs.mkdirSync(path.join(home, 'basemaps'));
      logged(path.join(home, 'basemaps', 'a.mbtiles'));
      const expectUnchanged = linked(home, beside, `basemaps/${name}`);
      expect(listBasemaps(home).refused).toEqual([
        { file: 'a.mbtiles', reason: expect.stringMatching(/second name elsewhere/) },
      ]);
      expectUnchanged();
    },
  );

  test.each(['-wal', '-shm', '-journal'])(
    'a GeoPackage with a hard link as its %s is not opened, also where a link leads to it',
    (ending) => {
      const folder = emptyHome();
      logged(path.join(folder, 'lots.gpkg'));
      const expectUnchanged = linked(folder, folder, `lots.gpkg${ending}`);
      fs.mkdirSync(path.join(folder, 'sub'));
      fs.symlinkSync(path.join(folder, 'lots.gpkg'), path.join(folder, 'sub', 'link.gpkg'));
      for (const file of ['lots.gpkg', 'sub/link.gpkg'])
        expect(() => openForeignSqlite(path.join(folder, file))).toThrow(/second name elsewhere/);
      expectUnchanged();
    },
  );

  test('the name that a killed program gave a database while it made it is no other place', () => {
    const { home, beside } = homeBeside();
    const file = path.join(home, 'account.sqlite');
    fs.linkSync(file, `${file}.4711.new`);
    expect(open(home)).toEqual([]);
    fs.linkSync(file, path.join(beside, 'elsewhere'));
    expect(() => open(home)).toThrow(/second name elsewhere/);
  });

  test('a new database does not write through what lies under its names of the moment', () => {
    const { home, beside } = homeBeside();
    for (const name of ['terrain.sqlite', 'undo/import-7.part'])
      for (const ending of ['', '-journal', '-wal']) {
        const expectUnchanged = linked(home, beside, `${name}.${process.pid}.new${ending}`);
        if (name === 'terrain.sqlite') openTerrain(home).close();
        else writeUndoFile(home, 7, 'import', () => {});
        expectUnchanged();
        removeTerrain(home);
      }
  });
});

/** An empty database that keeps a write-ahead log. */
function logged(file: string): void {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE a (b)');
  database.close();
}

test.each(['backup.zip', 'mapping.json'])(
  '%s that a user names and that is a pipe is refused, not waited for',
  async (name) => {
    const folder = emptyHome();
    fifo(folder, name);
    const file = path.join(folder, name);
    const used = name.endsWith('zip')
      ? prepareRestore(emptyHome(), file, { onlyMyWork: false, now: noon })
      : (async () => loadNamedMapping(emptyHome(), file))();
    await expect(used).rejects.toMatchObject({
      code: 'file_missing',
      message: expect.stringMatching(`${name} is a pipe or a device; expected a file`),
    });
  },
);

describe('what a home says in its small files', () => {
  test.each([
    ['the name of a filter', '{"filters":{"acres_min":"acres_max"}}', /"acres_min" is a filter itself/],
    ['an unknown filter', '{"filters":{"size":"acress"}}', /which is not a filter; did you mean acres/],
    ['no names', 'null', /expected \{"filters"/],
    ['a list', '[]', /expected \{"filters"/],
    ['a text', '"x"', /expected \{"filters"/],
    ['no JSON', '{', /aliases\.json is not JSON/],
    ['too much', `"${'x'.repeat(2 ** 20)}"`, /1,048,578 bytes, more than/],
  ])('aliases.json with %s is named and set aside, and the home opens', (_what, text, expected) => {
    const { home } = homeBeside();
    put(home, 'aliases.json', text);
    const [sentence = '', ...others] = open(home);
    expect(others).toEqual([]);
    expect(sentence).toMatch(expected);
    const [, folder = ''] = /aliases\.json lies in (set-aside-\S+) now/.exec(sentence) ?? [];
    expect(fs.readFileSync(path.join(home, folder, 'aliases.json'), 'utf8')).toBe(text);
    expect(open(home)).toEqual([]);
  });

  test('a backup whose manifest is no object, or names a file twice, is refused in words', async () => {
    const { home } = homeBeside();
    const sha256 = '0'.repeat(64);
    const one = { name: 'aliases.json', bytes: 2, sha256 };
    const manifest = { format: 'platbook-backup', version: 1, platbook: '0', made_at: noon.toISOString() };
    const twice = { ...manifest, contents: 'my work', kind: null, files: [one, one], identities: [] };
    for (const [content, words] of [
      ['null', /manifest has wrong or missing fields/],
      [JSON.stringify(twice), /names "aliases.json" twice/],
    ] as const) {
      const file = path.join(emptyHome(), 'b.zip');
      const entries = [
        { name: 'aliases.json', content: '{}' },
        { name: 'manifest.json', content },
      ];
      fs.writeFileSync(file, makeZip(entries));
      await expect(prepareRestore(home, file, { onlyMyWork: true, now: noon })).rejects.toThrow(words);
    }
  });
});
