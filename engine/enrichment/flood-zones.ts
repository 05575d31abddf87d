/**
 * Computes flood_zone_percent (area of parcel ∩ union of special flood hazard zones ÷ area of parcel × 100) and
 * flood_zone_type (the special zone with the largest share, X if none).
 *
 * A full flood map has polygons for every zone, X too. If a file has zones that are not special, only parcels within its
 * polygons were studied; the others are unknown, and so are zone D (undetermined), areas not included, and unknown names.
 */
import { type CoveringPolygon, coveredArea } from '../geo/covered-area.ts';
import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { distinct, type LayerIndex } from './layer-index.ts';
import { type Finding, rounded, unknownFor } from './layer-kinds.ts';
import { noArea, percentDecimals } from './wetlands.ts';

/** `unknown`: not studied; `unmapped`: a zone name that this file does not know. */
type FloodHazard = 'special' | 'studied' | 'unknown' | 'unmapped';

/** FEMA, FLD_ZONE: A, AE, AH, AO, AR, A99, A1 to A30, AR/…, V, VE, V1 to V30. */
const code = '(?:A(?:[EHOR]|\\d{1,2})?|V(?:E|\\d{1,2})?)';
const years = '[- ]?(?:YEAR|YR)';

/**
 * Zone names: FEMA's codes and subtypes, those of the old Q3 maps, and counties' spellings of both. The first match wins:
 * `AREA NOT INCLUDED` begins with an A too, and `1 PCT DEPTH LESS THAN 1 FOOT` is zone X.
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

/** @param zone the map's text */
export function floodHazard(zone: string): FloodHazard {
  const plain = plainZone(zone);
  return spellings.find(([, spelling]) => spelling.test(plain))?.[0] ?? 'unmapped';
}

const withFloodway = new RegExp(`^(${code})[ ,-]*(?:FW|FLOODWAY)\\b.*$`);

/** The name of a special zone: `ZONE AE` and `AE FLOODWAY` are AE. */
export const zoneName = (zone: string): string => plainZone(zone).replace(withFloodway, '$1');

/** Below 1, since parcels and flood maps differ by some feet along county lines. */
const minStudiedShare = 0.99;

export const notStudied = 'the flood map does not cover the parcel';
const notDetermined = 'the flood map does not say the hazard of the parcel';

/** Class numbers above those of special zones. */
export const studiedClass = 0xffff;
export const undeterminedClass = 0xfffe;

/**
 * @param layer features with the index of their zone in `specialZones` as class, or `studiedClass`, `undeterminedClass`
 * @param mustBeStudied whether the layer's polygons show the studied area
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

/** The covered area, regardless of classes. */
const coveredUnder = (parcel: MultiPolygon, covering: readonly CoveringPolygon[]) =>
  coveredArea(
    parcel,
    covering.map(({ polygon }) => ({ polygon, coverClass: 0 })),
    1,
  );
