/** Lists the layers of the land file that have features, with bounds, geometry type and classes. */
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';

export interface DrawnLayer {
  readonly layerId: number;
  readonly fips: string;
  readonly kind: string;
  readonly sourceName: string;
  /** ISO date. */
  readonly sourceDate: string;
  readonly geometry: 'polygons' | 'lines';
  readonly classes: readonly { readonly class: string | null; readonly features: number }[];
  /** west, south, east, north */
  readonly bounds: readonly [number, number, number, number];
  readonly generation: string;
}

interface LayerRow {
  readonly layer_id: number;
  readonly fips: string;
  readonly kind: string;
  readonly source_name: string;
  readonly source_date: string;
  readonly feature_count: number;
  readonly loaded_at: string;
}

/** Layer ids are never reused and features never edited, so each layer is read once. */
const kept = new WeakMap<LandStore, Map<string, DrawnLayer>>();

export function drawnLayers(land: LandStore): DrawnLayer[] {
  const before = kept.get(land);
  const rows = land.file.all<LayerRow>(
    `SELECT layer_id, fips, kind, source_name, source_date, feature_count, loaded_at FROM layers
     WHERE feature_count > 0 ORDER BY fips, kind`,
  );
  const layers = rows.flatMap((row) => {
    const generation = `${row.layer_id} ${row.loaded_at} ${row.feature_count}`;
    return before?.get(generation) ?? describe(land.file, row, generation) ?? [];
  });
  kept.set(land, new Map(layers.map((layer) => [layer.generation, layer])));
  return layers;
}

const boundsSql = `SELECT min(i.min_lon), min(i.min_lat), max(i.max_lon), max(i.max_lat)
FROM layer_features f CROSS JOIN layer_features_index i ON i.layer_feature_id = f.layer_feature_id
WHERE f.layer_id = ?`;

/** Class MULTILINESTRING in the header of a geometry. */
const lineClass = 5;

function describe(file: SqliteFile, row: LayerRow, generation: string): DrawnLayer | null {
  const { layer_id: layerId } = row;
  const [bounds] = file.rawRows(boundsSql, layerId);
  const [west = null, south = null, east = null, north = null] = (bounds ?? []) as (number | null)[];
  if (west === null || south === null || east === null || north === null) return null;
  const shape = file.get<{ start: Uint8Array }>(
    'SELECT substr(geom, 1, 43) AS start FROM layer_features WHERE layer_id = ? LIMIT 1',
    layerId,
  )?.start;
  return {
    layerId,
    fips: row.fips,
    kind: row.kind,
    sourceName: row.source_name,
    sourceDate: row.source_date,
    // The class is the number at byte 39, little endian.
    geometry: shape?.[39] === lineClass ? 'lines' : 'polygons',
    classes: file.all<{ class: string | null; features: number }>(
      'SELECT class, count(*) AS features FROM layer_features WHERE layer_id = ? GROUP BY class ORDER BY features DESC',
      layerId,
    ),
    bounds: [west, south, east, north],
    generation,
  };
}
