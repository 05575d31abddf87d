/** The layers that complete parcels: one row per kind, with the columns it computes, in the order of its values. */
import type { LayerKind } from '../spec/layer-titles.ts';
import type { ComputedValue } from '../store/computed-values.ts';

export type { LayerKind } from '../spec/layer-titles.ts';

export interface LayerKindRow {
  /** Columns of the dictionary. */
  readonly columns: readonly string[];
  /** Whether a parcel outside the coverage may hold what the file does not: then nothing is known of it. */
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
  slope: {
    columns: ['elevation_min_ft', 'elevation_mean_ft', 'elevation_max_ft', 'slope_mean_percent', 'slope_area_percent'],
    needsCoverage: false,
  },
  schools: { columns: ['school_district'], needsCoverage: false },
  // whether the owner's ZIP is another follows from the parcel's
  zips: { columns: ['situs_zip', 'owner_out_of_zip'], needsCoverage: false },
};

export const layerKindNames = Object.keys(layerKinds) as LayerKind[];

/** What a layer says of one parcel. */
export interface Finding {
  /** One for each column of the kind. */
  readonly values: readonly ComputedValue[];
  /** Numbers of the features that were used, from 0 in the order of the layer. */
  readonly used: readonly number[];
  /** Why all values are null, in words that fit many parcels; null: they are not. */
  readonly reason: string | null;
}

export const unknownFor = (kind: LayerKind, reason: string): Finding => ({
  values: layerKinds[kind].columns.map(() => null),
  used: [],
  reason,
});

/** Decimals that the dictionary keeps. */
export const rounded = (value: number, decimals: number): number => {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
};
