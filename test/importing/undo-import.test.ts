/** Replaced rows are restored exactly, row by row. */
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { checkColumnIndexes } from '../../engine/columns/index-check.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { enrichAgain } from '../../engine/enrichment/enrich-again.ts';
import { unenrich } from '../../engine/enrichment/unenrich.ts';
import { linkComps } from '../../engine/importing/lists/comp-links.ts';
import { deriveComps } from '../../engine/importing/lists/derive-comps.ts';
import { importComps } from '../../engine/importing/lists/import-comps.ts';
import { loadMapping } from '../../engine/importing/mapping/mapping.ts';
import { listImports } from '../../engine/importing/merge/datasets.ts';
import { deleteDataset } from '../../engine/importing/merge/delete-dataset.ts';
import { importChanges } from '../../engine/importing/merge/import-changes.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { undoImport } from '../../engine/importing/merge/undo-import.ts';
import { incompleteLayers, noteComplete, waitingByLayer } from '../../engine/store/computed-values.ts';
import type { LandStore } from '../../engine/store/land-store.ts';
import { listUndoFiles, removeUndoOrphans } from '../../engine/store/undo-store.ts';
import { realDataOrSkip, sharedData } from '../support/shared-data.ts';
import {
  clock,
  collection,
  countOf,
  importLots,
  lot,
  openLand,
  square,
  temporaryFolder,
  writeFile,
} from './fixtures.ts';

const homeOf = (land: LandStore): string => path.dirname(land.file.path);

/** Everything that an import or an enrichment of the county writes; the registry apart, because it never forgets. */
const county = (land: LandStore): Record<string, unknown[]> =>
  Object.fromEntries(
    ['parcels', 'datasets', 'home_kind', 'idx_parcels_geom', 'computed_values', 'raw_columns', 'comps'].map((table) => [
      table,
      land.file.all(`SELECT * FROM ${table} ORDER BY 1, 2`),
    ]),
  );

/** The identifying numbers and shapes of current parcels. */
const registryOf = (land: LandStore) =>
  land.file.all('SELECT r.* FROM parcel_registry r JOIN parcels p USING (property_id) ORDER BY property_id');

const indexFaults = (land: LandStore): readonly string[] => checkColumnIndexes(land.file).problems;

const first = [
  lot('1', 0, { zoning: 'R1', HOMESTEAD: 'yes', last_sale_date: '2020-05-01', last_sale_price: 90_000 }),
  lot('2', 1, { HOMESTEAD: 'no' }),
  lot('3', 2),
  lot('4', 3),
];
/** 1 is sold, 2 redrawn, 3 gone, 4 as it was, 5 new; what nothing maps changed of 4. */
const second = [
  lot('1', 0, { zoning: 'R2', last_sale_date: '2026-05-01', last_sale_price: 120_000 }),
  { ...lot('2', 1), geometry: square(1, 0.002) },
  lot('4', 3, { HOMESTEAD: 'yes' }),
  lot('5', 4),
];

function wetlands(land: LandStore, east: number, name = 'wetlands.geojson') {
  const strip = {
    geometry: { ...square(-1, 0), coordinates: [boxOf(-72.1, 42.9, east, 43.1)] },
    properties: { ATTRIBUTE: 'PFO1A' },
  };
  const file = writeFile(name, collection([strip]));
  return enrich(land, { kind: 'wetlands', file, fips: '33019', coverage: 'county', now: clock });
}

const boxOf = (w: number, s: number, e: number, n: number) => [
  [w, s],
  [e, s],
  [e, n],
  [w, n],
  [w, s],
];

describe('what an import changed', () => {
  test('is told with the published values before and now; only of the latest, and not what layers computed', async () => {
    const land = openLand();
    await importLots(land, first);
    await importLots(land, second, { date: '2026-08-01' });
    await wetlands(land, -72);
    const { parcels, listed } = importChanges(land, 2);
    expect(parcels).toBe(4);
    expect(listed.map(({ apn, what, values, is_redrawn }) => [apn, what, values, is_redrawn])).toEqual([
      [
        '1',
        'changed',
        [
          { column: 'zoning', before: 'R1', now: 'R2' },
          { column: 'last_sale_price', before: 90_000, now: 120_000 },
          { column: 'last_sale_date', before: '2020-05-01', now: '2026-05-01' },
        ],
        false,
      ],
      ['2', 'changed', [], true],
      ['3', 'retired', [], false],
      ['5', 'new', [], false],
    ]);
    expect(() => importChanges(land, 1)).toThrow('A later import of the same dataset builds on import 1');
    deleteDataset(land, 1, clock);
    expect(importChanges(land, 3).listed.map(({ what }) => what)).toEqual(Array(5).fill('removed'));
  });
});

