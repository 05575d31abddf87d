/**
 * Areas by the column index, to the parcel: random ones, most of them along the parcels' own edges and corners, against
 * the exact test of every parcel, with outlines in memory and without.
 */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { withAllMatches } from '../../engine/columns/evaluate.ts';
import { pageById } from '../../engine/columns/pages.ts';
import { prepareGeometry } from '../../engine/geo/intersects.ts';
import { decodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { parseWkt } from '../../engine/geo/wkt.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import type { Engine } from '../../engine/index.ts';
import { cacheOf, openCounties } from '../../engine/query/county-index.ts';
import { parcelTests } from '../../engine/query/find-parcels.ts';
import { writeGeneratedCounty } from '../bench/generated-county.ts';
import { buildQueries } from '../geo/area-queries.ts';
import { emptyHome, engineOn, realHome, sampleHome } from '../support/homes.ts';
import { runs } from '../support/runs.ts';
import { realDataOrSkip } from '../support/shared-data.ts';

/** Sets of 240 areas. */
const sets = runs(1, 4);

interface Placed {
  readonly property_id: number;
  readonly geom: Uint8Array | null;
  readonly point_lon: number | null;
  readonly point_lat: number | null;
}

const placedParcels = ({ land }: Engine): Placed[] =>
  land.file.all<Placed>(
    "SELECT property_id, geom, point_lon, point_lat FROM parcels WHERE status = 'current' ORDER BY property_id",
  );

const everything = { number: 1, size: 1_000_000, offset: 0 };

/** The parcels of an area by the index, and how many of them the exact test read. */
function byIndex({ land }: Engine, area: ReturnType<typeof prepareGeometry>) {
  const tests = parcelTests(land);
  let read = 0;
  const meetArea: typeof tests.meetArea = (ids, some) => {
    read += ids.length;
    return tests.meetArea(ids, some);
  };
  const ids = land.file.snapshot(() => {
    const counties = openCounties(land, null);
    if (!counties) throw new Error('the index does not answer');
    const steps = [{ type: 'area', filter: 'geom_intersects', area } as const];
    return withAllMatches(counties, steps, { meetArea }, (matches) => pageById(matches, everything, false));
  });
  return { ids, read };
}

function meets(area: ReturnType<typeof prepareGeometry>, { geom, point_lon: x, point_lat: y }: Placed): boolean {
  if (geom) return area.intersectsBlob(geom);
  return x !== null && y !== null && area.intersectsPoint(x, y);
}

async function generatedEngine(): Promise<Engine> {
  const engine = engineOn(sampleHome());
  const file = path.join(emptyHome(), 'county.ndjson');
  const { fips } = writeGeneratedCounty(file, 3000, 5);
  engine.land.file.exec("UPDATE home_kind SET kind = 'real'");
  await importParcels(engine.land, { files: [file], fips, homeKind: 'real', anywhere: true, now: engine.now });
  fs.rmSync(file);
  return engine;
}

const homes: [string, () => string | null, (home: string) => Engine | Promise<Engine>][] = [
  ['the sample county', sampleHome, engineOn],
  ['two real counties', realHome, engineOn],
  ['a generated county beside the sample', sampleHome, generatedEngine],
];

describe.each(homes)('on %s', (name, home, open) => {
  const folder = home();
  const available = folder !== null || realDataOrSkip(`areas on ${name}`);

  test.runIf(available)(
    'random areas hold the parcels that meet them',
    { timeout: 60_000 * sets + 60_000 },
    async () => {
      const engine = await open(folder ?? '');
      const parcels = placedParcels(engine);
      const shapes = parcels.flatMap(({ geom }) => (geom ? [decodeMultiPolygon(geom)] : []));
      /** Every area of a set is answered to the parcel. @returns how many parcels the exact test read */
      const readFor = (seed: number): number => {
        let read = 0;
        for (const wkt of buildQueries(shapes, seed)) {
          const parsed = parseWkt(wkt);
          if (!parsed.ok) throw new Error(parsed.problem);
          const area = prepareGeometry(parsed.geometry);
          const expected = parcels.filter((parcel) => meets(area, parcel)).map(({ property_id: id }) => id);
          const found = byIndex(engine, area);
          expect(found.ids, wkt).toEqual(expected);
          read += found.read;
        }
        return read;
      };
      const withOutlines = readFor(1);
      for (let seed = 2; seed <= sets; seed++) readFor(seed);
      const cache = cacheOf(engine.land);
      cache.budgetBytes = 0;
      cache.shrink();
      const without = readFor(1);
      // Most of these areas run along parcels' edges, where only the exact test can tell.
      expect(without).toBeGreaterThan(2 * withOutlines);
    },
  );
});
