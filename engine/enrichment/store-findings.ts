/**
 * Findings into the land file. What a publisher gave stands; what was computed is kept beside it (computed_values), with
 * the shape it was computed from. What an earlier layer of the kind computed is replaced, also by null.
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

/** Parcels between two looks at the signal. */
const rowsPerReport = 2000;

export interface StoreCounts {
  /** Parcels with at least one value. */
  computed: number;
  /** Parcels whose row changed. */
  written: number;
  /** Parcels without values, by reason. */
  unknown: Record<string, number>;
  /** Per column, parcels where a value of the publisher stands. */
  published_kept: Record<string, number>;
}

export class FindingStore {
  readonly counts: StoreCounts = { computed: 0, written: 0, unknown: {}, published_kept: {} };
  readonly #file: SqliteFile;
  readonly #columns: readonly string[];
  /** What the earlier layer of the kind computed; parcels are taken out as they are written. */
  readonly #before: Map<number, Standing>;
  readonly #selectSql: string;
  readonly #updateSql: string;

  /** @param before layer_id of the layer that is replaced; null: none. Within the transaction that writes */
  constructor(file: SqliteFile, kind: LayerKind, before: number | null) {
    this.#file = file;
    this.#columns = layerKinds[kind].columns;
    this.#before = before === null ? new Map() : standingOf(file, before);
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
      const published = this.#writeParcel(id, finding);
      this.#file.run(
        `INSERT INTO computed_values (layer_id, property_id, geometry_hash, "values", published, reason, computed_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[layerId, id, parcels.hashes[index] ?? null, this.#asJson(finding)],
        ...[published.length > 0 ? JSON.stringify(published) : null, finding.reason, computedAt],
      );
      this.#count(finding, published);
      if ((index + 1) % rowsPerReport === 0) onRows(index + 1);
    }
    // Parcels that retired since: what was computed for them goes with its layer.
    for (const [id, standing] of this.#before) withdrawParcel(this.#file, id, standing);
    this.#before.clear();
    onRows(parcels.ids.length);
  }

  #asJson({ values }: Finding): string {
    return JSON.stringify(Object.fromEntries(this.#columns.map((name, index) => [name, values[index] ?? null])));
  }

  #count({ values, reason }: Finding, published: readonly string[]): void {
    if (values.some((value) => value !== null)) this.counts.computed++;
    if (reason !== null) this.counts.unknown[reason] = (this.counts.unknown[reason] ?? 0) + 1;
    for (const name of published) {
      this.counts.published_kept[name] = (this.counts.published_kept[name] ?? 0) + 1;
    }
  }

  /** @returns the columns where a value of the publisher stands */
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