describe('undo', () => {
  test('of an import puts back rows, shapes, boxes, numbers, raw columns and the dataset', async () => {
    const land = openLand();
    await importLots(land, first);
    const [before, registry] = [county(land), registryOf(land)];
    const report = await importLots(land, second, { date: '2026-08-01' });
    expect(report).toMatchObject({ import_id: 2, new: 1, changed: 2, retired: 1, unchanged: 1 });
    expect(county(land)).not.toEqual(before);

    expect(undoImport(land, { now: clock })).toEqual({
      ...{ import_id: 2, dataset_id: 1, fips: '33019', action: 'import', is_redone: false, parcels: 4 },
      ...{ counts: expect.objectContaining({ new: 1, changed: 2, retired: 1, unchanged: 1 }) as object },
      restored: 3,
      removed: 1,
    });
    expect(county(land)).toEqual(before);
    expect(registryOf(land)).toEqual(registry);
    expect(indexFaults(land)).toEqual([]);
    // The number of parcel 5 was given and is never given to another: the same file finds it again.
    const gone = land.file.get("SELECT property_id FROM parcel_registry WHERE apn = '5'");
    expect(await importLots(land, second, { date: '2026-08-01' })).toMatchObject({ new: 1, changed: 2, retired: 1 });
    expect(land.file.get("SELECT property_id FROM parcels WHERE apn = '5'")).toEqual(gone);
  });

  test('of a newer date alone puts back the months of ownership, and no parcel was called changed', async () => {
    const land = openLand();
    await importLots(land, first);
    const before = county(land);
    const months = () => land.file.column('SELECT ownership_length_months FROM parcels ORDER BY apn');
    expect(months()).toEqual([74, null, null, null]);
    const date = '2026-09-01';
    const report = await importLots(land, first, { date });
    expect(report).toMatchObject({ import_id: 2, new: 0, changed: 0, unchanged: 4, recounted: 1 });
    expect(months()).toEqual([76, null, null, null]);
    expect(indexFaults(land)).toEqual([]);
    expect(await importLots(land, first, { date })).toMatchObject({ import_id: null, unchanged: 4, recounted: 0 });
    expect(undoImport(land, { now: clock })).toMatchObject({ import_id: 2, restored: 1, removed: 0 });
    expect(county(land)).toEqual(before);
    expect(indexFaults(land)).toEqual([]);
  });

  test('of the first import leaves an empty home, and the second try gives the same numbers', async () => {
    const land = openLand();
    await importLots(land, first);
    const before = land.file.all('SELECT * FROM parcels ORDER BY property_id');
    undoImport(land, { now: clock });
    expect([countOf(land, 'parcels'), countOf(land, 'datasets'), land.kind]).toEqual([0, 0, null]);
    expect([countOf(land, 'idx_parcels_geom'), countOf(land, 'column_indexes')]).toEqual([0, 0]);
    await importLots(land, first);
    const again = land.file.all<Record<string, unknown>>('SELECT * FROM parcels ORDER BY property_id');
    expect(again.map((row) => ({ ...row, dataset_id: 1 }))).toEqual(before);
  });

  test('goes back step by step, and not past a later import or the last three', async () => {
    const land = openLand();
    const states: unknown[] = [];
    for (const acres of [1, 2, 3, 4, 5]) {
      await importLots(land, [lot('1', 0, { acres })]);
      states.push(county(land));
    }
    expect(listUndoFiles(homeOf(land), 'import')).toEqual([3, 4, 5]);
    expect(() => undoImport(land, { importId: 4, now: clock })).toThrow(
      'A later import of the same dataset builds on import 4: number 5 (Test county, 2026-07-01). Undo that one first; nothing was changed.',
    );
    for (const left of [3, 2, 1]) {
      undoImport(land, { now: clock });
      expect(county(land)).toEqual(states[left]);
    }
    expect(() => undoImport(land, { now: clock })).toThrow(/import 2 replaced is no longer stored/);
    expect(() => undoImport(land, { importId: 5, now: clock })).toThrow(/was undone already/);
    expect(() => undoImport(land, { importId: 9, now: clock })).toThrow('There is no import 9.');
    expect(county(land)).toEqual(states[1]);
  });

  test('an import that wrote nothing is none to undo', async () => {
    const land = openLand();
    await importLots(land, first);
    expect(await importLots(land, first)).toMatchObject({ import_id: null, unchanged: 4 });
    expect(countOf(land, 'imports')).toBe(1);
  });

  test('of one dataset leaves another of the county alone', async () => {
    const land = openLand();
    await importLots(land, first, { jurisdiction: 'North' });
    await importLots(land, [lot('1', 10), lot('9', 11)], { jurisdiction: 'South' });
    const south = () => land.file.all('SELECT * FROM parcels WHERE dataset_id = 2 ORDER BY property_id');
    const before = south();
    undoImport(land, { importId: 1, now: clock });
    expect(south()).toEqual(before);
    expect(countOf(land, 'parcels')).toBe(2);
    expect(indexFaults(land)).toEqual([]);
  });

  test('puts back what layers computed, and comps made from the sales', async () => {
    const land = openLand();
    await importLots(land, first);
    await wetlands(land, -71.9895);
    deriveComps(land, '33019');
    const before = county(land);
    await importLots(land, second, { date: '2026-08-01' });
    deriveComps(land, '33019');
    await enrichAgain(land, '33019', { now: clock });
    expect(county(land)).not.toEqual(before);
    undoImport(land, { now: clock });
    // Parcels that did not change were computed again at another moment of the same clock; the values are the same.
    expect(county(land)).toEqual(before);
    expect(incompleteLayers(land.file, '33019')).toEqual([]);
  });

  test('after a newer layer says what to recompute, and keeps nothing of a removed layer', async () => {
    const land = openLand();
    await importLots(land, first);
    await wetlands(land, -71.9895);
    await importLots(land, second, { date: '2026-08-01' });
    const { layer_id: layer } = await wetlands(land, -71.5, 'newer.geojson');
    undoImport(land, { now: clock });
    expect(incompleteLayers(land.file, '33019')).toEqual(['wetlands']);
    await enrichAgain(land, '33019', { now: clock });
    const all = land.file.all<{ wetlands_percent: number }>('SELECT wetlands_percent FROM parcels ORDER BY apn');
    expect(all.map((row) => row.wetlands_percent)).toEqual([100, 100, 100, 100]);
    unenrich(land, layer);
    expect(countOf(land, 'parcels WHERE wetlands_percent IS NOT NULL')).toBe(0);
    expect(indexFaults(land)).toEqual([]);
  });

  test('puts comps back to the parcels that they were of', async () => {
    const land = openLand();
    await importLots(land, first);
    const listing = (apn: string, index: number) => ({
      geometry: { type: 'Point', coordinates: [-72 + index * 0.01 + 0.0005, 43.0005] },
      properties: { source_id: apn, apn, price: 50_000, lot_size: 2.5, status: 'ACTIVE' },
    });
    importComps(land, {
      features: [listing('3', 2), listing('5', 4)],
      ...{ fips: '33019', source: 'broker', date: '2026-07-01', homeKind: 'real', now: clock },
    });
    const before = county(land);
    const linked = () => land.file.all('SELECT apn, property_id IS NOT NULL AS is_linked FROM comps ORDER BY apn');
    expect(linked()).toEqual([
      { apn: '3', is_linked: 1 },
      { apn: '5', is_linked: 0 },
    ]);
    await importLots(land, second, { date: '2026-08-01' });
    linkComps(land, '33019');
    expect(linked()).toEqual([
      { apn: '3', is_linked: 1 },
      { apn: '5', is_linked: 1 },
    ]);
    undoImport(land, { now: clock });
    expect(county(land)).toEqual(before);
    deleteDataset(land, 1, clock);
    expect(countOf(land, 'comps WHERE property_id IS NOT NULL')).toBe(0);
    undoImport(land, { now: clock });
    expect(county(land)).toEqual(before);
  });

  test('trusts no file that is not of its import', async () => {
    const land = openLand();
    await importLots(land, first);
    await importLots(land, second, { date: '2026-08-01' });
    const folder = path.join(homeOf(land), 'undo');
    fs.copyFileSync(path.join(folder, 'import-1.sqlite'), path.join(folder, 'import-2.sqlite'));
    const before = county(land);
    expect(() => undoImport(land, { now: clock })).toThrow(/belongs to another import/);
    fs.writeFileSync(path.join(folder, 'import-2.sqlite'), 'half written');
    expect(() => undoImport(land, { now: clock })).toThrow(/not a database/);
    expect(county(land)).toEqual(before);
    // What killed imports left is swept away by the next one that writes; what belongs to imports stays.
    fs.writeFileSync(path.join(folder, 'import-77.sqlite'), 'of no import');
    fs.writeFileSync(path.join(folder, 'import-78.part'), 'half written');
    await importLots(land, first, { date: '2026-09-01' });
    expect(fs.readdirSync(folder).sort()).toEqual(['import-1.sqlite', 'import-2.sqlite', 'import-3.sqlite']);
  });

  test('that is cancelled half-way changes nothing', async () => {
    const land = openLand();
    await importLots(land, first);
    await importLots(land, second, { date: '2026-08-01' });
    const before = county(land);
    const cancel = () =>
      undoImport(land, {
        now: clock,
        onRows: () => {
          throw new Error('cancelled');
        },
      });
    expect(cancel).toThrow('cancelled');
    expect(county(land)).toEqual(before);
    expect(undoImport(land, { now: clock })).toMatchObject({ restored: 3, removed: 1 });
  });
});

