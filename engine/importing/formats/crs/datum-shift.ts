/**
 * The North American datums on their way to WGS84, as PROJ (and so ogr2ogr) goes it by default and without grids: identity where
 * the published transformation is none, a Helmert transformation where the best one of the place is that. `box` is the area of
 * use of the EPSG operation; PROJ takes the operation whose box holds the point.
 *
 * For a projected system PROJ compares with the box as that projection bends it, so that in the western Aleutians (west of 172.54° W)
 * it answers by the system and not by the place: Atka is shifted by 0.9 m out of UTM zone 2 and not out of Alaska zone 10. Here the place
 * decides, in every system alike; both lie within what the datum is good for there (8 m).
 */
import { EngineError } from '../../../spec/errors.ts';

export interface DatumShift {
  /** EPSG code of the operation. */
  readonly operation: number;
  /** West, south, east, north in degrees; west above east crosses the antimeridian. */
  readonly box: readonly [number, number, number, number];
  /** Metres, then seconds of arc (position vector), then parts per million, as PROJ's +towgs84. */
  readonly toWgs84: string;
}

/** East of 172.54° W the identity of the mainland (EPSG 1188) is rated better, and taken. */
const aleutians: DatumShift = { operation: 1251, box: [172.42, 51.3, -172.54, 54.34], toWgs84: '-2,0,4' };
const hawaii: DatumShift = { operation: 1252, box: [-163.74, 15.56, -151.27, 25.58], toWgs84: '1,1,-1' };
/** EPSG gives its rotations in radians of the coordinate frame, hence the other sign: -1.25033e-7, -4.6785e-8, -5.6529e-8. */
const harnOfConus: DatumShift = {
  operation: 1901,
  box: [-124.79, 24.41, -66.91, 49.38],
  toWgs84: '-0.991,1.9072,0.5129,0.0257899075194932,0.0096500989602704,0.0116599432323421,0',
};

/** By the names of data/epsg-us.csv; a datum that is not here is refused. */
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

/** How descriptions name the datums; the first that fits. */
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

/** The datum that a description means, as data/epsg-us.csv names it; else the description's own words. */
export const nameOfDatum = (description: string): string =>
  datumNames.find(([pattern]) => pattern.test(description))?.[1] ?? description.trim();

/** @throws EngineError import_refused for datums whose way to WGS84 is not known or needs a grid */
export function shiftsTo84(datum: string, where: string): readonly DatumShift[] {
  const shifts = shiftsOfDatum.get(datum);
  if (shifts) return shifts;
  const why =
    datum === 'NAD27'
      ? 'NAD27 needs the grid of its survey to come within a metre; none is bundled, and it is not approximated'
      : `the way from the datum ${JSON.stringify(datum.slice(0, 80))} to WGS84 is not known here`;
  throw new EngineError(
    'import_refused',
    `${where}: ${why}. Export the file in EPSG:4326, or in a NAD83 or WGS84 system.`,
  );
}

export function isInBox([west, south, east, north]: DatumShift['box'], longitude: number, latitude: number): boolean {
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}
