/**
 * Lots, their fill and lines, and their labels. Changes while the user looks (match, tag, the selected label) are
 * feature-state only, so no tile is rebuilt; for outlines of the selection see picked-layers.ts.
 */
import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import { mapZooms } from '../../engine/spec/map-zooms.ts';
import { type Fill, fillExpression } from './fills.ts';
import type { LabelName } from './map-state.ts';
import type { MapTokens } from './map-tokens.ts';
import { photoInk } from './photo-ink.ts';
import { acreLabel, type UnitSystem } from './units.ts';

/** First zoom with lots; below is the density grid. */
export const lotsFrom = 12;
/** First zoom with labels. */
export const labelsFrom = mapZooms.lotLabels;
/** Deepest zoom from the engine; beyond it, tiles are enlarged. */
export const deepestTile = 16;

export const parcelSource = 'parcels';

/** Names of the states set on lots and labels. */
export interface LotState {
  readonly match?: boolean;
  /** On labels. */
  readonly selected?: boolean;
  /** Class of the fill, on labels: 0 to 4. */
  readonly step?: number;
  /** Class of the lot's tag, 0 to 4; -1: none. */
  readonly tag?: number;
}

export interface ParcelLook {
  readonly tokens: MapTokens;
  readonly fill: Fill;
  readonly limits: readonly number[];
  /** `named`: APN and owner of every lot, in Field mode, which has no search. */
  readonly label: LabelName | 'named';
  readonly units: UnitSystem;
  /** Opacity of the lots' fill, 0 to 1, as the user chose it. */
  readonly opacity: number;
  /** Whether something lies below that an unmatched lot must not hide. */
  readonly isClear: boolean;
}

const is = (name: keyof LotState): ExpressionSpecification => ['boolean', ['feature-state', name], false];

const when = (test: ExpressionSpecification, yes: unknown, no: unknown): ExpressionSpecification =>
  ['case', test, yes, no] as ExpressionSpecification;

const lots = { source: parcelSource, 'source-layer': 'parcels', minzoom: lotsFrom } as const;

const hatchLayer = (attribute: string, opacity: number): LayerSpecification => ({
  id: 'lot-hatch',
  type: 'fill',
  ...lots,
  filter: ['!', ['has', attribute]],
  paint: { 'fill-pattern': 'hatch', 'fill-opacity': when(is('match'), opacity, 0) },
});

/** The ground of lots, below everything: an invented county has no outline to fill. Without anything on it, their fill is. */
export const lotGround = (tokens: MapTokens): LayerSpecification => ({
  ...{ id: 'lot-ground', type: 'fill', ...lots },
  // Lots touch: smooth edges would be drawn one by one and change nothing.
  paint: { 'fill-color': tokens.lot, 'fill-antialias': false },
});

/** What lies on the ground shows through the fill, and as it is where no lot matches. */
export function lotLayers({ tokens, fill, limits, opacity: chosen, isClear }: ParcelLook): LayerSpecification[] {
  const opacity = chosen * tokens.lotOpacity;
  const known = fillExpression(fill, limits, tokens.ramp, tokens.lot);
  const hasTag: ExpressionSpecification = ['>=', ['number', ['feature-state', 'tag'], -1], 0];
  // A lot without a tag does not count as unknown: it stays unfilled like an unmatched one.
  const isFilled: ExpressionSpecification = fill.kind === 'tag' ? ['all', is('match'), hasTag] : is('match');
  return [
    {
      id: 'lot-fill',
      type: 'fill',
      ...lots,
      paint: {
        'fill-color': when(isFilled, known, tokens.lot),
        'fill-opacity': when(isFilled, opacity, isClear ? 0 : 1),
      },
    },
    ...(fill.kind === 'tag' ? [] : [hatchLayer(fill.attribute, opacity)]),
    {
      id: 'lot-line',
      type: 'line',
      ...lots,
      // No round joins: a line is a pixel wide, so that more than twice as many triangles would not be seen.
      paint: {
        'line-color': when(is('match'), tokens.matchLine, tokens.line),
        'line-width': ['interpolate', ['exponential', 1.5], ['zoom'], 12, 0.35, 14, 0.8, 16, 1.2],
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 12, 0.45, 15, 1],
      },
    },
  ];
}

