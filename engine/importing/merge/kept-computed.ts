/**
 * Values that layers computed from exactly the staged shapes: they stay where the files have none. Otherwise importing
 * a newer file would erase what an enrichment found.
 */

import { withdrawStale } from '../../store/computed-values.ts';
import type { SqliteFile } from '../../store/sqlite.ts';

interface LayerColumns {
  readonly layerId: number;
  /** All columns of its kind. */
  readonly columns: readonly string[];
  /** Those that this import may write. */
  readonly inPlay: readonly string[];
}

/** A county's layers with the columns they computed. */
function layerColumnsOf(file: SqliteFile, fips: string, inPlay: ReadonlySet<string>): LayerColumns[] {
  const rows = file.all<{ layer_id: number; values: string | null }>(
    `SELECT layer_id, (SELECT v."values" FROM computed_values v WHERE v.layer_id = l.layer_id LIMIT 1) AS "values"
     FROM layers l WHERE fips = ? ORDER BY layer_id`,
    fips,
  );
  return rows.flatMap(({ layer_id: layerId, values }) => {
    if (values === null) return [];
    const columns = Object.keys(JSON.parse(values) as object);
    return [{ layerId, columns, inPlay: columns.filter((name) => inPlay.has(name)) }];
  });
}

/** Whether the owner's ZIP differs from the parcel's, which a layer computed: the owner may have moved since. */
const outOfComputedZip = `CASE WHEN s.mailing_zip IS NOT NULL AND k.situs_zip IS NOT NULL
  THEN substr(s.mailing_zip, 1, length(k.situs_zip)) <> k.situs_zip END`;

/** Columns computed by a layer of the county that an import may write. */
export function computedColumnsInPlay(file: SqliteFile, fips: string, columns: readonly string[]): Set<string> {
  return new Set(layerColumnsOf(file, fips, new Set(columns)).flatMap(({ inPlay }) => inPlay));
}

/** Temporary tables `staged_computed` and `staged_provenance`; used in the transaction, after `matchIdentities`. */
export class KeptComputed {
  readonly #file: SqliteFile;
  readonly #fips: string;
  readonly #layers: readonly LayerColumns[];
  readonly #columns: ReadonlySet<string>;

  /** @param columns those that this import may write */
  constructor(file: SqliteFile, fips: string, columns: readonly string[]) {
    this.#file = file;
    this.#fips = fips;
    this.#layers = layerColumnsOf(file, fips, new Set(columns));
    this.#columns = new Set(this.#layers.flatMap(({ inPlay }) => inPlay));
  }

  /** Follows `i` (staged_ids) and `s` (staged_parcels). */
  get joinSql(): string {
    return this.#columns.size === 0 ? '' : 'LEFT JOIN temp.staged_computed k ON k.property_id = i.property_id';
  }

  /** @param staged the files' value, as SQL */
  valueSql(column: string, staged: string): string {
    if (!this.#columns.has(column)) return staged;
    const isOfZip = column === 'owner_out_of_zip' && this.#columns.has('situs_zip');
    return `coalesce(${staged}, ${isOfZip ? outOfComputedZip : `k.${column}`})`;
  }

  /** Collects the kept values, and those that published ones replace. */
  stage(): void {
    this.drop();
    const file = this.#file;
    const columns = [...this.#columns];
    file.exec(`CREATE TEMP TABLE staged_computed (property_id INTEGER PRIMARY KEY${columns.map((name) => `, ${name}`).join('')});
      CREATE TEMP TABLE staged_provenance (layer_id INTEGER NOT NULL, property_id INTEGER NOT NULL, "values" TEXT NOT NULL,
        published TEXT, PRIMARY KEY (layer_id, property_id)) WITHOUT ROWID;`);
    for (const { layerId, inPlay } of this.#layers) if (inPlay.length > 0) this.#stageLayer(layerId, inPlay);
    for (const layer of this.#layers) if (layer.inPlay.length > 0) this.#stageProvenance(layer);
  }

  #stageLayer(layerId: number, columns: readonly string[]): void {
    this.#file.run(
      `INSERT INTO temp.staged_computed (property_id, ${columns.join(', ')})
       SELECT v.property_id, ${columns.map((name) => `json_extract(v."values", '$.${name}')`).join(', ')}
       FROM temp.staged_ids i CROSS JOIN computed_values v ON v.layer_id = ? AND v.property_id = i.property_id
       CROSS JOIN staging.staged_parcels s ON s.stage_id = i.stage_id
       WHERE v.geometry_hash IS s.geometry_hash
       ON CONFLICT (property_id) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      layerId,
    );
  }

  /** Which values are published: those of the files; for columns outside the import, as before. */
  #stageProvenance({ layerId, columns, inPlay }: LayerColumns): void {
    const published = columns.map((name) =>
      inPlay.includes(name)
        ? `SELECT '${name}' AS name WHERE s.${name} IS NOT NULL`
        : `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM json_each(v.published) WHERE value = '${name}')`,
    );
    const list = `(SELECT nullif(json_group_array(name), '[]') FROM (${published.join(' UNION ALL ')}))`;
    const isOfZips = columns.includes('owner_out_of_zip') && this.#columns.has('situs_zip');
    const values = isOfZips
      ? `CASE WHEN k.property_id IS NULL THEN v."values" ELSE json_set(v."values", '$.owner_out_of_zip', ${outOfComputedZip}) END`
      : 'v."values"';
    this.#file.run(
      `INSERT INTO temp.staged_provenance (layer_id, property_id, "values", published)
       SELECT layer_id, property_id, "values", published FROM (
         SELECT v.layer_id, v.property_id, ${values} AS "values", v."values" AS values_before,
           ${list} AS published, v.published AS published_before
         FROM temp.staged_ids i CROSS JOIN computed_values v ON v.layer_id = ? AND v.property_id = i.property_id
         CROSS JOIN staging.staged_parcels s ON s.stage_id = i.stage_id
         LEFT JOIN temp.staged_computed k ON k.property_id = i.property_id)
       WHERE published IS NOT published_before OR "values" <> values_before`,
      layerId,
    );
  }

  get hasChanges(): boolean {
    return this.#file.get('SELECT 1 FROM temp.staged_provenance LIMIT 1') !== undefined;
  }

  /** Call it once the rows are written and registered. */
  write(): void {
    this.#file.run(
      `UPDATE computed_values SET "values" = n."values", published = n.published FROM temp.staged_provenance n
       WHERE n.layer_id = computed_values.layer_id AND n.property_id = computed_values.property_id`,
    );
    withdrawStale(this.#file, this.#fips);
  }

  drop(): void {
    this.#file.exec('DROP TABLE IF EXISTS temp.staged_computed; DROP TABLE IF EXISTS temp.staged_provenance;');
  }
}
