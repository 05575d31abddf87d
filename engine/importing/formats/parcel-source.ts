/** The output of every parcel format's reader: an opened file, its layers, and a layer's features. */

import { defined } from '../../spec/defined.ts';
import type { ParcelFormat } from '../../spec/import-formats.ts';
import type { ReferenceSystem } from './crs/reference-system.ts';
import type { ParcelFeature } from './parcel-feature.ts';
import type { TableFile } from './table-file.ts';

export type { ParcelFormat };

/** The purpose of reading a file. A `layer` completes parcels, and may hold lines. */
export type ReadPurpose = 'parcels' | 'layer';

export interface ReadOptions {
  /** Which of several layers. */
  readonly layer?: string;
  /** The file's coordinate system, `EPSG:3437` or WKT: for files that name none, or a wrong one. */
  readonly crs?: string;
  /** A table whose rows are parcels without shapes. */
  readonly withoutShapes?: boolean;
  /** Default: `parcels`. */
  readonly purpose?: ReadPurpose;
  /** Row of the headings in a CSV or XLSX file, from 1; absent: it is found. */
  readonly headerRow?: number;
  /** FIPS code: a format that can passes over the rows of other counties, and counts them (`otherRows`). */
  readonly county?: string;
  /** A condition on the rows, in the words of SQL (`row-condition.ts`): others are passed over and counted. */
  readonly where?: string;
  /** Only the first rows are wanted: converted formats stop there. */
  readonly sampleRows?: number;
}

/** What of an input says how a file is read. */
export const readingOf = ({
  layer,
  crs,
  header_row: headerRow,
  without_shapes: withoutShapes,
  where,
}: ReadingInput): ReadOptions => defined({ layer, crs, headerRow, withoutShapes, where });

interface ReadingInput {
  readonly layer?: string;
  readonly crs?: string;
  readonly header_row?: number;
  readonly without_shapes?: boolean;
  readonly where?: string;
}

export interface LayerColumn {
  readonly name: string;
  /** As the format declares it; null if it declares none. */
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'text' | null;
}

/** West, south, east, north, in the file's own coordinates. */
export type FileBounds = readonly [number, number, number, number];

/** Paths of the files that form one Shapefile; null for a missing one. */
export interface ShapefileParts {
  readonly name: string;
  readonly shp: string;
  readonly shx: string | null;
  readonly dbf: string | null;
  readonly prj: string | null;
  readonly cpg: string | null;
}

/** Rows and files of other counties that were passed over. */
export interface OtherRows {
  readonly rows: number;
  /** Whole files, whose rows are not counted. */
  readonly files: number;
  /** What told them apart, in words. */
  readonly by: string;
}

/** Rows that a condition passed over. */
export interface RowsLeft {
  readonly rows: number;
  readonly where: string;
}

export interface ParcelLayer {
  /** Whether the file said that it holds only part of its layer: ask once its features are read. */
  isPart?(): boolean;
  /** What was passed over for `ReadOptions.county`: ask once its features are read. Null: nothing. */
  otherRows?(): OtherRows | null;
  /** What `ReadOptions.where` passed over: ask once its features are read. */
  leftByCondition?(): RowsLeft;
  readonly name: string;
  readonly format: ParcelFormat | TableFile['format'];
  /** Null if only reading all of it would tell. */
  readonly columns: readonly LayerColumn[] | null;
  readonly rowCount: number | null;
  readonly bounds: FileBounds | null;
  /** What the file has in this layer that is no parcel: an import of parcels leaves it out. Null: nothing. */
  readonly leftOut?: { readonly count: number; readonly words: string } | null;
  /** The encoding of its texts, in words. */
  readonly encoding: string;
  /** Its coordinate system. Throws EngineError import_refused if it is unknown; reading throws the same. */
  readonly system: () => ReferenceSystem;
  features(): Generator<ParcelFeature>;
}

export interface ParcelSource {
  readonly layerNames: readonly string[];
  openLayer(name: string): ParcelLayer;
  /** Removes temporary files and closes what is open. */
  close(): void;
}

/** A source with one layer that keeps nothing open. */
export const singleLayer = (layer: ParcelLayer): ParcelSource => ({
  layerNames: [layer.name],
  openLayer: () => layer,
  close: () => {},
});
