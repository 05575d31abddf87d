/** The sample's map layers: whether the parcels' own numbers agree with what is drawn. */
import { expect, onTestFinished, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { placeSample } from '../../engine/sample-county.ts';
import { emptyHome } from '../support/homes.ts';
import { toPoint } from './fabric.ts';
import { elevationAt } from './ground.ts';
import { buildSampleCounty } from './index.ts';

function openSample(): Engine {
  const home = emptyHome();
  placeSample(home);
  const engine = openEngine({ home, keepsIndexes: false });
  onTestFinished(() => engine.close());
  return engine;
}

type Value = number | string;
interface Both {
  readonly published: Value;
  readonly drawn: Value;
}

/** The values that layers give to parcels beside those that the county published, both known, by column. */
function bothOf(...columns: readonly string[]): Both[][] {
  const { file } = openSample().land;
  return columns.map((column) =>
    file.all<Both>(
      `SELECT p.${column} AS published, c."values" ->> :column AS drawn
       FROM computed_values c JOIN parcels p USING (property_id)
       WHERE c.published LIKE '%"' || :column || '"%' AND drawn IS NOT NULL`,
      { column },
    ),
  );
}

const shareOf = <Row>(rows: readonly Row[], test: (row: Row) => boolean): number =>
  rows.filter(test).length / rows.length;
const off = ({ published, drawn }: Both): number => Math.abs(Number(published) - Number(drawn));

test('as many buildings are drawn in each parcel as the county counts', () => {
  const [rows = []] = bothOf('structure_count');
  expect(rows.length).toBeGreaterThan(5000);
  expect(rows.filter((row) => off(row) > 0)).toEqual([]);
});

test('wetlands and flood zones are drawn where the parcels have them', () => {
  const [wet = [], flood = [], zones = []] = bothOf('wetlands_percent', 'flood_zone_percent', 'flood_zone_type');
  // The county's shares are of points on a coarse grid, up to two percent beside the truth.
  for (const rows of [wet, flood]) {
    expect(rows.length).toBeGreaterThan(5000);
    expect(shareOf(rows, (row) => off(row) < 10)).toBeGreaterThan(0.99);
    expect(rows.filter(({ published }) => Number(published) > 0).length).toBeGreaterThan(200);
  }
  expect(shareOf(zones, ({ published, drawn }) => published === drawn)).toBeGreaterThan(0.98);
});

test('roads are drawn along the frontages', () => {
  const [rows = []] = bothOf('road_frontage_ft');
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
  const { file } = openSample().land;
  const namesOf = (kind: string, title = '') =>
    file
      .all<{ name: string | null }>(
        `SELECT f.properties ->> 'name' AS name FROM layer_features f JOIN layers USING (layer_id)
         WHERE kind = ? AND title = ?`,
        ...[kind, title],
      )
      .map(({ name }) => name);
  const [ponds, places] = [namesOf('water'), namesOf('other', 'Towns and hills')];
  const brooks = new Set(namesOf('other', 'Streams').filter((name) => name !== null));
  expect(ponds).toContain('Sorrel River');
  for (const names of [ponds, places]) expect(new Set(names).size).toBe(names.length);
  expect(ponds.length).toBeGreaterThan(8);
  expect(places.length).toBeGreaterThan(20);
  expect(brooks.size).toBeGreaterThan(15);
});
