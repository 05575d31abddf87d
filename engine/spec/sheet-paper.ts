/** Papers of a map sheet, the scales it offers, and where its map lies on the page. */

/** Letters of a book's title. */
export const longestTitle = 80;

const pointsPerInch = 72;
const metersPerInch = 0.0254;
/** A pixel of CSS is this part of an inch, whatever the screen. */
const pixelsPerInch = 96;
/** Meters of the equator on a pixel at zoom 0, whose world is 512 pixels wide. */
const equatorPixel = (2 * Math.PI * 6_378_137) / 512;

export const pointsPerMeter = (scale: number): number => pointsPerInch / metersPerInch / scale;

/** The scale at which this many meters are a point. */
export const scaleOfMeters = (metersPerPoint: number): number => (metersPerPoint * pointsPerInch) / metersPerInch;

const metersPerPixel = (zoom: number, latitude: number): number =>
  (equatorPixel * Math.cos((latitude * Math.PI) / 180)) / 2 ** zoom;

/** Zoom of the screen's map at which it has a scale. */
export const zoomOfScale = (scale: number, latitude: number): number =>
  Math.log2((metersPerPixel(0, latitude) * pixelsPerInch) / (scale * metersPerInch));

const scaleOfZoom = (zoom: number, latitude: number): number =>
  (metersPerPixel(zoom, latitude) * pixelsPerInch) / metersPerInch;

/** Width and height in points, as they lie usually: ledger is tabloid turned. */
export const papers = {
  letter: { title: 'letter', size: [612, 792] },
  legal: { title: 'legal', size: [612, 1008] },
  a4: { title: 'A4', size: [595.28, 841.89] },
  tabloid: { title: 'tabloid', size: [792, 1224] },
  ledger: { title: 'ledger', size: [1224, 792] },
  a3: { title: 'A3', size: [841.89, 1190.55] },
} as const satisfies Record<string, { readonly title: string; readonly size: readonly [number, number] }>;

export type PaperName = keyof typeof papers;
export const paperNames = Object.keys(papers) as readonly PaperName[];

/** 1:600 is 50 ft to the inch, 1:24,000 the government's maps, 1:63,360 a mile to the inch. */
export const sheetScales = [
  600, 1200, 1800, 2400, 3000, 4800, 6000, 9600, 12_000, 15_840, 18_000, 24_000, 31_680, 48_000, 63_360, 100_000,
] as const;

/** The scale offered that is nearest to a zoom of the screen's map, by its ratio. */
export function nearestScale(zoom: number, latitude: number): number {
  const seen = Math.log(scaleOfZoom(zoom, latitude));
  const distance = (scale: number) => Math.abs(Math.log(scale) - seen);
  return sheetScales.reduce<number>((best, scale) => (distance(scale) < distance(best) ? scale : best), sheetScales[0]);
}

/** Printers leave a quarter of an inch white. */
export const sheetMargin = 26;
const [headHeight, footHeight] = [54, 102];
/** Room beside the frame for coordinates that stand upright. */
const sideRoom = 12;

/** Width and height of the page in points. */
export function pageSize(paper: PaperName, isLandscape: boolean): readonly [number, number] {
  const [width, height] = papers[paper].size;
  return isLandscape && height > width ? [height, width] : [width, height];
}

/** Where the map lies on the page, in points from the top left. */
export const mapBox = ([width, height]: readonly [number, number]) => ({
  x: sheetMargin + sideRoom,
  y: sheetMargin + headHeight,
  width: width - 2 * sheetMargin - sideRoom,
  height: height - 2 * sheetMargin - headHeight - footHeight,
});
