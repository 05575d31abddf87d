/** The ink over a photo of the air, of any season and in every theme. */
import type { MapTokens } from './map-tokens.ts';

/** Over a photo of any season: light lines with a dark edge. */
export const photoInk = {
  /** Of the photo's white. */
  brightness: 0.85,
  line: '#ffffff',
  casing: '#0b1220',
  /** Around the white and blue of the chosen lot. */
  selectEdge: '#0b1f3d',
  /** Of the lines' edges. */
  casingOpacity: 0.6,
  /** Pixels that an edge adds on both sides together. */
  casingWidth: 2.4,
  /** Pixels of lots that are found, and of others; below 1.4 a line that lies between two pixels loses 3 : 1. */
  lotWidths: [
    [12, 1.2, 0.8],
    [14, 1.9, 1.4],
    [16, 2.4, 1.6],
  ],
} as const;

/** The theme's colors as they are over a photo, in every theme the same. */
export function inkOver(tokens: MapTokens): MapTokens {
  const { line, casing } = photoInk;
  const [water, warm] = ['#bfe3ff', '#ffeccb'];
  return {
    ...tokens,
    ...{ line, matchLine: line, label: line, halo: casing, lot: casing, hover: line, quiet: '#f1f1ee', text: line },
    ...{ waterLine: '#8fd0ff', waterLabel: water, roadLabel: warm, place: line, summit: warm, publicLabel: '#d9f2cf' },
    ...{ contour: '#ffdca6', contourBold: '#ffdca6', contourLabel: warm, survey: '#ffb9a8', building: '#ffe9d6' },
    ...{ flood: '#9fd2ff', rail: '#ececec', select: '#2f7de1', selectCasing: line },
    ramp: tokens.ramp.map(() => casing),
    rampInk: tokens.rampInk.map(() => line),
    isOverPhoto: true,
  };
}
