/**
 * A county's staged rows as the parcels table will hold them, for its column index: when an import brings a county's
 * first parcels, another thread builds the index from the staging file while this one writes the table.
 */
import type { CountySource } from '../../columns/build-county.ts';
import { boundsPrefixBytes } from '../../geo/spatialite-blob.ts';
import { TableReader } from '../../store/record-reader.ts';
import type { RecordValue } from '../../store/record-writer.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import type { TablePage } from '../../store/table-pages.ts';
import { type StagingFile, stagedColumns } from '../stage/staged-parcels.ts';

/** Plain data, for another thread. */
export interface StagedCounty {
  readonly descriptor: number;
  readonly leaves: readonly TablePage[];
  /** The staged row of each parcel, by property_id. */
  readonly stageIds: Float64Array;
  /** The first property_id; the others follow without gaps. */
  readonly firstId: number;
  /** ZIPs of the county, which tell whether an owner's ZIP is in it. */
  readonly zips: readonly string[];
}

/** Fewer are indexed faster than a thread starts. */
const worthwhileRows = 20_000;
/**
 * More are indexed while the table is written: the thread's memory adds to that of writing. 300,000 rows took 521 MB
 * this way, a million 744, and an import should need at most 512.
 */
const mostRows = 150_000;

/**
 * Null unless all parcels of the county are staged, all are new, and their number is worthwhile. Call it once ids are
 * assigned.
 */
export function findFirstParcels(file: SqliteFile, staging: StagingFile, fips: string): StagedCounty | null {
  if (file.get('SELECT 1 FROM parcels WHERE fips = ? LIMIT 1', fips)) return null;
  const { first, last, rows, added } = file.get<Record<'first' | 'last' | 'rows' | 'added', number>>(
    `SELECT min(property_id) AS first, max(property_id) AS last, count(*) AS rows, total(state = 'new') AS added
     FROM temp.staged_ids`,
  ) ?? { first: 0, last: 0, rows: 0, added: 0 };
  if (rows < worthwhileRows || rows > mostRows || added !== rows || last - first + 1 !== rows) return null;
  return {
    descriptor: staging.space.descriptor,
    leaves: staging.parcelLeaves,
    stageIds: Float64Array.from(file.column<number>('SELECT stage_id FROM temp.staged_ids ORDER BY property_id')),
    firstId: first,
    zips: file.column<string>('SELECT zip FROM temp.staged_zips'),
  };
}

const rowsPerRead = 500;
const placeOf = (column: string): number => {
  const place = stagedColumns.indexOf(column);
  if (place === -1) throw new Error(`no staged column ${column}`);
  return place;
};

type ReadColumn = (row: TableReader) => RecordValue;

/**
 * Columns whose value in the table is not the staged one; must agree with `merge-parcels.ts` and
 * `parcel-expressions.ts`.
 */
function derivedReaders(zips: ReadonlySet<string>): Readonly<Record<string, ReadColumn>> {
  const [acres, calculated] = [placeOf('acres'), placeOf('calculated_acres')];
  const [outOfCounty, outOfState, zip] = ['owner_out_of_county', 'owner_out_of_state', 'mailing_zip'].map(placeOf) as [
    number,
    number,
    number,
  ];
  return {
    effective_acres: (row) => row.value(acres) ?? row.value(calculated),
    owner_out_of_county: (row) => {
      const given = row.value(outOfCounty);
      if (given !== null) return given;
      if (row.value(outOfState) === 1) return 1;
      const mailing = row.value(zip);
      return typeof mailing === 'string' && zips.has(mailing.slice(0, 5)) ? 0 : null;
    },
  };
}

export function stagedCountySource({ descriptor, leaves, stageIds, firstId, zips }: StagedCounty): CountySource {
  const derived = derivedReaders(new Set(zips));
  const plain = (column: string): ReadColumn => {
    const place = placeOf(column);
    return (row) => row.value(place);
  };
  const [geometry, longitude, latitude] = ['geom', 'point_lon', 'point_lat'].map(placeOf) as [number, number, number];
  return {
    rows: stageIds.length,
    *scan(columns, withPlaces) {
      const readers = columns.map((column) => derived[column] ?? plain(column));
      const table = new TableReader(descriptor, leaves);
      for (let from = 0; from < stageIds.length; from += rowsPerRead) {
        const rows: unknown[][] = [];
        for (let index = from; index < Math.min(from + rowsPerRead, stageIds.length); index++) {
          table.seek(stageIds[index] as number);
          const row: unknown[] = readers.map((read) => read(table));
          if (withPlaces) {
            row.push(firstId + index, table.prefix(geometry, boundsPrefixBytes), table.value(longitude));
            row.push(table.value(latitude));
          }
          rows.push(row);
        }
        yield rows;
      }
    },
  };
}
