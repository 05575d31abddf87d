/**
 * Links a comp to its parcel: by APN within the county, else by the parcel around its point. The link gives terrain and
 * land use. A wrong link is worse than none, so doubtful ones are left out.
 */
import { parcelUseSql } from '../../comps/comp-columns.ts';
import { metersFrom } from '../../comps/distance.ts';
import { valuationParameters } from '../../comps/valuation-parameters.ts';
import { locateInPolygon } from '../../geo/orientation.ts';
import { decodeMultiPolygon } from '../../geo/spatialite-blob.ts';
import { apnKey, foldSpaces } from '../../spec/text-fold.ts';
import type { LandStore } from '../../store/land-store.ts';
import type { SqliteFile } from '../../store/sqlite.ts';

/** A comp before it is linked. */
interface Linkable {
  readonly fips: string | null;
  readonly apn: string | null;
  readonly longitude: number | null;
  readonly latitude: number | null;
  /** Acres. */
  readonly lot_size: number | null;
  readonly coordinate_grain: string | null;
}

export interface LinkedParcel {
  readonly property_id: number;
  readonly fips: string;
  readonly apn: string | null;
  readonly acres: number | null;
  readonly use: string | null;
  readonly point_lon: number | null;
  readonly point_lat: number | null;
}

/** `zip`: the parcel that happens to hold the point of the ZIP code; it tells the county, and is not the comp's own. */
export type ParcelLink =
  | { readonly parcel: LinkedParcel; readonly by: 'apn' | 'place' }
  | { readonly parcel: LinkedParcel; readonly by: 'zip' };

/** A listing's pin is seldom in the middle, but a parcel farther away than this merely has the same number. */
const farthestMeters = 10_000;
/** A pin on the road lies in a neighbor's lot: known acres must agree as those of a subject's own listing do. */
const { acresShare } = valuationParameters.ownPin;

const columns = `p.property_id, p.fips, p.apn, coalesce(p.acres, p.calculated_acres) AS acres, ${parcelUseSql('p')} AS use,
  p.point_lon, p.point_lat`;

const byApnSql = `SELECT ${columns} FROM parcels p
  WHERE p.apn_key = ? AND p.fips = ? AND p.status = 'current' ORDER BY p.property_id`;

const byPlaceSql = `SELECT ${columns}, p.geom FROM idx_parcels_geom i CROSS JOIN parcels p ON p.property_id = i.pkid
  WHERE i.xmin <= :longitude AND i.xmax >= :longitude AND i.ymin <= :latitude AND i.ymax >= :latitude
    AND p.status = 'current' ORDER BY p.property_id`;

/** Null if no parcel is certain. */
export function findParcelOfComp({ file }: LandStore, comp: Linkable): ParcelLink | null {
  const named = byApn(file, comp);
  if (named) return { parcel: named, by: 'apn' };
  const placed = byPlace(file, comp);
  return placed ? { parcel: placed, by: comp.coordinate_grain === 'zip' ? 'zip' : 'place' } : null;
}

function byApn(file: SqliteFile, { apn, fips, longitude, latitude }: Linkable): LinkedParcel | null {
  const key = apn === null ? '' : apnKey(apn);
  if (apn === null || key === '' || fips === null) return null;
  const all = file.all<LinkedParcel>(byApnSql, key, fips);
  const exact = all.filter((parcel) => parcel.apn !== null && foldSpaces(parcel.apn) === foldSpaces(apn));
  const candidates = exact.length > 0 ? exact : all;
  if (longitude === null || latitude === null) return candidates.length === 1 ? (candidates[0] ?? null) : null;
  const metersTo = metersFrom(longitude, latitude);
  const [nearest] = candidates
    .map((parcel) => ({
      parcel,
      meters: parcel.point_lon === null || parcel.point_lat === null ? 0 : metersTo(parcel.point_lon, parcel.point_lat),
    }))
    .filter(({ meters }) => meters <= farthestMeters)
    .sort((a, b) => a.meters - b.meters);
  return nearest?.parcel ?? null;
}

/** Whether two sizes can belong to one lot; unknown ones can. */
function acresAgree(a: number | null, b: number | null): boolean {
  if (a === null || b === null || a <= 0 || b <= 0) return true;
  return Math.abs(a - b) <= acresShare * Math.max(a, b);
}

function byPlace(file: SqliteFile, { longitude, latitude, lot_size: acres }: Linkable): LinkedParcel | null {
  if (longitude === null || latitude === null) return null;
  const candidates = file.all<LinkedParcel & { geom: Buffer }>(byPlaceSql, { longitude, latitude });
  const holding = candidates.filter(
    (parcel) =>
      acresAgree(acres, parcel.acres) &&
      decodeMultiPolygon(parcel.geom).some((rings) => locateInPolygon(rings, longitude, latitude) !== 'outside'),
  );
  // on a common boundary, or in a flat above another, the parcel is ambiguous
  return holding.length === 1 ? (holding[0] ?? null) : null;
}

/**
 * Links comps without a parcel, for example after an import of parcels.
 * @returns how many were linked
 */
export function linkComps(land: LandStore, fips?: string): number {
  const { file } = land;
  return file.transaction(() => {
    const open = file.all<Linkable & { comp_rowid: number }>(
      `SELECT comp_rowid, fips, apn, longitude, latitude, lot_size, coordinate_grain FROM comps
       WHERE property_id IS NULL AND (:fips IS NULL OR fips = :fips) ORDER BY comp_rowid`,
      { fips: fips ?? null },
    );
    let linked = 0;
    for (const comp of open) {
      const link = findParcelOfComp(land, comp);
      if (!link || link.by === 'zip') continue;
      linked++;
      file.run(
        'UPDATE comps SET property_id = ?, use = coalesce(use, ?) WHERE comp_rowid = ?',
        link.parcel.property_id,
        link.parcel.use,
        comp.comp_rowid,
      );
    }
    return linked;
  });
}
