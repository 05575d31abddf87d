/** Layers below and beside the lots: county outlines, the user's layers and base maps. */
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { BaseMap } from './map-sources.ts';
import type { LayerChoice } from './map-state.ts';
import type { MapTokens } from './map-tokens.ts';

/** The ground of counties with parcels: keeps other counties from showing between the grid's cells. */
export const countyGround = (tokens: MapTokens, counties: readonly string[]): LayerSpecification => ({
  id: 'county-ground',
  type: 'fill',
  source: 'outlines',
  'source-layer': 'counties',
  filter: ['in', ['get', 'fips'], ['literal', [...counties]]],
  paint: { 'fill-color': tokens.lot, 'fill-antialias': false },
});

export function outlineLayers(tokens: MapTokens): LayerSpecification[] {
  const line = (id: string, layer: string, width: number, dashes: number[], minzoom: number): LayerSpecification => ({
    id,
    type: 'line',
    source: 'outlines',
    'source-layer': layer,
    minzoom,
    paint: { 'line-color': tokens.quiet, 'line-width': width, 'line-dasharray': dashes },
  });
  return [
    line('county-line', 'counties', tokens.isOutdoor ? 1.5 : 1, [5, 2, 1, 2], 5),
    line('state-line', 'states', tokens.isOutdoor ? 2 : 1.4, [1], 0),
  ];
}

/** How a kind of layer is drawn; other kinds get a plain line. */
type Draw = (id: string, source: string, tokens: MapTokens, opacity: number) => LayerSpecification[];

const features = { 'source-layer': 'features' } as const;

const byZoom = (from: number, to: number): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.6],
  ['zoom'],
  11,
  from,
  17,
  to,
];

/** Wider for more important classes: see engine/enrichment/road-classes.ts. */
function roadWidth(extra: number): ExpressionSpecification {
  const width = (major: number, normal: number, local: number) => [
    'match',
    ['get', 'class'],
    'major_highway',
    major + extra,
    'normal_road',
    normal + extra,
    local + extra,
  ];
  const stops = [10, width(1.2, 0.8, 0.3), 14, width(4, 3, 2), 17, width(14, 12, 9)];
  return ['interpolate', ['exponential', 1.6], ['zoom'], ...stops] as unknown as ExpressionSpecification;
}

const area =
  (fill: keyof MapTokens & string, line: keyof MapTokens & string): Draw =>
  (id, source, tokens, opacity) => [
    {
      id: `${id}-area`,
      type: 'fill',
      source,
      ...features,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': tokens[fill] as string, 'fill-opacity': opacity * 0.6, 'fill-antialias': false },
    },
    {
      id: `${id}-edge`,
      type: 'line',
      source,
      ...features,
      paint: { 'line-color': tokens[line] as string, 'line-width': 1.2, 'line-opacity': opacity },
    },
  ];

const dashed: Draw = (id, source, tokens, opacity) => [
  {
    id,
    type: 'line',
    source,
    ...features,
    paint: { 'line-color': tokens.quiet, 'line-width': 1.5, 'line-opacity': opacity, 'line-dasharray': [4, 2] },
  },
];

const roads: Draw = (id, source, tokens, opacity) => [
  {
    id: `${id}-edge`,
    type: 'line',
    source,
    ...features,
    layout: { 'line-join': 'round', 'line-cap': 'butt' },
    paint: { 'line-color': tokens.roadEdge, 'line-width': roadWidth(2), 'line-opacity': opacity },
  },
  {
    id: `${id}-road`,
    type: 'line',
    source,
    ...features,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': tokens.road, 'line-width': roadWidth(0), 'line-opacity': opacity },
  },
];

const buildings: Draw = (id, source, tokens, opacity) => [
  {
    id,
    type: 'fill',
    source,
    ...features,
    minzoom: 13,
    paint: { 'fill-color': tokens.building, 'fill-opacity': opacity },
  },
];

const draws: Readonly<Record<string, Draw>> = {
  roads,
  wetlands: area('water', 'waterLine'),
  flood: area('water', 'select'),
  buildings,
  schools: dashed,
  zips: dashed,
};

/** A layer's swatch in the legend. */
export const layerSwatch: Readonly<Record<string, { readonly fill: string; readonly line: string }>> = {
  roads: { fill: 'var(--map-road)', line: 'var(--map-road-edge)' },
  wetlands: { fill: 'var(--map-water)', line: 'var(--map-water-line)' },
  flood: { fill: 'var(--map-water)', line: 'var(--map-select)' },
  buildings: { fill: 'var(--map-building)', line: 'var(--map-building)' },
};

/** Layers shown by default: they help to find one's way. */
export const isOnAtFirst = (kind: string): boolean => kind === 'roads' || kind === 'buildings';

export const userLayers = (
  source: string,
  kind: string,
  tokens: MapTokens,
  { opacity }: LayerChoice,
): LayerSpecification[] => (draws[kind] ?? dashed)(source, source, tokens, opacity / 100);

/** Raster base maps unchanged; lines and areas of an unknown vector map plain, so that lots stand out. */
export function baseLayers(base: BaseMap, tokens: MapTokens, { opacity }: LayerChoice): LayerSpecification[] {
  const { source } = base;
  if (base.type === 'raster') {
    return [
      { id: source, type: 'raster', source, paint: { 'raster-opacity': opacity / 100, 'raster-fade-duration': 0 } },
    ];
  }
  return base.layers.flatMap((layer): LayerSpecification[] => {
    const isWater = /water|ocean|lake|river/.test(layer);
    const isRoad = /road|transport|street|highway/.test(layer);
    const lineColor = isWater ? tokens.waterLine : isRoad ? tokens.roadEdge : tokens.line;
    return [
      {
        id: `${source}-${layer}-area`,
        type: 'fill',
        source,
        'source-layer': layer,
        filter: ['==', ['geometry-type'], 'Polygon'],
        paint: {
          'fill-color': isWater ? tokens.water : /building/.test(layer) ? tokens.building : tokens.line,
          'fill-opacity': (isWater ? 1 : 0.25) * (opacity / 100),
        },
      },
      {
        id: `${source}-${layer}-line`,
        type: 'line',
        source,
        'source-layer': layer,
        filter: ['==', ['geometry-type'], 'LineString'],
        paint: { 'line-color': lineColor, 'line-width': isRoad ? byZoom(0.8, 5) : 1, 'line-opacity': opacity / 100 },
      },
    ];
  });
}
