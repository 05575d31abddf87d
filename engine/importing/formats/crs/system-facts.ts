/**
 * The facts of a coordinate system that a transformation needs, from a description in any form (WKT 1 or 2, PROJJSON).
 */
import { findChild, textOfNode, type WktNode } from './wkt-tree.ts';

export interface SystemFacts {
  readonly name: string;
  /** EPSG or Esri's number, if the description names one. */
  readonly code: number | null;
  readonly datumName: string;
  readonly semiMajorAxis: number;
  readonly inverseFlattening: number;
  readonly primeMeridian: number;
  /** Radians per angular unit; the default unit of parameters. */
  readonly radiansPerUnit: number;
  /** Null for longitude and latitude. */
  readonly projection: ProjectionFacts | null;
  /** The seven parameters to WGS84 in the text itself. */
  readonly shift: readonly number[] | null;
}

export interface ProjectionFacts {
  /** In lower case, with _ for every other character than letters and digits. */
  readonly method: string;
  /** Under the same kind of names: angles in degrees, lengths in meters. */
  readonly parameters: ReadonlyMap<string, number>;
  readonly metersPerUnit: number;
  /** GDAL's extension of WKT 1 for projections it lacks. */
  readonly extension: string;
}

const folded = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

const radiansPerDegree = Math.PI / 180;
const geographicKeywords = [
  'GEOGCS',
  'GEOGCRS',
  'GEODCRS',
  'BASEGEOGCRS',
  'BASEGEODCRS',
  'GEOGRAPHICCRS',
  'GEODETICCRS',
];
const projectedKeywords = ['PROJCS', 'PROJCRS', 'PROJECTEDCRS'];
const unitKeywords = ['UNIT', 'LENGTHUNIT', 'ANGLEUNIT'];
const wrappers = ['COMPD_CS', 'COMPOUNDCRS', 'BOUNDCRS', 'SOURCECRS'];

/** The horizontal system in a compound or bound one. */
function horizontalPart(node: WktNode): WktNode | null {
  if (geographicKeywords.includes(node.keyword) || projectedKeywords.includes(node.keyword)) return node;
  if (!wrappers.includes(node.keyword)) return null;
  for (const child of node.children) {
    const found = horizontalPart(child);
    if (found) return found;
  }
  return null;
}

const numberAt = (node: WktNode | undefined, index: number): number | undefined => {
  const value = node?.values[index];
  return typeof value === 'number' ? value : undefined;
};

/** Null if the tree is not a horizontal coordinate system. */
export function factsOfWkt(root: WktNode): SystemFacts | null {
  const node = horizontalPart(root);
  if (node === null) return null;
  const isProjected = projectedKeywords.includes(node.keyword);
  const base = isProjected ? findChild(node, ...geographicKeywords) : node;
  const datum = base && findChild(base, 'DATUM', 'GEODETICDATUM', 'TRF', 'ENSEMBLE');
  const ellipsoid = datum && findChild(datum, 'SPHEROID', 'ELLIPSOID');
  const semiMajorAxis = numberAt(ellipsoid, 1);
  if (!base || !datum || semiMajorAxis === undefined) return null;
  const shift = findChild(datum, 'TOWGS84')?.values.filter((value) => typeof value === 'number');
  const radiansPerUnit = angularUnit(base);
  return {
    name: textOfNode(node),
    code: codeOf(node),
    datumName: `${textOfNode(datum)} ${textOfNode(base)}`,
    semiMajorAxis,
    inverseFlattening: numberAt(ellipsoid, 2) ?? 0,
    primeMeridian: numberAt(findChild(base, 'PRIMEM', 'PRIMEMERIDIAN'), 1) ?? 0,
    radiansPerUnit,
    projection: isProjected ? projectionOf(node, radiansPerUnit) : null,
    shift: shift?.some((value) => value !== 0) ? shift : null,
  };
}

function angularUnit(base: WktNode): number {
  const inAxis = base.children
    .filter((child) => child.keyword === 'AXIS')
    .map((axis) => findChild(axis, 'ANGLEUNIT'))[0];
  return numberAt(findChild(base, 'UNIT', 'ANGLEUNIT') ?? inAxis, 1) ?? radiansPerDegree;
}

function codeOf(node: WktNode): number | null {
  const id = findChild(node, 'AUTHORITY', 'ID');
  if (!/^(?:EPSG|ESRI)$/i.test(textOfNode(id))) return null;
  const code = Number(id?.values[1]);
  return Number.isInteger(code) ? code : null;
}

