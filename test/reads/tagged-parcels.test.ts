/** Parcels by tag for the map: the legend and the tiles say what account.sqlite and land.sqlite say. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Bounds } from '../../engine/geo/geometry.ts';
import { type LiveFilter, parseLiveRequest } from '../../engine/query/live-request.ts';
import { taggedInBox } from '../../engine/query/tagged-parcels.ts';
import { type ReadInputOf, type ReadName, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { TilePlace } from '../../engine/tiles/tile-place.ts';
import { runChange } from '../../engine/work/index.ts';
import { openHomeCopy, removeHome, sampleHome } from '../support/homes.ts';

let engine: Engine;
const county: LiveFilter = { county: '99001' };

const read = <Name extends ReadName>(name: Name, input: ReadInputOf<Name>) =>
  runRead(engine, name, input) as ReadOutputOf<Name>;
const inBox = (groups: readonly (readonly number[])[], box: Bounds, filter = county) =>
  taggedInBox(engine.land, engine.account, parseLiveRequest(filter, engine.account), groups, box);

interface Shaped extends Bounds {
  readonly id: number;
}
let shaped: Shaped[];
/** Tags of each parcel, by SQL alone. */
const tagsOf = (): Map<number, number[]> => {
  const found = new Map<number, number[]>();
  for (const { id, tag } of engine.account.file.all<{ id: number; tag: number }>(
    'SELECT property_id AS id, tag_id AS tag FROM parcel_tags',
  ))
    found.set(id, [...(found.get(id) ?? []), tag]);
  return found;
};

/** Each parcel in the first of its groups, by plain loops over what SQL says. */
function expected(groups: readonly (readonly number[])[], box: Bounds): number[][] {
  const tags = tagsOf();
  const result: number[][] = groups.map(() => []);
  for (const one of shaped) {
    if (one.minX > box.maxX || one.maxX < box.minX || one.minY > box.maxY || one.maxY < box.minY) continue;
    const first = groups.findIndex((group) => group.some((tag) => tags.get(one.id)?.includes(tag)));
    if (first >= 0) result[first]?.push(one.id);
  }
  return result;
}

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

beforeAll(async () => {
  engine = openHomeCopy(sampleHome());
  indexStaleCounties(engine.land.file);
  shaped = engine.land.file.all<Shaped>(
    `SELECT pkid AS id, xmin AS minX, xmax AS maxX, ymin AS minY, ymax AS maxY FROM idx_parcels_geom
     JOIN parcels ON property_id = pkid WHERE status = 'current' AND fips = '99001' ORDER BY pkid`,
  );
  // Tag i on 700 - 100 i parcels, with other strides: many parcels have several tags, none of the orders is that of ids.
  for (const [i, name] of names.entries()) {
    const ids = new Set(Array.from({ length: 700 - 100 * i }, (_, k) => 1 + ((k * (2 * i + 3) + 5 * i) % 5000)));
    await runChange(engine, 'tag', { name, ids: [...ids] });
  }
});
afterAll(() => removeHome(engine));

test('the parcels of groups of tags in a tile are those of SQL, each in the first of its groups', () => {
  const groups = [[3], [1], [2, 5, 7]];
  let several = 0;
  for (const z of [9, 12, 13, 14]) {
    const [{ minX = 0, minY = 0 } = {}] = shaped;
    const n = 2 ** z;
    const x = Math.floor((minX / 360 + 0.5) * n);
    const latitude = (minY * Math.PI) / 180;
    const y = Math.floor((0.5 - Math.asinh(Math.tan(latitude)) / (2 * Math.PI)) * n);
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, -1],
    ] as const) {
      const place = { z, x: x + dx, y: y + dy };
      // The buffer of tiles: 64 units of 4,096.
      const box = new TilePlace(place.z, place.x, place.y).bounds(64);
      const found = read('tagged_in_tile', { filter: county, groups, ...place }).groups;
      expect(found).toEqual(expected(groups, box));
      several += found.filter(({ length }) => length > 0).length;
    }
  }
  expect(several).toBeGreaterThan(10);
});

test('a box that only touches a parcel’s box has it, and one beside it has not', () => {
  const tagged = shaped.find(({ id }) => tagsOf().get(id)?.includes(1));
  if (!tagged) throw new Error('none is tagged');
  const { id, maxX, minY, maxY } = tagged;
  const touching = { minX: maxX, maxX: maxX + 1e-7, minY, maxY };
  expect(inBox([[1]], touching)[0]).toContain(id);
  expect(inBox([[1]], touching)).toEqual(expected([[1]], touching));
  const beside = { ...touching, minX: maxX + 1e-5, maxX: maxX + 2e-5 };
  expect(inBox([[1]], beside)[0]).not.toContain(id);
});

test('the legend counts tags as SQL does, the most used first, and the rest together', () => {
  const here = new Set(shaped.map(({ id }) => id));
  const counts = new Map(names.map((_, i) => [i + 1, 0]));
  const tags = [...tagsOf()].filter(([id]) => here.has(id));
  for (const [, ids] of tags) for (const tag of ids) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const legend = read('tag_legend', { filter: county, most: 5 });
  // 700, 600 … of 5,000 ids: the order of their names, despite a few parcels without a shape.
  expect(legend.tags).toEqual(
    [1, 2, 3, 4].map((tag) => ({ tag_id: tag, name: names[tag - 1], count: counts.get(tag) })),
  );
  expect(legend.others).toEqual({
    tag_ids: [5, 6, 7],
    count: tags.filter(([, ids]) => ids.some((tag) => tag >= 5)).length,
  });
  expect(legend.made).toBe(7);
});

test('the order of tags is that of the county, whatever else the filter asks', () => {
  const all = read('tag_legend', { filter: county, most: 6 });
  expect(read('tag_legend', { filter: { ...county, acres_min: 40, tags: [7] }, most: 6 })).toEqual(all);
});

test('another county has no tags, a deleted tag no parcels, and both differ from no tags at all', async () => {
  expect(read('tag_legend', { filter: { county: '33019' }, most: 5 })).toEqual({
    tags: [],
    others: { tag_ids: [], count: 0 },
    made: 7,
  });
  await runChange(engine, 'delete_tag', { tag_id: 3 });
  const everywhere = { minX: -180, maxX: 180, minY: -90, maxY: 90 };
  const [gone, standing] = inBox([[3], [1, 3]], everywhere);
  expect(gone).toEqual([]);
  expect(standing).toEqual(expected([[1]], everywhere)[0]);
  expect(read('tag_legend', { filter: county, most: 5 }).tags.map(({ tag_id: id }) => id)).toEqual([1, 2, 4, 5]);
});
