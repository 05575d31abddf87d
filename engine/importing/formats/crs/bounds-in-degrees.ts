/** A box of a file's own coordinates as a box in degrees. */
import type { FileBounds } from '../parcel-source.ts';
import type { ReferenceSystem } from './reference-system.ts';

/** Converts corners and side midpoints: a straight side of a projection is a curve in degrees. */
export function boundsInDegrees(bounds: FileBounds | null, system: ReferenceSystem): FileBounds | null {
  if (bounds === null || !bounds.every(Number.isFinite)) return null;
  const [west, south, east, north] = bounds;
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  const around = Float64Array.of(
    west,
    south,
    x,
    south,
    east,
    south,
    east,
    y,
    east,
    north,
    x,
    north,
    west,
    north,
    west,
    y,
  );
  system.toWgs84(around);
  const longitudes = around.filter((_, index) => index % 2 === 0);
  const latitudes = around.filter((_, index) => index % 2 === 1);
  const found = [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)];
  return found.every(Number.isFinite) ? (found as unknown as FileBounds) : null;
}