/** Lots over a photo: light lines between dark edges, those found wider; the fill is there for the pointer alone. */
export function lotsOver(tokens: MapTokens, hasLines: boolean): LayerSpecification[] {
  const wider = tokens.isOutdoor ? 1.6 : 1;
  const width = (more: number): ExpressionSpecification => {
    const stops = photoInk.lotWidths.flatMap(([zoom, found, other]) => [
      zoom,
      when(is('match'), found * wider + more, other * wider + more),
    ]);
    return ['interpolate', ['linear'], ['zoom'], ...stops] as unknown as ExpressionSpecification;
  };
  const line = (id: string, color: string, more: number, opacity: number): LayerSpecification => ({
    id,
    type: 'line',
    ...lots,
    paint: { 'line-color': color, 'line-width': width(more), 'line-opacity': opacity },
  });
  const fill: LayerSpecification = { id: 'lot-fill', type: 'fill', ...lots, paint: { 'fill-opacity': 0 } };
  if (!hasLines) return [fill];
  return [
    fill,
    line('lot-line-edge', photoInk.casing, photoInk.casingWidth * wider, photoInk.casingOpacity),
    line('lot-line', tokens.line, 0, 1),
  ];
}

/** The lines of a label, and its width in ems. */
interface LabelText {
  readonly lines: readonly ExpressionSpecification[];
  readonly ems: number;
  readonly has: readonly string[];
  /** Its lines break between words beyond this width in ems; absent: never. */
  readonly wrapEms?: number;
}

const text = (attribute: string): ExpressionSpecification => ['to-string', ['get', attribute]];

function acres(units: UnitSystem, digits?: number): ExpressionSpecification {
  const label = acreLabel(units);
  const shown = digits === undefined || label.unit === 'sq ft' ? label.digits : digits;
  return [
    'concat',
    [
      'number-format',
      ['*', ['to-number', ['get', 'acres']], label.factor],
      { locale: 'en-US', 'min-fraction-digits': shown, 'max-fraction-digits': shown },
    ],
    ` ${label.unit}`,
  ];
}

function labelText(label: ParcelLook['label'], units: UnitSystem): LabelText | null {
  if (label === 'none') return null;
  if (label === 'acres') return { lines: [acres(units)], ems: 0.56, has: ['acres'] };
  const owner = { ems: 0.68, wrapEms: 10 };
  if (label === 'owner') return { ...owner, lines: [text('owner')], has: ['owner'] };
  if (label === 'named') return { ...owner, lines: [text('apn'), text('owner')], has: ['apn', 'owner'] };
  return { lines: [text(label)], ems: 0.6, has: [label] };
}

/** True where the lines fit into the largest upright box inside the lot, at the integer zoom below. */
function fits({ lines, ems, wrapEms }: LabelText, fontSize: number): ExpressionSpecification {
  // 8 tile units are a pixel; beyond the deepest tile each zoom doubles it.
  const pixels = (side: 'width' | 'height'): ExpressionSpecification => [
    '*',
    ['/', ['coalesce', ['get', side], 0], 8],
    ['^', 2, ['-', ['max', ['zoom'], deepestTile], deepestTile]],
  ];
  const widths = lines.map((line) => ['*', ['length', line], ems]);
  const width = ['min', ['max', ...widths], wrapEms ?? 1000] as unknown as ExpressionSpecification;
  // Words seldom fill a line.
  const wrapped = (line: unknown) => ['ceil', ['/', line, (wrapEms ?? 1000) * 0.85]];
  const count = (wrapEms ? ['+', 0, ...widths.map(wrapped)] : lines.length) as unknown as ExpressionSpecification;
  return [
    'all',
    ['>=', pixels('width'), ['+', 6, ['*', width, fontSize]]],
    ['>=', pixels('height'), ['+', 2, ['*', count, fontSize * 1.25]]],
  ];
}

const hasAll = ({ has }: LabelText): ExpressionSpecification[] => has.map((name) => ['has', name]);

