/** The norths of a place: true north, the grid's of its UTM zone, and the needle's. */

export const utmZone = (longitude: number): number => Math.min(60, Math.floor((longitude + 180) / 6) + 1);

/**
 * Degrees from true north to grid north of the place's UTM zone, positive to the east (J. P. Snyder, Map Projections: A
 * Working Manual, equation 8-9 on the sphere, which is off by less than 0.001° within a zone).
 */
export function gridConvergence(longitude: number, latitude: number): number {
  const fromMiddle = longitude - (utmZone(longitude) * 6 - 183);
  const radians = Math.PI / 180;
  return Math.atan(Math.tan(fromMiddle * radians) * Math.sin(latitude * radians)) / radians;
}

/** `2.1° E`, `14.0° W` */
export function turnWords(degrees: number): string {
  const size = Math.abs(degrees).toFixed(1);
  return size === '0.0' ? '0.0°' : `${size}° ${degrees > 0 ? 'E' : 'W'}`;
}
