/** The ground under the lots: relief and contours from an elevation file. */
import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl';
import { letters } from './map-letters.ts';
import type { MapSources } from './map-sources.ts';
import { choiceOf, type LayerChoice, type MapMemory } from './map-state.ts';
import type { MapTokens } from './map-tokens.ts';
import { tileAddress } from './tile-protocol.ts';

/** The switches of the layer menu, in its order. */
export const groundTitles = { relief: 'Relief', contours: 'Contours' } as const;
export type GroundName = keyof typeof groundTitles;
export const groundNames = Object.keys(groundTitles) as readonly GroundName[];
export const isGround = (source: string): source is GroundName => source in groundTitles;

const groundChoice = (layers: MapMemory['layers'], name: GroundName): LayerChoice => choiceOf(layers, name, true);

/** Empty without elevation. */
export function groundSources(
  { terrain }: MapSources,
  layers: MapMemory['layers'],
): Record<string, SourceSpecification> {
  if (!terrain) return {};
  const shown = groundNames.filter((name) => groundChoice(layers, name).isOn);
  return Object.fromEntries(
    shown.map((name): [string, SourceSpecification] => {
      const { source, generation, minzoom, maxzoom, bounds } = terrain[name];
      const shared = {
        ...{ tiles: [tileAddress(source, generation)], minzoom, maxzoom },
        ...(bounds ? { bounds: [...bounds] as [number, number, number, number] } : {}),
      };
      return [source, name === 'relief' ? { type: 'raster', tileSize: 256, ...shared } : { type: 'vector', ...shared }];
    }),
  );
}

/** How much the ground is raised while the map is tilted: at 1 the hills of a county look flat. */
export const heightsTimes = 1.6;

type HeightTiles = NonNullable<MapSources['terrain']>['heights'];

export const heightSource = ({ source, generation, minzoom, maxzoom, bounds }: HeightTiles) =>
  [
    source,
    {
      ...{ type: 'raster-dem', encoding: 'terrarium', tileSize: 256, minzoom, maxzoom },
      tiles: [tileAddress(source, generation)],
      ...(bounds ? { bounds: [...bounds] as [number, number, number, number] } : {}),
    } satisfies SourceSpecification,
  ] as const;

const width = (plain: readonly [number, number, number], bold: readonly [number, number, number]) => {
  const at = (step: 0 | 1 | 2): ExpressionSpecification => ['case', ['get', 'is_bold'], bold[step], plain[step]];
  return ['interpolate', ['linear'], ['zoom'], 12, at(0), 14, at(1), 16, at(2)] as ExpressionSpecification;
};

const feet: ExpressionSpecification = ['number-format', ['get', 'ft'], { locale: 'en-US' }];

interface GroundLayers {
  /** Over the lots' fill: it leaves flat ground alone, so that colors stay true. */
  readonly relief: readonly LayerSpecification[];
  readonly contours: readonly LayerSpecification[];
  readonly labels: readonly LayerSpecification[];
}

export function groundLayers({ terrain }: MapSources, layers: MapMemory['layers'], tokens: MapTokens): GroundLayers {
  const [relief, contours] = [groundChoice(layers, 'relief'), groundChoice(layers, 'contours')];
  const lines = { source: 'contours', 'source-layer': 'contours' } as const;
  const hasContours = terrain !== null && contours.isOn;
  const opacity = contours.opacity / 100;
  const [plain, bold] = tokens.isOutdoor ? [0.75, 1] : [0.5, 0.75];
  return {
    relief:
      terrain !== null && relief.isOn
        ? [
            {
              id: 'relief',
              type: 'raster',
              source: 'relief',
              paint: { 'raster-opacity': (tokens.reliefStrength * relief.opacity) / 100, 'raster-fade-duration': 0 },
            },
          ]
        : [],
    contours: hasContours
      ? [
          {
            id: 'contours',
            type: 'line',
            ...lines,
            layout: { 'line-join': 'round' },
            paint: {
              'line-color': ['case', ['get', 'is_bold'], tokens.contourBold, tokens.contour],
              'line-width': width([0.45, 0.65, 0.8], [0.7, 1.1, 1.4]),
              'line-opacity': ['case', ['get', 'is_bold'], bold * opacity, plain * opacity],
            },
          },
        ]
      : [],
    labels: hasContours
      ? [
          letters(tokens, {
            ...{
              id: 'contour-labels',
              source: 'contours',
              sourceLayer: 'contours',
              minzoom: 13,
              filter: ['get', 'is_bold'],
            },
            ...{ size: 9.5, color: tokens.contourLabel, font: 'Inter Variable', every: 420, halo: 1.6, opacity },
            isNameless: true,
            layout: {
              ...{ 'text-padding': 6, 'text-max-angle': 38 },
              // A thin space, for the reason of `letters`.
              'text-field': ['step', ['zoom'], feet, 14.5, ['concat', feet, '\u2009ft']],
            },
          }),
        ]
      : [],
  };
}

/** Feet between two contours; undefined where none are drawn. */
export function contourFeet({ terrain }: MapSources, zoom: number): number | undefined {
  if (!terrain) return undefined;
  const { intervals, minzoom, maxzoom } = terrain.contours;
  return intervals[Math.min(Math.floor(zoom), maxzoom) - minzoom];
}

/** `Contours every 20 ft`; null where none are drawn. */
export function contourWords(sources: MapSources, layers: MapMemory['layers'], zoom: number): string | null {
  const feet = groundChoice(layers, 'contours').isOn ? contourFeet(sources, zoom) : undefined;
  return feet === undefined ? null : `Contours every ${feet} ft`;
}
