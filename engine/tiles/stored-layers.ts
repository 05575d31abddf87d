/** Lists the layers of the land file that have features, with bounds, geometry type and classes. */
import { colorPattern } from '../spec/layer-settings.ts';
import { isLayerLook, isMapOnly, kindLooks, type LayerLook } from '../spec/layer-titles.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';

export interface DrawnLayer {
  readonly layerId: number;
  readonly fips: string;
  readonly kind: string;
  /** Empty unless the layer is only drawn. */
  readonly title: string;
  /** How a layer that is only drawn looks; null for other kinds. */
  readonly look: LayerLook | null;
  /** `#rrggbb`, if the user gave one. */
  readonly color: string | null;
  readonly sourceName: string;
  /** ISO date. */
  readonly sourceDate: string;
  /** Of most features. */
  readonly geometry: 'polygons' | 'lines' | 'points';
  readonly classes: readonly { readonly class: string | null; readonly features: number }[];
  /** west, south, east, north */
  readonly bounds: readonly [number, number, number, number];
  readonly generation: string;
}

interface LayerRow {
  readonly layer_id: number;
  readonly fips: string;
  readonly kind: string;
  readonly title: string;
  readonly settings: string;
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
    `SELECT layer_id, fips, kind, title, settings, source_name, source_date, feature_count, loaded_at FROM layers
     WHERE feature_count > 0 ORDER BY fips, kind, title`,
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

/** The class in the header of a geometry. */
const geometries: Readonly<Record<number, DrawnLayer['geometry']>> = { 1: 'points', 5: 'lines', 6: 'polygons' };

function describe(file: SqliteFile, row: LayerRow, generation: string): DrawnLayer | null {
  const { layer_id: layerId } = row;
  const [bounds] = file.rawRows(boundsSql, layerId);
  const [west = null, south = null, east = null, north = null] = (bounds ?? []) as (number | null)[];
  if (west === null || south === null || east === null || north === null) return null;
  const [most] = file.column<Uint8Array>(
    `SELECT substr(geom, 40, 1) AS class FROM (SELECT geom FROM layer_features WHERE layer_id = ? LIMIT 1000)
     GROUP BY class ORDER BY count(*) DESC LIMIT 1`,
    layerId,
  );
  return {
    layerId,
    fips: row.fips,
    kind: row.kind,
    title: row.title,
    ...appearanceOf(row),
    sourceName: row.source_name,
    sourceDate: row.source_date,
    // The class is the number from byte 39, little endian.
    geometry: geometries[most?.[0] ?? 0] ?? 'polygons',
    classes: file.all<{ class: string | null; features: number }>(
      'SELECT class, count(*) AS features FROM layer_features WHERE layer_id = ? GROUP BY class ORDER BY features DESC',
      layerId,
    ),
    bounds: [west, south, east, north],
    generation,
  };
}

/** The file may be a stranger's: only a known look and a color reach the map's style. */
function appearanceOf({ kind, settings }: LayerRow): Pick<DrawnLayer, 'look' | 'color'> {
  if (!isMapOnly(kind)) return { look: kindLooks.get(kind) ?? null, color: null };
  const { look, color } = JSON.parse(settings) as { look?: unknown; color?: unknown };
  return {
    look: typeof look === 'string' && isLayerLook(look) ? look : 'plain',
    color: typeof color === 'string' && new RegExp(colorPattern).test(color) ? color : null,
  };
}
