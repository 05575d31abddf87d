/** Corners of parcels where GDAL finds them on pages of a book: at their places in the county, to a meter. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bookOptions } from '../../engine/book/book-fields.ts';
import { readParcels } from '../../engine/book/book-parcels.ts';
import { makePage } from '../../engine/book/make-book.ts';
import { holds } from '../../engine/book/page-plan.ts';
import { planBook } from '../../engine/book/plan-book.ts';
import { localMetric } from '../../engine/geo/local-metric.ts';
import { gdalReadsOrSkip } from '../support/gdal.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { workOutOwners } from '../support/known-owners.ts';
import { measured, runs } from '../support/runs.ts';

const hasGdal = gdalReadsOrSkip('corners on pages', 'PDF');

type Corner = readonly [longitude: number, latitude: number];

/** Lines and rings in a feature's coordinates. */
function linesIn(value: unknown): Corner[][] {
  const list = value as unknown[][];
  // A point, or nothing.
  if (!Array.isArray(list[0])) return [];
  return typeof list[0]?.[0] === 'number' ? [list as unknown as Corner[]] : list.flatMap(linesIn);
}

/** What GDAL reads of the first page of a file, in degrees. */
function linesOfPage(pdf: Uint8Array): Corner[][] {
  const folder = emptyHome();
  const [file, lines] = [path.join(folder, 'page.pdf'), path.join(folder, 'lines.ndjson')];
  fs.writeFileSync(file, pdf);
  const env = { ...process.env, OGR_PDF_READ_NON_STRUCTURED: 'YES' };
  const layers = execFileSync('ogrinfo', ['-q', file], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  // A page without holdings of several parcels has no lines within them.
  const drawn = ['Owners', 'Parcel_lines'].filter(
    (layer) => layers.includes(`: ${layer} `) || layers.includes(`: ${layer}\n`),
  );
  execFileSync('ogr2ogr', ['-f', 'GeoJSONSeq', '-lco', 'COORDINATE_PRECISION=9', lines, file, ...drawn], {
    ...{ env, stdio: ['ignore', 'ignore', 'pipe'] },
  });
  return fs
    .readFileSync(lines, 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => linesIn((JSON.parse(line) as { geometry: { coordinates: unknown } }).geometry.coordinates));
}

/** Meters to the nearest line: a corner on a straight line may be left out of it. */
function distance([x, y]: Corner, lines: readonly (readonly Corner[])[]): number {
  const metric = localMetric(y);
  let least = Infinity;
  for (const line of lines) {
    for (const [at, [bx, by]] of line.entries()) {
      const [ax, ay] = line[at - 1] ?? [bx, by];
      const [dx, dy] = [(bx - ax) * metric.x, (by - ay) * metric.y];
      const [px, py] = [(x - ax) * metric.x, (y - ay) * metric.y];
      const share = Math.max(0, Math.min(1, (px * dx + py * dy) / (dx * dx + dy * dy || 1)));
      least = Math.min(least, Math.hypot(px - share * dx, py - share * dy));
    }
  }
  return least;
}

test.skipIf(!hasGdal)('corners lie where the county has them', { timeout: 600_000 }, () => {
  const engine = engineOn(sampleHome());
  workOutOwners(engine);
  const options = bookOptions({}, new Date('2026-11-25T03:00:00Z'));
  const { plan } = planBook(engine.land, options);
  const all = readParcels(engine.land.file, options.choice).flatMap(({ shape }) =>
    shape.polygons
      .flat()
      .flatMap((ring) =>
        Array.from(
          { length: ring.length / 2 - 1 },
          (_, at): Corner => [ring[2 * at] as number, ring[2 * at + 1] as number],
        ),
      ),
  );
  const [pages, ofEach] = [runs(4, 20), 60];
  const found = Array.from(
    { length: pages },
    (_, at) => plan.pages[Math.floor(((at + 0.5) / pages) * plan.pages.length)],
  ).flatMap((page) => {
    const { name = '', frame } = page ?? {};
    const inside = all.filter(([x, y]) => frame !== undefined && holds(frame.bounds, x, y));
    const count = Math.min(ofEach, inside.length);
    const some = Array.from({ length: count }, (_, at) => inside[Math.floor((at * inside.length) / count)] as Corner);
    const pieces: Uint8Array[] = [];
    makePage(
      engine.land,
      name,
      { ...options, details: null },
      { put: (piece) => pieces.push(piece), progress: () => {} },
    );
    const lines = linesOfPage(Buffer.concat(pieces));
    return some.map((corner) => distance(corner, lines));
  });
  const ascending = found.toSorted((a, b) => a - b);
  const farthest = ascending.at(-1) as number;
  measured(
    `${found.length} corners, median ${ascending[Math.floor(found.length / 2)]?.toFixed(2)} m, farthest ${farthest.toFixed(2)} m`,
    ['1 m', farthest <= 1],
  );
  // Pages at the county's edge may hold fewer.
  expect(found.length).toBeGreaterThanOrEqual(50 * pages);
  expect(farthest).toBeLessThan(1);
});
