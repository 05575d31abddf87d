/** Builds the whole style from the app's state: what is drawn, in what order and colors. A pure function. */
import type { MultiPolygon, Polygon, Position } from 'geojson';
import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import { baseLayers, countyGround, hasOwnGround, isOnAtFirst, outlineLayers, userLayers } from './context-layers.ts';
import { groundLayers, groundSources, heightSource, heightsTimes } from './ground-layers.ts';
import { inOrder, isUnderFill, type Placed, placed } from './map-slots.ts';
import type { BaseMap, MapSources } from './map-sources.ts';
import { choiceOf } from './map-state.ts';
import type { MapTokens } from './map-tokens.ts';
import {
  densityLayers,
  labelLayers,
  lotDensity,
  lotGround,
  lotLayers,
  lotsFrom,
  lotsOver,
  type ParcelLook,
  parcelSource,
} from './parcel-layers.ts';
import { isBelowPhoto, isHiding, linesKey, photoLayer, photoShown, type ShownMemory, shownLayers } from './photo.ts';
import { inkOver } from './photo-ink.ts';
import { neighbourNames, pickedLayers, pickedSource, pickedSpecification } from './picked-layers.ts';
import { tileAddress } from './tile-protocol.ts';
import type { Dots } from './use-match-dots.ts';

interface MapLook extends Omit<ParcelLook, 'opacity' | 'label' | 'isClear'> {
  readonly sources: MapSources;
  readonly memory: ShownMemory & { readonly label: ParcelLook['label'] };
  readonly cellLimits: readonly number[];
  /** Where the matches lie, while lots are too small to see and dots few enough. */
  readonly dots: Dots | null;
  /** Whether the grid counts the matches. */
  readonly isGrid: boolean;
  /** No search yet, and lots too small to see: the grid counts the lots. */
  readonly isUnsearched?: boolean;
  /** Ringed points: a visited place, the selected parcel while lots are too small to see. */
  readonly marks: readonly (readonly [number, number])[];
  /** The filter's area, except during drawing. */
  readonly area: Polygon | MultiPolygon | null;
  /** Lengths beside the sides of a measured lot. */
  readonly sides: readonly { readonly at: Position; readonly words: string }[];
  /** Whether the ground is raised. */
  readonly isTilted?: boolean;
  /** Marks of a map of its own, below the letters. */
  readonly own?: readonly LayerSpecification[];
}

const markSource = 'mark';

/** Maps of lines and areas; pictures are photos. */
const drawnBases = ({ bases }: MapSources): readonly BaseMap[] => bases.filter(({ type }) => type === 'vector');

export function buildStyle(look: MapLook): StyleSpecification {
  const style = levelStyle(look);
  const { terrain } = look.sources;
  if (!look.isTilted || !terrain) return style;
  const [name, heights] = heightSource(terrain.heights);
  return {
    ...style,
    sources: { ...style.sources, [name]: heights },
    terrain: { source: name, exaggeration: heightsTimes },
  };
}

function levelStyle(look: MapLook): StyleSpecification {
  const photo = photoShown(look.sources, look.memory);
  const land: LayerSpecification = {
    ...{ id: 'land', type: 'background' },
    paint: { 'background-color': look.tokens.land },
  };
  if (!photo) return { version: 8, sources: sourcesOf(look), layers: [land, ...inOrder(placedLayers(look))] };
  const layers = shownLayers(look.memory, look.sources);
  const onTop: MapLook = { ...look, tokens: inkOver(look.tokens), memory: { ...look.memory, layers } };
  const over = placedLayers(onTop).filter((one) => !isHiding(one));
  const taken = new Set(over.map(({ layer }) => layer.id));
  // What holes of the photo show, and a weak one.
  const below = placedLayers({ ...look, isGrid: false, isUnsearched: false }).filter(
    (one) => isBelowPhoto(one) && !taken.has(one.layer.id),
  );
  return {
    version: 8,
    sources: { ...sourcesOf(look), ...sourcesOf(onTop), ...Object.fromEntries([tileSource(photo)]) },
    layers: [land, ...inOrder(below), photoLayer(photo, layers), ...inOrder(over)],
  };
}

