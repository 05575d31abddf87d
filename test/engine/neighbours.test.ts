/** The stored pairs of neighbors: when they are found, and when they no longer count. */
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { findStaleNeighbours, neighbourMethod } from '../../engine/query/find-neighbours.ts';
import { listStaleNeighbours } from '../../engine/store/neighbour-store.ts';
import type { SqliteFile } from '../../engine/store/sqlite.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

const stale = (file: SqliteFile) => listStaleNeighbours(file, neighbourMethod);
const countOf = (file: SqliteFile, where: string) =>
  file.get<{ n: number }>(`SELECT count(*) AS n FROM parcel_neighbours n WHERE ${where}`)?.n;

test('the pairs of a county are found once, each in both directions, and a change of an owner leaves them', () => {
  const { file } = engineOn(sampleHome()).land;
  file.run("UPDATE neighbour_counties SET state = 'stale'");
  expect(findStaleNeighbours(file)).toEqual(['99001']);
  expect(findStaleNeighbours(file)).toEqual([]);
  const all = countOf(file, '1') ?? 0;
  expect(all).toBeGreaterThan(10_000);
  expect(
    countOf(file, 'shared_m > 0 AND shared_m < 2 OR across_m > 0 AND across_m < 2 OR shared_m + across_m = 0'),
  ).toBe(0);
  const twins = `EXISTS (SELECT 1 FROM parcel_neighbours o WHERE o.property_id = n.other_id AND o.other_id = n.property_id
    AND o.shared_m = n.shared_m AND o.across_m = n.across_m)`;
  expect(countOf(file, twins)).toBe(all);
  // The roads of the sample are parcels: lots face each other over them.
  const facing = countOf(file, 'across_m > 0 AND shared_m = 0') ?? 0;
  expect(facing).toBeGreaterThan(1000);
  file.run("UPDATE parcels SET owner_name = 'MARSH ELLEN' WHERE property_id = 100");
  expect(stale(file)).toEqual([]);
});

test('a shape that is redrawn, a parcel that is retired, added or deleted ends them; the next run knows', () => {
  const { file } = engineOn(sampleHome()).land;
  findStaleNeighbours(file);
  const [one, other] = file.rawRows(
    'SELECT property_id, other_id FROM parcel_neighbours WHERE shared_m > 10 ORDER BY 1 LIMIT 1',
  )[0] as [number, number];
  const isPair = () => countOf(file, `property_id = ${other} AND other_id = ${one}`);
  const changes = [
    `UPDATE parcels SET status = 'retired' WHERE property_id = ${one}`,
    `UPDATE parcels SET status = 'current' WHERE property_id = ${one}`,
    `UPDATE parcels SET geom = NULL WHERE property_id = ${one}`,
    `DELETE FROM parcels WHERE property_id = ${other}`,
  ];
  const found = changes.map((sql) => {
    file.run(sql);
    expect(stale(file)).toEqual(['99001']);
    expect(findStaleNeighbours(file)).toEqual(['99001']);
    expect(stale(file)).toEqual([]);
    return isPair();
  });
  expect(found).toEqual([0, 1, 0, 0]);
  expect(countOf(file, `property_id = ${other} OR other_id = ${other}`)).toBe(0);
});

test('what was found beside a change that came meanwhile is discarded, and the county stays stale', () => {
  const { land } = engineOn(sampleHome());
  land.file.run("UPDATE neighbour_counties SET state = 'stale'");
  const other = new Database(land.file.path);
  for (const name of ['MbrMinX', 'MbrMaxX', 'MbrMinY', 'MbrMaxY']) other.function(name, () => 0);
  let changes = 0;
  const change = () => {
    changes++;
    other.prepare('DELETE FROM parcels WHERE property_id = ?').run(changes);
  };
  expect(findStaleNeighbours(land.file, change)).toEqual([]);
  other.close();
  expect(changes).toBeGreaterThan(2);
  expect(stale(land.file)).toEqual(['99001']);
  expect(countOf(land.file, '1')).toBe(0);
});

test('a change while our triggers were gone is found at the next opening', () => {
  const engine = engineOn(sampleHome());
  findStaleNeighbours(engine.land.file);
  engine.close();
  const other = new Database(engine.land.file.path);
  other.exec('DROP TRIGGER parcels_neighbours_delete');
  other.close();
  expect(stale(engineOn(engine.home).land.file)).toEqual(['99001']);
});
