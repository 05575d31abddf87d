/** Dots of the matches, over everything but letters and marks. */
import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { MapTokens } from './map-tokens.ts';
import { lotsFrom } from './parcel-layers.ts';
import type { Dots } from './use-match-dots.ts';

const id = 'match-dots';

export const dotSources = (dots: Dots | null): Record<string, SourceSpecification> =>
  dots === null
    ? {}
    : { [id]: { type: 'geojson', data: { type: 'MultiPoint', coordinates: dots.map((at) => [...at]) } } };

export const dotLayers = (dots: Dots | null, tokens: MapTokens): LayerSpecification[] =>
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
