/** The chosen land as pages are planned by it: boxes of the spatial index, and polygons only where a box does not do. */
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { type BookChoice, choiceSql, polygonsOf } from './book-parcels.ts';
import type { Placed } from './page-plan.ts';

export interface ChosenLand {
  /** Number of parcels, those without a shape included. */
  readonly parcels: number;
  /** Those with a shape. */
  readonly placed: readonly Placed[];
}

/** @throws EngineError not_found if a chosen county is not loaded */
export function chosenLand(land: LandStore, choice: BookChoice): ChosenLand {
  const { file } = land;
  if (choice.counties) land.expectLoaded(choice.counties);
  const { sql, values } = choiceSql(choice);
  const rows = file.rawRows(
    `SELECT p.property_id, ${choice.ids ? 'p.calculated_acres' : 'NULL'}, i.xmin, i.ymin, i.xmax, i.ymax
     FROM parcels p LEFT JOIN idx_parcels_geom i ON i.pkid = p.property_id ${sql}`,
    ...values,
  ) as [number, number | null, number | null, number, number, number][];
  const placed = rows.flatMap(([id, acres, minX, minY, maxX, maxY]) =>
    minX === null ? [] : [new PlacedParcel(file, id, { minX, minY, maxX, maxY }, acres)],
  );
  return { parcels: rows.length, placed };
}

class PlacedParcel implements Placed {
  readonly bounds: Placed['bounds'];
  readonly stripAcres: number | null;
  readonly #file: SqliteFile;
  readonly #id: number;

  constructor(file: SqliteFile, id: number, bounds: Placed['bounds'], stripAcres: number | null) {
    this.#file = file;
    this.#id = id;
    this.bounds = bounds;
    this.stripAcres = stripAcres;
  }

  /** Read again where it is asked for again: few are, and a county's polygons would fill memory. */
  get polygons(): Placed['polygons'] {
    const [geom] = this.#file.column<Uint8Array | null>('SELECT geom FROM parcels WHERE property_id = ?', this.#id);
    return polygonsOf(geom ?? null);
  }
}
