/** A town on several pages has one detail for all, whichever page is drawn. */
import { expect, test } from 'vitest';
import { frameBox } from '../../engine/book/book-paper.ts';
import { type Placed, planPages } from '../../engine/book/page-plan.ts';
import { type SeamDetail, seamDetails, seamOf } from '../../engine/book/seam-details.ts';
import { pageSize } from '../../engine/spec/sheet-paper.ts';

const box = frameBox(pageSize('letter', false));

const lot = (x: number, y: number, side: number): Placed => ({
  bounds: { minX: x - side / 2, maxX: x + side / 2, minY: y - side / 2, maxY: y + side / 2 },
  polygons: [],
  stripAcres: null,
});

/** Farms all over four pages and more. */
const farms = Array.from({ length: 400 }, (_, at) =>
  lot(-72 + (at % 20) * 0.005, 43 + Math.floor(at / 20) * 0.005, 0.0049),
);
const plan = planPages(farms, box, 24_000);
if (!plan) throw new Error('the farms need few pages');

/** Lots of a tenth of an acre, in rows, around a place. */
const town = (x: number, y: number, across = 14): Placed[] =>
  Array.from({ length: across ** 2 }, (_, at) =>
    lot(x + ((at % across) - across / 2) * 0.0003, y + (Math.floor(at / across) - across / 2) * 0.0003, 0.00028),
  );

const pageNamed = (name: string) => {
  const page = plan.pages.find((one) => one.name === name);
  if (!page) throw new Error(`there is no page ${name}`);
  return page;
};
const seamsWith = (lots: readonly Placed[], most: number | null = 6000): SeamDetail[] =>
  seamDetails([...farms, ...lots], plan, box, most);

/** Where A1, A2, B1 and B2 meet. */
const corner = () => {
  const [a, b] = [pageNamed('A1').frame.bounds, pageNamed('B2').frame.bounds];
  return [(a.maxX + b.minX) / 2, (a.minY + b.maxY) / 2] as const;
};

test('a town where four pages meet has one detail, of the first of them', () => {
  const lots = town(...corner());
  const [seam, ...others] = seamsWith(lots);
  expect(others).toEqual([]);
  expect(seam).toMatchObject({ name: 'A1.1', pages: ['A1', 'A2', 'B1', 'B2'] });
  // As large as the town lets it, and no larger than asked.
  expect(seam?.frame.scale).toBe(6000);
  expect(seamsWith(lots, 12_000)[0]?.frame.scale).toBe(12_000);
  const homes = lots.map(({ bounds }) => {
    const point = [(bounds.minX + bounds.maxX) / 2, (bounds.minY + bounds.maxY) / 2] as const;
    const page = plan.homeOf(point);
    return page && seamOf({ bounds, point, page }, [seam as SeamDetail])?.name;
  });
  expect(new Set(homes)).toEqual(new Set(['A1.1']));
  // A farm among the lots keeps its page.
  const [x, y] = corner();
  expect(seamOf({ bounds: lot(x, y, 0.0049).bounds, point: [x, y], page: pageNamed('A1') }, [seam as SeamDetail])).toBe(
    undefined,
  );
});

test('a town within a page, land that is crowded everywhere, and a book without details have none', () => {
  const { longitude, latitude } = pageNamed('A1').frame;
  expect(seamsWith(town(longitude, latitude))).toEqual([]);
  expect(seamsWith(town(...corner(), 160))).toEqual([]);
  expect(seamsWith(town(...corner()), null)).toEqual([]);
  expect(seamsWith(town(...corner()), 24_000)).toEqual([]);
});
