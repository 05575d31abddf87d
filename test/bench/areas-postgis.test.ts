/** 300 polygons, with holes, in several parts, along the parcels' own edges: Platbook counts what PostGIS counts. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { boundsOfMultiPolygon } from '../../engine/geo/geometry.ts';
import { decodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { parseWkt } from '../../engine/geo/wkt.ts';
import { buildQueries } from '../geo/area-queries.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { findByColumns } from './engines/platbook-columns.ts';
import { postgis } from './engines/postgis.ts';
import type { Question } from './questions.ts';

const why = postgis.missing();
const canRun = requireOrSkip('areas against PostGIS', why === null, `missing ${why}`);

function questionOf(wkt: string): Question {
  const read = parseWkt(wkt);
  if (!read.ok) throw new Error(read.problem);
  const { minX: west, minY: south, maxX: east, maxY: north } = boundsOfMultiPolygon(read.geometry.polygons);
  return {
    operation: 'filter_properties',
    body: { geom_intersects: wkt },
    predicates: [{ type: 'intersects', area: { wkt, west, south, east, north } }],
    isByAcresDescending: false,
    page: 1,
    pageSize: 25,
  };
}

test.runIf(canRun)('300 random polygons hold the parcels that PostGIS finds', { timeout: 120_000 }, async () => {
  const engine = engineOn(sampleHome());
  const shapes = engine.land.file
    .column<Buffer>('SELECT geom FROM parcels WHERE geom IS NOT NULL')
    .map(decodeMultiPolygon);
  const polygons = [1, 2].flatMap((seed) => buildQueries(shapes, seed)).filter((wkt) => wkt.startsWith('MULTIPOLYGON'));
  const questions = polygons.slice(0, 300).map(questionOf);
  expect(questions.length).toBe(300);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-postgis-'));
  // The server runs as a user of its own and has to reach its folder.
  fs.chmodSync(folder, 0o711);
  const server = await postgis.start?.(folder, true);
  try {
    await postgis.load(path.join(engine.home, 'land.sqlite'), folder);
    const open = await postgis.open(folder);
    const differences: string[] = [];
    let found = 0;
    for (const question of questions) {
      const { count } = (await open.ask(question))();
      const ours = findByColumns(engine, question).count;
      found += count;
      if (ours !== count) differences.push(`${ours} against ${count}: ${JSON.stringify(question.body).slice(0, 200)}`);
    }
    await open.close();
    expect(differences).toEqual([]);
    expect(found).toBeGreaterThan(10_000);
  } finally {
    server?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
