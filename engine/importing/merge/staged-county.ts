/**
 * A county as its staged rows will stand in the parcels table, for its column index: where an import brings the first parcels
 * of a county, the index is made from the staging file in another thread, while this one still writes the table.
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
  /** The first property_id; the others follow without a gap. */
  readonly firstId: number;
  /** ZIPs of the county, by which an owner's ZIP is known to be one of it. */
  readonly zips: readonly string[];
}

/** Fewer are indexed before a thread has begun. */
const worthwhileRows = 20_000;
/**
 * More are indexed when the table is written: the thread's memory comes on top of what writing takes. 300,000 rows
 * took 521 MB so, a million 744, and an import is to need 512 at most.
 */
const mostRows = 150_000;

/** Null unless all parcels of the county are staged, all are new, and they are many, but not too many. To be asked when ids are given. */
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

/** Columns whose value in the table is not simply the staged one: the same as `merge-parcels.ts` and `parcel-expressions.ts` say. */
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
