/** A layer completes parcels the same whatever format it comes in. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { type EnrichReport, enrich } from '../../engine/enrichment/enrich.ts';
import type { EnrichOptions } from '../../engine/enrichment/enrich-options.ts';
import { type LayerKind, layerKinds } from '../../engine/enrichment/layer-kinds.ts';
import { readParcelFile } from '../../engine/importing/formats/parcel-reader.ts';
import type { ParcelFormat } from '../../engine/importing/formats/parcel-source.ts';
import { gdalOrSkip, gdalWritesOrSkip, ogr2ogr } from '../support/gdal.ts';
import { emptyHome } from '../support/homes.ts';
import { type ParquetFeature, writeParquet } from '../support/make-parquet.ts';
import { writeTopoJson } from '../support/make-topojson.ts';
import { makeZip } from '../support/make-zip.ts';
import { byDay } from '../support/runs.ts';
import {
  columnsByApn,
  homeWith,
  type LayerFeature,
  now,
  type TestParcel,
  testFips,
  writeLayer,
} from './enriched-home.ts';
import { lotOfFeet, pathOfFeet } from './laid-shapes.ts';

const hasGdal = gdalOrSkip('layers in every format');
const writesGdb = hasGdal && gdalWritesOrSkip('layers in File Geodatabases', 'OpenFileGDB');

/** Kansas North, US survey feet. */
const statePlane = 'EPSG:3420';
/** A TAB keeps whole numbers: within these bounds they are thousandths of a foot. */
const tabBounds = '0,1000000,3000000,4000000';

const lots: readonly TestParcel[] = [
  { apn: '1', shape: lotOfFeet(0, 30, 100, 230) },
  { apn: '2', shape: lotOfFeet(100, 30, 200, 230) },
  { apn: '3', shape: lotOfFeet(0, 230, 100, 430) },
  { apn: '4', shape: lotOfFeet(3000, 30, 3100, 230) },
];
const wide = lotOfFeet(-500, -500, 600, 600);
/** A hole over the second lot, and a second part over the fourth. */
const parted = [
  [...(lotOfFeet(-10, 0, 300, 81)[0] ?? []), ...(lotOfFeet(120, 40, 160, 70)[0] ?? [])],
  ...lotOfFeet(2990, 20, 3110, 90),
];

/** What each kind of layer holds, with a road of two parts and one of another class. */
const layers: Readonly<Record<Exclude<LayerKind, 'slope' | 'other'>, readonly LayerFeature[]>> = {
  roads: [
    {
      lines: [pathOfFeet([-1000, 0], [50, 0], [1000, 0]), pathOfFeet([2000, 0], [4000, 0])],
      MTFCC: 'S1400',
    },
    { lines: [pathOfFeet([-20, -500], [-20, 500])], MTFCC: 'S1200' },
    { lines: [pathOfFeet([-1000, -5], [1000, -5])], MTFCC: 'S1710' },
  ],
  wetlands: [{ polygons: parted, ATTRIBUTE: 'PFO1A' }],
  flood: [
    { polygons: parted, FLD_ZONE: 'AE' },
    { polygons: lotOfFeet(-10, 81, 300, 333), FLD_ZONE: 'X' },
  ],
  buildings: [
    { polygons: lotOfFeet(10, 50, 40, 80), ID: 1 },
    { polygons: lotOfFeet(10, 300, 60, 350), ID: 2 },
  ],
  water: [{ polygons: parted, NAME: 'Island Pond' }],
  schools: [{ polygons: wide, NAME: 'Unified 273' }],
  zips: [{ polygons: wide, ZCTA5CE20: '67420' }],
  plss: [{ polygons: wide, FRSTDIVID: 'KS060050S0030W0SN120' }],
};

type Make = (source: string, folder: string) => string;

const by =
  (name: string, ...options: string[]): Make =>
  (source, folder) => {
    const file = path.join(folder, name);
    ogr2ogr(...options, file, source);
    return file;
  };

const multi = ['-nlt', 'PROMOTE_TO_MULTI'];
const single = ['-explodecollections'];
const fine = ['-lco', 'COORDINATE_PRECISION=12'];

