/** What `platbook check` finds in the tables of a home and between its files. */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { backupHome } from '../../engine/backup/backup-home.ts';
import { restoreHome } from '../../engine/backup/restore-home.ts';
import { shareLand } from '../../engine/backup/share-land.ts';
import { checkHome } from '../../engine/check.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { openHomeAtStart } from '../../engine/open-home.ts';
import { homeIdOf } from '../../engine/store/home-identity.ts';
import { openTerrain } from '../../engine/store/terrain-store.ts';
import { type PackedHeights, packHeights, tileSide } from '../../engine/terrain/height-tile.ts';
import { workedHome } from '../backup/backup-homes.ts';
import { createRandom } from '../sample-maker/random.ts';
import { emptyHome } from '../support/homes.ts';

const now = new Date('2026-11-20T12:00:00.000Z');

/** Edits a file as another program does. */
function edit(home: string, name: string, sql: string): void {
  const database = new Database(path.join(home, name));
  database.exec(sql);
  database.close();
}

/** Opens the home for this one look. */
function look<Result>(home: string, at: (engine: Engine) => Result): Result {
  const engine = openEngine({ home, keepsIndexes: false });
  try {
    return at(engine);
  } finally {
    engine.close();
  }
}

const wrong = (home: string) => look(home, (engine) => checkHome(engine).filter(({ ok }) => !ok));
const idsOf = (home: string) =>
  look(home, ({ land, people, account }) => [land, people, account].map(({ file }) => homeIdOf(file)));

test.each([
  ['land.sqlite', 'ALTER TABLE comps RENAME COLUMN longitude TO east', /^comps lacks the column "longitude"$/],
  ['people.sqlite', 'ALTER TABLE contacts DROP COLUMN middle_name', /^contacts lacks the column "middle_name"$/],
  ['account.sqlite', 'ALTER TABLE notes RENAME COLUMN text TO words', /^notes lacks the column "text"$/],
])('a column that is gone from %s is named', async (name, sql, words) => {
  const home = await workedHome();
  expect(wrong(home)).toEqual([]);
  edit(home, name, sql);
  expect(wrong(home)).toContainEqual({
    name: `tables of ${name} are whole`,
    ok: false,
    detail: expect.stringMatching(words),
  });
});

test('a check that cannot be made for it is said, and the others go on', async () => {
  const home = await workedHome();
  edit(home, 'land.sqlite', 'ALTER TABLE comps RENAME COLUMN longitude TO east');
  const results = look(home, checkHome);
  expect(results.filter(({ ok }) => !ok).map(({ name, detail }) => [name, detail])).toEqual([
    ['tables of land.sqlite are whole', 'comps lacks the column "longitude"'],
    ['comp index agrees', expect.stringMatching(/^could not be made: no such column/)],
  ]);
  expect(results.at(-1)?.ok).toBe(true);
});

test('a column that another program added is named, and no fault', async () => {
  const home = await workedHome();
  edit(home, 'account.sqlite', 'ALTER TABLE notes ADD COLUMN colour TEXT');
  const results = look(home, checkHome);
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
  expect(results.find(({ name }) => name === 'tables of account.sqlite are whole')?.detail).toBe(
    'every table has its columns; notes also has "colour", of another program',
  );
});

test('restores a view of Platbook that another program replaced', async () => {
  const home = await workedHome();
  const viewsOf = () =>
    look(home, ({ land }) =>
      land.file.all<{ name: string; sql: string }>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'view' ORDER BY name",
      ),
    );
  const [view] = viewsOf();
  if (!view) throw new Error('expected views of SpatiaLite');
  edit(home, 'land.sqlite', `DROP VIEW "${view.name}"; CREATE VIEW "${view.name}" AS SELECT 1`);
  expect(viewsOf()).toContainEqual(view);
});

