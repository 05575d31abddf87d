/** Values computed by layers survive an import; published values beat them, and each stays known as what it is. */
import { describe, expect, test } from 'vitest';
import { checkColumnIndexes } from '../../engine/columns/index-check.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { enrichAgain } from '../../engine/enrichment/enrich-again.ts';
import { unenrich } from '../../engine/enrichment/unenrich.ts';
import { parseMapping } from '../../engine/importing/mapping/mapping.ts';
import { deleteDataset } from '../../engine/importing/merge/delete-dataset.ts';
import { undoImport } from '../../engine/importing/merge/undo-import.ts';
import { incompleteLayers } from '../../engine/store/computed-values.ts';
import type { LandStore } from '../../engine/store/land-store.ts';
import { clock, collection, importLots, type Lot, openLand, square, writeFile } from './fixtures.ts';

/** Every column of layers that counties publish too is in play. */
const mapping = parseMapping(
  {
    name: 'test',
    columns: {
      apn: 'apn',
      owner_name: 'owner_name',
      mailing_zip: 'mailing_zip',
      situs_zip: 'zip',
      structure_count: 'structures',
    },
  },
  'test',
);

const parcel = (apn: string, index: number, more: Record<string, unknown> = {}): Lot => ({
  geometry: square(index),
  properties: { apn, owner_name: `OWNER ${apn}`, mailing_zip: '03280', zip: null, structures: null, ...more },
});

const importCounty = (land: LandStore, lots: readonly Lot[], date = '2026-07-01') =>
  importLots(land, lots, { mapping, date });

/** A polygon over lots 0 to 3, with the ZIP 03280 but for lot 3: 03281. */
const zips = () =>
  writeFile(
    'zips.geojson',
    collection([
      {
        geometry: { type: 'Polygon', coordinates: [box(-72.005, 42.99, -71.975, 43.01)] },
        properties: { ZIP: '03280' },
      },
      {
        geometry: { type: 'Polygon', coordinates: [box(-71.975, 42.99, -71.95, 43.01)] },
        properties: { ZIP: '03281' },
      },
    ]),
  );

/** Two footprints of about 30 by 40 feet on lot 0, one on lot 1. */
const buildings = () =>
  writeFile(
    'buildings.geojson',
    collection(
      [-71.9998, -71.9994, -71.9898].map((x) => ({
        geometry: { type: 'Polygon', coordinates: [box(x, 43.0002, x + 0.00015, 43.0003)] },
        properties: {},
      })),
    ),
  );

const box = (w: number, s: number, e: number, n: number) => [
  [w, s],
  [e, s],
  [e, n],
  [w, n],
  [w, s],
];

async function enriched(lots: readonly Lot[]): Promise<LandStore> {
  const land = openLand();
  await importCounty(land, lots);
  const common = { fips: '33019', coverage: 'county' as const, now: clock };
  await enrich(land, { ...common, kind: 'zips', file: zips() });
  await enrich(land, { ...common, kind: 'buildings', file: buildings() });
  return land;
}

const values = (land: LandStore): Record<string, unknown[]> =>
  Object.fromEntries(
    land.file
      .all<Record<string, unknown>>(
        "SELECT apn, situs_zip, owner_out_of_zip, structure_count FROM parcels WHERE status = 'current' ORDER BY apn",
      )
      .map(({ apn, ...row }) => [apn, Object.values(row)]),
  );

const published = (land: LandStore, kind: string): Record<string, string | null> =>
  Object.fromEntries(
    land.file
      .all<{ apn: string; published: string | null }>(
        `SELECT apn, v.published FROM computed_values v JOIN layers USING (layer_id) JOIN parcels USING (property_id)
         WHERE kind = ? ORDER BY apn`,
        kind,
      )
      .map((row) => [row.apn, row.published]),
  );

const lots = [parcel('0', 0), parcel('1', 1), parcel('2', 2, { structures: 7, zip: '03299' }), parcel('3', 3)];
/** Derived by hand from the layers above; lot 2 has published values. 03280 does not begin with 03299. */
const complete = { 0: ['03280', 0, 2], 1: ['03280', 0, 1], 2: ['03299', 1, 7], 3: ['03281', 1, 0] };

