/** Parcels that a book of some parcels leaves out: pale lines, so that the land is found among its neighbors. */
import type { Path } from '../exporting/pdf-page.ts';
import { boxOnPage, type GroundFrame } from '../sheet/ground-frame.ts';
import { nearBox } from '../sheet/map-content.ts';
import { polygonsOnPage } from '../sheet/page-shapes.ts';
import { counted, grouped } from '../spec/counted.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { type BookChoice, polygonsOf } from './book-parcels.ts';

/** Points: smaller ones would be gray patches. */
const leastSide = 3;

type Row = [id: number, minX: number, minY: number, maxX: number, maxY: number];

export class OtherParcels {
  readonly #file: SqliteFile;
  readonly #chosen: ReadonlySet<number>;

  private constructor(file: SqliteFile, ids: readonly number[]) {
    this.#file = file;
    this.#chosen = new Set(ids);
  }

  /** Null for whole counties. */
  static of(file: SqliteFile, { ids }: BookChoice): OtherParcels | null {
    return ids && new OtherParcels(file, ids);
  }

  /** Their outlines on a page. */
  on(frame: GroundFrame): Path[] {
    const rows = this.#file.rawRows(
      `SELECT i.pkid, i.xmin, i.ymin, i.xmax, i.ymax FROM idx_parcels_geom i CROSS JOIN parcels p ON p.property_id = i.pkid
       WHERE ${nearBox} AND p.status = 'current'
       ORDER BY i.pkid`,
      frame.bounds,
    ) as Row[];
    return rows.flatMap(([id, minX, minY, maxX, maxY]) => {
      const { width, height } = boxOnPage(frame, { minX, minY, maxX, maxY });
      return this.#chosen.has(id) || Math.max(width, height) < leastSide
        ? []
        : polygonsOnPage(this.#polygonsOf(id), frame).flat();
    });
  }

  #polygonsOf(id: number) {
    const [geom] = this.#file.column<Uint8Array | null>('SELECT geom FROM parcels WHERE property_id = ?', id);
    return polygonsOf(geom ?? null);
  }
}

/** One sentence if a book of some parcels leaves out others of their counties. */
export function otherNotes(file: SqliteFile, { ids }: BookChoice, fips: readonly string[], shown: number): string[] {
  const [all = 0] = ids
    ? file.column<number>(
        "SELECT count(*) FROM parcels WHERE status = 'current' AND fips IN (SELECT value FROM json_each(?))",
        JSON.stringify(fips),
      )
    : [];
  if (all <= shown) return [];
  const where = fips.length === 1 ? 'the county' : 'their counties';
  return [
    `${grouped(shown)} of the ${counted(all, 'parcel', 'parcels')} of ${where} are chosen: the others are gray lines without names.`,
  ];
}
