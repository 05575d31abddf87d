/** A file of several layers completes parcels from the one that is named, or that its publisher's files are known for. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import type { JobStatus } from '../../engine/jobs/job.ts';
import { runChange } from '../../engine/work/index.ts';
import { gdalOrSkip, ogr2ogr } from '../support/gdal.ts';
import { emptyHome } from '../support/homes.ts';
import { makeZip } from '../support/make-zip.ts';
import { platbook } from '../support/platbook.ts';
import { columnsByApn, homeWith, importAgain, type LayerFeature, now, testFips, writeLayer } from './enriched-home.ts';
import { lotOfFeet, pathOfFeet } from './laid-shapes.ts';

const hasGdal = gdalOrSkip('files of several layers');

const lots = [{ apn: '1', shape: lotOfFeet(0, 30, 100, 230) }];
const statePlane = 'EPSG:3420';

/** Like FEMA's file of a county: several Shapefiles; without .prj where a system must be named. */
function zipOf(name: string, layers: Readonly<Record<string, readonly LayerFeature[]>>, endings: RegExp = /./): string {
  const folder = emptyHome();
  for (const [layer, features] of Object.entries(layers)) {
    const source = writeLayer(folder, `${layer}.geojson`, features);
    ogr2ogr('-f', 'ESRI Shapefile', '-t_srs', statePlane, path.join(folder, `${layer}.shp`), source);
    fs.rmSync(source);
  }
  const entries = fs
    .readdirSync(folder)
    .filter((file) => endings.test(file))
    .map((file) => ({ name: file, content: fs.readFileSync(path.join(folder, file)) }));
  const zip = path.join(folder, name);
  fs.writeFileSync(zip, makeZip(entries));
  return zip;
}

const zone = (feet: number): LayerFeature => ({ polygons: lotOfFeet(-10, 0, 300, 30 + feet), FLD_ZONE: 'AE' });
const nfhl = (endings?: RegExp): string =>
  zipOf(
    '20123C_20250630.zip',
    {
      S_BFE: [{ lines: [pathOfFeet([0, 0], [100, 100])], ELEV: 800 }],
      S_FIRM_PAN: [{ polygons: lotOfFeet(-900, -900, 900, 900), FIRM_PAN: '20123C0100D' }],
      S_FLD_HAZ_AR: [zone(50)],
      S_OLD_HAZ_AR: [zone(150)],
    },
    endings,
  );

test.runIf(hasGdal)('by the command line: what is usual, what is named, and in the system that is named', async () => {
  const home = emptyHome();
  const engine = openEngine({ home });
  await importAgain(engine, lots);
  engine.close();
  const percent = () => {
    const again = openEngine({ home });
    const found = columnsByApn(again, 'flood_zone_percent');
    again.close();
    return found[1];
  };
  const run = (...more: string[]) => platbook(home, 'enrich', ...more, '--county', testFips, '--coverage', 'county');

  const usual = await run('flood', nfhl());
  expect(usual).toMatchObject({ code: 0, err: expect.not.stringContaining('platbook:') as string });
  expect(usual.out).toContain('The file has several layers; S_FLD_HAZ_AR was read.');
  expect(percent()).toEqual([25]);
  const named = await run('flood', nfhl(), '--layer', 's_old_haz_ar');
  expect([named.code, named.out.includes('was read')]).toEqual([0, false]);
  expect(percent()).toEqual([75]);
  expect((await run('flood', nfhl(), '--layer', 'S_XS')).err).toMatch(/no layer "S_XS"; it has "S_BFE"/);

  const bare = await run('flood', nfhl(/shp|shx|dbf/));
  expect(bare).toMatchObject({ code: 1, err: expect.stringMatching(/\.prj.*--crs EPSG/) as string });
  const placed = await run('flood', nfhl(/shp|shx|dbf/), '--crs', statePlane);
  expect(placed).toMatchObject({ code: 0 });
  expect(percent()).toEqual([25]);

  const asked = await run('buildings', nfhl());
  expect(asked.err).toMatch(/expected one layer, found 4: "S_BFE".*Name the one that is meant \(--layer\)/);
});

test.runIf(hasGdal)('by a job of the window', async () => {
  const engine = openEngine({ home: emptyHome() });
  onTestFinished(() => engine.close());
  await importAgain(engine, lots);
  const start = async (more: Record<string, string>) => {
    const input = { kind: 'flood', file: nfhl(/shp|shx|dbf/), county: testFips, coverage: 'county' as const, ...more };
    const { data } = await runChange(engine, 'start_enrichment', input);
    return engine.jobs.finished((data as JobStatus).job_id);
  };
  expect(await start({ layer: 'S_OLD_HAZ_AR', crs: statePlane })).toMatchObject({ state: 'done', error: null });
  expect(columnsByApn(engine, 'flood_zone_percent')).toEqual({ 1: [75] });
  expect(await start({ crs: statePlane })).toMatchObject({
    state: 'done',
    report: { notes: ['The file has several layers; S_FLD_HAZ_AR was read.'] },
  });
  expect(columnsByApn(engine, 'flood_zone_percent')).toEqual({ 1: [25] });
});

test.runIf(hasGdal)('the wetlands of a state are found among their notes', async () => {
  const file = zipOf('KS_shapefile_wetlands.zip', {
    KS_Wetlands: [{ polygons: lotOfFeet(-10, 0, 300, 80), ATTRIBUTE: 'PFO1A' }],
    KS_Wetlands_Project_Metadata: [{ polygons: lotOfFeet(-900, -900, 900, 900), NAME: 'All' }],
  });
  const engine = await homeWith(lots);
  await enrich(engine.land, { kind: 'wetlands', file, fips: testFips, now, date: '2025-06-30', coverage: 'county' });
  expect(columnsByApn(engine, 'wetlands_percent')).toEqual({ 1: [25] });
});

test('elevation has no layers to choose from', async () => {
  const engine = await homeWith(lots);
  const file = path.join(emptyHome(), 'dem.tif');
  fs.writeFileSync(file, 'II*\0');
  await expect(enrich(engine.land, { kind: 'slope', file, fips: testFips, now, layer: 'dem' })).rejects.toThrow(
    /expected elevation without a layer/,
  );
});
