/** The output of every parcel format's reader: an opened file, its layers, and a layer's features. */

import { defined } from '../../spec/defined.ts';
import type { ParcelFormat } from '../../spec/import-formats.ts';
import type { ReferenceSystem } from './crs/reference-system.ts';
import type { ParcelFeature } from './parcel-feature.ts';

export type { ParcelFormat };

/** The purpose of reading a file. A `layer` completes parcels, and may hold lines. */
export type ReadPurpose = 'parcels' | 'layer';

export interface ReadOptions {
  /** Which of several layers. */
  readonly layer?: string;
  /** The file's coordinate system, `EPSG:3437` or WKT: for files that name none, or a wrong one. */
  readonly crs?: string;
  /** Default: `parcels`. */
  readonly purpose?: ReadPurpose;
  /** Only the first rows are wanted: converted formats stop there. */
  readonly sampleRows?: number;
}

/** What of an input says how a file is read. */
export const readingOf = ({ layer, crs }: { readonly layer?: string; readonly crs?: string }): ReadOptions =>
  defined({ layer, crs });

export interface LayerColumn {
  readonly name: string;
  /** As the format declares it; null if it declares none. */
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'text' | null;
}

/** West, south, east, north, in the file's own coordinates. */
export type FileBounds = readonly [number, number, number, number];

/** The rows that one of several threads reads: the threads take turns of a fixed number of rows. */
export interface Share {
  /** From 0. */
  readonly index: number;
  readonly of: number;
}

/** Rows per turn. Skipping other threads' rows costs little compared with reading them. */
export const rowsPerTurn = 1000;

export const turnOf = (row: number): number => Math.floor((row - 1) / rowsPerTurn);

/** @param row from 1 */
export const isInShare = (row: number, share: Share | undefined): boolean =>
  share === undefined || turnOf(row) % share.of === share.index;

/** How another thread opens a layer. */
export type LayerElsewhere =
  | {
      readonly form: 'geojson' | 'geojson-lines';
      readonly path: string;
      readonly options: ReadOptions;
    }
  | {
      readonly form: 'shapefile';
      readonly path: string;
      readonly parts: ShapefileParts;
      readonly options: ReadOptions;
    };

/** Paths of the files that form one Shapefile; null for a missing one. */
export interface ShapefileParts {
  readonly name: string;
  readonly shp: string;
  readonly shx: string | null;
  readonly dbf: string | null;
  readonly prj: string | null;
  readonly cpg: string | null;
}

export interface ParcelLayer {
  /** Whether the file said that it holds only part of its layer: ask once its features are read. */
  isPart?(): boolean;
  readonly name: string;
  readonly format: ParcelFormat;
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
  /** Only for formats whose rows can be read in shares. */
  readonly elsewhere?: LayerElsewhere;
  /** @param share for a layer with `elsewhere`; without one, every row */
  features(share?: Share): Generator<ParcelFeature>;
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
