import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { columnTypes, type ParcelColumn, storedColumns } from '../../engine/spec/parcel-columns.ts';
import { openAccountStore } from '../../engine/store/account-store.ts';
import { openLandStore } from '../../engine/store/land-store.ts';
import { accountMigrations } from '../../engine/store/migrations/account.ts';
import { landMigrations } from '../../engine/store/migrations/land.ts';
import { parcelsSql, withLaterColumns } from '../../engine/store/migrations/parcels-table.ts';
import { peopleMigrations } from '../../engine/store/migrations/people.ts';
import { openPeopleStore } from '../../engine/store/people-store.ts';
import { emptyHome } from '../support/homes.ts';

const openers = {
  'land.sqlite': (home: string) => openLandStore(home, () => 0),
  'people.sqlite': openPeopleStore,
  'account.sqlite': openAccountStore,
};
const names = Object.keys(openers) as (keyof typeof openers)[];

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'nothing was thrown';
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}

function madeFile(name: keyof typeof openers): { home: string; file: string } {
  const home = emptyHome();
  openers[name](home).close();
  return { home, file: path.join(home, name) };
}

describe.each(names)('%s', (name) => {
  const open = openers[name];

  test('is made on first opening, whole, and closes without leaving a log behind', () => {
    const { home, file } = madeFile(name);
    expect(fs.readdirSync(home)).toEqual([name]);
    expect(fs.statSync(file).size).toBeGreaterThan(4096);
  });

  test('is refused when it has no bytes', () => {
    const home = emptyHome();
    fs.writeFileSync(path.join(home, name), '');
    expect(codeOf(() => open(home))).toBe('file_empty');
  });

  test('is refused when it is no database', () => {
    const home = emptyHome();
    fs.writeFileSync(path.join(home, name), 'APN,OWNER\n'.repeat(100));
    expect(codeOf(() => open(home))).toBe('file_not_sqlite');
  });

  test('is refused when another program made it', () => {
    const home = emptyHome();
    const other = new Database(path.join(home, name));
    other.exec('CREATE TABLE bookmarks (id)');
    other.close();
    expect(codeOf(() => open(home))).toBe('file_foreign');
  });

  test('is refused when a newer Platbook wrote it', () => {
    const { home, file } = madeFile(name);
    const newer = new Database(file);
    newer.pragma('user_version = 99');
    newer.close();
    expect(codeOf(() => open(home))).toBe('file_from_future');
  });

  test('is refused when it is cut short', () => {
    const { home, file } = madeFile(name);
    fs.truncateSync(file, fs.statSync(file).size - 8192);
    expect(['file_damaged', 'file_not_sqlite']).toContain(codeOf(() => open(home)));
  });

  test('is refused when pages inside it are overwritten', () => {
    const { home, file } = madeFile(name);
    const bytes = fs.readFileSync(file);
    bytes.fill(0xa5, 8192, bytes.length - 4096);
    fs.writeFileSync(file, bytes);
    expect(codeOf(() => open(home))).toBe('file_damaged');
  });

  test('is refused when it holds a trigger that Platbook did not make', () => {
    const { home, file } = madeFile(name);
    const stranger = new Database(file);
    const table = { 'land.sqlite': 'datasets', 'people.sqlite': 'contacts', 'account.sqlite': 'api_keys' }[name];
    stranger.exec(`CREATE TRIGGER sneaky AFTER INSERT ON ${table} BEGIN SELECT 1; END`);
    stranger.close();
    expect(codeOf(() => open(home))).toBe('file_suspicious');
  });

  test('keeps every byte when it is refused', () => {
    const { home, file } = madeFile(name);
    const newer = new Database(file);
    newer.pragma('user_version = 99');
    newer.close();
    const before = fs.readFileSync(file);
    codeOf(() => open(home));
    expect(fs.readFileSync(file).equals(before)).toBe(true);
    expect(fs.readdirSync(home)).toEqual([name]);
  });
});

test('a home in a folder that cannot be made is refused by name', () => {
  const home = emptyHome();
  fs.writeFileSync(path.join(home, 'plain-file'), '');
  expect(codeOf(() => openEngine({ home: path.join(home, 'plain-file', 'home') }))).toBe('home_missing');
});

test('the parcels table holds the stored columns of the dictionary; those of the first release come first, in its order', () => {
  const land = openLandStore(emptyHome(), () => 0);
  const columns = land.file.pragmaRows('table_info(parcels)').map((row) => `${String(row.name)} ${String(row.type)}`);
  const named = (some: readonly ParcelColumn[]) => some.map(({ name, type }) => `${name} ${columnTypes[type].sql}`);
  const first = named(storedColumns.filter(({ since }) => since === undefined));
  const internal = 'dataset_id INTEGER, apn_key TEXT, mailing_key TEXT, tax_delinquent_years INTEGER, point_lon REAL';
  const own = `${internal}, point_lat REAL, geom MULTIPOLYGON`.split(', ');
  expect(columns.slice(0, first.length + own.length)).toEqual([...first, ...own]);
  expect(columns.toSorted()).toEqual([...named(storedColumns), ...own].toSorted());
  land.close();
});

