/** Merges staged parcels into the parcels table: writes only differences, and retires missing parcels. */
import { indexCounty } from '../../columns/update-index.ts';
import { importColumns } from '../../spec/parcel-columns.ts';
import { roadParcelColumns } from '../../spec/road-parcels.ts';
import { staleNeighbours } from '../../store/neighbour-store.ts';
import { isRtreeEmpty, RtreeFiller } from '../../store/rtree-pages.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import { derivedColumnNames } from '../stage/derive-values.ts';
import type { ImportReport } from '../stage/import-report.ts';
import { keyColumns } from '../stage/staged-parcels.ts';
import { KeptComputed } from './kept-computed.ts';
import { announceChange, dropTriggersAndIndexes, refreshLayerStatistics } from './layer-upkeep.ts';
import { type DatasetKey, recountedColumns } from './match-identities.ts';
import { type BeforeImport, saveBefore } from './save-before.ts';
import { hashStandingShapes, refuseStrangers } from './standing-parcels.ts';

type MergeCounts = Pick<
  ImportReport,
  'new' | 'changed' | 'retired' | 'returned' | 'unchanged' | 'recounted' | 'kept_for_refused' | 'written_otherwise'
>;

/** A staged parcel compared with the current ones; reports count `recounted` as unchanged. */
export type StagedState = 'new' | 'changed' | 'returned' | 'recounted' | 'unchanged';

/** Rows written between two progress reports; each report is a chance to cancel. */
const rowsPerChunk = 10_000;
/** Above this share of the current rows, rebuilding an index is cheaper than adding to it row by row. */
const rebuildShare = 0.2;

/** True if the states differ; false if the owner's ZIP is one of this county's; else unknown. */
const outOfCounty = `CASE WHEN s.owner_out_of_county IS NOT NULL THEN s.owner_out_of_county
  WHEN s.owner_out_of_state = 1 THEN 1
  WHEN substr(s.mailing_zip, 1, 5) IN (SELECT zip FROM temp.staged_zips) THEN 0 END`;

/**
 * Columns that this import may write: those of its mapping or of the previous import's, and derived ones. All others
 * belong to enrichment and stay.
 */
export function columnsInPlay(
  ...mappings: readonly { readonly columns: Readonly<Record<string, unknown>> }[]
): string[] {
  const named = new Set<string>([...mappings.flatMap(({ columns }) => Object.keys(columns)), ...derivedColumnNames]);
  return importColumns.map((column) => column.name).filter((name) => named.has(name));
}

export class ParcelMerge {
  readonly counts: MergeCounts = {
    new: 0,
    changed: 0,
    retired: 0,
    returned: 0,
    unchanged: 0,
    recounted: 0,
    kept_for_refused: 0,
    written_otherwise: 0,
  };
  readonly #file: SqliteFile;
  readonly #dataset: DatasetKey & { readonly datasetId: number };
  readonly #columns: readonly string[];
  readonly #computed: KeptComputed;
  readonly #recounted: ReadonlySet<string>;

  /** Use it in one transaction, after `matchIdentities`. */
  constructor(
    file: SqliteFile,
    dataset: DatasetKey & { readonly datasetId: number },
    columns: readonly string[],
    mapping: { readonly columns: object },
  ) {
    this.#file = file;
    this.#recounted = new Set([...recountedColumns].filter((name) => !Object.hasOwn(mapping.columns, name)));
    this.#dataset = dataset;
    this.#columns = columns;
    this.#computed = new KeptComputed(file, dataset.fips, columns);
  }

