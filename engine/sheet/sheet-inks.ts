/** Colors and widths of printed maps: the light theme's, darker where thin lines on paper need it. */
import { type Ink, inkOf } from '../exporting/pdf-page.ts';

export const inks = {
  open: inkOf('#F6F3E9'),
  woods: inkOf('#DBE7CC'),
  water: inkOf('#BDD8E4'),
  waterLine: inkOf('#6F9FB5'),
  waterLetters: inkOf('#2C5D73'),
  contour: inkOf('#B58F5E'),
  contourBold: inkOf('#9A7142'),
  contourLetters: inkOf('#7D5A2E'),
  lotLine: inkOf('#8A8271'),
  matchLine: inkOf('#7C6233'),
  road: inkOf('#FFFFFF'),
  mainRoad: inkOf('#FFE9A8'),
  roadEdge: inkOf('#A79F8D'),
  building: inkOf('#857C6A'),
  publicBand: inkOf('#7FA35F'),
  publicLetters: inkOf('#4A6B2F'),
  survey: inkOf('#A8452F'),
  wet: inkOf('#5E9DA6'),
  letters: inkOf('#3B3A33'),
  halo: inkOf('#FBFAF5'),
  selected: inkOf('#B5231F'),
  casing: inkOf('#FFFFFF'),
  frame: inkOf('#2B2A26'),
  quiet: inkOf('#5C5B54'),
} as const satisfies Record<string, Ink>;

/** Over a photo on paper: it is lightened, and black lines lie between white edges. */
export const overPhoto = {
  /** White over the photo, 0 to 1. */
  lightening: 0.25,
  line: inkOf('#000000'),
  /** Points. */
  lineWidth: 0.8,
  casingWidth: 1.8,
  casingOpacity: 0.7,
} as const;

/** Strength of the relief. */
export const reliefStrength = 0.62;
export const lotFillOpacity = 0.9;

/** Steps of the fill of matches, from light to dark. */
export const ramp: readonly Ink[] = ['#F8E5B8', '#ECC67E', '#D79849', '#A66026', '#653411'].map(inkOf);

/** Widths in pixels of the screen's map at zoom 12, 14 and 16. */
type Widths = readonly [number, number, number];

const pointsPerPixel = 0.75;

/** The width in points at a zoom; beyond 12 and 16 as there. */
export function widthAt(zoom: number, [at12, at14, at16]: Widths): number {
  const held = Math.min(16, Math.max(12, zoom));
  const pixels = held < 14 ? at12 + ((at14 - at12) * (held - 12)) / 2 : at14 + ((at16 - at14) * (held - 14)) / 2;
  return pixels * pointsPerPixel;
}

export const widths = {
  lot: [0.35, 0.8, 1.2],
  contour: [0.45, 0.65, 0.8],
  contourBold: [0.7, 1.1, 1.4],
  water: [0.7, 0.9, 1.2],
  mainRoad: [2, 4.4, 10],
  normalRoad: [1.3, 3.2, 8],
  localRoad: [0.6, 2.2, 6.5],
} as const satisfies Record<string, Widths>;

/** A road's edges, both together, in pixels. */
export const roadEdgeWidth = 1.5 * pointsPerPixel;