describe('redo', () => {
  const undo = (land: LandStore) => undoImport(land, { now: clock });
  const redo = (land: LandStore, importId?: number) =>
    undoImport(land, { now: clock, isRedo: true, ...(importId === undefined ? {} : { importId }) });

  test('gives back what an undo took, and can be undone again, step by step', async () => {
    const land = openLand();
    await importLots(land, first);
    await importLots(land, second);
    await wetlands(land, -71.9995);
    const states = [county(land)];
    const { new: added, changed, retired } = listImports(land)[0]?.counts ?? {};
    const taken = undo(land);
    // One number, that of the import's own report: 5 is new, 1 and 2 changed, 3 retired.
    expect([added, changed, retired]).toEqual([1, 2, 1]);
    expect(taken).toMatchObject({ parcels: 4, counts: { new: 1, changed: 2, retired: 1 }, is_redone: false });
    expect(listImports(land)).toMatchObject([
      { import_id: 2, parcels: 4, can_undo: false, can_redo: true },
      { import_id: 1, can_undo: true, can_redo: false },
    ]);
    states.push(county(land));
    undo(land);
    expect(county(land)).toMatchObject({ parcels: [], datasets: [], home_kind: [] });
    expect(() => redo(land, 2)).toThrow(/Import 2 cannot be redone: .* an earlier import must be redone first/);
    for (const step of [1, 2]) {
      expect(redo(land)).toMatchObject({ import_id: step, parcels: 4, is_redone: true });
      expect(county(land)).toEqual(states[2 - step]);
      expect(indexFaults(land)).toEqual([]);
    }
    expect(() => redo(land)).toThrow('There is no import to redo.');
    expect(() => redo(land, 2)).toThrow('Import 2 stands: it was not undone.');
    expect(undo(land)).toMatchObject({ import_id: 2, parcels: 4 });
    expect(redo(land)).toMatchObject({ import_id: 2 });
    expect(county(land)).toEqual(states[0]);
    expect(land.file.transaction(() => removeUndoOrphans(land.file, homeOf(land)))).toEqual([]);
    expect(fs.readdirSync(path.join(homeOf(land), 'undo'))).toEqual(['import-1.sqlite', 'import-2.sqlite']);
  });

  test('of a deletion deletes again, and none is left once another import came in', async () => {
    const land = openLand();
    await importLots(land, first);
    deleteDataset(land, 1, clock);
    const gone = county(land);
    undo(land);
    expect(redo(land)).toMatchObject({ action: 'delete', parcels: 4 });
    expect(county(land)).toEqual(gone);
    undo(land);
    await importLots(land, second);
    expect(listImports(land).map(({ can_redo: can }) => can)).toEqual([false, false, false]);
    expect(() => redo(land, 2)).toThrow(/Import 2 cannot be redone: its dataset was changed/);
    expect(listUndoFiles(homeOf(land), 'redo')).toEqual([]);
  });

  test('goes by the place: what it replaced is gone once the place is imported again, under another number', async () => {
    const land = openLand();
    await importLots(land, first);
    undo(land);
    expect(listUndoFiles(homeOf(land), 'redo')).toEqual([1]);
    expect(await importLots(land, second)).toMatchObject({ dataset_id: 2 });
    expect(fs.readdirSync(path.join(homeOf(land), 'undo'))).toEqual(['import-2.sqlite']);
    expect(listImports(land).map(({ can_redo: can }) => can)).toEqual([false, false]);
  });

  test('is not offered while another dataset has the place', async () => {
    const land = openLand();
    await importLots(land, first);
    undo(land);
    // as a program left it that died before it tidied
    const folder = path.join(homeOf(land), 'undo');
    fs.cpSync(folder, `${folder}-kept`, { recursive: true });
    await importLots(land, second);
    undo(land);
    fs.cpSync(`${folder}-kept`, folder, { recursive: true });
    expect(redo(land, 1)).toMatchObject({ dataset_id: 1 });
    expect(listImports(land)).toMatchObject([
      { import_id: 2, can_redo: false },
      { import_id: 1, can_undo: true },
    ]);
    expect(() => redo(land, 2)).toThrow(/Import 2 cannot be redone/);
  });

  test('without a number is of the one that was undone last', async () => {
    const land = openLand();
    await importLots(land, first, { jurisdiction: 'Town' });
    await importLots(land, [lot('9', 9)], { jurisdiction: 'Village' });
    for (const [id, at] of [
      [2, '2026-09-01'],
      [1, '2026-09-02'],
    ] as const)
      undoImport(land, { importId: id, now: () => new Date(at) });
    expect([redo(land).import_id, redo(land).import_id]).toEqual([1, 2]);
  });

  test('shows which parcels wait for a layer that was complete without them', async () => {
    const land = openLand();
    await importLots(land, first);
    await importLots(land, second);
    undo(land);
    await wetlands(land, -71.9995);
    noteComplete(land.file, '33019', new Date(clock().getTime() + 1000).toISOString());
    expect(waitingByLayer(land.file, null)).toEqual([]);
    redo(land);
    expect(waitingByLayer(land.file, null)).toMatchObject([{ kind: 'wetlands', parcels: expect.any(Number) }]);
  });

  test('keeps no file of an undo that was not committed', async () => {
    const land = openLand();
    await importLots(land, first);
    const stop = () => {
      throw new Error('killed');
    };
    expect(() => undoImport(land, { now: clock, onCommitting: stop })).toThrow('killed');
    expect(land.file.transaction(() => removeUndoOrphans(land.file, homeOf(land)))).toEqual(['redo-1.sqlite']);
    expect(undo(land)).toMatchObject({ parcels: 4 });
  });
});

