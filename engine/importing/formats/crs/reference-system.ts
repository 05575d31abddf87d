/**
 * Coordinate reference systems of files and their transformation to WGS84 longitude and latitude: by EPSG or Esri
 * number (from data/epsg-us.csv), or by a description (WKT of OGC or Esri, WKT 2, PROJJSON).
 */
import fs from 'node:fs';
import path from 'node:path';
import proj4 from 'proj4';
import { packageRoot } from '../../../package-root.ts';
import { EngineError, validationError } from '../../../spec/errors.ts';
import { isInBox, nameOfDatum, shiftsTo84 } from './datum-shift.ts';
import { type Inverse, LocalInverse } from './local-inverse.ts';
import { projectionText } from './projection-text.ts';
import { factsOfProjJson, factsOfWkt, type SystemFacts } from './system-facts.ts';
import { parseWktTree } from './wkt-tree.ts';

export interface ReferenceSystem {
  readonly name: string;
  /** EPSG or Esri's number, if known. */
  readonly code: number | null;
  /** Longitude and latitude in degrees; else a plane. */
  readonly isGeographic: boolean;
  /** Converts x y pairs to longitude and latitude of WGS84, in place. */
  toWgs84(coordinates: Float64Array): void;
}

/** Needs no transformation. */
export const wgs84: ReferenceSystem = { name: 'WGS 84', code: 4326, isGeographic: true, toWgs84: () => {} };

const geographic84 = '+proj=longlat +datum=WGS84 +no_defs';
const usSurveyFoot = 1200 / 3937;

