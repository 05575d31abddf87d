/**
 * Areas of land enclosed by geodesic edges on the WGS84 ellipsoid, as GeographicLib computes them, at a tenth of the
 * cost, because an import needs one per parcel.
 *
 * Let q be the equal-area coordinate, dq = M r dφ (M the meridian's radius of curvature, r the parallel's radius), so
 * that area is dq dλ exactly. For straight edges in (λ, q) the area under an edge is the trapezoid (q₀ + q₁)/2 Δλ. A
 * geodesic is not straight there. With ds² = r² dλ² + dq²/r² and dr²/dq = −2 sin φ (exact on the ellipsoid), its
 * equation is
 *
 *     d²q/dλ² = −sin φ (r² + 3 (dq/dλ)²/r²)
 *
 * and the area between geodesic and chord is −q″ Δλ³/12, per edge
 *
 *     sin φ Δλ (x² + 3 y²) / 12    with x = r Δλ and y = Δq/r in meters, φ and r at the edge's middle.
 *
 * The next term is smaller by (length/radius)²; `maxSpanDegrees` keeps it below what a test measures against
 * GeographicLib. The closed form of q: J. P. Snyder, Map Projections: A Working Manual (USGS 1395), equation 3-12.
 */
import geodesic from 'geographiclib-geodesic';
import { boundsOfMultiPolygon, type MultiPolygon, type Ring } from './geometry.ts';

/** The international acre in square meters. */
export const squareMetersPerAcre = 4046.8564224;

/** Parcels wider or taller than this (degrees) are computed by GeographicLib itself. */
const maxSpanDegrees = 1;

const equatorialRadiusMeters = 6_378_137;
const flattening = 1 / 298.257223563;
const eccentricitySquared = flattening * (2 - flattening);
const radiansPerDegree = Math.PI / 180;

/**
 * q in square meters per radian of longitude, from the sine s of the latitude:
 * b²/2 (s/(1 − e²s²) + artanh(es)/e). The series of artanh ends at e¹², 1e-15 of the whole.
 */
function equalAreaCoordinate(sine: number): number {
  const z = eccentricitySquared * sine * sine;
  const inverse = 1 + z * (1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * (1 / 11 + z / 13)))));
  return ((equatorialRadiusMeters ** 2 * (1 - eccentricitySquared)) / 2) * sine * (1 / (1 - z) + inverse);
}

/** Square of the parallel's radius in square meters. */
function parallelRadiusSquared(sine: number): number {
  return (equatorialRadiusMeters ** 2 * (1 - sine * sine)) / (1 - eccentricitySquared * sine * sine);
}

/**
 * Square meters, unsigned. Longitudes and q are relative to the first vertex, so a lot of 1 m² loses only the rounding
 * of q and of its degrees (6e-9 of the lot). GeographicLib sums areas down to the equator and is 1e-5 m² off on such
 * lots.
 */
function ringSquareMeters(ring: Ring): number {
  const sineOrigin = Math.sin((ring[1] as number) * radiansPerDegree);
  const origin = equalAreaCoordinate(sineOrigin);
  let area = 0;
  let longitude = ring[0] as number;
  let sine = sineOrigin;
  let q = 0;
  for (let index = 2; index < ring.length; index += 2) {
    const nextLongitude = ring[index] as number;
    const nextSine = Math.sin((ring[index + 1] as number) * radiansPerDegree);
    const nextQ = equalAreaCoordinate(nextSine) - origin;
    const width = (nextLongitude - longitude) * radiansPerDegree;
    const middleSine = (sine + nextSine) / 2;
    const radiusSquared = parallelRadiusSquared(middleSine);
    const height = nextQ - q;
    const bulge = middleSine * (radiusSquared * width * width + (3 * height * height) / radiusSquared);
    area += width * ((q + nextQ) / 2 + bulge / 12);
    longitude = nextLongitude;
    sine = nextSine;
    q = nextQ;
  }
  return Math.abs(area);
}

function ringSquareMetersByGeographicLib(ring: Ring): number {
  const polygon = geodesic.Geodesic.WGS84.Polygon(false);
  // the closing vertex is implied
  for (let index = 0; index + 2 < ring.length; index += 2) {
    polygon.AddPoint(ring[index + 1] as number, ring[index] as number);
  }
  return Math.abs(polygon.Compute(false, true).area ?? 0);
}

/**
 * Geodesic area on WGS84 in international acres, not rounded. Exteriors minus holes, in any direction; a (damaged)
 * polygon whose holes exceed its exterior counts as zero.
 */
export function acresOfMultiPolygon(polygons: MultiPolygon): number {
  const bounds = boundsOfMultiPolygon(polygons);
  const isSmall = bounds.maxX - bounds.minX <= maxSpanDegrees && bounds.maxY - bounds.minY <= maxSpanDegrees;
  const measure = isSmall ? ringSquareMeters : ringSquareMetersByGeographicLib;
  let squareMeters = 0;
  for (const [exterior, ...holes] of polygons) {
    if (exterior === undefined) continue;
    let net = measure(exterior);
    for (const hole of holes) net -= measure(hole);
    squareMeters += Math.max(net, 0);
  }
  return squareMeters / squareMetersPerAcre;
}
