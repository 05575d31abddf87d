/**
 * What the map shows of Field mode: tracks, waypoints and photos, and the lines from the user. What changes while he walks
 * is set on sources of its own: the style, which is compared as a whole, stays.
 */
import type { FeatureCollection } from 'geojson';
import type { ExpressionSpecification, LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import { aimSource, trackSource } from '../map/kept-sources.ts';
import { markPixels, plateEdge } from '../map/map-images.ts';
import type { MapTokens } from '../map/map-tokens.ts';

const nothing: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** Waypoints, photos and ended tracks. */
export const markedSource = 'field-marks';

const markLayer = 'field-mark';

/** The switch of the layer menu. */
export const fieldMarks = 'field-marks';

const geojson = (data: FeatureCollection): SourceSpecification => ({ type: 'geojson', data });

/** Ended tracks, waypoints and photos; those of the walk between them. */
export function withMarks(
  style: StyleSpecification,
  tokens: MapTokens,
  marks: FeatureCollection,
  walk: readonly LayerSpecification[] = [],
): StyleSpecification {
  const isEmpty = marks.features.length === 0;
  return {
    ...style,
    sources: isEmpty ? style.sources : { ...style.sources, [markedSource]: geojson(marks) },
    layers: [...style.layers, ...(isEmpty ? [] : endedTracks(tokens)), ...walk, ...(isEmpty ? [] : [plates(tokens)])],
  };
}

/** On the map of Field mode. */
export const withWalk = (style: StyleSpecification, tokens: MapTokens, marks: FeatureCollection): StyleSpecification =>
  withMarks(
    { ...style, sources: { ...style.sources, [trackSource]: geojson(nothing), [aimSource]: geojson(nothing) } },
    tokens,
    marks,
    walkLayers(tokens),
  );

const line = (id: string, source: string, color: string, width: number): LayerSpecification => ({
  id,
  type: 'line',
  source,
  layout: { 'line-join': 'round', 'line-cap': 'round' },
  paint: { 'line-color': color, 'line-width': width },
});

const endedTracks = (tokens: MapTokens): LayerSpecification[] => [
  line('track-marked-casing', markedSource, tokens.halo, 6),
  line('track-marked', markedSource, tokens.track, 3),
];

function walkLayers(tokens: MapTokens): LayerSpecification[] {
  const size = tokens.rem / 18;
  return [
    line('track-casing', trackSource, tokens.halo, 8),
    line('track', trackSource, tokens.track, 5),
    line('aim-casing', aimSource, tokens.halo, 9),
    { ...line('aim-line', aimSource, tokens.hover, 4), filter: ['==', ['get', 'kind'], 'line'] } as LayerSpecification,
    {
      id: 'aim-go',
      type: 'line',
      source: aimSource,
      filter: ['==', ['get', 'kind'], 'go'],
      paint: { 'line-color': tokens.hover, 'line-width': 3, 'line-dasharray': [3, 2] },
    },
    {
      id: 'aim-words',
      type: 'symbol',
      source: aimSource,
      filter: ['has', 'words'],
      layout: {
        'text-field': ['get', 'words'],
        'text-font': ['Platbook Map Semibold'],
        'text-size': 18 * size,
        'text-offset': ['array', 'number', 2, ['get', 'offset']],
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
      paint: { 'text-color': tokens.text, 'text-halo-color': tokens.halo, 'text-halo-width': 3 },
    },
  ];
}

/** A plate stands over its place: `field-plates.ts` finds a pressed one by the same numbers. */
export const plateForm = { font: 'Platbook Map Semibold', padX: 7, padY: 2, maxEms: 14 } as const;

/** Pixels from the place to the letters: the tip ends at the place. */
export const plateRaised = plateEdge.tip + plateEdge.border + plateForm.padY;

export const plateTextPixels = ({ isOutdoor, rem }: MapTokens): number =>
  isOutdoor ? 14 * (rem / 18) : 12 * (rem / 16);

/** Names of one plate with a sign each; those below go without. */
export const mostSigns = 4;

/** A sign and the space behind it. */
export const signPixels = markPixels + 6;

const plateText = [
  'format',
  ...Array.from({ length: mostSigns }, (_, i) => [
    ['case', ['has', `sign${i}`], ['image', ['get', `sign${i}`]], ''],
    {},
    ['coalesce', ['get', `name${i}`], ''],
    {},
  ]).flat(),
] as unknown as ExpressionSpecification;

const plates = (tokens: MapTokens): LayerSpecification => ({
  id: markLayer,
  type: 'symbol',
  source: markedSource,
  filter: ['==', ['geometry-type'], 'Point'],
  layout: {
    'icon-image': ['case', ['boolean', ['get', 'isAim'], false], 'plate-aim', 'plate'],
    'icon-text-fit': 'both',
    'icon-text-fit-padding': [plateForm.padY, plateForm.padX, plateForm.padY, plateForm.padX],
    'icon-allow-overlap': true,
    'text-field': plateText,
    'text-font': [plateForm.font],
    'text-size': plateTextPixels(tokens),
    'text-max-width': plateForm.maxEms,
    'text-anchor': 'bottom',
    'text-offset': [0, -plateRaised / plateTextPixels(tokens)],
    'text-allow-overlap': true,
  },
  paint: { 'text-color': tokens.text },
});
