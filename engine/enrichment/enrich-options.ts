/** What an enrichment is asked to do, how it tells how far it is, and what it found. */
import type { Bounds } from '../geo/geometry.ts';
import type { Coverage } from './coverage.ts';
import type { EnrichmentSettings } from './enrichment-settings.ts';
import type { RasterRecord } from './kept-raster.ts';
import type { LayerKind } from './layer-kinds.ts';
import type { LayerRaster } from './layer-rasters.ts';
import type { LayerReading } from './read-layer.ts';
import type { StoreCounts } from './store-findings.ts';

export type EnrichPhase = 'reading layer' | 'computing' | 'writing';

export interface EnrichProgress {
  readonly phase: EnrichPhase;
  /** Features of the layer, then parcels. */
  readonly rows: number;
  /** Of `rows`, where it is known. */
  readonly total: number | null;
  readonly rowsPerSecond: number;
}

export interface RunOptions {
  readonly now: () => Date;
  /** Called from time to time; what it throws cancels and leaves everything as it was. */
  readonly onProgress?: (progress: EnrichProgress) => void;
  /** Told of each layer at the end of its transaction; what it writes is in with it. */
  readonly onStoring?: (report: EnrichReport) => void;
  /** Told of each layer as soon as it is in the land file: whatever comes after, it stays. */
  readonly onStored?: (report: EnrichReport) => void;
  /** Looked at between chunks; nothing is written when it is aborted. */
  readonly signal?: AbortSignal;
  /** Threads that compute; without it one, as with few parcels. */
  readonly threads?: number;
}

export interface EnrichOptions extends RunOptions {
  readonly kind: LayerKind;
  /** Any format of parcel files; a GeoTIFF for slope. */
  readonly file: string;
  readonly fips: string;
  /** Which layer, where the file holds several; without it the one that its publisher calls so. */
  readonly layer?: string;
  /** Coordinate system, `EPSG:3437` or WKT, where the file names none or a wrong one. */
  readonly crs?: string;
  /** Where the layer knows; without it what the file's name declares, else the hull of its features (coverage.ts). */
  readonly coverage?: 'county' | Bounds;
  readonly settings?: Partial<EnrichmentSettings>;
  /** Who published it; without it the file's name. */
  readonly source?: string;
  /** ISO date of the layer; without it from the file's name, else when the file was written. */
  readonly date?: string;
}

/** What is said of how to read the file. */
export const readingOf = ({ layer, crs }: EnrichOptions) => ({
  ...(layer === undefined ? {} : { layer }),
  ...(crs === undefined ? {} : { crs }),
});

export interface EnrichReport extends StoreCounts {
  layer_id: number;
  kind: LayerKind;
  fips: string;
  source: string;
  date: string;
  /** Null for rasters, and when stored features were computed again. */
  reading: LayerReading | null;
  /** Of an elevation layer: the file that it was computed from. */
  raster?: RasterRecord;
  /** All that its parcels rest on, oldest first. */
  rasters?: readonly LayerRaster[];
  coverage: Coverage;
  parcels: number;
  /** What was assumed, in sentences. */
  notes: readonly string[];
  threads: number;
  /** ISO date-time: every parcel of then was computed. Empty: some wait for rasters that were not read. */
  complete_at: string;
  seconds: number;
}

/** Calls `onProgress` with the rate, and looks at the signal. */
export function progressOf(
  { onProgress, now, signal }: RunOptions,
  phase: EnrichPhase,
  total: number | null,
): (rows: number) => void {
  const started = now().getTime();
  return (rows) => {
    if (onProgress) {
      const seconds = (now().getTime() - started) / 1000;
      onProgress({ phase, rows, total, rowsPerSecond: seconds > 0 ? rows / seconds : 0 });
    }
    signal?.throwIfAborted();
  };
}
