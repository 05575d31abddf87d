/** The kinds of layers: one row each, with the computed columns in the order of its values. */
import type { LayerKind } from '../spec/layer-titles.ts';
import type { ComputedValue } from '../store/computed-values.ts';

export type { LayerKind } from '../spec/layer-titles.ts';

interface LayerKindRow {
  /** Columns of the dictionary. */
  readonly columns: readonly string[];
  /** Whether parcels outside the coverage are unknown, since the file may lack their features. */
  readonly needsCoverage: boolean;
}

export const layerKinds: Readonly<Record<LayerKind, LayerKindRow>> = {
  roads: {
    columns: [
      'road_frontage_ft',
      'road_frontage_major_highway_ft',
      'road_frontage_normal_road_ft',
      'road_frontage_local_road_ft',
      'landlocked',
    ],
    needsCoverage: true,
  },
  wetlands: { columns: ['wetlands_percent'], needsCoverage: true },
  flood: { columns: ['flood_zone_percent', 'flood_zone_type'], needsCoverage: true },
  buildings: { columns: ['structure_count'], needsCoverage: true },
  water: { columns: ['water_frontage_ft'], needsCoverage: true },
  slope: {
    columns: ['elevation_min_ft', 'elevation_mean_ft', 'elevation_max_ft', 'slope_mean_percent', 'slope_area_percent'],
    needsCoverage: false,
  },
  schools: { columns: ['school_district'], needsCoverage: false },
  // owner_out_of_zip depends on the parcel's ZIP
  zips: { columns: ['situs_zip', 'owner_out_of_zip'], needsCoverage: false },
  plss: { columns: ['township', 'range', 'section', 'principal_meridian'], needsCoverage: false },
  other: { columns: [], needsCoverage: false },
};

export const layerKindNames = Object.keys(layerKinds) as LayerKind[];

/** The values that a layer gives to one parcel. */
export interface Finding {
  /** One for each column of the kind. */
  readonly values: readonly ComputedValue[];
  /** Numbers of the features that were used, from 0 in the order of the layer. */
  readonly used: readonly number[];
  /** Why all values are null, in words common to many parcels; null if they are not. */
  readonly reason: string | null;
}

export const unknownFor = (kind: LayerKind, reason: string): Finding => ({
  values: layerKinds[kind].columns.map(() => null),
  used: [],
  reason,
});

/** Rounds to the dictionary's decimals. */
export const rounded = (value: number, decimals: number): number => {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
};
