/** Turns features into staged rows: converts, completes and checks their shapes. */
import { redrawn } from '../../geo/even-odd.ts';
import type { GeoJsonGeometryResult } from '../../geo/geojson-geometry.ts';
import type { MultiPolygon } from '../../geo/geometry.ts';
import { geometryHash } from '../../geo/geometry-hash.ts';
import { findSelfCrossing } from '../../geo/ring-crossings.ts';
import { FlatGeometry, readFeatureGeometry } from '../../geo/ring-geometry.ts';
import { importColumns } from '../../spec/parcel-columns.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import { outlineOfCounty, type Place } from '../../store/county-outlines.ts';
import type { FeaturePosition } from '../formats/parcel-feature.ts';
import type { MappingRow } from '../mapping/mapping-expression.ts';
import { positionOf, type RowMapper } from '../mapping/row-mapper.ts';
import { type StoredValue, textOf } from '../values/convert-value.ts';
import { type DeriveContext, deriveValues } from './derive-values.ts';
import { misplaced, PlaceCount, sampleFips } from './expect-place.ts';
import type { GivenFeature, ImportPlan } from './import-options.ts';
import {
  countAcres,
  countCrossing,
  countMisplaced,
  countRefused,
  countValueProblem,
  type ReadingLog,
} from './import-report.ts';
import type { JoinedAccount, JoinedParcel, JoinedTables } from './joined-tables.ts';
import { RawReader, rawObject } from './raw-columns.ts';
import type { StagedLeaves, StagingWriter } from './staged-parcels.ts';

type UsableGeometry = Extract<GeoJsonGeometryResult, { ok: true }>;

export interface PlacedFeature extends GivenFeature {
  readonly position: FeaturePosition;
  /** Why it cannot be a parcel, whatever its geometry. */
  readonly problem?: string;
}

const apnPosition = positionOf('apn');
const zipPosition = positionOf('situs_zip');
const acresPosition = positionOf('acres');
const calculatedPosition = positionOf('calculated_acres');

/** Parcels with a value, and a few values, by column. */
export interface FilledColumns {
  readonly coverage: Record<string, number>;
  readonly examples: Record<string, (string | number)[]>;
}

const filledColumns = ({ known, examples }: StagingWriter): FilledColumns => ({
  coverage: Object.fromEntries(importColumns.map(({ name }, position) => [name, known[position] ?? 0])),
  examples: Object.fromEntries(importColumns.map(({ name }, position) => [name, (examples[position] ?? []).map(cut)])),
});

/** Of the outer ring. */
const firstVertex = ([outer]: MultiPolygon[number]): Place => [outer?.[0] ?? 0, outer?.[1] ?? 0];

const longestExample = 60;
const cut = (value: string | number): string | number =>
  typeof value === 'string' && value.length > longestExample ? `${value.slice(0, longestExample - 1)}…` : value;

