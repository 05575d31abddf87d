/** The relief fades toward the edge of known heights, where it would end in a hard line across the map. */
import type { Heights } from './heights.ts';

/** Cells along a tile, and how far from the edge, in cells, the relief is whole. */
const [cells, reach] = [32, 4];
const window = 2 * reach + 1;
/** Corners of a tile's cells, and of those within reach around it. */
const [corners, known] = [cells + 1, cells + 1 + 2 * reach];

/** From 0 at the edge to 1 at each corner of a tile's cells, in rows of 33; null where no edge is near. */
export function edgeFade(heights: Heights, zoom: number, x: number, y: number): Float32Array | null {
  const around = heights.lattice(zoom, x, y, { from: -reach / cells, step: 1 / cells, side: known });
  if (!around.some(Number.isNaN)) return null;
  const columns = sums(around.map((height) => (Number.isNaN(height) ? 0 : 1)));
  // At the last known corner before a straight edge, its own line and those of one side are known.
  const least = window * (reach + 1);
  return sums(columns).map((count) => Math.max(0, count - least) / (window ** 2 - least));
}

/** Sums of `window` numbers of each row; rows and columns change places. */
function sums(values: Float32Array): Float32Array {
  const rows = values.length / known;
  const summed = new Float32Array(rows * corners);
  for (let row = 0; row < rows; row++) {
    for (let corner = 0; corner < corners; corner++) {
      const at = row * known + corner;
      for (let i = 0; i < window; i++)
        summed[corner * rows + row] = (summed[corner * rows + row] as number) + (values[at + i] as number);
    }
  }
  return summed;
}

/** Weakens the alpha of a picture of gray and alpha by a fade, bilinear between its corners. */
export function fadeAlpha(picture: Uint8Array, pixels: number, fade: Float32Array): void {
  for (let row = 0; row < pixels; row++) {
    for (let column = 0; column < pixels; column++) {
      const alpha = 2 * (row * pixels + column) + 1;
      picture[alpha] = Math.round(
        (picture[alpha] as number) * between(fade, ((column + 0.5) / pixels) * cells, ((row + 0.5) / pixels) * cells),
      );
    }
  }
}

function between(fade: Float32Array, column: number, row: number): number {
  const [left, top] = [Math.floor(column), Math.floor(row)];
  const [across, down] = [column - left, row - top];
  const at = top * corners + left;
  const upper = (fade[at] as number) * (1 - across) + (fade[at + 1] as number) * across;
  const lower = (fade[at + corners] as number) * (1 - across) + (fade[at + corners + 1] as number) * across;
  return upper * (1 - down) + lower * down;
}