function zipped(file: string, inside: string): string {
  const isFolder = fs.statSync(file).isDirectory();
  const folder = isFolder ? file : path.dirname(file);
  const stem = `${path.basename(file, path.extname(file))}.`;
  const names = fs.readdirSync(folder).filter((name) => isFolder || name.startsWith(stem));
  const entries = names.map((name) => ({ name: inside + name, content: fs.readFileSync(path.join(folder, name)) }));
  const zip = path.join(path.dirname(file), 'layer.zip');
  fs.writeFileSync(zip, makeZip(entries));
  return zip;
}

const shapefile = (...options: string[]): Make => by('layer.shp', '-f', 'ESRI Shapefile', ...options);

function featuresOf(source: string): ParquetFeature[] {
  return (JSON.parse(fs.readFileSync(source, 'utf8')) as { features: ParquetFeature[] }).features;
}

function csvOfGeoJson(source: string, folder: string): string {
  const features = featuresOf(source);
  const quoted = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
  const names = Object.keys(features[0]?.properties ?? {});
  const rows = features.map(({ geometry, properties }) =>
    [...names.map((name) => properties[name]), JSON.stringify(geometry)].map(quoted).join(','),
  );
  const file = path.join(folder, 'geojson.csv');
  fs.writeFileSync(file, `${[[...names, 'geometry'].join(','), ...rows].join('\n')}\n`);
  return file;
}

/** Every format that the importer knows; null: it holds parcels and nothing else, or shapes without values. */
const formats: Readonly<Record<ParcelFormat, Readonly<Record<string, Make>> | null>> = {
  csv: {
    'CSV with WKT': by('wkt.csv', '-f', 'CSV', '-lco', 'GEOMETRY=AS_WKT'),
    'CSV with WKT, single, with heights': by('z.csv', '-f', 'CSV', '-lco', 'GEOMETRY=AS_WKT', '-dim', 'XYZ', ...single),
    'CSV with GeoJSON': csvOfGeoJson,
  },
  'file-geodatabase': writesGdb
    ? {
        'File Geodatabase': by('layer.gdb', '-f', 'OpenFileGDB', ...multi),
        'zipped File Geodatabase in feet': (source, folder) =>
          zipped(by('layer.gdb', '-f', 'OpenFileGDB', '-t_srs', statePlane, ...multi)(source, folder), 'x/layer.gdb/'),
      }
    : {},
  geoparquet: {
    GeoParquet: (source, folder) => writeParquet(path.join(folder, 'layer.parquet'), featuresOf(source)),
    'GeoParquet in small groups, packed by Snappy': (source, folder) =>
      writeParquet(path.join(folder, 'small.parquet'), featuresOf(source), { groupRows: 2, codec: 'SNAPPY' }),
  },
  flatgeobuf: {
    FlatGeobuf: by('layer.fgb', '-f', 'FlatGeobuf', ...multi),
    'FlatGeobuf, single, with heights': by('single.fgb', '-f', 'FlatGeobuf', '-dim', 'XYZ', ...single),
    'FlatGeobuf in feet': by('feet.fgb', '-f', 'FlatGeobuf', '-t_srs', statePlane),
  },
  topojson: {
    TopoJSON: (source, folder) => writeTopoJson(path.join(folder, 'layer.topojson'), featuresOf(source)),
  },
  geojson: {
    'GeoJSON in feet': by('feet.geojson', '-f', 'GeoJSON', '-lco', 'RFC7946=NO', '-t_srs', statePlane, ...fine),
  },
  'geojson-lines': { 'newline GeoJSON': by('layer.geojsonl', '-f', 'GeoJSONSeq', ...fine) },
  geopackage: {
    GeoPackage: by('layer.gpkg', '-f', 'GPKG', ...multi),
    'GeoPackage, single, with heights and measures': by('single.gpkg', '-f', 'GPKG', '-dim', 'XYZM', ...single),
    'GeoPackage in feet': by('feet.gpkg', '-f', 'GPKG', '-t_srs', statePlane, ...multi),
  },
  kml: { KML: by('layer.kml', '-f', 'KML') },
  gml: { 'GML in feet': by('feet.gml', '-f', 'GML', '-t_srs', statePlane) },
  'mapinfo-tab': {
    'MapInfo TAB in feet': by('layer.tab', '-f', 'MapInfo File', '-t_srs', statePlane, '-lco', `BOUNDS=${tabBounds}`),
  },
  'mapinfo-mif': { 'MapInfo MIF': by('layer.mif', '-f', 'MapInfo File', '-dsco', 'FORMAT=MIF') },
  dxf: null,
  land: null,
  'service-answers': null,
  shapefile: {
    Shapefile: shapefile(),
    'Shapefile with heights': shapefile('-dim', 'XYZ'),
    'Shapefile with measures': shapefile('-dim', 'XYM'),
    'zipped Shapefile in feet': (source, folder) => zipped(shapefile('-t_srs', statePlane)(source, folder), ''),
  },
};

