/**
 * Transformations of the North American datums to WGS84, as PROJ (and so ogr2ogr) applies them by default without
 * grids: the identity where the published transformation is null, a Helmert transformation where that is the best one
 * for the place. `box` is the area of use of the EPSG operation; PROJ takes the operation whose box holds the point.
 *
 * For a projected system PROJ bends the box by the projection, so in the western Aleutians (west of 172.54° W) its
 * answer depends on the system: it shifts Atka by 0.9 m from UTM zone 2, but not from Alaska zone 10. Here only the
 * place decides; both lie within the datum's accuracy there (8 m).
 */
import { EngineError } from '../../../spec/errors.ts';

interface DatumShift {
  /** EPSG code of the operation. */
  readonly operation: number;
  /** West, south, east, north in degrees; west above east crosses the antimeridian. */
  readonly box: readonly [number, number, number, number];
  /** Meters, then seconds of arc (position vector), then parts per million, as PROJ's +towgs84. */
  readonly toWgs84: string;
}

/** East of 172.54° W the mainland's identity (EPSG 1188) is rated better, and used. */
const aleutians: DatumShift = { operation: 1251, box: [172.42, 51.3, -172.54, 54.34], toWgs84: '-2,0,4' };
const hawaii: DatumShift = { operation: 1252, box: [-163.74, 15.56, -151.27, 25.58], toWgs84: '1,1,-1' };
/**
 * EPSG gives its rotations as coordinate frame radians, hence the opposite sign: -1.25033e-7, -4.6785e-8, -5.6529e-8.
 */
const harnOfConus: DatumShift = {
  operation: 1901,
  box: [-124.79, 24.41, -66.91, 49.38],
  toWgs84: '-0.991,1.9072,0.5129,0.0257899075194932,0.0096500989602704,0.0116599432323421,0',
};

/** By the names in data/epsg-us.csv; other datums are refused. */
const shiftsOfDatum: ReadonlyMap<string, readonly DatumShift[]> = new Map([
  ['WGS 84', []],
  ['NAD83', [aleutians, hawaii]],
  ['NAD83(HARN)', [harnOfConus]],
  ['NAD83(HARN) adjusted', []],
  ['NAD83(FBN)', []],
  ['NAD83(CORS96)', []],
  ['NAD83(NSRS2007)', []],
  ['NAD83(2011)', []],
  ['NAD83(PA11)', []],
  ['NAD83(MA11)', []],
]);

/** Names of datums in descriptions; the first match counts. */
const datumNames: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/NAD_1983_HARN_Adj/i, 'NAD83(HARN) adjusted'],
  [/1927|NAD27/i, 'NAD27'],
  [/CSRS/i, 'NAD83(CSRS)'],
  [/HARN|High Accuracy Reference/i, 'NAD83(HARN)'],
  [/NSRS ?2007|National Spatial Reference System 2007/i, 'NAD83(NSRS2007)'],
  [/CORS ?96|Operating Reference Station 1996/i, 'NAD83(CORS96)'],
  [/1983_2011|NAD83\(2011\)|National Spatial Reference System 2011/i, 'NAD83(2011)'],
  [/PA11/i, 'NAD83(PA11)'],
  [/MA11/i, 'NAD83(MA11)'],
  [/Federal Base Network|NAD83\(FBN\)|NAD_1983_FBN/i, 'NAD83(FBN)'],
  [/North.?American.?(?:Datum.?)?1983|NAD83|NAD_1983/i, 'NAD83'],
  [/WGS.?(?:19)?84|World Geodetic System 1984/i, 'WGS 84'],
];

/** The datum of a description, as data/epsg-us.csv names it; else the description's own words. */
export const nameOfDatum = (description: string): string =>
  datumNames.find(([pattern]) => pattern.test(description))?.[1] ?? description.trim();

/** @throws EngineError import_refused for datums whose transformation to WGS84 is unknown or needs a grid */
export function shiftsTo84(datum: string, where: string): readonly DatumShift[] {
  const shifts = shiftsOfDatum.get(datum);
  if (shifts) return shifts;
  const why =
    datum === 'NAD27'
      ? 'NAD27 needs the grid of its survey for an accuracy of one meter; none is bundled, and Platbook does not approximate it'
      : `the transformation from the datum ${JSON.stringify(datum.slice(0, 80))} to WGS84 is unknown`;
  throw new EngineError(
    'import_refused',
    `${where}: ${why}. Export the file in EPSG:4326, or in a NAD83 or WGS84 system.`,
  );
}

export function isInBox([west, south, east, north]: DatumShift['box'], longitude: number, latitude: number): boolean {
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}
