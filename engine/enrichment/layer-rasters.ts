/**
 * The rasters of an elevation layer. A county may need several files, given one after another: values of a file stay until
 * a newer one covers the same parcels, or the same file is given again.
 */
import type { SqliteFile } from '../store/sqlite.ts';
import type { EnrichmentSettings } from './enrichment-settings.ts';
import type { StoredLayer } from './layer-rows.ts';
import type { RasterRecord } from './stored-raster.ts';

export interface LayerRaster {
  /** Number within the layer, in order of arrival; `computed_values.rasters` refers to it. */
  readonly number: number;
  readonly source: string;
  /** ISO date */
  readonly date: string;
  readonly settings: EnrichmentSettings;
  /** Null for a layer of an older Platbook, which did not store the path. */
  readonly file: RasterRecord | null;
}

/** The number of the only raster in layers and rows of an older Platbook. */
const firstNumber = 1;

/** Oldest first. */
export function rastersOf(file: SqliteFile, layer: StoredLayer): LayerRaster[] {
  const row = file.get<{ report: string }>('SELECT report FROM layers WHERE layer_id = ?', layer.layer_id);
  const report = JSON.parse(row?.report ?? '{}') as { raster?: RasterRecord; rasters?: LayerRaster[] };
  const { source_name: source, source_date: date, settings } = layer;
  return report.rasters ?? [{ number: firstNumber, source, date, settings, file: report.raster ?? null }];
}

type RasterPlan = Omit<LayerRaster, 'number'> & { readonly file: RasterRecord };

/** Appends a raster; the same file replaces its earlier entry. */
export function withRaster(before: readonly LayerRaster[], added: RasterPlan): [...LayerRaster[], LayerRaster] {
  const number = 1 + Math.max(firstNumber - 1, ...before.map((raster) => raster.number));
  const others = before.filter(({ file }) => file?.path !== added.file.path && file?.sha256 !== added.file.sha256);
  return [...others, { number, ...added }];
}

/** Names in a list of layers. */
const named = 3;

/** Source and date of several rasters together. */
export function sourceOf(rasters: readonly LayerRaster[]): { source: string; date: string } {
  const names = [...new Set(rasters.map(({ source }) => source))];
  const rest = names.length - named;
  const source = [...names.slice(0, named), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return { source, date: rasters.map(({ date }) => date).reduce((a, b) => (a > b ? a : b), '') };
}

/** @param numbers JSON, as `computed_values` has them */
export const readNumbers = (numbers: string | null): readonly number[] =>
  numbers === null ? [firstNumber] : (JSON.parse(numbers) as number[]);

/** The stored finding of a parcel, with the hash of the shape it was computed from. */
export interface StoodFinding {
  readonly geometry_hash: number | null;
  readonly reason: string | null;
  readonly rasters: readonly number[];
}

/** Stored findings by property_id. */
export function stoodFindings(file: SqliteFile, layerId: number): Map<number, StoodFinding> {
  const rows = file.all<Omit<StoodFinding, 'rasters'> & { property_id: number; rasters: string | null }>(
    'SELECT property_id, geometry_hash, reason, rasters FROM computed_values WHERE layer_id = ?',
    layerId,
  );
  return new Map(rows.map(({ property_id: id, rasters, ...row }) => [id, { ...row, rasters: readNumbers(rasters) }]));
}

/** A run over some of the rasters of a layer. */
export interface RasterRun {
  /** All rasters of the layer after the run, oldest first. */
  readonly rasters: readonly LayerRaster[];
  /** Numbers of those that were read. */
  readonly read: ReadonlySet<number>;
  /** True: only for waiting parcels, others keep their values. False: the rasters read have priority. */
  readonly isAgain: boolean;
}

/** Whether the stored finding was computed from this shape and from rasters that the layer still has. */
export const stillStands = (stood: StoodFinding | undefined, hash: number | null, { rasters }: RasterRun): boolean =>
  stood !== undefined &&
  stood.geometry_hash === hash &&
  (stood.reason !== null || stood.rasters.every((number) => rasters.some((raster) => raster.number === number)));

type Fate = 'write' | 'keep' | 'wait';

/**
 * What happens to a parcel: the finding is written, the stored one is kept, or the parcel waits because a raster that may
 * cover it was not read.
 */
export function fateOf(
  found: { readonly reason: string | null },
  stood: StoodFinding | undefined,
  hash: number | null,
  run: RasterRun,
): Fate {
  const stands = stillStands(stood, hash, run);
  if (stands && (run.isAgain || (found.reason !== null && stood?.reason === null))) return 'keep';
  const allRead = run.rasters.every(({ number }) => run.read.has(number));
  return found.reason === null || stands || allRead ? 'write' : 'wait';
}
