/** Where a person stands relative to a parcel's line, and how certain that is. */
import { metersToBoundary } from '../geo/boundary-distance.ts';
import { holdsPoint } from '../geo/holds-point.ts';
import { metersPerFoot } from '../geo/local-metric.ts';
import { widenBounds } from '../geo/near-length.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import type { LandStore } from '../store/land-store.ts';

/** Degrees and meters, from GPS. */
interface Fix {
  readonly longitude: number;
  readonly latitude: number;
  /** The usual error: the true place is most often within this many meters. */
  readonly accuracyMeters: number;
}

export interface ParcelPosition {
  readonly property_id: number;
  readonly apn: string;
  /** `unsure`: the line is nearer than the accuracy. */
  readonly side: 'inside' | 'outside' | 'unsure';
  readonly feet_to_line: number;
  readonly accuracy_feet: number;
  /** For the screen. */
  readonly sentence: string;
}

/** Beyond this distance no parcel counts as near. */
const reachMeters = 300;

const candidatesSql = `
SELECT p.property_id, p.apn, p.geom FROM idx_parcels_geom i JOIN parcels p ON p.property_id = i.pkid
WHERE i.xmin <= :maxX AND i.xmax >= :minX AND i.ymin <= :maxY AND i.ymax >= :minY
  AND p.status = 'current' AND (:id IS NULL OR p.property_id = :id)`;

interface Candidate {
  readonly property_id: number;
  readonly apn: string;
  readonly geom: Uint8Array;
}

/**
 * Relative to the requested parcel, else to the one that holds the point, else to the nearest.
 * @returns null if none is within 300 m
 */
export function findPosition(land: LandStore, fix: Fix, propertyId: number | null = null): ParcelPosition | null {
  const { longitude, latitude } = fix;
  const here = { minX: longitude, maxX: longitude, minY: latitude, maxY: latitude };
  const rows = land.file.all<Candidate>(candidatesSql, { ...widenBounds(here, reachMeters), id: propertyId });
  const measured = rows.map(({ geom, ...parcel }) => {
    const polygons = decodeMultiPolygon(geom);
    const isInside = holdsPoint(polygons, longitude, latitude);
    return { ...parcel, isInside, meters: metersToBoundary(polygons, longitude, latitude) };
  });
  const [nearest] = measured.sort((a, b) => Number(b.isInside) - Number(a.isInside) || a.meters - b.meters);
  if (!nearest || (!nearest.isInside && nearest.meters > reachMeters)) return null;
  return positionOf(nearest, fix.accuracyMeters);
}

function positionOf(
  { property_id, apn, isInside, meters }: { property_id: number; apn: string; isInside: boolean; meters: number },
  accuracyMeters: number,
): ParcelPosition {
  // Rounded against the user: never shows the line farther away, or the GPS better, than they are.
  const feet_to_line = Math.floor(meters / metersPerFoot);
  const accuracy_feet = Math.ceil(accuracyMeters / metersPerFoot);
  const side = meters <= accuracyMeters ? 'unsure' : isInside ? 'inside' : 'outside';
  return {
    property_id,
    apn,
    side,
    feet_to_line,
    accuracy_feet,
    sentence: sentenceOf(side, feet_to_line, accuracy_feet),
  };
}

function sentenceOf(side: ParcelPosition['side'], feet: number, accuracy: number): string {
  const distance = `${feet.toLocaleString('en-US')} ft from the line`;
  const gps = `GPS ±${accuracy.toLocaleString('en-US')} ft`;
  return side === 'unsure' ? `too close to call: ${distance}, ${gps}` : `${side}, ${distance}, ${gps}`;
}
