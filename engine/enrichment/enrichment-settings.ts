/** What can be set, per layer; the defaults are the definitions of design/importing.md, section 3. */
import type { RoadClassMapping } from './road-classes.ts';

export interface EnrichmentSettings {
  /** How near a boundary lies to a centreline that gives it frontage, in international feet. */
  readonly reachFeet: number;
  /** How far neighbours' boundaries may be drawn apart and still be one, in feet. */
  readonly sharedWithinFeet: number;
  /** How much of a boundary must be shared: at a common corner some feet are within any tolerance. */
  readonly sharedLengthFeet: number;
  /** Words of a land use that mean a road; whole words or phrases, case-insensitive. */
  readonly roadParcelWords: readonly string[];
  /** Which feature is which class of road; null: MTFCC or highway, as the file has it. */
  readonly roads: RoadClassMapping | null;
  /** Smallest footprint that is a structure, in square feet. */
  readonly minStructureSquareFeet: number;
  /** The column with the flood zone, the name of the school district or the ZIP; null: the usual names are tried. */
  readonly valueColumn: string | null;
  /** Unit of the raster's heights; null: what the file says, else metres. */
  readonly elevationUnit: 'm' | 'ft' | 'us-ft' | null;
  /** The coordinate system of the raster, where the file does not say: `EPSG:26912`. */
  readonly rasterSystem: string | null;
  /** Share of a parcel's cells that must have a height, 0 to 1. */
  readonly minDataShare: number;
}

export const defaultSettings: EnrichmentSettings = {
  reachFeet: 50,
  sharedWithinFeet: 2,
  sharedLengthFeet: 10,
  roadParcelWords: ['right of way', 'road right of way', 'rights of way', 'row', 'roadway', 'public road', 'street'],
  roads: null,
  minStructureSquareFeet: 200,
  valueColumn: null,
  elevationUnit: null,
  rasterSystem: null,
  minDataShare: 0.95,
};
