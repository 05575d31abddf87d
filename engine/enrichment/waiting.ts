/** Lists parcels that are new or redrawn since a stored layer was computed, and so wait for it. */
import path from 'node:path';
import { layerShapes } from '../spec/layer-files.ts';
import type { LayerKind } from '../spec/layer-titles.ts';
import { waitingByLayer } from '../store/computed-values.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { rastersOf } from './layer-rasters.ts';
import { findLayerById } from './layer-rows.ts';
import { isStanding, type RasterRecord } from './stored-raster.ts';

export interface Waiting {
  readonly fips: string;
  readonly kind: LayerKind;
  readonly parcels: number;
  /** `file`: the user must give the raster again; `computing`: the layer can be computed again. */
  readonly needs: 'file' | 'computing';
  /** Path of the missing raster, else of the newest; null if unknown or not a raster. */
  readonly file: string | null;
  /** `slope: 42 parcels wait for their elevation file, dem.tif` */
  readonly sentence: string;
}

/** By county and kind. @param fips only this county */
export function listWaiting({ file }: LandStore, fips: string | null = null): Waiting[] {
  return waitingByLayer(file, fips).map(({ fips: county, kind: name, layer_id: id, parcels }) => {
    const kind = name as LayerKind;
    const rasters = layerShapes[kind] === 'raster' ? records(file, id) : [];
    const gone = rasters.find((record) => record === null || !isStanding(record));
    const needs = gone === undefined ? 'computing' : 'file';
    const lay = (gone === undefined ? rasters.at(-1) : gone)?.path ?? null;
    return { fips: county, kind, parcels, needs, file: lay, sentence: sentenceOf(kind, parcels, needs, lay) };
  });
}

function records(file: SqliteFile, layerId: number): (RasterRecord | null)[] {
  const layer = findLayerById(file, layerId);
  return layer ? rastersOf(file, layer).map((raster) => raster.file) : [];
}

function sentenceOf(kind: LayerKind, parcels: number, needs: Waiting['needs'], file: string | null): string {
  const many = `${kind}: ${parcels.toLocaleString('en-US')} ${parcels === 1 ? 'parcel waits' : 'parcels wait'}`;
  if (needs === 'computing') return `${many} to be computed`;
  return `${many} for ${parcels === 1 ? 'its' : 'their'} elevation file${file === null ? '' : `, ${path.basename(file)}`}`;
}
