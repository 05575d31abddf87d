/**
 * Matches staged parcels to registered ones (docs/contract.md, "Identity of a parcel"). A property_id outlives every
 * import, whatever the order of the file: nothing here may depend on stage_id except to order parcels that are equal in
 * everything.
 */
import { EngineError } from '../../spec/errors.ts';
import { importColumns } from '../../spec/parcel-columns.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import { matchMoved } from './match-moved.ts';

export interface DatasetKey {
  readonly fips: string;
  readonly jurisdiction: string;
}

/**
 * Columns an import computes, if the county does not publish them, from its date or from other parcels: they neither
 * distinguish doubles nor count as a change of a parcel.
 */
export const recountedColumns: ReadonlySet<string> = new Set([
  'ownership_length_months',
  'owner_out_of_county',
  'tax_delinquent_years',
]);
/** Derived from the shape: excluded where the shape is to be ignored. */
export const ofShape: ReadonlySet<string> = new Set(['calculated_acres']);

/** All values of a parcel as one text. Numbers are compared as SQLite writes them. */
const contentOf = (table: string, columns: readonly string[]): string =>
  `json_array(${columns.map((name) => `${table}.${name}`).join(', ')})`;

/** Staged parcels that share identity and shape with another, with their content: few, and only they need it. */
const doublesSql = (columns: readonly string[]): string => `
  CREATE TEMP TABLE staged_doubles AS
  SELECT s.stage_id, ${contentOf('s', columns)} AS content FROM staging.staged_parcels s
  JOIN (SELECT identity, geometry_hash FROM staging.staged_parcels GROUP BY 1, 2 HAVING count(*) > 1) d
    ON d.identity = s.identity AND d.geometry_hash IS s.geometry_hash`;

const unmatched = `(SELECT s.stage_id, s.identity, s.geometry_hash, s.hilbert, coalesce(d.content, '') AS content
  FROM staging.staged_parcels s LEFT JOIN temp.staged_doubles d ON d.stage_id = s.stage_id
  WHERE s.stage_id NOT IN (SELECT stage_id FROM temp.staged_ids))`;

/** `is_gone`: retired or deleted. Such a parcel may return, but never instead of a current one. */
const unclaimed = `(SELECT r.*, coalesce(c.status <> 'current', 1) AS is_gone
  FROM parcel_registry r LEFT JOIN parcels c ON c.property_id = r.property_id
  WHERE r.fips = :fips AND r.jurisdiction = :jurisdiction
    AND r.property_id NOT IN (SELECT property_id FROM temp.staged_ids))`;

/** Pairs both sides by rank within equal keys. */
const pairSql = (on: {
  staged: string;
  registry: string;
  order: string;
  stagedFrom?: string;
  registryFrom?: string;
  where?: string;
  join: string;
}): string => `
  INSERT INTO temp.staged_ids (property_id, stage_id, sequence, is_registered)
  SELECT r.property_id, s.stage_id, r.sequence, 1
  FROM (SELECT u.*, row_number() OVER (PARTITION BY ${on.staged} ORDER BY ${on.order}) AS rank
        FROM ${on.stagedFrom ?? unmatched} u ${on.where ?? ''}) s
  JOIN (SELECT u.*, row_number() OVER (PARTITION BY ${on.registry} ORDER BY is_gone, sequence) AS rank
        FROM ${on.registryFrom ?? unclaimed} u) r
    ON ${on.join} AND r.rank = s.rank`;

/**
 * First equal shape and equal content: of two doubles on one lot, the one that was sold must not take the other's id.
 */
const byContent = (columns: readonly string[]): string =>
  pairSql({
    staged: 'identity, geometry_hash, content',
    registry: 'apn, geometry_hash, content',
    order: 'stage_id',
    registryFrom: `(SELECT q.*, ${contentOf('p', columns)} AS content FROM ${unclaimed} q JOIN parcels p ON p.property_id = q.property_id
    WHERE q.apn IN (SELECT x.identity FROM temp.staged_doubles y JOIN staging.staged_parcels x ON x.stage_id = y.stage_id))`,
    where: "WHERE content <> ''",
    join: 'r.apn = s.identity AND r.geometry_hash IS s.geometry_hash AND r.content = s.content',
  });

/** Then equal shape. A blank APN is identified by its shape alone; `matchMoved` allows for redrawing. */
const byShape = pairSql({
  staged: 'identity, geometry_hash',
  registry: 'apn, geometry_hash',
  order: 'content, stage_id',
  join: 'r.apn = s.identity AND r.geometry_hash IS s.geometry_hash',
});

