/**
 * GeoJSON files, collections and sequences of features, as layers; transforms coordinates of other systems than WGS84.
 */
import path from 'node:path';
import { membersOf } from '../../../geo/geojson-geometry.ts';
import { type ReferenceSystem, systemOfText, wgs84 } from '../crs/reference-system.ts';
import type { ParcelFeature } from '../parcel-feature.ts';
import type { ParcelLayer, ReadOptions } from '../parcel-source.ts';
import { readGeoJsonLines } from './geojson-lines-reader.ts';
import { readGeoJson } from './geojson-reader.ts';

export function openGeoJson(filePath: string, form: 'geojson' | 'geojson-lines', { crs }: ReadOptions): ParcelLayer {
  const named = crs === undefined ? null : () => systemOfText(crs, filePath);
  // Known once its member is read: at the latest with the first feature.
  let own: ReferenceSystem = wgs84;
  let isPart = false;
  const onPart = () => {
    isPart = true;
  };
  const onSystem = (name: string) => {
    own = systemOfText(name, filePath);
    return own;
  };
  return {
    name: path.basename(filePath, path.extname(filePath)),
    format: form,
    columns: null,
    rowCount: null,
    bounds: null,
    encoding: 'UTF-8',
    isPart: () => isPart,
    system: () => named?.() ?? own,
    *features() {
      const given = named?.();
      const features =
        form === 'geojson' ? readGeoJson(filePath, given ? () => given : onSystem, onPart) : readGeoJsonLines(filePath);
      for (const feature of features) yield inWgs84(feature, given ?? own);
    },
  };
}

/** Changes the feature in place: it was just parsed. */
function inWgs84(feature: ParcelFeature, system: ReferenceSystem): ParcelFeature {
  if (system.code === 4326) return feature;
  for (const member of membersOf(feature.geometry))
    transformPositions((Object(member) as { coordinates?: unknown }).coordinates, system);
  return feature;
}

const pair = new Float64Array(2);
const isPosition = (value: unknown[]): boolean => typeof value[0] === 'number' && typeof value[1] === 'number';

function transformPositions(value: unknown, system: ReferenceSystem): void {
  if (!Array.isArray(value)) return;
  if (!isPosition(value)) {
    for (const item of value) transformPositions(item, system);
    return;
  }
  pair[0] = value[0] as number;
  pair[1] = value[1] as number;
  system.toWgs84(pair);
  value[0] = pair[0];
  value[1] = pair[1];
}
