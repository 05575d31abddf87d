/** Reads and writes the rows of layers in the land file: their metadata and their features. */
import type { Bounds } from '../geo/geometry.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import type { Coverage } from './coverage.ts';
import type { EnrichmentSettings } from './enrichment-settings.ts';
import type { LayerKind } from './layer-kinds.ts';
import type { KeptFeature } from './read-layer.ts';

export interface StoredLayer {
  readonly layer_id: number;
  readonly fips: string;
  readonly kind: LayerKind;
  /** Tells layers that are only drawn apart; empty for other kinds, of which a county has one each. */
  readonly title: string;
  readonly source_name: string;
  /** ISO date */
  readonly source_date: string;
  readonly feature_count: number;
  readonly settings: EnrichmentSettings;
  readonly coverage: Coverage;
  readonly loaded_at: string;
}

/** Metadata of a layer that is known before it is read. */
export type LayerPlan = Pick<StoredLayer, 'fips' | 'kind' | 'title' | 'source_name' | 'source_date' | 'settings'>;

/** The metadata in the shape of a report. */
export const reportOf = ({ kind, title, fips, source_name: source, source_date: date }: LayerPlan) => ({
  kind,
  title,
  fips,
  source,
  date,
});

type LayerRow = Omit<StoredLayer, 'settings' | 'coverage'> & { readonly settings: string; readonly coverage: string };

const columns = 'layer_id, fips, kind, title, source_name, source_date, feature_count, settings, coverage, loaded_at';

const readLayerRow = (row: LayerRow): StoredLayer => ({
  ...row,
  settings: JSON.parse(row.settings) as EnrichmentSettings,
  coverage: JSON.parse(row.coverage) as Coverage,
});

export function findLayer(file: SqliteFile, fips: string, kind: LayerKind, title = ''): StoredLayer | null {
  const row = file.get<LayerRow>(
    `SELECT ${columns} FROM layers WHERE fips = ? AND kind = ? AND title = ?`,
    ...[fips, kind, title],
  );
  return row ? readLayerRow(row) : null;
}

export function findLayerById(file: SqliteFile, layerId: number): StoredLayer | null {
  const row = file.get<LayerRow>(`SELECT ${columns} FROM layers WHERE layer_id = ?`, layerId);
  return row ? readLayerRow(row) : null;
}

/** The layers that complete a county's parcels, by kind. */
export const layersOf = (file: SqliteFile, fips: string): StoredLayer[] =>
  file
    .all<LayerRow>(`SELECT ${columns} FROM layers WHERE fips = ? AND kind <> 'other' ORDER BY kind`, fips)
    .map(readLayerRow);

/** @param report JSON. @returns layer_id */
export function insertLayer(file: SqliteFile, layer: Omit<StoredLayer, 'layer_id'>, report: string): number {
  const { lastInsertRowid } = file.run(
    `INSERT INTO layers (fips, kind, title, source_name, source_date, feature_count, settings, coverage, report, loaded_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[layer.fips, layer.kind, layer.title, layer.source_name, layer.source_date, layer.feature_count],
    ...[JSON.stringify(layer.settings), JSON.stringify(layer.coverage), report, layer.loaded_at],
  );
  return Number(lastInsertRowid);
}

/** Updates a layer's metadata; its computed values stay. */
export function updateLayer(file: SqliteFile, layerId: number, layer: Omit<StoredLayer, 'layer_id'>): void {
  file.run(
    `UPDATE layers SET source_name = ?, source_date = ?, feature_count = ?, settings = ?, coverage = ?, loaded_at = ?
     WHERE layer_id = ?`,
    ...[layer.source_name, layer.source_date, layer.feature_count, JSON.stringify(layer.settings)],
    ...[JSON.stringify(layer.coverage), layer.loaded_at, layerId],
  );
}

/** Removes a layer with its features and computed values; the parcels' columns stay unchanged. */
export function deleteLayer(file: SqliteFile, layerId: number): void {
  file.run('DELETE FROM computed_values WHERE layer_id = ?', layerId);
  file.run(
    `DELETE FROM layer_features_index WHERE layer_feature_id IN
       (SELECT layer_feature_id FROM layer_features WHERE layer_id = ?)`,
    layerId,
  );
  file.run('DELETE FROM layer_features WHERE layer_id = ?', layerId);
  file.run('DELETE FROM layers WHERE layer_id = ?', layerId);
}

/** Stages the features of a file in a temporary table, so that the land file is not locked meanwhile. */
export class StagedFeatures {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
    this.drop();
    file.exec(`CREATE TEMP TABLE staged_features (feature_id INTEGER PRIMARY KEY, class TEXT, name TEXT, properties TEXT NOT NULL,
      geom BLOB NOT NULL, min_x REAL, max_x REAL, min_y REAL, max_y REAL)`);
  }

  /** Writes at once: a transaction that waits for the next feature would block other writers. */
  add(features: readonly KeptFeature[]): void {
    this.#file.snapshot(() => {
      for (const { featureClass, name, properties, geom, bounds } of features) {
        this.#file.run(
          `INSERT INTO temp.staged_features (class, name, properties, geom, min_x, max_x, min_y, max_y)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          ...[featureClass, name, properties, geom, bounds.minX, bounds.maxX, bounds.minY, bounds.maxY],
        );
      }
    });
  }

  /** Copies them into the layer; features are numbered from 1 in file order. */
  copyTo(layerId: number): void {
    const first =
      this.#file.get<{ last: number | null }>('SELECT max(layer_feature_id) AS last FROM layer_features')?.last ?? 0;
    this.#file.run(
      `INSERT INTO layer_features (layer_feature_id, layer_id, feature_id, class, name, properties, geom)
       SELECT :first + feature_id, :layerId, feature_id, class, name, properties, geom FROM temp.staged_features
       ORDER BY feature_id`,
      { first, layerId },
    );
    this.#file.run(
      `INSERT INTO layer_features_index SELECT :first + feature_id, min_x, max_x, min_y, max_y
       FROM temp.staged_features ORDER BY feature_id`,
      { first },
    );
  }

  drop(): void {
    this.#file.exec('DROP TABLE IF EXISTS temp.staged_features');
  }
}

export interface FeatureRow {
  readonly feature_id: number;
  readonly class: string | null;
  readonly properties: string;
  readonly geom: Uint8Array;
}

/** The features of a layer in order; with `box` only those whose boxes intersect it. */
export function featureRows(file: SqliteFile, layerId: number, box?: Bounds): IterableIterator<FeatureRow> {
  if (box === undefined) {
    return file.iterate<FeatureRow>(
      'SELECT feature_id, class, properties, geom FROM layer_features WHERE layer_id = ? ORDER BY feature_id',
      layerId,
    );
  }
  // CROSS JOIN forces SQLite to start at the boxes, not at all features of the layer
  return file.iterate<FeatureRow>(
    `SELECT f.feature_id, f.class, f.properties, f.geom FROM layer_features_index i
     CROSS JOIN layer_features f ON f.layer_feature_id = i.layer_feature_id
     WHERE i.max_lon >= :minX AND i.min_lon <= :maxX AND i.max_lat >= :minY AND i.min_lat <= :maxY
       AND +f.layer_id = :layerId ORDER BY f.feature_id`,
    { ...box, layerId },
  );
}
