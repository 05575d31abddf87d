/**
 * The comps of land.sqlite in memory: 88 bytes each, in spatial order. Built on first need, and valid while the
 * counties' generations stay the same; triggers raise them at every write (store/migrations/backtests.ts). Other fields
 * of a comp are read from the file on demand, in the snapshot of the answer.
 */
import { type CompStatus, compStatuses } from '../comps/comp-columns.ts';
import { compDateSql, dayOf } from '../comps/comp-facts.ts';
import { CompIndex } from '../comps/comp-index.ts';
import { type CompKeys, type CompTable, struckNumber, WordNumbers } from '../comps/comp-table.ts';
import { recordOf } from '../comps/same-sale.ts';
import type { ValueComp } from '../comps/value-types.ts';
import type { LandStore } from '../store/land-store.ts';
import { compGenerationTriggers } from '../store/migrations/backtests.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { valueCompsAt } from './comp-row.ts';

type ColumnRow = [
  rowid: number,
  longitude: number,
  latitude: number,
  price: unknown,
  acres: unknown,
  status: CompStatus,
  date: string | null,
  soldDate: string | null,
  use: string | null,
  propertyId: number | null,
  fips: string,
  isZip: number | null,
  struck: string | null,
];

/**
 * Read in batches: one by one takes a third longer, all at once much memory. Includes the sold date only where it
 * differs from `date`.
 */
const columnsSql = `SELECT c.comp_rowid, c.longitude, c.latitude, c.price, c.lot_size, c.status, ${compDateSql},
  CASE WHEN c.status <> 'SOLD' THEN c.sold_date END, c.use, c.property_id, c.fips,
  c.coordinate_grain = 'zip', c.struck FROM comps c WHERE c.comp_rowid > ? ORDER BY c.comp_rowid LIMIT 5000`;

/** Calendar days as sortable numbers: 20261120; 0 for none. */
export const calendarNumber = (iso: string | null): number => (iso === null ? 0 : Number(iso.replaceAll('-', '')));

const isoDay = /^\d{4}-\d\d-\d\d$/;

/** A day written as text: days since 1970, and its calendar number. */
interface Day {
  readonly days: number;
  readonly calendar: number;
  readonly isPlain: boolean;
}

function readDay(iso: unknown): Day {
  const days = dayOf(iso as string | null) ?? Number.NaN;
  const isDay = typeof iso === 'string' && isoDay.test(iso);
  return { days, calendar: isDay ? calendarNumber(iso) : 0, isPlain: isDay || iso === null };
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/** Every comp, by row: the order of row ids. */
export class LandComps implements CompTable {
  readonly index: CompIndex;
  /** Row ids in the file, ascending. */
  readonly rowids: Float64Array;
  readonly prices: Float64Array;
  readonly acres: Float64Array;
  readonly areSold: Uint8Array;
  readonly areZip: Uint8Array;
  readonly struck: Uint8Array;
  /** Index of the status in `compStatuses`. */
  readonly statuses: Uint8Array;
  /** `calendarNumber` of the sold date. */
  readonly soldDays: Int32Array;
  readonly counties: Int32Array;
  /** False if another program wrote acres that are not numbers, or sold dates that are not days. */
  readonly isPlain: boolean;
  readonly #file: SqliteFile;
  readonly #ranks: Int32Array;
  readonly #uses = new WordNumbers();
  readonly #counties = new WordNumbers();

  /** Call it in the snapshot of the answer. */
  constructor(file: SqliteFile) {
    const count = file.get<{ n: number }>('SELECT count(*) AS n FROM comps')?.n ?? 0;
    this.#file = file;
    this.rowids = new Float64Array(count);
    this.prices = new Float64Array(count);
    this.acres = new Float64Array(count);
    this.areSold = new Uint8Array(count);
    this.areZip = new Uint8Array(count);
    this.struck = new Uint8Array(count);
    this.statuses = new Uint8Array(count);
    this.soldDays = new Int32Array(count);
    this.counties = new Int32Array(count);
    const keys: CompKeys = {
      longitudes: new Float64Array(count),
      latitudes: new Float64Array(count),
      dates: new Float64Array(count),
      propertyIds: new Float64Array(count),
      uses: new Int32Array(count),
    };
    this.isPlain = this.#readColumns(keys);
    this.#ranks = this.#readRanks();
    this.index = new CompIndex(keys, this);
  }

  get useNumbers(): ReadonlyMap<string, number> {
    return this.#uses.numbers;
  }

  /** The index of a county in `counties`; -1 if no comp is in it. */
  numberOfCounty(fips: string): number {
    return this.#counties.numbers.get(fips) ?? -1;
  }

  compareIds(rowA: number, rowB: number): number {
    return (this.#ranks[rowA] as number) - (this.#ranks[rowB] as number);
  }

  recordsAt(rows: readonly number[]): (string | null)[] {
    const rowids = rows.map((row) => this.rowids[row] as number);
    const found = this.#file.all<{ comp_rowid: number; address: string | null; source_id: string }>(
      'SELECT comp_rowid, address, source_id FROM comps WHERE comp_rowid IN (SELECT value FROM json_each(?))',
      JSON.stringify(rowids),
    );
    const records = new Map(found.map((row) => [row.comp_rowid, recordOf(row.address, row.source_id)]));
    return rowids.map((rowid) => records.get(rowid) ?? null);
  }

  compsAt(rows: readonly number[]): ValueComp[] {
    return valueCompsAt(
      this.#file,
      rows.map((row) => this.rowids[row] as number),
    );
  }

  /** @returns whether all values are as expected */
  #readColumns(keys: CompKeys): boolean {
    const days = new Map<unknown, Day>();
    const dayAt = (iso: unknown): Day => {
      const known = days.get(iso);
      if (known) return known;
      const day = readDay(iso);
      days.set(iso, day);
      return day;
    };
    let isPlain = true;
    let row = 0;
    for (const values of this.#rows()) {
      const [rowid, longitude, latitude, price, acres, status, date, soldDate, use, propertyId, fips, isZip, struck] =
        values;
      const day = dayAt(date);
      const sold = status === 'SOLD' ? day : dayAt(soldDate);
      this.rowids[row] = rowid;
      this.prices[row] = numberOf(price);
      this.acres[row] = numberOf(acres);
      this.areSold[row] = Number(status === 'SOLD');
      this.areZip[row] = isZip ?? 0;
      this.struck[row] = struckNumber(struck);
      this.statuses[row] = compStatuses.indexOf(status);
      this.soldDays[row] = sold.calendar;
      this.counties[row] = this.#counties.numberOf(fips);
      keys.longitudes[row] = longitude;
      keys.latitudes[row] = latitude;
      keys.dates[row] = day.days;
      keys.propertyIds[row] = propertyId ?? Number.NaN;
      keys.uses[row] = this.#uses.numberOf(use);
      isPlain &&= sold.isPlain && (acres === null || typeof acres === 'number');
      row++;
    }
    return isPlain;
  }

  *#rows(): Generator<ColumnRow> {
    // arrays are faster to create than objects
    const statement = this.#file.statement(columnsSql).raw(true);
    let last = Number.NEGATIVE_INFINITY;
    for (;;) {
      const rows = statement.all(last) as unknown as ColumnRow[];
      yield* rows;
      const end = rows.at(-1);
      if (!end) return;
      [last] = end;
    }
  }

  /** Ranks of the ids in sort order, without the ids themselves: SQLite reads only their index. */
  #readRanks(): Int32Array {
    const ranks = new Int32Array(this.rowids.length);
    for (const [rank, rowid] of this.#file.column<number>('SELECT comp_rowid FROM comps ORDER BY comp_id').entries()) {
      ranks[this.#rowOf(rowid)] = rank;
    }
    return ranks;
  }

  #rowOf(rowid: number): number {
    let low = 0;
    let high = this.rowids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rowids[middle] as number) < rowid) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The state of a file's comps, as far as the file itself can tell. */
