/** Frontage on water: hand-worked lots of 100 by 200 feet beside ponds, and a layer from file to filter and value. */
import { expect, test } from 'vitest';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { explainParcel } from '../../engine/enrichment/explain-parcel.ts';
import { LayerIndex, LayerPacker } from '../../engine/enrichment/layer-index.ts';
import { packShape } from '../../engine/enrichment/read-layer.ts';
import { waterOf } from '../../engine/enrichment/water.ts';
import type { MultiPolygon } from '../../engine/geo/geometry.ts';
import { drawnLayers } from '../../engine/tiles/stored-layers.ts';
import { emptyHome } from '../support/homes.ts';
import { columnsByApn, homeWith, now, testFips, writeLayer } from './enriched-home.ts';
import { lotOfFeet } from './laid-shapes.ts';

const lot = lotOfFeet(0, 0, 100, 200);
const ponds = (...shapes: readonly MultiPolygon[]): LayerIndex => {
  const packer = new LayerPacker();
  for (const polygons of shapes) packShape(packer, 'water', { polygons, lines: [] }, 0);
  return new LayerIndex(packer.finish());
};
const feetOf = (...shapes: readonly MultiPolygon[]) => waterOf(lot, ponds(...shapes), 50);

test('is the boundary along the shore, not the side lines that lead to it', () => {
  expect(feetOf(lotOfFeet(-500, -300, 600, -10))).toEqual({ values: [100], used: [0], reason: null });
  expect(feetOf(lotOfFeet(-500, -300, 600, -60)).values).toEqual([0]);
  // the pond ends in the middle of the lot's south line; a circle of 50 feet around its corner reaches a little farther
  expect(feetOf(lotOfFeet(-500, -300, 50, -10)).values[0]).toBeCloseTo(50 + Math.sqrt(50 ** 2 - 10 ** 2), 0);
});

test('is the shore inside a lot that the county draws out into the water, islands and coves included', () => {
  // the pond covers the south 80 feet: no boundary runs along its north shore
  expect(feetOf(lotOfFeet(-500, -500, 600, 80)).values).toEqual([100]);
  expect(feetOf(lotOfFeet(20, 100, 60, 140)).values).toEqual([160]);
});

test('counts a shore once, of two ponds both, and no line between two sheets of one water', () => {
  const south = lotOfFeet(-500, -300, 600, -10);
  const north = lotOfFeet(-500, 210, 600, 400);
  expect(feetOf(south, south).values).toEqual([100]);
  const cove = lotOfFeet(20, 100, 60, 140);
  expect(feetOf(cove, cove).values).toEqual([160]);
  expect(feetOf(lotOfFeet(20, 100, 60, 140), lotOfFeet(60, 100, 90, 140)).values).toEqual([220]);
  expect(feetOf(south, north)).toEqual({ values: [200], used: [0, 1], reason: null });
});

test('completes parcels, answers a filter, draws as water and says which pond', async () => {
  const engine = await homeWith([
    { apn: '1', shape: lotOfFeet(0, 30, 100, 230) },
    { apn: '2', shape: lotOfFeet(0, 230, 100, 430) },
    { apn: '3', shape: lotOfFeet(9000, 30, 9100, 230) },
  ]);
  const file = writeLayer(emptyHome(), 'lakes.geojson', [
    { polygons: lotOfFeet(-900, -900, 900, 20), NAME: 'Island Pond' },
    { polygons: lotOfFeet(-900, 900, 900, 990), NAME: 'North Pond' },
    { polygons: lotOfFeet(0, 500, 100, 520), NAME: '(ISLAND)' },
  ]);
  const report = await enrich(engine.land, { kind: 'water', file, fips: testFips, now });
  expect(report.notes).toEqual(['Islands are no water: 1 feature of that name left out.']);
  expect(columnsByApn(engine, 'water_frontage_ft')).toEqual({ 1: [100], 2: [0], 3: [null] });
  const { data } = await engine.call('filter_properties', { county: testFips, water_frontage_min: 20 });
  expect(data.results.map(({ apn }) => apn)).toEqual(['1']);
  expect(drawnLayers(engine.land).map(({ kind, look }) => [kind, look])).toEqual([['water', 'water']]);
  const [layer] = explainParcel(engine.land, data.results[0]?.property_id as number);
  expect(layer?.used.map(({ properties }) => properties.NAME)).toEqual(['Island Pond']);
});