  /**
   * Classifies every staged parcel as new, changed, returned, recounted or unchanged. Writes only temporary tables.
   * @throws EngineError import_refused if another program's row has the id of a parcel
   */
  compare(): MergeCounts {
    this.#collectZips();
    hashStandingShapes(this.#file);
    refuseStrangers(this.#file, this.#dataset);
    this.#computed.stage();
    this.#file.run(
      `UPDATE temp.staged_ids AS i SET state = (
         SELECT CASE WHEN p.property_id IS NULL THEN 'new' WHEN p.status <> 'current' THEN 'returned'
           WHEN ${this.#differs()} THEN 'changed' WHEN ${this.#isRecounted()} THEN 'recounted' ELSE 'unchanged' END
         FROM staging.staged_parcels s
         LEFT JOIN parcels p ON p.property_id = i.property_id
         LEFT JOIN parcel_registry r ON r.property_id = i.property_id
         ${this.#computed.joinSql}
         WHERE s.stage_id = i.stage_id)
       WHERE is_registered = 1`,
      { fips: this.#dataset.fips, datasetId: this.#dataset.datasetId },
    );
    const states = this.#file.all<{ state: StagedState; n: number }>(
      'SELECT state, count(*) AS n FROM temp.staged_ids GROUP BY state',
    );
    for (const { state, n } of states) this.counts[state] = n;
    this.counts.unchanged += this.counts.recounted;
    this.counts.retired = this.#count(vanished);
    this.counts.kept_for_refused = this.#count(notInFiles) - this.counts.retired;
    if (this.counts.new > 0 && this.counts.retired > 0) this.counts.written_otherwise = this.#countWrittenOtherwise();
    return this.counts;
  }

  #countWrittenOtherwise(): number {
    return (
      this.#file.get<{ n: number }>(
        `SELECT count(*) AS n FROM temp.staged_ids i JOIN staging.staged_parcels s ON s.stage_id = i.stage_id
         WHERE i.state = 'new' AND s.apn_key IN (SELECT apn_key FROM parcels WHERE ${vanished})`,
        this.#names(),
      )?.n ?? 0
    );
  }

  #count(condition: string): number {
    return this.#file.get<{ n: number }>(`SELECT count(*) AS n FROM parcels WHERE ${condition}`, this.#names())?.n ?? 0;
  }

  get rowsToWrite(): number {
    const { new: added, changed, returned, recounted } = this.counts;
    return added + changed + returned + recounted;
  }

  get hasChanges(): boolean {
    return this.rowsToWrite + this.counts.retired > 0;
  }

  /** Whether something beside the rows changed: raw columns, or the origin of a value. */
  get hasNews(): boolean {
    return this.#computed.hasChanges || this.#file.get(`${otherRaw} LIMIT 1`) !== undefined;
  }

  /** Saves what `write` will replace. @throws EngineError disk_full */
  saveBefore(home: string, before: BeforeImport): void {
    const replaced = `SELECT property_id FROM temp.staged_ids WHERE state IN ('changed', 'returned', 'recounted')
      UNION SELECT property_id FROM parcels WHERE ${vanished}
      UNION SELECT property_id FROM parcels JOIN computed_values v USING (property_id) JOIN layers l USING (layer_id)
        JOIN parcel_registry r USING (property_id) WHERE l.fips = :fips AND v.geometry_hash IS NOT r.geometry_hash`;
    const added = "SELECT property_id FROM temp.staged_ids WHERE state = 'new'";
    const touched = `SELECT property_id FROM (${otherRaw} AND i.is_registered = 1)
      UNION SELECT property_id FROM temp.staged_provenance`;
    saveBefore(this.#file, home, before, { replaced, added, touched }, this.#names());
  }

  /**
   * Writes the result of `compare`.
   * @param onRows called with the number of rows written so far; may throw to cancel
   */
  write(at: Date, onRows: (rows: number) => void): void {
    if (!this.hasChanges) {
      this.#writeCompanions();
      return;
    }
    this.#writeParcels(at, onRows);
  }

  #writeCompanions(): void {
    this.#file.run(`INSERT INTO raw_columns (property_id, json) SELECT property_id, staged FROM (${otherRaw})
      WHERE staged IS NOT NULL ON CONFLICT (property_id) DO UPDATE SET json = excluded.json`);
    this.#file.run(
      `DELETE FROM raw_columns WHERE property_id IN (SELECT property_id FROM (${otherRaw}) WHERE staged IS NULL)`,
    );
    this.#computed.write();
  }

  /** Drops its temporary tables. */
  drop(): void {
    this.#computed.drop();
  }

  #writeParcels(at: Date, onRows: (rows: number) => void): void {
    const file = this.#file;
    const written = this.rowsToWrite;
    const standing = file.get<{ n: number }>('SELECT count(*) AS n FROM parcels')?.n ?? 0;
    const restore = dropTriggersAndIndexes(file, written > rebuildShare * standing);
    if (this.#changesNeighbours()) staleNeighbours(file, this.#dataset.fips);
    this.#writeRows(onRows);
    this.#register();
    file.run(`UPDATE parcels SET status = 'retired' WHERE ${vanished}`, this.#names());
    this.#writeCompanions();
    restore();
    announceChange(file, this.#anyPropertyId());
    refreshLayerStatistics(file, at);
    // The pages of the staged rows are not read again: their memory is for the index.
    file.exec('PRAGMA shrink_memory');
    indexCounty(file, this.#dataset.fips);
    file.exec('ANALYZE main.parcels; ANALYZE main.parcel_registry;');
  }

  /** False: neither a shape changes nor what makes a road of it, and neighbors stay as they are. */
  #changesNeighbours(): boolean {
    const { new: added, returned, retired } = this.counts;
    if (added + returned + retired > 0) return true;
    const uses = roadParcelColumns
      .filter((name) => this.#columns.includes(name))
      .map((name) => `s.${name} IS NOT p.${name}`);
    const other = `SELECT 1 FROM temp.staged_ids i JOIN staging.staged_parcels s ON s.stage_id = i.stage_id
      JOIN parcels p ON p.property_id = i.property_id WHERE i.state = 'changed' AND (${[...otherShapes, ...uses].join(' OR ')}) LIMIT 1`;
    return this.#file.get(other) !== undefined;
  }

  #names(): { fips: string; jurisdiction: string; datasetId: number } {
    const { fips, jurisdiction, datasetId } = this.#dataset;
    return { fips, jurisdiction, datasetId };
  }

  /** Includes the files' own ZIPs and those of the county's other datasets. */
  #collectZips(): void {
    this.#file.run(
      `INSERT OR IGNORE INTO temp.staged_zips SELECT DISTINCT situs_zip FROM parcels
           WHERE fips = :fips AND situs_zip IS NOT NULL AND status = 'current' AND dataset_id IS NOT :datasetId`,
      { fips: this.#dataset.fips, datasetId: this.#dataset.datasetId },
    );
  }

  /**
   * A ring that begins at another corner is the same shape: where bytes differ, the geometry is compared by hash; the
   * point, whose last digits may then differ, only where there is no shape. Compares with the table, not the registry:
   * another program may have moved the shape.
   */
  #differs(): string {
    const columns = [...this.#columns, ...keyColumns].filter(
      (name) => !this.#recounted.has(name) && !name.startsWith('point_'),
    );
    return [
      ...columns.map((name) => this.#isOther(name)),
      'p.fips IS NOT :fips',
      'p.dataset_id IS NOT :datasetId',
      'p.apn_sequence_number IS NOT i.sequence',
      's.geometry_hash IS NOT r.geometry_hash',
      ...otherShapes,
      's.geom IS NULL AND (s.point_lon IS NOT p.point_lon OR s.point_lat IS NOT p.point_lat)',
    ].join('\n OR ');
  }

  #isRecounted(): string {
    const columns = [...this.#columns, ...keyColumns].filter((name) => this.#recounted.has(name));
    return columns.map((name) => this.#isOther(name)).join(' OR ') || '0';
  }

  #isOther(column: string): string {
    return `${this.#stagedValue(column)} IS NOT p.${column}`;
  }

  /** In steps of rows, not of ids: another program may have assigned ids with large gaps. */
  #writeRows(onRows: (rows: number) => void): void {
    const file = this.#file;
    const upsert = this.#upsertSql();
    const { fips, datasetId } = this.#dataset;
    const filler = isRtreeEmpty(file, boxTree) ? new RtreeFiller(file, boxTree) : null;
    let rows = 0;
    let after = 0;
    for (;;) {
      const { last } = file.get<{ last: number | null }>(chunkEndSql, { after }) ?? { last: null };
      if (last === null) {
        if (filler) file.withShadowTables(() => filler.finish());
        return;
      }
      const range = { after, last };
      rows += file.run(upsert, { fips, datasetId, ...range }).changes;
      this.#writeBoxes(range, filler);
      onRows(rows);
      after = last;
    }
  }

  #writeBoxes(range: { readonly after: number; readonly last: number }, filler: RtreeFiller | null): void {
    const file = this.#file;
    if (filler) {
      const boxes = file.rawRows(boxesSql, range) as [number, number, number, number, number][];
      file.withShadowTables(() => {
        for (const box of boxes) filler.add(...box);
      });
      return;
    }
    file.run(removeBoxesSql, range);
    file.run(addBoxesSql, range);
  }

  #stagedValue(column: string): string {
    return this.#computed.valueSql(column, column === 'owner_out_of_county' ? outOfCounty : `s.${column}`);
  }

  #upsertSql(): string {
    const values: [column: string, value: string][] = [
      ...[...this.#columns, ...keyColumns].map((name): [string, string] => [name, this.#stagedValue(name)]),
      ['apn_sequence_number', 'i.sequence'],
      ['fips', ':fips'],
      ['status', "'current'"],
      ['dataset_id', ':datasetId'],
      ['geom', 's.geom'],
    ];
    const names = values.map(([name]) => name);
    return `INSERT INTO parcels (property_id, ${names.join(', ')})
      SELECT i.property_id, ${values.map(([, value]) => value).join(', ')}
      FROM temp.staged_ids i JOIN staging.staged_parcels s ON s.stage_id = i.stage_id ${this.#computed.joinSql}
      WHERE i.property_id > :after AND i.property_id <= :last AND i.state <> 'unchanged'
      ORDER BY i.property_id
      ON CONFLICT (property_id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
  }

  #register(): void {
    const { fips, jurisdiction } = this.#dataset;
    this.#file.run(
      `INSERT INTO parcel_registry (property_id, fips, jurisdiction, apn, sequence, geometry_hash)
       SELECT i.property_id, :fips, :jurisdiction, s.identity, i.sequence, s.geometry_hash
       FROM temp.staged_ids i JOIN staging.staged_parcels s ON s.stage_id = i.stage_id
       WHERE i.is_registered = 0 ORDER BY i.property_id`,
      { fips, jurisdiction },
    );
    this.#file.run(
      `UPDATE parcel_registry SET geometry_hash = s.geometry_hash
       FROM temp.staged_ids i JOIN staging.staged_parcels s ON s.stage_id = i.stage_id
       WHERE i.property_id = parcel_registry.property_id AND i.is_registered = 1 AND i.state <> 'unchanged'
         AND parcel_registry.geometry_hash IS NOT s.geometry_hash`,
    );
  }

  #anyPropertyId(): number | null {
    const { datasetId } = this.#dataset;
    return (
      this.#file.get<{ id: number }>('SELECT property_id AS id FROM parcels WHERE dataset_id = ? LIMIT 1', datasetId)
        ?.id ?? null
    );
  }
}

/** See `#differs`. */
const otherShapes = [
  '(s.geom IS NULL) <> (p.geom IS NULL)',
  's.geom IS NOT NULL AND s.geom IS NOT p.geom AND i.standing_hash IS NOT s.geometry_hash',
];

/** Current parcels of the dataset that are missing from the files. */
const notInFiles = `dataset_id = :datasetId AND status = 'current'
  AND property_id NOT IN (SELECT property_id FROM temp.staged_ids)`;

/**
 * A refused parcel has not vanished: its APN or its shape identifies it. A refused feature without an APN may be any of
 * the parcels without one: then none of them is retired.
 */
const vanished = `${notInFiles}
  AND property_id NOT IN (SELECT r.property_id FROM parcel_registry r
    JOIN staging.staged_refusals f ON f.identity = r.apn WHERE r.fips = :fips AND r.jurisdiction = :jurisdiction)
  AND property_id NOT IN (SELECT r.property_id FROM parcel_registry r
    JOIN staging.staged_refusals f ON f.geometry_hash = r.geometry_hash WHERE r.fips = :fips AND r.jurisdiction = :jurisdiction)`;

/** Parcels whose raw columns changed. */
const otherRaw = `SELECT i.property_id, w.json AS staged FROM temp.staged_ids i
  LEFT JOIN staging.staged_raw w ON w.stage_id = i.stage_id LEFT JOIN raw_columns b ON b.property_id = i.property_id
  WHERE w.json IS NOT b.json`;

const chunkEndSql = `SELECT max(property_id) AS last FROM (SELECT property_id FROM temp.staged_ids
  WHERE state <> 'unchanged' AND property_id > :after ORDER BY property_id LIMIT ${rowsPerChunk})`;

/** Every written row gets a new box: the current one may belong to another program's shape. */
const writtenIds = `i.property_id > :after AND i.property_id <= :last AND i.state <> 'unchanged'`;

/** Unregistered rows have no box: their ids are above those of all boxes. */
const removeBoxesSql = `DELETE FROM idx_parcels_geom
  WHERE pkid IN (SELECT i.property_id FROM temp.staged_ids i WHERE ${writtenIds} AND i.is_registered = 1)`;

const boxTree = 'idx_parcels_geom';

const boxesSql = `SELECT i.property_id, s.min_x, s.max_x, s.min_y, s.max_y
  FROM temp.staged_ids i JOIN staging.staged_parcels s ON s.stage_id = i.stage_id
  WHERE ${writtenIds} AND s.min_x IS NOT NULL ORDER BY i.property_id`;

const addBoxesSql = `INSERT INTO ${boxTree} (pkid, xmin, xmax, ymin, ymax) ${boxesSql}`;
