/**
 * CSV with a latitude and a longitude: a row with a name is a waypoint; rows that say `track`, or have a time and no name, are
 * the points of a track, one for each name in the column of tracks, a segment for each text in that of segments.
 */

import { EngineError } from '../../spec/errors.ts';
import { openCsvTable } from '../formats/csv/csv-table-reader.ts';
import { extrasOf, type WalkBuilder, type WalkPoint } from './walk.ts';
import { type ColumnRole, roleOf } from './walk-columns.ts';

type Cells = Partial<Record<ColumnRole, string | null>>;

interface Columns {
  readonly byRole: ReadonlyMap<ColumnRole, number>;
  /** Columns that have no field here. */
  readonly rest: readonly (readonly [name: string, index: number])[];
}

/** @throws EngineError import_refused without a column of latitudes and one of longitudes */
function columnsOf(filePath: string, names: readonly string[]): Columns {
  const byRole = new Map<ColumnRole, number>();
  names.forEach((name, index) => {
    const role = roleOf(name);
    if (role && !byRole.has(role)) byRole.set(role, index);
  });
  const missing = (['latitude', 'longitude'] as const).find((role) => !byRole.has(role));
  if (missing)
    throw new EngineError(
      'import_refused',
      `${filePath}: expected a column ${missing}, found ${names.slice(0, 12).join(', ')}.`,
    );
  const taken = new Set(byRole.values());
  return {
    byRole,
    rest: names.flatMap((name, index) => (taken.has(index) || name === '' ? [] : [[name, index] as const])),
  };
}

/** @param name of a track that has none: the file's */
export function readCsvWalk(filePath: string, name: string, builder: WalkBuilder): void {
  const table = openCsvTable(filePath);
  const { byRole, rest } = columnsOf(filePath, table.columns);
  const tracks = new Map<string, Map<string, WalkPoint[]>>();
  for (const { values } of table.rows(table.columns.map((_, index) => index))) {
    const cells: Cells = Object.fromEntries([...byRole].map(([role, index]) => [role, values[index]]));
    const { longitude, latitude, elevation, name: called, note, symbol, accuracy } = cells;
    const time = timeOf(cells);
    const isTrack = isOfTrack(cells);
    const extras = extrasOf([
      ...rest.map(([column, index]) => [column, values[index]] as const),
      ['type', kindOf(cells) === null ? cells.type : null],
      ['date', time?.startsWith(cells.date ?? '') ? null : cells.date],
      ...(isTrack ? Object.entries({ name: called, note, symbol, accuracy }) : []),
    ]);
    const raw = { longitude, latitude, elevation, time, extras };
    if (isTrack) addPoint(tracks, [cells.track ?? name, cells.segment ?? ''], builder.point(raw));
    else builder.waypoint({ ...raw, name: called, note, symbol, accuracy });
  }
  for (const [track, segments] of tracks) builder.track({ name: track }, [...segments.values()]);
}

function isOfTrack(cells: Cells): boolean {
  const kind = kindOf(cells);
  if (kind !== null) return kind === 'track';
  return Boolean(cells.track) || (!cells.name && timeOf(cells) !== null);
}

/** As GPS Visualizer and GPSBabel write it; null: the row does not say. */
function kindOf({ type }: Cells): 'track' | 'waypoint' | null {
  if (type && /^(?:t|trk|trkpt|track|track ?point)$/i.test(type)) return 'track';
  return type && /^(?:w|wpt|waypoint)$/i.test(type) ? 'waypoint' : null;
}

/** A date and a time of day in two columns are one. */
const timeOf = ({ date, time }: Cells): string | null =>
  date && time && !/[-/]/.test(time) ? `${date} ${time}` : (time ?? date ?? null);

function addPoint(
  tracks: Map<string, Map<string, WalkPoint[]>>,
  [track, segment]: readonly [string, string],
  point: WalkPoint | null,
): void {
  if (!point) return;
  const segments = tracks.get(track) ?? new Map<string, WalkPoint[]>();
  tracks.set(track, segments);
  const points = segments.get(segment) ?? [];
  segments.set(segment, points);
  points.push(point);
}
