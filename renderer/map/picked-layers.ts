/**
 * Outlines of the selection and of the parcel under the pointer. They have their own source: as lot states they would
 * need three more, mostly invisible lines around every lot, and pointer moves would resend whole tiles to the graphics
 * card.
 */
import type { FeatureCollection, MultiPolygon, Point } from 'geojson';
import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { Relation } from '../explore/detail/neighbours-tab.tsx';
import { textSize } from './map-letters.ts';
import type { MapTokens } from './map-tokens.ts';
import { lotsFrom } from './parcel-layers.ts';
import { photoInk } from './photo-ink.ts';

export const pickedSource = 'picked';

/** Lots of a list or card: neighbours by relation, those of one owner, and those of one who is perhaps the same. */
export type LotAs = Relation | 'own' | 'perhaps';
export type PickedAs = 'hover' | 'selected' | 'band' | LotAs;

/** A lot that a list or card shows on the map. */
export interface MapLot {
  /** Null: a mark alone. */
  readonly property_id: number | null;
  readonly as: LotAs;
  readonly place: readonly number[] | null;
  /** The number or letter in the list, in a disc at its place. */
  readonly mark?: string;
  /** Below the disc, where there is room. */
  readonly words?: string;
}

/** What lies within feet of the chosen parcel. */
export interface MapBand {
  readonly shape: MultiPolygon;
  readonly feet: number;
}

interface PickedProperties {
  readonly as: PickedAs;
  /** Only points have them. */
  readonly mark?: string;
  readonly words?: string;
}

/** Outlined shapes; each id is its property_id. */
export type Picked = FeatureCollection<MultiPolygon | Point, PickedProperties>;

const nothingPicked: Picked = { type: 'FeatureCollection', features: [] };

/** Keeps all corners: the outline lies exactly on the lot's line. */
export const pickedSpecification: SourceSpecification = { type: 'geojson', data: nothingPicked, tolerance: 0 };

export function pickedLayers(tokens: MapTokens): LayerSpecification[] {
  const [select, casing] = tokens.isOutdoor ? [4, 12] : tokens.isOverPhoto ? [3.4, 6.5] : [3.5, 8];
  const line = (id: string, as: PickedAs, color: string, width: number): LayerSpecification => ({
    id,
    type: 'line',
    source: pickedSource,
    // Below, selected lots are spots with thin lines; the one under the pointer is not known.
    minzoom: as === 'hover' ? lotsFrom : 0,
    filter: ['==', ['get', 'as'], as] as ExpressionSpecification,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': color, 'line-width': ['step', ['zoom'], width / 2.5, lotsFrom, width] },
  });
  return [
    ...neighbourFills(tokens),
    ...(tokens.isOverPhoto
      ? [
          { ...lightFill, paint: { 'fill-color': photoInk.line, 'fill-opacity': 0.12 } },
          line('lot-hover-edge', 'hover', photoInk.casing, 5),
          line('lot-edge', 'selected', photoInk.selectEdge, casing + 2.5),
        ]
      : []),
    line('lot-hover', 'hover', tokens.hover, 2),
    line('lot-casing', 'selected', tokens.selectCasing, casing),
    line('lot-select', 'selected', tokens.select, select),
  ];
}

const lightFill = {
  ...{ id: 'lot-light', type: 'fill' as const, source: pickedSource },
  filter: ['==', ['get', 'as'], 'selected'] as ExpressionSpecification,
};

const byRelation = <Value>(abutting: Value, across: Value, within: Value) =>
  [
    'match',
    ['get', 'as'],
    ['abutting', 'own'],
    abutting,
    'across',
    across,
    within,
  ] as unknown as ExpressionSpecification;
const as = (...given: readonly PickedAs[]): ExpressionSpecification => ['in', ['get', 'as'], ['literal', [...given]]];
const isNeighbour = as('abutting', 'across', 'within');
const isOwned = as('own', 'perhaps');

/** Land of an owner lies far apart: its marks are seen from afar. */
const from = (property: string, zoom: number): ExpressionSpecification => [
  'all',
  ['has', property],
  ['any', isOwned, ['>=', ['zoom'], zoom]],
];

const neighbourFills = (tokens: MapTokens): LayerSpecification[] => [
  {
    id: 'neighbour-fill',
    type: 'fill',
    source: pickedSource,
    filter: isNeighbour,
    paint: { 'fill-color': tokens.matchLine, 'fill-opacity': byRelation(0.2, 0.1, 0.04) },
  },
  {
    id: 'neighbour-line',
    type: 'line',
    source: pickedSource,
    filter: isNeighbour,
    paint: { 'line-color': tokens.matchLine, 'line-width': byRelation(1.6, 1.2, 0.8) },
  },
  {
    id: 'band-fill',
    type: 'fill',
    source: pickedSource,
    filter: as('band'),
    paint: { 'fill-color': tokens.select, 'fill-opacity': 0.16 },
  },
  {
    id: 'band-line',
    type: 'line',
    source: pickedSource,
    filter: as('band'),
    paint: { 'line-color': tokens.select, 'line-width': tokens.isOutdoor ? 2.5 : 1, 'line-dasharray': [4, 3] },
  },
  {
    id: 'owner-fill',
    type: 'fill',
    source: pickedSource,
    filter: isOwned,
    paint: { 'fill-color': byRelation(tokens.select, tokens.select, tokens.matchLine), 'fill-opacity': 0.22 },
  },
  {
    id: 'owner-line',
    type: 'line',
    source: pickedSource,
    filter: as('own'),
    paint: { 'line-color': tokens.select, 'line-width': 2 },
  },
  {
    id: 'perhaps-line',
    type: 'line',
    source: pickedSource,
    filter: as('perhaps'),
    paint: { 'line-color': tokens.matchLine, 'line-width': 2, 'line-dasharray': [3, 2] },
  },
];

/** Of large lots the numbers stand apart a little sooner than lines are drawn; below, they would lie on each other. */
const numbersFrom = lotsFrom - 1;

/** The numbers of the list, each with its owner where there is room. */
export const neighbourNames = (tokens: MapTokens): LayerSpecification[] => [
  {
    id: 'neighbour-disc',
    type: 'circle',
    source: pickedSource,
    filter: from('mark', numbersFrom),
    paint: {
      'circle-radius': tokens.isOutdoor ? 13 : 10,
      'circle-color': byRelation(tokens.text, tokens.halo, tokens.halo),
      'circle-stroke-color': byRelation(tokens.halo, tokens.text, tokens.quiet),
      'circle-stroke-width': byRelation(1.5, 2, 1),
    },
  },
  {
    id: 'neighbour-number',
    type: 'symbol',
    source: pickedSource,
    filter: from('mark', numbersFrom),
    layout: {
      'text-field': ['get', 'mark'],
      'text-font': ['Platbook Map Semibold'],
      'text-size': textSize(tokens, 12, 11, 18, 12),
      'text-allow-overlap': true,
    },
    paint: { 'text-color': byRelation(tokens.halo, tokens.text, tokens.text) },
  },
  {
    id: 'neighbour-owner',
    type: 'symbol',
    source: pickedSource,
    filter: from('words', lotsFrom),
    layout: {
      'text-field': ['get', 'words'],
      'text-font': ['Inter Variable'],
      'text-size': textSize(tokens, 12, 10, 18, 13),
      'text-anchor': 'top',
      'text-offset': [0, 1.3],
      'text-max-width': 9,
    },
    paint: { 'text-color': tokens.label, 'text-halo-color': tokens.halo, 'text-halo-width': 2 },
  },
];
