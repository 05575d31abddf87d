/** Parcels near a tile by the column index and by SQL; tiles that are kept. */
import { expect, test } from 'vitest';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import { openEngine } from '../../engine/engine.ts';
import { encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import type { Engine } from '../../engine/index.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { nearByColumns } from '../../engine/tiles/near-by-columns.ts';
import { type Fill, type NearParcels, nearBySql } from '../../engine/tiles/near-parcels.ts';
import { measureShape } from '../../engine/tiles/polygon-scanner.ts';
import { TilePlace } from '../../engine/tiles/tile-place.ts';
import { box, ring } from '../geo/shapes.ts';
import { decodeTile } from '../support/decode-tile.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { landBounds, type TileAddress, tilesOf } from './tile-oracle.ts';

const least = { width: 0.002, height: 0.001 };

/** Plain values, one list over all counties. */
function listed(near: readonly NearParcels[]) {
  return near.flatMap(({ ids, shapes, starts, lengths, readFill, texts }) =>
    Array.from(ids, (id, place) => {
      const fill: Fill = { acres: null, ownerType: null, value: null, slope: null, flood: null, structures: null };
      readFill(place, fill);
      const start = starts[place] as number;
      const shape = Buffer.from(shapes.subarray(start, start + (lengths[place] as number))).toString('hex');
      return { id, shape, ...fill, ...texts.get(id) };
    }),
  );
}

function bothWays({ land }: Engine, { z, x, y }: TileAddress) {
  const near = new TilePlace(z, x, y).bounds(64);
  return land.file.snapshot(() => {
    const byColumns = nearByColumns(land, near, least);
    return { byColumns: byColumns && listed(byColumns), bySql: listed([nearBySql(land.file, near, least)]) };
  });
}

test('the column index and SQL name the same parcels near a tile, with the same shapes, values and texts', () => {
  const engine = engineOn(sampleHome());
  const { file } = engine.land;
  const addresses = [12, 14, 16].flatMap((z) => [...tilesOf(landBounds(engine), z)]).filter((_, i) => i % 7 === 0);
  const compare = () => {
    let parcels = 0;
    let labelled = 0;
    for (const address of addresses) {
      const { byColumns, bySql } = bothWays(engine, address);
      // The boxes of the R-tree are wider by a hair: what lies in that hair is not drawn.
      const found = new Set(byColumns?.map(({ id }) => id));
      expect(byColumns, JSON.stringify(address)).toEqual(bySql.filter(({ id }) => found.has(id)));
      expect(bySql.length - found.size).toBeLessThanOrEqual(2);
      parcels += found.size;
      labelled += byColumns?.filter((parcel) => 'apn' in parcel).length ?? 0;
    }
    expect(parcels).toBeGreaterThan(1000);
    expect(labelled).toBeGreaterThan(100);
  };
  compare();
  // Gaps in the runs: parcels that are gone, that have no shape, and that no county published values of.
  file.run("UPDATE parcels SET status = 'retired' WHERE property_id % 7 = 0");
  file.run('UPDATE parcels SET geom = NULL WHERE property_id % 11 = 0');
  file.run('UPDATE parcels SET acres = NULL, market_total_value = NULL, owner_type = NULL WHERE property_id % 5 = 0');
  expect(bothWays(engine, { z: 12, x: 0, y: 0 }).byColumns).toBeNull();
  indexStaleCounties(file);
  compare();
});

test('a shape that is none leaves the tile to SQL, which draws all the others', async () => {
  const engine = engineOn(sampleHome());
  const { file } = engine.land;
  const bounds = landBounds(engine);
  const [address] = [...tilesOf(bounds, 12)].filter((one) => (bothWays(engine, one).byColumns?.length ?? 0) > 100);
  if (!address) throw new Error('the sample has no tile of a hundred parcels');
  const idsOn = async () =>
    decodeTile(await getTile(engine, 'parcels', address.z, address.x, address.y)).parcels?.map(({ id }) => id);
  const before = (await idsOn()) ?? [];
  const [gone] = before.slice(10);
  for (const damage of ["x'0001'", 'substr(geom, 1, length(geom) - 16)', "x''", "CAST('POLYGON' AS TEXT)"]) {
    const { geom } = file.get<{ geom: Buffer }>('SELECT geom FROM parcels WHERE property_id = ?', gone) ?? {};
    // SpatiaLite's own trigger prevents such values; a damaged file does not.
    const triggers = file.all<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'parcels' AND name LIKE 'g%'",
    );
    for (const { name } of triggers) file.exec(`DROP TRIGGER "${name}"`);
    file.run(`UPDATE parcels SET geom = ${damage} WHERE property_id = ?`, gone);
    indexStaleCounties(file);
    // The box of a damaged shape may be missing: then nothing near it leads there, and SQL need not find it.
    expect(await idsOn(), damage).toEqual(before.filter((id) => id !== gone));
    file.run('UPDATE parcels SET geom = ? WHERE property_id = ?', geom, gone);
    for (const { sql } of triggers) file.exec(sql);
    indexStaleCounties(file);
    expect(bothWays(engine, address).byColumns, damage).not.toBeNull();
  }
});

test('the bytes of a shape tell where it ends', () => {
  const shapes = [
    encodeMultiPolygon([[box(-72, 43, -71, 44)]]),
    encodeMultiPolygon([
      [box(-72, 43, -71, 44), ring([-71.9, 43.1], [-71.8, 43.1], [-71.8, 43.2], [-71.9, 43.1])],
      [box(-70, 43, -69.5, 43.5)],
    ]),
  ];
  const bytes = Buffer.concat([...shapes, ...shapes]);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: number[] = [];
  for (let at = 0; at < bytes.length; at += found.at(-1) ?? 1) found.push(measureShape(view, at));
  // 43 bytes before the polygons and their count, 4 for it; of each part 5 and 4 for its count of rings; of each ring 4
  // and 16 for a corner; an end mark.
  const one = 43 + 4 + (9 + 4 + 5 * 16) + 1;
  const two = 43 + 4 + (9 + 4 + 5 * 16 + 4 + 4 * 16) + (9 + 4 + 5 * 16) + 1;
  expect(found).toEqual([one, two, one, two]);
  for (const cut of [0, 42, 50, 60, one - 1])
    expect(measureShape(new DataView(bytes.buffer, bytes.byteOffset, cut), 0)).toBe(0);
});

test('a tile is made once, and again when this program or another one writes the file', async () => {
  const engine = engineOn(sampleHome());
  const [address] = [...tilesOf(landBounds(engine), 12)];
  const { z, x, y } = address as TileAddress;
  const ask = () => getTile(engine, 'parcels', z, x, y);
  const first = await ask();
  expect(first).not.toBeNull();
  expect(await ask()).toBe(first);
  const acresOf = async () => decodeTile(await ask()).parcels?.[0]?.properties.acres;
  engine.land.file.run('UPDATE parcels SET acres = 1234.5');
  expect(await acresOf()).toBe(1234.5);
  const other = openEngine({ home: engine.home, keepsIndexes: false });
  other.land.file.run('UPDATE parcels SET acres = 77.25');
  other.close();
  expect(await acresOf()).toBe(77.25);
  // Rolled back changes were never cached.
  expect(() =>
    engine.land.file.transaction(() => {
      engine.land.file.run('UPDATE parcels SET acres = 1');
      void ask();
      throw new Error('taken back');
    }),
  ).toThrow('taken back');
  expect(await acresOf()).toBe(77.25);
});
