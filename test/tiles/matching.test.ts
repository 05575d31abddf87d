/** The map's queries besides tiles: matches of a filter, density, the parcel at a place, the sources. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { boundsOverlap } from '../../engine/geo/geometry.ts';
import { prepareGeometry } from '../../engine/geo/intersects.ts';
import { encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { type LiveFilter, parseLiveRequest } from '../../engine/query/live-request.ts';
import { liveCount } from '../../engine/query/live-rows.ts';
import { idsInBoxBySql } from '../../engine/query/sql-filters/live-by-sql.ts';
import { type ReadInputOf, type ReadName, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { gridBySql } from '../../engine/tiles/county-grid.ts';
import { countyGrids, countyPlaces } from '../../engine/tiles/grid-cache.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { TilePlace } from '../../engine/tiles/tile-place.ts';
import { box, ring } from '../geo/shapes.ts';
import { decodeTile } from '../support/decode-tile.ts';
import { fixtureFips, openFixtureHome } from '../support/fixture-home.ts';
import { engineOn, openHomeCopy, plainParcels, removeHome, sampleHome } from '../support/homes.ts';
import {
  currentShapes,
  landBounds,
  type OracleParcel,
  shapesNear,
  tilesOf,
  tilesOfShapes,
  tileUnits,
  worldUnits,
} from './tile-oracle.ts';

const read = <Name extends ReadName>(engine: Engine, name: Name, input: ReadInputOf<Name>): ReadOutputOf<Name> =>
  runRead(engine, name, input) as ReadOutputOf<Name>;

/** Counts of the cells of the grid by `column row`. */
async function drawnCells(engine: Engine, z: number): Promise<ReadonlyMap<string, number>> {
  const drawn = new Map<string, number>();
  for (const { x, y } of tilesOf(landBounds(engine), z)) {
    const { density = [] } = decodeTile(await getTile(engine, 'parcels', z, x, y));
    for (const { properties, parts } of density) {
      const corner = parts[0]?.[0] ?? { x: 0, y: 0 };
      drawn.set(`${x * 32 + corner.x / 128} ${y * 32 + corner.y / 128}`, Number(properties.count));
    }
  }
  return drawn;
}

/** Whether a parcel lies in a cell of the grid, enlarged by some degrees. */
function isTouched(
  shapes: readonly OracleParcel[],
  { z, column, row }: { z: number; column: number; row: number },
  by: number,
): boolean {
  const cells = 32 * 2 ** z;
  const latitude = (line: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * line) / cells))) * 180) / Math.PI;
  const longitude = (line: number) => (line / cells - 0.5) * 360;
  const [west, east] = [longitude(column) - by, longitude(column + 1) + by];
  const [south, north] = [latitude(row + 1) - by, latitude(row) + by];
  const square = Float64Array.of(west, south, east, south, east, north, west, north, west, south);
  const bounds = { minX: west, minY: south, maxX: east, maxY: north };
  const prepared = prepareGeometry({ points: new Float64Array(0), lines: [], polygons: [[square]], bounds });
  return shapes.some(
    ({ box: one, polygons }) => boundsOverlap(one, bounds) && prepared.intersectsMultiPolygon(polygons),
  );
}