interface CompsState {
  readonly schema: number;
  readonly generation: number;
}

interface Kept {
  /** The state at the last query. */
  readonly state: CompsState;
  /** Whether the schema of `state` had the triggers that raise generations. */
  readonly isWatched: boolean;
  /** The comps in that state, once a query needed all of them. */
  comps: LandComps | null;
}

const keptByLand = new WeakMap<LandStore, Kept>();

const stateOf = (file: SqliteFile): CompsState => ({
  schema: file.column<number>('SELECT schema_version FROM pragma_schema_version')[0] ?? 0,
  generation: file.column<number>('SELECT coalesce(sum(generation), 0) FROM comp_generations')[0] ?? 0,
});

/** Another program that rebuilds the table removes its triggers: changes then go unseen. */
function isWatched(file: SqliteFile): boolean {
  const names = file.column<string>("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'comps'");
  return compGenerationTriggers.every((name) => names.includes(name));
}

/** Access to the comps for the length of a snapshot. */
interface CompsAtHand {
  /** All comps in memory; reads them if necessary. */
  readonly all: () => LandComps;
  /** The comps in memory, loaded only at the second query of the same state: a single query is faster from the file. */
  readonly allIfWorthwhile: () => LandComps | null;
}

/** Runs `work` in one snapshot of the file with access to its comps. */
export function withComps<Result>(land: LandStore, work: (comps: CompsAtHand) => Result): Result {
  const { file } = land;
  // a transaction may roll back, and other comps may then get its generation
  const isOwnSnapshot = !file.inTransaction;
  return file.snapshot(() => {
    const state = stateOf(file);
    const kept = keptByLand.get(land);
    const isSame = kept?.state.generation === state.generation && kept.state.schema === state.schema;
    if (!isOwnSnapshot) return work({ all: () => new LandComps(file), allIfWorthwhile: () => null });
    const now: Kept = isSame && kept ? kept : { state, isWatched: watches(file, kept, state), comps: null };
    keptByLand.set(land, now);
    const all = () => {
      if (now.comps) return now.comps;
      const comps = new LandComps(file);
      if (now.isWatched) now.comps = comps;
      return comps;
    };
    return work({ all, allIfWorthwhile: () => (isSame && now.isWatched ? all() : null) });
  });
}

const watches = (file: SqliteFile, kept: Kept | undefined, state: CompsState): boolean =>
  kept?.state.schema === state.schema ? kept.isWatched : isWatched(file);