test('a dataset imported again builds on the deletion of the one before', async () => {
  const land = openLand();
  await importLots(land, first, { jurisdiction: 'Northfield' });
  const before = county(land);
  deleteDataset(land, 1, clock);
  await importLots(land, second, { jurisdiction: ' NORTHFIELD', date: '2026-08-01' });
  const canUndo = () => listImports(land).map(({ import_id: id, can_undo: can }) => [id, can]);
  expect(canUndo()).toEqual([
    [3, true],
    [2, false],
    [1, false],
  ]);
  const standing = county(land);
  expect(() => undoImport(land, { importId: 2, now: clock })).toThrow(
    'A later import of the same dataset builds on import 2: number 3 (Test county, 2026-08-01). Undo that one first; nothing was changed.',
  );
  expect(county(land)).toEqual(standing);
  undoImport(land, { importId: 3, now: clock });
  expect(canUndo()).toContainEqual([2, true]);
  undoImport(land, { importId: 2, now: clock });
  expect(county(land)).toEqual(before);
});

test('a dataset that is deleted is gone but for its numbers, and comes back whole', async () => {
  const land = openLand(temporaryFolder());
  await importLots(land, first);
  await wetlands(land, -71.9895);
  deriveComps(land, '33019');
  const before = county(land);
  const registry = registryOf(land);
  expect(deleteDataset(land, 1, clock)).toEqual({ import_id: 2, dataset_id: 1, fips: '33019', removed: 4 });
  for (const table of ['parcels', 'datasets', 'computed_values', 'raw_columns', 'comps', 'column_indexes']) {
    expect(countOf(land, table), table).toBe(0);
  }
  expect(countOf(land, 'parcel_registry')).toBe(4);
  expect(() => deleteDataset(land, 1, clock)).toThrow('There is no dataset 1.');
  undoImport(land, { now: clock });
  expect(county(land)).toEqual(before);
  expect(registryOf(land)).toEqual(registry);
  expect(indexFaults(land)).toEqual([]);
});