/** Then equal APN and content: of doubles that were all redrawn, each stays with its owner and account. */
const byContentAlone = (columns: readonly string[]): string => {
  const shapeless = columns.filter((name) => !ofShape.has(name));
  return pairSql({
    staged: 'identity, content',
    registry: 'apn, content',
    order: 'geometry_hash, stage_id',
    stagedFrom: `(SELECT s.stage_id, s.identity, s.geometry_hash, ${contentOf('s', shapeless)} AS content
      FROM staging.staged_parcels s
      WHERE s.identity <> '' AND s.stage_id NOT IN (SELECT stage_id FROM temp.staged_ids))`,
    registryFrom: `(SELECT q.*, ${contentOf('p', shapeless)} AS content FROM ${unclaimed} q
      JOIN parcels p ON p.property_id = q.property_id WHERE q.apn <> '')`,
    join: 'r.apn = s.identity AND r.content = s.content',
  });
};

/** Then the APN alone: the shape was redrawn. */
const byApn = pairSql({
  staged: 'identity',
  registry: 'apn',
  order: 'geometry_hash, content, stage_id',
  where: "WHERE identity <> ''",
  join: 'r.apn = s.identity',
});

/**
 * The largest property_id ever used, here or in another program: ids are never reused. Includes boxes: a program that
 * deletes rows without the triggers leaves theirs.
 */
const lastIdSql = `SELECT max(coalesce((SELECT max(property_id) FROM parcel_registry), 0),
  coalesce((SELECT max(property_id) FROM parcels), 0),
  coalesce((SELECT max(rowid) FROM idx_parcels_geom_rowid), 0),
  coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'parcels'), 0)) AS last`;

/** The rest is new: gets the next sequence numbers of its APN, and the next ids along the Hilbert curve. */
const newSql = `
  INSERT INTO temp.staged_ids (property_id, stage_id, sequence, is_registered, state)
  SELECT (${lastIdSql}) + row_number() OVER (ORDER BY hilbert IS NULL, hilbert, identity, sequence), stage_id, sequence, 0, 'new'
  FROM (
    SELECT u.stage_id, u.hilbert, u.identity,
      coalesce((SELECT max(r.sequence) FROM parcel_registry r
                WHERE r.fips = :fips AND r.jurisdiction = :jurisdiction AND r.apn = u.identity), 0)
      + row_number() OVER (PARTITION BY u.identity ORDER BY u.geometry_hash, u.content, u.stage_id) AS sequence
    FROM ${unmatched} u)`;

/** JavaScript, JSON and spreadsheets round numbers above 2⁵³: two parcels would look like one. */
function expectSafeIds(file: SqliteFile): void {
  const { last, added } = file.get<{ last: number; added: number }>(
    `SELECT (${lastIdSql}) AS last, 
       (SELECT count(*) FROM staging.staged_parcels) - (SELECT count(*) FROM temp.staged_ids) AS added`,
  ) as { last: number; added: number };
  if (added === 0 || last + added <= Number.MAX_SAFE_INTEGER) return;
  const { text } = file.get<{ text: string }>(`SELECT CAST((${lastIdSql}) AS TEXT) AS text`) as { text: string };
  throw new EngineError(
    'import_refused',
    `Another program has assigned the property_id ${text}: new parcels would need numbers above ${Number.MAX_SAFE_INTEGER}, which are not exact everywhere. Give that row a smaller number, and restore land.sqlite from a backup if the number was deleted meanwhile.`,
  );
}

/** What matches parcels reads only these columns, mostly by identity; without the index each would read all columns. */
export const indexStaged = (file: SqliteFile): void =>
  file.exec(
    'CREATE INDEX IF NOT EXISTS staging.staged_by_identity ON staged_parcels (identity, geometry_hash, hilbert)',
  );

/**
 * Fills `staged_ids` for every staged parcel. Call `indexStaged` before it.
 * @param columns those that this import may write: values added by enrichment do not distinguish a parcel
 */
export function matchIdentities(
  file: SqliteFile,
  { fips, jurisdiction }: DatasetKey,
  columns: readonly string[] = importColumns.map((column) => column.name),
): void {
  const content = columns.filter((name) => !recountedColumns.has(name));
  file.exec('DROP TABLE IF EXISTS temp.staged_doubles');
  file.exec(doublesSql(content));
  file.exec('CREATE UNIQUE INDEX temp.staged_doubles_id ON staged_doubles (stage_id)');
  try {
    const isKnown = file.get(
      'SELECT 1 FROM parcel_registry WHERE fips = ? AND jurisdiction = ? LIMIT 1',
      fips,
      jurisdiction,
    );
    const passes = isKnown ? [byContent(content), byShape, byContentAlone(content), byApn] : [];
    for (const sql of passes) file.run(sql, { fips, jurisdiction });
    if (isKnown) matchMoved(file, { fips, jurisdiction });
    expectSafeIds(file);
    file.run(newSql, { fips, jurisdiction });
  } finally {
    file.exec('DROP TABLE IF EXISTS temp.staged_doubles');
  }
}
