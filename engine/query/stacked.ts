/** What lies on a lot without a shape of its own: a condominium's units, mobile homes; and the lot that such a parcel lies on. */
import { apnKey } from '../spec/text-fold.ts';
import type { LandStore } from '../store/land-store.ts';

interface StackedParcel {
  readonly property_id: number;
  readonly apn: string | null;
  readonly owner_name: string | null;
}

interface Stacked {
  /** The lot that the parcel lies on; null: it has ground of its own. */
  readonly lot: StackedParcel | null;
  readonly count: number;
  /** The first of those that lie on the parcel, by APN. */
  readonly accounts: readonly StackedParcel[];
}

const listed = 30;

interface Place {
  readonly fips: string;
  readonly dataset_id: number;
  readonly apn: string | null;
  readonly stacked_on: string | null;
  readonly point_lon: number | null;
  readonly point_lat: number | null;
  readonly has_shape: number;
}

export function stackedOf({ file }: LandStore, id: number): Stacked {
  const none = { lot: null, count: 0, accounts: [] };
  const own = file.get<Place & Record<string, string | number | null>>(
    `SELECT fips, dataset_id, apn, stacked_on, point_lon, point_lat, geom IS NOT NULL AS has_shape
     FROM parcels WHERE property_id = ?`,
    id,
  );
  if (!own) return none;
  if (own.stacked_on !== null) {
    const lot = file.get<StackedParcel & Record<string, string | number | null>>(
      `SELECT property_id, apn, owner_name FROM parcels
       WHERE apn_key = ? AND fips = ? AND dataset_id = ? AND apn = ? AND geom IS NOT NULL AND status = 'current'
       ORDER BY point_lon = ? AND point_lat = ? DESC LIMIT 1`,
      ...[apnKey(own.stacked_on), own.fips, own.dataset_id, own.stacked_on, own.point_lon, own.point_lat],
    );
    return { ...none, lot: lot ?? null };
  }
  if (own.has_shape === 0 || own.apn === null || own.point_lon === null) return none;
  // They have the lot's own point, by which the index of parcels without a shape finds them.
  const accounts = file.all<StackedParcel & Record<string, string | number | null>>(
    `SELECT property_id, apn, owner_name FROM parcels
     WHERE geom IS NULL AND point_lon IS NOT NULL AND point_lon = ? AND point_lat = ?
       AND dataset_id = ? AND stacked_on = ? AND status = 'current' ORDER BY apn, property_id`,
    ...[own.point_lon, own.point_lat, own.dataset_id, own.apn],
  );
  return { lot: null, count: accounts.length, accounts: accounts.slice(0, listed) };
}
