/** Reads the current parcels of a county for a computation: ids first, then shapes in chunks, so that memory is bounded. */
import type { Bounds } from '../geo/geometry.ts';
import { EngineError } from '../spec/errors.ts';
import { roadlessWords, roadParcelColumns } from '../spec/road-parcels.ts';
import { foldWords } from '../spec/text-fold.ts';
import type { LandStore } from '../store/land-store.ts';
import { type ParcelChunk, type ParcelRow, packChunk } from './parcel-chunk.ts';

const parcelsPerChunk = 1000;

/** property_ids in ascending order, with geometry hashes. */
export interface CountyParcels {
  readonly fips: string;
  readonly ids: readonly number[];
  readonly hashes: readonly (number | null)[];
}

interface IdRow {
  readonly property_id: number;
  readonly geometry_hash: number | null;
}

/** `+fips` keeps SQLite from using the index of fips, with which every chunk would sort the county. */
const idsSql = `SELECT p.property_id, r.geometry_hash FROM parcels p LEFT JOIN parcel_registry r USING (property_id)
  WHERE p.fips = ? AND p.status = 'current' ORDER BY p.property_id`;
const chunkSql = `SELECT property_id, geom, point_lon, point_lat, mailing_zip FROM parcels
  WHERE property_id BETWEEN ? AND ? AND +fips = ? AND status = 'current' ORDER BY property_id`;

/** @throws EngineError import_refused if the county has no parcels */
export function countyParcels({ file }: LandStore, fips: string): CountyParcels {
  const rows = file.all<IdRow>(idsSql, fips);
  if (rows.length === 0) {
    throw new EngineError('import_refused', `There are no parcels of ${fips} to complete: import them first.`);
  }
  return {
    fips,
    ids: rows.map(({ property_id: id }) => id),
    hashes: rows.map(({ geometry_hash: hash }) => hash),
  };
}

/** Throws if parcels or shapes changed since they were read: findings must not be written for other shapes. */
export function expectUnchanged(land: LandStore, { fips, ids, hashes }: CountyParcels): void {
  const now = land.file.all<IdRow>(idsSql, fips);
  const isSame =
    now.length === ids.length &&
    now.every((row, index) => row.property_id === ids[index] && row.geometry_hash === hashes[index]);
  if (isSame) return;
  throw new EngineError('file_locked', `The parcels of ${fips} changed meanwhile; nothing was written. Run it again.`);
}

/** All parcels in chunks. A parcel removed meanwhile has no shape; `expectUnchanged` notices before anything is written. */
export function* parcelChunks({ file }: LandStore, { fips, ids }: CountyParcels): Generator<ParcelChunk> {
  for (let start = 0; start < ids.length; start += parcelsPerChunk) {
    const wanted = ids.slice(start, start + parcelsPerChunk);
    const rows = file.all<ParcelRow & { property_id: number }>(chunkSql, wanted[0], wanted.at(-1), fips);
    const byId = new Map(rows.map((row) => [row.property_id, row]));
    yield packChunk(
      start,
      wanted.map((id) => byId.get(id) ?? { geom: null, point_lon: null, point_lat: null, mailing_zip: null }),
    );
  }
}

/** Box of the county's parcels; from the R-tree, rounded outwards, and from the points of those without a shape. */
export function countyExtent({ file }: LandStore, fips: string): Bounds {
  const box = file.get<Record<'minX' | 'minY' | 'maxX' | 'maxY', number | null>>(
    `SELECT min(min_x) AS minX, min(min_y) AS minY, max(max_x) AS maxX, max(max_y) AS maxY FROM (
       SELECT i.xmin AS min_x, i.ymin AS min_y, i.xmax AS max_x, i.ymax AS max_y
       FROM parcels p JOIN idx_parcels_geom i ON i.pkid = p.property_id WHERE p.fips = :fips AND p.status = 'current'
       UNION ALL SELECT point_lon, point_lat, point_lon, point_lat
       FROM parcels WHERE fips = :fips AND status = 'current' AND geom IS NULL AND point_lon IS NOT NULL)`,
    { fips },
  );
  if (!box || box.minX === null || box.minY === null || box.maxX === null || box.maxY === null) {
    throw new EngineError('import_refused', `No parcel of ${fips} has a place; nothing can be computed.`);
  }
  return { minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY };
}

const has = (column: string, words: string): string => `coalesce(has_any_words(${column}, :${words}), 0)`;
const phrases = (words: readonly string[]): string => JSON.stringify(words.map(foldWords));

/** Parcels that are roads by their land use. @param words whole words or phrases */
export function roadParcelsByUse({ file }: LandStore, fips: string, words: readonly string[]): ReadonlySet<number> {
  if (words.length === 0) return new Set();
  return new Set(
    file.column<number>(
      `SELECT property_id FROM parcels WHERE fips = :fips AND status = 'current'
         AND (${roadParcelColumns.map((name) => `${has(name, 'words')} AND NOT ${has(name, 'roadless')}`).join(' OR ')})`,
      { fips, words: phrases(words), roadless: phrases(roadlessWords) },
    ),
  );
}
