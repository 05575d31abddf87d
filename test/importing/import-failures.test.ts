import { describe, expect, test } from 'vitest';
import type { ImportProgress } from '../../engine/importing/merge/import-parcels.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { landMigrations } from '../../engine/store/migrations/land.ts';
import { clock, collection, countOf, importLots, lot, openLand, square, wholeLand, writeFile } from './fixtures.ts';

const lots = Array.from({ length: 40 }, (_, index) => lot(`${index}`, index));
const moved = lots.map((each, index) => ({ ...each, geometry: square(index + 100) })).slice(5);

describe('an import that fails', () => {
  const phases: ImportProgress['phase'][] = [
    'reading parcels',
    'matching',
    'keeping what stands',
    'writing',
    'finishing',
  ];

  test.each(phases)('by a cancel while %s leaves everything as it was, triggers and indexes too', async (phase) => {
    const land = openLand();
    await importLots(land, lots);
    const before = wholeLand(land);
    const cancel = importLots(land, moved, {
      onProgress: (progress) => {
        if (progress.phase === phase) throw new Error('cancelled');
      },
    });
    await expect(cancel).rejects.toThrow('cancelled');
    expect(wholeLand(land)).toEqual(before);
    expect(land.file.inTransaction).toBe(false);
    expect(land.file.all("SELECT name FROM temp.sqlite_schema WHERE name LIKE 'staged%'")).toEqual([]);
    // And it can be done again.
    expect(await importLots(land, moved)).toMatchObject({ changed: 35, retired: 5 });
  });

  test('by a fault in the middle of a file leaves nothing of it', async () => {
    const land = openLand();
    await importLots(land, lots);
    const before = wholeLand(land);
    const text = collection(moved);
    const file = writeFile('cut.geojson', text.slice(0, text.length / 2));
    const cut = importParcels(land, {
      files: [file],
      fips: '33019',
      source: 'Test county',
      homeKind: 'real',
      now: clock,
    });
    await expect(cut).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringMatching(/at byte \d+/) as string,
    });
    expect(wholeLand(land)).toEqual(before);
  });

  test('by a feature that poisons the reader leaves nothing of it', async () => {
    const land = openLand();
    await importLots(land, lots);
    const before = wholeLand(land);
    function* poisoned() {
      yield* moved;
      throw new Error('poison');
    }
    const failed = importParcels(land, {
      features: poisoned(),
      fips: '33019',
      source: 'Test county',
      homeKind: 'real',
      now: clock,
    });
    await expect(failed).rejects.toThrow('poison');
    expect(wholeLand(land)).toEqual(before);
  });
});

describe('after an import', () => {
  test('triggers and indexes are those of the migrations, whether rebuilt or not', async () => {
    const land = openLand();
    const schema = () =>
      land.file.all("SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'parcels' ORDER BY type, name");
    const before = schema();
    expect(before.length).toBeGreaterThan(10);
    await importLots(land, lots);
    expect(schema()).toEqual(before);
    // One row of forty: below the share from which indexes are rebuilt.
    await importLots(land, [lot('0', 0, { acres: 9 }), ...lots.slice(1)]);
    expect(schema()).toEqual(before);
    expect(landMigrations.length).toBe(land.file.pragma('user_version'));
  });

  test('every polygon has its box, nothing else has, and the triggers go on keeping it so', async () => {
    const land = openLand();
    const mismatches = () =>
      countOf(land, 'parcels WHERE (geom IS NOT NULL) <> (property_id IN (SELECT pkid FROM idx_parcels_geom))');
    await importLots(land, lots);
    await importLots(land, [...moved, { ...lot('0', 0), geometry: null }]);
    expect([mismatches(), countOf(land, 'idx_parcels_geom')]).toEqual([
      0,
      countOf(land, 'parcels WHERE geom IS NOT NULL'),
    ]);
    land.file.run('DELETE FROM parcels WHERE apn = ?', '7');
    expect([mismatches(), countOf(land, 'idx_parcels_geom')]).toEqual([0, 38]);
    expect(land.file.pragma('integrity_check')).toBe('ok');
  });

  test('the statistics that QGIS reads hold rows, extent and time', async () => {
    const land = openLand();
    await importLots(land, lots);
    expect(land.file.get('SELECT * FROM geometry_columns_statistics')).toMatchObject({
      last_verified: '2026-08-01T12:00:00.000Z',
      row_count: 40,
      extent_min_x: expect.closeTo(-72, 4) as number,
      extent_max_x: expect.closeTo(-71.609, 4) as number,
      extent_min_y: expect.closeTo(43, 4) as number,
      extent_max_y: expect.closeTo(43.001, 4) as number,
    });
    expect(land.file.get('SELECT last_insert FROM geometry_columns_time')).toEqual({
      last_insert: '2026-08-01T12:00:00.000Z',
    });
  });

  test('progress tells phases, rows and rate', async () => {
    const seen: ImportProgress[] = [];
    await importLots(openLand(), lots, { onProgress: (progress) => seen.push(progress) });
    expect([...new Set(seen.map(({ phase }) => phase))]).toEqual([
      'reading parcels',
      'matching',
      'keeping what stands',
      'writing',
      'finishing',
    ]);
    expect(seen.find(({ phase }) => phase === 'writing')).toMatchObject({ rows: 40, total: 40 });
  });
});