describe('values that an import counts itself', () => {
  test('are changes where the county publishes them, and the years in arrears are none', async () => {
    const land = openLand();
    const lots = (late: 'Y' | 'N', months: number) =>
      ['1', '2'].map((apn, i) => lot(apn, i, { DELINQ: apn === '1' ? late : 'N', MONTHS: months, SINCE: 2020 }));
    const mapping = (columns: Record<string, unknown>) => ({ columns: { apn: 'APN', ...columns } }) as never;
    const published = mapping({ tax_delinquent: 'DELINQ', ownership_length_months: 'MONTHS' });
    await importLots(land, lots('N', 10), { mapping: published });
    expect(await importLots(land, lots('Y', 10), { mapping: published })).toMatchObject({ changed: 1, recounted: 0 });
    expect(await importLots(land, lots('Y', 11), { mapping: published })).toMatchObject({ changed: 2, recounted: 0 });

    const since = mapping({ tax_delinquent_year: 'SINCE' });
    const other = openLand();
    await importLots(other, lots('N', 10), { mapping: since });
    const years = () => other.file.column('SELECT tax_delinquent_years FROM parcels ORDER BY apn');
    expect(years()).toEqual([6, 6]);
    const nextYear = await importLots(other, lots('N', 10), { mapping: since, date: '2027-07-01' });
    expect(nextYear).toMatchObject({ changed: 0, unchanged: 2, recounted: 2 });
    expect(years()).toEqual([7, 7]);
  });
});

