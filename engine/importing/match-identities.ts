/**
 * Which staged parcel is which registered one (contract.md, section 3). A property_id outlives every import, whatever the
 * order of the file: nothing here may depend on stage_id but to tell apart parcels that are equal in everything.
 */
import { importColumns } from '../spec/parcel-columns.ts';
import type { SqliteFile } from '../store/sqlite.ts';

export interface DatasetKey {
  readonly fips: string;
  readonly jurisdiction: string;
}

/** Columns that an import computes from the date or from other parcels: they may not tell doubles apart. */
const unstable = new Set(['ownership_length_months', 'owner_out_of_county', 'tax_delinquent']);
const contentColumns = importColumns.map((column) => column.name).filter((name) => !unstable.has(name));

/** All values of a parcel as one text. Numbers are compared as SQLite writes them. */
const contentOf = (table: string): string =>
  `json_array(${contentColumns.map((name) => `${table}.${name}`).join(', ')})`;

/** Staged parcels that share identity and shape with another, with their content: few, and only they need it. */
const doublesSql = `
  CREATE TEMP TABLE staged_doubles AS
  SELECT s.stage_id, ${contentOf('s')} AS content FROM temp.staged_parcels s
  JOIN (SELECT identity, geometry_hash FROM temp.staged_parcels GROUP BY 1, 2 HAVING count(*) > 1) d
    ON d.identity = s.identity AND d.geometry_hash IS s.geometry_hash`;

const unmatched = `(SELECT s.stage_id, s.identity, s.geometry_hash, s.hilbert, coalesce(d.content, '') AS content
  FROM temp.staged_parcels s LEFT JOIN temp.staged_doubles d ON d.stage_id = s.stage_id
  WHERE s.stage_id NOT IN (SELECT stage_id FROM temp.staged_ids))`;

const unclaimed = `(SELECT r.* FROM parcel_registry r
  WHERE r.fips = :fips AND r.jurisdiction = :jurisdiction
    AND r.property_id NOT IN (SELECT property_id FROM temp.staged_ids))`;

/** Pairs off both sides rank by rank within equal keys. */
const pairSql = (on: {
  staged: string;
  registry: string;
  order: string;
  registryFrom?: string;
  where?: string;
  join: string;
}): string => `
  INSERT INTO temp.staged_ids (property_id, stage_id, sequence, is_registered)
  SELECT r.property_id, s.stage_id, r.sequence, 1
  FROM (SELECT u.*, row_number() OVER (PARTITION BY ${on.staged} ORDER BY ${on.order}) AS rank
        FROM ${unmatched} u ${on.where ?? ''}) s
  JOIN (SELECT u.*, row_number() OVER (PARTITION BY ${on.registry} ORDER BY sequence) AS rank
        FROM ${on.registryFrom ?? unclaimed} u) r
    ON ${on.join} AND r.rank = s.rank`;

/** First equal shape and equal content: of two doubles on one lot, the one that was sold must not take the other's id. */
const byContent = pairSql({
  staged: 'identity, geometry_hash, content',
  registry: 'apn, geometry_hash, content',
  order: 'stage_id',
  registryFrom: `(SELECT q.*, ${contentOf('p')} AS content FROM ${unclaimed} q JOIN parcels p ON p.property_id = q.property_id
    WHERE q.apn IN (SELECT x.identity FROM temp.staged_doubles y JOIN temp.staged_parcels x ON x.stage_id = y.stage_id))`,
  where: "WHERE content <> ''",
  join: 'r.apn = s.identity AND r.geometry_hash IS s.geometry_hash AND r.content = s.content',
});

/** Then equal shape. Parcels without APN are known by their shape alone. */
const byShape = pairSql({
  staged: 'identity, geometry_hash',
  registry: 'apn, geometry_hash',
  order: 'content, stage_id',
  join: 'r.apn = s.identity AND r.geometry_hash IS s.geometry_hash',
});

/** Then the APN alone: the shape was redrawn. */
const byApn = pairSql({
  staged: 'identity',
  registry: 'apn',
  order: 'geometry_hash, content, stage_id',
  where: "WHERE identity <> ''",
  join: 'r.apn = s.identity',
});

/** What is left is new: the next sequences of its APN, the next numbers along the Hilbert curve. */
const newSql = `
  INSERT INTO temp.staged_ids (property_id, stage_id, sequence, is_registered, state)
  SELECT :lastId + row_number() OVER (ORDER BY hilbert IS NULL, hilbert, identity, sequence), stage_id, sequence, 0, 'new'
  FROM (
    SELECT u.stage_id, u.hilbert, u.identity,
      coalesce((SELECT max(r.sequence) FROM parcel_registry r
                WHERE r.fips = :fips AND r.jurisdiction = :jurisdiction AND r.apn = u.identity), 0)
      + row_number() OVER (PARTITION BY u.identity ORDER BY u.geometry_hash, u.content, u.stage_id) AS sequence
    FROM ${unmatched} u)`;

/** Fills `staged_ids` for every staged parcel. */
export function matchIdentities(file: SqliteFile, { fips, jurisdiction }: DatasetKey): void {
  file.exec('DROP TABLE IF EXISTS temp.staged_doubles');
  file.exec(doublesSql);
  file.exec('CREATE UNIQUE INDEX temp.staged_doubles_id ON staged_doubles (stage_id)');
  try {
    const isKnown = file.get(
      'SELECT 1 FROM parcel_registry WHERE fips = ? AND jurisdiction = ? LIMIT 1',
      fips,
      jurisdiction,
    );
    if (isKnown) for (const sql of [byContent, byShape, byApn]) file.run(sql, { fips, jurisdiction });
    const { last } = file.get<{ last: number }>(
      `SELECT max(coalesce((SELECT max(property_id) FROM parcel_registry), 0),
                  coalesce((SELECT max(property_id) FROM parcels), 0)) AS last`,
    ) as { last: number };
    file.run(newSql, { fips, jurisdiction, lastId: last });
  } finally {
    file.exec('DROP TABLE IF EXISTS temp.staged_doubles');
  }
}
