import fs from 'node:fs';
import { expect, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import { copyOfHome, engineOn, sampleHome } from '../support/homes.ts';
import { platbook, platbookRunning } from '../support/platbook.ts';

test('SQL over the land file answers rows, by position and by name, with what the filters count', async () => {
  const engine = engineOn(sampleHome());
  const { data } = await engine.call('filter_properties', { county: '99001', zoning_codes: ['AG'] });
  const text = "SELECT count(*) AS n FROM parcels WHERE status = 'current' AND fips = ? AND zoning = ?";
  expect(engine.sql(text, ['99001', 'AG'])).toEqual([{ n: data.count }]);
  expect(engine.sql<{ n: number }>('SELECT :a + :b AS n', { a: 1, b: 2 })[0]?.n).toBe(3);
  expect(engine.sql('SELECT apn FROM parcels WHERE property_id = -1')).toEqual([]);
});

test('questions after a change see the change', () => {
  const engine = engineOn(sampleHome());
  const owner = () =>
    engine.sql<{ owner_name: string }>('SELECT owner_name FROM parcels WHERE property_id = 1')[0]?.owner_name;
  owner();
  engine.land.file.run("UPDATE parcels SET owner_name = 'NEW OWNER' WHERE property_id = 1");
  expect(owner()).toBe('NEW OWNER');
});

test.each([
  ['a change', "UPDATE parcels SET apn = 'x'"],
  ['a change that returns rows', 'DELETE FROM parcels RETURNING apn'],
  ['a new table', 'CREATE TABLE mine (n)'],
  ['another file', "ATTACH 'other.sqlite' AS other"],
  ['a copy of the file', "VACUUM INTO 'copy.sqlite'"],
  ['two statements', 'SELECT 1; SELECT 2'],
  ['a mistake', 'SELEC 1'],
  ['an unknown table', 'SELECT * FROM plots'],
  ['nothing', ''],
])('%s is refused, and nothing is changed', (_what, text) => {
  const engine = engineOn(sampleHome());
  const before = engine.sql('SELECT total(property_id) AS sum, count(*) AS n FROM parcels');
  expect(() => engine.sql(text)).toThrow(
    expect.objectContaining({ code: 'validation_error', message: expect.stringMatching(/^sql: /) }),
  );
  expect(engine.sql('SELECT total(property_id) AS sum, count(*) AS n FROM parcels')).toEqual(before);
});

test.each([
  'PRAGMA query_only = OFF',
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA mmap_size = 100000000000',
  'PRAGMA cache_size(-100000000)',
  'PRAGMA temp_store_directory = "/"',
  '-- a remark\n/* another */ pragma main.locking_mode=exclusive',
  'EXPLAIN PRAGMA locking_mode = EXCLUSIVE',
  ';PRAGMA mmap_size(5)',
  "PRAGMA/**/locking_mode='exclusive'",
  'PRAGMA table_info = parcels; PRAGMA mmap_size = 5',
])('%s is refused before SQLite sees it', (text) => {
  const engine = engineOn(sampleHome());
  expect(() => engine.sql(text)).toThrow(/^sql: /);
  expect(engine.sql('SELECT * FROM pragma_locking_mode')).toEqual([{ locking_mode: 'normal' }]);
  expect(() => engine.sql('DELETE FROM parcels RETURNING apn')).toThrow('sql: ');
});

test('pragmas that tell of tables are answered, and the word may stand in a text', () => {
  const engine = engineOn(sampleHome());
  expect(engine.sql<{ name: string }>('PRAGMA table_info(parcels)').map(({ name }) => name)).toContain('apn');
  expect(engine.sql('PRAGMA user_version')).toEqual([{ user_version: expect.any(Number) }]);
  expect(engine.sql('SELECT \'PRAGMA x\' AS "PRAGMA" -- PRAGMA')).toEqual([{ PRAGMA: 'PRAGMA x' }]);
});

test('platbook sql prints a table or JSON, and its refusal in one line', async () => {
  const home = copyOfHome(sampleHome());
  const text = 'SELECT fips, count(*) AS parcels FROM parcels GROUP BY fips';
  expect((await platbook(home, 'sql', text)).out).toMatch(/^fips +parcels\n99001 +\d+$/);
  expect(JSON.parse((await platbook(home, 'sql', text, '--json')).out)).toEqual([
    { fips: '99001', parcels: expect.any(Number) },
  ]);
  const refused = await platbook(home, 'sql', 'DROP TABLE parcels');
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^platbook: sql: expected one statement/) });
});

/** Counts for longer than any test may take. */
const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS rows FROM n';

test('a query that takes too long is stopped at its limit, and the next one is answered', () => {
  const engine = engineOn(sampleHome());
  for (let round = 0; round < 2; round++) {
    expect(() => engine.sql(endless, [], { seconds: 0.3 })).toThrow(
      expect.objectContaining({
        code: 'validation_error',
        message: expect.stringMatching(/^sql: stopped after 0\.3 seconds/),
      }),
    );
    expect(engine.sql('SELECT 1 AS n')).toEqual([{ n: 1 }]);
  }
});

test.each([0, -1, Number.NaN, 1e9])('a limit of %d seconds is refused', (seconds) => {
  const engine = engineOn(sampleHome());
  expect(() => engine.sql('SELECT 1', [], { seconds })).toThrow(/^seconds: expected more than 0/);
});

test('numbers, texts, bytes and large numbers come as they are kept', () => {
  const engine = engineOn(sampleHome());
  const [row] = engine.sql<{ bytes: Uint8Array }>(
    "SELECT 1.5 AS real, 'ü' AS text, x'0102' AS bytes, NULL AS none, ? AS n",
    [9007199254740991n],
  );
  expect(row).toMatchObject({ real: 1.5, text: 'ü', none: null, n: 9007199254740991 });
  expect([...(row?.bytes ?? [])]).toEqual([1, 2]);
});

test('a home is closed with nothing beside its files', () => {
  const home = copyOfHome(sampleHome());
  const engine = openEngine({ home, keepsIndexes: false });
  engine.sql('SELECT count(*) AS n FROM parcels');
  engine.close();
  expect(fs.readdirSync(home).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a process whose caller was killed ends at the limit',
  async () => {
    const home = copyOfHome(sampleHome());
    const { child, finished } = platbookRunning(home, 'sql', '--seconds', '5', endless);
    const answering = () =>
      fs
        .readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .filter((id) => {
          try {
            return fs.readFileSync(`/proc/${id}/cmdline`, 'utf8').match(/sql-child\.[jt]s\0(.*?)\0/)?.[1] === home;
          } catch {
            return false;
          }
        });
    await expect.poll(answering, { timeout: 30_000 }).toHaveLength(1);
    child.kill('SIGKILL');
    await finished;
    await expect.poll(answering, { timeout: 60_000 }).toEqual([]);
  },
  100_000,
);