function projectionOf(node: WktNode, radiansPerUnit: number): ProjectionFacts | null {
  const conversion = findChild(node, 'CONVERSION') ?? node;
  const method = folded(textOfNode(findChild(conversion, 'PROJECTION', 'METHOD')));
  const inAxis = node.children
    .filter((child) => child.keyword === 'AXIS')
    .map((axis) => findChild(axis, 'LENGTHUNIT'))[0];
  const metersPerUnit = numberAt(findChild(node, 'UNIT', 'LENGTHUNIT') ?? inAxis, 1) ?? 1;
  const parameters = new Map<string, number>();
  for (const parameter of conversion.children) {
    if (parameter.keyword !== 'PARAMETER') continue;
    const name = folded(textOfNode(parameter));
    const value = numberAt(parameter, 1);
    if (value === undefined) continue;
    const unit = numberAt(findChild(parameter, ...unitKeywords), 1);
    parameters.set(name, inOurUnits(name, value, unit, { metersPerUnit, radiansPerUnit }));
  }
  const extension = textOfSecond(findChild(node, 'EXTENSION'));
  return method === '' ? null : { method, parameters, metersPerUnit, extension };
}

const textOfSecond = (node: WktNode | undefined): string => (typeof node?.values[1] === 'string' ? node.values[1] : '');

const isLength = (name: string): boolean => /easting|northing/.test(name);
const isRatio = (name: string): boolean => /scale|factor|xy_plane|type/.test(name);

/** Lengths in meters, angles in degrees. WKT 1 gives lengths in the system's unit, WKT 2 in the parameter's own. */
function inOurUnits(
  name: string,
  value: number,
  unit: number | undefined,
  { metersPerUnit, radiansPerUnit }: { metersPerUnit: number; radiansPerUnit: number },
): number {
  if (isRatio(name)) return value;
  if (isLength(name)) return value * (unit ?? metersPerUnit);
  const factor = unit ?? radiansPerUnit;
  // Degrees stay exactly as written.
  return Math.abs(factor / radiansPerDegree - 1) < 1e-9 ? value : (value * factor) / radiansPerDegree;
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** A unit of PROJJSON: `"degree"`, `"metre"`, or an object with its factor. */
function factorOf(unit: unknown, standard: number): number {
  const factor = recordOf(unit).conversion_factor;
  return typeof factor === 'number' ? factor : standard;
}

/** Null if the object is not a horizontal coordinate system. */
export function factsOfProjJson(given: unknown): SystemFacts | null {
  const root = recordOf(given);
  if (root.type === 'CompoundCRS') return factsOfProjJson(Object.values(recordOf(root.components))[0]);
  if (root.type === 'BoundCRS') return factsOfProjJson(root.source_crs);
  const isProjected = root.type === 'ProjectedCRS';
  const base = isProjected ? recordOf(root.base_crs) : root;
  const datum = recordOf(base.datum ?? base.datum_ensemble);
  const ellipsoid = recordOf(datum.ellipsoid);
  const { semi_major_axis: axis, inverse_flattening: flattening = 0, semi_minor_axis: minor } = ellipsoid;
  if (typeof axis !== 'number') return null;
  const inverse = typeof minor === 'number' && minor !== axis ? axis / (axis - minor) : Number(flattening);
  const code = Number(recordOf(root.id).code);
  return {
    name: String(root.name ?? ''),
    code: Number.isInteger(code) && code > 0 ? code : null,
    datumName: `${String(datum.name ?? '')} ${String(base.name ?? '')}`,
    semiMajorAxis: axis,
    inverseFlattening: inverse,
    primeMeridian: Number(recordOf(datum.prime_meridian).longitude ?? 0),
    radiansPerUnit: radiansPerDegree,
    projection: isProjected ? projectionOfJson(root) : null,
    shift: null,
  };
}

function projectionOfJson(root: Record<string, unknown>): ProjectionFacts | null {
  const conversion = recordOf(root.conversion);
  const axes = Object.values(recordOf(recordOf(root.coordinate_system).axis));
  const metersPerUnit = factorOf(recordOf(axes[0]).unit, 1);
  const parameters = new Map<string, number>();
  for (const item of Object.values(recordOf(conversion.parameters))) {
    const { name, value, unit } = recordOf(item);
    if (typeof value !== 'number') continue;
    const key = folded(String(name));
    const factor = factorOf(unit, isLength(key) ? 1 : radiansPerDegree);
    parameters.set(key, inOurUnits(key, value, factor, { metersPerUnit, radiansPerUnit: radiansPerDegree }));
  }
  const method = folded(String(recordOf(conversion.method).name ?? ''));
  return method === '' ? null : { method, parameters, metersPerUnit, extension: '' };
}
