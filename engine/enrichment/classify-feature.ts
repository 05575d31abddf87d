/** Reads the class of a feature (road class, flood zone, district name, ZIP) from the columns of its file. */
import { textOf } from '../importing/values/convert-value.ts';
import { EngineError } from '../spec/errors.ts';
import type { RoadClass } from '../spec/road-words.ts';
import { foldSpaces } from '../spec/text-fold.ts';
import type { EnrichmentSettings } from './enrichment-settings.ts';
import { floodHazard } from './flood-zones.ts';
import type { LayerKind } from './layer-kinds.ts';
import { zipOf } from './places.ts';
import { findRoadMapping, type RoadClassMapping, roadClassifier, unknownRoad } from './road-classes.ts';
import { surveyColumns, surveyPlaceOf } from './survey-features.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Column names that publishers use, best first. */
const usualColumns: Partial<Record<LayerKind, readonly string[]>> = {
  flood: ['FLD_ZONE', 'FLDZONE', 'FLOOD_ZONE', 'ZONE', 'ZONE_'],
  wetlands: ['WETLAND_TYPE', 'WETLAND_TY', 'ATTRIBUTE'],
  schools: ['NAME', 'NAMELSAD', 'DISTRICT', 'DIST_NAME', 'SCHOOL_DISTRICT', 'SCHOOLDIST', 'SCH_DIST', 'DISTNAME'],
  zips: ['ZCTA5CE20', 'ZCTA5CE10', 'ZCTA5CE', 'ZIP', 'ZIPCODE', 'ZIP_CODE', 'ZIP5', 'POSTAL', 'POSTCODE', 'GEOID20'],
};
/** Layers that are useless without their column. */
const needsColumn: readonly LayerKind[] = ['flood', 'schools', 'zips'];

const maxUnmapped = 20;

interface ClassCounts {
  without_class: number;
  unknown_left_out: number;
  readonly unmapped_values: Record<string, number>;
}

export class FeatureClassifier {
  readonly #kind: LayerKind;
  readonly #file: string;
  readonly #wanted: readonly string[];
  /** Whether the user named the column: then no other is tried, and a file without it is refused. */
  readonly #isNamed: boolean;
  readonly #reading: ClassCounts;
  #mapping: RoadClassMapping | null;
  #roadClassOf: ((value: unknown) => RoadClass | null | undefined) | null = null;
  /** The wanted columns that the file has, best first. */
  #columns: readonly string[] = [];
  #hasPlaces = false;
  /** Columns of the first feature, for refusals. */
  #seen: readonly string[] | null = null;

  constructor(kind: LayerKind, settings: EnrichmentSettings, reading: ClassCounts, file: string) {
    this.#kind = kind;
    this.#file = file;
    const named = (kind === 'roads' ? settings.roads?.column : settings.valueColumn) ?? null;
    this.#isNamed = named !== null;
    this.#wanted = named === null ? (usualColumns[kind] ?? []) : [named];
    this.#reading = reading;
    this.#mapping = settings.roads;
  }

  /** Columns of the first feature that has any. */
  get columns(): readonly string[] {
    return this.#seen ?? [];
  }

  /** Null if the feature has no class or is not a road. */
  classOf(properties: Properties): string | null {
    if (this.#seen === null && Object.keys(properties).length > 0) this.#seen = Object.keys(properties);
    if (this.#kind === 'roads') return this.#roadClass(properties);
    if (this.#kind === 'plss') return this.#surveyPlace(properties);
    const value = this.#valueOf(properties, this.#wanted);
    if (this.#kind === 'flood' && floodHazard(textOf(value) ?? '') === 'unmapped') this.#countUnmapped(value);
    const found = this.#kind === 'zips' ? zipOf(value) : textOf(value);
    if (found === null && needsColumn.includes(this.#kind) && this.#kind !== 'flood') this.#countUnmapped(value);
    return found;
  }

  #surveyPlace(properties: Properties): string | null {
    const found = surveyPlaceOf(properties);
    if (found === null) this.#countUnmapped(properties.FRSTDIVID ?? properties.PLSSID);
    else this.#hasPlaces = true;
    return found;
  }

  #roadClass(properties: Properties): string | null {
    this.#mapping ??= findRoadMapping(Object.keys(properties));
    if (this.#mapping !== null) this.#roadClassOf ??= roadClassifier(this.#mapping);
    const value = this.#mapping === null ? null : this.#valueOf(properties, [this.#mapping.column]);
    const found = this.#roadClassOf?.(value);
    if (found !== undefined) return found;
    const other = this.#mapping?.other;
    if (other === undefined) this.#countUnmapped(value);
    if (other === null) this.#reading.unknown_left_out++;
    return other === undefined ? unknownRoad : other;
  }

  #countUnmapped(value: unknown): void {
    this.#reading.without_class++;
    const { unmapped_values: unmapped } = this.#reading;
    const shown = String(value ?? '').slice(0, 40);
    if (shown in unmapped || Object.keys(unmapped).length < maxUnmapped) {
      unmapped[shown] = (unmapped[shown] ?? 0) + 1;
    }
  }

  /** Ignores case: Shapefiles use upper case, GeoJSON often lower case. */
  #valueOf(properties: Properties, wanted: readonly string[]): unknown {
    if (this.#columns.length === 0) {
      const columns = new Map(Object.keys(properties).map((name) => [foldSpaces(name), name]));
      this.#columns = wanted.map((name) => columns.get(foldSpaces(name))).filter((name) => name !== undefined);
    }
    // A file may have NAME for all of its layers and fill DIST_NAME alone.
    const filled = this.#columns.find((name) => textOf(properties[name]) !== null);
    return filled === undefined ? null : properties[filled];
  }

  /** @throws EngineError import_refused if no feature had the column that the layer needs */
  finish(): void {
    if (this.#kind === 'plss') {
      if (this.#hasPlaces) return;
      throw this.#refusal(`Expected columns of townships and sections (${surveyColumns})`);
    }
    if (this.#columns.length > 0) return;
    if (!needsColumn.includes(this.#kind) && (!this.#isNamed || this.#seen === null)) return;
    throw this.#refusal(`Expected a column ${this.#wanted.join(', ')} for ${this.#kind}`);
  }

  #refusal(expected: string): EngineError {
    const found = this.#seen?.join(', ') ?? 'no columns';
    return new EngineError('import_refused', `${this.#file}: ${expected}; found ${found}.`);
  }
}
