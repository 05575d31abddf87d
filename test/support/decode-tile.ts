/** Reads a vector tile with the libraries that maps use, as an oracle of what the engine writes. */
import { classifyRings, VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';

export interface TileFeature {
  readonly id: number;
  readonly type: number;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
  /** Rings, lines or points in units of the tile. */
  readonly parts: readonly (readonly { readonly x: number; readonly y: number }[])[];
}

/** Features by layer. */
export function decodeTile(bytes: Uint8Array | null): Record<string, TileFeature[]> {
  if (!bytes) return {};
  const { layers } = new VectorTile(new PbfReader(bytes));
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => {
      if (layer.version !== 2 || layer.extent !== 4096) throw new Error(`${name}: ${layer.version}, ${layer.extent}`);
      return [name, Array.from({ length: layer.length }, (_, i) => featureOf(layer.feature(i)))];
    }),
  );
}

const featureOf = (feature: ReturnType<VectorTile['layers'][string]['feature']>): TileFeature => ({
  id: feature.id ?? -1,
  type: feature.type,
  properties: feature.properties as TileFeature['properties'],
  parts: feature.loadGeometry(),
});

/** Polygons with their holes, as maps tell them apart: by the direction of the rings. */
export const polygonsOf = ({ parts }: TileFeature): { x: number; y: number }[][][] => classifyRings(parts as never);

/** Square units within a box, exteriors less holes (shoelace over the rings cut at the box by the caller). */
export function ringArea(ring: readonly { readonly x: number; readonly y: number }[]): number {
  let sum = 0;
  for (const [index, { x, y }] of ring.entries()) {
    const next = ring[(index + 1) % ring.length] ?? { x, y };
    sum += x * next.y - next.x * y;
  }
  return sum / 2;
}
