/** What can be set, per layer; the defaults are the definitions of design/importing.md, section 3. */
import { EngineError } from '../spec/errors.ts';
import { nearNames } from '../spec/validate.ts';
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

/** A misspelt setting would leave its default in force without a word. @throws EngineError import_refused */
export function expectSettings(settings: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(settings)) {
    const refuse = (problem: string) => new EngineError('import_refused', `The settings of the layer: ${problem}.`);
    const standard = (defaultSettings as unknown as Record<string, unknown>)[name];
    if (standard === undefined) {
      const names = Object.keys(defaultSettings);
      const near = nearNames(name, names);
      const hint = near.length > 0 ? `; perhaps ${near.join(' or ')} is meant` : '';
      throw refuse(`expected ${names.join(', ')}, found ${JSON.stringify(name)}${hint}`);
    }
    const isNumber = typeof value === 'number' && Number.isFinite(value) && value >= 0;
    if (typeof standard === 'number' && !isNumber) {
      throw refuse(`expected a number of 0 or more as ${name}, found ${JSON.stringify(value)}`);
    }
  }
}