const cases = Object.entries(formats).flatMap(([format, makes]) =>
  Object.entries(makes ?? {}).map(([name, make]) => ({ format, name, make })),
);

const run = (engine: Engine, kind: LayerKind, file: string, more: Partial<EnrichOptions> = {}): Promise<EnrichReport> =>
  enrich(engine.land, { kind, file, fips: testFips, now, date: '2025-06-30', coverage: 'county', ...more });

async function valuesFrom(kind: LayerKind, file: string, more: Partial<EnrichOptions> = {}) {
  const engine = await homeWith(lots);
  const report = await run(engine, kind, file, more);
  expect(report.reading?.refused).toEqual({ count: 0, first: [] });
  return columnsByApn(engine, ...layerKinds[kind].columns.filter((name) => name !== 'owner_out_of_zip'));
}

const sourceOf = (kind: keyof typeof layers, folder: string) => writeLayer(folder, 'source.geojson', layers[kind]);

describe.runIf(hasGdal)('a layer in every format', () => {
  const expectedOf = new Map<LayerKind, ReturnType<typeof valuesFrom>>();

  test.each(
    byDay(
      cases.filter((_, index) => index % 4 === 0),
      cases,
    ),
  )('roads and flood zones from $name are those from GeoJSON', async ({ format, make }) => {
    for (const kind of ['roads', 'flood'] as const) {
      const folder = emptyHome();
      const source = sourceOf(kind, folder);
      const file = make(source, folder);
      const known = expectedOf.get(kind) ?? valuesFrom(kind, source);
      expectedOf.set(kind, known);
      const expected = await known;
      let found = '';
      for (const _ of readParcelFile(file, { purpose: 'layer' }, (layer) => (found = layer.format)));
      expect(found).toBe(format);
      expect(expected[1], kind).not.toContain(null);
      expect(await valuesFrom(kind, file)).toEqual(expected);
    }
  });

  test.each(Object.keys(layers) as (keyof typeof layers)[])(
    '%s from a zipped Shapefile in feet of the state are those from GeoJSON',
    async (kind) => {
      const folder = emptyHome();
      const source = sourceOf(kind, folder);
      const zip = zipped(shapefile('-t_srs', statePlane)(source, folder), '');
      expect(await valuesFrom(kind, zip)).toEqual(await valuesFrom(kind, source));
    },
  );

  test('lines for flood zones, and polygons for roads, are refused by what they are', async () => {
    const folder = emptyHome();
    const roads = shapefile()(sourceOf('roads', folder), folder);
    const flood = by('flood.gpkg', '-f', 'GPKG')(sourceOf('flood', folder), folder);
    const engine = await homeWith(lots);
    await expect(run(engine, 'flood', roads)).rejects.toThrow(/none of the 3 features.*Polygon.*found a line/);
    await expect(run(engine, 'roads', flood)).rejects.toThrow(/none of the 2 features.*LineString.*found a polygon/);
    expect(columnsByApn(engine, 'road_frontage_ft', 'flood_zone_percent')).toMatchObject({ 1: [null, null] });
  });
});
