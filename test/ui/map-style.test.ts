/** The map's style as a pure function: valid, in the order of the design, for every look and both kinds of base maps. */
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, test } from 'vitest';
import { layerLooks } from '../../engine/spec/layer-titles.ts';
import { fillByName } from '../../renderer/map/fills.ts';
import type { MapSources } from '../../renderer/map/map-sources.ts';
import { buildStyle } from '../../renderer/map/map-style.ts';
import type { MapTokens } from '../../renderer/map/map-tokens.ts';

/** Every color role is its own color, so that a layer's color names its role. */
const roles = [
  ...['ramp', 'rampInk', 'isOutdoor', 'rem', 'reliefStrength', 'lotOpacity', 'water', 'wet', 'public', 'woods', 'comp'],
  ...['roadMain', 'roadMainEdge', 'road', 'roadEdge', 'shieldLabel', 'land', 'shield', 'shieldLine', 'track'],
];

const tokens = new Proxy({} as MapTokens, {
  ownKeys: () => roles,
  getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  get: (_, name: string) => {
    if (name === 'ramp' || name === 'rampInk') return ['#111111', '#222222', '#333333', '#444444', '#555555'];
    if (name === 'isOutdoor' || name === 'isOverPhoto') return false;
    if (name === 'rem') return 16;
    return name === 'reliefStrength' ? 0.6 : name === 'lotOpacity' ? 0.9 : '#123456';
  },
});

const source = { type: 'vector', minzoom: 8, maxzoom: 16, bounds: null, generation: '1', attribution: '' } as const;
const shared = { ...source, fips: '99001', classes: [], geometry: 'polygons', layers: ['features', 'names'] } as const;
const kinds = ['roads', 'wetlands', 'flood', 'buildings', 'schools', 'plss'].map((kind) => ({
  ...{ ...shared, source: `layer-${kind}`, kind, title: `${kind}.shp`, look: null, color: null },
}));
const looks = layerLooks.map((look) => ({
  ...{
    ...shared,
    source: `layer-${look}`,
    kind: 'other',
    title: look,
    look,
    color: look === 'plain' ? '#8a5a2b' : null,
  },
}));

const sources = {
  parcels: { ...source, source: 'parcels', layers: [] },
  comps: { ...source, source: 'comps', layers: [] },
  outlines: { ...source, source: 'outlines', layers: [] },
  counties: [{ fips: '99001', parcels: 1, bounds: [-72, 44, -71, 45] }],
  layers: [...kinds, ...looks],
  terrain: {
    contours: { ...source, source: 'contours', layers: ['contours'], intervals: [100, 40, 20, 20, 10, 5] },
    relief: { ...source, type: 'raster', source: 'relief', layers: [] },
    heights: { ...source, type: 'raster', source: 'heights', layers: [] },
  },
  bases: [],
  refused: [],
} as unknown as MapSources;

const base = (name: string, layers: readonly string[]) => ({
  ...{ ...source, source: `base-${name}`, type: 'vector', title: `${name}.pmtiles`, layers },
});
const protomaps = base('p', [
  ...['boundaries', 'buildings', 'earth', 'landcover', 'landuse', 'places', 'pois', 'roads', 'transit', 'water'],
]);
const openMapTiles = base('o', [
  ...['landcover', 'park', 'water', 'water_name', 'waterway', 'transportation', 'transportation_name', 'building'],
  ...['boundary', 'place', 'mountain_peak', 'landuse'],
]);
const unknown = base('u', ['lakes', 'streets']);

const styleOf = (given: MapSources, on: readonly string[]) =>
  buildStyle({
    ...{ sources: given, tokens, fill: fillByName('acres'), limits: [1, 2], units: 'ft, ac', cellLimits: [5] },
    ...{ marks: [], area: null, sides: [], dots: null, isGrid: true },
    memory: { label: 'acres', layers: Object.fromEntries(on.map((name) => [name, { isOn: true, opacity: 100 }])) },
  });

const every = sources.layers.map((layer) => layer.source);
const idsOf = (style: ReturnType<typeof styleOf>) => style.layers.map(({ id }) => id);

