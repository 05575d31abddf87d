/**
 * The roles of the ground, as the design draws them: what a role looks like, for any source. The user's layers and base
 * maps say which of their features have which role.
 */
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { mapZooms } from '../../engine/spec/map-zooms.ts';
import { type Letters, letters, textSize } from './map-letters.ts';
import type { Placed, Slot } from './map-slots.ts';
import type { MapTokens } from './map-tokens.ts';

/** Where the features of a role are, and how strongly they are drawn. */
export interface RoleSource {
  /** Id of the layer in the style. */
  readonly id: string;
  readonly source: string;
  readonly sourceLayer: string;
  /** The layer of the tile with joined lines and points for letters. */
  readonly namesLayer: string;
  readonly filter?: ExpressionSpecification;
  /** Text of a letter. */
  readonly name: ExpressionSpecification;
  /** `river`, `summit`, a stream's order, a road's class; default: the attribute `class`. */
  readonly featureClass?: ExpressionSpecification;
  /** Height of a summit; default: the attribute `ft`. */
  readonly feet?: ExpressionSpecification;
  /** 0 to 1 */
  readonly opacity: number;
  readonly tokens: MapTokens;
}

/** Exponential between zooms. */
export const byZoom = (...stops: readonly unknown[]): ExpressionSpecification =>
  ['interpolate', ['exponential', 1.5], ['zoom'], ...stops] as unknown as ExpressionSpecification;

export const all = (...tests: readonly (ExpressionSpecification | undefined)[]): ExpressionSpecification =>
  ['all', ...tests.filter((one) => one !== undefined)] as unknown as ExpressionSpecification;

export const isShape = (kind: 'Polygon' | 'LineString' | 'Point'): ExpressionSpecification => [
  '==',
  ['geometry-type'],
  kind,
];

type Part = Omit<LayerSpecification, 'id' | 'source' | 'source-layer'> & { readonly of: string };

function draw(from: RoleSource, slot: Slot, { of, ...rest }: Part): Placed {
  const { id, source, sourceLayer, filter } = from;
  const own = (rest as { filter?: ExpressionSpecification }).filter;
  const layer = { ...rest, id: `${id}-${of}`, source, 'source-layer': sourceLayer, filter: all(filter, own) };
  return { slot, layer: layer as LayerSpecification };
}

function letter(from: RoleSource, slot: Slot, more: Omit<Letters, 'id' | 'source' | 'opacity'>): Placed {
  const { id, source, namesLayer, filter, name, opacity, tokens } = from;
  const layer = letters(tokens, {
    ...{ text: name, sourceLayer: namesLayer, ...more },
    ...{ id: `${id}-${slot}`, source, opacity, filter: all(filter, more.filter) },
  });
  return { slot, layer };
}

const round = { 'line-join': 'round', 'line-cap': 'round' } as const;

/** Ground of one color, below the fill of the lots. */
export const groundArea = (from: RoleSource, color: string): Placed[] => [
  draw(from, 'woods', {
    ...{ of: 'area', type: 'fill', filter: isShape('Polygon') },
    paint: { 'fill-color': color, 'fill-opacity': from.opacity, 'fill-antialias': false },
  }),
];

export const wetlands = (from: RoleSource): Placed[] => [
  draw(from, 'wet', {
    ...{ of: 'marks', type: 'fill', minzoom: 11, filter: isShape('Polygon') },
    paint: { 'fill-pattern': 'wet', 'fill-opacity': 0.75 * from.opacity },
  }),
];

export const floodZones = (from: RoleSource): Placed[] => [
  draw(from, 'flood', {
    ...{ of: 'area', type: 'fill', filter: isShape('Polygon') },
    paint: { 'fill-pattern': 'flood', 'fill-opacity': 0.8 * from.opacity },
  }),
  draw(from, 'flood', {
    ...{ of: 'edge', type: 'line', layout: round },
    paint: {
      'line-color': from.tokens.flood,
      'line-width': 1.2,
      'line-opacity': from.opacity,
      'line-dasharray': [4, 2],
    },
  }),
];

/** A band inside the edge: exteriors run clockwise, so that their right is inside. */
export const publicLand = (from: RoleSource): Placed[] => [
  draw(from, 'public', {
    ...{ of: 'band', type: 'line', layout: round, filter: isShape('Polygon') },
    paint: {
      'line-color': from.tokens.public,
      'line-width': byZoom(10, 2, 13, 5, 16, 8),
      'line-offset': byZoom(10, 1, 13, 2.5, 16, 4),
      'line-opacity': 0.4 * from.opacity,
    },
  }),
  letter(from, 'publicNames', {
    ...{ minzoom: mapZooms.publicNames, filter: isShape('Point'), size: 10.5, color: from.tokens.publicLabel },
    ...{ font: 'Platbook Map Medium', spacing: 0.08 },
    layout: { 'text-max-width': 9, 'text-transform': 'uppercase' },
  }),
];

export const classOf = ({ featureClass }: RoleSource): ExpressionSpecification => featureClass ?? ['get', 'class'];

