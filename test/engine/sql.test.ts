import { expect, test } from 'vitest';
import { copyOfHome, engineOn, sampleHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';

test('SQL over the land file answers rows, by position and by name, with what the filters count', async () => {
  const engine = engineOn(sampleHome());
  const { data } = await engine.call('filter_properties', { county: '99001', zoning_codes: ['AG'] });
  const text = "SELECT count(*) AS n FROM parcels WHERE status = 'current' AND fips = ? AND zoning = ?";
  expect(engine.sql(text, ['99001', 'AG'])).toEqual([{ n: data.count }]);
  expect(engine.sql<{ n: number }>('SELECT :a + :b AS n', { a: 1, b: 2 })[0]?.n).toBe(3);
  expect(engine.sql('SELECT apn FROM parcels WHERE property_id = -1')).toEqual([]);
});

test('what it is asked after a change is the change', () => {
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

test('a pragma cannot make the connection write', () => {
  const engine = engineOn(sampleHome());
  try {
    engine.sql('PRAGMA query_only = OFF');
  } catch {}
  expect(() => engine.sql('DELETE FROM parcels RETURNING apn')).toThrow('sql: ');
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
