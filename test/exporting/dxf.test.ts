/** DXF: lots as closed polylines in a plane, read back by this product's formula and by GDAL; texts; refusals. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemOfCode } from '../../engine/importing/formats/crs/reference-system.ts';
import { gdalOrSkip } from '../support/gdal.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';

const filter = '{"county":"99001","acres_min":40}';

async function exported(...more: string[]) {
  const engine = engineOn(sampleHome());
  const file = path.join(emptyHome(), 'lots.dxf');
  const done = await platbook(engine.home, 'export', file, '--filter', filter, ...more);
  return { engine, file, ...done };
}

interface Entity {
  readonly type: string;
  readonly layer: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** The entities by their group codes. */
function entitiesOf(file: string): Entity[] {
  const lines = fs.readFileSync(file, 'latin1').split('\n');
  const entities: Record<string, string>[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [code, value] = [(lines[at] ?? '').trim(), lines[at + 1] ?? ''];
    if (code === '0') entities.push({ 0: value });
    else Object.assign(entities.at(-1) ?? {}, { [code]: value });
  }
  return entities.map((one) => ({
    ...{ type: one[0] ?? '', layer: one[8] ?? '', text: one[1] ?? '', x: Number(one[10]), y: Number(one[20]) },
  }));
}

const ringsOf = (entities: readonly Entity[]): number[][] => {
  const rings: number[][] = [];
  for (const { type, x, y } of entities) {
    if (type === 'POLYLINE') rings.push([]);
    if (type === 'VERTEX') rings.at(-1)?.push(x, y);
  }
  return rings;
};

test('each ring is a closed polyline of the plane, to a millimeter; APN and owner are texts', async () => {
  const { engine, file, code, out, err } = await exported('--crs', 'EPSG:6466');
  expect(code, err).toBe(0);
  expect(out).toContain('In NAD83(2011) / Kansas North (EPSG:6466), meters. Boundaries are approximate, not a survey.');
  const entities = entitiesOf(file);
  const ids = (await engine.whole('filter_properties', JSON.parse(filter))).data.results.map(
    ({ property_id: id }) => id,
  );
  const apns = engine.land.file.column<string>(
    'SELECT apn FROM parcels WHERE point_lon IS NOT NULL AND property_id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  );
  const named = entities.flatMap(({ type, layer, text }) => (type === 'TEXT' && layer === 'APN' ? [text] : []));
  expect(named.toSorted()).toEqual(apns.filter(Boolean).toSorted());
  const system = systemOfCode(6466, 'the test');
  const back = ringsOf(entities).map((ring) => {
    const degrees = Float64Array.from(ring);
    system.toWgs84(degrees);
    return degrees;
  });
  const json = path.join(emptyHome(), 'lots.geojson');
  await platbook(engine.home, 'export', json, '--filter', filter);
  const { features } = JSON.parse(fs.readFileSync(json, 'utf8')) as {
    features: { geometry: { type: string; coordinates: number[][][][] } | null }[];
  };
  const wanted = features.flatMap(({ geometry }) =>
    geometry?.type === 'MultiPolygon' ? geometry.coordinates.flat() : [],
  );
  expect(back).toHaveLength(wanted.length);
  // GeoJSON turns rings: compared by the set of their places, 1e-8 degrees is a millimeter.
  const places = (ring: ArrayLike<number>) =>
    Array.from({ length: ring.length / 2 }, (_, at) => [ring[2 * at], ring[2 * at + 1]] as [number, number]);
  const nearest = (of: [number, number], among: readonly [number, number][]) =>
    Math.min(...among.map(([x, y]) => Math.max(Math.abs(x - of[0]), Math.abs(y - of[1]))));
  for (const [at, ring] of back.entries()) {
    const own = wanted[at] as [number, number][];
    expect(ring.length / 2).toBe(own.length - 1);
    for (const place of places(ring)) expect(nearest(place, own)).toBeLessThan(2e-8);
  }
});

test('without a plane it is in the UTM zone of the parcels, feet where the plane has feet, all in ASCII', async () => {
  const { file, out } = await exported();
  expect(out).toMatch(/In NAD83 \/ UTM zone \d+N \(EPSG:269\d\d\), meters\./);
  expect(fs.readFileSync(file).every((byte) => byte === 10 || (byte >= 32 && byte < 127))).toBe(true);
  expect(fs.readFileSync(file, 'latin1')).toContain('\\U+00');
  const feet = await exported('--crs', 'EPSG:3419');
  expect(feet.out).toContain('In NAD83 / Kansas North (ftUS) (EPSG:3419), US survey feet.');
  const [metric, survey] = [file, feet.file].map((one) => ringsOf(entitiesOf(one)).flat());
  expect(survey?.length).toBe(metric?.length);
});

test.each([
  ['EPSG:4326', 'which is (unknown|in degrees)'],
  ['EPSG:4269', 'which is in degrees'],
  ['EPSG:99999', 'which is unknown'],
  ['EPSG:26777', 'which is unknown'],
  ['Kansas', 'expected the number of a plane, like EPSG:2225, found "Kansas"'],
])('%s is refused as a plane', async (crs, words) => {
  const { code, err, file } = await exported('--crs', crs);
  expect(code).not.toBe(0);
  expect(err).toMatch(new RegExp(words));
  expect(fs.existsSync(file)).toBe(false);
});

test('a plane beside another format is refused', async () => {
  const engine = engineOn(sampleHome());
  const file = path.join(emptyHome(), 'lots.kml');
  const { err } = await platbook(engine.home, 'export', file, '--filter', filter, '--crs', 'EPSG:6466');
  expect(err).toMatch(/expected dxf as format: the others are in longitude and latitude; found kml/);
});

test.runIf(gdalOrSkip('DXF by GDAL'))('GDAL reads the lots closed, and the texts', async () => {
  const { file } = await exported('--crs', '6466');
  const told = execFileSync('ogrinfo', ['-al', '-geom=SUMMARY', '-where', "Layer='LOTS'", file], { encoding: 'utf8' });
  const rings = ringsOf(entitiesOf(file)).length;
  expect(told).toContain(`Feature Count: ${rings}`);
  const text = execFileSync('ogrinfo', ['-al', '-geom=NO', '-where', "Layer='OWNER'", file], { encoding: 'utf8' });
  expect(text).toMatch(/Text \(String\) = [A-Z]/);
});
