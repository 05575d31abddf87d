/**
 * Rows of the hosted service: parcel summaries and details of its answers and exports. Its number of a parcel is kept as
 * `external_id`; ours comes from the registry. What it derives or links to is not taken over.
 */

const notTaken = new Set(['property_id', 'url', 'point', 'shape']);

/** Columns that stand in every answer, and together in no county's file. */
export const isServiceExport = (columns: readonly string[]): boolean => {
  const names = new Set(columns.map((name) => name.trim().toLowerCase()));
  return names.has('property_id') && names.has('apn') && names.has('fips');
};

export function asServiceRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const key = name.trim().toLowerCase();
    if (!notTaken.has(key)) properties[name] = value;
    else if (key === 'property_id' && value !== null && value !== undefined) properties.external_id ??= String(value);
  }
  // An export of Platbook holds both: the number that the hosted service gave is the older one.
  const given = Object.entries(row).find(([name, value]) => name.trim().toLowerCase() === 'external_id' && value);
  if (given) properties.external_id = String(given[1]);
  return properties;
}
