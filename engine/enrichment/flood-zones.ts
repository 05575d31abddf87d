/**
 * flood_zone_percent: area of parcel ∩ union of special flood hazard zones ÷ area of parcel × 100; flood_zone_type: the
 * special zone with the largest share, X when none.
 *
 * A flood map names every zone, X too: where it has zones that are not special, only parcels within its polygons were
 * studied, and the rest is unknown, as is zone D (undetermined) and what is not included.
 */
import { coveredArea } from '../geo/covered-area.ts';
import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { distinct, type LayerIndex } from './layer-index.ts';
import { type Finding, rounded, unknownFor } from './layer-kinds.ts';
import { noArea, percentDecimals } from './wetlands.ts';

export type FloodHazard = 'special' | 'studied' | 'unknown';

/** FEMA, FLD_ZONE: A, AE, AH, AO, AR, A99, A1 to A30, AR/…, V, VE, V1 to V30. `AREA NOT INCLUDED` begins with an A, too. */
const special = /^(?:A(?:[EHOR]|\d{1,2})?|V(?:E|\d{1,2})?)(?:\s*\/.*)?$/;
const unknown = /^(?:D|AREA NOT INCLUDED|NP|NOT POPULATED|NONE|)$/;

/** @param zone as the map has it */
export function floodHazard(zone: string): FloodHazard {
  const code = zone.trim().toUpperCase();
  if (special.test(code)) return 'special';
  return unknown.test(code) ? 'unknown' : 'studied';
}

/** Parcels and flood maps are drawn apart along county lines by some feet. */
const minStudiedShare = 0.99;

export const notStudied = 'the flood map does not cover the parcel';

/**
 * @param layer features of the class of their zone in `specialZones`; beyond those: studied and not special
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
  const area = coveredArea(parcel, hazards, specialZones.length);
  if (!(area.parcel > 0)) return unknownFor('flood', noArea);
  if (mustBeStudied) {
    const studied = hazards.length === covering.length ? area : coveredArea(parcel, covering, specialZones.length + 1);
    if (studied.covered < minStudiedShare * area.parcel) return unknownFor('flood', notStudied);
  }
  const percent = rounded((100 * area.covered) / area.parcel, percentDecimals);
  const largest = area.byClass.indexOf(Math.max(...area.byClass));
  const type = percent > 0 ? (specialZones[largest] ?? 'X') : 'X';
  return { values: [percent, type], used: distinct(pieces.map((piece) => layer.featureOf(piece))), reason: null };
}
