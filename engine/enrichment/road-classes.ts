/** Maps features of a road layer to road classes. Ways not open to cars give no frontage. */
import type { RoadClass } from '../spec/road-words.ts';
import { foldSpaces } from '../spec/text-fold.ts';

/** A mapping of column values (case-insensitive) to classes; null: not a road. */
export interface RoadClassMapping {
  readonly column: string;
  readonly classes: Readonly<Record<string, RoadClass | null>>;
  /** Class of unlisted values, blanks included. Without it they are local roads, and the report counts them. */
  readonly other?: RoadClass | null;
}

/** MAF/TIGER feature class codes of the Census Bureau. Four-wheel-drive trails (S1500), walkways and paths are not roads. */
const mtfcc: RoadClassMapping['classes'] = {
  S1100: 'major_highway',
  S1200: 'normal_road',
  S1400: 'local_road',
  S1500: null,
  S1630: 'major_highway',
  S1640: 'local_road',
  S1710: null,
  S1720: null,
  S1730: 'local_road',
  S1740: 'local_road',
  S1750: null,
  S1780: null,
  S1810: null,
  S1820: null,
  S1830: null,
};

const noWay = Object.fromEntries(
  [
    ...['track', 'path', 'footway', 'cycleway', 'bridleway', 'steps', 'pedestrian', 'corridor', 'platform'],
    ...['construction', 'proposed', 'raceway', 'elevator', 'via_ferrata', 'bus_guideway', 'abandoned', 'razed'],
    ...['track_grade1', 'track_grade2', 'track_grade3', 'track_grade4', 'track_grade5', 'unknown'],
  ].map((tag) => [tag, null]),
);

/** OpenStreetMap's `highway` tags. */
const highway: RoadClassMapping['classes'] = {
  motorway: 'major_highway',
  motorway_link: 'major_highway',
  trunk: 'major_highway',
  trunk_link: 'major_highway',
  primary: 'major_highway',
  primary_link: 'major_highway',
  secondary: 'normal_road',
  secondary_link: 'normal_road',
  tertiary: 'normal_road',
  tertiary_link: 'normal_road',
  unclassified: 'local_road',
  residential: 'local_road',
  living_street: 'local_road',
  service: 'local_road',
  road: 'local_road',
  busway: null,
  ...noWay,
};

/** Mappings of known columns; the first that a file has is used. `fclass` is Geofabrik's. */
const knownMappings: readonly RoadClassMapping[] = [
  { column: 'MTFCC', classes: mtfcc },
  { column: 'highway', classes: highway },
  { column: 'fclass', classes: highway },
];

/** The mapping for a file with these columns; null if none is known. */
export function findRoadMapping(columns: readonly string[]): RoadClassMapping | null {
  const folded = new Set(columns.map(foldSpaces));
  return knownMappings.find(({ column }) => folded.has(foldSpaces(column))) ?? null;
}

/** A road of no known class: a missing road would call its lots landlocked. */
export const unknownRoad: RoadClass = 'local_road';

/** @returns a function from a value to its class; undefined for an unlisted value */
export function roadClassifier(mapping: RoadClassMapping): (value: unknown) => RoadClass | null | undefined {
  const classes = new Map(Object.entries(mapping.classes).map(([value, name]) => [foldSpaces(value), name]));
  return (value) => classes.get(foldSpaces(value === null || value === undefined ? '' : String(value)));
}
