/** Reopens a layer in another thread. */
import { openGeoJson } from './geojson/geojson-parcels.ts';
import type { LayerElsewhere, ParcelLayer } from './parcel-source.ts';
import { openShapefile } from './shapefile/shapefile-reader.ts';

export const openElsewhere = (layer: LayerElsewhere): ParcelLayer =>
  layer.form === 'shapefile'
    ? openShapefile(layer.parts, layer.options)
    : openGeoJson(layer.path, layer.form, layer.options);
