/** Turns features into staged rows: converts, completes and checks their shapes. */
import { redrawn } from '../../geo/even-odd.ts';
import type { GeoJsonGeometryResult } from '../../geo/geojson-geometry.ts';
import type { MultiPolygon } from '../../geo/geometry.ts';
import { geometryHash } from '../../geo/geometry-hash.ts';
import { findSelfCrossing } from '../../geo/ring-crossings.ts';
import { readFeatureGeometry } from '../../geo/ring-geometry.ts';
import { importColumns } from '../../spec/parcel-columns.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import type { FeaturePosition } from '../formats/parcel-feature.ts';
import type { MappingRow } from '../mapping/mapping-expression.ts';
import { positionOf, type RowMapper } from '../mapping/row-mapper.ts';
import { type StoredValue, textOf } from '../values/convert-value.ts';
import { deriveValues } from './derive-values.ts';
import { PlaceCount } from './expect-place.ts';
import type { GivenFeature, ImportPlan } from './import-options.ts';
import { countAcres, countCrossing, countRefused, countValueProblem, type ReadingLog } from './import-report.ts';
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

export interface JoinedRow {
  readonly values: string;
  readonly raw: string;
}

/** Finds the row of the joined table by key. */
export type FindJoined = (key: string) => JoinedRow | undefined;

/** Converts, derives and writes one feature at a time; reuses all objects. */
export class FeatureStager {
  readonly places = new PlaceCount();
  /** The county's ZIPs so far: a few dozen. */
  readonly situsZips = new Set<StoredValue>();
  readonly #plan: Pick<ImportPlan, 'date' | 'state'>;
  readonly #mapper: RowMapper;
  #counts: ReadingLog;
  readonly #writer: StagingWriter;
  readonly #findJoined: FindJoined | null;
  readonly #rawReader: RawReader;
  #stageId = 0;
  #joinedRaw = '';
  readonly #row: MappingRow = { properties: {}, id: undefined, table: null };
  readonly #values: StoredValue[] = importColumns.map(() => null);
  readonly #at = { file: '', row: 0 };
  readonly #onProblem = (column: string, value: unknown, reason: string): void =>
    countValueProblem(this.#counts, this.#at, column, value, reason);

  /** @param findJoined null if no table is joined */
  constructor(
    plan: Pick<ImportPlan, 'date' | 'state' | 'mapper'>,
    counts: ReadingLog,
    writer: StagingWriter,
    findJoined: FindJoined | null,
  ) {
    this.#plan = plan;
    this.#mapper = plan.mapper;
    this.#rawReader = new RawReader(plan.mapper.isRead);
    this.#counts = counts;
    this.#writer = writer;
    this.#findJoined = findJoined;
  }

  /** Counts what follows there. */
  countInto(counts: ReadingLog): void {
    this.#counts = counts;
  }

  /** The next ids belong to another thread's features. */
  endRange(): void {
    this.#writer.endRange();
  }

  /** Nothing may be added after it. `known`: parcels with a value, for each of `importColumns` */
  finish(): { leaves: StagedLeaves; known: readonly number[] } {
    return { leaves: this.#writer.finish(), known: this.#writer.known };
  }

  /** @param stageId rises from feature to feature */
  add(name: string, feature: PlacedFeature, stageId = this.#stageId + 1): void {
    const values = this.#values;
    this.#counts.features_read++;
    this.#stageId = stageId;
    this.#at.file = name;
    this.#at.row = feature.position.row;
    const joinKey = this.#join(feature);
    values.fill(null);
    this.#mapper.convert(this.#row, values, this.#onProblem);
    const identity = this.#mapper.identity(this.#row) ?? foldSpaces(textOf(values[apnPosition]) ?? '');
    const geometry = readFeatureGeometry(feature.geometry);
    const problem = feature.problem ?? (geometry.ok ? null : geometry.problem);
    if (problem !== null) this.#refuse(name, feature, geometry, identity, problem);
    else if (geometry.ok) this.#stage(identity, joinKey, geometry);
  }

  #stage(identity: string, joinKey: string | null, geometry: UsableGeometry): void {
    const values = this.#values;
    const { polygons: drawn, point, repairs } = geometry;
    if (joinKey !== null) this.#counts.joined++;
    if (drawn === null) this.#counts.without_geometry++;
    if (repairs.length > 0) this.#counts.repaired_geometries++;
    if (identity === '') this.#counts.blank_apns++;
    const polygons = drawn === null ? null : this.#mend(drawn);
    const zip = values[zipPosition] ?? null;
    if (zip !== null) this.situsZips.add(zip);
    const keys = deriveValues(values, polygons, this.#plan);
    this.#compareAcres();
    const asDrawn = drawn === null || drawn === polygons ? {} : { asDrawn: drawn };
    const place = this.#writer.write(this.#stageId, {
      identity,
      joinKey,
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
    return rawObject(this.#rawReader.read(this.#row.properties), this.#joinedRaw);
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

  /** Attaches the feature and its joined row; returns the key if there is such a row. */
  #join({ properties, id }: PlacedFeature): string | null {
    const row = this.#row;
    row.properties = properties;
    row.id = id;
    row.table = null;
    const key = this.#findJoined ? this.#mapper.parcelKey(row) : null;
    const joined = key === null ? undefined : this.#findJoined?.(key);
    this.#joinedRaw = joined?.raw ?? '';
    if (joined === undefined) return null;
    row.table = JSON.parse(joined.values) as (string | null)[];
    return key;
  }
}
