/** What every reader of a parcel format gives: a file opened, its layers, and one of them as features. */

import { defined } from '../../spec/defined.ts';
import type { ReferenceSystem } from './crs/reference-system.ts';
import type { ParcelFeature } from './parcel-feature.ts';

export type ParcelFormat =
  | 'csv'
  | 'file-geodatabase'
  | 'flatgeobuf'
  | 'geojson'
  | 'geojson-lines'
  | 'geopackage'
  | 'land'
  | 'service-answers'
  | 'shapefile';

/** What a file is read for. A layer completes parcels, and may hold lines. */
export type ReadPurpose = 'parcels' | 'layer';

export interface ReadOptions {
  /** Which layer, where a file holds several. */
  readonly layer?: string;
  /** The coordinate system of the file, `EPSG:3437` or WKT: for files that do not name theirs, or name a wrong one. */
  readonly crs?: string;
  /** Without it `parcels`. */
  readonly purpose?: ReadPurpose;
  /** Only the first rows are wanted: formats that must be converted stop there. */
  readonly sampleRows?: number;
}

/** What of an input says how a file is read. */
export const readingOf = ({ layer, crs }: { readonly layer?: string; readonly crs?: string }): ReadOptions =>
  defined({ layer, crs });

export interface LayerColumn {
  readonly name: string;
  /** As the format declares it; null where a format declares none. */
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'text' | null;
}

/** West, south, east, north, in the file's own coordinates. */
export type FileBounds = readonly [number, number, number, number];

/** Rows that one of several threads reads: some at a time, in turn with the others. */
export interface Share {
  /** From 0. */
  readonly index: number;
  readonly of: number;
}

/** Rows of a turn. The rows of the others are passed over, which costs little beside reading them. */
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

/** Paths of the files that make one Shapefile; null where there is none. */
export interface ShapefileParts {
  readonly name: string;
  readonly shp: string;
  readonly shx: string | null;
  readonly dbf: string | null;
  readonly prj: string | null;
  readonly cpg: string | null;
}

export interface ParcelLayer {
  /** Whether the file has said that it holds a part of its layer only: to be asked when its features were read. */
  isPart?(): boolean;
  readonly name: string;
  readonly format: ParcelFormat;
  /** Null where only reading all of it would tell. */
  readonly columns: readonly LayerColumn[] | null;
  readonly rowCount: number | null;
  readonly bounds: FileBounds | null;
  /** What its texts are read as, in words. */
  readonly encoding: string;
  /** Its coordinate system. Throws EngineError import_refused where that is not known; reading throws the same. */
  readonly system: () => ReferenceSystem;
  /** Only of formats whose rows can be read in shares. */
  readonly elsewhere?: LayerElsewhere;
  /** @param share where the layer can be read `elsewhere`; without one, every row */
  features(share?: Share): Generator<ParcelFeature>;
}

export interface ParcelSource {
  readonly layerNames: readonly string[];
  openLayer(name: string): ParcelLayer;
  /** Removes temporary files and closes what is open. */
  close(): void;
}

/** A source of one layer that holds nothing open. */
export const singleLayer = (layer: ParcelLayer): ParcelSource => ({
  layerNames: [layer.name],
  openLayer: () => layer,
  close: () => {},
});