/** `EPSG:3437`, `ESRI:102710`, `urn:ogc:def:crs:EPSG::3437`, `http://www.opengis.net/def/crs/EPSG/0/3437`, `3437`. */
export function codeOfName(name: string): number | null {
  const text = name.trim();
  if (/(?:^|[:/])CRS:?84$/i.test(text)) return 4326;
  const match = /^(?:.*\b(?:EPSG|ESRI)(?:\.xml)?[:/#][^\s]*?)?(\d{4,6})$/i.exec(text);
  return match ? Number(match[1]) : null;
}

let table: string | null = null;

function findRow(code: number): { name: string; datum: string; projection: string } | null {
  table ??= fs.readFileSync(path.join(packageRoot, 'data', 'epsg-us.csv'), 'utf8');
  const at = table.indexOf(`\n${code},`);
  if (at === -1) return null;
  const [, name = '', datum = '', projection = ''] = table.slice(at + 1, table.indexOf('\n', at + 1)).split(',');
  return { name, datum, projection };
}

/** EPSG's number ranges of NAD27, its state planes and UTM zones. */
const isNad27 = (code: number): boolean =>
  code === 4267 || (code >= 26_701 && code <= 26_799) || (code >= 32_001 && code <= 32_099);

/**
 * @param where the file, as refusals name it
 * @throws EngineError import_refused for a system missing from the table
 */
export function systemOfCode(code: number, where: string): ReferenceSystem {
  if (code === 4326) return wgs84;
  const row = findRow(code);
  if (row) return buildSystem({ ...row, code, where });
  if (isNad27(code)) shiftsTo84('NAD27', where);
  throw new EngineError(
    'import_refused',
    `${where}: the coordinate system number ${code} is unknown; known are NAD83 and WGS84 systems of the United States. Export the file in EPSG:4326, or name its system (--crs EPSG:…).`,
  );
}

/** A plane to draw in: state plane, UTM. */
export interface Plane {
  readonly name: string;
  readonly code: number;
  readonly metersPerUnit: number;
  /** Converts pairs of WGS84 longitude and latitude to x y, in place; the exact reverse of `toWgs84`. */
  fromWgs84(coordinates: Float64Array): void;
}

/** @throws EngineError validation_error for an unknown number (NAD27 among them), and for degrees */
export function planeOfCode(code: number): Plane {
  const row = findRow(code);
  const refuse = (why: string) =>
    validationError({ crs: [`expected the number of a NAD83 or WGS84 plane, like EPSG:2225, found ${code}, ${why}`] });
  if (!row) throw refuse('which is unknown');
  const { name, datum, projection } = row;
  if (projection.startsWith('+proj=longlat')) throw refuse(`which is in degrees (${name})`);
  const ellipsoid = ellipsoidOf(projection);
  const plain = proj4(`+proj=longlat ${ellipsoid} +no_defs`, `${projection} +no_defs`);
  const shifted = shiftsTo84(datum, name).map(({ box, toWgs84 }) => ({
    box,
    converter: proj4(geographic84, `${projection} +towgs84=${toWgs84} +no_defs`),
  }));
  const fromWgs84 = (coordinates: Float64Array) => {
    for (let at = 0; at + 1 < coordinates.length; at += 2) {
      const [longitude, latitude] = [coordinates[at] as number, coordinates[at + 1] as number];
      const { converter } = shifted.find(({ box }) => isInBox(box, longitude, latitude)) ?? { converter: plain };
      coordinates.set(converter.forward([longitude, latitude]), at);
    }
  };
  return { name, code, metersPerUnit: metersPerUnit(projection), fromWgs84 };
}

/**
 * From a file's description of its coordinates: a name with a number, WKT or PROJJSON.
 * @throws EngineError import_refused with what was found
 */
export function systemOfText(text: string, where: string): ReferenceSystem {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  const code = codeOfName(trimmed);
  if (code !== null) return systemOfCode(code, where);
  const facts = readFacts(trimmed);
  if (facts) return systemOfFacts(facts, where);
  throw new EngineError(
    'import_refused',
    `${where}: expected the description of a coordinate system (WKT), found ${JSON.stringify(trimmed.slice(0, 40))}. Name the system (--crs EPSG:…), or export the file in EPSG:4326.`,
  );
}

function readFacts(text: string): SystemFacts | null {
  if (!text.startsWith('{')) {
    const tree = parseWktTree(text);
    return tree && factsOfWkt(tree);
  }
  try {
    return factsOfProjJson(JSON.parse(text));
  } catch {
    return null;
  }
}

function systemOfFacts(facts: SystemFacts, where: string): ReferenceSystem {
  const { name, code, primeMeridian, radiansPerUnit, projection, shift } = facts;
  const refuse = (why: string) => {
    const advice = 'Export the file in EPSG:4326, or name its system (--crs EPSG:…).';
    return new EngineError(
      'import_refused',
      `${where}: the coordinate system ${JSON.stringify(name.slice(0, 80))} ${why}. ${advice}`,
    );
  };
  if (primeMeridian !== 0) throw refuse(`counts longitude from ${primeMeridian}°; expected Greenwich`);
  if (Math.abs((radiansPerUnit * 180) / Math.PI - 1) > 1e-9) throw refuse('is not in degrees');
  if (shift) throw refuse(`names its own shift to WGS84 (${shift.join(', ')}), which Platbook does not apply`);
  const text = projectionText(facts);
  if (text === null) throw refuse(`uses the projection ${JSON.stringify(projection?.method)}, which is unknown`);
  return buildSystem({ name, code, datum: nameOfDatum(facts.datumName), projection: text, where });
}

interface Definition {
  readonly name: string;
  readonly code: number | null;
  readonly datum: string;
  /** As a PROJ string, without a datum. */
  readonly projection: string;
  readonly where: string;
}

function buildSystem({ name, code, datum, projection, where }: Definition): ReferenceSystem {
  const shifts = shiftsTo84(datum, where);
  const isGeographic = projection.startsWith('+proj=longlat');
  if (isGeographic && shifts.length === 0) return { ...wgs84, name, code };
  const ellipsoid = ellipsoidOf(projection);
  const exact = exactInverse(projection, ellipsoid, shifts);
  if (isGeographic) return { name, code, isGeographic, toWgs84: (coordinates) => applyExact(exact, coordinates) };
  const local = new LocalInverse(exact, 1 / metersPerUnit(projection));
  return { name, code, isGeographic, toWgs84: (coordinates) => local.apply(coordinates) };
}

const ellipsoidOf = (projection: string): string => /\+a=\S+ \+(?:rf|b)=\S+/.exec(projection)?.[0] ?? '';

function metersPerUnit(projection: string): number {
  const given = /\+to_meter=(\S+)/.exec(projection)?.[1];
  if (given !== undefined) return Number(given);
  if (projection.includes('+units=us-ft')) return usSurveyFoot;
  return projection.includes('+units=ft') ? 0.3048 : 1;
}

function exactInverse(projection: string, ellipsoid: string, shifts: ReturnType<typeof shiftsTo84>): Inverse {
  // Without a datum on both sides, proj4 leaves longitude and latitude as they are.
  const plain = proj4(`${projection} +no_defs`, `+proj=longlat ${ellipsoid} +no_defs`);
  const shifted = shifts.map(({ box, toWgs84 }) => ({
    box,
    converter: proj4(`${projection} +towgs84=${toWgs84} +no_defs`, geographic84),
  }));
  return (x, y, out, at) => {
    let pair: number[] = [Number.NaN, Number.NaN];
    if (Number.isFinite(x) && Number.isFinite(y)) {
      pair = plain.forward([x, y]);
      const [longitude = 0, latitude = 0] = pair;
      const best = shifted.find(({ box }) => isInBox(box, longitude, latitude));
      if (best) pair = best.converter.forward([x, y]);
    }
    out[at] = pair[0] as number;
    out[at + 1] = pair[1] as number;
  };
}

function applyExact(exact: Inverse, coordinates: Float64Array): void {
  for (let index = 0; index + 1 < coordinates.length; index += 2) {
    exact(coordinates[index] as number, coordinates[index + 1] as number, coordinates, index);
  }
}
