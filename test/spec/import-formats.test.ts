/** The table of import formats, and what derives from it. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openedWith } from '../../electron/opened-with.ts';
import {
  formatLabel,
  formatWords,
  importEndings,
  importFormats,
  partEndings,
} from '../../engine/spec/import-formats.ts';

const root = path.resolve(import.meta.dirname, '..', '..');

describe('the table of import formats', () => {
  test('has each ending once among files of shapes, and each label once', () => {
    const own = Object.entries(importFormats).filter(([name]) => name !== 'service-answers');
    const endings = own.flatMap(([, { endings: all }]) => [...all]);
    expect(new Set(endings).size).toBe(endings.length);
    const labels = own.map(([, { label }]) => label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(endings.filter((ending) => ending !== ending.toLowerCase() || ending.startsWith('.'))).toEqual([]);
  });

  test('lets the app open files of every format, and tables, archives and rasters', () => {
    const files = importEndings.map((ending) => `/data/county.${ending}`);
    expect(openedWith(files, '/data', () => 'file').files).toEqual(files);
    expect(importEndings).toEqual(
      expect.arrayContaining(['zip', 'xlsx', 'dbf', 'tif', 'kmz', 'tab', 'mif', 'dxf', 'gml']),
    );
    expect(openedWith(['x.vrt', 'x.exe', 'x.dat'], '/data', () => 'file').files).toEqual([]);
  });

  test('holds what the packaged app offers itself for', () => {
    const text = fs.readFileSync(path.join(root, 'electron-builder.yml'), 'utf8');
    const offered = [...text.matchAll(/\{ ext: (\w+), name: ([^,]+),/g)].map(([, ending, label]) => [ending, label]);
    expect(offered.length).toBeGreaterThan(3);
    for (const [ending = '', label = ''] of offered) {
      const row = Object.values(importFormats).find((each) => each.label === label);
      expect(row?.endings, label).toContain(ending);
    }
  });

  test('names formats as people do, and the files that belong to one', () => {
    expect([formatLabel('mapinfo-tab'), formatLabel('xlsx'), formatLabel('csv')]).toEqual([
      'MapInfo TAB',
      'Excel',
      'CSV',
    ]);
    expect(partEndings('/x/LOTS.TAB')).toEqual(['dat', 'map', 'id', 'ind']);
    expect(partEndings('lots.gpkg')).toEqual([]);
    expect(formatWords()).toMatch(/^Shapefile, GeoPackage, .*KML, .*CSV$/);
  });
});