const isClass = (from: RoleSource, name: string): ExpressionSpecification => ['==', classOf(from), name];

/** Areas of water; also lines that a file of water has. */
export const water = (from: RoleSource): Placed[] => [
  draw(from, 'water', {
    ...{ of: 'area', type: 'fill', filter: isShape('Polygon') },
    paint: { 'fill-color': from.tokens.water, 'fill-opacity': from.opacity },
  }),
  draw(from, 'water', {
    ...{ of: 'edge', type: 'line', layout: round },
    paint: {
      'line-color': from.tokens.waterLine,
      'line-width': byZoom(10, 0.4, 12, 0.7, 14, 0.9, 16, 1.2),
      'line-opacity': from.opacity,
    },
  }),
  letter(from, 'waterNames', {
    ...{ minzoom: mapZooms.waterNames, filter: isShape('Point'), size: 11.5 },
    ...{ color: from.tokens.waterLabel, font: 'Platbook Map Italic', spacing: 0.04 },
    layout: { 'text-max-width': 6 },
  }),
  letter(from, 'riverNames', {
    ...riverLetters(from.tokens),
    filter: all(isShape('LineString'), isClass(from, 'river')),
  }),
];

const riverLetters = (tokens: MapTokens): Omit<Letters, 'id' | 'source' | 'opacity' | 'filter'> => ({
  ...{ minzoom: mapZooms.riverNames, size: textSize(tokens, 11, 11, 13, 13.5, 16, 18), color: tokens.waterLabel },
  ...{ font: 'Platbook Map Italic', spacing: 0.18, every: 520 },
  layout: { 'text-max-angle': 40, 'text-offset': [0, -0.9] },
});

const isNamedRiver: ExpressionSpecification = ['in', 'River', ['coalesce', ['get', 'name'], '']];

/** As wide as Strahler's order, 1 without one. */
export function streams(from: RoleSource): Placed[] {
  const width: ExpressionSpecification = ['max', 1, ['to-number', classOf(from), 1]];
  return [
    draw(from, 'streams', {
      ...{ of: 'line', type: 'line', layout: round, minzoom: mapZooms.streams },
      paint: {
        'line-color': from.tokens.waterLine,
        'line-width': byZoom(
          ...[11, ['*', 0.35, width], 14, ['+', 0.5, ['*', 0.5, width]], 17, ['+', 1.2, ['*', 0.9, width]]],
        ),
        'line-opacity': from.opacity,
      },
    }),
    letter(from, 'streamNames', {
      ...{ minzoom: mapZooms.streamNames, filter: all(isShape('LineString'), ['!', isNamedRiver]) },
      ...{ size: textSize(from.tokens, 12, 10, 16, 12.5), color: from.tokens.waterLabel },
      ...{ font: 'Platbook Map Italic', spacing: 0.06, every: 320 },
      layout: { 'text-max-angle': 35, 'text-offset': [0, -0.7] },
    }),
    letter(from, 'riverNames', {
      ...riverLetters(from.tokens),
      filter: all(isShape('LineString'), isNamedRiver),
    }),
  ];
}

export const rails = (from: RoleSource): Placed[] => [
  draw(from, 'rails', {
    ...{ of: 'line', type: 'line', minzoom: 10 },
    paint: {
      'line-color': from.tokens.rail,
      'line-width': byZoom(10, 0.6, 14, 1, 17, 1.8),
      'line-opacity': from.opacity,
    },
  }),
  draw(from, 'rails', {
    ...{ of: 'ties', type: 'line', minzoom: 12 },
    paint: {
      'line-color': from.tokens.rail,
      'line-width': byZoom(12, 3, 14, 4.5, 17, 8),
      'line-dasharray': [0.25, 2.5],
      'line-opacity': from.opacity,
    },
  }),
];

export const buildings = (from: RoleSource): Placed[] => [
  draw(from, 'buildings', {
    ...{ of: 'area', type: 'fill', minzoom: mapZooms.buildings, filter: isShape('Polygon') },
    paint: {
      'fill-color': from.tokens.building,
      'fill-opacity': [
        'interpolate',
        ['linear'],
        ['zoom'],
        mapZooms.buildings,
        0,
        mapZooms.buildings + 0.7,
        from.opacity,
      ],
    },
  }),
];

