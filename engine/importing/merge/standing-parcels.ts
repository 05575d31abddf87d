/**
 * Checks the current parcels before an import writes: other programs edit them. Edits of a registered parcel are
 * overwritten if its file says otherwise; other programs' own rows are never touched.
 */
import type { MultiPolygon } from '../../geo/geometry.ts';
import { geometryHash } from '../../geo/geometry-hash.ts';
import { hasMovedAtMost } from '../../geo/shape-shift.ts';
import { decodeMultiPolygon } from '../../geo/spatialite-blob.ts';
import { EngineError } from '../../spec/errors.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import { type DatasetKey, ofShape } from './match-identities.ts';

/** For an unreadable polygon: equals no hash. */
const unreadable = -1;
const shapesPerRead = 1000;

/** Meters: publishers round and convert coordinates from release to release, and no survey is as exact. */
const nudgeMeters = 0.1;

/** Null if another program left something that is no polygon. */
function shapeOf(blob: unknown): MultiPolygon | null {
  try {
    return blob instanceof Uint8Array ? decodeMultiPolygon(blob) : null;
  } catch {
    return null;
  }
}

/** Everything that is staged of a parcel's shape, as it stands; the index of boxes would round them. */
const keepStandingSql = `UPDATE staging.staged_parcels AS s
  SET geom = p.geom, geometry_hash = r.geometry_hash, point_lon = p.point_lon, point_lat = p.point_lat,
    ${[...ofShape].map((name) => `${name} = p.${name}`).join(', ')},
    min_x = MbrMinX(p.geom), max_x = MbrMaxX(p.geom), min_y = MbrMinY(p.geom), max_y = MbrMaxY(p.geom)
  FROM temp.staged_ids i, main.parcels p, parcel_registry r
  WHERE i.property_id = ? AND s.stage_id = i.stage_id AND p.property_id = i.property_id
    AND r.property_id = i.property_id`;

/**
 * Fills `staged_ids.standing_hash` where the current polygon is not, byte for byte, the staged one. Its hash then tells
 * whether it is the same shape begun at another corner, or was moved; the registry's hash would miss another program's
 * edit. A new shape that lies within a decimeter of the current one gives way to it, with its box, point, acres and
 * hash: what else changed of the parcel is written, and layers' values stand.
 */
export function hashStandingShapes(file: SqliteFile): void {
  // Joined from staged_ids in key order: both tables are walked once, whatever the number of reads.
  const read = `SELECT i.property_id AS id, p.geom, s.geom AS staged, s.geometry_hash IS NOT r.geometry_hash AS is_new
    FROM temp.staged_ids i
    CROSS JOIN parcels p ON p.property_id = i.property_id
    CROSS JOIN staging.staged_parcels s ON s.stage_id = i.stage_id
    CROSS JOIN parcel_registry r ON r.property_id = i.property_id
    WHERE i.property_id > ? AND i.is_registered = 1 AND s.geom IS NOT NULL AND p.geom IS NOT NULL AND p.geom <> s.geom
    ORDER BY i.property_id LIMIT ${shapesPerRead}`;
  let after = 0;
  for (;;) {
    const rows = file.all<{ id: number; geom: unknown; staged: Uint8Array; is_new: number }>(read, after);
    for (const { id, geom, staged, is_new: isNew } of rows) {
      const standing = shapeOf(geom);
      const hash = standing === null ? unreadable : geometryHash(standing);
      file.run('UPDATE temp.staged_ids SET standing_hash = ? WHERE property_id = ?', hash, id);
      const isNudged =
        isNew === 1 && standing !== null && hasMovedAtMost(standing, decodeMultiPolygon(staged), nudgeMeters);
      if (isNudged) file.run(keepStandingSql, id);
    }
    if (rows.length < shapesPerRead) return;
    after = rows.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  }
}

interface Stranger {
  readonly id: number;
  readonly apn: string | null;
  readonly registered: string;
}

/**
 * Refuses rows that have the id of a registered parcel but are not this parcel: without the dataset or the county, or
 * with neither its APN nor its shape. (A program that deleted the parcel and then added a row could get its id, before
 * ids stopped being reused.) Writing the parcel would destroy that row; moving the row would change an id its program
 * may have stored. So the user decides. A row of which only the APN or only the shape was edited is still the parcel.
 * @throws EngineError import_refused
 */
export function refuseStrangers(file: SqliteFile, { fips, jurisdiction }: DatasetKey): void {
  const stranger = file.get<Stranger>(
    `SELECT p.property_id AS id, p.apn, r.apn AS registered
     FROM temp.staged_ids i
     CROSS JOIN parcels p ON p.property_id = i.property_id
     CROSS JOIN staging.staged_parcels s ON s.stage_id = i.stage_id
     CROSS JOIN parcel_registry r ON r.property_id = i.property_id
     WHERE i.is_registered = 1 AND (p.fips IS NOT :fips
       OR p.dataset_id IS NOT (SELECT dataset_id FROM datasets WHERE fips = :fips AND jurisdiction = :jurisdiction)
       OR (p.apn IS NOT s.apn AND fold_spaces(coalesce(p.apn, '')) <> r.apn
         AND coalesce(i.standing_hash, s.geometry_hash) IS NOT r.geometry_hash))
     ORDER BY 1 LIMIT 1`,
    { fips, jurisdiction },
  );
  if (!stranger) return;
  const parcel = stranger.registered === '' ? 'a parcel without APN' : `the parcel ${stranger.registered}`;
  throw new EngineError(
    'import_refused',
    `The row with property_id ${stranger.id} (APN ${JSON.stringify(stranger.apn)}) was added to the parcels table by another program; that id belongs to ${parcel} of this dataset. Delete the row or give it another property_id, then import again; nothing was changed.`,
  );
}
