/** Letters of the ground: one way to write them, with the sizes of the theme. */
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { MapTokens } from './map-tokens.ts';

export interface Letters {
  readonly id: string;
  readonly source: string;
  readonly sourceLayer?: string;
  readonly minzoom: number;
  readonly maxzoom?: number;
  readonly filter: ExpressionSpecification;
  readonly text?: ExpressionSpecification;
  /** In pixels of the light theme, or a result of `textSize`. */
  readonly size: number | ExpressionSpecification;
  readonly color: string;
  /** Weight and slant follow the family's name. */
  readonly font: 'Inter Variable' | 'Platbook Map Italic' | 'Platbook Map Medium' | 'Platbook Map Semibold';
  /** In ems. */
  readonly spacing?: number;
  /** Pixels from one to the next along a line; absent: at points. */
  readonly every?: number;
  /** Pixels around the letters in the light theme. */
  readonly halo?: number;
  /** Whether features without a name have letters too. */
  readonly isNameless?: boolean;
  readonly layout?: Readonly<Record<string, unknown>>;
  readonly opacity: number;
}

/** Outdoors letters are larger, and everywhere as large as the user's text. */
const scaleOf = ({ isOutdoor, rem }: MapTokens): number => (isOutdoor ? 1.22 * (rem / 18) : rem / 16);

/** @param stops zoom, pixels of the light theme, zoom … */
export function textSize(tokens: MapTokens, ...stops: readonly unknown[]): ExpressionSpecification {
  const scale = scaleOf(tokens);
  const sized = stops.map((stop, i) =>
    i % 2 === 0 ? stop : typeof stop === 'number' ? stop * scale : ['*', scale, stop],
  );
  return ['interpolate', ['exponential', 1.5], ['zoom'], ...sized] as unknown as ExpressionSpecification;
}

/**
 * Spaces of .18 em instead of .28: the halos of the letters on both sides of one meet, and the line that a name stands on
 * does not show as a dot between its words.
 */
const thinSpaced = (text: ExpressionSpecification): ExpressionSpecification =>
  ['join', ['split', ['to-string', text], ' '], '\u2009'] as unknown as ExpressionSpecification;

export function letters(tokens: MapTokens, given: Letters): LayerSpecification {
  const { id, source, sourceLayer, minzoom, maxzoom, filter, text = ['get', 'name'], size, every } = given;
  const halo = (given.halo ?? 1.5) * (tokens.isOutdoor ? 1.8 : tokens.isOverPhoto ? 1.3 : 1);
  return {
    ...{ id, type: 'symbol', source, minzoom },
    ...(sourceLayer === undefined ? {} : { 'source-layer': sourceLayer }),
    ...(maxzoom === undefined ? {} : { maxzoom }),
    filter: given.isNameless ? filter : ['all', filter, ['!=', ['coalesce', text, ''], '']],
    layout: {
      ...(every === undefined ? {} : { 'symbol-placement': 'line', 'symbol-spacing': every }),
      'text-field': every === undefined ? text : thinSpaced(text),
      'text-font': [given.font],
      'text-size': typeof size === 'number' ? size * scaleOf(tokens) : size,
      ...(given.spacing === undefined ? {} : { 'text-letter-spacing': given.spacing }),
      ...given.layout,
    },
    paint: {
      'text-color': given.color,
      'text-halo-color': tokens.halo,
      'text-halo-width': halo,
      'text-opacity': given.opacity,
      ...(given.layout?.['icon-image'] ? { 'icon-opacity': given.opacity } : {}),
    },
  } as unknown as LayerSpecification;
}
