/**
 * Meters around a place on the WGS84 ellipsoid: degrees times the radii of curvature there. Over a parcel this is flat
 * enough: the scale along a parallel changes by tan φ (distance north ÷ radius), 0.03 % over 2 km at 45°, so lengths
 * and areas take the metric where they are measured, edge by edge and strip by strip, and never once per county.
 *
 * Formulas: J. P. Snyder, Map Projections: A Working Manual (USGS 1395), equations 4-18 and 4-20.
 */

/**
 * The international foot. The US survey foot is longer by 2 parts in a million: negligible beside the digitizing of a
 * plat.
 */
export const metersPerFoot = 0.3048;
/** US survey foot: 1200/3937 m. */
export const metersPerSurveyFoot = 1200 / 3937;

const equatorialRadiusMeters = 6_378_137;
const flattening = 1 / 298.257223563;
const eccentricitySquared = flattening * (2 - flattening);
const radiansPerDegree = Math.PI / 180;

/** Meters per degree of longitude (x) and of latitude (y) at a place. */
interface LocalMetric {
  readonly x: number;
  readonly y: number;
}

/** @param latitude degrees */
export function localMetric(latitude: number): LocalMetric {
  const sine = Math.sin(latitude * radiansPerDegree);
  const squared = 1 - eccentricitySquared * sine * sine;
  const primeVertical = equatorialRadiusMeters / Math.sqrt(squared);
  return {
    x: primeVertical * Math.cos(latitude * radiansPerDegree) * radiansPerDegree,
    y: ((primeVertical * (1 - eccentricitySquared)) / squared) * radiansPerDegree,
  };
}

/** Square meters per square degree at a latitude: the density of area on the ellipsoid. */
export function squareMetersPerSquareDegree(latitude: number): number {
  const { x, y } = localMetric(latitude);
  return x * y;
}
