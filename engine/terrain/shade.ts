/**
 * The relief: pictures of gray and alpha that darken slopes turned away from the light and lighten those turned to it. Flat
 * ground stays untouched, so that the colors of the lots keep their meaning.
 */

/** Directions from which light comes, clockwise from north, and their parts: one lamp would hide ridges along its rays. */
const lamps: readonly { readonly degrees: number; readonly part: number }[] = [
  { degrees: 315, part: 0.6 },
  { degrees: 270, part: 0.2 },
  { degrees: 360, part: 0.2 },
];

/** Heights are drawn this many times larger: on a map slopes look flatter than on the ground, the more the farther away. */
const exaggeration = (zoom: number): number => Math.max(3, 4 + (13 - zoom) / 2);

const [shadowGray, lightGray] = [40, 255];
/** Strength of light against that of shadow. */
const lightPart = 0.55;

/**
 * Gray and alpha of each pixel, row by row; null if no height is known.
 * @param heights of `side` × `side` places, one beyond the picture on each side
 * @param meters between two places
 */
export function shaded(heights: Float32Array, side: number, meters: number, zoom: number): Uint8Array | null {
  const pixels = side - 2;
  const run = (2 * meters) / exaggeration(zoom);
  const picture = new Uint8Array(pixels * pixels * 2);
  let isEmpty = true;
  for (let row = 0; row < pixels; row++) {
    for (let column = 0; column < pixels; column++) {
      const at = (row + 1) * side + column + 1;
      const east = ((heights[at + 1] as number) - (heights[at - 1] as number)) / run;
      const south = ((heights[at + side] as number) - (heights[at - side] as number)) / run;
      const shade = shadeOf(east, south);
      if (Number.isNaN(shade)) continue;
      isEmpty = false;
      picture[2 * (row * pixels + column)] = shade < 0 ? shadowGray : lightGray;
      picture[2 * (row * pixels + column) + 1] = Math.round(255 * (shade < 0 ? -shade : shade * lightPart));
    }
  }
  return isEmpty ? null : picture;
}

const [lampEast, lampSouth] = [
  lamps.reduce((sum, { degrees, part }) => sum + part * Math.sin((degrees * Math.PI) / 180), 0),
  lamps.reduce((sum, { degrees, part }) => sum - part * Math.cos((degrees * Math.PI) / 180), 0),
];

/** −1, darkest, to 1, lightest. @param east rise over run to the east. @param south to the south */
function shadeOf(east: number, south: number): number {
  const slope = Math.hypot(east, south);
  if (slope === 0) return 0;
  // Ground that falls toward the lamps is lit.
  const turned = -(east * lampEast + south * lampSouth) / slope;
  return turned * (Math.atan(slope) / (Math.PI / 2));
}
