/**
 * Rows of the hosted service: parcel summaries and details of its answers and exports. Its number of a parcel becomes
 * `external_id`; ours comes from the registry. Fields it derives or links to are not imported.
 */

const notTaken = new Set(['property_id', 'url', 'point', 'shape']);

/** Columns of every answer, which no county's file has together. */
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
  // An export of Platbook has both: the hosted service's number is the older one.
  const given = Object.entries(row).find(([name, value]) => name.trim().toLowerCase() === 'external_id' && value);
  if (given) properties.external_id = String(given[1]);
  return properties;
}
