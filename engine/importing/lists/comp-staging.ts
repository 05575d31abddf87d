/** Stages comps in a temporary table, then compares and merges them into the comps table by source id. */
import type { StoredComp } from '../../comps/comp-columns.ts';
import { compId } from '../../comps/stable-id.ts';
import type { SqliteFile } from '../../store/sqlite.ts';

/** A comp as stored; its id derives from source and source id. */
export type StagedComp = Omit<StoredComp, 'comp_id' | 'struck'>;

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
  'deed',
  'seller',
  'buyer',
] as const satisfies (keyof StagedComp)[];

const names = ['comp_id', ...valueColumns].join(', ');

export interface MergeCounts {
  new: number;
  changed: number;
  unchanged: number;
  /** The home's record is newer. */
  older: number;
  /** Comps whose source says now that they are none; where the merge replaces, also those it no longer has. */
  removed: number;
}

/** A temporary table of comps; always `drop` it. */
export class CompStaging {
  readonly #file: SqliteFile;
  #count = 0;
  #repeated = 0;

  constructor(file: SqliteFile) {
    this.#file = file;
    this.drop();
    // the column types of comps, so that numbers compare as numbers
    file.exec(`CREATE TEMP TABLE staged_comps AS SELECT ${names} FROM comps WHERE 0;
      CREATE UNIQUE INDEX temp.staged_comps_id ON staged_comps (comp_id);
      CREATE TEMP TABLE dismissed_comps (comp_id TEXT PRIMARY KEY) WITHOUT ROWID;`);
  }

  /** Staged comps, and how many came twice (the later one counts). */
  get counts(): { comps: number; repeated: number } {
    return { comps: this.#count - this.#repeated, repeated: this.#repeated };
  }

  /** The source says that this record is no comp. */
  dismiss(source: string, sourceId: string): void {
    this.#file.run('INSERT OR IGNORE INTO temp.dismissed_comps VALUES (?)', compId(source, sourceId));
  }

  /** FIPS codes of the comps that a merge writes. */
  counties(): string[] {
    return this.#file.column<string>(
      `SELECT fips FROM temp.staged_comps
       UNION SELECT fips FROM comps WHERE comp_id IN (SELECT comp_id FROM temp.dismissed_comps) ORDER BY fips`,
    );
  }

  /** Whether it is the first with its id; a later one replaces it. */
  add(comp: StagedComp): boolean {
    const id = compId(comp.source, comp.source_id);
    const before = this.#file.run('DELETE FROM temp.staged_comps WHERE comp_id = ?', id).changes;
    this.#repeated += before;
    this.#count++;
    this.#file.run(
      `INSERT INTO temp.staged_comps (${names}) VALUES (?${', ?'.repeat(valueColumns.length)})`,
      id,
      ...valueColumns.map((column) => comp[column]),
    );
    return before === 0;
  }

  /** Call it in a transaction. @param replace removes rows of this source and county that are not staged */
  merge(replace?: { readonly source: string; readonly fips: string }): MergeCounts {
    const file = this.#file;
    const count = (sql: string) => file.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)?.n ?? 0;
    const replaced = replace
      ? file.run(
          'DELETE FROM comps WHERE source = ? AND fips = ? AND comp_id NOT IN (SELECT comp_id FROM temp.staged_comps)',
          replace.source,
          replace.fips,
        ).changes
      : 0;
    const dismissed = file.run(
      'DELETE FROM comps WHERE comp_id IN (SELECT comp_id FROM temp.dismissed_comps EXCEPT SELECT comp_id FROM temp.staged_comps)',
    ).changes;
    const removed = replaced + dismissed;
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
    this.#file.exec('DROP TABLE IF EXISTS temp.staged_comps; DROP TABLE IF EXISTS temp.dismissed_comps;');
  }
}

const differs = `(${valueColumns.map((column) => `c.${column} IS NOT s.${column}`).join(' OR ')})`;

/** Last month's download must not put a sold lot back on the market, nor an old price over a new one. */
const isOlder = `coalesce(
  CASE WHEN c.status = 'SOLD' AND s.status <> 'SOLD' THEN s.as_of_date <= c.sold_date ELSE s.as_of_date < c.as_of_date END, 0)`;