function placedLayers(look: MapLook): Placed[] {
  const { sources, memory, tokens, cellLimits } = look;
  const bases = drawnBases(sources).map((base) => ({ base, choice: choiceOf(memory.layers, base.source, false) }));
  const shownBases = bases.filter(({ choice }) => choice.isOn);
  const layers = sources.layers
    .map((layer) => ({ layer, choice: choiceOf(memory.layers, layer.source, isOnAtFirst(layer.kind)) }))
    .filter(({ choice }) => choice.isOn);
  const context = [
    ...shownBases.flatMap(({ base, choice }) => baseLayers(base, tokens, choice)),
    ...layers.flatMap(({ layer, choice }) => userLayers(layer, tokens, choice)),
  ];
  const isClear = context.some(isUnderFill);
  const parcels: ParcelLook = {
    ...look,
    isClear,
    label: memory.label,
    opacity: choiceOf(memory.layers, parcelSource, true).opacity / 100,
  };
  const lots = tokens.isOverPhoto ? lotsOver(tokens, choiceOf(memory.layers, linesKey, true).isOn) : lotLayers(parcels);
  const firstLine = lots.findIndex(({ id }) => id.startsWith('lot-line'));
  const split = firstLine < 0 ? lots.length : firstLine;
  const labels = labelLayers(parcels);
  const isOfSelected = ({ id }: LayerSpecification) => id.startsWith('lot-label-selected');
  const counties = sources.counties.map(({ fips }) => fips);
  const ground = groundLayers(sources, memory.layers, tokens);
  return [
    ...placed(
      'ground',
      shownBases.some(({ base }) => hasOwnGround(base))
        ? []
        : [countyGround(tokens, counties), ...(isClear ? [lotGround(tokens)] : [])],
    ),
    ...context,
    ...placed('density', look.isGrid ? densityLayers(parcels, cellLimits) : []),
    ...placed('density', look.isUnsearched ? [lotDensity(parcels)] : []),
    ...placed('outlines', outlineLayers(tokens)),
    ...placed('fill', lots.slice(0, split)),
    ...placed('relief', ground.relief),
    ...placed('contours', ground.contours),
    ...placed('lotLines', lots.slice(split)),
    ...placed('selection', selectionLayers(look)),
    ...placed(
      'lotNames',
      labels.filter((label) => !isOfSelected(label)),
    ),
    ...placed('contourNames', ground.labels),
    ...placed('selectedName', [
      ...labels.filter(isOfSelected),
      ...neighbourNames(tokens),
      ...(look.sides.length > 0 ? sideLayers(tokens) : []),
    ]),
  ];
}

const selectionLayers = ({ dots, tokens, area, marks, own = [] }: MapLook): LayerSpecification[] => [
  ...dotLayers(dots, tokens),
  ...pickedLayers(tokens),
  ...(area ? areaLayers(tokens) : []),
  ...(marks.length > 0 ? markLayers(tokens) : []),
  ...own,
];

/** A tile file of the user. */
function tileSource(base: BaseMap): [string, SourceSpecification] {
  const bounds = base.bounds ? { bounds: [...base.bounds] as [number, number, number, number] } : {};
  const { minzoom, maxzoom, tile_size: tileSize } = base;
  const shared = { tiles: [tileAddress(base.source, base.generation)], minzoom, maxzoom, ...bounds };
  return [
    base.source,
    base.type === 'raster' ? { type: 'raster', tileSize, ...shared } : { type: 'vector', ...shared },
  ];
}

