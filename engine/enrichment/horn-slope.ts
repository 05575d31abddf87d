/**
 * Slope of a cell in percent grade from its eight neighbors, weighted by distance: B. K. P. Horn, Hill shading and the
 * reflectance map (Proceedings of the IEEE 69, 1981); equal to `gdaldem slope -p`.
 */

/** The heights of a part of a raster. */
export interface HeightWindow {
  /** row by row; NaN: no height */
  readonly heights: Float32Array;
  readonly width: number;
}

/**
 * NaN if the cell or a neighbor has no height.
 * @param at index of the cell; all its neighbors are in the window
 * @param cell size of the cell on the ground, in the unit of the heights
 */
export function hornSlopePercent(
  { heights, width }: HeightWindow,
  at: number,
  cell: { readonly width: number; readonly height: number },
): number {
  const [north, south] = [at - width, at + width];
  const northWest = heights[north - 1] as number;
  const northEast = heights[north + 1] as number;
  const southWest = heights[south - 1] as number;
  const southEast = heights[south + 1] as number;
  const east = northEast + 2 * (heights[at + 1] as number) + southEast;
  const west = northWest + 2 * (heights[at - 1] as number) + southWest;
  const below = southWest + 2 * (heights[south] as number) + southEast;
  const above = northWest + 2 * (heights[north] as number) + northEast;
  // the cell's own height has no weight, but NaN must carry over
  const own = (heights[at] as number) * 0;
  return 100 * Math.hypot((east - west) / (8 * cell.width), (below - above) / (8 * cell.height)) + own;
}
