/** What the export menu offers, a line each. A test holds the names to those of the engine. */
export interface OfferedFormat {
  readonly name: string;
  readonly label: string;
  readonly docs: string;
}

export const offeredFormats: readonly OfferedFormat[] = [
  { name: 'xlsx', label: 'XLSX', docs: 'text stays text, zeros kept' },
  { name: 'csv', label: 'CSV', docs: 'plain numbers, ISO dates' },
  { name: 'geojson', label: 'GeoJSON', docs: 'shapes and columns' },
  { name: 'kml', label: 'KML', docs: 'for the phone and Earth' },
  { name: 'gpx', label: 'GPX', docs: 'one point per parcel' },
  { name: 'gpkg', label: 'GeoPackage', docs: 'for QGIS' },
  { name: 'shapefile', label: 'Shapefile', docs: 'names cut to 10 letters' },
];

export const offeredMail: readonly OfferedFormat[] = [
  { name: 'xlsx', label: 'Letters, XLSX', docs: 'one row per mailing address' },
  { name: 'csv', label: 'Letters, CSV', docs: 'the same for any program' },
  { name: 'labels-5160', label: 'Labels 5160', docs: 'PDF, 30 on a Letter sheet' },
  { name: 'labels-5163', label: 'Labels 5163', docs: 'PDF, 10 on a Letter sheet' },
  { name: 'labels-l7160', label: 'Labels L7160', docs: 'PDF, 21 on an A4 sheet' },
];
