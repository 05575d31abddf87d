/** Options, progress and report of an enrichment. */
import type { Bounds } from '../geo/geometry.ts';
import type { LayerAppearance } from '../spec/layer-settings.ts';
import type { Coverage } from './coverage.ts';
import type { EnrichmentSettings } from './enrichment-settings.ts';
import type { LayerKind } from './layer-kinds.ts';
import type { LayerRaster } from './layer-rasters.ts';
import type { LayerReading } from './read-layer.ts';
import type { StoreCounts } from './store-findings.ts';
import type { RasterRecord } from './stored-raster.ts';

type EnrichPhase = 'reading layer' | 'keeping heights' | 'computing' | 'writing';

export interface EnrichProgress {
  readonly phase: EnrichPhase;
  /** Features of the layer, then tiles of heights, then parcels. */
  readonly rows: number;
  /** Total of `rows`, if known. */
  readonly total: number | null;
  readonly rowsPerSecond: number;
}

export interface RunOptions {
  readonly now: () => Date;
  /** Called from time to time; an error that it throws cancels without changes. */
  readonly onProgress?: (progress: EnrichProgress) => void;
  /** Called for each layer at the end of its transaction; its writes are part of it. */
  readonly onStoring?: (report: EnrichReport) => void;
  /** Called for each layer once it is committed. */
  readonly onStored?: (report: EnrichReport) => void;
  /** Checked between chunks; if aborted, nothing is written. */
  readonly signal?: AbortSignal;
  /** Computing threads (default: one; also one for few parcels). */
  readonly threads?: number;
}

/** `look`, `nameField` and `color` are settings too, and win over `settings`. */
export interface EnrichOptions extends RunOptions, Partial<LayerAppearance> {
  readonly kind: LayerKind;
  /** Any format of parcel files; a GeoTIFF for slope. */
  readonly file: string;
  readonly fips: string;
  /** Name of the layer, if the file has several (default: the publisher's usual name). */
  readonly layer?: string;
  /** Coordinate system, `EPSG:3437` or WKT, if the file names none or a wrong one. */
  readonly crs?: string;
  /** The layer's coverage (default: what the file name declares, else the hull of its features; coverage.ts). */
  readonly coverage?: 'county' | Bounds;
  readonly settings?: Partial<EnrichmentSettings>;
  /** The column with the class of a road, the flood zone, the name of the district or the ZIP. */
  readonly classColumn?: string;
  /** For roads: what its values mean, `II=main, V=local, VI=none` (spec/road-words.ts); others are local roads. */
  readonly classes?: string;
  /** Whether the file is used though it looks like another kind, or hardly any of its classes is known. */
  readonly anyway?: boolean;
  /** Name of a layer that is only drawn, one in its county (default: that of the file or its layer). */
  readonly title?: string;
  /** Publisher (default: the file's name). */
  readonly source?: string;
  /** ISO date of the layer (default: from the file's name, else the file's time). */
  readonly date?: string;
}

export interface EnrichReport extends StoreCounts {
  layer_id: number;
  kind: LayerKind;
  /** Empty for kinds that complete parcels. */
  title: string;
  fips: string;
  source: string;
  date: string;
  /** Null for rasters, and if stored features were computed again. */
  reading: LayerReading | null;
  /** For an elevation layer: its file. */
  raster?: RasterRecord;
  /** All rasters that parcels were computed from, oldest first. */
  rasters?: readonly LayerRaster[];
  coverage: Coverage;
  parcels: number;
  /** Assumptions, as sentences. */
  notes: readonly string[];
  threads: number;
  /** ISO date-time at which every parcel was computed; empty if some wait for rasters that were not read. */
  complete_at: string;
  seconds: number;
}

/** Calls `onProgress` with the rate, and throws if the signal is aborted. */
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
