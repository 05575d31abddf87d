/** What every reader of a parcel format gives: a file opened, its layers, and one of them as features. */
import type { ParcelFeature } from '../parcel-feature.ts';
import type { ReferenceSystem } from './reference-system.ts';

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

export interface ReadOptions {
  /** Which layer, where a file holds several. */
  readonly layer?: string;
  /** The coordinate system of the file, `EPSG:3437` or WKT: for files that do not name theirs, or name a wrong one. */
  readonly crs?: string;
  /** Only the first rows are wanted: formats that must be converted stop there. */
  readonly sampleRows?: number;
}

export interface LayerColumn {
  readonly name: string;
  /** As the format declares it; null where a format declares none. */
  readonly type: 'boolean' | 'date' | 'integer' | 'number' | 'text' | null;
}

/** West, south, east, north, in the file's own coordinates. */
export type FileBounds = readonly [number, number, number, number];

export interface ParcelLayer {
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
  features(): Generator<ParcelFeature>;
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
