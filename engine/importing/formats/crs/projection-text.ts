/**
 * A described system's projection as a PROJ string, for proj4. Esri, OGC and EPSG each name methods and parameters
 * differently.
 */
import type { ProjectionFacts, SystemFacts } from './system-facts.ts';

/** Parameters by their names in descriptions, folded. */
const parameterNames: readonly (readonly [name: string, ...written: string[]])[] = [
  [
    'lat_0',
    'latitude_of_origin',
    'latitude_of_center',
    'latitude_of_natural_origin',
    'latitude_of_false_origin',
    'latitude_of_projection_centre',
  ],
  [
    'lon_0',
    'central_meridian',
    'longitude_of_center',
    'longitude_of_origin',
    'longitude_of_natural_origin',
    'longitude_of_false_origin',
    'longitude_of_projection_centre',
  ],
  ['lat_1', 'standard_parallel_1', 'latitude_of_1st_standard_parallel'],
  ['lat_2', 'standard_parallel_2', 'latitude_of_2nd_standard_parallel'],
  [
    'k_0',
    'scale_factor',
    'scale_factor_at_natural_origin',
    'scale_factor_at_projection_centre',
    'scale_factor_on_initial_line',
  ],
  ['x_0', 'false_easting', 'easting_at_false_origin', 'easting_at_projection_centre'],
  ['y_0', 'false_northing', 'northing_at_false_origin', 'northing_at_projection_centre'],
  ['alpha', 'azimuth', 'azimuth_of_initial_line', 'azimuth_at_projection_centre'],
  ['gamma', 'rectified_grid_angle', 'angle_from_rectified_to_skew_grid'],
];

/** Methods by their names in descriptions, folded. */
const methods: ReadonlyMap<string, string> = new Map([
  ['lambert_conformal_conic', '+proj=lcc'],
  ['lambert_conformal_conic_1sp', '+proj=lcc'],
  ['lambert_conformal_conic_2sp', '+proj=lcc'],
  ['lambert_conic_conformal_1sp', '+proj=lcc'],
  ['lambert_conic_conformal_2sp', '+proj=lcc'],
  ['transverse_mercator', '+proj=tmerc'],
  ['gauss_kruger', '+proj=tmerc'],
  ['albers', '+proj=aea'],
  ['albers_conic_equal_area', '+proj=aea'],
  ['albers_equal_area', '+proj=aea'],
  // Variant A starts from the natural origin on the equator, variant B from the center.
  ['hotine_oblique_mercator', '+proj=omerc +no_uoff'],
  ['hotine_oblique_mercator_azimuth_natural_origin', '+proj=omerc +no_uoff'],
  ['hotine_oblique_mercator_variant_a', '+proj=omerc +no_uoff'],
  ['hotine_oblique_mercator_azimuth_center', '+proj=omerc'],
  ['hotine_oblique_mercator_variant_b', '+proj=omerc'],
  ['oblique_mercator', '+proj=omerc'],
  ['polyconic', '+proj=poly'],
  ['american_polyconic', '+proj=poly'],
  ['mercator', '+proj=merc'],
  ['mercator_1sp', '+proj=merc'],
  ['mercator_variant_a', '+proj=merc'],
  ['cassini', '+proj=cass'],
  ['cassini_soldner', '+proj=cass'],
  ['double_stereographic', '+proj=sterea'],
  ['oblique_stereographic', '+proj=sterea'],
]);

const webMercator = new Set(['mercator_auxiliary_sphere', 'popular_visualisation_pseudo_mercator']);

const isWebMercator = ({ method, extension }: ProjectionFacts): boolean =>
  webMercator.has(method) || (method.startsWith('mercator') && extension.includes('+b=6378137'));

/** Null for an unknown method. */
export function projectionText({ semiMajorAxis, inverseFlattening, projection }: SystemFacts): string | null {
  const ellipsoid =
    inverseFlattening === 0
      ? `+a=${semiMajorAxis} +b=${semiMajorAxis}`
      : `+a=${semiMajorAxis} +rf=${inverseFlattening}`;
  if (projection === null) return `+proj=longlat ${ellipsoid}`;
  const values = shortNamed(projection.parameters);
  if (isWebMercator(projection)) {
    // Esri's parameter for the sphere has one value in all supported files.
    return written('+proj=merc +a=6378137 +b=6378137', values, ['lon_0', 'x_0', 'y_0'], projection);
  }
  const method = methods.get(projection.method);
  if (method === undefined) return null;
  const names = ['lat_0', 'lon_0', 'lat_1', 'lat_2', 'k_0', 'x_0', 'y_0', 'alpha', 'gamma'];
  if (method === '+proj=lcc' && !values.has('lat_1')) values.set('lat_1', values.get('lat_0') ?? 0);
  if (method.startsWith('+proj=omerc')) {
    values.set('lonc', values.get('lon_0') ?? 0);
    values.delete('lon_0');
    if (!values.has('gamma')) values.set('gamma', values.get('alpha') ?? 0);
    names.push('lonc');
  }
  return written(`${method} ${ellipsoid}`, values, names, projection);
}

function shortNamed(parameters: ReadonlyMap<string, number>): Map<string, number> {
  const values = new Map<string, number>();
  for (const [name, ...synonyms] of parameterNames) {
    const found = synonyms.find((synonym) => parameters.has(synonym));
    if (found !== undefined) values.set(name, parameters.get(found) ?? 0);
  }
  return values;
}

function written(
  start: string,
  values: ReadonlyMap<string, number>,
  names: readonly string[],
  { metersPerUnit }: ProjectionFacts,
): string {
  const given = names.filter((name) => values.has(name)).map((name) => `+${name}=${values.get(name)}`);
  return [start, ...given, `+to_meter=${metersPerUnit}`].join(' ');
}
