/** Pictures in memory: red, green, blue and a mask for each pixel, which is 0 where there is no photo, else 255. */

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel. */
  readonly data: Uint8Array;
}

export const emptyPixels = (width: number, height: number): Pixels => ({
  width,
  height,
  data: new Uint8Array(width * height * 4),
});

/** 0: no pixel is photo, 1: some are, 2: all are. */
export function coverOf({ data }: Pixels): 0 | 1 | 2 {
  const first = data[3];
  for (let at = 7; at < data.length; at += 4) if (data[at] !== first) return 1;
  return first === 255 ? 2 : 0;
}

/** Copies `from` into `to` with its corner at a column and a row; what lies beyond is left out. */
export function paste(to: Pixels, from: Pixels, column: number, row: number): void {
  const left = Math.max(0, column);
  const right = Math.min(to.width, column + from.width);
  if (left >= right) return;
  for (let y = Math.max(0, row); y < Math.min(to.height, row + from.height); y++) {
    const start = ((y - row) * from.width + left - column) * 4;
    to.data.set(from.data.subarray(start, start + (right - left) * 4), (y * to.width + left) * 4);
  }
}

/** Gives holes the mean color of the photo, so that packing draws no dark edge into it. */
export function fillHoles({ data }: Pixels): void {
  const [sums, mean] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] === 0) continue;
    count++;
    for (let band = 0; band < 3; band++)
      (sums as number[])[band] = (sums[band] as number) + (data[at + band] as number);
  }
  for (let band = 0; band < 3; band++) mean[band] = count === 0 ? 0 : Math.round((sums[band] as number) / count);
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 0) data.set(mean, at);
}