test.each([
  ['account.sqlite', "UPDATE journal SET inverse_input = '{x'", /^journal \d+: inverse_input is damaged/],
  ['account.sqlite', "UPDATE lists SET filter = '[1,'", /^lists \d+: filter is damaged/],
  ['land.sqlite', "UPDATE datasets SET report = 'x'", /^datasets \d+: report is damaged/],
])('a text of %s that is no JSON is named with its row, and the home opens: %s', async (name, sql, words) => {
  const home = await workedHome();
  edit(home, name, sql);
  openHomeAtStart({ home, keepsIndexes: false, now: () => now }, { tell: () => {} }).close();
  const named = wrong(home).find((one) => one.name === 'texts of JSON can be read');
  expect(named?.detail).toMatch(words);
});

test('the three files of a home have one id; a file of another home is reported and keeps its own', async () => {
  const [home, other] = [await workedHome(), await workedHome()];
  const [id] = idsOf(home);
  expect(idsOf(home)).toEqual([id, id, id]);
  expect(idsOf(other)[0]).not.toBe(id);
  for (const ending of ['', '-wal', '-shm']) fs.rmSync(path.join(home, `account.sqlite${ending}`), { force: true });
  fs.copyFileSync(path.join(other, 'account.sqlite'), path.join(home, 'account.sqlite'));
  fs.chmodSync(path.join(home, 'account.sqlite'), 0o600);
  expect(wrong(home)).toEqual([
    {
      name: 'files are of one home',
      ok: false,
      detail: expect.stringMatching(/^account\.sqlite belongs to another home than land\.sqlite/),
    },
  ]);
});

test('a home of an older version, a shared copy and a restore of the own work get the id of the home', async () => {
  const home = await workedHome();
  const [id] = idsOf(home);
  for (const name of ['people.sqlite', 'account.sqlite']) edit(home, name, 'DELETE FROM home_identity');
  expect(idsOf(home)).toEqual([id, id, id]);

  const target = path.join(emptyHome(), 'land.sqlite');
  await shareLand(home, target);
  const copy = new Database(target, { readonly: true });
  expect(copy.prepare('SELECT count(*) AS n FROM home_identity').get()).toEqual({ n: 0 });
  copy.close();

  const backup = path.join(emptyHome(), 'b.zip');
  await backupHome(home, backup, { onlyMyWork: true, now });
  const twin = await workedHome();
  const [own] = idsOf(twin);
  await restoreHome(twin, backup, { onlyMyWork: true, now });
  expect(own).not.toBe(id);
  expect(idsOf(twin)).toEqual([own, own, own]);
  expect(wrong(twin)).toEqual([]);
});

test('a bit that changed in stored heights is seen, wherever it is', async () => {
  const home = await workedHome();
  const random = createRandom('bits');
  const file = openTerrain(home);
  const tiles = [1, 2, 3].map((x) => {
    const heights = Float32Array.from({ length: tileSide * tileSide }, () => x * 100 + random.between(0, 40));
    const packed = packHeights(heights) as PackedHeights;
    file.run(
      "INSERT INTO height_tiles VALUES ('99001', 13, ?, 7, ?, ?, ?)",
      x,
      packed.lowest,
      packed.step,
      packed.steps,
    );
    return { x, steps: packed.steps };
  });
  const write = (x: number, steps: Uint8Array) => file.run('UPDATE height_tiles SET steps = ? WHERE x = ?', steps, x);
  expect(wrong(home)).toEqual([]);
  for (let flip = 0; flip < 12; flip++) {
    const { x, steps } = random.pick(tiles);
    const changed = Buffer.from(steps);
    const at = random.integer(0, changed.length - 1);
    changed[at] = (changed[at] as number) ^ (1 << random.integer(0, 7));
    write(x, changed);
    expect(wrong(home)).toEqual([
      {
        name: 'heights can be read',
        ok: false,
        detail: `the heights of 99001 at 13/${x}/7 are damaged: import the elevation file again`,
      },
    ]);
    write(x, steps);
  }
  expect(wrong(home)).toEqual([]);
  file.close();
});
