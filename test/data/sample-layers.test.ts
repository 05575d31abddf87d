/** The sample's map layers: the shipped files, and whether the parcels' own numbers agree with what is drawn. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { toPoint } from '../../data/sample/fabric.ts';
import { elevationAt } from '../../data/sample/ground.ts';
import { buildSampleCounty, sampleCounty } from '../../data/sample/index.ts';
import { mapLayerFiles } from '../../data/sample/map-layer-files.ts';
import { openEngine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';

const folder = path.resolve(import.meta.dirname, '../../data/sample/layers');
const fileOf = (name: string): string => path.join(folder, `${name}.geojson`);
const featuresOf = (name: string): { properties: Record<string, unknown>; geometry: { coordinates: number[][][] } }[] =>
  JSON.parse(fs.readFileSync(fileOf(name), 'utf8')).features;

test('the shipped files are what npm run sample-ground makes, byte for byte, and small', { timeout: 300_000 }, () => {
  const made = mapLayerFiles();
  expect(fs.readdirSync(folder).toSorted()).toEqual(Object.keys(made).toSorted());
  for (const [name, text] of Object.entries(made)) {
    // Not toBe: the difference of two megabytes would be printed.
    expect(fs.readFileSync(path.join(folder, name), 'utf8') === text, `${name} is stale: npm run sample-ground`).toBe(
      true,
    );
  }
  const bytes = Object.keys(made).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
  expect(bytes).toBeLessThan(3_000_000);
});

type Value = number | string;
interface Both {
  readonly published: Value;
  readonly drawn: Value;
}

/** The values that a layer gives to parcels beside those that the county published, both known, by column. */
async function bothOf(
  kind: 'roads' | 'buildings' | 'wetlands' | 'flood',
  ...columns: readonly string[]
): Promise<Both[][]> {
  const engine = openEngine({ home: copyOfHome(sampleHome()), keepsIndexes: false });
  await enrich(engine.land, {
    ...{ kind, file: fileOf(kind), fips: sampleCounty.fips, coverage: 'county', date: sampleCounty.date },
    now: engine.now,
  });
  const rows = columns.map((column) =>
    engine.land.file.all<Both>(
      `SELECT p.${column} AS published, c."values" ->> :column AS drawn
       FROM computed_values c JOIN parcels p USING (property_id)
       WHERE c.published LIKE '%"' || :column || '"%' AND drawn IS NOT NULL`,
      { column },
    ),
  );
  engine.close();
  return rows;
}

const shareOf = <Row>(rows: readonly Row[], test: (row: Row) => boolean): number =>
  rows.filter(test).length / rows.length;
const off = ({ published, drawn }: Both): number => Math.abs(Number(published) - Number(drawn));

test('as many buildings are drawn in each parcel as the county counts', { timeout: 120_000 }, async () => {
  const [rows = []] = await bothOf('buildings', 'structure_count');
  expect(rows.length).toBeGreaterThan(5000);
  expect(rows.filter((row) => off(row) > 0)).toEqual([]);
});

test('wetlands and flood zones are drawn where the parcels have them', { timeout: 120_000 }, async () => {
  const [wet = []] = await bothOf('wetlands', 'wetlands_percent');
  const [flood = [], zones = []] = await bothOf('flood', 'flood_zone_percent', 'flood_zone_type');
  // The county's shares are of points on a coarse grid, up to two percent beside the truth.
  for (const rows of [wet, flood]) {
    expect(rows.length).toBeGreaterThan(5000);
    expect(shareOf(rows, (row) => off(row) < 10)).toBeGreaterThan(0.99);
    expect(rows.filter(({ published }) => Number(published) > 0).length).toBeGreaterThan(200);
  }
  expect(shareOf(zones, ({ published, drawn }) => published === drawn)).toBeGreaterThan(0.98);
});

test('roads are drawn along the frontages', { timeout: 120_000 }, async () => {
  const [rows = []] = await bothOf('roads', 'road_frontage_ft');
  expect(rows.length).toBeGreaterThan(5000);
  expect(shareOf(rows, (row) => off(row) < 20)).toBeGreaterThan(0.95);
});

test('each parcel’s heights are those of the ground at its corners and its middle', () => {
  const rows = buildSampleCounty().parcels.filter(({ properties }) => properties.elevation_min_ft !== null);
  const within = rows.filter(({ geometry, properties }) => {
    const [outer = []] = geometry?.type === 'Polygon' ? geometry.coordinates : (geometry?.coordinates[0] ?? []);
    const middle = outer.reduce(([x, y], [a, b]) => [x + a / outer.length, y + b / outer.length], [0, 0]);
    const feet = elevationAt(toPoint(...middle));
    // A hill between the points that the county measured may be a little higher.
    const slack = 12 + 0.1 * (Number(properties.elevation_max_ft) - Number(properties.elevation_min_ft));
    return feet > Number(properties.elevation_min_ft) - slack && feet < Number(properties.elevation_max_ft) + slack;
  });
  expect(within.length / rows.length).toBeGreaterThan(0.98);
});

test('every pond, brook and hill has an invented name of its own', () => {
  const ponds = featuresOf('water').map(({ properties }) => properties.name);
  const places = featuresOf('places').map(({ properties }) => properties.name);
  const brooks = new Set(featuresOf('streams').flatMap(({ properties }) => properties.name ?? []));
  expect(ponds).toContain('Sorrel River');
  for (const names of [ponds, places]) expect(new Set(names).size).toBe(names.length);
  expect(ponds.length).toBeGreaterThan(8);
  expect(places.length).toBeGreaterThan(20);
  expect(brooks.size).toBeGreaterThan(15);
});
