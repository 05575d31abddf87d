/** land.sqlite as other programs see it: GDAL, and SpatiaLite itself. */
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkHome } from '../../engine/check.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

const gdal = requireOrSkip('ogrinfo', has('ogrinfo', '--version'), 'the Debian package gdal-bin is not installed');
const spatialite = requireOrSkip(
  'mod_spatialite',
  has('sqlite3', ':memory:', "SELECT load_extension('mod_spatialite')"),
  'the Debian packages sqlite3 and libsqlite3-mod-spatialite are not installed',
);

/** Results of SQL run by the sqlite3 program with mod_spatialite, one line per row. */
const sqlite3 = (file: string, ...statements: string[]): string[] =>
  execFileSync('sqlite3', [file, "SELECT load_extension('mod_spatialite')", ...statements], { encoding: 'utf8' })
    .trimEnd()
    .split('\n')
    // The first line is the result of load_extension: nothing.
    .slice(1);

function closedCopy(): { file: string; home: string; count: number } {
  const engine = engineOn(sampleHome());
  const count = engine.land.file.get<{ n: number }>('SELECT count(*) AS n FROM parcels')?.n ?? 0;
  const { home } = engine;
  engine.close();
  return { home, count, file: path.join(home, 'land.sqlite') };
}

describe.runIf(gdal)('GDAL', () => {
  test('sees the layer, its count, its extent and its reference system', () => {
    const { file, count } = closedCopy();
    const summary = execFileSync('ogrinfo', ['-so', file, 'parcels'], { encoding: 'utf8' });
    expect(summary).toContain('Geometry: Multi Polygon');
    expect(summary).toContain(`Feature Count: ${count}`);
    expect(summary).toMatch(/Extent: \(-7[12]\.\d+, 4[34]\.\d+\) - \(-7[12]\.\d+, 4[34]\.\d+\)/);
    expect(summary).toContain('ID["EPSG",4326]');
  });

  test('reads what the engine answers', () => {
    const { file } = closedCopy();
    const rows = execFileSync('ogrinfo', ['-ro', '-q', file, '-sql', "SELECT apn FROM parcels WHERE apn = '12-201'"], {
      encoding: 'utf8',
    });
    expect(rows).toContain('apn (String) = 12-201');
  });
});

describe.runIf(spatialite)('SpatiaLite', () => {
  test('finds its metadata and its spatial index right', () => {
    const { file } = closedCopy();
    expect(sqlite3(file, 'SELECT CheckSpatialMetaData(), CheckSpatialIndex()')).toEqual(['3|1']);
  });

  test('answers a SpatialIndex query as brute force does', () => {
    const { file } = closedCopy();
    const box = 'BuildMbr(-71.84, 44.09, -71.82, 44.11, 4326)';
    // = 1: for parcels without a shape it returns -1, which SQL takes for true.
    const indexed = `SELECT count(*), sum(property_id) FROM parcels WHERE ROWID IN (SELECT ROWID FROM SpatialIndex WHERE f_table_name = 'parcels' AND search_frame = ${box}) AND MbrIntersects(geom, ${box}) = 1`;
    const brute = `SELECT count(*), sum(property_id) FROM parcels WHERE MbrIntersects(geom, ${box}) = 1`;
    const [a, b] = sqlite3(file, indexed, brute);
    expect(a).toBe(b);
    expect(Number(a?.split('|')[0])).toBeGreaterThan(10);
  });

  test('finds every geometry valid, and the area that we calculated', () => {
    const { file } = closedCopy();
    const wrong = 'SELECT count(*) FROM parcels WHERE geom IS NOT NULL AND ST_IsValid(geom) <> 1';
    // ST_Area(geom, 1), square meters on the ellipsoid, is itself up to 1e-4 off geographiclib, the reference of
    // geo/area.ts.
    const off =
      'SELECT count(*) FROM parcels WHERE abs(ST_Area(geom, 1) / 4046.8564224 - calculated_acres) > 0.0051 + calculated_acres * 2e-4';
    expect(sqlite3(file, wrong, off)).toEqual(['0', '0']);
  });

  test('edits through its own triggers keep the engine’s index right, and the engine sees them', async () => {
    const { file, home, count } = closedCopy();
    sqlite3(
      file,
      'UPDATE geometry_columns_auth SET read_only = 0',
      'DELETE FROM parcels WHERE property_id = (SELECT max(property_id) FROM parcels WHERE geom IS NOT NULL)',
      "INSERT INTO parcels (fips, apn, apn_key, geom) VALUES ('99001', 'NEW-1', 'NEW1', GeomFromText('MULTIPOLYGON(((-71.9 44.3, -71.89 44.3, -71.89 44.31, -71.9 44.3)))', 4326))",
      'UPDATE parcels SET geom = ST_Translate(geom, 0.001, 0, 0) WHERE property_id = 10',
    );
    const engine = engineOn(home);
    expect(checkHome(engine).find(({ name }) => name === 'spatial index agrees')).toMatchObject({ ok: true });
    const found = await engine.call('filter_properties', { geom_intersects: 'POINT(-71.8905 44.3001)' });
    expect(found.data.results.map(({ apn }) => apn)).toEqual(['NEW-1']);
    expect(engine.land.parcelCount).toBe(count);
  });

  test('may rebuild its triggers: the engine opens the file all the same', () => {
    const { file, home } = closedCopy();
    sqlite3(file, "SELECT RebuildGeometryTriggers('parcels', 'geom')");
    expect(checkHome(engineOn(home)).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('refuses a geometry of another kind, as the layer says', () => {
    const { file } = closedCopy();
    const refused = spawnSync(
      'sqlite3',
      [
        file,
        "SELECT load_extension('mod_spatialite')",
        "INSERT INTO parcels (fips, geom) VALUES ('99001', GeomFromText('POINT(-71.9 44.3)', 4326))",
      ],
      { encoding: 'utf8' },
    );
    expect(refused.stderr).toContain('violates Geometry constraint');
  });
});
