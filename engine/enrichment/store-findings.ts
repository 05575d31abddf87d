/**
 * Writes findings to the land file. A publisher's value stays in its column; computed values are stored beside it
 * (computed_values), with the hash of the shape. Values of an earlier layer of the kind are replaced, also by null; values
 * of another raster stay where the new one has no data.
 */
import {
  type ComputedValue,
  isPublished,
  type Standing,
  standingOf,
  withdrawParcel,
} from '../store/computed-values.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import type { CountyParcels } from './county-parcels.ts';
import { type Finding, type LayerKind, layerKinds } from './layer-kinds.ts';
import { fateOf, type RasterRun, type StoodFinding, stoodFindings } from './layer-rasters.ts';

/** Parcels between two checks of the signal. */
const rowsPerReport = 2000;

export interface StoreCounts {
  /** Parcels with at least one value. */
  computed: number;
  /** Parcels whose row changed. */
  written: number;
  /** Parcels without values, by reason. */
  unknown: Record<string, number>;
  /** By column, the number of parcels that keep the publisher's value. */
  published_kept: Record<string, number>;
}

export class FindingStore {
  readonly counts: StoreCounts = { computed: 0, written: 0, unknown: {}, published_kept: {} };
  readonly #file: SqliteFile;
  readonly #columns: readonly string[];
  /** Values of the earlier layer of the kind; parcels are removed from it as they are written. */
  readonly #before: Map<number, Standing>;
  readonly #layer: number | null;
  readonly #run: RasterRun | null;
  readonly #stood: ReadonlyMap<number, StoodFinding>;
  #hasWaiting = false;
  readonly #selectSql: string;
  readonly #updateSql: string;

  /**
   * Create it within the writing transaction.
   * @param before layer_id of the replaced layer; null: none
   * @param run for rasters: stored values may stay
   */
  constructor(file: SqliteFile, kind: LayerKind, before: number | null, run: RasterRun | null) {
    this.#file = file;
    this.#columns = layerKinds[kind].columns;
    this.#before = before === null ? new Map() : standingOf(file, before);
    this.#layer = before;
    this.#run = run;
    this.#stood = run === null || before === null ? new Map() : stoodFindings(file, before);
    this.#selectSql = `SELECT ${this.#columns.join(', ')} FROM parcels WHERE property_id = ?`;
    this.#updateSql = `UPDATE parcels SET ${this.#columns.map((name) => `${name} = ?`).join(', ')} WHERE property_id = ?`;
  }

  /** @param onRows may throw to cancel */
  write(
    layerId: number,
    parcels: CountyParcels,
    findings: readonly Finding[],
    at: Date,
    onRows: (rows: number) => void,
  ): void {
    const computedAt = at.toISOString();
    for (const [index, id] of parcels.ids.entries()) {
      const finding = findings[index];
      if (finding === undefined) throw new Error(`no finding for parcel ${id}`);
      const hash = parcels.hashes[index] ?? null;
      const stood = this.#stood.get(id);
      const fate = this.#run === null ? 'write' : fateOf(finding, stood, hash, this.#run);
      if (fate === 'write') this.#writeFinding(layerId, id, hash, finding, computedAt);
      else if (fate === 'keep') this.#keep(id, stood?.reason ?? null);
      else this.#hasWaiting = true;
      if ((index + 1) % rowsPerReport === 0) onRows(index + 1);
    }
    // Removes the computed values of parcels that retired since, or whose raster was dropped.
    for (const [id, standing] of this.#before) {
      withdrawParcel(this.#file, id, standing);
      this.#file.run('DELETE FROM computed_values WHERE layer_id = ? AND property_id = ?', this.#layer, id);
    }
    this.#before.clear();
    onRows(parcels.ids.length);
  }

  /** Whether some parcels wait for rasters that were not read. */
  get hasWaiting(): boolean {
    return this.#hasWaiting;
  }

  #writeFinding(layerId: number, id: number, hash: number | null, finding: Finding, computedAt: string): void {
    const published = this.#writeParcel(id, finding);
    const rasters = this.#run === null || finding.reason !== null ? null : JSON.stringify(finding.used);
    this.#file.run(
      `INSERT OR REPLACE INTO computed_values
         (layer_id, property_id, geometry_hash, "values", published, reason, computed_at, rasters)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[layerId, id, hash, this.#asJson(finding)],
      ...[published.length > 0 ? JSON.stringify(published) : null, finding.reason, computedAt, rasters],
    );
    this.#count(finding.reason, finding.values, published);
  }

  #keep(id: number, reason: string | null): void {
    const standing = this.#before.get(id);
    this.#before.delete(id);
    this.#count(reason, Object.values(standing?.values ?? {}), standing?.published ?? []);
  }

  #asJson({ values }: Finding): string {
    return JSON.stringify(Object.fromEntries(this.#columns.map((name, index) => [name, values[index] ?? null])));
  }

  #count(reason: string | null, values: readonly ComputedValue[], published: readonly string[]): void {
    if (values.some((value) => value !== null)) this.counts.computed++;
    if (reason !== null) this.counts.unknown[reason] = (this.counts.unknown[reason] ?? 0) + 1;
    for (const name of published) {
      this.counts.published_kept[name] = (this.counts.published_kept[name] ?? 0) + 1;
    }
  }

  /** @returns the columns that keep the publisher's value */
  #writeParcel(id: number, { values }: Finding): string[] {
    const standing = this.#file.get<Record<string, ComputedValue>>(this.#selectSql, id) ?? {};
    const before = this.#before.get(id);
    this.#before.delete(id);
    const published = this.#columns.filter((name) => isPublished(name, standing[name] ?? null, before));
    const next = this.#columns.map((name, index) =>
      published.includes(name) ? (standing[name] ?? null) : (values[index] ?? null),
    );
    if (next.some((value, index) => value !== (standing[this.#columns[index] ?? ''] ?? null))) {
      this.#file.run(this.#updateSql, ...next, id);
      this.counts.written++;
    }
    return published;
  }
}
