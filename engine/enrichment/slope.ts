/**
 * Computes elevation_*_ft, slope_mean_percent and slope_area_percent from the first raster that covers the parcel, or from
 * all rasters together for a parcel that lies across two files.
 */
import type { LandStore } from '../store/land-store.ts';
import type { CountyParcels } from './county-parcels.ts';
import { ElevationRaster } from './elevation-raster.ts';
import { type Finding, unknownFor } from './layer-kinds.ts';
import type { LayerRaster } from './layer-rasters.ts';
import { sumHeights } from './raster-sums.ts';
import { noHeights, type TerrainSums } from './terrain-sums.ts';

export type ReadableRaster = LayerRaster & { readonly file: NonNullable<LayerRaster['file']> };

export interface SlopeTask {
  /** In order of priority: the first that covers a parcel is used. */
  readonly rasters: readonly ReadableRaster[];
  readonly wanted: ReadonlySet<number>;
  /** Called if some parcels have heights for a part only: returns which of them to add up, and from which rasters. */
  readonly across: (
    parts: readonly number[],
  ) => Promise<{ readonly wanted: ReadonlySet<number>; readonly rasters: readonly ReadableRaster[] }>;
}

interface SlopeFindings {
  /** One per parcel, in their order; `used` has the numbers of the rasters. */
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/** @param onRows receives the number of parcels so far; may throw to cancel */
export async function computeSlope(
  land: LandStore,
  { fips, ids }: CountyParcels,
  { rasters, wanted, across }: SlopeTask,
  onRows: (rows: number) => void,
): Promise<SlopeFindings> {
  const notes = new Set<string>();
  const known = new Map<number, Finding>();
  const open = new Set(wanted);
  const parts = new Set<number>();
  const settle = (id: number, finding: Finding, hasHeights: boolean): void => {
    if (finding.reason === null) {
      known.set(id, finding);
      open.delete(id);
    } else if (hasHeights) parts.add(id);
  };
  for (const { number, file, settings } of rasters) {
    const raster = await ElevationRaster.open(file.path, settings);
    try {
      const rows = known.size;
      const sums = await sumHeights(land, { fips, wanted: open }, raster, [], (more) => onRows(rows + more));
      for (const note of raster.notes) notes.add(note);
      for (const [id, own] of sums) {
        const finding = own.finding(raster.metersPerUnit, settings.minDataShare);
        settle(id, { ...finding, used: [number] }, own.hasHeights);
      }
    } finally {
      await raster.close();
    }
  }
  const left = await across([...parts].filter((id) => open.has(id)));
  if (left.rasters.length > 1 && left.wanted.size > 0) {
    for (const [id, finding] of await addUp(land, fips, left, () => onRows(known.size))) known.set(id, finding);
  }
  return { findings: ids.map((id) => known.get(id) ?? unknownFor('slope', noHeights)), notes: [...notes] };
}

interface Total {
  readonly sums: TerrainSums;
  readonly metersPerUnit: number;
  readonly minDataShare: number;
  readonly used: number[];
}

/** Adds up several rasters; where they overlap, the first one counts. */
async function addUp(
  land: LandStore,
  fips: string,
  { wanted, rasters }: { readonly wanted: ReadonlySet<number>; readonly rasters: readonly ReadableRaster[] },
  onTile: () => void,
): Promise<Map<number, Finding>> {
  const totals = new Map<number, Total>();
  const before: ElevationRaster[] = [];
  try {
    for (const { number, file, settings } of rasters) {
      const raster = await ElevationRaster.open(file.path, settings);
      const { metersPerUnit } = raster;
      const sums = await sumHeights(land, { fips, wanted }, raster, before, onTile).finally(() => before.push(raster));
      for (const [id, own] of sums) {
        if (!own.hasHeights) continue;
        const total = totals.get(id);
        total?.sums.merge(own, metersPerUnit / total.metersPerUnit);
        if (total) total.used.push(number);
        else totals.set(id, { sums: own, metersPerUnit, minDataShare: settings.minDataShare, used: [number] });
      }
    }
  } finally {
    for (const raster of before) await raster.close();
  }
  return new Map(
    [...totals].map(([id, { sums, metersPerUnit, minDataShare, used }]) => {
      const finding = sums.finding(metersPerUnit, minDataShare);
      return [id, finding.reason === null ? { ...finding, used } : finding];
    }),
  );
}