describe('the style', () => {
  const style = styleOf(sources, every);

  test('is one that maplibre takes, with every look and kind', () => {
    expect(validateStyleMin(style).map(({ message }) => message)).toEqual([]);
    for (const { source: name } of sources.layers) expect(idsOf(style).some((id) => id.startsWith(name))).toBe(true);
  });

  test('draws from the ground up in the order of the design', () => {
    const ids = idsOf(style);
    const wanted = [
      ...['land', 'county-ground', 'layer-woods-area', 'lot-fill', 'relief', 'layer-wetlands-marks'],
      ...['layer-public-band', 'contours', 'layer-stream-line', 'layer-water-area', 'layer-flood-area'],
      ...[
        'layer-plss-sections',
        'layer-plss-townships',
        'lot-line',
        'layer-roads-edge',
        'layer-roads-road',
        'layer-rail-line',
        'layer-buildings-area',
        'lot-select',
      ],
    ];
    const places = wanted.map((id) => ids.indexOf(id));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('draws sections and townships thinner and lighter than lots', () => {
    const paintOf = (wanted: string) =>
      (style.layers.find(({ id }) => id === wanted)?.paint ?? {}) as { 'line-opacity': number };
    for (const of of ['sections', 'townships']) expect(paintOf(`layer-plss-${of}`)['line-opacity']).toBeLessThan(0.7);
  });

  test('lets letters win in the order of the design: the topmost are placed first', () => {
    const letters = style.layers.filter(({ type }) => type === 'symbol').map(({ id }) => id);
    const first = letters.toReversed();
    const wanted = [
      ...[
        'lot-label-selected',
        'layer-place-towns',
        'layer-roads-shields',
        'layer-place-summits',
        'layer-plss-townshipNames',
      ],
      ...['layer-public-publicNames', 'layer-water-waterNames', 'layer-water-riverNames', 'layer-roads-names'],
      ...['layer-stream-streamNames', 'layer-plss-sectionNumbers', 'contour-labels', 'lot-label'],
    ];
    expect(first.filter((id) => wanted.includes(id))).toEqual(wanted);
  });

  test('leaves the ground as it is where no lot matches', () => {
    const fill = style.layers.find(({ id }) => id === 'lot-fill');
    const { 'fill-opacity': opacity } = (fill?.paint ?? {}) as { 'fill-opacity': unknown[] };
    expect([opacity[0], opacity[2], opacity[3]]).toEqual(['case', 0.9, 0]);
  });

  test.each([
    ['Protomaps', protomaps],
    ['OpenMapTiles', openMapTiles],
    ['another vector map', unknown],
  ])('draws %s on the same roles, valid for maplibre', (_name, one) => {
    const drawn = styleOf({ ...sources, layers: [], bases: [one] } as unknown as MapSources, [one.source]);
    expect(validateStyleMin(drawn).map(({ message }) => message)).toEqual([]);
    const layers = drawn.layers.filter((layer) => 'source' in layer && layer.source === one.source);
    const used = new Set(layers.map((layer) => 'source-layer' in layer && layer['source-layer']));
    for (const name of used) expect(one.layers).toContain(name);
    const letters = layers.filter(({ type }) => type === 'symbol').length;
    if (one === unknown) expect(letters).toBe(0);
    else expect(letters).toBeGreaterThanOrEqual(8);
    // The county's own ground would hide a map that has none of its own.
    expect(idsOf(drawn).includes('county-ground')).toBe(one !== unknown);
    const order = idsOf(drawn);
    if (one !== unknown) {
      const road = order.findIndex((id) => id.startsWith(one.source) && id.endsWith('-road'));
      expect(road).toBeGreaterThan(order.indexOf('lot-line'));
      expect(order.findIndex((id) => id.startsWith(`${one.source}-landcover`))).toBeLessThan(order.indexOf('lot-fill'));
    }
  });

  describe('over a photo', () => {
    const photo = { ...source, source: 'base-air', type: 'raster', title: 'air.mbtiles', layers: [], tile_size: 512 };
    const given = { ...sources, bases: [photo] } as unknown as MapSources;
    const over = (
      layers: Readonly<Record<string, { isOn: boolean; opacity: number }>>,
      look: 'photo' | 'relief' = 'photo',
    ) =>
      buildStyle({
        ...{ sources: given, tokens, fill: fillByName('acres'), limits: [1, 2], units: 'ft, ac', cellLimits: [5] },
        ...{ marks: [], area: null, sides: [], dots: null, isGrid: true },
        memory: { label: 'named', layers, look, photo: null },
      });
    const on = { isOn: true, opacity: 100 };
    const all = Object.fromEntries(every.flatMap((name) => [name, `over:${name}`]).map((name) => [name, on]));

    test('is valid, with the tiles as large as the file says', () => {
      for (const one of [over({}), over(all), over(all, 'relief')])
        expect(validateStyleMin(one).map(({ message }) => message)).toEqual([]);
      expect(over({}).sources['base-air']).toMatchObject({ type: 'raster', tileSize: 512 });
    });

    test('draws the map’s ground below, lines and names on top, and no fill', () => {
      const ids = idsOf(over({}));
      const at = (id: string) => ids.indexOf(id);
      for (const id of [
        'county-ground',
        'layer-woods-area',
        'layer-roads-road',
        'layer-buildings-area',
        'layer-water-area',
      ])
        expect(at(id), id).toBeLessThan(at('base-air'));
      for (const id of ['lot-line-edge', 'lot-line', 'layer-roads-names', 'layer-stream-line', 'lot-select'])
        expect(at(id), id).toBeGreaterThan(at('base-air'));
      for (const id of ['lot-hatch', 'relief', 'contours']) expect(at(id), id).toBe(-1);
      const fill = over({}).layers.find(({ id }) => id === 'lot-fill');
      expect(fill?.paint).toEqual({ 'fill-opacity': 0 });
    });

    test('has ticks of its own: what is off on the map may be on here', () => {
      const off = { isOn: false, opacity: 100 };
      expect(idsOf(over({ 'layer-roads': off }))).toContain('layer-roads-names');
      expect(idsOf(over({ 'over:layer-roads': off }))).not.toContain('layer-roads-names');
      expect(idsOf(over({ 'over:contours': on }))).toContain('contours');
      expect(idsOf(over({ 'over:lines': off })).filter((id) => id.startsWith('lot-line'))).toEqual([]);
      expect(idsOf(over({}, 'relief'))).toContain('relief');
    });

    test('is the map again where there is no photo', () => {
      const none = buildStyle({
        ...{ sources, tokens, fill: fillByName('acres'), limits: [], units: 'ft, ac', cellLimits: [] },
        ...{ marks: [], area: null, sides: [], dots: null, isGrid: false },
        memory: { label: 'acres', layers: {}, look: 'photo', photo: null },
      });
      expect(idsOf(none)).toContain('relief');
    });
  });

  test('has a source for marks, an area and sides only where there are any: an empty one costs as much', () => {
    const own = ['mark', 'area', 'sides'];
    expect(Object.keys(style.sources).filter((name) => own.includes(name))).toEqual([]);
    const full = buildStyle({
      ...{ sources, tokens, fill: fillByName('acres'), limits: [], units: 'ft, ac', cellLimits: [] },
      ...{ marks: [[-71.5, 44.5]], dots: null, isGrid: false, memory: { label: 'acres', layers: {} } },
      area: {
        type: 'Polygon',
        coordinates: [
          [
            [-71.5, 44.5],
            [-71.4, 44.5],
            [-71.4, 44.6],
            [-71.5, 44.5],
          ],
        ],
      },
      sides: [{ at: [-71.5, 44.5], words: '100 ft' }],
    });
    expect(validateStyleMin(full).map(({ message }) => message)).toEqual([]);
    const drawn = full.layers.flatMap((layer) => ('source' in layer ? [String(layer.source)] : []));
    for (const name of own) expect(drawn).toContain(name);
  });

  test('draws the marks of the map of the comps over the lots and below every letter', () => {
    const drawn = buildStyle({
      ...{ sources, tokens, fill: fillByName('acres'), limits: [], units: 'ft, ac', cellLimits: [] },
      ...{ marks: [], area: null, sides: [], dots: null, isGrid: false },
      memory: { label: 'acres', layers: Object.fromEntries(every.map((name) => [name, { isOn: true, opacity: 100 }])) },
      own: [{ id: 'own', type: 'circle', source: 'own' }],
    });
    const ids = idsOf(drawn);
    const letters = drawn.layers.findIndex(({ type }) => type === 'symbol');
    expect(ids.indexOf('own')).toBeGreaterThan(ids.indexOf('lot-select'));
    expect(ids.indexOf('own')).toBeLessThan(letters);
  });

  test('draws only what is switched on', () => {
    const off = Object.fromEntries(every.map((name) => [name, { isOn: false, opacity: 100 }]));
    const none = buildStyle({
      ...{ sources, tokens, fill: fillByName('acres'), limits: [], units: 'ft, ac', cellLimits: [] },
      ...{ marks: [], area: null, sides: [], dots: null, isGrid: true, memory: { label: 'acres', layers: off } },
    });
    expect(idsOf(none).filter((id) => id.startsWith('layer-'))).toEqual([]);
    expect(Object.keys(none.sources).filter((name) => name.startsWith('layer-'))).toEqual([]);
  });
});