/** Towns and villages, and summits with their height. */
export function places(from: RoleSource): Placed[] {
  const { tokens, feet = ['get', 'ft'] } = from;
  const [isSummit, isTown] = [isClass(from, 'summit'), isClass(from, 'town')];
  const points = { ...from, namesLayer: from.sourceLayer };
  const height: ExpressionSpecification = ['number-format', feet, { locale: 'en-US' }];
  const name: ExpressionSpecification = ['coalesce', ['get', 'name'], ''];
  // Some files say the height in the name.
  const says: ExpressionSpecification = ['any', ['!=', ['typeof', feet], 'number'], ['in', ' ft', name]];
  return [
    letter(
      { ...points, name: ['case', says, name, ['has', 'name'], ['concat', name, '\n', height], height] },
      'summits',
      {
        ...{ minzoom: mapZooms.summits, filter: all(isShape('Point'), isSummit), size: 10, color: tokens.summit },
        ...{ font: 'Inter Variable', isNameless: true },
        layout: {
          ...{ 'icon-image': 'summit', 'text-anchor': 'bottom', 'text-offset': [0, -0.5] },
          ...{ 'symbol-sort-key': ['-', 0, ['coalesce', feet, 0]] },
        },
      },
    ),
    letter(points, 'towns', {
      ...{ minzoom: mapZooms.places, maxzoom: 16, filter: all(isShape('Point'), ['!', isSummit]) },
      size: textSize(tokens, 10, ['case', isTown, 13, 11], 14, ['case', isTown, 19, 15]),
      ...{ color: tokens.place, font: 'Platbook Map Semibold', spacing: 0.02, halo: 2 },
      layout: { 'text-padding': 6, 'symbol-sort-key': ['case', isTown, 0, 1] },
    }),
  ];
}

/** A layer of the user's own color; gray without one. */
export function plain(from: RoleSource, color: string | null): Placed[] {
  const ink = color ?? from.tokens.quiet;
  return [
    draw(from, 'plain', {
      ...{ of: 'area', type: 'fill', filter: isShape('Polygon') },
      paint: { 'fill-color': ink, 'fill-opacity': 0.18 * from.opacity, 'fill-antialias': false },
    }),
    draw(from, 'plain', {
      ...{ of: 'line', type: 'line', layout: round },
      paint: { 'line-color': ink, 'line-width': 1.5, 'line-opacity': from.opacity },
    }),
    draw(from, 'plain', {
      ...{ of: 'point', type: 'circle', filter: isShape('Point') },
      paint: {
        'circle-radius': 4,
        'circle-color': ink,
        'circle-opacity': from.opacity,
        'circle-stroke-color': from.tokens.halo,
        'circle-stroke-width': 1,
      },
    }),
    letter(from, 'publicNames', {
      ...{ minzoom: 12, filter: isShape('Point'), size: 11, color: from.tokens.label, font: 'Inter Variable' },
      layout: { 'text-max-width': 9 },
    }),
  ];
}

/**
 * The public land survey, in the red of printed plats: townships bolder, sections thin with their numbers, all under the lots' lines and lighter, parts of sections
 * dashed. A place begins with what it is: `T5N R3W`, `S12 T5N R3W`, `NE¼, S12 …`.
 */
export function survey(from: RoleSource): Placed[] {
  const place = ['coalesce', classOf(from), ''] as const satisfies ExpressionSpecification;
  const begins = (letter: string): ExpressionSpecification => ['==', ['slice', place, 0, 1], letter];
  const isTownship = begins('T');
  // `SE¼, S12 …` begins with an S too.
  const isSection = all(begins('S'), ['in', ['slice', place, 1, 2], '123456789']);
  const line = (of: string, minzoom: number, filter: ExpressionSpecification, paint: object): Placed =>
    draw(from, 'survey', {
      ...{ of, type: 'line', layout: round, minzoom, filter: all(isShape('Polygon'), filter) },
      paint: { 'line-color': from.tokens.survey, ...paint },
    } as Part);
  const number = { font: 'Platbook Map Medium', color: from.tokens.survey, filter: isShape('Point') } as const;
  return [
    line('parts', mapZooms.sectionParts, all(['!', isTownship], ['!', isSection]), {
      ...{ 'line-width': 0.6, 'line-opacity': 0.5 * from.opacity, 'line-dasharray': [3, 3] },
    }),
    line('sections', mapZooms.sections, isSection, {
      'line-width': byZoom(11, 0.4, 14, 0.7, 17, 1.1),
      'line-opacity': 0.55 * from.opacity,
    }),
    line('townships', mapZooms.townships, isTownship, {
      'line-width': byZoom(8, 0.8, 12, 1.4, 15, 2),
      'line-opacity': 0.65 * from.opacity,
    }),
    letter(from, 'sectionNumbers', {
      ...{ ...number, minzoom: mapZooms.sectionNumbers, filter: all(number.filter, isSection) },
      size: textSize(from.tokens, 12, 11, 15, 18),
    }),
    letter(from, 'townshipNames', {
      ...{ ...number, minzoom: mapZooms.townships, maxzoom: mapZooms.sectionNumbers + 1 },
      ...{ filter: all(number.filter, isTownship), size: textSize(from.tokens, 9, 11, 13, 15) },
      ...{ font: 'Platbook Map Semibold', spacing: 0.04, halo: 2 },
    }),
  ];
}

/** Dashes: borders of districts. */
export const dashed = (from: RoleSource): Placed[] => [
  draw(from, 'plain', {
    ...{ of: 'line', type: 'line' },
    paint: {
      'line-color': from.tokens.quiet,
      'line-width': 1.5,
      'line-opacity': from.opacity,
      'line-dasharray': [4, 2],
    },
  }),
];
