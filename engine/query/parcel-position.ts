/** Where a person stands relative to a parcel's line, and how certain that is. */
import { type NearestOnBoundary, nearestOnBoundary } from '../geo/boundary-distance.ts';
import type { MultiPolygon } from '../geo/geometry.ts';
import { holdsPoint } from '../geo/holds-point.ts';
import { localMetric, metersPerFoot } from '../geo/local-metric.ts';
import { widenBounds } from '../geo/near-length.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import type { LandStore } from '../store/land-store.ts';
import { parcelsAt } from './parcels-at.ts';

/** Degrees and meters, from GPS. */
interface Fix {
  readonly longitude: number;
  readonly latitude: number;
  /** The usual error: the true place is most often within this many meters. */
  readonly accuracyMeters: number;
}

interface NamedParcel {
  readonly property_id: number;
  readonly apn: string;
  readonly owner_name: string | null;
}

export interface ParcelPosition extends NamedParcel {
  /** `unsure`: the line is nearer than the accuracy. */
  readonly side: 'inside' | 'outside' | 'unsure';
  readonly feet_to_line: number;
  readonly accuracy_feet: number;
  /** True bearing from the position to `line_point`, degrees from 0 (north) to less than 360. */
  readonly toward: number;
  /** The nearest point of the line. */
  readonly line_point: { readonly longitude: number; readonly latitude: number };
  /** Across that line from the parcel; null if no loaded parcel lies there (a road, or the end of the data). */
  readonly beyond: NamedParcel | null;
  /** For the screen. */
  readonly sentence: string;
}

/** Beyond this distance no parcel counts as near. */
const reachMeters = 300;

const candidatesSql = `
SELECT p.property_id, p.apn, p.owner_name, p.geom FROM idx_parcels_geom i JOIN parcels p ON p.property_id = i.pkid
WHERE i.xmin <= :maxX AND i.xmax >= :minX AND i.ymin <= :maxY AND i.ymax >= :minY
  AND p.status = 'current' AND (:id IS NULL OR p.property_id = :id)`;

interface Candidate extends NamedParcel {
  readonly geom: Uint8Array;
}

/** A parcel beside the position, with its line. */
interface Measured extends NamedParcel {
  readonly polygons: MultiPolygon;
  readonly isInside: boolean;
  readonly line: NearestOnBoundary;
}

/**
 * Relative to the requested parcel, else to the one that holds the point, else to the nearest.
 * @returns null if none is within 300 m
 */
export function findPosition(land: LandStore, fix: Fix, propertyId: number | null = null): ParcelPosition | null {
  const { longitude, latitude } = fix;
  const here = { minX: longitude, maxX: longitude, minY: latitude, maxY: latitude };
  const rows = land.file.all<Candidate>(candidatesSql, { ...widenBounds(here, reachMeters), id: propertyId });
  const measured = rows.map(({ geom, ...parcel }): Measured => {
    const polygons = decodeMultiPolygon(geom);
    const isInside = holdsPoint(polygons, longitude, latitude);
    return { ...parcel, polygons, isInside, line: nearestOnBoundary(polygons, longitude, latitude) };
  });
  const [nearest] = measured.sort((a, b) => Number(b.isInside) - Number(a.isInside) || a.line.meters - b.line.meters);
  if (!nearest || (!nearest.isInside && nearest.line.meters > reachMeters)) return null;
  return positionOf(land, nearest, fix);
}

function positionOf(land: LandStore, parcel: Measured, fix: Fix): ParcelPosition {
  const { property_id, apn, owner_name, isInside, line } = parcel;
  // Rounded against the user: never shows the line farther away, or the GPS better, than they are.
  const feet_to_line = Math.floor(line.meters / metersPerFoot);
  const accuracy_feet = Math.ceil(fix.accuracyMeters / metersPerFoot);
  const side = line.meters <= fix.accuracyMeters ? 'unsure' : isInside ? 'inside' : 'outside';
  return {
    property_id,
    apn,
    owner_name,
    side,
    feet_to_line,
    accuracy_feet,
    toward: bearingTo(fix, line),
    line_point: { longitude: line.longitude, latitude: line.latitude },
    beyond: parcelBeyond(land, parcel, fix),
    sentence: sentenceOf(side, feet_to_line, accuracy_feet),
  };
}

/** Meters east and north from the position to its nearest point of the line. */
function stepTo({ longitude, latitude }: Fix, line: NearestOnBoundary): readonly [east: number, north: number] {
  const metric = localMetric(latitude);
  return [(line.longitude - longitude) * metric.x, (line.latitude - latitude) * metric.y];
}

function bearingTo(fix: Fix, line: NearestOnBoundary): number {
  const [east, north] = stepTo(fix, line);
  const degrees = (Math.atan2(east, north) * 180) / Math.PI;
  return (Math.round(((degrees + 360) % 360) * 10) / 10) % 360;
}

/** Neighbors' lines are drawn apart by up to a few feet; the narrowest road is wider than the last of these. */
const probesMeters = [0.3, 1, 3];

/** Nearer than this the direction to the line says nothing: the edge itself does. */
const onLineMeters = 0.01;

function parcelBeyond(land: LandStore, parcel: Measured, fix: Fix): NamedParcel | null {
  const { line, isInside, polygons, property_id: own } = parcel;
  const metric = localMetric(line.latitude);
  const [east, north] = stepTo(fix, line);
  const outward = isInside ? 1 / line.meters : -1 / line.meters;
  const away: readonly [number, number] = [east * outward, north * outward];
  const ways = line.meters > onLineMeters ? [away] : [line.across, line.across.map((part) => -part)];
  for (const meters of probesMeters) {
    for (const [x = 0, y = 0] of ways) {
      const longitude = line.longitude + (x * meters) / metric.x;
      const latitude = line.latitude + (y * meters) / metric.y;
      if (holdsPoint(polygons, longitude, latitude)) continue;
      const found = parcelsAt(land, longitude, latitude).find((id) => id !== own);
      if (found !== undefined) return land.file.get<NamedParcel>(namedSql, found) ?? null;
    }
  }
  return null;
}

const namedSql = 'SELECT property_id, apn, owner_name FROM parcels WHERE property_id = ?';

function sentenceOf(side: ParcelPosition['side'], feet: number, accuracy: number): string {
  const away = `${feet.toLocaleString('en-US')} ft`;
  const gps = `GPS ±${accuracy.toLocaleString('en-US')} ft`;
  return side === 'unsure' ? `Cannot tell: the line is ${away} away, ${gps}` : `${side}, ${away} from the line, ${gps}`;
}
