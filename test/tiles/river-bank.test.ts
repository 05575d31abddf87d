/** A river drawn as an area is lettered once: along one bank. */
import { expect, test } from 'vitest';
import { encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { riverBanks } from '../../engine/tiles/river-bank.ts';
import { type Position, positionsOf, reversed, ring } from '../geo/shapes.ts';
import { decodeTile } from '../support/decode-tile.ts';
import { openFixtureHome } from '../support/fixture-home.ts';
import { tilesOf } from './tile-oracle.ts';

/** A band of eleven corners a side that winds from west to east. */
const north = Array.from({ length: 11 }, (_, i): Position => [-72.2 + 0.02 * i, 43.1 + 0.004 * Math.sin(i)]);
const south = north.map(([x, y]): Position => [x, y - 0.002]);

/** The band's ring, begun at any corner. */
const bandFrom = (start: number) => {
  const corners = [...south, ...north.toReversed()];
  const turned = [...corners.slice(start), ...corners.slice(0, start)];
  return ring(...turned, turned[0] as Position);
};

test('the bank is the north one from west to east, wherever the ring begins and whichever way it runs', () => {
  for (let start = 0; start < 22; start++) {
    for (const band of [bandFrom(start), reversed(bandFrom(start))]) {
      const [bank, ...others] = riverBanks([[band]]);
      expect(others).toEqual([]);
      const corners = positionsOf(bank ?? new Float64Array());
      // One of the farthest corners may be the south bank's.
      expect(
        corners.filter(([, y], i) => i > 0 && i < corners.length - 1 && south.some((one) => one[1] === y)),
      ).toEqual([]);
      expect(corners.length).toBeGreaterThanOrEqual(11);
      expect(corners.length).toBeLessThanOrEqual(13);
      expect((corners[0] as Position)[0]).toBe(-72.2);
      expect((corners.at(-1) as Position)[0]).toBeCloseTo(-72);
    }
  }
});

test('a tile has the name of a river on one line, joined where its reaches touch; of a pond, at a point', async () => {
  const { engine, close } = openFixtureHome({ keepsIndexes: false });
  try {
    const { file } = engine.land;
    const layer = Number(
      file.run(
        `INSERT INTO layers (fips, kind, title, source_name, source_date, feature_count, settings, coverage, report, loaded_at)
         VALUES ('99001', 'other', 'Water', 'water.geojson', '2026-01-31', 3, '{}', '{}', '{}', '2026-02-01T00:00:00.000Z')`,
      ).lastInsertRowid,
    );
    const put = (id: number, featureClass: string, name: string, corners: readonly Position[]) => {
      const geom = encodeMultiPolygon([[ring(...corners, corners[0] as Position)]]);
      file.run(
        `INSERT INTO layer_features (layer_feature_id, layer_id, feature_id, class, properties, geom, name)
         VALUES (?, ?, ?, ?, '{}', ?, ?)`,
        ...[id, layer, id, featureClass, geom, name],
      );
      file.run('INSERT INTO layer_features_index VALUES (?, -72.2, -72, 43.09, 43.11)', id);
    };
    put(1, 'river', 'Sorrel River', [...north.slice(0, 6), ...south.slice(0, 6).toReversed()]);
    put(2, 'river', 'Sorrel River', [...north.slice(5), ...south.slice(5).toReversed()]);
    put(3, 'pond', 'Mill Pond', [
      [-72.11, 43.104],
      [-72.11, 43.109],
      [-72.1, 43.109],
      [-72.1, 43.104],
    ]);
    const [address] = tilesOf({ minX: -72.105, maxX: -72.105, minY: 43.106, maxY: 43.106 }, 9);
    if (!address) throw new Error('no tile');
    const { names = [] } = decodeTile(await getTile(engine, `layer-${layer}`, address.z, address.x, address.y));
    const told = names.map(({ type, parts, properties }) => [type, parts.length, properties.class, properties.name]);
    expect(told.toSorted()).toEqual([
      [1, 1, 'pond', 'Mill Pond'],
      [2, 1, 'river', 'Sorrel River'],
    ]);
  } finally {
    close();
  }
});
