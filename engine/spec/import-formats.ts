/**
 * Formats of files that hold parcels or layers, each said once: readers, refusals, file choices and words derive from it. A
 * format that GDAL reads is one row here with `gdal`, and a test.
 */

/** How the GDAL that ships reads a format (formats/gdal). */
export interface GdalFormat {
  /** GDAL's name of the driver: the only one that may open such a file. */
  readonly driver: string;
  /** The beginning of the file, of XML from its root element on; null for folders, which are known by their parts. */
  readonly begins: RegExp | null;
  /** How a whole file ends: with the end of its root element, or by a mark. Null where only its counts tell. */
  readonly ends: 'root' | { readonly mark: RegExp; readonly words: string } | null;
  /** GDAL's settings for it, beside those of every format. */
  readonly config?: Readonly<Record<string, string>>;
  /** For drawings, whose closed lines are areas: GDAL's one layer, and the property that names the drawing's layers. */
  readonly drawing?: { readonly layer: string; readonly layersBy: string };
  /** The coordinate system of a file that names none, as all programs take it. */
  readonly assumes?: string;
  /** Its values have no types: digits may be a text with leading zeros. */
  readonly textOnly?: true;
}

interface ImportFormat {
  /** Its usual name. */
  readonly label: string;
  /** Endings of its files, in lower case, without the dot. The content decides, never the ending. */
  readonly endings: readonly string[];
  /** Endings of the files that belong to it, in the same folder under the same name. */
  readonly beside?: { readonly needed: readonly string[]; readonly also: readonly string[] };
  /** The format cannot name a coordinate system: the user always does. */
  readonly lacksSystem?: true;
  /** Takes fewer bytes than a text of the same rows. */
  readonly isCompact?: true;
  readonly gdal?: GdalFormat;
}

/** In the order in which they are listed. */
export const importFormats = {
  shapefile: {
    label: 'Shapefile',
    endings: ['shp'],
    beside: { needed: ['shx', 'dbf'], also: ['prj', 'cpg'] },
  },
  geopackage: { label: 'GeoPackage', endings: ['gpkg'], isCompact: true },
  'file-geodatabase': {
    label: 'File Geodatabase',
    endings: ['gdb'],
    isCompact: true,
    gdal: { driver: 'OpenFileGDB', begins: null, ends: null },
  },
  geojson: { label: 'GeoJSON', endings: ['geojson', 'json'] },
  'geojson-lines': { label: 'GeoJSON lines', endings: ['geojsonl', 'ndjson', 'jsonl'] },
  topojson: {
    label: 'TopoJSON',
    endings: ['topojson'],
    gdal: {
      driver: 'TopoJSON',
      begins: /^\{\s*"type"\s*:\s*"Topology"/,
      ends: { mark: /\}\s*$/, words: 'its closing brace' },
      assumes: 'EPSG:4326',
    },
  },
  flatgeobuf: { label: 'FlatGeobuf', endings: ['fgb'], isCompact: true },
  geoparquet: { label: 'GeoParquet', endings: ['parquet', 'geoparquet'], isCompact: true },
  kml: { label: 'KML', endings: ['kml', 'kmz'] },
  gml: {
    label: 'GML',
    endings: ['gml'],
    gdal: {
      driver: 'GML',
      begins: /^<[^<>]*["']https?:\/\/www\.opengis\.net\/(?:gml|wfs)/,
      ends: 'root',
      // Without them GDAL makes 12 of 0012, and follows links to other files.
      config: { GML_FIELDTYPES: 'ALWAYS_STRING', GML_SKIP_RESOLVE_ELEMS: 'ALL' },
      textOnly: true,
    },
  },
  'mapinfo-tab': {
    label: 'MapInfo TAB',
    endings: ['tab'],
    beside: { needed: ['dat', 'map', 'id'], also: ['ind'] },
    isCompact: true,
    gdal: { driver: 'MapInfo File', begins: /^!table\b/i, ends: null },
  },
  'mapinfo-mif': {
    label: 'MapInfo MIF',
    endings: ['mif'],
    beside: { needed: ['mid'], also: [] },
    gdal: { driver: 'MapInfo File', begins: /^version\s+\d{3,4}\s/i, ends: null },
  },
  dxf: {
    label: 'DXF',
    endings: ['dxf'],
    lacksSystem: true,
    gdal: {
      driver: 'DXF',
      begins: /^(?:999\s*\n[^\n]*\n\s*)*0\s+SECTION\s/,
      ends: { mark: /\n[ \t]*0[ \t]*\r?\n[ \t]*EOF\s*$/, words: 'its EOF mark' },
      // A block may be made of blocks: taken apart, a few bytes are gigabytes, and symbols are no lots.
      config: { DXF_INLINE_BLOCKS: 'FALSE' },
      drawing: { layer: 'entities', layersBy: 'Layer' },
    },
  },
  csv: { label: 'CSV', endings: ['csv', 'tsv', 'txt'] },
  land: { label: 'Platbook', endings: ['sqlite'] },
  'service-answers': { label: 'saved answers of the hosted service', endings: ['json'] },
} as const satisfies Record<string, ImportFormat>;

export type ParcelFormat = keyof typeof importFormats;

/** Those that GDAL reads. */
export type GdalFormatName = {
  [Name in ParcelFormat]: (typeof importFormats)[Name] extends { readonly gdal: GdalFormat } ? Name : never;
}[ParcelFormat];

export const formatOf = (name: ParcelFormat): ImportFormat => importFormats[name];

/** Tables without shapes, which are joined to parcels, or hold comps and contacts. */
const tableFormats = { csv: 'CSV', dbf: 'dBASE', xlsx: 'Excel' } as const;

export const formatLabel = (name: ParcelFormat | keyof typeof tableFormats): string =>
  name in importFormats ? importFormats[name as ParcelFormat].label : tableFormats[name as keyof typeof tableFormats];

const all = Object.entries(importFormats) as [ParcelFormat, ImportFormat][];

export const gdalFormats = all.flatMap(([name, { gdal, endings }]) =>
  gdal ? [{ name: name as GdalFormatName, endings, ...gdal }] : [],
);

/** Archives of the others, and rasters of elevation. */
const otherEndings = ['zip', 'tif', 'tiff'];

/** Endings of everything that an import reads, without the dot. */
export const importEndings: readonly string[] = [
  ...new Set([...all.flatMap(([, { endings }]) => endings), ...Object.keys(tableFormats), ...otherEndings]),
];

/** Whether a name ends as files of one of these formats do. */
export const endsAs = (name: string, which: (format: ImportFormat) => boolean): boolean =>
  all.some(([, format]) => which(format) && format.endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`)));

/** Endings of the files that belong to one of this name. */
export const partEndings = (name: string): readonly string[] =>
  all.flatMap(([, { endings, beside }]) =>
    beside && endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`))
      ? [...beside.needed, ...beside.also]
      : [],
  );

/** The formats in a sentence: what people have in files, without Platbook's own. */
export const formatWords = (): string =>
  all
    .filter(([name]) => name !== 'land' && name !== 'service-answers')
    .map(([, { label }]) => label)
    .join(', ');
