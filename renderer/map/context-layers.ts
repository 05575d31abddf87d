/** Layers below and beside the lots: county outlines, the user's layers and base maps. */
import type { LayerSpecification } from 'maplibre-gl';
import type { LayerLook } from '../../engine/spec/layer-titles.ts';
import { schemaLayers, schemaOf } from './base-schemas.ts';
import {
  buildings,
  byZoom,
  dashed,
  floodZones,
  groundArea,
  places,
  plain,
  publicLand,
  rails,
  streams,
  survey,
  water,
  wetlands,
} from './ground-roles.ts';
import { type Placed, placed } from './map-slots.ts';
import type { BaseMap, UserLayer } from './map-sources.ts';
import type { LayerChoice } from './map-state.ts';
import type { MapTokens } from './map-tokens.ts';
import { type RoadSource, roads } from './road-layers.ts';

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

/** The source of a user's layer, for its role. */
const sourceOf = ({ source }: UserLayer, tokens: MapTokens, { opacity }: LayerChoice): RoadSource => ({
  ...{ id: source, source, sourceLayer: 'features', namesLayer: 'names', tokens, opacity: opacity / 100 },
  ...{ name: ['get', 'name'], ref: ['get', 'ref'] },
});

type Draw = (from: RoadSource, layer: UserLayer) => Placed[];

const looks: Readonly<Record<LayerLook, Draw>> = {
  water: (from) => water(from),
  stream: (from) => streams(from),
  rail: rails,
  public: publicLand,
  woods: (from) => groundArea(from, from.tokens.woods),
  place: places,
  plain: (from, { color }) => plain(from, color),
};

/** Other kinds get dashes. */
const kinds: Readonly<Record<string, Draw>> = { roads, wetlands, flood: floodZones, buildings, plss: survey };

export function userLayers(layer: UserLayer, tokens: MapTokens, choice: LayerChoice): Placed[] {
  const draw = layer.look === null ? (kinds[layer.kind] ?? dashed) : looks[layer.look];
  return draw(sourceOf(layer, tokens, choice), layer);
}

interface Swatch {
  readonly fill: string;
  readonly line: string;
}

const swatch = (fill: string, line = fill): Swatch => ({ fill: `var(--map-${fill})`, line: `var(--map-${line})` });

const swatches: Readonly<Record<string, Swatch>> = {
  ...{ roads: swatch('road', 'road-edge'), wetlands: swatch('lot', 'wet'), flood: swatch('lot', 'flood') },
  ...{ buildings: swatch('building'), water: swatch('water', 'water-line'), stream: swatch('water-line') },
  ...{ plss: swatch('lot', 'survey') },
  ...{ rail: swatch('rail'), public: swatch('lot', 'public'), woods: swatch('woods') },
};

/** A layer's swatch in the legend; null: its letters say what it is. */
export function layerSwatch({ kind, look, color }: Pick<UserLayer, 'kind' | 'look' | 'color'>): Swatch | null {
  if (look === 'plain') return { fill: color ?? 'var(--text-3)', line: color ?? 'var(--text-3)' };
  return swatches[look ?? kind] ?? null;
}

const onAtFirst: readonly string[] = ['roads', 'buildings', 'water', 'wetlands', 'plss', 'other'];

/** Layers shown by default: they help to find one's way. */
export const isOnAtFirst = (kind: string): boolean => onAtFirst.includes(kind);

/** Whether county ground would hide it. */
export const hasOwnGround = ({ type, layers }: BaseMap): boolean => type === 'raster' || schemaOf(layers) === null;

/** Raster base maps unchanged; lines and areas of a vector map of no known schema plain, so that lots stand out. */
export function baseLayers(base: BaseMap, tokens: MapTokens, { opacity }: LayerChoice): Placed[] {
  const { source } = base;
  if (base.type === 'raster') {
    return placed('raster', [
      { id: source, type: 'raster', source, paint: { 'raster-opacity': opacity / 100, 'raster-fade-duration': 0 } },
    ]);
  }
  const schema = schemaOf(base.layers);
  if (schema) return schemaLayers(schema, { id: source, source, tokens, opacity: opacity / 100 });
  const layers = base.layers.flatMap((layer): LayerSpecification[] => {
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
        paint: {
          'line-color': lineColor,
          'line-width': isRoad ? byZoom(11, 0.8, 17, 5) : 1,
          'line-opacity': opacity / 100,
        },
      },
    ];
  });
  return placed('ground', layers);
}