export function labelLayers({ tokens, fill, label, units }: ParcelLook): LayerSpecification[] {
  const size = (tokens.isOutdoor ? 12 : 10.5) * (tokens.rem / (tokens.isOutdoor ? 18 : 16));
  const halo = tokens.isOutdoor || tokens.isOverPhoto ? 2 : 1.2;
  const plain = labelText(label, units);
  const oneLine: LabelText = { lines: [text('apn')], ems: 0.62, has: ['apn'] };
  const twoLines: LabelText = { lines: [text('apn'), acres(units, 2)], ems: 0.62, has: ['apn', 'acres'] };
  const state: keyof LotState = fill.kind === 'tag' ? 'tag' : 'step';
  const ofClass = (colors: readonly string[], other: string) => [
    'match',
    ['feature-state', state],
    ...colors.flatMap((color, i) => [i, color]),
    other,
  ];
  const layer = (id: string, shown: LabelText, rest: ExpressionSpecification[], isSelected: boolean) =>
    ({
      id,
      type: 'symbol',
      source: parcelSource,
      'source-layer': 'labels',
      minzoom: labelsFrom,
      filter: ['all', ...hasAll(shown), fits(shown, size), ...rest] as FilterSpecification,
      layout: {
        'text-field': shown.lines.length === 1 ? shown.lines[0] : ['concat', shown.lines[0], '\n', shown.lines[1]],
        'text-font': [
          isSelected ? 'Platbook Map Semibold' : tokens.isOutdoor ? 'Platbook Map Medium' : 'Inter Variable',
        ],
        'text-size': size,
        'text-line-height': 1.25,
        'text-max-width': shown.wrapEms ?? 100,
        'text-padding': 0,
        // The selected lot's own label exists for every lot and is visible for one.
        'text-allow-overlap': isSelected,
        'text-ignore-placement': isSelected,
      },
      paint: {
        // An unmatched lot is unfilled, whatever its class.
        'text-color': when(is('match'), ofClass(tokens.rampInk, tokens.label), tokens.label),
        // In the color of the lot: seen only where a building stands behind the letters.
        'text-halo-color': when(is('match'), ofClass(tokens.ramp, tokens.lot), tokens.lot),
        'text-halo-width': halo,
        'text-opacity': isSelected
          ? when(is('selected'), 1, 0)
          : when(label === 'named' ? ['!', is('selected')] : ['all', is('match'), ['!', is('selected')]], 1, 0),
      },
    }) as unknown as LayerSpecification;
  return [
    ...(plain ? [layer('lot-label', plain, [], false)] : []),
    layer('lot-label-selected', twoLines, [], true),
    layer('lot-label-selected-short', oneLine, [['!', fits(twoLines, size)]], true),
  ];
}

/** Opacity of cells without matches: they are land too, not holes. Shared with the legend's swatch. */
export const noneOpacity = 0.3;

/** Below the lots, before the first search: the darker, the more lots in a cell. */
export const lotDensity = ({ tokens, opacity }: ParcelLook): LayerSpecification => ({
  id: 'lot-density',
  type: 'fill',
  source: parcelSource,
  'source-layer': 'density',
  maxzoom: lotsFrom,
  paint: {
    'fill-color': tokens.ramp[2] as string,
    // Each doubling is a step: a cell far out has four times as many lots as one of the next zoom.
    'fill-opacity': [
      ...['interpolate', ['linear'], ['log2', ['max', 1, ['get', 'count']]]],
      ...[0, 0.12 * opacity, 10, 0.9 * opacity],
    ] as unknown as ExpressionSpecification,
    'fill-antialias': false,
  },
});

/** Below the lots: the number of parcels in each cell, then of matches once known. */
export function densityLayers({ tokens, opacity }: ParcelLook, limits: readonly number[]): LayerSpecification[] {
  const count: ExpressionSpecification = ['number', ['feature-state', 'count'], 0];
  const steps = limits.flatMap((limit, i) => [limit, tokens.ramp[Math.min(4, i + 1)]]);
  const color = ['step', count, tokens.ramp[0], ...steps] as unknown as ExpressionSpecification;
  return [
    {
      id: 'density',
      type: 'fill',
      source: parcelSource,
      'source-layer': 'density',
      maxzoom: lotsFrom,
      paint: {
        'fill-color': limits.length === 0 ? (tokens.ramp[2] as string) : color,
        'fill-opacity': when(['>', count, 0], 0.9 * opacity, noneOpacity * opacity),
        'fill-antialias': false,
      },
    },
  ];
}
