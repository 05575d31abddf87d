/** Comps on their way into the comps table: staged in a temporary one, then compared and merged, source id by source id. */
import type { StoredComp } from '../../comps/comp-columns.ts';
import { compId } from '../../comps/stable-id.ts';
import type { SqliteFile } from '../../store/sqlite.ts';

/** A comp as the table keeps it; its id comes from source and source id. */
export type StagedComp = Omit<StoredComp, 'comp_id'>;

const valueColumns = [
  'source',
  'source_id',
  'fips',
  'property_id',
  'status',
  'address',
  'city',
  'state',
  'zip',
  'county',
  'apn',
  'latitude',
  'longitude',
  'coordinate_grain',
  'lot_size',
  'price',
  'use',
  'list_date',
  'as_of_date',
  'sold_date',
  'days_on_market',
  'sale_type',
  'url',
  'photos',
] as const satisfies (keyof StagedComp)[];

const names = ['comp_id', ...valueColumns].join(', ');

export interface MergeCounts {
  new: number;
  changed: number;
  unchanged: number;
  /** The home knows better: what stands there was seen later. */
  older: number;
  /** Of the source's own rows, no longer there; only where the merge replaces. */
  removed: number;
}

/** A temporary table of comps; `drop` it in any case. */
export class CompStaging {
  readonly #file: SqliteFile;
  #count = 0;
  #repeated = 0;

  constructor(file: SqliteFile) {
    this.#file = file;
    this.drop();
    // the types of the columns as in comps, so that numbers compare as numbers
    file.exec(`CREATE TEMP TABLE staged_comps AS SELECT ${names} FROM comps WHERE 0;
      CREATE UNIQUE INDEX temp.staged_comps_id ON staged_comps (comp_id);`);
  }

  /** Comps staged, and how many of them came twice (the later one counts). */
  get counts(): { comps: number; repeated: number } {
    return { comps: this.#count - this.#repeated, repeated: this.#repeated };
  }

  add(comp: StagedComp): void {
    const id = compId(comp.source, comp.source_id);
    const before = this.#file.run('DELETE FROM temp.staged_comps WHERE comp_id = ?', id).changes;
    this.#repeated += before;
    this.#count++;
    this.#file.run(
      `INSERT INTO temp.staged_comps (${names}) VALUES (?${', ?'.repeat(valueColumns.length)})`,
      id,
      ...valueColumns.map((column) => comp[column]),
    );
  }

  /** Inside a transaction. @param replace rows of this source and county that are not staged are removed */
  merge(replace?: { readonly source: string; readonly fips: string }): MergeCounts {
    const file = this.#file;
    const count = (sql: string) => file.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)?.n ?? 0;
    const removed = replace
      ? file.run(
          'DELETE FROM comps WHERE source = ? AND fips = ? AND comp_id NOT IN (SELECT comp_id FROM temp.staged_comps)',
          replace.source,
          replace.fips,
        ).changes
      : 0;
    const joined = 'temp.staged_comps s JOIN comps c ON c.comp_id = s.comp_id';
    const known = count(joined);
    const older = count(`${joined} WHERE ${isOlder} AND ${differs}`);
    const changed = file.run(
      `UPDATE comps AS c SET (${valueColumns.join(', ')}) = (${valueColumns.map((column) => `s.${column}`).join(', ')})
       FROM temp.staged_comps s WHERE s.comp_id = c.comp_id AND ${differs} AND NOT ${isOlder}`,
    ).changes;
    const added = file.run(
      `INSERT INTO comps (${names}) SELECT ${names} FROM temp.staged_comps
       WHERE comp_id NOT IN (SELECT comp_id FROM comps) ORDER BY comp_id`,
    ).changes;
    return { new: added, changed, unchanged: known - changed - older, older, removed };
  }

  drop(): void {
    this.#file.exec('DROP TABLE IF EXISTS temp.staged_comps');
  }
}

const differs = `(${valueColumns.map((column) => `c.${column} IS NOT s.${column}`).join(' OR ')})`;

/** A download of last month does not put a sold lot back on the market, nor an old ask over a new one. */
const isOlder = `coalesce(
  CASE WHEN c.status = 'SOLD' AND s.status <> 'SOLD' THEN s.as_of_date <= c.sold_date ELSE s.as_of_date < c.as_of_date END, 0)`;
