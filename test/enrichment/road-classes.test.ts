/** Classes of roads in a town's own words: the column is found by its values, and a person says what these are. */
import { expect, test } from 'vitest';
import { enrich } from '../../engine/enrichment/enrich.ts';
import type { EnrichOptions } from '../../engine/enrichment/enrich-options.ts';
import { look } from '../../engine/importing/look.ts';
import { parseRoadClasses, proposeRoadClasses, roadClassesText } from '../../engine/spec/road-words.ts';
import { emptyHome } from '../support/homes.ts';
import { columnsByApn, homeWith, now, testFips, writeLayer } from './enriched-home.ts';
import { lotOfFeet, pathOfFeet } from './laid-shapes.ts';

/** Forty roads; those of the first two columns of numbers and names are no classes. */
const roadsOf = (classes: readonly (string | null)[], of = 'rd_cls') =>
  Array.from({ length: 40 }, (_, index) => ({
    lines: [pathOfFeet([-500, 20 * index], [500, 20 * index])],
    ID: index,
    ST_NAME: `${['ALDER', 'BIRCH', 'CEDAR', 'DOGWOOD'][index % 4]} ROAD ${index}`,
    LANES: 2,
    [of]: classes[index % classes.length],
  }));

const proposed = (classes: readonly (string | null)[], of?: string) => {
  const file = writeLayer(emptyHome(), 'roads.geojson', roadsOf(classes, of));
  return proposeRoadClasses(look(file, { purpose: 'layer' }).layers[0]?.columns ?? []);
};

test.each([
  [['II', 'V', 'VI', 'PVT', null], 'class', 'II=local, V=local, VI=local, PVT=local'],
  [
    ['State Highway', 'Town Road', 'Snowmobile Trail'],
    'rd_cls',
    'State Highway=main, Town Road=local, Snowmobile Trail=none',
  ],
  [['US HIGHWAY', 'COUNTY', 'PRIVATE'], 'JURIS', 'US HIGHWAY=highway, COUNTY=main, PRIVATE=local'],
  [
    ['Interstate', 'Arterial', 'Collector', 'Local'],
    'FUNC',
    'Interstate=highway, Arterial=main, Collector=main, Local=local',
  ],
])('of %s in %s', (classes, column, text) => {
  const [first, ...others] = proposed(classes, column) ?? [];
  expect(first?.column).toBe(column);
  expect(first && roadClassesText(first)).toBe(text);
  expect(others.map(({ column: other }) => other)).not.toContain('ST_NAME');
});

test('nothing is proposed where the Census or OpenStreetMap says it, nor from names and numbers', () => {
  expect(proposed(['S1400', 'S1200'], 'MTFCC')).toBeNull();
  expect(proposed([null])).toEqual([]);
});

test.each(['II', 'II=big', '=local', 'II=local,,', ''])('classes written as %j are refused', (text) => {
  expect(parseRoadClasses(text)).toHaveProperty('problem');
});

test('a value may hold a comma', () => {
  expect(parseRoadClasses('Road, paved=local, VI=none')).toEqual({
    classes: { 'Road, paved': 'local_road', VI: null },
  });
  expect(parseRoadClasses('II=constructor')).toHaveProperty('problem');
});

test('the refusal shows the values and the line to use; a newer file is read as the one before', async () => {
  const lots = [
    { apn: '1', shape: lotOfFeet(0, 10, 100, 210) },
    { apn: '2', shape: lotOfFeet(3000, 10, 3100, 210) },
  ];
  const engine = await homeWith(lots);
  const folder = emptyHome();
  const town = (name: string) =>
    writeLayer(folder, name, [
      { lines: [pathOfFeet([-500, 0], [500, 0])], CLASS: 'V' },
      { lines: [pathOfFeet([2500, 0], [3500, 0])], CLASS: 'VI' },
      ...Array.from({ length: 8 }, (_, at) => ({ lines: [pathOfFeet([-500, 900 + at], [500, 900 + at])], CLASS: 'V' })),
    ]);
  const run = (file: string, more: Partial<EnrichOptions> = {}) =>
    enrich(engine.land, { kind: 'roads', file, fips: testFips, now, coverage: 'county', ...more });
  await expect(run(town('one.geojson'))).rejects.toThrow(
    /classes may stand in CLASS: V \(9\), VI \(1\); say what they are with --class-column CLASS --classes "V=local, VI=local" \(highway, main, local, none\)/,
  );
  await expect(run(town('one.geojson'), { classes: 'V=local' })).rejects.toThrow(/found one of them alone/);
  await expect(run(town('one.geojson'), { classColumn: 'CLASS', classes: 'V=lane' })).rejects.toThrow(/found "V=lane"/);
  const unknown = run(town('one.geojson'), { classColumn: 'KLASS', classes: 'V=local' });
  await expect(unknown).rejects.toThrow(/Expected a column KLASS for roads; found CLASS/);
  await run(town('one.geojson'), { classColumn: 'CLASS', classes: 'V=local, VI=none' });
  const before = columnsByApn(engine, 'road_frontage_ft', 'landlocked');
  expect(before).toEqual({ 1: [100, 0], 2: [0, 1] });
  await run(town('two.geojson'));
  expect(columnsByApn(engine, 'road_frontage_ft', 'landlocked')).toEqual(before);
});