describe.runIf(realDataOrSkip('undo of a real county'))('Washington', () => {
  test('of September 2024 is back, byte for byte, after undoing July 2026', async () => {
    const folder = path.join(sharedData() ?? '', 'washington_nh');
    const land = openLand();
    const importTable = (table: string) =>
      importParcels(land, {
        ...{ files: [path.join(folder, 'parcels.geojson')], joinFiles: [path.join(folder, table)] },
        ...{ fips: '33019', mapping: loadMapping('washington_nh'), homeKind: 'real', now: clock },
      });
    await importTable('assessor_2024-09.dbf');
    const [before, registry] = [county(land), registryOf(land)];
    const newer = await importTable('assessor_2026-07.dbf');
    // Distinguished by hand: changes by the county, and changes by the calendar alone.
    const rowsOf = (tables: ReturnType<typeof county>) => tables.parcels as Record<string, unknown>[];
    const after = new Map(rowsOf(county(land)).map((row) => [row.property_id, row]));
    const differing = rowsOf(before).map((row) =>
      Object.keys(row).filter((name) => !isDeepStrictEqual(row[name], after.get(row.property_id)?.[name])),
    );
    const isOfDate = (names: string[]) => names.every((name) => name === 'ownership_length_months');
    const others = differing.filter((names) => names.length > 0);
    expect(newer.changed).toBe(others.filter((names) => !isOfDate(names)).length);
    expect(newer.recounted).toBe(others.filter(isOfDate).length);
    expect(newer.changed).toBeGreaterThan(900);
    expect(newer.recounted).toBeGreaterThan(500);
    undoImport(land, { now: clock });
    expect(county(land)).toEqual(before);
    expect(registryOf(land)).toEqual(registry);
    expect(indexFaults(land)).toEqual([]);
    expect(land.file.pragma('integrity_check')).toBe('ok');
  });
});
