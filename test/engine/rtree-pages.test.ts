/** An R-tree that is filled at once holds what one holds that SQLite grew box by box; SQLite's own check finds it whole. */
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RtreeFiller } from '../../engine/store/rtree-pages.ts';
import { openSqliteFile, type SqliteFile } from '../../engine/store/sqlite.ts';
import { emptyHome } from '../support/homes.ts';

type Box = readonly [id: number, minX: number, maxX: number, minY: number, maxY: number];

function openTrees(): SqliteFile {
  return openSqliteFile(path.join(emptyHome(), 'trees.sqlite'), {
    fileName: 'trees.sqlite',
    applicationId: 1,
    migrations: [
      'CREATE VIRTUAL TABLE filled USING rtree(id, a, b, c, d); CREATE VIRTUAL TABLE grown USING rtree(id, a, b, c, d);',
    ],
    synchronous: 'NORMAL',
    functions: () => ({}),
    pageSize: 8192,
  });
}

function fill(file: SqliteFile, boxes: readonly Box[]): void {
  file.transaction(() => {
    const filler = new RtreeFiller(file, 'filled');
    file.withShadowTables(() => {
      for (const box of boxes) filler.add(...box);
      filler.finish();
    });
    for (const box of boxes) file.run('INSERT INTO grown VALUES (?, ?, ?, ?, ?)', ...box);
  });
}

const checked = (file: SqliteFile): unknown => file.get("SELECT rtreecheck('filled') AS words")?.words;
const inside = 'a < :east AND b > :west AND c < :north AND d > :south';

const axis = (limit: number) =>
  fc
    .tuple(fc.double({ min: -limit, max: limit, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([least, size]) => [least, least + size] as const);

test('boxes are the same to the bit, whatever their numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(axis(180), axis(90)), { maxLength: 120 }), (axes) => {
      const file = openTrees();
      fill(
        file,
        axes.map(([x, y], index): Box => [index + 1, ...x, ...y]),
      );
      expect(file.all('SELECT * FROM filled ORDER BY id')).toEqual(file.all('SELECT * FROM grown ORDER BY id'));
      expect(checked(file)).toBe('ok');
      file.close();
    }),
    { numRuns: 30 },
  );
});

test.each([0, 1, 51, 52, 2601, 2602, 8000])('%i boxes make a whole tree that answers and goes on growing', (count) => {
  const file = openTrees();
  // Rows of a hundred small boxes; 51 × 51 = 2,601 is what two levels hold.
  const boxes = Array.from({ length: count }, (_, index): Box => {
    const [west, south] = [-98 + (index % 100) * 0.01, 38 + Math.floor(index / 100) * 0.01];
    return [index + 1, west, west + 0.009, south, south + 0.009];
  });
  fill(file, boxes);
  expect(checked(file)).toBe('ok');
  const window = { west: -97.905, east: -97.855, south: 38.015, north: 38.055 };
  const ask = (tree: string) => file.column(`SELECT id FROM ${tree} WHERE ${inside} ORDER BY id`, window);
  expect(ask('filled')).toEqual(ask('grown'));
  // Whole columns 9 to 14 of whole rows 1 to 5: each box of a hundredth that touches the window.
  if (count >= 2601) expect(ask('filled')).toHaveLength(6 * 5);
  for (const gone of ['id % 3 = 0', 'id % 5 <> 0', 'id > 0']) {
    file.run(`DELETE FROM filled WHERE ${gone}`);
    file.run('INSERT INTO filled VALUES (NULL, 1, 2, 3, 4)');
    expect(checked(file)).toBe('ok');
  }
  file.close();
});

test('a tree that holds something is not filled, and its tables are guarded elsewhere', () => {
  const file = openTrees();
  fill(file, [[1, 0, 1, 0, 1]]);
  expect(() => new RtreeFiller(file, 'filled')).toThrow('filled is not empty');
  expect(() => file.run('DELETE FROM filled_node')).toThrow('may not be modified');
  file.close();
});
