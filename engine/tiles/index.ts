/** Gives one map tile of a home by source, zoom, column and row. README.md in this folder lists sources and attributes. */

import type { ListedImagery } from '../imagery/list-imagery.ts';
import { EngineError } from '../spec/errors.ts';
import { nearNames } from '../spec/validate.ts';
import type { LandStore } from '../store/land-store.ts';
import { listBasemaps } from './basemaps/list-basemaps.ts';
import { compTile } from './comp-tile.ts';
import { contourTile } from './contour-tile.ts';
import { densityTile, lastDensityZoom } from './density-tile.ts';
import { heightTile } from './height-tile.ts';
import { isStoredLayer, layerTile } from './layer-tile.ts';
import { basemapsOf, photosOf } from './map-sources.ts';
import { outlineTile } from './outline-tile.ts';
import { parcelTile } from './parcel-tile.ts';
import { type PhotoTasks, photoTile } from './photo-tile.ts';
import { reliefTile } from './relief-tile.ts';
import { drawnLayers } from './stored-layers.ts';
import { terrainGeneration } from './terrain-source.ts';
import { keptTile } from './tile-cache.ts';
import { type TilePlace, tilePlace } from './tile-place.ts';

/** The data that tiles are made from; an `Engine` is one. */
interface TileContext {
  readonly home: string;
  readonly land: LandStore;
  /** Draws tiles of photos, in a process of its own. */
  readonly jobs: PhotoTasks;
}

type TileMaker = (land: LandStore, place: TilePlace) => Uint8Array | null;

const makers: Readonly<Record<string, TileMaker>> = {
  parcels: (land, place) => (place.z > lastDensityZoom ? parcelTile(land, place) : densityTile(land, place)),
  comps: compTile,
  outlines: outlineTile,
};

/** From terrain.sqlite: kept while that is unchanged too. */
const groundMakers: Readonly<Record<string, TileMaker>> = {
  contours: contourTile,
  relief: reliefTile,
  heights: heightTile,
};

/**
 * One tile, uncompressed; null if it is empty.
 * @throws EngineError not_found for an unknown source, validation_error for a place outside the grid, file_damaged for an
 *   unreadable tile of a base map
 * @param isWanted asked before work that waits for its turn
 */
export async function getTile(
  context: TileContext,
  source: string,
  z: number,
  x: number,
  y: number,
  isWanted?: () => boolean,
): Promise<Uint8Array | null> {
  const place = tilePlace(z, x, y);
  const make = makerOf(context.land, source);
  if (Object.hasOwn(groundMakers, source)) {
    const ground = `${source}/${terrainGeneration(context.land)}`;
    return keptTile(
      context.land,
      `${ground}/${z}/${x}/${y}`,
      () => groundMakers[source]?.(context.land, place) ?? null,
    );
  }
  if (make) return keptTile(context.land, `${source}/${z}/${x}/${y}`, () => make(context.land, place));
  const photo = photoOf(context, source);
  if (photo?.tiles === null) return photoTile(context, photo, place, isWanted);
  if (photo || source.startsWith('base-')) return baseTile(context, source, place);
  throw unknownSource(context, source);
}

function makerOf(land: LandStore, source: string): TileMaker | undefined {
  if (Object.hasOwn(makers, source)) return makers[source];
  const layerId = Number(/^layer-(\d{1,15})$/.exec(source)?.[1] ?? Number.NaN);
  return isStoredLayer(land.file, layerId) ? (_, place) => layerTile(land, layerId, place) : undefined;
}

const photoOf = (
  { home, land }: TileContext,
  source: string,
  photos = source.startsWith('photo-') ? photosOf(home, land) : [],
): ListedImagery | undefined => photos.find(({ imagery_id: id }) => `photo-${id}` === source);

async function baseTile(context: TileContext, source: string, { z, x, y }: TilePlace): Promise<Uint8Array | null> {
  const photos = photosOf(context.home, context.land);
  const tiles = photoOf(context, source, photos)?.tiles;
  const base = basemapsOf(context.home, photos).maps.find(({ name }) => `base-${name}` === source || name === tiles);
  if (!base) throw unknownSource(context, source);
  if (z < base.map.minZoom || z > base.map.maxZoom) return null;
  try {
    return await base.map.tile(z, x, y);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError('file_damaged', `${base.file} gives no tile ${z}/${x}/${y}: ${reason}`, { cause: error });
  }
}

function unknownSource({ home, land }: TileContext, source: string): EngineError {
  const names = [
    ...Object.keys(makers),
    ...Object.keys(groundMakers),
    ...drawnLayers(land).map(({ layerId }) => `layer-${layerId}`),
    ...listBasemaps(home).maps.map(({ name }) => `base-${name}`),
    ...photosOf(home, land).map(({ imagery_id: id }) => `photo-${id}`),
  ];
  const near = nearNames(source, names);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${names.join(', ')}.`;
  return new EngineError('not_found', `There is no tile source ${JSON.stringify(source.slice(0, 100))}; ${hint}`);
}
