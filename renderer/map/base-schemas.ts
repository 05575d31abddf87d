/**
 * Vector base maps of the two usual schemas, drawn as the roles of the ground with their letters: Protomaps
 * (https://docs.protomaps.com/basemaps/layers) and OpenMapTiles (https://openmaptiles.org/schema). A row says which of a
 * layer's features have a role.
 */
import type { ExpressionSpecification } from 'maplibre-gl';
import {
  buildings,
  dashed,
  groundArea,
  places,
  publicLand,
  type RoleSource,
  rails,
  streams,
  water,
  wetlands,
} from './ground-roles.ts';
import type { Placed } from './map-slots.ts';
import { type RoadSource, roads } from './road-layers.ts';

interface SchemaRow {
  readonly layer: string;
  readonly draw: (from: RoadSource) => Placed[];
  readonly filter?: ExpressionSpecification;
  /** The layer with the letters; absent: the layer itself. */
  readonly names?: string;
  readonly featureClass?: ExpressionSpecification;
  readonly feet?: ExpressionSpecification;
  readonly ref?: ExpressionSpecification;
}

/** Features whose attribute has one of these values. */
const oneOf =
  (attribute: string) =>
  (...values: readonly string[]): ExpressionSpecification => [
    'in',
    ['coalesce', ['get', attribute], ''],
    ['literal', [...values]],
  ];

/** A class by the values of an attribute; the last is for all others. */
function byValue(
  attribute: string,
  classes: Readonly<Record<string, readonly string[]>>,
  other: string,
): ExpressionSpecification {
  const pairs = Object.entries(classes).flatMap(([name, values]) => [[...values], name]);
  return ['match', ['coalesce', ['get', attribute], ''], ...pairs, other] as unknown as ExpressionSpecification;
}

const text = (attribute: string): ExpressionSpecification => ['to-string', ['get', attribute]];
const woods = (from: RoleSource) => groundArea(from, from.tokens.woods);
const earth = (from: RoleSource): Placed[] =>
  groundArea(from, from.tokens.lot).map(({ layer }) => ({ slot: 'ground', layer }));

const feetOf = (meters: string): ExpressionSpecification => ['round', ['*', ['to-number', ['get', meters]], 3.28084]];
const kind = oneOf('kind');
const cls = oneOf('class');

const protomaps: readonly SchemaRow[] = [
  { layer: 'earth', draw: earth },
  { layer: 'landcover', draw: woods, filter: kind('forest') },
  { layer: 'landuse', draw: woods, filter: kind('forest', 'wood') },
  { layer: 'landuse', draw: wetlands, filter: kind('wetland') },
  {
    ...{ layer: 'landuse', draw: publicLand },
    filter: kind('national_park', 'nature_reserve', 'protected_area', 'park'),
  },
  {
    ...{ layer: 'water', draw: water, filter: ['!', ['==', ['geometry-type'], 'LineString']] },
    featureClass: ['get', 'kind'],
  },
  {
    ...{ layer: 'water', draw: streams, filter: ['==', ['geometry-type'], 'LineString'] },
    featureClass: byValue('kind', { 4: ['river'], 2: ['stream', 'canal'] }, '1'),
  },
  {
    ...{ layer: 'roads', draw: roads, ref: text('shield_text') },
    filter: kind('highway', 'major_road', 'medium_road', 'minor_road', 'other'),
    featureClass: byValue(
      'kind',
      { major_highway: ['highway'], normal_road: ['major_road', 'medium_road'] },
      'local_road',
    ),
  },
  { layer: 'roads', draw: rails, filter: kind('rail') },
  { layer: 'transit', draw: rails, filter: kind('rail') },
  { layer: 'buildings', draw: buildings },
  { layer: 'boundaries', draw: dashed },
  {
    ...{ layer: 'places', draw: places, filter: kind('locality') },
    featureClass: byValue('kind_detail', { town: ['city', 'town'] }, 'village'),
  },
  { layer: 'pois', draw: places, filter: kind('peak'), featureClass: ['literal', 'summit'], feet: feetOf('elevation') },
];

const openMapTiles: readonly SchemaRow[] = [
  { layer: 'landcover', draw: woods, filter: cls('wood') },
  { layer: 'landcover', draw: wetlands, filter: cls('wetland') },
  { layer: 'park', draw: publicLand },
  { layer: 'water', names: 'water_name', draw: water },
  {
    ...{ layer: 'waterway', draw: streams },
    featureClass: byValue('class', { 4: ['river'], 2: ['stream', 'canal'] }, '1'),
  },
  {
    ...{ layer: 'transportation', names: 'transportation_name', draw: roads, ref: text('ref') },
    filter: cls(
      ...['motorway', 'trunk', 'primary', 'secondary', 'tertiary', 'minor', 'service'],
      ...['motorway_construction', 'busway', 'raceway'],
    ),
    featureClass: byValue(
      'class',
      { major_highway: ['motorway', 'trunk', 'primary'], normal_road: ['secondary', 'tertiary'] },
      'local_road',
    ),
  },
  { layer: 'transportation', draw: rails, filter: cls('rail', 'transit') },
  { layer: 'building', draw: buildings },
  { layer: 'boundary', draw: dashed },
  {
    ...{ layer: 'place', draw: places, filter: cls('city', 'town', 'village', 'hamlet') },
    featureClass: byValue('class', { town: ['city', 'town'] }, 'village'),
  },
  { layer: 'mountain_peak', draw: places, featureClass: ['literal', 'summit'], feet: ['get', 'ele_ft'] },
];

/** The rows of the schema that a file's layers have; null: neither. */
export function schemaOf(layers: readonly string[]): readonly SchemaRow[] | null {
  const rows = layers.includes('transportation') ? openMapTiles : layers.includes('earth') ? protomaps : null;
  return rows?.filter(({ layer }) => layers.includes(layer)) ?? null;
}

/** @param from of the file: without layers. */
export const schemaLayers = (
  rows: readonly SchemaRow[],
  from: Pick<RoleSource, 'id' | 'source' | 'opacity' | 'tokens'>,
): Placed[] =>
  rows.flatMap(({ layer, draw, names, filter, featureClass, feet, ref }, row) =>
    draw({
      ...{ ...from, id: `${from.id}-${layer}-${row}`, sourceLayer: layer, namesLayer: names ?? layer },
      ...{ name: ['get', 'name'], ref: ref ?? null },
      ...(filter ? { filter } : {}),
      ...(featureClass ? { featureClass } : {}),
      ...(feet ? { feet } : {}),
    }),
  );
