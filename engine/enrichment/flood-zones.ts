/**
 * flood_zone_percent: area of parcel ∩ union of special flood hazard zones ÷ area of parcel × 100; flood_zone_type: the
 * special zone with the largest share, X when none.
 *
 * A flood map names every zone, X too: where it has zones that are not special, only parcels within its polygons were
 * studied, and the rest is unknown, as is zone D (undetermined), what is not included, and what has a name nobody knows.
 */
import { type CoveringPolygon, coveredArea } from '../geo/covered-area.ts';
import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { distinct, type LayerIndex } from './layer-index.ts';
import { type Finding, rounded, unknownFor } from './layer-kinds.ts';
import { noArea, percentDecimals } from './wetlands.ts';

/** `unknown`: nobody looked there; `unmapped`: a text that is not known here, of which nothing can be said either. */
export type FloodHazard = 'special' | 'studied' | 'unknown' | 'unmapped';

/** FEMA, FLD_ZONE: A, AE, AH, AO, AR, A99, A1 to A30, AR/…, V, VE, V1 to V30. */
const code = '(?:A(?:[EHOR]|\\d{1,2})?|V(?:E|\\d{1,2})?)';
const years = '[- ]?(?:YEAR|YR)';

/**
 * What maps call their zones: FEMA's codes and their subtypes, the old Q3 maps, and how counties write both. The first
 * that fits; `AREA NOT INCLUDED` begins with an A, too, and `1 PCT DEPTH LESS THAN 1 FOOT` is zone X.
 */
const spellings: readonly (readonly [FloodHazard, RegExp])[] = [
  ['special', new RegExp(`^${code}$`)],
  ['special', new RegExp(`^${code}[ ,-]*(?:FW|FLOODWAY)\\b`)],
  ['special', new RegExp(`^${code} ?[/(,;:-]`)],
  ['special', /^(?:REGULATORY |ADMINISTRATIVE )?(?:FLOODWAY|FW|FWIC)\b/],
  ['special', new RegExp(`^(?:1 ?(?:%|PCT|PERCENT) ANNUAL CHANCE|100${years}|100IC$|SPECIAL FLOOD HAZARD)`)],
  ['studied', /^(?:X(?:500|5)?|B|C)(?:$|[^A-Z0-9])/],
  ['studied', /^(?:UN)?SHADED X$/],
  ['studied', new RegExp(`^(?:0?\\.2 ?(?:%|PCT|PERCENT) ANNUAL CHANCE|500${years}|500IC$)`)],
  ['studied', /^1 PCT (?:DEPTH|DRAINAGE AREA|FUTURE|CONTAINED)/],
  ['studied', /^(?:OPEN WATER|AREA OF MINIMAL FLOOD HAZARD|MINIMAL FLOOD HAZARD|AREA WITH REDUCED FLOOD)/],
  ['unknown', /^(?:D|ANI|UNDES|UNDETERMINED|UNSTUDIED|NP|NONE|N\/A|UNKNOWN)?$/],
  ['unknown', /^(?:AREA NOT INCLUDED|NOT (?:POPULATED|INCLUDED|MAPPED|STUDIED))/],
];

const plainZone = (zone: string): string =>
  zone
    .trim()
    .toUpperCase()
    .replace(/\s+/g, ' ')
    .replace(/^(?:FLOOD )?ZONE[ :]+/, '');

/** @param zone as the map has it */
export function floodHazard(zone: string): FloodHazard {
  const plain = plainZone(zone);
  return spellings.find(([, spelling]) => spelling.test(plain))?.[0] ?? 'unmapped';
}

const withFloodway = new RegExp(`^(${code})[ ,-]*(?:FW|FLOODWAY)\\b.*$`);

/** The name of a special zone: `ZONE AE` and `AE FLOODWAY` are AE. */
export const zoneName = (zone: string): string => plainZone(zone).replace(withFloodway, '$1');

/** Parcels and flood maps are drawn apart along county lines by some feet. */
const minStudiedShare = 0.99;

export const notStudied = 'the flood map does not cover the parcel';
export const notDetermined = 'the flood map does not say the hazard of the parcel';

/** Classes above those of the special zones. */
export const studiedClass = 0xffff;
export const undeterminedClass = 0xfffe;

/**
 * @param layer features of the class of their zone in `specialZones`; beyond those: studied and not special, or undetermined
 * @param mustBeStudied whether the layer's polygons say where it was studied
 */
export function floodZonesOf(
  parcel: MultiPolygon,
  layer: LayerIndex,
  specialZones: readonly string[],
  mustBeStudied: boolean,
): Finding {
  const pieces = layer.find(boundsOfMultiPolygon(parcel));
  const covering = pieces.map((piece) => ({ polygon: layer.polygon(piece), coverClass: layer.classOf(piece) }));
  const hazards = covering.filter(({ coverClass }) => coverClass < specialZones.length);
  const known = covering.filter(({ coverClass }) => coverClass !== undeterminedClass);
  const area = coveredArea(parcel, hazards, specialZones.length);
  if (!(area.parcel > 0)) return unknownFor('flood', noArea);
  if (mustBeStudied) {
    const studied = hazards.length === known.length ? area : coveredUnder(parcel, known);
    if (studied.covered < minStudiedShare * area.parcel) return unknownFor('flood', notStudied);
  }
  if (known.length < covering.length) {
    const more = coveredUnder(parcel, covering).covered - coveredUnder(parcel, known).covered;
    if (more > (1 - minStudiedShare) * area.parcel) return unknownFor('flood', notDetermined);
  }
  const percent = rounded((100 * area.covered) / area.parcel, percentDecimals);
  const largest = area.byClass.indexOf(Math.max(...area.byClass));
  const type = percent > 0 ? (specialZones[largest] ?? 'X') : 'X';
  return { values: [percent, type], used: distinct(pieces.map((piece) => layer.featureOf(piece))), reason: null };
}

/** Whatever the classes are. */
const coveredUnder = (parcel: MultiPolygon, covering: readonly CoveringPolygon[]) =>
  coveredArea(
    parcel,
    covering.map(({ polygon }) => ({ polygon, coverClass: 0 })),
    1,
  );
