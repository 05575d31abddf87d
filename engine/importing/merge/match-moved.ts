/**
 * Matches parcels without an APN whose shape was rounded, snapped or shifted a little: their shape is all that identifies
 * them, and its hash changes with every corner.
 */
import { hasMovedAtMost, overlapOf } from '../../geo/shape-shift.ts';
import { decodeMultiPolygon } from '../../geo/spatialite-blob.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import type { DatasetKey } from './match-identities.ts';

/** A strip of a road may be narrower than this, so that little of it overlaps. */
const mostMeters = 1;
const leastOverlap = 0.95;

const unmatchedSql = `SELECT stage_id FROM staging.staged_parcels
  WHERE identity = '' AND geom IS NOT NULL AND stage_id NOT IN (SELECT stage_id FROM temp.staged_ids)`;

/** Degrees, more than `mostMeters`: boxes of narrow strips that moved may have little in common. */
const slack = 0.00003;
const common = (axis: 'x' | 'y') => `(min(x.${axis}max, s.max_${axis}) - max(x.${axis}min, s.min_${axis}) + ${slack})`;

/** Unclaimed parcels without an APN whose box has half in common with that of a staged one: neighbors only touch. */
const candidatesSql = `SELECT s.stage_id, s.geometry_hash, s.geom AS staged, r.property_id, r.sequence, p.geom AS standing,
    p.status <> 'current' AS is_gone
  FROM staging.staged_parcels s
  CROSS JOIN idx_parcels_geom x ON x.xmin <= s.max_x AND x.xmax >= s.min_x AND x.ymin <= s.max_y AND x.ymax >= s.min_y
    AND 2 * ${common('x')} * ${common('y')} >= max((s.max_x - s.min_x) * (s.max_y - s.min_y), (x.xmax - x.xmin) * (x.ymax - x.ymin))
  CROSS JOIN parcel_registry r ON r.property_id = x.pkid
  CROSS JOIN parcels p ON p.property_id = x.pkid
  WHERE s.stage_id = :stageId AND r.fips = :fips AND r.jurisdiction = :jurisdiction AND r.apn = '' AND p.geom IS NOT NULL
    AND r.property_id NOT IN (SELECT property_id FROM temp.staged_ids)`;

interface Candidate {
  readonly stage_id: number;
  readonly geometry_hash: number;
  readonly staged: Uint8Array;
  readonly property_id: number;
  readonly sequence: number;
  readonly standing: unknown;
  readonly is_gone: number;
}

type Match = Omit<Candidate, 'staged' | 'standing'> & { readonly overlap: number };

/** The share in common; 0 if it is another shape, or another program left one that cannot be read. */
function likeness({ staged, standing }: Candidate): number {
  if (!(standing instanceof Uint8Array)) return 0;
  try {
    const [now, before] = [decodeMultiPolygon(staged), decodeMultiPolygon(standing)];
    const overlap = overlapOf(now, before);
    return overlap >= leastOverlap || hasMovedAtMost(now, before, mostMeters) ? overlap : 0;
  } catch {
    return 0;
  }
}

/** Fills `staged_ids` for those; the best pairs first, current parcels before retired ones, whatever the order of the file. */
export function matchMoved(file: SqliteFile, dataset: DatasetKey): void {
  const matches: Match[] = [];
  for (const stageId of file.column<number>(unmatchedSql)) {
    for (const candidate of file.all<Candidate>(candidatesSql, { ...dataset, stageId })) {
      const overlap = likeness(candidate);
      const { staged: _staged, standing: _standing, ...match } = candidate;
      if (overlap > 0) matches.push({ ...match, overlap });
    }
  }
  matches.sort(
    (a, b) =>
      a.is_gone - b.is_gone ||
      b.overlap - a.overlap ||
      a.sequence - b.sequence ||
      a.geometry_hash - b.geometry_hash ||
      a.stage_id - b.stage_id,
  );
  for (const { property_id: id, stage_id: stageId, sequence } of matches) {
    file.run(
      `INSERT OR IGNORE INTO temp.staged_ids (property_id, stage_id, sequence, is_registered) VALUES (?, ?, ?, 1)`,
      ...[id, stageId, sequence],
    );
  }
}