test('a later column is added by its migration: a table of before gets what a new one gets', () => {
  const later = {
    group: 'use',
    label: 'Use of late',
    docs: 'A later one.',
    type: 'text',
    origin: 'published',
  } as const;
  const columns: ParcelColumn[] = [
    { ...later, name: 'late_use', since: 3 },
    { ...later, name: 'late_acres', type: 'number', since: 5 },
  ];
  const written = [parcelsSql, 'CREATE TABLE others (id);', 'CREATE INDEX parcels_late ON parcels (late_use);'];
  const migrations = withLaterColumns(written, columns);
  expect(migrations.length).toBe(5);
  expect(migrations.slice(0, 2)).toEqual(written.slice(0, 2));
  const schemas = [0, 2].map((versions) => {
    const database = new Database(':memory:');
    for (const migration of migrations.slice(0, versions)) database.exec(migration);
    if (versions > 0) database.exec("INSERT INTO parcels (apn, geom) VALUES ('1-2', x'00')");
    for (const migration of migrations.slice(versions)) database.exec(migration);
    if (versions > 0)
      expect(database.prepare('SELECT apn, late_use, late_acres FROM parcels').all()).toEqual([
        { apn: '1-2', late_use: null, late_acres: null },
      ]);
    const names = database.prepare<[], string>("SELECT name FROM pragma_table_info('parcels')").pluck().all();
    expect(names.slice(-3)).toEqual(['geom', 'late_use', 'late_acres']);
    return database.prepare('SELECT * FROM sqlite_schema').all();
  });
  expect(schemas[1]).toEqual(schemas[0]);
});

/** For each released migration, the first digits of the SHA-256 of its text. New ones are added, none changes. */
const released = {
  'land.sqlite': [landMigrations, 'd39a81ab a059086e 9ac2d65f 38e6fd68 744f07e7 ec48c7ab cd5ee65e b9877007'],
  'people.sqlite': [peopleMigrations, 'e8bb2398 20d025c1 1aef2b78 b9877007'],
  'account.sqlite': [accountMigrations, '80af8b40 b6575fac 1869ac6e d3349928 9c665994 0c431242 7109355e'],
} as const;

test.each(Object.entries(released))('%s: released migrations are as they were', (_name, [migrations, expected]) => {
  const hashes = migrations.map((sql) => createHash('sha256').update(sql).digest('hex').slice(0, 8));
  expect(hashes.slice(0, expected.split(' ').length).join(' ')).toBe(expected);
});

test('account and people survive a power cut, land may lose its last import', () => {
  const home = emptyHome();
  const modes = names.map((name) => {
    const store = openers[name](home);
    const mode = [name, store.file.pragma('journal_mode'), store.file.pragma('synchronous')];
    store.close();
    return mode;
  });
  expect(modes).toEqual([
    ['land.sqlite', 'wal', 1],
    ['people.sqlite', 'wal', 2],
    ['account.sqlite', 'wal', 2],
  ]);
});

test('an identity is never deleted from the registry, and a charge never from the ledger', () => {
  const home = emptyHome();
  const land = openLandStore(home, () => 0);
  land.file.run("INSERT INTO parcel_registry VALUES (1, '33019', '', '12-201', 1, NULL)");
  expect(() => land.file.run('DELETE FROM parcel_registry')).toThrow(/never given again/);
  land.close();
  const account = openAccountStore(home);
  account.file.run(
    "INSERT INTO ledger (call_id, charged_at, period_start, endpoint, mode, tokens, period_total, key_id) VALUES ('call', '2026-11-20T00:00:00.000Z', '2026-11-01T00:00:00.000Z', 'public_comps', 'script', 5, 5, NULL)",
  );
  expect(() => account.file.run('UPDATE ledger SET tokens = 0')).toThrow(/never changed/);
  expect(() => account.file.run('DELETE FROM ledger')).toThrow(/never deleted/);
  account.close();
});

test('every county of the nation is known, in its full legal name', () => {
  const land = openLandStore(emptyHome(), () => 0);
  expect(land.county('33019')).toEqual({ fips: '33019', state: 'NH', name: 'Sullivan County' });
  expect(land.county('51830')?.name).toBe('Williamsburg city');
  expect(land.county('35013')?.name).toBe('Doña Ana County');
  expect(land.county('99001')).toBeUndefined();
  land.close();
});

describe('a land file that other programs worked on', () => {
  const withSql = (sql: string) => {
    const { home, file } = madeFile('land.sqlite');
    const other = new Database(file);
    other.exec(sql);
    other.close();
    return home;
  };

  test('opens when they added a layer of their own, with its triggers', () => {
    const home = withSql(
      'CREATE TABLE my_notes (id INTEGER PRIMARY KEY); CREATE TRIGGER ggi_my_notes AFTER INSERT ON my_notes BEGIN SELECT 1; END',
    );
    openLandStore(home, () => 0).close();
  });

  test('gets its own triggers and indexes back when they were dropped or rewritten', () => {
    const home =
      withSql(`DROP TRIGGER gii_parcels_geom; DROP TRIGGER parcel_registry_is_for_good; DROP INDEX parcels_dataset;
      DROP TRIGGER tmi_parcels_geom; CREATE TRIGGER tmi_parcels_geom AFTER INSERT ON parcels BEGIN DELETE FROM datasets; END`);
    const schema = (folder: string) => {
      const land = openLandStore(folder, () => 0);
      const rows = land.file.all(
        "SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') ORDER BY name",
      );
      land.close();
      return rows;
    };
    expect(schema(home)).toEqual(schema(emptyHome()));
  });

  test('is refused when a table of it is gone', () => {
    const home = withSql('DROP TABLE home_kind');
    expect(codeOf(() => openLandStore(home, () => 0))).toBe('file_damaged');
  });

  test('never gives a number again that they used and deleted', () => {
    const land = openLandStore(emptyHome(), () => 0);
    const append = () => Number(land.file.run("INSERT INTO parcels (fips, apn) VALUES ('33019', 'X')").lastInsertRowid);
    const first = append();
    land.file.run('DELETE FROM parcels');
    expect(append()).toBe(first + 1);
    land.close();
  });
});
