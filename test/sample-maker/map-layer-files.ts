/** The sample's map layers as the files that ship: GeoJSON with a feature in each line. */
import { buildMapLayers, type LayerFeature } from './map-layers.ts';

export const mapLayerFiles = (): Record<string, string> =>
  Object.fromEntries(Object.entries(buildMapLayers()).map(([name, features]) => [`${name}.geojson`, textOf(features)]));

const textOf = (features: readonly LayerFeature[]): string => `{"type":"FeatureCollection","features":[
${features.map((feature) => JSON.stringify({ type: 'Feature', ...feature })).join(',\n')}
]}
`;