describe('an import over an enriched county', () => {
  test('of the same file changes nothing, though the file leaves empty what layers computed', async () => {
    const land = await enriched(lots);
    expect(values(land)).toEqual(complete);
    expect(await importCounty(land, lots)).toMatchObject({ import_id: null, unchanged: 4, changed: 0 });
    expect(values(land)).toEqual(complete);
  });

  test('of a newer file keeps what was computed from shapes that are the same', async () => {
    const land = await enriched(lots);
    const sold = lots.map((each) => ({ ...each, properties: { ...each.properties, owner_name: 'NEW OWNER' } }));
    expect(await importCounty(land, sold, '2026-08-01')).toMatchObject({ changed: 4 });
    expect(values(land)).toEqual(complete);
    expect(incompleteLayers(land.file, '33019')).toEqual([]);
    expect(checkColumnIndexes(land.file).problems).toEqual([]);
  });

  test('follows an owner who moved, where the ZIP of the parcel itself is computed', async () => {
    const land = await enriched(lots);
    const [first, ...others] = lots as [Lot, ...Lot[]];
    const moved = { ...first, properties: { ...first.properties, mailing_zip: '10001' } };
    await importCounty(land, [moved, ...others], '2026-08-01');
    expect(values(land)).toEqual({ ...complete, 0: ['03280', 1, 2] });
    // It is still the layer's word: it goes with the layer.
    const layer = land.file.get<{ layer_id: number }>("SELECT layer_id FROM layers WHERE kind = 'zips'");
    unenrich(land, layer?.layer_id ?? 0);
    expect(values(land)).toEqual({ 0: [null, null, 2], 1: [null, null, 1], 2: ['03299', 1, 7], 3: [null, null, 0] });
  });

  test('takes back what was computed from a shape that was redrawn, and says what is to be computed again', async () => {
    const land = await enriched(lots);
    const redrawn = lots.map((each, index) => (index === 0 ? { ...each, geometry: square(0, 0.0005) } : each));
    expect(await importCounty(land, redrawn, '2026-08-01')).toMatchObject({ changed: 1 });
    expect(values(land)).toEqual({ ...complete, 0: [null, null, null] });
    expect(incompleteLayers(land.file, '33019')).toEqual(['buildings', 'zips']);
    await enrichAgain(land, '33019', { now: clock });
    // The second footprint of lot 0 lies beyond its new east line.
    expect(values(land)).toEqual({ ...complete, 0: ['03280', 0, 1] });
    expect(checkColumnIndexes(land.file).problems).toEqual([]);
  });

  test('leaves what was computed from a shape that was rounded, and calls no such parcel changed', async () => {
    const land = await enriched(lots);
    // Two centimeters.
    const rounded = lots.map((each, index) => ({ ...each, geometry: square(index, 0.0010002) }));
    expect(await importCounty(land, rounded)).toMatchObject({ import_id: null, unchanged: 4, changed: 0 });
    const moved = rounded.map((each) => ({ ...each, properties: { ...each.properties, mailing_zip: '10001' } }));
    expect(await importCounty(land, moved, '2026-08-01')).toMatchObject({ changed: 4 });
    expect(values(land)).toEqual({ 0: ['03280', 1, 2], 1: ['03280', 1, 1], 2: ['03299', 1, 7], 3: ['03281', 1, 0] });
    expect(incompleteLayers(land.file, '33019')).toEqual([]);
  });

  test('leaves it where only the months of ownership went on', async () => {
    const land = openLand();
    const dated = parseMapping({ ...mapping, columns: { ...mapping.columns, last_sale_date: 'sold' } }, 'test');
    const sold = lots.map((each, index) => ({
      geometry: square(index, 0.0010002),
      properties: { ...each.properties, sold: '2020-01-15' },
    }));
    const before = sold.map((each, index) => ({ ...each, geometry: square(index) }));
    await importLots(land, before, { mapping: dated, date: '2026-07-01' });
    await enrich(land, { fips: '33019', coverage: 'county', now: clock, kind: 'buildings', file: buildings() });
    const standing = land.file.all('SELECT apn, geom, structure_count FROM parcels');
    expect(await importLots(land, sold, { mapping: dated, date: '2026-10-01' })).toMatchObject({
      ...{ unchanged: 4, recounted: 4, changed: 0 },
    });
    expect(land.file.all('SELECT apn, geom, structure_count FROM parcels')).toEqual(standing);
    expect(incompleteLayers(land.file, '33019')).toEqual([]);
  });

  test('lets the publisher’s word stand over the computed one, and remembers whose it is', async () => {
    const land = await enriched(lots);
    expect(published(land, 'buildings')).toEqual({ 0: null, 1: null, 2: '["structure_count"]', 3: null });
    // Lot 0 is now published with 5, lot 1 with exactly the computed value, lot 2 with none.
    const newer = [
      parcel('0', 0, { structures: 5 }),
      parcel('1', 1, { structures: 1 }),
      parcel('2', 2, { zip: '03299' }),
      parcel('3', 3),
    ];
    expect(await importCounty(land, newer, '2026-08-01')).toMatchObject({ changed: 2, unchanged: 2 });
    expect(values(land)).toEqual({ ...complete, 0: ['03280', 0, 5], 2: ['03299', 1, 0] });
    expect(published(land, 'buildings')).toEqual({
      ...{ 0: '["structure_count"]', 1: '["structure_count"]', 2: null, 3: null },
    });
    // Lot 1's value is the publisher's, though a layer computed the same.
    const layer = land.file.get<{ layer_id: number }>("SELECT layer_id FROM layers WHERE kind = 'buildings'");
    unenrich(land, layer?.layer_id ?? 0);
    expect(Object.values(values(land)).map((row) => row[2])).toEqual([5, 1, null, null]);
  });

  test('of a redrawn parcel keeps a published value that equals what was computed of the old shape', async () => {
    const land = await enriched(lots);
    const newer = [{ ...parcel('0', 0, { structures: 2 }), geometry: square(0, 0.0005) }, ...lots.slice(1)];
    await importCounty(land, newer, '2026-08-01');
    expect(values(land)).toEqual({ ...complete, 0: [null, null, 2] });
  });

  test('brings a published value back that was changed since', async () => {
    const land = await enriched(lots);
    land.file.run("UPDATE parcels SET structure_count = 9 WHERE apn = '2'");
    expect(await importCounty(land, lots)).toMatchObject({ changed: 1 });
    expect(values(land)).toEqual(complete);
  });

  test('tells doubles apart by what is published, not by what was computed', async () => {
    const doubles = [parcel('7', 1, { owner_name: 'ADAMS' }), parcel('7', 1, { owner_name: 'BAKER' })];
    const land = await enriched(doubles);
    const ids = () => land.file.all('SELECT property_id, owner_name FROM parcels ORDER BY property_id');
    const before = ids();
    expect(await importCounty(land, doubles.toReversed())).toMatchObject({ unchanged: 2 });
    expect(ids()).toEqual(before);
  });

  test('and a parcel that comes back has again what was computed of it', async () => {
    const land = await enriched(lots);
    expect(await importCounty(land, lots.slice(1), '2026-08-01')).toMatchObject({ retired: 1 });
    expect(await importCounty(land, lots, '2026-09-01')).toMatchObject({ returned: 1 });
    expect(values(land)).toEqual(complete);
  });

  test('can be taken back, with whose word each value is', async () => {
    const land = await enriched(lots);
    const state = () => [values(land), published(land, 'buildings'), published(land, 'zips')];
    const before = state();
    await importCounty(
      land,
      [parcel('0', 0, { structures: 2, mailing_zip: '10001' }), parcel('1', 1, { zip: '03280' }), parcel('3', 3)],
      '2026-08-01',
    );
    expect(state()).not.toEqual(before);
    undoImport(land, { now: clock });
    expect(state()).toEqual(before);
    deleteDataset(land, 1, clock);
    undoImport(land, { now: clock });
    expect(state()).toEqual(before);
    expect(await importCounty(land, lots)).toMatchObject({ unchanged: 4, import_id: null });
    expect(checkColumnIndexes(land.file)).toEqual({ current: 1, stale: 0, problems: [] });
  });
});
