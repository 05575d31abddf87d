/** Parcels that a kept layer has not yet said anything of: new or redrawn since. Said wherever a user looks what is loaded. */
import path from 'node:path';
import { layerShapes } from '../spec/layer-files.ts';
import type { LayerKind } from '../spec/layer-titles.ts';
import { waitingByLayer } from '../store/computed-values.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { isStanding, type RasterRecord } from './kept-raster.ts';
import { rastersOf } from './layer-rasters.ts';
import { findLayerById } from './layer-rows.ts';

export interface Waiting {
  readonly fips: string;
  readonly kind: LayerKind;
  readonly parcels: number;
  /** `file`: its raster has to be given again; `computing`: all that is needed is there. */
  readonly needs: 'file' | 'computing';
  /** Where the raster that is gone lay, else the newest; null: it is not known, or there is none. */
  readonly file: string | null;
  /** `slope: 42 parcels wait for their elevation file, dem.tif` */
  readonly sentence: string;
}

/** By county and kind. @param fips of this county alone */
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
