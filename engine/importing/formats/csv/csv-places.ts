/** Finds the location of a table's rows: a column of WKT, of hexadecimal WKB or of GeoJSON, or two of coordinates. */
import { FlatGeometry } from '../../../geo/ring-geometry.ts';
import type { ReferenceSystem } from '../crs/reference-system.ts';
import { readWkb } from '../shapes/wkb.ts';
import { looksLikeWkt, readWktShape } from '../shapes/wkt-shape.ts';

export type Place =
  | { readonly kind: 'wkt' | 'wkb' | 'geojson' | 'pair'; readonly column: number }
  | { readonly kind: 'coordinates'; readonly x: number; readonly y: number };

type Row = readonly (string | null)[];

const shapeNames =
  /^(?:wkt|wkb|wkt_?geom(?:etry)?|the_geom(?:etry)?|geom(?:etry)?|wkb_geometry|geom_?wkt|shape|geo_?shape|polygon|boundary|point)$/i;
/** Degrees before x and y, which may be feet: a table may have both. */
const pairsOfNames: readonly (readonly [longitude: RegExp, latitude: RegExp])[] = [
  [
    /^(?:lon|lng|long|longitude|lon_?dd|intptlon|centroid_?lon|parcel_?lon(?:gitude)?)$/i,
    /^(?:lat|latitude|lat_?dd|intptlat|centroid_?lat|parcel_?lat(?:itude)?)$/i,
  ],
  [/^(?:x|point_?x|x_?coord(?:inate)?|centroid_?x)$/i, /^(?:y|point_?y|y_?coord(?:inate)?|centroid_?y)$/i],
];

/** Shapes before points: a table may have both. */
const kinds: readonly (readonly [kind: 'wkt' | 'wkb' | 'geojson' | 'pair', fits: (text: string) => boolean])[] = [
  ['wkt', looksLikeWkt],
  ['wkb', (text) => /^0[01][0-9a-f]{40,}$/i.test(text)],
  ['geojson', (text) => /^\s*\{\s*"(?:type|coordinates)"/.test(text)],
  ['pair', (text) => /^\[\s*-?[\d.]+\s*,\s*-?[\d.]+\s*\]$/.test(text)],
];

/** @param rows the first of the table; a column counts only if its values match its name */
export function findPlace(columns: readonly string[], rows: readonly Row[]): Place | null {
  const named = columns.flatMap((name, index) => (shapeNames.test(name.trim()) ? [index] : []));
  for (const [kind, fits] of kinds) {
    const column = named.find((index) => {
      const first = rows.find((row) => row[index] !== null)?.[index];
      return typeof first === 'string' && fits(first);
    });
    if (column !== undefined) return { kind, column };
  }
  for (const [longitude, latitude] of pairsOfNames) {
    const x = columns.findIndex((name) => longitude.test(name.trim()));
    const y = columns.findIndex((name) => latitude.test(name.trim()));
    if (x !== -1 && y !== -1) return { kind: 'coordinates', x, y };
  }
  return null;
}

/** A GeoJSON geometry, a flat one, or null if the row has none. */
export function geometryAt(place: Place, row: Row, systemOfSrid: (srid: number | null) => ReferenceSystem): unknown {
  if (place.kind === 'coordinates') return pointOf(row[place.x] ?? null, row[place.y] ?? null, systemOfSrid(null));
  const text = row[place.column];
  if (!text) return null;
  if (place.kind === 'wkt') return readWktShape(text, systemOfSrid);
  if (place.kind === 'wkb') {
    if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return FlatGeometry.ofProblem('Expected hexadecimal WKB, found other text.');
    return readWkb(Buffer.from(text, 'hex'), systemOfSrid(null));
  }
  const value = parseJson(text);
  if (place.kind === 'geojson' || value === undefined)
    return value ?? FlatGeometry.ofProblem('Expected JSON, found other text.');
  const [x, y] = Array.isArray(value) ? value.map(String) : [];
  return pointOf(x ?? null, y ?? null, systemOfSrid(null));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** Zeros are compared before a projection makes a place of them. */
function pointOf(x: string | null, y: string | null, system: ReferenceSystem): FlatGeometry | null {
  if (x === null || y === null) return null;
  if (Number(x) === 0 && Number(y) === 0) return FlatGeometry.zeros;
  if (!plainNumber.test(x) || !plainNumber.test(y)) {
    return FlatGeometry.ofProblem(`Expected a pair of coordinates, found ${JSON.stringify(`${x} ${y}`.slice(0, 40))}.`);
  }
  const point = Float64Array.of(Number(x), Number(y));
  system.toWgs84(point);
  return FlatGeometry.ofPoint(point[0] as number, point[1] as number);
}
