/** Lengths and areas for the map, in the user's units. Pure functions. */
import { formatNumber } from '../parts/format.ts';

export const unitSystems = ['ft, ac', 'ft, sq ft', 'm, ha'] as const;
/** Units of lengths and areas; the status bar shows them. */
export type UnitSystem = (typeof unitSystems)[number];

/** International foot and mile. */
export const metersPerFoot = 0.3048;
const feetPerMile = 5280;
/** International acre: 43,560 square feet. */
export const squareMetersPerAcre = 4046.8564224;
const squareMetersPerHectare = 10_000;

export const isMetric = (units: UnitSystem): boolean => units === 'm, ha';

/** `612 ft`, `1.42 mi`, `350 m`, `2.1 km`. */
export function formatLength(meters: number, units: UnitSystem): string {
  if (isMetric(units)) {
    return meters < 1000 ? `${formatNumber(meters, meters < 10 ? 1 : 0)} m` : `${formatNumber(meters / 1000, 2)} km`;
  }
  const feet = meters / metersPerFoot;
  return feet < feetPerMile ? `${formatNumber(feet, 0)} ft` : `${formatNumber(feet / feetPerMile, 2)} mi`;
}

/** `40.25 ac`, `1,753,290 sq ft`, `16.29 ha`. */
export function formatArea(squareMeters: number, units: UnitSystem): string {
  if (units === 'm, ha') return `${formatNumber(squareMeters / squareMetersPerHectare, 2)} ha`;
  if (units === 'ft, sq ft') return `${formatNumber(squareMeters / metersPerFoot ** 2, 0)} sq ft`;
  return `${formatNumber(squareMeters / squareMetersPerAcre, 2)} ac`;
}

/** Converts acres for a label: a factor, decimals and a unit. */
export const acreLabel = (
  units: UnitSystem,
): { readonly factor: number; readonly digits: number; readonly unit: string } =>
  units === 'm, ha'
    ? { factor: squareMetersPerAcre / squareMetersPerHectare, digits: 1, unit: 'ha' }
    : units === 'ft, sq ft'
      ? { factor: 43_560, digits: 0, unit: 'sq ft' }
      : { factor: 1, digits: 1, unit: 'ac' };

interface ScaleStep {
  readonly pixels: number;
  readonly words: string;
}

/** The longest 1, 2, 3 or 5 times a power of ten that fits. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [5, 3, 2, 1].find((one) => one * power <= value) ?? 1;
  return factor * power;
}

/**
 * The two bars of the scale: feet or miles, and meters or kilometers.
 * @param metersPerPixel on the ground, at the center of the map
 */
export function scaleSteps(metersPerPixel: number, maximumPixels: number): { feet: ScaleStep; meters: ScaleStep } {
  const meters = metersPerPixel * maximumPixels;
  const feet = meters / metersPerFoot;
  const isMiles = feet >= feetPerMile;
  const feetStep = isMiles ? roundBelow(feet / feetPerMile) : roundBelow(feet);
  const metersStep = roundBelow(meters);
  const isKilometers = metersStep >= 1000;
  const lengthOf = (length: number) => Math.round((length / metersPerPixel) * 10) / 10;
  return {
    feet: {
      pixels: lengthOf(feetStep * metersPerFoot * (isMiles ? feetPerMile : 1)),
      words: `${formatNumber(feetStep)} ${isMiles ? 'mi' : 'ft'}`,
    },
    meters: {
      pixels: lengthOf(metersStep),
      words: isKilometers ? `${formatNumber(metersStep / 1000)} km` : `${formatNumber(metersStep)} m`,
    },
  };
}

/** Meters on the ground per CSS pixel of a map with 512-pixel tiles (the sphere of Web Mercator, 6,378,137 m). */
export const metersPerPixel = (latitude: number, zoom: number): number =>
  (Math.cos((latitude * Math.PI) / 180) * 2 * Math.PI * 6_378_137) / (512 * 2 ** zoom);

/** `1 : 15,000`, for a CSS pixel of 1/96 inch, to two significant digits. */
export function scaleRatio(metersPerPixelOnGround: number): string {
  const ratio = metersPerPixelOnGround / (0.0254 / 96);
  return `1 : ${formatNumber(Number(ratio.toPrecision(2)))}`;
}

/** `44.1027, −71.8316`: about ten meters. */
export const formatPlace = (longitude: number, latitude: number): string =>
  `${formatNumber(latitude, 4)}, ${formatNumber(longitude, 4)}`;
