/** Polygons as people draw them over a map: 16 to 64 corners, some way round and some with bays, of a given size. */
import type { Random } from '../sample-maker/random.ts';
import type { GeneratedCounty } from './generated-county.ts';
import type { Area } from './questions.ts';

/** @param share of the county's area, exactly: the corners are scaled to it */
export function buildArea(county: GeneratedCounty, share: number, random: Random): Area {
  const corners = random.integer(16, 64);
  const bay = random.between(0, 0.3);
  const star = Array.from({ length: corners }, (_, i): [number, number] => {
    const turn = ((i + random.between(0, 0.6)) / corners) * 2 * Math.PI;
    const reach = 1 - bay * random.next();
    return [reach * Math.cos(turn), reach * Math.sin(turn)];
  });
  // Shares of the county's sides: half a unit is half the county, whatever its degrees.
  const scale = Math.sqrt(share / areaOf(star));
  const room = Math.min(0.5, scale);
  const [x, y] = [random.between(room, 1 - room), random.between(room, 1 - room)];
  const ring = star.map(([dx, dy]): [number, number] => [
    round(county.west + (x + dx * scale) * (county.east - county.west)),
    round(county.south + (y + dy * scale) * (county.north - county.south)),
  ]);
  const closed = [...ring, ring[0] as [number, number]];
  const [longitudes, latitudes] = [ring.map(([longitude]) => longitude), ring.map(([, latitude]) => latitude)];
  return {
    wkt: `POLYGON((${closed.map((corner) => corner.join(' ')).join(', ')}))`,
    west: Math.min(...longitudes),
    south: Math.min(...latitudes),
    east: Math.max(...longitudes),
    north: Math.max(...latitudes),
  };
}

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/** Shoelace formula. */
function areaOf(ring: readonly (readonly [number, number])[]): number {
  let twice = 0;
  for (const [i, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(i + 1) % ring.length] as readonly [number, number];
    twice += x * nextY - nextX * y;
  }
  return Math.abs(twice) / 2;
}
