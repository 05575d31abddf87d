/** Converts areas of the filter between WKT in longitude latitude and the map's shapes. Pure functions. */
import type { MultiPolygon, Polygon, Position } from 'geojson';

/** 7 decimals are about a centimeter. */
const decimals = 7;

const pair = ([longitude = 0, latitude = 0]: Position): string =>
  `${Number(longitude.toFixed(decimals))} ${Number(latitude.toFixed(decimals))}`;

const ringText = (ring: readonly Position[]): string => `(${ring.map(pair).join(', ')})`;

export const toWkt = ({ coordinates }: Polygon): string => `POLYGON (${coordinates.map(ringText).join(', ')})`;

/** The text as a shape; null if it is not a readable polygon. Only the engine judges whether it is valid. */
export function parseArea(text: string): Polygon | MultiPolygon | null {
  const match = /^\s*(?:SRID=\d+;)?\s*(POLYGON|MULTIPOLYGON)\s*(\(.*\))\s*$/is.exec(text);
  if (!match) return null;
  const [, type = '', body = ''] = match;
  const json = body
    .replace(/\(/g, '[')
    .replace(/\)/g, ']')
    .replace(/(-?[\d.]+(?:e[+-]?\d+)?)\s+(-?[\d.]+(?:e[+-]?\d+)?)/gi, '[$1,$2]');
  try {
    const coordinates = JSON.parse(json);
    return type.toUpperCase() === 'POLYGON' ? { type: 'Polygon', coordinates } : { type: 'MultiPolygon', coordinates };
  } catch {
    return null;
  }
}
