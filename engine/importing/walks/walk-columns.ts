/** Names that apps give to the columns of a CSV and the properties of GeoJSON. */

const roles = {
  name: /^(?:name|title|label|waypoint|wpt|waypoint ?name|placemark)$/,
  note: /^(?:desc|description|notes?|comments?|cmt|remarks?)$/,
  longitude: /^(?:lon|lng|long|longitude|x|point x|x coord|gps lon|gps longitude|longitude dd|lon dd)$/,
  latitude: /^(?:lat|latitude|y|point y|y coord|gps lat|gps latitude|latitude dd|lat dd)$/,
  elevation:
    /^(?:ele|elev|elevation|altitude|alt|z|height|(?:ele|elev|elevation|altitude|alt)(?: m| meters| metres| \(m\)| \(meters\)))$/,
  time: /^(?:time|timestamp|date ?time|date time utc|utc|utc time|time created|created|created at|created on|creation date|creationdate|recorded at|time utc|gps time|when|timestamp utc)$/,
  date: /^(?:date|day|date utc)$/,
  symbol: /^(?:sym|symbol|icon|marker symbol|marker icon)$/,
  accuracy: /^(?:accuracy|accuracy m|accuracy meters|hacc|horizontal accuracy|accuracy \(m\))$/,
  track: /^(?:track|track ?name|track ?id|trk|trip|line ?name)$/,
  segment: /^(?:segment|seg|track ?seg|segment ?id|track segment)$/,
  type: /^(?:type|kind|record type)$/,
} as const;

export type ColumnRole = keyof typeof roles;

const all = Object.entries(roles) as readonly (readonly [ColumnRole, RegExp])[];

/** What a column or property holds; null: nothing that has a field here. */
export function roleOf(name: string): ColumnRole | null {
  const words = name.trim().toLowerCase().replace(/[_-]+/g, ' ');
  return all.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}