describe('the sample county', () => {
  let engine: Engine;
  let shapes: OracleParcel[];

  beforeAll(() => {
    engine = openHomeCopy(sampleHome());
    shapes = currentShapes(engine);
  });
  afterAll(() => removeHome(engine));

  const filters: readonly LiveFilter[] = [
    { county: '99001' },
    { county: '99001', acres_min: 20 },
    { county: '99001', acres_min: 5, exclude_corp_owner: true, flood_zone_percent_max: 10 },
    { county: '99001', structure_count_max: 0, include_unknown: ['structure_count'] },
    { county: '99001', acres_min: 5000 },
  ];

  test('matches of a tile are those that the filter and the boxes give, by the column index as by SQL', () => {
    for (const filter of filters) {
      for (const address of tilesOfShapes(shapes, 12)) {
        const place = new TilePlace(address.z, address.x, address.y);
        const { ids } = read(engine, 'matching_in_tile', { filter, ...address });
        const request = parseLiveRequest(filter, engine.account);
        expect(ids, JSON.stringify({ filter, address })).toEqual(idsInBoxBySql(engine.land, request, place.bounds(64)));
      }
    }
  });

  test('every lot that a tile draws and the filter wants is among them, and no other that it draws', async () => {
    const filter = { county: '99001', acres_min: 20 };
    const wanted = new Set(
      plainParcels(engine)
        .filter(
          ({ status, acres, calculated_acres }) => status === 'current' && Number(acres ?? calculated_acres ?? 0) >= 20,
        )
        .map(({ property_id }) => property_id),
    );
    for (const address of tilesOfShapes(shapes, 13)) {
      const { parcels = [] } = decodeTile(await getTile(engine, 'parcels', address.z, address.x, address.y));
      const { ids } = read(engine, 'matching_in_tile', { filter, ...address });
      const matching = new Set(ids);
      expect(parcels.map(({ id }) => id).filter((id) => matching.has(id) !== wanted.has(id))).toEqual([]);
      expect(ids.length).toBeLessThanOrEqual(shapesNear(shapes, address, 65).length);
    }
  });

  test.for([0, 3, 7, 10, 11])('density at zoom %i: the cells add up to the parcels with a shape', async (z) => {
    let count = 0;
    const seen = new Set<number>();
    for (const { x, y } of tilesOf(landBounds(engine), z)) {
      for (const { id, properties, parts } of decodeTile(await getTile(engine, 'parcels', z, x, y)).density ?? []) {
        expect(seen.has(id), `cell ${id}`).toBe(false);
        seen.add(id);
        count += Number(properties.count);
        // A cell is 128 units a side, on the grid of the tile.
        expect(parts[0]?.flatMap((corner) => [corner.x % 128, corner.y % 128]).every((rest) => rest === 0)).toBe(true);
      }
    }
    expect(count).toBe(shapes.length);
  });

  test('a cell holds the parcels whose box has its middle there, and the mean of their known acres', async () => {
    const z = 11;
    const acres = new Map(plainParcels(engine).map((row) => [row.property_id, row.acres ?? row.calculated_acres]));
    const cells = new Map<string, number[]>();
    for (const { id, box: bounds } of shapes) {
      const [x, y] = worldUnits(z, (bounds.minX + bounds.maxX) / 2, (bounds.minY + bounds.maxY) / 2);
      const key = `${Math.floor(x / 128)} ${Math.floor(y / 128)}`;
      cells.set(key, [...(cells.get(key) ?? []), id]);
    }
    const meanOf = (ids: readonly number[]): number => {
      const known = ids.map((id) => acres.get(id)).filter((value) => typeof value === 'number');
      return known.reduce((sum, value) => sum + value, 0) / known.length;
    };
    let moved = 0;
    for (const { x, y } of tilesOf(landBounds(engine), z)) {
      const { density = [] } = decodeTile(await getTile(engine, 'parcels', z, x, y));
      for (const { properties, parts } of density.filter((cell) => Number(cell.properties.count) > 0)) {
        const corner = parts[0]?.[0] ?? { x: 0, y: 0 };
        const ids = cells.get(`${x * 32 + corner.x / 128} ${y * 32 + corner.y / 128}`) ?? [];
        // Boxes are stored as 32-bit floats, so a center may be a meter off: such a cell has one more or less.
        moved += Math.abs(ids.length - Number(properties.count));
        if (ids.length === properties.count) expect(Number(properties.acres ?? Number.NaN)).toBeCloseTo(meanOf(ids), 1);
      }
    }
    expect(moved).toBeLessThan(shapes.length / 100);
  });

  test('every cell that a parcel lies in is there, with count 0 where it holds no middle; no other is', async () => {
    const z = 11;
    const drawn = await drawnCells(engine, z);
    const { minX, maxX, minY, maxY } = landBounds(engine);
    const [west, north] = worldUnits(z, minX, maxY).map((unit) => Math.floor(unit / 128)) as [number, number];
    const [east, south] = worldUnits(z, maxX, minY).map((unit) => Math.floor(unit / 128)) as [number, number];
    const wrong: string[] = [];
    for (let row = north - 1; row <= south + 1; row++) {
      for (let column = west - 1; column <= east + 1; column++) {
        const isDrawn = drawn.has(`${column} ${row}`);
        // A tenth of a metre larger or smaller: corners are no matter of luck.
        if (isTouched(shapes, { z, column, row }, isDrawn ? 1e-6 : -1e-6) !== isDrawn) wrong.push(`${column} ${row}`);
      }
    }
    expect(wrong).toEqual([]);
    expect([...drawn.values()].filter((count) => count === 0).length).toBeGreaterThan(5);
  });

  test('the grid is the same by the column index and by the parcels themselves', () => {
    const places = countyGrids(engine.land).grids.map(({ fips, count, bounds }) => ({ fips, count, bounds }));
    const other = openEngine({ home: engine.home });
    // It has made no grid.
    expect(countyPlaces(other.land)).toEqual(places);
    other.close();
    for (const grid of countyGrids(engine.land).grids) {
      const bySql = gridBySql(engine.land.file, grid.fips);
      expect({ count: grid.count, bounds: grid.bounds }).toEqual({ count: bySql.count, bounds: bySql.bounds });
      expect([...grid.cells].sort(([a], [b]) => a - b)).toEqual([...bySql.cells].sort(([a], [b]) => a - b));
      expect([...grid.coveredCells(engine.land.file)].sort()).toEqual([...bySql.coveredCells(engine.land.file)].sort());
      for (const { id } of shapes) expect(grid.cellOf(id)).toBe(bySql.cellOf(id));
    }
  });

  test.for([2, 8, 11])(
    'matches per cell at zoom %i add up to the count of the filter, in cells that the tile has',
    async (z) => {
      for (const filter of filters) {
        let sum = 0;
        for (const { x, y } of tilesOf(landBounds(engine), z)) {
          const { cells } = read(engine, 'matching_density', { filter, z, x, y });
          const { density = [] } = decodeTile(await getTile(engine, 'parcels', z, x, y));
          const counts = new Map(density.map(({ id, properties }) => [id, Number(properties.count)]));
          expect(cells.filter(({ id, count }) => count > (counts.get(id) ?? 0))).toEqual([]);
          sum += cells.reduce((total, { count }) => total + count, 0);
        }
        const { count, without_shape } = liveCount(engine.land, parseLiveRequest(filter, engine.account));
        expect(sum, JSON.stringify(filter)).toBe(count - without_shape);
      }
    },
  );

  test('the point of each parcel is on that parcel', () => {
    const points = engine.land.file.all<{ id: number; x: number; y: number }>(
      "SELECT property_id AS id, point_lon AS x, point_lat AS y FROM parcels WHERE status = 'current' AND geom IS NOT NULL AND property_id % 5 = 0",
    );
    const wrong = points.filter(({ id, x, y }) => {
      const found = read(engine, 'parcel_at', { longitude: x, latitude: y });
      return found.property_id !== id && !found.others.includes(id);
    });
    expect(points.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  test('there are sources for all that is there, each with what a map needs', () => {
    const sources = read(engine, 'map_sources', {});
    expect(sources).toMatchObject({
      parcels: { source: 'parcels', minzoom: 0, maxzoom: 16, layers: ['parcels', 'labels', 'density'] },
      comps: { source: 'comps' },
      outlines: { source: 'outlines' },
      counties: [{ fips: '99001', parcels: shapes.length }],
      bases: [],
      refused: [],
    });
    const [west = 0, south = 0, east = 0, north = 0] = sources.counties[0]?.bounds ?? [];
    for (const { box: bounds } of shapes) {
      expect(bounds.minX >= west && bounds.maxX <= east && bounds.minY >= south && bounds.maxY <= north).toBe(true);
    }
  });
});

test('a parcel that is edited shows at once, with another generation, whether the index is current or not', async () => {
  const engine = engineOn(sampleHome());
  const { file } = engine.land;
  const before = read(engine, 'map_sources', {});
  const count = before.counties[0]?.parcels ?? 0;
  const first =
    file.get<{ id: number }>("SELECT min(property_id) AS id FROM parcels WHERE status = 'current' AND geom IS NOT NULL")
      ?.id ?? 0;
  // To a place where no parcel is.
  file.run(
    'UPDATE parcels SET geom = ? WHERE property_id = ?',
    encodeMultiPolygon([[box(10, 50, 10.01, 50.01)]]),
    first,
  );
  file.run("UPDATE parcels SET status = 'retired' WHERE property_id = ?", first + 1);
  const [address] = tilesOf({ minX: 10.004, minY: 50.004, maxX: 10.005, maxY: 50.005 }, 14);
  if (!address) throw new Error('no tile');
  const { parcels, labels } = decodeTile(await getTile(engine, 'parcels', address.z, address.x, address.y));
  expect(parcels?.map(({ id }) => id)).toEqual([first]);
  // The stored point was left behind: the label is still on the parcel, in the middle of its square.
  const [x, y] = tileUnits(address, 10.005, 50.005);
  expect(labels?.map(({ id, parts }) => [id, parts[0]?.[0]])).toEqual([
    [first, expect.objectContaining({ x: Math.floor(x), y: expect.closeTo(y, -1) })],
  ]);
  expect(read(engine, 'parcel_at', { longitude: 10.005, latitude: 50.005 })).toEqual({
    property_id: first,
    others: [],
  });
  const after = read(engine, 'map_sources', {});
  expect(after.parcels.generation).not.toBe(before.parcels.generation);
  expect(after.comps.generation).toBe(before.comps.generation);
  expect(after.counties[0]?.parcels).toBe(count - 1);
});

test('a hole is not the parcel around it, what lies upon another comes first, and a border has one owner', () => {
  const { engine, close } = openFixtureHome({ keepsIndexes: false });
  try {
    const put = (id: number, ...polygons: Parameters<typeof encodeMultiPolygon>[0]) =>
      engine.land.file.run('UPDATE parcels SET geom = ? WHERE property_id = ?', encodeMultiPolygon(polygons), id);
    const hole = ring([1, 1], [1, 2], [2, 2], [2, 1], [1, 1]);
    put(1, [box(0, 0, 4, 4), hole]);
    put(2, [box(3, 3, 3.5, 3.5)], [box(9, 9, 9.5, 9.5)]);
    put(3, [box(4, 0, 8, 4)]);
    const at = (longitude: number, latitude: number) => read(engine, 'parcel_at', { longitude, latitude });
    expect(at(1.5, 1.5)).toEqual({ property_id: null, others: [] });
    expect(at(0.5, 0.5)).toEqual({ property_id: 1, others: [] });
    expect(at(3.2, 3.2)).toEqual({ property_id: 2, others: [1] });
    expect(at(9.2, 9.2)).toEqual({ property_id: 2, others: [] });
    const [border, corner] = [at(4, 2), at(4, 3.999)];
    for (const { property_id, others } of [border, corner]) {
      expect([property_id, ...others].filter((id) => id === 1 || id === 3)).toHaveLength(1);
    }
    expect(read(engine, 'count_properties', { filter: { county: fixtureFips } }).count).toBe(50);
  } finally {
    close();
  }
});
