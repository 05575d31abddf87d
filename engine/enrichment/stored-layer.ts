/** Packs a layer stored in the land file for a computation. */
import type { Bounds } from '../geo/geometry.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { decodeMultiLine } from '../geo/spatialite-lines.ts';
import { layerShapes } from '../spec/layer-files.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import type { ComputeContext } from './compute.ts';
import { ClassNames, classNumber } from './layer-classes.ts';
import { LayerPacker } from './layer-index.ts';
import { type FeatureRow, featureRows, type StoredLayer } from './layer-rows.ts';
import { packShape } from './read-layer.ts';

/**
 * Packs features in the order of their numbers.
 * @param box only features near it
 * @param onFeature receives each feature, in the order of the packed layer
 */
export function packStoredLayer(
  file: SqliteFile,
  { layer_id: layerId, kind, settings, coverage }: StoredLayer,
  box?: Bounds,
  onFeature?: (row: FeatureRow) => void,
): ComputeContext {
  const packer = new LayerPacker();
  const names = new ClassNames();
  const isLines = layerShapes[kind] === 'lines';
  for (const row of featureRows(file, layerId, box)) {
    const shape = isLines
      ? { polygons: [], lines: decodeMultiLine(row.geom) }
      : { polygons: decodeMultiPolygon(row.geom), lines: [] };
    packShape(packer, kind, shape, classNumber(kind, row.class, names));
    onFeature?.(row);
  }
  return { kind, settings, coverage, packed: packer.finish(), classNames: names.names };
}