/** Converts, derives and writes one feature at a time; reuses all objects. */
export class FeatureStager {
  readonly places: PlaceCount;
  /** The county's ZIPs so far: a few dozen. */
  readonly situsZips = new Set<StoredValue>();
  /** Invented parcels lie anywhere. */
  readonly #isSample: boolean;
  readonly #deriving: DeriveContext;
  readonly #mapper: RowMapper;
  readonly #counts: ReadingLog;
  readonly #writer: StagingWriter;
  readonly #tables: JoinedTables | null;
  readonly #rawReader: RawReader;
  #stageId = 0;
  #joined: JoinedParcel | null = null;
  /** The key of the account that is being added; undefined: a feature of the files. */
  #account: string | undefined;
  readonly #row: MappingRow = { properties: {}, id: undefined, table: null };
  readonly #values: StoredValue[] = importColumns.map(() => null);
  readonly #at = { file: '', row: 0 };
  readonly #onProblem = (column: string, value: unknown, reason: string): void =>
    countValueProblem(this.#counts, this.#at, column, value, reason);

  /** @param tables null if no table is joined */
  constructor(
    plan: Pick<ImportPlan, 'fips' | 'date' | 'state' | 'mapper' | 'anywhere'>,
    counts: ReadingLog,
    writer: StagingWriter,
    tables: JoinedTables | null,
  ) {
    this.#mapper = plan.mapper;
    this.#isSample = plan.fips === sampleFips;
    this.places = new PlaceCount(plan.anywhere ? undefined : outlineOfCounty(plan.fips));
    this.#deriving = { ...plan, isMapped: plan.mapper.isMapped };
    this.#rawReader = new RawReader(plan.mapper.isRead);
    this.#counts = counts;
    this.#writer = writer;
    this.#tables = tables;
  }

  /** Nothing may be added after it. */
  finish(): { leaves: StagedLeaves; filled: FilledColumns } {
    return { leaves: this.#writer.finish(), filled: filledColumns(this.#writer) };
  }

  /** Adds a row of a joined table that no parcel has, as a parcel without a shape. Its APN is the key if it has no other. */
  addAccount({ file, row, key, properties }: JoinedAccount): void {
    this.#account = key;
    this.#add(file, { geometry: null, properties, position: { row, byteOffset: 0 } });
    this.#account = undefined;
  }

  add(name: string, feature: PlacedFeature): void {
    this.#counts.features_read++;
    this.#add(name, feature);
  }

  #add(name: string, feature: PlacedFeature): void {
    const values = this.#values;
    this.#stageId++;
    this.#at.file = name;
    this.#at.row = feature.position.row;
    this.#join(feature);
    values.fill(null);
    this.#mapper.convert(this.#row, values, this.#onProblem);
    if (this.#account !== undefined) values[apnPosition] ??= this.#account;
    const identity = this.#mapper.identity(this.#row) ?? foldSpaces(textOf(values[apnPosition]) ?? '');
    const geometry = readFeatureGeometry(feature.geometry);
    const problem = feature.problem ?? (geometry.ok ? null : geometry.problem);
    if (problem !== null) this.#refuse(name, feature, geometry, identity, problem);
    else if (geometry.ok) this.#stage(identity, this.#placed(feature.geometry, geometry));
  }

  /** Without a point or shape that cannot be a parcel's. */
  #placed(given: unknown, geometry: UsableGeometry): UsableGeometry {
    const found = this.#misplaced(given === FlatGeometry.zeros ? [0, 0] : geometry.point, geometry.polygons);
    if (!found) return geometry;
    countMisplaced(this.#counts, this.#at, found.place, found.why);
    // A file whose rows all lie there is refused.
    if (found.why !== 'zero') this.places.add(...found.place);
    return { ...geometry, polygons: null, point: null };
  }

  #misplaced(point: Place | null, polygons: MultiPolygon | null): ReturnType<PlaceCount['stray']> {
    if (polygons) return this.#isSample ? null : this.places.stray(polygons.map(firstVertex));
    const why = point && misplaced(...point);
    return why && { why, place: point };
  }

  #stage(identity: string, geometry: UsableGeometry): void {
    const values = this.#values;
    const { polygons: drawn, point, repairs, notes = [] } = geometry;
    const isAccount = this.#account !== undefined;
    if (this.#joined) this.#tables?.use(this.#joined, this.#counts, isAccount);
    if (drawn === null && !isAccount) this.#counts.without_geometry++;
    if (repairs.length > 0) this.#counts.repaired_geometries++;
    for (const note of notes) this.#counts.shape_notes[note] = (this.#counts.shape_notes[note] ?? 0) + 1;
    if (identity === '') this.#counts.blank_apns++;
    const polygons = drawn === null ? null : this.#mend(drawn);
    const zip = values[zipPosition] ?? null;
    if (zip !== null) this.situsZips.add(zip);
    const keys = deriveValues(values, polygons, this.#deriving);
    this.#compareAcres();
    const asDrawn = drawn === null || drawn === polygons ? {} : { asDrawn: drawn };
    const place = this.#writer.write(this.#stageId, {
      identity,
      lot: this.#mapper.lot(this.#row),
      values,
      keys,
      polygons,
      ...asDrawn,
      point,
      raw: this.#raw(),
    });
    if (place) this.places.add(...place);
  }

  /** Repairs a shape that crosses itself, so that its area is what it encloses; keeps it if that fails. */
  #mend(drawn: MultiPolygon): MultiPolygon {
    const crossing = findSelfCrossing(drawn);
    if (crossing === null) return drawn;
    const mended = redrawn(drawn);
    countCrossing(this.#counts, this.#at, textOf(this.#values[apnPosition]), crossing, mended !== null);
    return mended ?? drawn;
  }

  #compareAcres(): void {
    const [recorded, computed] = [this.#values[acresPosition], this.#values[calculatedPosition]];
    if (typeof recorded !== 'number' || typeof computed !== 'number' || recorded <= 0) return;
    countAcres(this.#counts, this.#at, textOf(this.#values[apnPosition]), recorded, computed);
  }

  #raw(): string | null {
    return rawObject(this.#rawReader.read(this.#row.properties), this.#joined?.raw ?? '');
  }

  /** If the properties are unreadable, the shape identifies the feature; else the APN does. */
  #refuse(
    name: string,
    feature: PlacedFeature,
    geometry: GeoJsonGeometryResult,
    identity: string,
    problem: string,
  ): void {
    countRefused(this.#counts, name, feature.position, problem);
    const hash = geometry.ok && geometry.polygons ? geometryHash(geometry.polygons) : null;
    this.#writer.writeRefusal(this.#stageId, feature.problem === undefined ? identity : null, hash);
  }

  /** Attaches the feature and its joined rows. */
  #join({ properties, id }: PlacedFeature): void {
    const row = this.#row;
    row.properties = properties;
    row.id = id;
    row.table = null;
    const account = this.#account;
    const found =
      account === undefined
        ? this.#tables?.join(row, this.#at, this.#counts)
        : this.#tables?.joinAccount(account, row, this.#at, this.#counts);
    this.#joined = found ?? null;
  }
}