function sourcesOf(look: MapLook): Record<string, SourceSpecification> {
  const { sources, memory } = look;
  const vector = (source: string, generation: string, minzoom: number, maxzoom: number): SourceSpecification => ({
    type: 'vector',
    tiles: [tileAddress(source, generation)],
    minzoom,
    maxzoom,
  });
  const { parcels, outlines } = sources;
  const bases = drawnBases(sources)
    .filter(({ source }) => choiceOf(memory.layers, source, false).isOn)
    .map(tileSource);
  return {
    [parcelSource]: vector(parcelSource, parcels.generation, 0, 16),
    outlines: vector('outlines', outlines.generation, 0, outlines.maxzoom),
    ...Object.fromEntries(
      sources.layers
        .filter(({ source, kind }) => choiceOf(memory.layers, source, isOnAtFirst(kind)).isOn)
        .map((layer) => [layer.source, vector(layer.source, layer.generation, layer.minzoom, layer.maxzoom)]),
    ),
    ...groundSources(sources, memory.layers),
    ...Object.fromEntries(bases),
    ...ownSources(look),
    ...dotSources(look.dots),
  };
}

/** Small things of the app itself, where there are any: an empty source takes part in each tile and frame as a full one. */
function ownSources({ marks, area, sides }: MapLook): Record<string, SourceSpecification> {
  return {
    [pickedSource]: pickedSpecification,
    ...(marks.length > 0 && {
      [markSource]: { type: 'geojson', data: { type: 'MultiPoint', coordinates: marks.map((at) => [...at]) } },
    }),
    ...(area && { area: { type: 'geojson', data: area } }),
    ...(sides.length > 0 && {
      sides: {
        type: 'geojson',
        data: {
          type: 'FeatureCollection',
          features: sides.map(({ at, words }) => ({
            type: 'Feature',
            geometry: { type: 'Point', coordinates: at },
            properties: { words },
          })),
        },
      },
    }),
  };
}

function areaLayers(tokens: MapTokens): LayerSpecification[] {
  const line = (id: string, color: string, width: number): LayerSpecification => ({
    id,
    type: 'line',
    source: 'area',
    layout: { 'line-join': 'round' },
    paint: { 'line-color': color, 'line-width': width, 'line-dasharray': [3, 2] },
  });
  return [
    {
      id: 'area-casing',
      type: 'line',
      source: 'area',
      layout: { 'line-join': 'round' },
      paint: { 'line-color': tokens.selectCasing, 'line-width': 6 },
    },
    line('area-line', tokens.select, 2.5),
  ];
}

const sideLayers = (tokens: MapTokens): LayerSpecification[] => [
  {
    id: 'sides',
    type: 'symbol',
    source: 'sides',
    layout: {
      'text-field': ['get', 'words'],
      'text-font': ['Inter Variable'],
      'text-size': 11.5 * (tokens.rem / 16),
      'text-padding': 2,
    },
    // It stands on a line, which its halo must cover.
    paint: { 'text-color': tokens.label, 'text-halo-color': tokens.halo, 'text-halo-width': 3 },
  },
];

function markLayers(tokens: MapTokens): LayerSpecification[] {
  const circle = (id: string, radius: number, width: number, color: string): LayerSpecification => ({
    id,
    type: 'circle',
    source: markSource,
    paint: {
      'circle-radius': radius,
      'circle-color': 'rgba(0, 0, 0, 0)',
      'circle-stroke-color': color,
      'circle-stroke-width': width,
    },
  });
  return [
    circle('mark-casing', 8, 8, tokens.selectCasing),
    circle('mark-ring', 8, tokens.isOutdoor ? 4 : 3.5, tokens.select),
  ];
}

/** Dots of the matches, over everything but letters and marks. */
const id = 'match-dots';

const dotSources = (dots: Dots | null): Record<string, SourceSpecification> =>
  dots === null
    ? {}
    : { [id]: { type: 'geojson', data: { type: 'MultiPoint', coordinates: dots.map((at) => [...at]) } } };

const dotLayers = (dots: Dots | null, tokens: MapTokens): LayerSpecification[] =>
  dots === null
    ? []
    : [
        {
          id,
          type: 'circle',
          source: id,
          maxzoom: lotsFrom,
          paint: {
            'circle-radius': ['interpolate', ['linear'], ['zoom'], 8, tokens.isOutdoor ? 2.5 : 1.6, lotsFrom, 4],
            'circle-color': tokens.ramp[3] as string,
            'circle-stroke-color': tokens.halo,
            'circle-stroke-width': 0.8,
          },
        },
      ];
