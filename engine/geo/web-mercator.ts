/** The Web Mercator grid of tiles (EPSG:3857), as fractions of the world: 0 at its west and north edge, 1 at the others. */

/** Latitude of the grid's edge, where it is square: atan(sinh(π)) in degrees. Places beyond it are moved to the edge. */
export const gridLatitude = 85.0511287798066;

/** Equator of the WGS 84 ellipsoid, meters. */
const equatorMeters = 2 * Math.PI * 6_378_137;

export const worldX = (longitude: number): number => longitude / 360 + 0.5;

export function worldY(latitude: number): number {
  const held = Math.min(gridLatitude, Math.max(-gridLatitude, latitude));
  const sine = Math.sin((held * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export const longitudeOf = (x: number): number => (x - 0.5) * 360;
export const latitudeOf = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/** Meters on the ground of a pixel at a zoom whose tiles are `side` pixels wide. */
export const pixelMeters = (latitude: number, zoom: number, side: number): number =>
  (equatorMeters * Math.cos((latitude * Math.PI) / 180)) / (side * 2 ** zoom);
