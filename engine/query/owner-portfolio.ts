/** Everything one owner has: the current parcels with the same normalized mailing address. */
import type { LandStore } from '../store/land-store.ts';
import type { LongitudeLatitudeBox } from './live-rows.ts';
import { portfolioKey } from './parcel-query.ts';

interface PortfolioParcel {
  readonly property_id: number;
  readonly apn: string | null;
  readonly fips: string;
  readonly acres: number | null;
  readonly value: number | null;
}

interface OwnerPortfolio {
  readonly parcels: readonly PortfolioParcel[];
  /** The kind of value that more of them have published; a sum of both would mix them. */
  readonly value_is: 'market' | 'assessed';
  /** Around their shapes and points; null if none has a place. */
  readonly bounds: LongitudeLatitudeBox | null;
}

interface Row extends Omit<PortfolioParcel, 'value'> {
  readonly market: number | null;
  readonly assessed: number | null;
  readonly w: number | null;
  readonly s: number;
  readonly e: number;
  readonly n: number;
}

/** Largest first. @throws EngineError validation_error if there is no such parcel, or it has no mailing address */
export function ownerPortfolio(land: LandStore, propertyId: number): OwnerPortfolio {
  const rows = land.file.all<Row>(
    `SELECT property_id, apn, fips, coalesce(acres, calculated_acres) AS acres,
       market_total_value AS market, assessed_total_value AS assessed,
       coalesce(xmin, point_lon) AS w, coalesce(ymin, point_lat) AS s,
       coalesce(xmax, point_lon) AS e, coalesce(ymax, point_lat) AS n
     FROM parcels LEFT JOIN idx_parcels_geom ON pkid = property_id
     WHERE mailing_key = ? AND status = 'current' ORDER BY acres DESC, property_id`,
    portfolioKey(land, propertyId),
  );
  const known = (of: 'market' | 'assessed') => rows.filter((row) => row[of] !== null).length;
  const valueIs = known('assessed') > known('market') ? 'assessed' : 'market';
  return {
    parcels: rows.map(({ property_id, apn, fips, acres, [valueIs]: value }) => ({
      property_id,
      apn,
      fips,
      acres,
      value,
    })),
    value_is: valueIs,
    bounds: boundsOf(rows.filter(({ w }) => w !== null)),
  };
}

function boundsOf(rows: readonly Row[]): LongitudeLatitudeBox | null {
  if (rows.length === 0) return null;
  const side = (of: 'w' | 's' | 'e' | 'n') => rows.map((row) => row[of] as number);
  return [Math.min(...side('w')), Math.min(...side('s')), Math.max(...side('e')), Math.max(...side('n'))];
}
